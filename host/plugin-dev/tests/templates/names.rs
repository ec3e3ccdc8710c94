//! Valid and invalid names.

use acreta_plugin_dev::{Language, stamp};
use acreta_types::Role;

#[test]
fn odd_names_are_refused_with_one_that_would_do() {
    let long = "a".repeat(65);
    let table = [
        ("", "0 characters", "my-agent"),
        ("a", "1 characters", "my-agent"),
        (&*long, "65 characters", &long[..64]),
        ("My Agent", "`M`", "`my-agent`"),
        ("my_agent", "`_`", "`my-agent`"),
        ("../evil", "`.`", "`evil`"),
        ("a/b", "`/`", "`a-b`"),
        ("agënt", "`\\u{eb}`", "`ag-nt`"),
        ("\u{202e}evil", "`\\u{202e}`", "`evil`"),
        ("-agent", "hyphen", "`agent`"),
        ("agent-", "hyphen", "`agent`"),
        ("my--agent", "hyphen", "`my-agent`"),
        ("2fast", "start with a letter", "`my-2fast`"),
        ("test", "something else", "`test-plugin`"),
        ("com1", "something else", "`com1-plugin`"),
        ("acreta-sdk", "something else", "`acreta-sdk-plugin`"),
    ];
    for (name, reason, suggested) in table {
        for language in Language::ALL {
            let error = stamp(Role::Adapter, name, language).unwrap_err();
            assert!(error.to_string().contains(reason), "{name:?}: {error}");
            assert!(
                error.hint().contains(suggested),
                "{name:?}: {}",
                error.hint()
            );
            let is_plain = error
                .to_string()
                .chars()
                .all(|letter| letter == ' ' || letter.is_ascii_graphic() || letter.is_alphabetic());
            assert!(is_plain, "{error}");
        }
    }
}

#[test]
fn plain_names_are_taken() {
    for name in [
        "my-agent",
        "a2",
        "agent-007",
        "adapter-mine",
        &"a".repeat(64),
    ] {
        assert!(
            stamp(Role::Explorer, name, Language::Rust).is_ok(),
            "{name}"
        );
    }
}

#[test]
fn languages_are_known_by_name() {
    for language in Language::ALL {
        assert_eq!(Language::from_name(language.name()), Some(language));
    }
    assert_eq!(Language::from_name("cobol"), None);
}
