//! Acceptance scenarios of the write flow, one test each, named by their letters.

use std::collections::BTreeSet;
use std::path::Path;

use acreta_types::MEMORY_TYPES;
use serde_json::Value;

use crate::support::{Project, component, fixture, json_file, tree};

const DEMO: &str = "claude/demo-queue-retries.jsonl";

/// The lead takes a path and never the trace: no guest gets it whole, and no artifact of the lead contains it.
#[test]
fn a_lead_takes_only_the_trace_path() {
    let project = Project::new();
    let trace = fixture(DEMO);
    let report = project.run(&trace);
    let actions = json_file(&project.last_run().join("memory_actions.json"));
    assert_eq!(
        actions["trace_path"],
        trace.canonicalize().unwrap().to_str().unwrap()
    );
    assert!(report["session"]["events"].as_u64().unwrap() > 20);
    let raw = std::fs::read_to_string(&trace).unwrap();
    let longest = raw.lines().max_by_key(|line| line.len()).unwrap();
    for artifact in [
        "extract.json",
        "summary.json",
        "memory_actions.json",
        "agent.log",
        "subagents.log",
        "session.log",
    ] {
        let text = std::fs::read_to_string(project.last_run().join(artifact)).unwrap();
        assert!(!text.contains(longest), "{artifact} holds raw trace lines");
        assert!(
            text.len() < raw.len(),
            "{artifact} is as large as the trace"
        );
    }
}

#[test]
fn b_todos_are_tracked() {
    let project = Project::new();
    project.run(&fixture(DEMO));
    let actions = json_file(&project.last_run().join("memory_actions.json"));
    let todos: Vec<(&str, &str)> = actions["todos"]
        .as_array()
        .unwrap()
        .iter()
        .map(|todo| {
            (
                todo["step"].as_str().unwrap(),
                todo["state"].as_str().unwrap(),
            )
        })
        .collect();
    let steps = [
        "validate",
        "normalise",
        "extract",
        "summarise",
        "explore",
        "decide",
        "write",
        "report",
    ];
    assert_eq!(todos, steps.map(|step| (step, "completed")));
    let log = std::fs::read_to_string(project.last_run().join("agent.log")).unwrap();
    for step in steps {
        let started = log
            .find(&format!("step={step} msg=\"in_progress\""))
            .unwrap();
        let completed = log.find(&format!("step={step} msg=\"completed\"")).unwrap();
        assert!(started < completed, "{step}");
    }
}

#[test]
fn c_steps_leave_artifacts_that_parse() {
    let project = Project::new();
    project.run(&fixture(DEMO));
    let extract = json_file(&project.last_run().join("extract.json"));
    let candidates = extract["candidates"].as_array().unwrap();
    assert!(!candidates.is_empty());
    for candidate in candidates {
        for key in [
            "id",
            "type",
            "kind",
            "title",
            "body",
            "confidence",
            "tags",
            "evidence",
            "kept",
            "reason",
        ] {
            assert!(
                !candidate[key].is_null(),
                "candidate without {key}: {candidate}"
            );
        }
        for evidence in candidate["evidence"].as_array().unwrap() {
            assert!(evidence["event_id"].is_string() && evidence["quote"].is_string());
        }
    }
    let summary = json_file(&project.last_run().join("summary.json"));
    assert!(
        summary["summary"]["title"]
            .as_str()
            .is_some_and(|title| !title.is_empty())
    );
    assert!(std::path::Path::new(summary["summary_path"].as_str().unwrap()).is_file());
}

#[test]
fn d_the_summary_goes_to_summaries() {
    let project = Project::new();
    let report = project.run(&fixture(DEMO));
    let summaries: Vec<_> = std::fs::read_dir(project.memory().join("summaries"))
        .unwrap()
        .collect();
    assert_eq!(summaries.len(), 1);
    let path = report["summary_path"].as_str().unwrap();
    assert_eq!(
        path,
        summaries[0].as_ref().unwrap().path().to_str().unwrap()
    );
    let text = std::fs::read_to_string(path).unwrap();
    for key in [
        "id:",
        "title:",
        "description:",
        "date:",
        "time:",
        "coding_agent: claude",
        "raw_trace_path:",
        "run_id:",
        "repo_name: project",
        "tags:",
        "related:",
        "created:",
        "updated:",
    ] {
        assert!(text.contains(key), "summary without {key}:\n{text}");
    }
    project.run(&fixture("claude/demo-release-pitfall.jsonl"));
    assert_eq!(
        std::fs::read_dir(project.memory().join("summaries"))
            .unwrap()
            .count(),
        2
    );
}

/// An update edits the matched file in place: same file, same id, no second one.
#[test]
fn e_an_update_does_not_duplicate() {
    const RULE: &str =
        "Screenshots of the kiosk belong into the folder gallery, cropped and without shadows";
    let mut project = Project::new();
    project.install("hostile-extractor", &component("hostile-extractor"));
    project.configure(&format!(
        "[plugins]\nextractor = \"hostile-extractor\"\n[plugin.hostile-extractor.settings]\n\
         category = \"learning\"\nkind = \"convention\"\ntitle = \"{RULE}\"\nbody = \"{RULE}.\"\n"
    ));
    let session = first_said(&fixture(DEMO), &format!("{RULE}."));
    project.run(&project.write("one.jsonl", session.as_bytes()));
    let before = project.statements();
    assert_eq!(before.len(), 1);
    let listed = project.acreta(&["memory", "list", "--json"]).succeeded();
    let listed = listed.json();
    let mut memories = listed["memories"].as_array().unwrap().iter();
    let first = memories.find(|memory| memory["type"] != "summary").unwrap();
    // Another session that says the same, and more.
    let said = format!("{RULE}. Measured twice.");
    let other = first_said(&fixture("claude/demo-release-pitfall.jsonl"), &said);
    let report = project.run(&project.write("other.jsonl", other.as_bytes()));
    assert_eq!(report["counts"]["update"], 1, "{report}");
    assert_eq!(
        report["counts"]["add"], 1,
        "only the summary is new: {report}"
    );
    assert_eq!(project.statements().len(), before.len());
    let updated =
        std::fs::read_to_string(project.memory().join(first["path"].as_str().unwrap())).unwrap();
    assert!(updated.contains("Measured twice."), "{updated}");
    assert!(updated.contains(first["id"].as_str().unwrap()));
}

/// Changes what the person says first in a session.
fn first_said(session: &Path, said: &str) -> String {
    let text = std::fs::read_to_string(session).unwrap();
    let mut is_said = false;
    let lines = text.lines().map(|line| {
        let mut record: Value = serde_json::from_str(line).unwrap();
        if !is_said && record["type"] == "user" && record["message"]["content"].is_string() {
            is_said = true;
            record["message"]["content"] = Value::from(said);
        }
        format!("{record}\n")
    });
    lines.collect()
}

/// A writer that tries to write outside is refused by the sandbox, and counted.
#[test]
fn f_the_write_boundary_holds() {
    let mut project = Project::new();
    project.install("hostile-writer", &component("hostile-writer"));
    let victim = project.write("victim.txt", b"untouched");
    project.configure(&format!(
        "[plugins]\nwriter = \"hostile-writer\"\n[plugin.hostile-writer.settings]\nattack = \"dotdot\"\nvictim = \"{}\"\n",
        victim.display()
    ));
    let before = tree(project.outside(), &["project/.acreta", "home"]);
    let ran = project.acreta(&["run", fixture(DEMO).to_str().unwrap()]);
    ran.failed(1, "plugin `hostile-writer` (memory-writer)");
    assert_eq!(
        tree(project.outside(), &["project/.acreta", "home"]),
        before
    );
    assert!(!project.memory().join("decisions").exists());
    let actions = json_file(&project.last_run().join("memory_actions.json"));
    assert!(
        actions["metrics"]["denied"].as_u64().unwrap() > 0,
        "{actions}"
    );
}

/// One table defines the types: folders on disk, what guests see and what is accepted.
#[test]
fn g_the_registry_drives_the_types() {
    let project = Project::new();
    project.run(&fixture(DEMO));
    let folders: BTreeSet<String> = std::fs::read_dir(project.memory())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    let known: BTreeSet<String> = MEMORY_TYPES
        .iter()
        .map(|entry| entry.folder.to_owned())
        .collect();
    assert!(folders.is_subset(&known), "{folders:?}");
    // No other file of the host or a plugin spells a folder of the table.
    let root = acreta_plugin_build::workspace_root();
    let sources = ["dev", "host", "plugins", "sdk"]
        .iter()
        .flat_map(|folder| crate::support::files(&root.join(folder)));
    for file in sources.filter(|file| file.extension().is_some_and(|extension| extension == "rs")) {
        let text = std::fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        let spells = MEMORY_TYPES
            .iter()
            .any(|entry| code.contains(&format!("\"{}\"", entry.folder)));
        let allowed = [
            "types/src/registry.rs",
            "explorer-overlap",
            "xtask",
            "/tests",
        ];
        assert!(
            !spells
                || allowed
                    .iter()
                    .any(|part| file.to_string_lossy().contains(part)),
            "{} spells a folder of the registry",
            file.display()
        );
    }
}

#[test]
fn h_the_run_folder_is_complete_and_flat() {
    let project = Project::new();
    let report = project.run(&fixture(DEMO));
    let folder = project.last_run();
    assert_eq!(report["run_folder"], folder.to_str().unwrap());
    let name = folder.file_name().unwrap().to_str().unwrap();
    let parts: Vec<&str> = name.split('-').collect();
    assert_eq!(parts.len(), 4, "{name}");
    assert_eq!(parts[0], "sync");
    assert!(
        parts[1].len() == 8
            && parts[2].len() == 6
            && parts[1..3]
                .concat()
                .chars()
                .all(|digit| digit.is_ascii_digit())
    );
    let names: BTreeSet<String> = std::fs::read_dir(&folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            assert!(entry.file_type().unwrap().is_file());
            entry.file_name().into_string().unwrap()
        })
        .collect();
    let expected = [
        "agent.log",
        "extract.json",
        "memory_actions.json",
        "session.log",
        "subagents.log",
        "summary.json",
    ];
    assert_eq!(names, expected.map(str::to_owned).into());
    assert_eq!(report["artifacts"].as_object().unwrap().len(), 6);
}
