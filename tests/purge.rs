//! Purging a session: finished whenever it was killed, complete, and not undone by the next sync.

#![expect(clippy::disallowed_methods, reason = "a test's own scratch files")]

use std::path::{Path, PathBuf};

use crate::support::{Project, files, fixture};

const ID: &str = "5e551000-0000-4000-8000-00000000dead";

/// A text that only the purged session has.
const TEXT: &str = "webhook";

/// Returns a project with a synced session and a maintenance, and the session's file.
fn with_session() -> (Project, PathBuf) {
    let project = Project::new();
    let file = project.write(
        &format!(".claude/projects/p/{ID}.jsonl"),
        session(&project).as_bytes(),
    );
    project.acreta(&["sync"]).succeeded();
    project
        .acreta(&["memory", "add", "Deploys happen on Tuesday"])
        .succeeded();
    let similar = "Money is an integer number of cents, never a float";
    project
        .acreta(&["memory", "add", similar, "--kind", "convention"])
        .succeeded();
    project.acreta(&["maintain"]).succeeded();
    project.acreta(&["ask", "how often is a webhook retried?"]);
    (project, file)
}

fn session(project: &Project) -> String {
    let text = std::fs::read_to_string(fixture("claude/demo-queue-retries.jsonl")).unwrap();
    let between = |start: &str| {
        let at = text.find(start).unwrap() + start.len();
        text[at..].split('"').next().unwrap().to_owned()
    };
    let (old, cwd) = (between("\"sessionId\":\""), between("\"cwd\":\""));
    text.replace(&old, ID)
        .replace(&cwd, project.root().to_str().unwrap())
}

/// Returns acreta's own files that contain the session's id or text.
fn left(project: &Project) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![project.root().join(".acreta"), project.home()];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            let bytes = std::fs::read(&path).unwrap();
            let text = String::from_utf8_lossy(&bytes).to_lowercase();
            let name = path.to_str().unwrap().to_lowercase();
            if [ID, TEXT]
                .iter()
                .any(|it| text.contains(it) || name.contains(it))
            {
                found.push(path);
            }
        }
    }
    found
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let target = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &target),
            false => {
                std::fs::copy(entry.path(), target).unwrap();
            }
        }
    }
}

#[test]
fn a_purged_session_does_not_come_back_by_itself() {
    let (project, file) = with_session();
    assert!(left(&project).len() > 5);
    // Maintenance compared a memory of the session with the person's, and logged what it found.
    let logs = || {
        let mut logs = files(&project.root().join(".acreta/workspace"));
        logs.retain(|path| path.to_str().unwrap().contains("maintain-"));
        let texts = logs
            .iter()
            .map(|path| std::fs::read_to_string(path).unwrap());
        texts.collect::<String>()
    };
    assert!(logs().contains("cents-in-a-bigint"), "{}", logs());
    let purged = project
        .acreta(&["memory", "purge", "--session", ID, "--yes"])
        .succeeded();
    assert!(
        purged.stderr.contains("the agent's own file"),
        "{}",
        purged.stderr
    );
    assert_eq!(left(&project), Vec::<PathBuf>::new());
    assert!(!logs().contains("cents-in-a-bigint"), "{}", logs());
    // Neither unchanged nor after it grew.
    let synced = project.acreta(&["sync", "--json"]).succeeded().json();
    assert_eq!(synced["ran"], 0, "{synced}");
    let mut text = session(&project);
    let last = text.lines().last().unwrap().to_owned();
    text.push_str(&last);
    text.push('\n');
    project.write(&format!(".claude/projects/p/{ID}.jsonl"), text.as_bytes());
    let synced = project.acreta(&["sync", "--json"]).succeeded().json();
    assert_eq!(synced["ran"], 0, "{synced}");
    // Its file is known by its path, which has the id.
    let known: Vec<PathBuf> = left(&project)
        .into_iter()
        .filter(|path| !path.to_str().unwrap().contains("state.db"))
        .collect();
    assert_eq!(known, Vec::<PathBuf>::new());
    // A person may ask for it again.
    project.run(&file);
    assert!(left(&project).len() > 3);
    let synced = project.acreta(&["sync", "--json"]).succeeded().json();
    assert_eq!(synced["archived"], 1, "{synced}");
}

#[test]
#[cfg(unix)]
fn a_purge_that_was_killed_anywhere_is_finished_by_the_next_command() {
    let (project, _) = with_session();
    // A run that was killed left its trace half written; no process has this number.
    let dead = i32::MAX;
    project.write(
        &format!("project/.acreta/meta/traces/sessions/claude/.{ID}.jsonl.{dead}-0"),
        b"{\"text\": \"webhook\"}\n",
    );
    project.write(&format!("home/.{dead}-7.tmp"), b"webhook");
    let (home, own) = (project.home(), project.root().join(".acreta"));
    let backup = project.outside().join("backup");
    copy(&home, &backup.join("home"));
    copy(&own, &backup.join("own"));
    let mut killed = 0;
    for number in 1.. {
        for (folder, name) in [(&home, "home"), (&own, "own")] {
            std::fs::remove_dir_all(folder).unwrap();
            copy(&backup.join(name), folder);
        }
        let output = project
            .command(&["memory", "purge", "--session", ID, "--yes"])
            .env("ACRETA_ABORT_AT", format!("disk:{number}"))
            .output()
            .unwrap();
        if output.status.success() {
            break;
        }
        assert_eq!(output.status.code(), None, "{number}: {output:?}");
        killed += 1;
        let has_begun = home.join("purge.json").is_file();
        project.acreta(&["status"]).succeeded();
        let left = left(&project);
        assert!(!home.join("purge.json").is_file(), "{number}");
        match has_begun {
            true => assert_eq!(left, Vec::<PathBuf>::new(), "killed before change {number}"),
            // Killed before it decided anything.
            false => assert!(left.len() > 5, "killed before change {number}: {left:?}"),
        }
    }
    assert_eq!(left(&project), Vec::<PathBuf>::new());
    assert!(killed >= 10, "{killed} kills");
}
