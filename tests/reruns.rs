//! Repeated and growing sessions: memory depends on the last state only, whatever was run before.

use std::path::{Path, PathBuf};

use crate::support::{Project, fixture, shared, tree};

const DEMO: &str = "claude/demo-queue-retries.jsonl";

/// The growth series of one Claude session, each a strict prefix of the next.
const GROWTH: [&str; 4] = [
    "24_672feafdde_0",
    "e3_67e53d89ee_0",
    "a3_c1ef347792_0",
    "7d_66f047ac98_0",
];

#[test]
fn the_same_trace_twice_makes_no_second_copy() {
    let project = Project::new();
    project.run(&fixture(DEMO));
    let committed = || {
        let base = project.root().join(".acreta");
        ["memory", "meta/memories", "meta/summaries"].map(|folder| tree(&base.join(folder), &[]))
    };
    let before = committed();
    let report = project.run(&fixture(DEMO));
    assert_eq!(committed(), before);
    for count in ["add", "update", "archived"] {
        assert_eq!(report["counts"][count], 0, "{report}");
    }
}

/// Another home, another folder, another time.
#[test]
fn the_same_trace_gives_the_same_files_in_two_projects() {
    let (here, there) = (Project::new(), Project::new());
    here.run(&fixture(DEMO));
    std::thread::sleep(std::time::Duration::from_millis(1100));
    there.run(&fixture(DEMO));
    for folder in ["memory", "meta/memories", "meta/summaries"] {
        let files = |project: &Project| tree(&project.root().join(".acreta").join(folder), &[]);
        assert_eq!(files(&here), files(&there), "{folder}");
    }
}

/// Cuts the demo session after a number of lines: an earlier state of the session.
fn earlier(project: &Project, lines: usize) -> PathBuf {
    let text = std::fs::read_to_string(fixture(DEMO)).unwrap();
    let start: String = text.split_inclusive('\n').take(lines).collect();
    project.write(
        &format!("{lines}/demo-queue-retries.jsonl"),
        start.as_bytes(),
    )
}

#[test]
fn a_grown_session_leaves_what_its_last_state_alone_would() {
    let alone = Project::new();
    alone.run(&fixture(DEMO));
    let lines = std::fs::read_to_string(fixture(DEMO))
        .unwrap()
        .lines()
        .count();
    let grown = Project::new();
    for length in [lines / 4, lines / 2, lines * 3 / 4, lines] {
        grown.run(&earlier(&grown, length));
    }
    assert_eq!(grown.statements(), alone.statements());
    assert_eq!(
        std::fs::read_dir(grown.memory().join("summaries"))
            .unwrap()
            .count(),
        1
    );
}

#[test]
fn an_older_state_changes_nothing_and_says_so() {
    let project = Project::new();
    project.run(&fixture(DEMO));
    let before = tree(&project.memory(), &[]);
    let report = project.run(&earlier(&project, 12));
    assert_eq!(tree(&project.memory(), &[]), before);
    assert!(
        report["note"].as_str().unwrap().contains("later state"),
        "{report}"
    );
    assert_eq!(report["counts"]["add"], 0);
}

#[test]
fn what_a_person_edited_stays() {
    let project = Project::new();
    let length = std::fs::read_to_string(fixture(DEMO))
        .unwrap()
        .lines()
        .count();
    project.run(&earlier(&project, length - 1));
    let file = crate::support::files(&project.memory().join("decisions")).remove(0);
    let edited = format!(
        "{}\nA person added this line.\n",
        std::fs::read_to_string(&file).unwrap().trim_end()
    );
    let relative = file
        .strip_prefix(project.outside())
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    project.write(&relative, edited.as_bytes());
    project.run(&fixture(DEMO));
    assert_eq!(std::fs::read_to_string(&file).unwrap(), edited);
}

/// Old run folders are deleted, except those of failed runs.
#[test]
fn only_the_newest_run_folders_are_kept() {
    let mut project = Project::new();
    project.configure("[runs]\nkeep = 2");
    let broken = project.write("broken.jsonl", b"nothing");
    project
        .acreta(&["run", broken.to_str().unwrap()])
        .failed(1, "no adapter knows");
    let failed = project.last_run();
    for _ in 0..4 {
        project.run(&fixture(DEMO));
    }
    let runs = std::fs::read_dir(project.root().join(".acreta/workspace"))
        .unwrap()
        .count();
    assert!(failed.is_dir());
    // Runs of the same second have no order, so the failed one may be among the newest two.
    assert!((2..=3).contains(&runs), "{runs} run folders");
}

#[test]
fn a_dry_run_writes_no_memory() {
    let project = Project::new();
    let trace = fixture(DEMO);
    let report = project
        .acreta(&["run", trace.to_str().unwrap(), "--dry-run", "--json"])
        .succeeded()
        .json();
    assert_eq!(report["dry_run"], true);
    assert!(report["counts"]["add"].as_u64().unwrap() > 1);
    assert!(crate::support::files(&project.memory()).is_empty());
    assert!(crate::support::files(&project.root().join(".acreta/meta/traces")).is_empty());
}

fn growth() -> Option<Vec<PathBuf>> {
    let folder = shared("traces/claude")?;
    let files = crate::support::files(&folder);
    Some(
        GROWTH
            .iter()
            .map(|name| {
                files
                    .iter()
                    .find(|file| file.to_string_lossy().contains(name))
                    .unwrap_or_else(|| panic!("no {name} in {}", folder.display()))
                    .clone()
            })
            .collect(),
    )
}

/// The agent's own file keeps its name while it grows; the snapshots have different names.
fn under_one_name(project: &Project, snapshot: &Path, index: usize) -> PathBuf {
    project.write(
        &format!("growth/{index}/session.jsonl"),
        &std::fs::read(snapshot).unwrap(),
    )
}

#[test]
fn a_real_session_grows_in_either_order() {
    let Some(series) = growth() else { return };
    let alone = Project::new();
    alone.run(&under_one_name(&alone, &series[3], 3));
    let expected = alone.statements();
    for order in [[0, 1, 2, 3], [3, 2, 1, 0]] {
        let project = Project::new();
        for index in order {
            project.run(&under_one_name(&project, &series[index], index));
        }
        assert_eq!(project.statements(), expected, "order {order:?}");
    }
}

/// OpenCode rewrites a whole export each time: another state of the same session, not another session.
#[test]
fn a_rewritten_export_does_not_duplicate_memory() {
    let [earlier, later] = ["tide-cache-earlier.jsonl", "tide-cache.json"]
        .map(|name| fixture(&format!("opencode/export/{name}")));
    let alone = Project::new();
    alone.run(&later);
    let both = Project::new();
    both.run(&earlier);
    both.run(&later);
    assert_eq!(both.statements(), alone.statements());
    let reversed = Project::new();
    reversed.run(&later);
    reversed.run(&earlier);
    assert_eq!(reversed.statements(), alone.statements());
    for project in [both, reversed] {
        let summaries = std::fs::read_dir(project.memory().join("summaries"));
        assert_eq!(summaries.unwrap().count(), 1);
    }
}

/// The growth series of one Codex session, each a strict prefix of the next.
#[test]
fn a_grown_codex_session_leaves_what_its_last_state_alone_would() {
    let Some(folder) = shared("traces/codex/EntityProcess__agentv") else {
        return;
    };
    let mut states = ["1f_4427577930_2", "a6_0726a7452e_0", "79_6eaddfe2f9_0"]
        .map(|name| folder.join(format!("{name}.full.jsonl")));
    // Nothing in it is certain enough to be learnt without a model, so the summary is compared.
    let summaries = |project: &Project| -> Vec<String> {
        let files = crate::support::files(&project.memory().join("summaries"));
        let read = |file: &PathBuf| std::fs::read_to_string(file).unwrap();
        let body = |text: String| text.splitn(3, "---").nth(2).unwrap_or_default().to_owned();
        files.iter().map(read).map(body).collect()
    };
    let alone = Project::new();
    alone.run(&states[2]);
    assert_eq!(summaries(&alone).len(), 1);
    for order in ["forward", "backward"] {
        let grown = Project::new();
        for state in &states {
            grown.run(state);
        }
        assert_eq!(grown.statements(), alone.statements(), "{order}");
        assert_eq!(summaries(&grown), summaries(&alone), "{order}");
        states.reverse();
    }
}
