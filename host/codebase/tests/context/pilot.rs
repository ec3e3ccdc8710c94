//! Pilots: figures from a copy, and a project that stays unchanged.

use acreta_codebase::{Pilot, Workload};
use acreta_fs::{Directory, NoFaults};

use crate::support::Project;

fn service() -> Project {
    let project = Project::new();
    let body = "def work(value):\n    return value + 1\n".repeat(60);
    project.write("app/__init__.py", "");
    for number in 0..30 {
        let text = format!("from app.core import work\n{body}");
        project.write(&format!("app/part{number}.py"), &text);
    }
    project.write("app/core.py", &body);
    project.write(".env", "TOKEN=do-not-open\n");
    project
}

fn pilot(project: &Project, questions: u64) -> Pilot {
    let scratch = project.cache.with_file_name("scratch");
    let scratch = Directory::open_or_create(&scratch, NoFaults::shared()).unwrap();
    let workload = Workload { questions };
    let found = project.context().pilot(&project.root, &scratch, workload);
    found.unwrap()
}

#[test]
fn a_pilot_measures_savings_latencies_and_changes() {
    let project = service();
    project.commit();
    for round in 0..3 {
        project.write(
            "app/core.py",
            &format!("def work(value):\n    return {round}\n"),
        );
        project.commit();
    }
    let found = pilot(&project, 20);
    assert_eq!((found.questions, found.edits), (20, 3));
    assert!(found.edits_from_history);
    assert_eq!(
        found.hit_ratio, 0.95,
        "all but the first are hits: {found:?}"
    );
    assert!(found.token_reduction > 0.5, "{found:?}");
    assert!(found.served_tokens < found.baseline_tokens);
    let (hit, delta) = (found.hit_ms.unwrap(), found.delta_ms.unwrap());
    assert_eq!((hit.answers, delta.answers), (16, 3));
    assert!(hit.p50 > 0.0 && hit.p50 <= hit.p95, "{hit:?}");
    // One of the project's files changed before three of the nineteen hits.
    let expected = 3.0 / 19.0 / found.files as f64;
    assert!((found.changed_ratio - expected).abs() < 1e-6, "{found:?}");
}

#[test]
fn a_pilot_leaves_the_project_and_its_figures_alone() {
    let project = service();
    project.commit();
    let status = project.git(&["status", "--porcelain"]);
    let core = std::fs::read(project.root.join("app/core.py")).unwrap();
    pilot(&project, 12);
    assert_eq!(project.git(&["status", "--porcelain"]), status);
    assert_eq!(
        std::fs::read(project.root.join("app/core.py")).unwrap(),
        core
    );
    assert_eq!(project.context().gain(&project.root).unwrap().served, 0);
    let scratch = project.cache.with_file_name("scratch");
    assert!(scratch.join("tree/app/core.py").exists());
    assert!(
        !scratch.join("tree/.env").exists(),
        "secrets are not copied"
    );
}

#[test]
fn a_project_without_history_changes_every_hundredth_file() {
    let project = service();
    let found = pilot(&project, 11);
    assert!(!found.edits_from_history);
    assert_eq!(found.edits, 2);
    assert_eq!(found.delta_ms.unwrap().answers, 2);
}
