//! Permissions of acreta's files: only the user may read them, whatever the umask. Memory in a repository is shared
//! like other files in it.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::support::{Project, Ran, fixture, lay_out, ran};

/// Runs acreta with a umask that lets everybody read and write new files.
fn carelessly(project: &Project, arguments: &[&str]) -> Ran {
    let own = project.command(arguments);
    let mut command = Command::new("sh");
    command
        .args(["-c", "umask 000; exec \"$0\" \"$@\""])
        .arg(own.get_program())
        .args(own.get_args())
        .current_dir(project.root())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", project.outside())
        .env("ACRETA_HOME", project.home())
        .env("ACRETA_CACHE_DIR", project.outside().join("cache"));
    ran(command.output().unwrap())
}

fn mode(path: &Path) -> u32 {
    let found = std::fs::symlink_metadata(path).unwrap();
    found.permissions().mode() & 0o777
}

/// Returns a folder and all its contents that others can access.
fn open_to_others(folder: &Path) -> Vec<String> {
    let mut open = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    let mut seen = 0;
    while let Some(path) = waiting.pop() {
        seen += 1;
        if mode(&path) & 0o077 != 0 {
            open.push(format!("{:o} {}", mode(&path), path.display()));
        }
        if path.is_dir() {
            let entries = std::fs::read_dir(&path).unwrap();
            waiting.extend(entries.map(|entry| entry.unwrap().path()));
        }
    }
    assert!(seen > 3, "there is hardly anything in {}", folder.display());
    open
}

#[test]
fn only_the_user_reads_what_acreta_keeps() {
    let project = Project::new();
    std::fs::remove_dir(project.home()).unwrap();
    lay_out(&project, &|bytes| bytes);
    let session = fixture("claude/demo-queue-retries.jsonl");
    let session = session.to_str().unwrap();
    for arguments in [
        &["project", "add"][..],
        &["config", "set", "runs.keep", "7"],
        &["project", "trust"],
        &[
            "memory",
            "add",
            "Use pnpm",
            "--body",
            "Use pnpm here.",
            "--kind",
            "convention",
        ],
        &[
            "memory",
            "add",
            "Use tabs",
            "--body",
            "Use tabs.",
            "--kind",
            "convention",
            "--scope",
            "global",
        ],
        &["run", session],
        &["sync"],
        &["memory", "search", "pnpm"],
        &["sessions", "search", "pnpm"],
        &["maintain"],
        &["context", "explore"],
    ] {
        let done = carelessly(&project, arguments);
        assert!(matches!(done.code, 0 | 3), "{arguments:?}: {}", done.stderr);
    }
    for folder in [project.home(), project.outside().join("cache")] {
        assert_eq!(open_to_others(&folder), [""; 0]);
    }
    for name in ["state.db", "archive", "config.toml", "trust.toml", "memory"] {
        assert!(project.home().join(name).exists(), "{name} is not there");
    }
    let file = std::fs::read_dir(project.memory().join("learnings"))
        .unwrap()
        .next();
    assert_eq!(mode(&file.unwrap().unwrap().path()), 0o666);
    assert_eq!(mode(&project.memory()), 0o777);
}

#[test]
fn what_was_open_is_closed() {
    let project = Project::new();
    project.acreta(&["project", "add"]).succeeded();
    let home = project.home();
    let loosen = |path: &Path, mode: u32| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    project.write("home/archive/claude/old.jsonl.zst", b"old");
    // The next command closes an open folder, with everything in it.
    loosen(&home, 0o755);
    loosen(&home.join("state.db"), 0o644);
    project.acreta(&["status"]).succeeded();
    assert_eq!(open_to_others(&home), [""; 0]);
    // Single files in a closed folder are found and reported by `doctor`.
    loosen(&home.join("archive/claude/old.jsonl.zst"), 0o664);
    let doctor = project.acreta(&["doctor"]);
    assert!(
        doctor.stdout.contains("others could read 1 file"),
        "{}",
        doctor.stdout
    );
    assert!(doctor.stdout.contains("old.jsonl.zst"), "{}", doctor.stdout);
    assert_eq!(open_to_others(&home), [""; 0]);
    assert!(
        !project
            .acreta(&["doctor"])
            .stdout
            .contains("others could read")
    );

    // The agent's own session, staged for a plugin by another process, keeps its permissions.
    let session = project.write("sessions/one.jsonl", b"{}");
    loosen(&session, 0o644);
    let staged = home.join("archive/one.jsonl");
    std::fs::hard_link(&session, staged).unwrap();
    let doctor = project.acreta(&["doctor"]).stdout;
    assert!(!doctor.contains("others could read"), "{doctor}");
    assert_eq!(mode(&session), 0o644);

    // A draft that another process writes has the mode its guest gave it; its folder is closed.
    let scratch = project.outside().join("cache/scratch");
    let draft = project.write("cache/scratch/draft-1-1/decisions/one.md", b"# One");
    loosen(&project.outside().join("cache"), 0o700);
    loosen(&draft, 0o644);
    loosen(&scratch, 0o755);
    let doctor = carelessly(&project, &["doctor"]).stdout;
    assert!(
        doctor.contains("others could read 1 file or folder"),
        "{doctor}"
    );
    assert_eq!((mode(&scratch), mode(&draft)), (0o700, 0o644));
    let doctor = carelessly(&project, &["doctor"]).stdout;
    assert!(!doctor.contains("others could read"), "{doctor}");
}
