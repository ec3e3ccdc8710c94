//! `sync.homes`: homes of containers and other machines, mounted or copied here. Their sessions are archived and found like those of
//! this one's, and stay what they are while the home is not there.

use serde_json::Value;

use crate::support::{AGENTS, Project, lay_out};

fn figures(report: &Value) -> Vec<(String, u64)> {
    let lines = report["agents"].as_array().unwrap().iter();
    let archived = lines.map(|line| {
        let agent = line["agent"].as_str().unwrap().to_owned();
        (agent, line["archived"].as_u64().unwrap())
    });
    archived.filter(|(_, archived)| *archived > 0).collect()
}

#[test]
#[expect(clippy::disallowed_methods, reason = "somebody unmounts a folder")]
fn a_home_of_another_machine_is_read_beside_ones_own() {
    let there = Project::new();
    lay_out(&there, &|bytes| bytes);
    let home = there.outside().to_owned();
    let mut here = Project::new();
    here.configure(&format!("[sync]\nhomes = [\"{}\"]", home.display()));
    let sync = |project: &Project| project.acreta(&["sync", "--json"]).succeeded().json();
    let report = sync(&here);
    assert_eq!(report["problems"], Value::Array(Vec::new()), "{report}");
    assert_eq!(figures(&report).len(), AGENTS.len(), "{report}");
    // As that machine itself would archive them.
    assert_eq!(figures(&report), figures(&sync(&there)));
    let again = sync(&here);
    for key in ["discovered", "archived", "failed"] {
        assert_eq!(again[key], 0, "{key}: {again}");
    }

    let copies = |project: &Project| {
        let rows = project.acreta(&["sessions", "list", "--all-projects", "-n", "999", "--json"]);
        let rows = rows.succeeded().json();
        let rows = rows["sessions"].as_array().unwrap().clone();
        let rows = rows
            .into_iter()
            .map(|row| row["copy"].as_str().unwrap().to_owned());
        let mut copies: Vec<String> = rows.collect();
        copies.sort();
        copies
    };
    let before = copies(&here);
    assert!(before.len() > AGENTS.len(), "{before:?}");
    assert!(before.iter().all(|copy| copy == "archived"), "{before:?}");
    let found = here.acreta(&[
        "sessions",
        "search",
        "--all-projects",
        "queue retries",
        "--json",
    ]);
    let found = found.succeeded().json();
    let hit = &found["hits"][0];
    let key = format!(
        "{}/{}",
        hit["agent"].as_str().unwrap(),
        hit["session"].as_str().unwrap()
    );
    here.acreta(&["sessions", "resume", &key, "--print"])
        .failed(1, "is a session of another machine");

    let away = home.with_extension("away");
    std::fs::rename(&home, &away).unwrap();
    sync(&here);
    assert_eq!(copies(&here), before, "nobody deleted them");
    std::fs::rename(&away, &home).unwrap();
    assert_eq!(sync(&here)["discovered"], 0);
}
