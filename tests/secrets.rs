//! Secrets that plugins and sessions put into ids, names, cursors, log lines and failures: none reaches the disk.

#![expect(clippy::disallowed_methods, reason = "a test's own scratch files")]

use std::path::{Path, PathBuf};

use crate::support::{Project, component, files, fixture};

/// Made up for this test.
const SECRET: &str = "ghp_x7Kq2mZ9vT4bR8nW1cY6dF3gH5jL0pSaQeUi";

/// Returns the files beneath these folders that contain a text, by name or by content, in any encoding of its own.
fn holding(folders: &[PathBuf], text: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut waiting = folders.to_vec();
    while let Some(folder) = waiting.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let is_named = path.file_name().unwrap().to_str().unwrap().contains(text);
            let holds = |path: &Path| {
                let bytes = std::fs::read(path).unwrap();
                bytes.windows(text.len()).any(|it| it == text.as_bytes())
            };
            if is_named || path.is_file() && holds(&path) {
                found.push(path.clone());
            }
            if path.is_dir() {
                waiting.push(path);
            }
        }
    }
    found
}

#[test]
fn names_of_branches_and_files_are_redacted_in_what_is_kept_of_a_brief() {
    let project = Project::new();
    project.git(&["init", "--quiet", "-b", "main"]);
    project.acreta(&["memory", "add", "Own rule"]).succeeded();
    project.git(&["commit", "--quiet", "--allow-empty", "-m", "first"]);
    project.start();
    project.git(&["checkout", "--quiet", "-b", &format!("feat/{SECRET}")]);
    project.write(&format!("project/notes-{SECRET}.txt"), b"a");
    project.git(&["add", "notes-*"]);
    project.git(&["commit", "--quiet", "-m", "second"]);
    let brief = project.start();
    assert!(brief.contains("Own rule"), "{brief}");
    assert!(!brief.contains(SECRET), "{brief}");
    let kept = files(&project.home().join("briefs"));
    assert!(kept.len() >= 2, "{kept:?}");
    assert_eq!(holding(&[project.home()], SECRET), Vec::<PathBuf>::new());
}

#[test]
fn what_an_adapter_says_anywhere_is_redacted() {
    let project = Project::new();
    let config = format!(
        "[plugins]\nadapters = [\"hostile-adapter\"]\n[plugin.hostile-adapter.settings]\nattack = \"secrets\"\nsecret = \"{SECRET}\"\n"
    );
    let settings = project.write("home/config.toml", config.as_bytes());
    project.install("hostile-adapter", &component("hostile-adapter"));
    // Found by a sync, named by a person, and one that fails.
    let content = format!("{{\"hostile\": \"{SECRET}\"}}\n");
    project.write(".hostile/found.jsonl", content.as_bytes());
    project.write(&format!(".hostile/{SECRET}.jsonl"), content.as_bytes());
    project.write(".hostile/broken.jsonl", content.as_bytes());
    let named = project.write(&format!("named/{SECRET}.jsonl"), content.as_bytes());
    let broken = project.write("named/broken.jsonl", content.as_bytes());
    let synced = project.acreta(&["sync"]);
    project
        .acreta(&["run", named.to_str().unwrap()])
        .succeeded();
    project.acreta(&["run", broken.to_str().unwrap()]);
    project.acreta(&["sync", "--force"]);
    let runs = std::fs::read_dir(project.root().join(".acreta/workspace")).unwrap();
    assert!(runs.count() >= 2, "{}", synced.stderr);
    std::fs::remove_file(settings).unwrap();
    let folders = [project.home(), project.root()];
    assert_eq!(holding(&folders, SECRET), Vec::<PathBuf>::new());
}

#[test]
fn a_queued_prompt_stays_in_the_session_file() {
    let project = Project::new();
    let id = "5e551000-0000-4000-8000-00000000abcd";
    let text = std::fs::read_to_string(fixture("claude/demo-queue-retries.jsonl")).unwrap();
    let between = |start: &str, text: &str| {
        let at = text.find(start).unwrap() + start.len();
        text[at..].split('"').next().unwrap().to_owned()
    };
    let (old, cwd) = (
        between("\"sessionId\":\"", &text),
        between("\"cwd\":\"", &text),
    );
    let mut text = text
        .replace(&old, id)
        .replace(&cwd, project.root().to_str().unwrap());
    let prompt = "Always run the zebra suite before a release";
    let queued = |operation: &str, content: &str| {
        format!(
            "{{\"type\":\"queue-operation\",\"operation\":\"{operation}\",\"timestamp\":\"2026-02-20T10:12:00.000Z\",\"sessionId\":\"{id}\"{content}}}\n"
        )
    };
    text.push_str(&queued("enqueue", &format!(",\"content\":\"{prompt}\"")));
    let file = format!(".claude/projects/p/{id}.jsonl");
    project.write(&file, text.as_bytes());
    project.acreta(&["sync"]).succeeded();
    let state = [
        project.home().join("state.db"),
        project.home().join("state.db-wal"),
    ];
    for path in state.iter().filter(|path| path.is_file()) {
        let bytes = std::fs::read(path).unwrap();
        let holds = bytes
            .windows(prompt.len())
            .any(|it| it == prompt.as_bytes());
        assert!(!holds, "{}", path.display());
    }
    // The next read finds the prompt at its place: it was handed to the agent without another record.
    text.push_str(&queued("remove", ""));
    project.write(&file, text.as_bytes());
    project.acreta(&["sync"]).succeeded();
    let trace = project
        .root()
        .join(format!(".acreta/meta/traces/sessions/claude/{id}.jsonl"));
    let trace = std::fs::read_to_string(trace).unwrap();
    assert_eq!(trace.matches(prompt).count(), 1, "{trace}");
}
