//! Session folders of agents: candidates on three platforms, and rejected roots.

use std::collections::BTreeMap;

use acreta_session_archive::{FoundRoot, Places, Platform, RootError, expand, find_root};
use acreta_types::AdapterRoot;
use camino::Utf8PathBuf;

use crate::support::TestTree;

fn places(platform: Platform, home: &str, variables: &[(&str, &str)]) -> Places {
    let variables = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    Places::new(platform, home.into(), variables.collect())
}

#[test]
fn every_platform_has_its_own_folders() {
    type Variables = &'static [(&'static str, &'static str)];
    let cases: &[(Platform, &str, Variables, &str, &str)] = &[
        (
            Platform::Linux,
            "/home/ann",
            &[],
            "/home/ann/.config",
            "/home/ann/.local/share",
        ),
        (
            Platform::Linux,
            "/home/ann",
            &[("XDG_CONFIG_HOME", "/etc/ann"), ("XDG_DATA_HOME", "/data")],
            "/etc/ann",
            "/data",
        ),
        // By the specification, a value that is not absolute is ignored.
        (
            Platform::Linux,
            "/home/ann",
            &[("XDG_CONFIG_HOME", "conf"), ("XDG_DATA_HOME", "")],
            "/home/ann/.config",
            "/home/ann/.local/share",
        ),
        (
            Platform::MacOs,
            "/Users/ann",
            &[("XDG_CONFIG_HOME", "/etc/ann")],
            "/Users/ann/Library/Application Support",
            "/Users/ann/Library/Application Support",
        ),
        (
            Platform::Windows,
            r"C:\Users\ann",
            &[
                ("APPDATA", r"D:\roaming"),
                ("LOCALAPPDATA", r"\\host\local"),
            ],
            r"D:\roaming",
            r"\\host\local",
        ),
        (
            Platform::Windows,
            r"C:\Users\ann",
            &[("APPDATA", r"\roaming"), ("LOCALAPPDATA", "C:local")],
            r"C:\Users\ann\AppData\Roaming",
            r"C:\Users\ann\AppData\Local",
        ),
    ];
    for (platform, home, variables, config, data) in cases {
        let places = places(*platform, home, variables);
        assert_eq!(places.config, *config, "{platform:?}");
        assert_eq!(places.data, *data, "{platform:?}");
    }
}

#[test]
fn candidates_become_paths() {
    let variables = [
        ("AGENT_HOME", "/opt/agent/"),
        ("ROOT", "/"),
        ("EMPTY", ""),
        ("RELATIVE", "agent"),
        ("HOMELY", "~/agent"),
    ];
    let linux = places(Platform::Linux, "/home/ann", &variables);
    let mac = places(Platform::MacOs, "/Users/ann", &variables);
    let windows = places(
        Platform::Windows,
        r"C:\Users\ann",
        &[("AGENT_HOME", r"D:\agent\"), ("UNIX", "/opt/agent")],
    );
    let nowhere = places(Platform::Linux, "", &[]);
    let cases: &[(&Places, &str, Option<&str>)] = &[
        (
            &linux,
            "~/.claude/projects",
            Some("/home/ann/.claude/projects"),
        ),
        (&linux, "~", Some("/home/ann")),
        (&linux, "~//.claude/", Some("/home/ann/.claude")),
        (&linux, "<config>/Cursor", Some("/home/ann/.config/Cursor")),
        (
            &linux,
            "<data>/opencode",
            Some("/home/ann/.local/share/opencode"),
        ),
        (&linux, "$AGENT_HOME/sessions", Some("/opt/agent/sessions")),
        (&linux, "$AGENT_HOME", Some("/opt/agent/")),
        (&linux, "$ROOT/x", Some("/x")),
        (&linux, "$UNSET/sessions", None),
        (&linux, "$EMPTY/sessions", None),
        (&linux, "$RELATIVE/sessions", None),
        (&linux, "$HOMELY/sessions", None),
        (&linux, "$/sessions", None),
        (&linux, "", None),
        (&linux, "/etc", None),
        (&linux, "etc", None),
        (&linux, "~bob/x", None),
        (&linux, "<cache>/x", None),
        (&linux, "~/../bob", None),
        (&linux, "~/a/./b", None),
        (&linux, "~/a\0b", None),
        (&linux, r"~/a\b", Some(r"/home/ann/a\b")),
        (&nowhere, "~/.claude", None),
        (
            &mac,
            "<config>/Code/User",
            Some("/Users/ann/Library/Application Support/Code/User"),
        ),
        (
            &windows,
            "~/.codex/sessions",
            Some(r"C:\Users\ann\.codex\sessions"),
        ),
        (&windows, "<data>/x", Some(r"C:\Users\ann\AppData\Local\x")),
        (&windows, "$AGENT_HOME/a/b", Some(r"D:\agent\a\b")),
        (&windows, "$UNIX/a", None),
        (&windows, r"~/..\..\bob", None),
        (&windows, "~/a:stream", None),
    ];
    for (places, candidate, path) in cases {
        let expected = path.map(Utf8PathBuf::from);
        assert_eq!(expand(candidate, places), expected, "{candidate:?}");
    }
}

fn wanted(candidates: &[&str]) -> AdapterRoot {
    AdapterRoot {
        name: "agent".to_owned(),
        candidates: candidates.iter().map(|text| (*text).to_owned()).collect(),
        patterns: vec!["**/*.jsonl".to_owned()],
        reason: String::new(),
    }
}

/// Creates a home folder with acreta's own folder in it.
fn home(tree: &TestTree, variables: &[(&str, &str)]) -> (Places, Utf8PathBuf) {
    let own = tree.folder("users/ann/.acreta");
    let variables: BTreeMap<String, String> = variables
        .iter()
        .map(|(name, path)| ((*name).to_owned(), tree.path(path).to_string()))
        .collect();
    let home = tree.path("users/ann");
    (Places::new(Platform::Linux, home, variables), own)
}

#[test]
fn the_first_candidate_that_exists_is_the_root() {
    let tree = TestTree::new();
    let (places, own) = home(&tree, &[("AGENT_HOME", "opt/missing")]);
    tree.folder("users/ann/.agent/sessions");
    tree.folder("users/ann/.config/agent/sessions");
    let candidates = [
        "$AGENT_HOME/sessions",
        "$UNSET/sessions",
        "~/.agent/sessions",
        "<config>/agent/sessions",
    ];
    let found = find_root(&wanted(&candidates), &places, &own).unwrap();
    assert_eq!(
        found.unwrap(),
        FoundRoot {
            name: "agent".to_owned(),
            path: tree.path("users/ann/.agent/sessions"),
            patterns: vec!["**/*.jsonl".to_owned()],
        }
    );
    assert_eq!(
        find_root(&wanted(&candidates[..2]), &places, &own).unwrap(),
        None
    );
}

#[test]
fn a_candidate_that_is_a_file_is_the_only_file_of_its_folder() {
    let tree = TestTree::new();
    let (places, own) = home(&tree, &[("AGENT_DB", "data/my [old] agent.db")]);
    tree.write("data/my [old] agent.db", "x");
    tree.write("data/my o agent.db", "x");
    let found = find_root(&wanted(&["$AGENT_DB"]), &places, &own)
        .unwrap()
        .unwrap();
    assert_eq!(found.path, tree.path("data"));
    let (files, problems) =
        acreta_session_archive::discover(&found.path, &found.patterns, Default::default());
    assert!(problems.is_empty(), "{problems:?}");
    let names: Vec<_> = files.iter().map(|file| file.relative.as_str()).collect();
    assert_eq!(names, ["my [old] agent.db"]);
}

#[cfg(unix)]
#[test]
fn a_root_may_be_behind_a_link() {
    let tree = TestTree::new();
    let (places, own) = home(&tree, &[]);
    let real = tree.folder("disk/agent");
    std::os::unix::fs::symlink(&real, tree.path("users/ann/.agent")).unwrap();
    std::os::unix::fs::symlink(tree.path("nothing"), tree.path("users/ann/.broken")).unwrap();
    let found = find_root(&wanted(&["~/.broken", "~/.agent"]), &places, &own);
    assert_eq!(found.unwrap().unwrap().path, real);
}

#[test]
fn what_holds_more_than_an_agents_files_is_refused() {
    let tree = TestTree::new();
    let variables = [
        ("TOP", ""),
        ("USERS", "users"),
        ("HOME_FILE", "users/ann/agent.db"),
        ("OWN", "users/ann/.acreta"),
    ];
    let (mut places, own) = home(&tree, &variables);
    places.variables.insert("DISK".to_owned(), "/".to_owned());
    tree.write("users/ann/agent.db", "x");
    tree.folder("users/ann/.acreta/archive");
    let mut cases = vec![
        ("$DISK", "is the whole disk"),
        ("~", "is the home folder"),
        ("$HOME_FILE", "is the home folder"),
        ("$USERS", "contains the home folder"),
        ("$TOP", "contains the home folder"),
        ("$OWN", "contains acreta's own files"),
        ("~/.acreta/archive", "contains acreta's own files"),
    ];
    if cfg!(unix) {
        #[cfg(unix)]
        std::os::unix::fs::symlink(tree.path("users"), tree.path("users/ann/innocent")).unwrap();
        cases.push(("~/innocent", "contains the home folder"));
    }
    for (candidate, expected) in cases {
        let error = find_root(&wanted(&[candidate]), &places, &own).unwrap_err();
        let RootError::Refused { reason, .. } = &error else {
            panic!("{candidate}: {error:?}");
        };
        assert_eq!(*reason, expected, "{candidate}");
        assert!(
            error.to_string().starts_with("root `agent` is refused: `/"),
            "{error}"
        );
    }
}
