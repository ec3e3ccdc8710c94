//! Scopes: the project first, global fills up, another project never.

use std::sync::Arc;

use acreta_model::{Attrs, MemorySearch};
use acreta_search::{Query, Scope, ScopeMode, SearchPort, SearchScope};

use crate::support::{Made, NOW, Project};

type Attributes = &'static [(&'static str, &'static str)];

fn about(ids: &[&'static str]) -> Project {
    let memories: Vec<Made<'_>> = ids
        .iter()
        .map(|id| Made {
            id,
            title: "The scheduler",
            body: "The scheduler wakes up every minute.",
            ..Made::default()
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
    // The other project has an index too, so that there is something to leak.
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

#[test]
fn a_plugin_finds_through_the_port() {
    let project = about(&["p1", "p2"]);
    project.add(&Made {
        id: "d1",
        folder: "decisions",
        title: "Scheduler in its own thread",
        tags: "threads",
        ..Made::default()
    });
    let port = SearchPort {
        index: Arc::new(project.index()),
        now_ms: NOW,
    };
    let cases: [(Attributes, &[&str]); 6] = [
        (&[], &["d1", "p1", "p2"]),
        (&[("type", "decision")], &["d1"]),
        (&[("type", "poem")], &[]),
        (&[("kind", "insight")], &["p1", "p2"]),
        (&[("tag", "threads")], &["d1"]),
        (&[("unknown", "x")], &["d1", "p1", "p2"]),
    ];
    for (attrs, expected) in cases {
        let mut filter = Attrs::default();
        for (key, value) in attrs {
            filter.push(*key, *value);
        }
        let hits = port.find("scheduler", 10, &filter).unwrap();
        let mut found: Vec<&str> = hits.iter().map(|hit| hit.id.as_str()).collect();
        found.sort_unstable();
        assert_eq!(found, expected, "{attrs:?}");
        assert!(
            hits.iter()
                .all(|hit| hit.score > 0.0 && hit.path.ends_with(".md"))
        );
    }
}
