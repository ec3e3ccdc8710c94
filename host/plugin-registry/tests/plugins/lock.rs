//! Locks: the same plugins give the same bytes, and unknown content is rejected.

use std::collections::BTreeMap;

use acreta_plugin_registry::{Digest, Lock, Locked, OciVersion, PluginId, Source};
use acreta_types::Role;
use camino::Utf8Path;
use proptest::prelude::*;

use crate::grants::capabilities;
use crate::support::id;

fn parse(text: &str) -> Result<Lock, String> {
    Lock::parse(Utf8Path::new("acreta.lock"), text).map_err(|error| error.to_string())
}

#[test]
fn a_lock_that_says_something_else_is_an_error_with_its_place() {
    let entry = format!(
        "[[plugin]]\nid = \"mine\"\nversion = \"1.0.0\"\nrole = \"adapter\"\nsha256 = \"{}\"\nsource = \"/x\"\nwit = \"0.1.0\"\n",
        Digest::of(b"").hex()
    );
    assert_eq!(parse(&entry).unwrap().plugins.len(), 1);
    assert_eq!(parse("").unwrap(), Lock::default());
    for (text, says) in [
        (
            format!("{entry}{entry}"),
            "acreta.lock:9: `plugin[1].id`: it is locked twice",
        ),
        (
            entry.replace("1.0.0", "one"),
            "acreta.lock:3: `plugin[0].version`",
        ),
        (entry.replace("adapter", "boss"), "unknown role `boss`"),
        (
            entry.replace("sha256 = \"", "sha256 = \"0"),
            "is not a digest",
        ),
        (entry.replace("/x", "ftp://x"), "is not of a known kind"),
        (
            entry.replace("wit =", "wut ="),
            "acreta.lock:7: unknown key `plugin[0].wut`",
        ),
        (entry.replace("mine", "../x"), "is not a valid plugin id"),
        (
            format!("version = 1\n{entry}"),
            "acreta.lock:1: unknown key `version`",
        ),
        (
            "plugin = 1".to_owned(),
            "`plugin` takes a list of tables, not that number",
        ),
    ] {
        let error = parse(&text).expect_err(says);
        assert!(error.contains(says), "{says}: {error}");
    }
}

fn source() -> impl Strategy<Value = Source> {
    prop::sample::select(vec![
        "/srv/mine/mine.wasm",
        "/srv/with space/\"quoted\"",
        "https://plugins.example/mine.wasm",
        "oci://registry.example/team/mine:1.0",
    ])
    .prop_map(|text| Source::parse(text).unwrap())
}

fn locked() -> impl Strategy<Value = Locked> {
    let digest = any::<[u8; 8]>().prop_map(|bytes| Digest::of(&bytes));
    let key = prop::option::of("RW[A-Za-z0-9+/]{10}");
    let role = prop::sample::select(Role::ALL.to_vec());
    let version = (0..9_u64, 0..9_u64, prop::bool::ANY).prop_map(|(major, minor, pre)| {
        let pre = if pre { "-rc.1+x" } else { "" };
        format!("{major}.{minor}.0{pre}").parse().unwrap()
    });
    (
        version,
        role,
        digest,
        source(),
        any::<[u8; 4]>(),
        key,
        capabilities(),
        capabilities(),
    )
        .prop_map(
            |(version, role, digest, source, seed, signed_by, asked, granted)| Locked {
                version,
                role,
                digest,
                resolved:
                    matches!(&source, Source::Oci(oci) if matches!(oci.version, OciVersion::Tag(_)))
                        .then(|| Digest::of(&seed)),
                source,
                wit: "0.1.0".to_owned(),
                signed_by,
                asked,
                granted,
            },
        )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn a_lock_is_read_as_it_was_written_in_any_order(
        entries in prop::collection::vec(("[a-z]{2,8}".prop_filter_map("free", |text| PluginId::new(&text).ok()), locked()), 0..4),
    ) {
        let lock = Lock { plugins: entries.iter().cloned().collect::<BTreeMap<_, _>>() };
        let text = lock.to_text();
        prop_assert_eq!(&parse(&text).unwrap(), &lock);
        prop_assert_eq!(&parse(&text).unwrap().to_text(), &text);
        // The order of insertion makes no difference.
        let mut rebuilt = Lock::default();
        for (id, locked) in lock.plugins.iter().rev() {
            rebuilt.plugins.insert(id.clone(), locked.clone());
        }
        prop_assert_eq!(rebuilt.to_text(), text);
    }
}

#[test]
fn a_project_locks_what_it_uses() {
    let entry = |name: &str| {
        format!(
            "[[plugin]]\nid = \"{name}\"\nversion = \"1.0.0\"\nrole = \"adapter\"\nsha256 = \"{}\"\nsource = \"/x\"\nwit = \"0.1.0\"\n",
            Digest::of(name.as_bytes()).hex()
        )
    };
    let lock = parse(&format!("{}{}", entry("one"), entry("two"))).unwrap();
    let home = crate::support::PluginHome::new();
    let file = home.root.join("repo/acreta.lock");
    lock.only(&[id("two")]).write(&file).unwrap();
    let project = Lock::load(&file).unwrap();
    assert_eq!(
        project
            .plugins
            .keys()
            .map(PluginId::as_str)
            .collect::<Vec<_>>(),
        ["two"]
    );
    assert_eq!(project.plugins[&id("two")], lock.plugins[&id("two")]);
}
