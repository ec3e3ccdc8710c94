//! Tests of settings through their public interface: layers, warnings, trust, editing, folders.

use std::collections::BTreeSet;

use acreta_types::{Limits, Role};
use camino::{Utf8Path, Utf8PathBuf};

use crate::{
    Allowed, Builtin, Config, ConfigError, Environment, Home, KEYS, KeyEntry, Kind, Origin,
    Problem, SetBy, Sources, TrustStore, Value, Warning, set, set_in_project, variable_of,
};

struct ConfigFolder {
    _folder: tempfile::TempDir,
    root: Utf8PathBuf,
}

impl ConfigFolder {
    fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        Self {
            _folder: folder,
            root,
        }
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a test puts files where a person would"
    )]
    fn file(&self, name: &str, text: &str) -> Utf8PathBuf {
        let path = self.root.join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path
    }
}

fn environment(variables: &[(&str, &str)]) -> Environment {
    variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
        .collect()
}

fn texts(warnings: &[Warning], root: &Utf8Path) -> Vec<String> {
    warnings
        .iter()
        .map(|warning| warning.to_string().replace(&format!("{root}/"), ""))
        .collect()
}

fn load(sources: &Sources) -> (Config, Vec<Warning>) {
    Config::load(sources).unwrap()
}

#[test]
fn the_table_is_sorted_and_each_default_is_one() {
    assert!(KEYS.windows(2).all(|pair| pair[0].path < pair[1].path));
    let (config, warnings) = load(&Sources::default());
    assert_eq!(warnings, []);
    for entry in config.entries() {
        let key = KeyEntry::of(&entry.path).unwrap();
        assert_eq!(entry.origin, Origin::Builtin);
        let mut sources = Sources::default();
        let text = entry
            .value
            .as_text()
            .map_or_else(|| entry.value.to_string(), str::to_owned);
        sources.flags.push((entry.path.clone(), text));
        let (again, warnings) = load(&sources);
        assert_eq!(
            (again.get(key.path), warnings.len()),
            (Some(&entry.value), 0),
            "{}",
            entry.path
        );
    }
    let variables: BTreeSet<String> = KEYS.iter().map(|entry| variable_of(entry.path)).collect();
    assert_eq!(variables.len(), KEYS.len());
}

#[test]
fn later_layers_count() {
    let place = ConfigFolder::new();
    let every = "[extract]\nmax_candidates = ";
    let mut sources = Sources {
        project_trusted: true,
        ..Sources::default()
    };
    let path = "extract.max_candidates";
    let check = |sources: &Sources, value: i64, origin: Origin| {
        let (config, warnings) = load(sources);
        assert_eq!(warnings, []);
        assert_eq!(
            (config.integer(path), config.origin(path)),
            (value, Some(&origin))
        );
    };
    check(&sources, 24, Origin::Builtin);
    let user = place.file("home/config.toml", &format!("{every}1"));
    sources.user_file = Some(user.clone());
    check(&sources, 1, Origin::File(user));
    let project = place.file("repo/.acreta/config.toml", &format!("{every}2"));
    sources.project_file = Some(project.clone());
    check(&sources, 2, Origin::File(project));
    let explicit = place.file("other.toml", &format!("{every}3"));
    sources.explicit_file = Some(explicit.clone());
    check(&sources, 3, Origin::File(explicit));
    sources.environment = environment(&[
        ("ACRETA_EXTRACT__MAX_CANDIDATES", "4"),
        ("HOME", "/x"),
        ("ACRETA_LOG", "debug"),
    ]);
    check(
        &sources,
        4,
        Origin::Environment("ACRETA_EXTRACT__MAX_CANDIDATES".to_owned()),
    );
    sources.flags.push((path.to_owned(), "5".to_owned()));
    check(&sources, 5, Origin::Flag);
}

#[test]
fn what_is_no_setting_is_a_warning_and_the_layer_below_counts() {
    let place = ConfigFolder::new();
    let sources = Sources {
        user_file: Some(place.file(
            "config.toml",
            "decide.update_overlop = 0.5\n\
             [extract]\nmax_candidates = \"many\"\nmin_confidence = 7\n\
             [memory]\nscope = \"everything\"\n\
             [plugins]\nadapters = [\"a\", 1]\n\
             [llm]\napi_key = \"x\"\n\
             [plugin.x]\ncolour = 1\n\
             [plugin.x.limits]\nwall_mss = 1\nhandles = -1\n\
             [runs.keep]\nall = true\n",
        )),
        environment: environment(&[
            ("ACRETA_RUN__KEEP", "1"),
            ("ACRETA_RUNS__KEEP", "ten"),
            ("ACRETA_WHATEVER_ELSE", "1"),
        ]),
        flags: vec![("memory.scop".to_owned(), "project_only".to_owned())],
        ..Sources::default()
    };
    let (config, warnings) = load(&sources);
    assert_eq!(
        texts(&warnings, &place.root),
        [
            "config.toml:1: unknown key `decide.update_overlop`, did you mean `decide.update_overlap`?",
            "config.toml:3: `extract.max_candidates` is ignored: expected an integer from 0 to 1000, found \"many\"",
            "config.toml:4: `extract.min_confidence` is ignored: expected a number from 0 to 1, found 7",
            "config.toml:6: `memory.scope` is ignored: expected one of project_fallback_global, project_only, global_only, \
             found \"everything\"",
            "config.toml:8: `plugins.adapters` is ignored: expected a list of texts, found [\"a\", 1]",
            "config.toml:10: `llm.api_key` is ignored: keys and passwords are taken from the environment only",
            "config.toml:12: unknown key `plugin.x.colour`",
            "config.toml:14: unknown key `plugin.x.limits.wall_mss`, did you mean `plugin.x.limits.wall_ms`?",
            "config.toml:15: `plugin.x.limits.handles` is ignored: expected an integer from 1 to 1000000000000000, found -1",
            "config.toml:16: `runs.keep` is ignored: expected an integer from 1 to 1000000, found { all = true }",
            "ACRETA_RUNS__KEEP: `runs.keep` is ignored: expected an integer from 1 to 1000000, found \"ten\"",
            "ACRETA_RUN__KEEP: has no effect: unknown setting `run.keep`, did you mean `ACRETA_RUNS__KEEP`?",
            "ACRETA_WHATEVER_ELSE: has no effect: unknown setting `whatever_else`; `acreta config list` shows every variable",
            "flag: unknown key `memory.scop`, did you mean `memory.scope`?",
        ]
    );
    let changed: Vec<_> = config
        .entries()
        .into_iter()
        .filter(|entry| entry.origin != Origin::Builtin)
        .collect();
    assert_eq!(changed, []);
}

#[test]
fn a_file_that_cannot_be_read_is_an_error_with_its_place() {
    let place = ConfigFolder::new();
    let broken = place.file("config.toml", "# fine\n[runs]\nkeep = = 1\n");
    let sources = Sources {
        user_file: Some(broken.clone()),
        ..Sources::default()
    };
    match Config::load(&sources).unwrap_err() {
        ConfigError::Syntax {
            path, line, column, ..
        } => assert_eq!((path, line, column), (broken.clone(), 3, 8)),
        other => panic!("{other}"),
    }

    // A project's file is ignored, whatever is wrong with it.
    let others = place.file("latin.toml", "");
    #[expect(clippy::disallowed_methods, reason = "bytes that are no text")]
    std::fs::write(&others, [0xff, 0xfe]).unwrap();
    for (file, reason) in [(broken, ":3:8: "), (others, "is not valid UTF-8")] {
        let sources = Sources {
            project_file: Some(file.clone()),
            ..Sources::default()
        };
        let (_, warnings) = load(&sources);
        let told = warnings[0].to_string();
        assert!(told.starts_with(&format!("{file}: ignored: ")), "{told}");
        assert!(told.contains(reason), "{told}");
    }

    // Only the file that the user named must exist.
    let missing = place.root.join("none/config.toml");
    let mut sources = Sources {
        user_file: Some(missing.clone()),
        project_file: Some(missing.clone()),
        ..Sources::default()
    };
    load(&sources);
    sources.explicit_file = Some(missing.clone());
    assert_eq!(
        Config::load(&sources).unwrap_err().to_string(),
        format!("`{missing}` does not exist")
    );
}

/// Returns a key of a family, and a valid value that differs from the default.
fn another_value(entry: &KeyEntry) -> (String, String) {
    let parts: Vec<&str> = entry.path.split('.').collect();
    let named = parts
        .iter()
        .map(|part| if part.starts_with('<') { "mine" } else { part });
    let key = named.collect::<Vec<_>>().join(".");
    let value = match (entry.kind(), entry.allowed, entry.default) {
        (Kind::Boolean, _, default) => (default != Builtin::Boolean(true)).to_string(),
        (Kind::TextList, ..) => "[\"evil\"]".to_owned(),
        (Kind::Integer, Allowed::Between(least, _), _) => format!("{}", least as i64 + 2),
        (Kind::Float, Allowed::Between(least, most), _) => {
            format!("{:?}", least + (most - least) / 4.0)
        }
        (Kind::Any, ..) => "7".to_owned(),
        (_, Allowed::OneOf(names), default) => {
            let other = names.iter().find(|name| default != Builtin::Text(name));
            format!("{:?}", other.unwrap())
        }
        _ => "\"evil\"".to_owned(),
    };
    (key, value)
}

#[test]
fn a_repository_sets_no_key_that_is_not_its_own() {
    let mut tried = [0; 3];
    for entry in KEYS {
        let place = ConfigFolder::new();
        let (key, value) = another_value(entry);
        let file = place.file("repo/.acreta/config.toml", &format!("{key} = {value}\n"));
        let (before, _) = load(&Sources::default());
        for trusted in [false, true] {
            let sources = Sources {
                project_file: Some(file.clone()),
                project_trusted: trusted,
                ..Sources::default()
            };
            let (config, warnings) = load(&sources);
            let (needed, reason) = entry.set_by();
            let may_set = match needed {
                SetBy::Project => true,
                SetBy::TrustedProject => trusted,
                SetBy::User => false,
            };
            let changed = config.get(&key) != before.get(&key);
            assert_eq!(
                changed, may_set,
                "{key} = {value}, trusted: {trusted}: {warnings:?}"
            );
            let refused = Problem::NotAllowed { needed, reason };
            let told: Vec<_> = warnings
                .iter()
                .map(|one| (&one.key, &one.problem))
                .collect();
            match may_set {
                true => assert_eq!(told, []),
                false => assert_eq!(told, [(&key, &refused)]),
            }
            tried[needed as usize] += 1;
        }
        // The value is valid: in the user's own file it applies.
        let sources = Sources {
            user_file: Some(file.clone()),
            ..Sources::default()
        };
        let (config, warnings) = load(&sources);
        assert_eq!(warnings, [], "{key}");
        assert_ne!(config.get(&key), before.get(&key), "{key}");
        // Nor does acreta write it into a project's file.
        let text = value.trim_matches('"');
        let written = set_in_project(&place.root.join("other/.acreta/config.toml"), &key, text);
        assert_eq!(
            written.is_ok(),
            entry.set_by().0 != SetBy::User,
            "{key}: {written:?}"
        );
    }
    assert_eq!(tried.iter().sum::<usize>(), 2 * KEYS.len());
    assert!(tried.iter().all(|tried| *tried > 0), "{tried:?}");
}

#[test]
fn what_may_not_be_set_says_why_and_what_to_do() {
    let place = ConfigFolder::new();
    let text = "[plugins]\nfolder = \"./evil\"\nadapters = []\n\
                [plugin.mine.settings]\nstyle = \"short\"\napi_key = \"x\"\n";
    let mut sources = Sources {
        project_file: Some(place.file("config.toml", text)),
        ..Sources::default()
    };
    let (_, warnings) = load(&sources);
    assert_eq!(
        texts(&warnings, &place.root)[..2],
        [
            "config.toml:2: `plugins.folder` is ignored: it can run a program, so only your own config can set it",
            "config.toml:3: `plugins.adapters` is ignored: it chooses which plugins take part, and how, and this project \
             is not trusted; `acreta project trust` changes that",
        ]
    );
    sources.project_trusted = true;
    let (config, warnings) = load(&sources);
    let keys: Vec<&str> = warnings.iter().map(|one| one.key.as_str()).collect();
    assert_eq!(keys, ["plugins.folder", "plugin.mine.settings.api_key"]);
    assert_eq!(config.text_list("plugins.adapters"), Vec::<String>::new());
}

#[test]
fn plugins_have_limits_and_settings_of_their_own() {
    let place = ConfigFolder::new();
    let text = "[plugin.adapter-x.settings]\nroots = [\"a\"]\ndeep = { since = 2024-01-02, ok = true }\n\
                [plugin.adapter-x-2.settings]\nother = 1\n";
    let sources = Sources {
        user_file: Some(place.file("config.toml", text)),
        environment: environment(&[
            ("ACRETA_PLUGIN__ADAPTER_X__LIMITS__WALL_MS", "1_500"),
            ("ACRETA_PLUGIN__ADAPTER_X__SETTINGS__MAX_DEPTH", "3"),
            ("ACRETA_PLUGIN__ADAPTER_X__SETTINGS__NAME", "plain words"),
        ]),
        ..Sources::default()
    };
    let (config, warnings) = load(&sources);
    assert_eq!(warnings, []);
    let defaults = Limits::for_role(Role::Adapter);
    assert_eq!(config.limits("adapter-y", defaults.clone()), defaults);
    let limits = config.limits("adapter-x", defaults.clone());
    assert_eq!(limits.wall_ms, 1_500);
    assert_eq!(limits.handles, defaults.handles);
    assert_eq!(
        serde_json::to_string(&config.settings("adapter-x")).unwrap(),
        r#"{"deep":{"ok":true,"since":"2024-01-02"},"max_depth":3,"name":"plain words","roots":["a"]}"#
    );
}

#[test]
fn variables_are_read_as_their_kind() {
    let cases = [
        ("plugins.adapters", "a, b,,c ", r#"["a", "b", "c"]"#),
        ("plugins.adapters", "[\"a,b\"]", r#"["a,b"]"#),
        ("plugins.adapters", "", "[]"),
        ("decide.update_overlap", "1", "1.0"),
        ("plugins.writer", "12", "\"12\""),
        ("runs.keep", " 7 ", "7"),
    ];
    for (path, text, expected) in cases {
        let sources = Sources {
            environment: environment(&[(&variable_of(path), text)]),
            ..Sources::default()
        };
        let (config, warnings) = load(&sources);
        assert_eq!(warnings, []);
        assert_eq!(
            config.get(path).map(Value::to_string).as_deref(),
            Some(expected),
            "{path}={text}"
        );
    }
}

#[test]
fn set_changes_one_setting_and_nothing_else() {
    let place = ConfigFolder::new();
    let before = "# mine\n[plugins] # all of them\nadapters = [\"a\"] # one\n\n# last\n[runs]\nkeep = 3 # few\n";
    let file = place.file("config.toml", before);
    set(&file, "runs.keep", "9").unwrap();
    set(&file, "plugins.adapters", "a,b").unwrap();
    set(&file, "plugins.writer", "w").unwrap();
    set(&file, "plugin.x.limits.wall_ms", "5").unwrap();
    set(&file, "decide.update_overlap", "0.5").unwrap();
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        "# mine\n[plugins] # all of them\nadapters = [\"a\", \"b\"] # one\nwriter = \"w\"\n\n# last\n[runs]\nkeep = 9 # few\n\n\
         [plugin.x.limits]\nwall_ms = 5\n\n[decide]\nupdate_overlap = 0.5\n"
    );

    let fresh = place.root.join("new/config.toml");
    set(&fresh, "memory.scope", "project_only").unwrap();
    let text = std::fs::read_to_string(&fresh).unwrap();
    assert!(
        text.starts_with("# Settings of acreta.")
            && text.ends_with("\n\n[memory]\nscope = \"project_only\"\n"),
        "{text}"
    );
    let sources = Sources {
        user_file: Some(fresh),
        ..Sources::default()
    };
    assert_eq!(load(&sources).0.text("memory.scope"), "project_only");
}

#[test]
fn set_refuses_what_would_be_a_warning() {
    let place = ConfigFolder::new();
    let file = place.file("config.toml", "runs = 1\n");
    let cases = [
        (
            "runs.kep",
            "1",
            "unknown key `runs.kep`, did you mean `runs.keep`?",
        ),
        (
            "decide.update_overlap",
            "1.5",
            "`decide.update_overlap` takes a number from 0 to 1, not 1.5",
        ),
        (
            "memory.scope",
            "all",
            "`memory.scope` takes one of project_fallback_global, project_only, global_only, not \"all\"",
        ),
    ];
    for (path, value, expected) in cases {
        assert_eq!(set(&file, path, value).unwrap_err().to_string(), expected);
    }
    let error = set(&file, "runs.keep", "1").unwrap_err().to_string();
    assert_eq!(
        error,
        format!("`{file}` holds a value at `runs` where a table is expected")
    );
    assert_eq!(std::fs::read_to_string(&file).unwrap(), "runs = 1\n");
}

#[test]
fn deep_nesting_is_refused_or_harmless() {
    let place = ConfigFolder::new();
    let depth = 50_000;
    let texts = [
        format!("[{}a]\nb = 1\n", "a.".repeat(depth)),
        format!("{}a = 1\n", "a.".repeat(depth)),
        format!("a = {}1{}\n", "[".repeat(depth), "]".repeat(depth)),
        format!("a = {}1{}\n", "{a=".repeat(depth), "}".repeat(depth)),
    ];
    for text in texts {
        let file = Some(place.file("config.toml", &text));
        let sources = Sources {
            project_file: file.clone(),
            ..Sources::default()
        };
        assert_eq!(load(&sources).1.len(), 1);
        let sources = Sources {
            user_file: file,
            ..Sources::default()
        };
        assert!(Config::load(&sources).is_err());
    }
}

#[cfg(unix)]
#[test]
fn links_are_followed_for_the_user_and_ignored_for_a_project() {
    let place = ConfigFolder::new();
    let real = place.file("dotfiles/acreta.toml", "runs.keep = 3\n");
    let link = place.root.join("config.toml");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let mut sources = Sources {
        user_file: Some(link.clone()),
        ..Sources::default()
    };
    assert_eq!(load(&sources).0.integer("runs.keep"), 3);
    set(&link, "runs.keep", "4").unwrap();
    assert!(link.is_symlink());
    assert_eq!(std::fs::read_to_string(&real).unwrap(), "runs.keep = 4\n");

    place.file("repo/.acreta/x", "");
    let link = place.root.join("repo/.acreta/config.toml");
    std::os::unix::fs::symlink(&real, &link).unwrap();
    sources.project_file = Some(link);
    let (config, warnings) = load(&sources);
    assert_eq!(config.integer("runs.keep"), 4, "the user's own file counts");
    let warning = warnings[0].to_string();
    assert!(warning.contains("is a symbolic link"), "{warning}");
}

#[test]
fn trust_is_kept_by_the_real_path() {
    let place = ConfigFolder::new();
    place.file("repo/x", "");
    place.file("other/x", "");
    let file = place.root.join("home/trust.toml");
    let (repo, other) = (place.root.join("repo"), place.root.join("other"));

    let mut store = TrustStore::load(&file).unwrap();
    assert!(!store.is_trusted(&repo));
    assert!(store.trust(&place.root.join("other/../repo")).unwrap());
    assert!(!store.trust(&repo).unwrap());
    assert!(store.trust(&other).unwrap());
    let mut store = TrustStore::load(&file).unwrap();
    assert_eq!(store.projects(), [other.clone(), repo.clone()]);
    assert!(store.is_trusted(&repo) && !store.is_trusted(&place.root));
    assert!(store.trust(&place.root.join("none")).is_err());

    assert!(store.revoke(&repo).unwrap() && !store.revoke(&repo).unwrap());
    let store = TrustStore::load(&file).unwrap();
    assert!(!store.is_trusted(&repo) && store.is_trusted(&other));

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
    }
}

#[test]
fn folders_follow_the_environment() {
    let cache = if cfg!(target_os = "macos") {
        "/h/Library/Caches/acreta"
    } else {
        "/h/.cache/acreta"
    };
    type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a str);
    let cases: &[Case<'_>] = &[
        (&[("HOME", "/h")], "/h/.acreta", cache),
        (&[("HOME", "/h"), ("ACRETA_HOME", "/a")], "/a", cache),
        (
            &[("HOME", "/h"), ("XDG_CACHE_HOME", "/c")],
            "/h/.acreta",
            "/c/acreta",
        ),
        (
            &[("HOME", "/h"), ("XDG_CACHE_HOME", "relative")],
            "/h/.acreta",
            cache,
        ),
        (
            &[
                ("HOME", "/h"),
                ("XDG_CACHE_HOME", "/c"),
                ("ACRETA_CACHE_DIR", "/d"),
            ],
            "/h/.acreta",
            "/d",
        ),
        (
            &[("ACRETA_HOME", "/a"), ("ACRETA_CACHE_DIR", "/d")],
            "/a",
            "/d",
        ),
        (
            &[
                ("HOME", "/h"),
                ("ACRETA_HOME", ""),
                ("ACRETA_CACHE_DIR", ""),
            ],
            "/h/.acreta",
            cache,
        ),
    ];
    for (variables, folder, cache) in cases {
        let home = Home::new(&environment(variables)).unwrap();
        assert_eq!(
            (home.folder().as_str(), home.cache().as_str()),
            (*folder, *cache),
            "{variables:?}"
        );
    }
    let home = Home::new(&environment(&[("HOME", "/h")])).unwrap();
    assert_eq!(home.expand("~/x"), "/h/x");
    assert_eq!(home.expand("/x/~/y"), "/x/~/y");
    assert_eq!(home.config_file(), "/h/.acreta/config.toml");

    let errors = [
        (
            vec![],
            "the home folder is unknown: `HOME` is not set, or not valid UTF-8",
        ),
        (
            vec![("HOME", "/h"), ("ACRETA_HOME", "a")],
            "`ACRETA_HOME` must be an absolute path, not `a`",
        ),
    ];
    for (variables, expected) in errors {
        assert_eq!(
            Home::new(&environment(&variables)).unwrap_err().to_string(),
            expected
        );
    }
}
