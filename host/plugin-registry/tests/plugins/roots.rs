//! Folders that may be granted and folders that may not.

use acreta_plugin_registry::{RootReason, SignaturePolicy, check_roots};
use acreta_types::AdapterRoot;

use crate::support::{PluginHome, id, judged};

fn judge(home: &PluginHome, plugin: &str, candidate: &str) -> Option<RootReason> {
    let root = AdapterRoot {
        name: "mine".to_owned(),
        candidates: vec!["~/.mine".to_owned(), candidate.to_owned()],
        patterns: Vec::new(),
        reason: "x".to_owned(),
    };
    let refused = judged(&home.root, &SignaturePolicy::default(), |rules| {
        check_roots(&id(plugin), &[root], &rules.neighbours)
    });
    refused.err().map(|refused| {
        assert_eq!(refused.candidate, candidate);
        assert!(!refused.hint().is_empty());
        refused.reason
    })
}

fn agent(plugin: &str, agent: &str) -> RootReason {
    RootReason::Agent {
        agent: agent.to_owned(),
        plugin: plugin.to_owned(),
    }
}

#[test]
fn only_folders_of_an_agent_of_its_own_are_given() {
    let home = PluginHome::new();
    for candidate in [
        "~/.mine/sessions",
        "~/.claude-mine",
        "~/.config/mine",
        "<config>/Mine/User",
        "<data>/mine",
        "$MINE_DIR",
        "$MINE_DIR/sessions",
        "$HOME/.mine",
        "~/.mine/über sessions",
    ] {
        assert_eq!(judge(&home, "adapter-mine", candidate), None, "{candidate}");
    }
    let claude = || agent("adapter-claude", "claude");
    let codex = || agent("adapter-codex", "codex");
    let cursor = || agent("adapter-cursor", "cursor");
    for (candidate, reason) in [
        ("/", RootReason::Disk),
        ("//", RootReason::Disk),
        ("~", RootReason::Home),
        ("~/", RootReason::Home),
        ("$HOME", RootReason::Home),
        ("$HOME//", RootReason::Home),
        ("$USERPROFILE", RootReason::Home),
        ("~/..", RootReason::Upward),
        ("~/.mine/../.claude", RootReason::Upward),
        ("../x", RootReason::Upward),
        ("$MINE_DIR/./x", RootReason::Upward),
        ("/etc", RootReason::Absolute),
        ("/home/me/.mine", RootReason::Absolute),
        ("C:\\Users", RootReason::Absolute),
        ("\\\\server\\share", RootReason::Absolute),
        ("", RootReason::Malformed),
        (".mine", RootReason::Malformed),
        ("~root/.mine", RootReason::Malformed),
        ("$", RootReason::Malformed),
        ("$MINE-DIR/x", RootReason::Malformed),
        ("~/.mine\u{202e}", RootReason::Malformed),
        ("~/.mine\n", RootReason::Malformed),
        ("<config>", RootReason::Shared),
        ("<data>/", RootReason::Shared),
        ("~/.config", RootReason::Shared),
        ("~/Library/Application Support", RootReason::Shared),
        ("~/Documents", RootReason::Shared),
        ("$XDG_CONFIG_HOME", RootReason::Shared),
        ("$TMPDIR/x", RootReason::Shared),
        ("~/.ssh", RootReason::Keys),
        ("~/.SSH/keys", RootReason::Keys),
        ("~/.acreta", RootReason::Own),
        ("~/.acreta/archive", RootReason::Own),
        ("$ACRETA_HOME", RootReason::Own),
        ("~/own", RootReason::Own),
        ("~/own/plugins", RootReason::Own),
        ("~/.claude", claude()),
        ("~/.claude/projects", claude()),
        ("~/.claude/projects/x", claude()),
        ("~/.Claude//projects", claude()),
        ("$HOME/.claude", claude()),
        ("$CLAUDE_CONFIG_DIR", claude()),
        ("$CLAUDE_CONFIG_DIR/projects", claude()),
        ("$CODEX_HOME/sessions", codex()),
        ("~/.codex/sessions", codex()),
        ("<config>/Cursor", cursor()),
        ("~/.config/Cursor/User/x", cursor()),
        ("~/Library/Application Support/Cursor", cursor()),
        ("~/AppData/Roaming/Cursor/User", cursor()),
        ("$XDG_CONFIG_HOME/cursor", cursor()),
    ] {
        assert_eq!(
            judge(&home, "adapter-mine", candidate),
            Some(reason),
            "{candidate}"
        );
    }
}

#[test]
fn an_agents_own_adapter_has_its_folder() {
    let home = PluginHome::new();
    assert_eq!(judge(&home, "adapter-claude", "~/.claude/projects"), None);
    assert_eq!(
        judge(&home, "adapter-claude", "~/.codex"),
        Some(agent("adapter-codex", "codex"))
    );
}

#[cfg(unix)]
#[test]
fn a_link_or_a_variable_is_judged_by_where_it_leads() {
    let cases = [
        (".claude/projects", Some(agent("adapter-claude", "claude"))),
        (".claude", Some(agent("adapter-claude", "claude"))),
        ("own/archive", Some(RootReason::Own)),
        (".ssh", Some(RootReason::Keys)),
        (".config", Some(RootReason::Shared)),
        (".", Some(RootReason::Home)),
        ("..", Some(RootReason::Home)),
        ("mine-sessions", None),
    ];
    for (target, reason) in cases {
        let home = PluginHome::new();
        let target = home.root.join(target);
        std::fs::create_dir_all(&target).unwrap();
        std::os::unix::fs::symlink(&target, home.root.join("mine-link")).unwrap();
        assert_eq!(
            judge(&home, "adapter-mine", "$MINE_HOME"),
            reason,
            "{target}"
        );
        assert_eq!(
            judge(&home, "adapter-mine", "~/mine-link"),
            reason,
            "{target}"
        );
    }
    // A folder that does not exist yet, below a link.
    let home = PluginHome::new();
    std::fs::create_dir_all(home.root.join(".claude")).unwrap();
    std::os::unix::fs::symlink(home.root.join(".claude"), home.root.join("mine-link")).unwrap();
    let reason = judge(&home, "adapter-mine", "$MINE_HOME/projects");
    assert_eq!(reason, Some(agent("adapter-claude", "claude")));
}
