//! Malformed folders: each gives a clear error or an entry that is skipped with a reason, and never a wrong delta.

use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};

use acreta_codebase::{Context, ContextError, Reason, Request, SensitivePatterns};
use camino::Utf8Path;

use crate::support::{Project, verbose};

#[test]
fn what_is_no_folder_is_an_error() {
    let project = Project::with(&[("file.txt", "text")]);
    let context = project.context();
    let request = Request::default();
    let error = context
        .explore(&project.root.join("file.txt"), &request, None)
        .unwrap_err();
    assert!(
        matches!(error, ContextError::NotADirectory { .. }),
        "{error}"
    );
    assert!(error.hint().is_some());
    let error = context
        .explore(&project.root.join("nowhere"), &request, None)
        .unwrap_err();
    assert!(matches!(error, ContextError::Project { .. }), "{error}");
}

#[test]
fn more_files_than_allowed_is_an_error() {
    let project = Project::with(&[("a", "1"), ("b", "2"), ("c", "3")]);
    let mut options = project.options();
    options.limits.files = 2;
    let error = Context::open(options)
        .unwrap()
        .explore(&project.root, &Request::default(), None)
        .unwrap_err();
    assert!(
        matches!(error, ContextError::TooManyFiles { limit: 2, .. }),
        "{error}"
    );
}

#[test]
fn what_cannot_be_taken_is_told_with_its_reason() {
    let project = Project::with(&[
        ("good.py", "x = 1\n"),
        ("large.bin", "0123456789"),
        ("library/.git", "gitdir: elsewhere\n"),
        ("library/inner.py", "y = 2\n"),
        ("a/b/c/d/deep.py", "z = 3\n"),
        (".env", "TOKEN=1\n"),
        ("binary.dat", "\0\u{1}\u{2}"),
    ]);
    symlink("..", project.root.join("a/loop")).unwrap();
    symlink("nowhere", project.root.join("dangling")).unwrap();
    let odd = std::ffi::OsStr::from_bytes(b"odd\xff.py");
    std::fs::File::create(project.root.as_std_path().join(odd)).unwrap();
    let status = std::process::Command::new("mkfifo")
        .arg(project.root.join("pipe"))
        .status()
        .unwrap();
    assert!(status.success());
    let mut options = project.options();
    options.limits.hashed_bytes = 9;
    options.limits.depth = 3;
    let context = Context::open(options).unwrap();
    let response = context.explore(&project.root, &verbose(), None).unwrap();
    let told: Vec<(&str, Reason)> = response
        .stats
        .skipped
        .iter()
        .map(|skipped| (skipped.path.as_str(), skipped.reason))
        .collect();
    assert_eq!(
        told,
        [
            (".env", Reason::Sensitive),
            ("a/b/c/d", Reason::TooDeep),
            ("large.bin", Reason::TooLarge),
            ("library", Reason::NestedRepository),
            ("odd\u{fffd}.py", Reason::NameNotUtf8),
            ("pipe", Reason::Special),
        ]
    );
    // good.py, large.bin, .env, binary.dat, and two links as such.
    assert_eq!(response.stats.file_count, 6);
    let again = context.delta(&project.root, &verbose()).unwrap();
    assert!(again.delta.unwrap().is_empty());
}

#[test]
fn what_may_not_be_read_is_neither_changed_nor_gone() {
    let project = Project::with(&[("open.py", "x = 1\n"), ("closed/secret.py", "y = 2\n")]);
    let closed = project.root.join("closed");
    let set = |mode| {
        std::fs::set_permissions(&closed, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    project.explore();
    set(0o000);
    // The superuser may read everything, so there is nothing to test.
    let is_closed = std::fs::read_dir(&closed).is_err();
    let delta = project.delta();
    set(0o755);
    assert_eq!(delta, []);
    if is_closed {
        assert_eq!(project.delta(), []);
    }
}

#[test]
fn sensitive_files_are_listed_and_never_opened() {
    // A link in place of each would be followed if it were opened, to a pipe that blocks forever.
    let project = Project::with(&[
        ("src/main.py", "print(1)\n"),
        ("deploy/server.key", "not a key\n"),
        (
            "private/notes.md",
            "words that only these notes have: zanzibar\n",
        ),
        (".env.example", "PORT=1\n"),
    ]);
    let mut options = project.options();
    options.sensitive = SensitivePatterns {
        allow: vec![],
        deny: vec!["private/**".to_owned()],
    };
    let context = Context::open(options).unwrap();
    let accessed = |path: &str| {
        let path = project.root.join(path);
        std::os::unix::fs::MetadataExt::atime_nsec(&path.metadata().unwrap())
    };
    let before = [accessed("deploy/server.key"), accessed("private/notes.md")];
    let response = context.explore(&project.root, &verbose(), None).unwrap();
    let told: Vec<&str> = response
        .stats
        .skipped
        .iter()
        .map(|skipped| skipped.path.as_str())
        .collect();
    assert_eq!(told, ["deploy/server.key", "private/notes.md"]);
    assert_eq!(
        before,
        [accessed("deploy/server.key"), accessed("private/notes.md")]
    );
    let query = Request {
        query: Some("zanzibar".to_owned()),
        ..Request::default()
    };
    let found = context.context(&project.root, &query, None).unwrap();
    assert_eq!(found.matches.unwrap(), []);
    // A different size is a change that is visible without reading.
    project.write("deploy/server.key", "still not a key\n");
    let delta = context
        .delta(&project.root, &verbose())
        .unwrap()
        .delta
        .unwrap();
    assert_eq!(delta.modified, 1);
    assert!(!read_cache(&project.cache).contains("zanzibar"));
}

#[test]
fn secrets_in_names_and_manifests_are_not_served() {
    let secret = concat!("ghp_", "0123456789abcdefghijABCDEFGHIJ456789");
    let project = Project::with(&[
        (
            "package.json",
            &format!("{{\"name\":\"x\",\"scripts\":{{\"test {secret}\":\"a\"}}}}"),
        ),
        ("index.js", "module.exports = 1\n"),
    ]);
    project.write(&format!("src/{secret}.js"), "export const a = 1;\n");
    let response = project.explore();
    assert!(!response.to_json().contains(secret));
    project.write(&format!("src/new-{secret}.js"), "export const b = 1;\n");
    let delta = project.context().delta(&project.root, &verbose()).unwrap();
    assert!(!delta.to_json().contains(secret), "{}", delta.to_json());
}

fn read_cache(cache: &Utf8Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(cache).unwrap() {
        let bytes = std::fs::read(entry.unwrap().path()).unwrap();
        all.push_str(&String::from_utf8_lossy(&bytes));
    }
    all
}
