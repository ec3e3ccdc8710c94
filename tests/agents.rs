//! All agents in one home, through the real binary and real components: all their sessions are found, archived and
//! processed, and no secret in any of them reaches anything acreta writes.

use std::collections::BTreeMap;
use std::io::Read;
use std::path::Path;

use serde_json::Value;

use crate::support::{AGENTS, Project, each_text, files, lay_out, ran, shared};

/// Registers every project that sessions wait for, each as a separate repository.
pub(crate) fn take_all_in(project: &Project, report: &Value) {
    for (number, line) in report["waiting"].as_array().unwrap().iter().enumerate() {
        let Some(place) = line["project"].as_str() else {
            continue;
        };
        let repository = project.outside().join(format!("repository-{number}"));
        std::fs::create_dir_all(repository.join(".git")).unwrap();
        let arguments = ["project", "add", "--also", place];
        let output = project
            .command(&arguments)
            .current_dir(&repository)
            .output();
        ran(output.unwrap()).succeeded();
    }
    // Kimi names a project only by a digest of its path, which is useless until the path is known.
    let arguments = ["project", "add", "--also", "/home/mira/ledger-export"];
    project.acreta(&arguments).succeeded();
}

fn sync(project: &Project) -> Value {
    let output = project
        .command(&["sync", "--json"])
        .current_dir(project.outside())
        .output();
    let output = ran(output.unwrap());
    assert!(!output.stderr.contains("panicked"), "{}", output.stderr);
    assert!([0, 3].contains(&output.code), "{}", output.stderr);
    output.json()
}

#[test]
fn every_agents_sessions_are_found_kept_and_worked_through() {
    let mut project = Project::new();
    project.configure("[sync]\nwithout_project = \"global\"");
    lay_out(&project, &|bytes| bytes);
    let report = sync(&project);
    let by_agent: BTreeMap<&str, &Value> = report["agents"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (line["agent"].as_str().unwrap(), line))
        .collect();
    for agent in AGENTS {
        let line = by_agent
            .get(agent)
            .unwrap_or_else(|| panic!("no session of {agent}: {report}"));
        assert!(line["discovered"].as_u64().unwrap() > 0, "{line}");
        assert_eq!(line["archived"], line["discovered"], "{line}");
    }
    assert_eq!(report["problems"], Value::Array(Vec::new()));

    take_all_in(&project, &report);
    let second = sync(&project);
    assert_eq!(second["discovered"], 0, "{second}");
    assert_eq!(second["failed"], 0, "{second}");
    let runs = report["runs"].as_array().unwrap().iter();
    let runs = runs.chain(second["runs"].as_array().unwrap());
    let mut ran: Vec<&str> = runs.map(|run| run["agent"].as_str().unwrap()).collect();
    ran.sort_unstable();
    ran.dedup();
    assert_eq!(ran, AGENTS, "{second}");

    let third = sync(&project);
    for key in ["discovered", "archived", "queued", "ran", "failed"] {
        assert_eq!(third[key], 0, "{key}: {third}");
    }
}

/// What a copy lacks is lost with the agent's files.
#[expect(clippy::disallowed_methods, reason = "agents delete their files")]
#[test]
fn every_agents_sessions_are_whole_in_their_copies() {
    let mut project = Project::new();
    project.configure("[sync]\nwithout_project = \"global\"");
    lay_out(&project, &|bytes| bytes);
    take_all_in(&project, &sync(&project));
    sync(&project);
    let run = |arguments: &[&str]| {
        let mut command = project.command(&[&["sessions"], arguments].concat());
        let shown = ran(command.current_dir(project.outside()).output().unwrap());
        shown.succeeded().json()
    };
    let list = ["list", "--all-projects", "--limit", "10000", "--json"];
    let listed = run(&list);
    let mut keys = Vec::new();
    for agent in AGENTS {
        let read = listed["sessions"].as_array().unwrap().iter();
        let read = read.filter(|session| session["agent"] == agent && session["state"] == "done");
        let newest = read.take(2).map(|session| session["id"].as_str().unwrap());
        keys.extend(newest.map(|id| format!("{agent}/{id}")));
    }
    assert!(keys.len() > AGENTS.len(), "{keys:?}");
    let events = |key: &String| run(&["show", key, "--json"])["total"].clone();
    let read: Vec<Value> = keys.iter().map(events).collect();
    // The agents' files, and what runs read of them.
    let is_trace = |file: &Path| file.components().any(|part| part.as_os_str() == "traces");
    let own = [project.home(), project.root()];
    for file in files(project.outside()) {
        if is_trace(&file) || !own.iter().any(|folder| file.starts_with(folder)) {
            std::fs::remove_file(file).unwrap();
        }
    }
    let copied: Vec<Value> = keys.iter().map(events).collect();
    assert_eq!(copied, read, "{keys:?}");
}

/// Invented secrets of several kinds.
fn canaries() -> [String; 4] {
    [
        format!("ghp_{}", "q7Zt2LmX9"[..9].repeat(4)),
        format!("AKIA{}", "Q3ZX7PLM2K5RT4VN"),
        format!("sk-ant-api03-{}-AA", "hG5kPq8ZtYw2".repeat(7) + "hG5kPq8Zt"),
        format!(
            "xoxb-{}-{}-{}",
            "483920175566", "918273645501", "aB3dE6gH9jK2mN5pQ8sT1vW4"
        ),
    ]
}

/// Adds a canary to every text that is a sentence rather than a name.
fn planted(bytes: Vec<u8>, canary: &str) -> Vec<u8> {
    each_text(bytes, &|text| format!("{text} token {canary}"))
}

/// Returns everything that acreta wrote, decompressed if needed.
fn written(project: &Project) -> Vec<(String, Vec<u8>)> {
    let mut found = Vec::new();
    let mut folders = vec![project.home(), project.root()];
    for entry in std::fs::read_dir(project.outside()).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.starts_with("repository-") {
            folders.push(path);
        }
    }
    for file in folders.iter().flat_map(|folder| files(folder)) {
        let bytes = std::fs::read(&file).unwrap();
        let bytes = match file.extension().is_some_and(|extension| extension == "zst") {
            true => {
                let mut plain = Vec::new();
                let mut decoder = zstd::Decoder::new(&bytes[..]).unwrap();
                decoder.read_to_end(&mut plain).unwrap();
                plain
            }
            false => bytes,
        };
        found.push((file.display().to_string(), bytes));
    }
    found
}

#[test]
fn planted_secrets_reach_nothing_that_is_written() {
    for canary in canaries() {
        let mut project = Project::new();
        project.configure("[sync]\nwithout_project = \"global\"");
        let count = std::cell::Cell::new(0);
        lay_out(&project, &|bytes| {
            let planted = planted(bytes, &canary);
            let text = String::from_utf8_lossy(&planted);
            count.set(count.get() + text.matches(&canary).count());
            planted
        });
        assert!(count.get() > 150, "{} planted", count.get());
        let first = sync(&project);
        take_all_in(&project, &first);
        let second = sync(&project);
        assert!(second["ran"].as_u64().unwrap() > 10, "{second}");
        let mut looked_at = 0;
        let reports = [first.to_string(), second.to_string()];
        let reports = reports.map(|text| ("report".to_owned(), text.into_bytes()));
        for (name, bytes) in written(&project).into_iter().chain(reports) {
            looked_at += 1;
            let found = bytes
                .windows(canary.len())
                .position(|window| window == canary.as_bytes());
            assert_eq!(found, None, "{canary} in {name}");
        }
        assert!(looked_at > 100, "{looked_at} files");
        // Redactions are counted: at least as many as canaries in archived sessions.
        println!(
            "{} planted {} times, {looked_at} files looked at",
            &canary[..5],
            count.get()
        );
    }
}

#[test]
fn every_real_session_of_every_agent_is_read() {
    let Some(folder) = shared("traces") else {
        return;
    };
    for entry in std::fs::read_dir(&folder).unwrap() {
        let agent = entry.unwrap().path();
        if agent.is_dir() && !agent.ends_with("claude") {
            read_all(&agent);
        }
    }
}

fn read_all(folder: &Path) {
    let agent = folder.file_name().unwrap().to_string_lossy().into_owned();
    for file in files(folder) {
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        let project = Project::new();
        let path = file.to_str().unwrap();
        let mut output = project.acreta(&["run", path, "--json"]);
        if output.stderr.contains("holds") && output.stderr.contains("--session") {
            // One of several sessions represents the file; its adapter's own tests read all.
            let error = output.json()["error"]["message"]
                .as_str()
                .unwrap()
                .to_owned();
            let id = error.rsplit(", ").next().unwrap().to_owned();
            output = project.acreta(&["run", path, "--session", &id, "--json"]);
        }
        assert!(
            !output.stderr.contains("panicked"),
            "{name}: {}",
            output.stderr
        );
        if output.code != 0 {
            println!(
                "{agent} {name}: {}",
                output.stderr.lines().next().unwrap_or_default()
            );
            continue;
        }
        let report = output.json();
        assert_eq!(report["session"]["agent"], agent, "{name}");
        assert_eq!(report["metrics"]["denied"], 0, "{name}");
        println!(
            "{agent} {name}: {} events, {} diagnostics, {} added",
            report["session"]["events"], report["session"]["diagnostics"], report["counts"]["add"]
        );
    }
}
