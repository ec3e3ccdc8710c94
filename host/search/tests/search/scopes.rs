//! Scopes: the project first, then global memory, never another project.

use acreta_search::{Query, Scope, ScopeMode, SearchScope};

use crate::support::{MemorySpec, NOW, Project};

fn about(ids: &[&'static str]) -> Project {
    let memories: Vec<MemorySpec<'_>> = ids
        .iter()
        .map(|id| MemorySpec {
            id,
            title: "The scheduler",
            body: "The scheduler wakes up every minute.",
            ..MemorySpec::default()
        })
        .collect();
    Project::with(&memories)
}

#[test]
fn an_answer_comes_from_the_scopes_that_were_asked() {
    let (project, other, global) = (
        about(&["p1", "p2"]),
        about(&["x1", "x2"]),
        about(&["g1", "g2"]),
    );
    let (project, other, global) = (
        project.index(),
        (other.index(), other),
        (global.index(), global),
    );
    // The other project has an index too, so that a leak would be noticed.
    assert_eq!(
        other
            .0
            .search(&Query::new("scheduler"), NOW)
            .unwrap()
            .hits
            .len(),
        2
    );
    use ScopeMode::{GlobalOnly, ProjectFallbackGlobal, ProjectOnly};
    let cases: [(ScopeMode, usize, &str); 6] = [
        (ProjectFallbackGlobal, 10, "ppgg"),
        (ProjectFallbackGlobal, 3, "ppg"),
        (ProjectFallbackGlobal, 2, "pp"),
        (ProjectOnly, 10, "pp"),
        (GlobalOnly, 10, "gg"),
        (GlobalOnly, 0, ""),
    ];
    for (mode, limit, expected) in cases {
        let scope = SearchScope {
            project: Some(&project),
            global: Some(&global.0),
            mode,
        };
        let query = Query {
            limit,
            ..Query::new("scheduler")
        };
        let hits = scope.search(&query, NOW).unwrap();
        let found: String = hits.iter().map(|hit| &hit.hit.id[..1]).collect();
        assert_eq!(found, expected, "{mode:?} {limit}");
        for hit in hits {
            let is_project = hit.hit.id.starts_with('p');
            assert_eq!(hit.scope == Scope::Project, is_project);
        }
    }
}
