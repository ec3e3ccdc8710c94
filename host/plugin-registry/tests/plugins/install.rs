//! Install, update, grant and remove, as a person does it.

use acreta_plugin_registry::{
    Consent, Digest, Refused, SignaturePolicy, ToChanges, ToWishes, granted_roots, missing, require,
};

use crate::support::{NOW, PluginHome, YES, component, id, manifest};

const LATER: Consent = Consent {
    changes: ToChanges::Unconfirmed,
    wishes: ToWishes::Later,
};

fn any() -> SignaturePolicy {
    SignaturePolicy::default()
}

#[test]
fn a_plan_shows_everything_before_anything_is_written() {
    let home = PluginHome::new();
    let rest = r#"
[limits.memory_bytes]
value = 536870912
reason = "Mine keeps a session in one large file"
[limits.handles]
value = 10
reason = "It opens few files"
"#;
    let text = manifest("");
    let source = home.tree("tree", &format!("{text}{rest}"), &component("adapter", ""));
    let plan = home.plan(source.as_str()).unwrap();
    let shown = plan.to_string();
    for line in [
        "adapter-mine 1.2.0, adapter: Reads sessions of Mine",
        "not signed",
        "It asks to read ~/.mine/sessions (mine)\n    because: Mine writes a file for each session here",
        "It asks to use 536870912 of `memory_bytes`\n    because: Mine keeps a session in one large file",
    ] {
        assert!(shown.contains(line), "{line} in {shown}");
    }
    assert!(
        !shown.contains("handles"),
        "less than its role has is no wish: {shown}"
    );
    assert!(!home.root.join("own").exists());
}

#[test]
fn an_installed_plugin_is_a_folder_a_lock_entry_and_a_grant() {
    let home = PluginHome::new();
    let made = component("adapter", "");
    let source = home.tree("tree", &manifest(""), &made);
    home.install(source.as_str());

    let digest = Digest::of(&made);
    let installed = home.text("own/plugins/adapter-mine/plugin.toml");
    assert!(
        installed.starts_with("# An adapter for tests.\n"),
        "{installed}"
    );
    assert!(
        installed.contains("component = \"component.wasm\" # beside this file"),
        "{installed}"
    );
    assert!(
        installed.contains(&format!("digest = \"{digest}\"")),
        "{installed}"
    );
    let expected = format!(
        r#"# What is installed, exactly; kept by `acreta plugin`.

[[plugin]]
id = "adapter-mine"
version = "1.2.0"
role = "adapter"
sha256 = "{}"
source = "{source}"
wit = "0.1.0"

[plugin.asked]
reads = {{ mine = ["~/.mine/sessions"] }}

[plugin.granted]
reads = {{ mine = ["~/.mine/sessions"] }}
"#,
        digest.hex()
    );
    assert_eq!(home.text("own/acreta.lock"), expected);
    let expected = r#"# What plugins may do; kept by `acreta connect` and `acreta plugin grant`.
# Edit it as you like: what a plugin is given may be less than what it asked for.

[adapter-mine]
granted = true
when = "2025-11-15T09:46:40Z"
reads = { mine = ["~/.mine/sessions"] }

[adapter-mine.asked]
reads = { mine = ["~/.mine/sessions"] }
"#;
    assert_eq!(home.text("own/grants.toml"), expected);

    let library = home.library();
    let loaded = library.load(&id("adapter-mine"), &any()).unwrap();
    require(&loaded.manifest, &library.grants().unwrap()).unwrap();
    assert_eq!(library.all(&any()).unwrap().len(), 1);
    // An installed plugin is itself a valid source.
    let again = home
        .plan(home.root.join("own/plugins/adapter-mine").as_str())
        .unwrap();
    assert_eq!((again.digest, again.missing.len()), (digest, 0));
}

#[test]
fn a_plugin_is_refused_until_granted_and_says_how() {
    let home = PluginHome::new();
    let source = home.tree("tree", &manifest(""), &component("adapter", ""));
    let plan = home.plan(source.as_str()).unwrap();
    home.library().install(plan, LATER, NOW).unwrap();
    let (library, mine) = (home.library(), id("adapter-mine"));
    let manifest = library.load(&mine, &any()).unwrap().manifest;

    let refused = require(&manifest, &library.grants().unwrap()).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("not granted to read ~/.mine/sessions"),
        "{refused}"
    );
    assert!(
        refused
            .hint()
            .contains("`acreta plugin grant adapter-mine`")
    );
    assert_eq!(
        missing(&manifest, &library.grants().unwrap())[0].command,
        "acreta plugin grant adapter-mine"
    );
    assert_eq!(granted_roots(&manifest, &library.grants().unwrap()), []);

    library.grant(&mine, &[], &any(), NOW).unwrap();
    require(&manifest, &library.grants().unwrap()).unwrap();
    assert_eq!(
        granted_roots(&manifest, &library.grants().unwrap()),
        manifest.roots
    );
    assert_eq!(
        library.lock().unwrap().plugins[&mine].granted,
        manifest.asks()
    );

    library.revoke(&mine).unwrap();
    let refused = require(&manifest, &library.grants().unwrap()).unwrap_err();
    assert_eq!(refused.missing.len(), 1);
    assert!(library.lock().unwrap().plugins[&mine].granted.is_empty());
}

#[test]
fn a_plugin_that_asks_for_nothing_runs_until_it_is_revoked() {
    let home = PluginHome::new();
    let text = manifest("")
        .split("[[roots]]")
        .next()
        .unwrap()
        .replace("\"adapter\"", "\"extractor\"");
    let source = home.tree("tree", &text, &component("extractor", ""));
    let plan = home.plan(source.as_str()).unwrap();
    assert!(
        plan.to_string()
            .contains("It asks for nothing beyond its role.")
    );
    home.library().install(plan, LATER, NOW).unwrap();
    let (library, mine) = (home.library(), id("adapter-mine"));
    let manifest = library.load(&mine, &any()).unwrap().manifest;
    require(&manifest, &library.grants().unwrap()).unwrap();
    library.revoke(&mine).unwrap();
    let refused = require(&manifest, &library.grants().unwrap()).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("is not granted anything any more"),
        "{refused}"
    );
}

#[test]
fn an_update_that_asks_for_no_more_is_not_asked_about_grants() {
    let home = PluginHome::new();
    let source = home.tree("tree", &manifest(""), &component("adapter", "1"));
    home.install(source.as_str());
    let newer = manifest("").replace("1.2.0", "1.3.0");
    home.tree("tree", &newer, &component("adapter", "2"));
    let plan = home.plan(source.as_str()).unwrap();
    assert_eq!(plan.missing, []);
    assert_eq!(plan.changes.len(), 1, "{plan}");
    let consent = Consent {
        changes: ToChanges::Confirmed,
        wishes: ToWishes::Later,
    };
    home.library().install(plan, consent, NOW).unwrap();
    let library = home.library();
    let loaded = library.load(&id("adapter-mine"), &any()).unwrap();
    assert_eq!(loaded.manifest.version.to_string(), "1.3.0");
    require(&loaded.manifest, &library.grants().unwrap()).unwrap();
    assert!(
        !library.lock().unwrap().plugins[&id("adapter-mine")]
            .granted
            .is_empty()
    );
}

#[test]
fn what_lies_on_disk_counts_only_as_it_was_confirmed() {
    type Spoil = fn(&PluginHome);
    let cases: [(&str, Spoil, &str); 6] = [
        (
            "component",
            |home| {
                home.write(
                    "own/plugins/adapter-mine/component.wasm",
                    component("adapter", "evil"),
                );
            },
            "changed since it was confirmed",
        ),
        (
            "manifest asks for more",
            |home| {
                let text = home.text("own/plugins/adapter-mine/plugin.toml");
                let text = text.replace(
                    r#"["~/.mine/sessions"]"#,
                    r#"["~/.mine/sessions", "~/.mine"]"#,
                );
                home.write("own/plugins/adapter-mine/plugin.toml", text);
            },
            "asks for more than was confirmed: to read",
        ),
        (
            "manifest of another version",
            |home| {
                let text = home
                    .text("own/plugins/adapter-mine/plugin.toml")
                    .replace("1.2.0", "9.9.9");
                home.write("own/plugins/adapter-mine/plugin.toml", text);
            },
            "another version or role than the lock",
        ),
        (
            "manifest of another plugin",
            |home| {
                let text = home
                    .text("own/plugins/adapter-mine/plugin.toml")
                    .replace("adapter-mine", "adapter-other");
                home.write("own/plugins/adapter-mine/plugin.toml", text);
            },
            "another version or role than the lock",
        ),
        (
            "lock without it",
            |home| {
                home.write("own/acreta.lock", "");
            },
            "is not in the lock",
        ),
        (
            "broken lock",
            |home| {
                home.write("own/acreta.lock", "[[plugin]]\nid = 7\n");
            },
            "own/acreta.lock:2: `plugin[0].id` takes a text, not that number",
        ),
    ];
    for (name, spoil, says) in cases {
        let home = PluginHome::new();
        let source = home.tree("tree", &manifest(""), &component("adapter", ""));
        home.install(source.as_str());
        spoil(&home);
        let refused = home
            .library()
            .load(&id("adapter-mine"), &any())
            .expect_err(name);
        assert!(refused.to_string().contains(says), "{name}: {refused}");
        assert!(refused.hint().is_some());
        let all = home.library().all(&any()).unwrap();
        assert!(all[0].state.is_err(), "{name}");
    }
}

#[test]
fn removing_takes_folder_lock_entry_and_grant_away_and_nothing_else() {
    let home = PluginHome::new();
    home.write(
        "own/grants.toml",
        "# mine\n\n[adapter-claude]\ngranted = false # never\n",
    );
    let source = home.tree("tree", &manifest(""), &component("adapter", ""));
    home.install(source.as_str());
    let other = manifest("")
        .replace("adapter-mine", "adapter-other")
        .replace(".mine/", ".other/");
    home.install(
        home.tree("other", &other, &component("adapter", "o"))
            .as_str(),
    );
    home.write("own/plugins/adapter-mine/notes/mine.txt", "a person's own");

    let library = home.library();
    library.remove(&id("adapter-mine")).unwrap();
    assert!(!home.root.join("own/plugins/adapter-mine").exists());
    let ids: Vec<String> = library
        .lock()
        .unwrap()
        .plugins
        .keys()
        .map(ToString::to_string)
        .collect();
    assert_eq!(ids, ["adapter-other"]);
    let grants = home.text("own/grants.toml");
    assert!(
        grants.starts_with("# mine\n\n[adapter-claude]\ngranted = false # never\n"),
        "{grants}"
    );
    assert!(
        !grants.contains("adapter-mine") && grants.contains("[adapter-other]"),
        "{grants}"
    );
    let refused = library.remove(&id("adapter-mine")).unwrap_err();
    assert!(matches!(refused, Refused::NotInstalled { .. }));
    assert!(library.load(&id("adapter-other"), &any()).is_ok());
}

#[test]
fn an_installed_name_is_not_taken_over_by_another_role() {
    let home = PluginHome::new();
    home.install(
        home.tree("tree", &manifest(""), &component("adapter", ""))
            .as_str(),
    );
    let text = manifest("")
        .split("[[roots]]")
        .next()
        .unwrap()
        .replace("\"adapter\"", "\"explorer\"");
    let other = home.tree("other", &text, &component("explorer", ""));
    let refused = home.plan(other.as_str()).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("is taken: it is installed as adapter"),
        "{refused}"
    );
    assert!(
        refused
            .hint()
            .unwrap()
            .contains("acreta plugin remove adapter-mine")
    );
}

#[test]
fn a_plan_that_somebody_overtook_is_not_carried_out() {
    let home = PluginHome::new();
    let source = home.tree("tree", &manifest(""), &component("adapter", "1"));
    let (first, second) = (
        home.plan(source.as_str()).unwrap(),
        home.plan(source.as_str()).unwrap(),
    );
    home.library().install(first, YES, NOW).unwrap();
    let refused = home.library().install(second, YES, NOW).unwrap_err();
    assert!(matches!(refused, Refused::Meanwhile { .. }), "{refused}");
}
