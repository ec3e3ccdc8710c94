//! All real Claude sessions that are available: no panic, no hang, every run folder complete.

use crate::support::{Project, files, json_file, shared};

#[test]
fn every_real_claude_session_runs() {
    let Some(folder) = shared("traces/claude") else {
        return;
    };
    let (mut ran, mut refused, mut events, mut diagnostics, mut memories) =
        (0, Vec::new(), 0, 0, 0);
    let sessions: Vec<_> = files(&folder);
    assert!(sessions.len() > 50);
    for session in &sessions {
        let project = Project::new();
        let name = session.file_name().unwrap().to_string_lossy().into_owned();
        let result = project.acreta(&["run", session.to_str().unwrap(), "--json"]);
        assert!(
            !result.stderr.contains("panicked"),
            "{name}: {}",
            result.stderr
        );
        if result.code != 0 {
            let message = &result.stderr;
            assert!(message.contains("no adapter knows"), "{name}: {message}");
            refused.push(name);
            continue;
        }
        let run = project.last_run();
        for artifact in ["extract.json", "summary.json", "memory_actions.json"] {
            json_file(&run.join(artifact));
        }
        for log in ["agent.log", "subagents.log", "session.log"] {
            assert!(run.join(log).is_file(), "{name}: no {log}");
        }
        let report = result.json();
        ran += 1;
        events += report["session"]["events"].as_u64().unwrap();
        diagnostics += report["session"]["diagnostics"].as_u64().unwrap();
        memories += report["counts"]["add"].as_u64().unwrap().saturating_sub(1);
        let log = std::fs::read_to_string(run.join("session.log")).unwrap();
        let stats: serde_json::Value = serde_json::from_str(log.lines().next().unwrap()).unwrap();
        for diagnostic in stats["stats"]["diagnostics"].as_array().unwrap() {
            assert!(
                diagnostic["end"].as_u64() > diagnostic["start"].as_u64(),
                "{name}: {diagnostic}"
            );
        }
        assert_eq!(report["metrics"]["denied"], 0, "{name}");
    }
    println!(
        "{ran} sessions, {events} events, {diagnostics} diagnostics, {memories} memories; refused: {refused:?}"
    );
    assert!(
        refused.len() <= 1,
        "only the file of no bytes is no session: {refused:?}"
    );
}
