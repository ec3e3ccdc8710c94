//! The life of an installed plugin: hostile updates, revoked components, and the way back.

use acreta_plugin_registry::{
    Change, Consent, Digest, Index, Refused, Revocations, Revoked, SignaturePolicy, ToChanges,
    ToWishes,
};
use camino::Utf8Path;

use crate::embedded::built;
use crate::registry::{push, reference};
use crate::server::FileServer;
use crate::signatures::signer;
use crate::support::{NOW, PluginHome, UNASKED, YES, component, id, judged, manifest};

/// Consent of a person who read the changes, and grants nothing.
const READ: Consent = Consent {
    changes: ToChanges::Confirmed,
    wishes: ToWishes::Later,
};

fn file(home: &PluginHome, version: &str, more: &str, mark: &str) -> (String, Vec<u8>) {
    let text = manifest(more).replace("1.2.0", version);
    let made = built(&component("adapter", mark), &text);
    (home.write("mine.wasm", &made).into_string(), made)
}

#[test]
fn hostile_updates_are_not_installed_unseen() {
    let more = "[llm]\npurposes = [\"extract\"]\ncalls = 1\ntokens = 1\nreason = \"Because\"\n";
    let limits = "[limits.memory_bytes]\nvalue = 900000000\nreason = \"Big\"\n";
    let root = manifest("").replace("~/.mine/sessions", "~/.mine");
    type Expected = fn(&Change) -> bool;
    let cases: [(&str, String, &str, Expected); 5] = [
        (
            "newer",
            manifest("").replace("1.2.0", "1.3.0"),
            "b",
            |change| matches!(change, Change::Component { .. }),
        ),
        ("other digest", manifest(""), "b", |change| {
            matches!(change, Change::SameVersion { .. })
        }),
        (
            "older",
            manifest("").replace("1.2.0", "1.1.0"),
            "b",
            |change| matches!(change, Change::Older { .. }),
        ),
        (
            "more limits",
            manifest(limits).replace("1.2.0", "1.3.0"),
            "b",
            |change| matches!(change, Change::Grown(_)),
        ),
        (
            "more folders",
            root.replace("1.2.0", "1.3.0"),
            "b",
            |change| matches!(change, Change::Grown(_)),
        ),
    ];
    for (name, text, mark, expected) in cases {
        let home = PluginHome::new();
        let (source, before) = file(&home, "1.2.0", "", "a");
        let plan = home.plan(&source).unwrap();
        home.library().install(plan, YES, NOW).unwrap();
        home.write("mine.wasm", built(&component("adapter", mark), &text));
        let plan = home.plan(&source).unwrap();
        assert!(plan.changes.iter().any(expected), "{name}: {plan}");
        let is_routine = plan.changes.iter().all(Change::is_routine);
        assert_eq!(is_routine, name == "newer", "{name}: {plan}");
        let refused = home.library().install(plan, UNASKED, NOW).unwrap_err();
        assert!(matches!(refused, Refused::Unconfirmed { .. }), "{name}");
        // Nothing of it was installed, and a person who agrees to the update has granted nothing.
        let load = || {
            home.library()
                .load(&id("adapter-mine"), &SignaturePolicy::default())
        };
        assert_eq!(load().unwrap().component, before, "{name}");
        let grants = home.text("own/grants.toml");
        let plan = home.plan(&source).unwrap();
        home.library().install(plan, READ, NOW).unwrap();
        assert_ne!(load().unwrap().component, before, "{name}");
        assert_eq!(home.text("own/grants.toml"), grants, "{name}");
    }
    // An adapter gets no model at all.
    let home = PluginHome::new();
    let text = manifest(more);
    let made = home.tree("tree", &text, &component("adapter", ""));
    assert!(home.plan(made.as_str()).is_err());
}

#[test]
fn a_replaced_tag_and_a_lost_signature_are_seen() {
    let (home, server) = (PluginHome::new(), FileServer::new());
    let source = reference(&server, "mine:1.2.0");
    push(
        &server,
        "mine",
        "1.2.0",
        &manifest(""),
        &component("adapter", "a"),
    );
    home.install(&source);
    push(
        &server,
        "mine",
        "1.2.0",
        &manifest(""),
        &component("adapter", "b"),
    );
    let plan = home.plan(&source).unwrap();
    let moved = |change: &Change| matches!(change, Change::MovedTag { .. });
    assert!(plan.changes.iter().any(moved), "{plan}");
    assert!(!plan.changes.iter().all(Change::is_routine), "{plan}");

    let home = PluginHome::new();
    let (key, sign) = signer();
    let trusting = SignaturePolicy::new(Default::default(), &[key]).unwrap();
    let (source, made) = file(&home, "1.2.0", "", "a");
    home.write("mine.wasm.minisig", sign(&made));
    let plan = home.plan_signed(&source, &trusting).unwrap();
    assert_eq!(plan.signature_state().name(), "verified");
    home.library().install(plan, YES, NOW).unwrap();
    // The signature of the old version beside the new one is refused; none at all is a change.
    let (source, _) = file(&home, "1.3.0", "", "b");
    let refused = home.plan_signed(&source, &trusting).unwrap_err();
    assert!(matches!(refused, Refused::Signature { .. }), "{refused}");
    #[expect(clippy::disallowed_methods, reason = "a test takes a file away")]
    std::fs::remove_file(home.root.join("mine.wasm.minisig")).unwrap();
    let plan = home.plan_signed(&source, &trusting).unwrap();
    let lost = |change: &Change| matches!(change, Change::Signer { new: None, .. });
    assert!(plan.changes.iter().any(lost), "{plan}");
    assert_eq!(plan.signature_state().name(), "not-signed");
}

#[test]
fn the_version_before_is_kept_and_comes_back() {
    let home = PluginHome::new();
    let load = || {
        home.library()
            .load(&id("adapter-mine"), &SignaturePolicy::default())
    };
    let back = || {
        judged(&home.root, &SignaturePolicy::default(), |rules| {
            home.library().plan_rollback(&id("adapter-mine"), rules)
        })
    };
    assert!(matches!(back(), Err(Refused::NothingKept { .. })));
    let (source, first) = file(&home, "1.2.0", "", "a");
    home.install(&source);
    assert!(matches!(back(), Err(Refused::NothingKept { .. })));
    let locked = home.library().lock().unwrap();
    let (source, second) = file(&home, "1.3.0", "", "b");
    home.install(&source);
    // Installing the same again keeps nothing else.
    home.install(&source);
    assert_eq!(load().unwrap().component, second);
    home.library().install(back().unwrap(), READ, NOW).unwrap();
    assert_eq!(load().unwrap().component, first);
    assert_eq!(home.library().lock().unwrap(), locked, "as it was locked");
    // And forth again.
    home.library().install(back().unwrap(), READ, NOW).unwrap();
    assert_eq!(load().unwrap().component, second);
    // A kept component that was changed does not come back.
    home.write("own/plugins/adapter-mine/kept.wasm", &second);
    assert!(matches!(back(), Err(Refused::ChangedComponent { .. })));
}

#[test]
fn a_revoked_component_neither_runs_nor_comes_in() {
    let home = PluginHome::new();
    let load = || {
        home.library()
            .load(&id("adapter-mine"), &SignaturePolicy::default())
    };
    let (source, made) = file(&home, "1.2.0", "", "a");
    home.install(&source);
    let digest = Digest::of(&made);
    let revoked = Revoked {
        sha256: digest.hex(),
        plugin: None,
        reason: "it sends sessions away".to_owned(),
        from: None,
    };
    let change = |undo: bool| {
        let revoked = revoked.clone();
        home.library()
            .change_revocations(|list| match undo {
                true => list.remove(&digest),
                false => !list.add([revoked]).is_empty(),
            })
            .unwrap()
    };
    assert!(change(false));
    assert!(!change(false), "already");
    let refused = load().unwrap_err();
    assert_eq!(
        refused.to_string(),
        "`adapter-mine` was revoked: it sends sessions away"
    );
    assert!(matches!(home.plan(&source), Err(Refused::Revoked { .. })));
    let named = home.library().revoked().unwrap();
    assert_eq!(named[0].0, id("adapter-mine"));
    // The way back leads not to a revoked version either.
    let (source, _) = file(&home, "1.3.0", "", "b");
    home.install(&source);
    assert!(load().is_ok());
    let back = judged(&home.root, &SignaturePolicy::default(), |rules| {
        home.library().plan_rollback(&id("adapter-mine"), rules)
    });
    assert!(matches!(back, Err(Refused::Revoked { .. })));
    assert!(change(true));
    // A list that cannot be read revokes nothing silently: nothing runs.
    home.write("own/revoked.json", "{\"revoked\": [{\"sha256\": \"12\"}]}");
    assert!(load().is_err());
}

#[test]
fn an_index_is_read_as_it_is_documented() {
    let path = Utf8Path::new("docs/examples/plugin-index.json");
    let text = include_str!("../../../../docs/examples/plugin-index.json");
    let index = Index::parse(path, text).unwrap();
    let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
    let found = |text: &str| index.search(&words(text)).len();
    assert_eq!(found("ticket EXTRACTOR"), 1);
    assert_eq!(found("ticket adapter"), 0);
    assert_eq!(index.search(&[]).len(), index.plugins.len());
    let newest = index.newest("example-tickets").unwrap();
    assert_eq!(newest.version.to_string(), "0.2.0", "not the candidate");
    assert!(index.newest("nothing").is_none());
    assert_eq!(index.revocations.all().count(), 1);
    for (text, says) in [
        ("", "not an index"),
        ("{}", "missing field `plugins`"),
        (
            r#"{"plugins":[],"revoked":[{"sha256":"zz","reason":"x"}]}"#,
            "`zz` is not a digest",
        ),
        (r#"{"plugins":[],"revoked":[{"reason":"x"}]}"#, "sha256"),
    ] {
        let error = Index::parse(path, text).unwrap_err().to_string();
        assert!(error.contains(says), "{says}: {error}");
    }
    assert_eq!(
        Revocations::parse(path, "{}").unwrap(),
        Revocations::default()
    );
}
