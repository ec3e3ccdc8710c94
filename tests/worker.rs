//! `acreta worker`: learns from the sessions of other machines into a branch of the project's remote. Whatever happens
//! to workers, server and storage, nothing is lost, nothing is done twice, and memory is the one that a single machine
//! would have written.

use crate::support::Project;

#[cfg(not(feature = "team"))]
#[test]
fn a_build_without_the_feature_has_no_worker() {
    let project = Project::new();
    let ran = project
        .acreta(&["worker", "--once"])
        .failed(1, "built without the feature `team`");
    assert!(ran.stderr.contains("--features team"), "{}", ran.stderr);
    for arguments in [&["--help"][..], &["help"]] {
        let help = project.acreta(arguments).succeeded().stdout;
        assert!(help.contains("  logs "), "{help}");
        assert!(!help.contains("worker"), "{help}");
    }
}

#[cfg(feature = "team")]
#[test]
fn a_worker_needs_a_shared_state() {
    let project = Project::new();
    let ran = project
        .acreta(&["worker", "--once"])
        .failed(2, "workers need a state that machines share");
    assert!(ran.stderr.contains("state.url"), "{}", ran.stderr);
}

#[cfg(all(target_os = "linux", feature = "team"))]
mod team;
