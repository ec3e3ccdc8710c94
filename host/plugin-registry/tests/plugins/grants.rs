//! Grants as people write and edit them.

use std::collections::BTreeMap;

use acreta_plugin_registry::{
    Capabilities, Grant, Grants, Manifest, ModelBudget, PURPOSES, missing, require,
};
use camino::Utf8Path;
use proptest::prelude::*;

use crate::support::{PluginHome, Unsynced, manifest};

fn parsed(text: &str) -> Manifest {
    Manifest::parse(Utf8Path::new("plugin.toml"), text).unwrap()
}

fn load(text: &str) -> Result<Grants, String> {
    let home = PluginHome::new();
    let file = home.write("grants.toml", text);
    let grants = Grants::load_with(&file, Unsynced::shared()).map_err(|error| error.to_string());
    grants.map_err(|error| error.replace(home.root.as_str(), ""))
}

#[test]
fn what_was_said_is_kept_and_nothing_else_is_granted() {
    let home = PluginHome::new();
    let file = home.root.join("new/grants.toml");
    let mut grants = Grants::load_with(&file, Unsynced::shared()).unwrap();
    assert!(grants.is_granted("adapter-claude", true));
    assert!(!grants.is_granted("adapter-mine", false));

    grants.set("adapter-claude", Grant::default()).unwrap();
    let mine = Grant {
        granted: true,
        roots: [("mine".to_owned(), "/srv/sessions".into())].into(),
        projects: vec!["/srv/app".into()],
        ..Grant::default()
    };
    grants.set("adapter-mine", mine.clone()).unwrap();

    let again = Grants::load_with(&file, Unsynced::shared()).unwrap();
    assert!(!again.is_granted("adapter-claude", true));
    assert!(again.is_granted("adapter-mine", false));
    assert_eq!(again.get("adapter-mine"), Some(&mine));
    assert_eq!(again.get("adapter-codex"), None);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
}

/// Returns an extractor that asks for `calls` model calls.
fn asking(calls: u64, purposes: &str) -> Manifest {
    let head = manifest("").replace("\"adapter\"", "\"extractor\"");
    let head = head.split("[[roots]]").next().unwrap().to_owned();
    parsed(&format!(
        "{head}\n[llm]\npurposes = {purposes}\ncalls = {calls}\ntokens = 1000\nreason = \"It reads with a model\"\n"
    ))
}

#[test]
fn a_person_is_asked_again_only_when_more_is_asked_for() {
    let extract = r#"["extract"]"#;
    let both = r#"["extract", "summarise"]"#;
    let given = |calls: u64| {
        format!(
            "[adapter-mine]\ngranted = true\nllm = {{ purposes = [\"extract\"], calls = {calls}, tokens = 1000 }}\n"
        )
    };
    let asked =
        "[adapter-mine.asked]\nllm = { purposes = [\"extract\"], calls = 20, tokens = 1000 }\n";
    let cases = [
        ("nothing said", String::new(), asking(20, extract), 1),
        ("as granted", given(20), asking(20, extract), 0),
        ("less than granted", given(20), asking(5, extract), 0),
        ("more than granted", given(20), asking(21, extract), 1),
        ("another purpose", given(20), asking(20, both), 1),
        (
            "made less by hand",
            format!("{}{asked}", given(5)),
            asking(20, extract),
            0,
        ),
        (
            "made less, and grown",
            format!("{}{asked}", given(5)),
            asking(30, extract),
            1,
        ),
        (
            "denied by hand",
            format!("[adapter-mine]\ngranted = true\n{asked}"),
            asking(20, extract),
            0,
        ),
        (
            "taken back",
            given(20).replace("true", "false"),
            asking(20, extract),
            1,
        ),
        (
            "granted in a word",
            "[adapter-mine]\ngranted = true\n".to_owned(),
            asking(20, extract),
            1,
        ),
        (
            "folder by hand",
            "[adapter-mine]\ngranted = true\nroots = { mine = \"/srv/mine\" }\n".to_owned(),
            parsed(&manifest("")),
            0,
        ),
        (
            "another folder by hand",
            "[adapter-mine]\ngranted = true\nroots = { other = \"/srv/mine\" }\n".to_owned(),
            parsed(&manifest("")),
            1,
        ),
    ];
    for (name, text, manifest, expected) in cases {
        let grants = load(&text).unwrap();
        assert_eq!(missing(&manifest, &grants).len(), expected, "{name}");
        assert_eq!(require(&manifest, &grants).is_ok(), expected == 0, "{name}");
    }
}

#[test]
fn a_file_that_says_something_else_is_an_error_with_its_place() {
    for (text, says) in [
        (
            "granted = true",
            "/grants.toml:1: `granted` takes a table, not true or false",
        ),
        (
            "\n[adapter-claude]\ngrantd = false",
            "/grants.toml:3: unknown key `adapter-claude.grantd`",
        ),
        (
            "[a]\ngranted = \"no\"",
            "/grants.toml:2: `a.granted` takes true or false, not a text",
        ),
        (
            "[a]\nlimits = { memory = 1 }",
            "/grants.toml:2: `a.limits.memory`: unknown limit",
        ),
        (
            "[a]\nlimits = { handles = -1 }",
            "`a.limits.handles` takes a whole number above zero",
        ),
        (
            "[a]\nllm = { calls = 1, tokens = 1 }",
            "`a.llm.purposes` is missing",
        ),
        (
            "[a]\nllm = { purposes = [\"spam\"], calls = 1, tokens = 1 }",
            "unknown purpose `spam`",
        ),
        (
            "[a]\nasked = { granted = true }",
            "unknown key `a.asked.granted`",
        ),
        ("[a", "/grants.toml:1: "),
    ] {
        let error = load(text).expect_err(text);
        assert!(error.contains(says), "{text}: {error}");
    }
}

#[test]
fn a_grant_is_forgotten_with_its_comments_and_no_others() {
    let home = PluginHome::new();
    let text = "# About this file.\n\n# About one.\n[one]\ngranted = true\n\n# Of old.\n\n# About two.\n[two] # yes\ngranted = true\n[two.asked]\nlimits = { handles = 9 }\n\n[three]\ngranted=false # spaced as I like\n# the end\n";
    let cases = [
        (
            "one",
            "# About this file.\n\n# Of old.\n\n# About two.\n[two] # yes\ngranted = true\n[two.asked]\nlimits = { handles = 9 }\n\n[three]\ngranted=false # spaced as I like\n# the end\n",
        ),
        (
            "two",
            "# About this file.\n\n# About one.\n[one]\ngranted = true\n\n# Of old.\n\n[three]\ngranted=false # spaced as I like\n# the end\n",
        ),
        (
            "three",
            &text.replace("\n[three]\ngranted=false # spaced as I like\n", ""),
        ),
        ("four", text),
    ];
    for (plugin, expected) in cases {
        let file = home.write("grants.toml", text);
        Grants::load_with(&file, Unsynced::shared())
            .unwrap()
            .forget(plugin)
            .unwrap();
        assert_eq!(home.text("grants.toml"), expected, "{plugin}");
    }
}

#[test]
fn what_others_wrote_since_it_was_read_is_kept() {
    let home = PluginHome::new();
    let file = home.write("grants.toml", "[one]\ngranted = true\n");
    let mut grants = Grants::load_with(&file, Unsynced::shared()).unwrap();
    home.write("grants.toml", "[one]\ngranted = false\n# and a note\n");
    grants.set("two", Grant::default()).unwrap();
    assert!(!grants.is_granted("one", true));
    assert!(
        home.text("grants.toml")
            .contains("[one]\ngranted = false\n")
    );
    assert!(home.text("grants.toml").contains("# and a note\n"));
}

pub(crate) fn capabilities() -> impl Strategy<Value = Capabilities> {
    let name = "[a-z][a-z0-9_-]{0,8}";
    let candidate = prop_oneof![Just("~/.mine/α \"q\"".to_owned()), "[ -~]{1,12}"];
    let reads = prop::collection::btree_map(name, prop::collection::vec(candidate, 1..3), 0..3);
    let number = 1..=i64::MAX as u64;
    let purposes = prop::sample::subsequence(PURPOSES.to_vec(), 1..=PURPOSES.len());
    let llm = (purposes, number.clone(), number.clone()).prop_map(|(purposes, calls, tokens)| {
        ModelBudget {
            purposes: purposes.into_iter().map(str::to_owned).collect(),
            calls,
            tokens,
        }
    });
    let limit =
        prop::sample::select(vec!["memory_bytes", "handles", "wall_ms"]).prop_map(str::to_owned);
    let limits = prop::collection::btree_map(limit, number, 0..3);
    (reads, prop::option::of(llm), limits).prop_map(|(reads, llm, limits)| Capabilities {
        reads,
        llm,
        limits,
    })
}

fn grant() -> impl Strategy<Value = Grant> {
    let roots =
        prop::collection::btree_map("[a-z]{1,8}", "/[ -~]{0,12}".prop_map(Into::into), 0..3);
    let when = prop::option::of(Just("2026-01-02T03:04:05Z".to_owned()));
    let projects = prop::collection::vec("/[ -~]{0,12}".prop_map(Into::into), 0..3);
    let given = (capabilities(), capabilities());
    (any::<bool>(), roots, projects, given, when).prop_map(
        |(granted, roots, projects, (given, asked), when)| Grant {
            granted,
            roots,
            projects,
            given,
            asked,
            when,
        },
    )
}

/// Entries in the formats that people write, each with a comment.
const FORMS: [&str; 4] = [
    "# note ID\n[ID]\ngranted = true # yes, ID\n\n",
    "# note ID\n[ID]\ngranted=false\n[ID.limits] # of ID\n  handles = 7\n\n",
    "# note ID\n[ID]\ngranted = true\nreads = { \"x\" = [ '~/.x',\n  \"~/.y\" ] } # odd, but mine\n\n",
    "# note ID\n[\"ID\"]\n\n",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// A stored grant is read back, other entries stay unchanged to the byte, and storing twice equals storing once.
    #[test]
    fn grants_round_trip_and_hand_edits_stay(
        forms in prop::collection::btree_map("[a-z]{2,6}", 0..FORMS.len(), 0..4),
        head in prop::sample::select(vec!["", "# mine\n\n", "# mine\n# own\n\n\n"]),
        target in 0..5_usize,
        grants in prop::collection::vec(grant(), 1..4),
    ) {
        let home = PluginHome::new();
        let entries: BTreeMap<&String, String> = forms.iter().map(|(id, form)| (id, FORMS[*form].replace("ID", id))).collect();
        let text = format!("{head}{}", entries.values().map(String::as_str).collect::<String>());
        let file = home.write("grants.toml", &text);
        let plugin = forms.keys().nth(target).cloned().unwrap_or_else(|| "zz-new".to_owned());
        let mut known = Grants::load_with(&file, Unsynced::shared()).unwrap();
        let others: Vec<(String, Grant)> = known.iter().filter(|(id, _)| *id != plugin).map(|(id, grant)| (id.to_owned(), grant.clone())).collect();
        for grant in &grants {
            known.set(&plugin, grant.clone()).unwrap();
            let again = Grants::load_with(&file, Unsynced::shared()).unwrap();
            prop_assert_eq!(again.get(&plugin), Some(grant));
            let now: Vec<(String, Grant)> = again.iter().filter(|(id, _)| *id != plugin).map(|(id, grant)| (id.to_owned(), grant.clone())).collect();
            prop_assert_eq!(&now, &others);
            let text = home.text("grants.toml");
            known.set(&plugin, grant.clone()).unwrap();
            prop_assert_eq!(home.text("grants.toml"), text);
        }
        let text = home.text("grants.toml");
        prop_assert!(text.starts_with(head.trim_end()), "{}", text);
        for (id, entry) in entries {
            if *id != plugin {
                prop_assert!(text.contains(entry.trim_end()), "{} lost in {}", entry, text);
            } else {
                let note = format!("# note {id}\n");
                prop_assert!(text.contains(&note), "{}", text);
            }
        }
        known.forget(&plugin).unwrap();
        prop_assert_eq!(known.get(&plugin), None);
        prop_assert!(home.text("grants.toml").starts_with(head.trim_end()));
    }
}
