//! Queries of the dashboard: lists with facets, a memory's history, a project's history, home, and settings as a form.

use acreta_service::find::pages::{FacetCount, ListRequest, ListScope, MemorySort, list};
use acreta_service::find::provenance::provenance;
use acreta_service::find::timeline::{TimelineKind, TimelineRequest, timeline};
use acreta_service::overview::home::{HomeRequest, home};
use acreta_service::projects::scopes::MemoryScope;
use acreta_service::{Kind, projects::configure, projects::registry, remember::amend};
use acreta_types::{MemoryType, Status};
use serde_json::json;

use crate::world::World;

/// Id, kind, day of the last change, tags, folder.
const MEMORIES: &[(&str, &str, u8, &str, &str)] = &[
    ("a", "", 1, "queue", "summaries"),
    ("b", "insight", 9, "queue, retry", "learnings"),
    ("c", "pitfall", 2, "retry", "learnings"),
    ("d", "", 3, "queue", "decisions"),
    ("e", "", 4, "queue", "archived/decisions"),
    ("f", "convention", 5, "", "learnings"),
];

fn text(id: &str, kind: &str, day: u8, tags: &str) -> String {
    let kind = match kind {
        "" => String::new(),
        kind => format!("kind: {kind}\n"),
    };
    format!(
        "---\nid: {id}\ntitle: T {id}\n{kind}created: 2026-01-0{day}T00:00:00Z\nupdated: 2026-01-0{day}T00:00:00Z\n\
         source: person\nconfidence: 0.8\ntags: [{tags}]\nrelated: []\n---\n\nbody of {id}\n"
    )
}

fn filled() -> World {
    let world = World::new();
    let context = world.context();
    registry::add(&context, &context.project).unwrap();
    for (id, kind, day, tags, folder) in MEMORIES {
        let path = format!("project/.acreta/memory/{folder}/{id}.md");
        world.write(&path, &text(id, kind, *day, tags));
    }
    world
}

fn request() -> ListRequest {
    ListRequest {
        scope: Some(ListScope::Project),
        limit: 10,
        ..ListRequest::default()
    }
}

/// Returns the ids in order, one letter each, and the total number.
fn listed(world: &World, request: &ListRequest) -> (String, u64) {
    let page = list(request, &world.context()).unwrap();
    let ids = page.memories.iter().map(|one| one.id.as_str());
    (ids.collect(), page.total)
}

#[test]
fn a_list_has_what_fits_in_its_order_and_in_pages() {
    let some = |text: &str| Some(text.to_owned());
    let by = |sort| ListRequest { sort, ..request() };
    let table = [
        (request(), "bfdca", 5),
        (by(MemorySort::Rank), "fdcba", 5),
        (by(MemorySort::Title), "abcdf", 5),
        (
            ListRequest {
                offset: 1,
                limit: 2,
                ..by(MemorySort::Rank)
            },
            "dc",
            5,
        ),
        (
            ListRequest {
                tag: some("queue"),
                ..request()
            },
            "bda",
            3,
        ),
        (
            ListRequest {
                kind: some("pitfall"),
                ..request()
            },
            "c",
            1,
        ),
        (
            ListRequest {
                tag: some("nobody has it"),
                ..request()
            },
            "",
            0,
        ),
        (
            ListRequest {
                status: Some(Status::Archived),
                ..request()
            },
            "e",
            1,
        ),
        (
            ListRequest {
                text: some("t F"),
                ..request()
            },
            "f",
            1,
        ),
    ];
    let world = filled();
    for (request, ids, total) in table {
        let found = listed(&world, &request);
        assert_eq!(found, (ids.to_owned(), total), "{request:?}");
    }
}

#[test]
fn a_facet_counts_what_its_filter_would_leave_with_the_others_as_they_are() {
    let world = filled();
    let context = world.context();
    let facets = |request: ListRequest| {
        let request = ListRequest {
            facets: true,
            ..request
        };
        list(&request, &context).unwrap().facets.unwrap()
    };
    let shown = |counts: &[FacetCount]| -> String {
        let counts = counts.iter().filter(|count| count.memories > 0);
        let counts = counts.map(|count| format!("{} {}, ", count.value, count.memories));
        counts.collect()
    };
    let narrow = facets(ListRequest {
        memory_type: Some(MemoryType::Learning),
        tag: Some("retry".to_owned()),
        ..request()
    });
    assert_eq!(shown(&narrow.types), "learning 2, ");
    assert_eq!(shown(&narrow.kinds), "insight 1, pitfall 1, ");
    assert_eq!(shown(&narrow.tags), "retry 2, queue 1, ");
    let all = facets(request());
    assert_eq!(shown(&all.types), "decision 1, learning 3, summary 1, ");
    assert_eq!(shown(&all.statuses), "active 5, archived 1, ");
}

#[test]
#[expect(clippy::disallowed_methods, reason = "somebody else changes the files")]
fn a_list_sees_what_comes_goes_and_is_replaced() {
    let world = filled();
    assert_eq!(listed(&world, &request()).0, "bfdca");
    let path = world.write(
        "project/.acreta/memory/decisions/g.md",
        &text("g", "", 8, "new"),
    );
    assert_eq!(listed(&world, &request()).0, "bgfdca");
    let other = world.write("other.md", &text("g", "", 1, "new"));
    std::fs::rename(other, &path).unwrap();
    assert_eq!(listed(&world, &request()).0, "bfdcga");
    std::fs::remove_file(path).unwrap();
    assert_eq!(listed(&world, &request()).0, "bfdca");
    let context = world.context();
    let scopes = [MemoryScope::project(&context)];
    amend::amend(
        &["d".to_owned()],
        &amend::Amendment::Reject,
        &scopes,
        &context,
    )
    .unwrap();
    assert_eq!(listed(&world, &request()).0, "bfca");
}

#[test]
fn the_history_has_decisions_learnings_and_rejections_and_home_counts_them() {
    let world = filled();
    let context = world.context();
    let scopes = [MemoryScope::project(&context)];
    amend::amend(
        &["d".to_owned()],
        &amend::Amendment::Reject,
        &scopes,
        &context,
    )
    .unwrap();
    let asked = |kind| TimelineRequest {
        kind,
        offset: 0,
        limit: 10,
    };
    let all = timeline(&asked(None), &context).unwrap();
    let shown =
        |entries: &[acreta_service::find::timeline::TimelineEntry]| -> Vec<(TimelineKind, String)> {
            let entries = entries.iter();
            entries
                .map(|entry| (entry.kind, entry.title.clone()))
                .collect()
        };
    assert_eq!(
        shown(&all.entries),
        [
            (TimelineKind::Learning, "T b".to_owned()),
            (TimelineKind::Learning, "T f".to_owned()),
            (TimelineKind::Rejected, "T d".to_owned()),
            (TimelineKind::Learning, "T c".to_owned()),
        ]
    );
    assert_eq!((all.total, all.counts.learnings), (4, 3));
    let rejected = timeline(&asked(Some(TimelineKind::Rejected)), &context).unwrap();
    assert_eq!((rejected.total, rejected.counts.learnings), (1, 3));

    let home = home(&HomeRequest::default(), &context).unwrap();
    let counts = home.memories;
    assert_eq!(
        (
            counts.active,
            counts.decisions,
            counts.learnings,
            counts.summaries
        ),
        (4, 0, 3, 1)
    );
    assert_eq!(
        (home.learnt.total, home.leaving.total, home.spend),
        (0, 0, None)
    );
}

#[test]
fn a_memory_tells_its_texts_and_its_use() {
    let world = World::new();
    let id = world.note("The queue is in SQLite.", "convention");
    let context = world.context();
    let scopes = [MemoryScope::project(&context)];
    let before = provenance(&id, &scopes, &context).unwrap();
    assert_eq!((before.versions.len(), before.used.briefs), (1, 0));
    let edit = amend::Edit {
        body: Some("The queue is in files.".to_owned()),
        ..amend::Edit::default()
    };
    amend::amend(
        std::slice::from_ref(&id),
        &amend::Amendment::Edit(edit),
        &scopes,
        &context,
    )
    .unwrap();
    let after = provenance(&id, &scopes, &context).unwrap();
    assert_eq!(after.versions.len(), 2, "{after:?}");
    assert!(
        after.versions[0].diff.contains("+The queue is in files."),
        "{after:?}"
    );
    assert_eq!(after.versions[1].diff, "");
}

#[test]
fn a_form_sets_numbers_switches_and_words_and_nothing_that_names_something() {
    let world = World::new();
    for (key, value, refusal) in [
        ("hooks.learn", json!(false), None),
        ("llm.budget.day_calls", json!(7), None),
        ("memory.scope", json!("project_only"), None),
        ("memory.scope", json!("anywhere"), Some(Kind::Usage)),
        ("hooks.learn", json!("perhaps"), Some(Kind::Usage)),
        (
            "llm.roles.extract.provider",
            json!("x"),
            Some(Kind::Refused),
        ),
        ("llm.providers.x.command", json!("sh"), Some(Kind::Refused)),
        ("sync.exclude", json!(["/"]), Some(Kind::Refused)),
        ("hooks.learn", json!({}), Some(Kind::Refused)),
        ("no.such.setting", json!(1), Some(Kind::Usage)),
    ] {
        let request = configure::NewSetting {
            key: key.to_owned(),
            value,
        };
        let written = configure::set_plain(&request, &world.context());
        assert_eq!(written.err().map(|failure| failure.kind), refusal, "{key}");
    }
    let form = configure::form(&world.context());
    let row = |key: &str| form.settings.iter().find(|row| row.key == key).unwrap();
    assert_eq!(row("llm.budget.day_calls").value, Some(json!(7)));
    assert!(row("llm.budget.day_calls").plain && !row("sync.exclude").plain);
    assert_eq!(row("hooks.learn").choices, ["true", "false"]);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "the test removes the folder")]
fn home_history_and_list_of_all_projects_say_whose_each_memory_is() {
    let world = filled();
    world.context_of("other");
    world.context_of("gone");
    world.write(
        "other/.acreta/memory/decisions/o.md",
        &text("o", "", 6, "queue"),
    );
    std::fs::remove_dir_all(world.path("gone")).unwrap();
    let context = world.everywhere();
    let path = world.path("other").into_string();
    assert_eq!(
        home(&HomeRequest::default(), &world.context())
            .unwrap()
            .memories
            .active,
        5
    );
    let counts = home(&HomeRequest::default(), &context).unwrap().memories;
    assert_eq!((counts.active, counts.decisions), (6, 2));
    let all = ListRequest {
        scope: None,
        ..request()
    };
    let page = list(&all, &context).unwrap();
    let scopes: Vec<(&str, &str)> = page
        .memories
        .iter()
        .map(|one| (one.id.as_str(), one.scope.as_str()))
        .collect();
    assert_eq!(scopes[..2], [("b", "project"), ("o", path.as_str())]);
    let asked = TimelineRequest {
        limit: 10,
        ..TimelineRequest::default()
    };
    let entries = timeline(&asked, &context).unwrap().entries;
    let of_other = entries.iter().filter(|entry| entry.scope == path);
    assert_eq!((entries.len(), of_other.count()), (5, 1));
}

/// A session without a title of its own has that of its summary; an id says nothing to a person.
#[test]
fn a_session_that_is_about_to_be_deleted_has_a_title() {
    let world = filled();
    let session = "0b1c7d2e-aaaa-4bbb-8ccc-000000000001";
    world.enqueue(session);
    let title = || {
        let leaving = home(&HomeRequest::default(), &world.everywhere())
            .unwrap()
            .leaving;
        assert_eq!(leaving.total, 1);
        leaving.sessions[0].title.clone()
    };
    assert_eq!(title(), None);
    let evidence = json!({"id": "a", "contributions": [{
        "agent": "claude", "session_id": session, "run_id": "r", "events": 1, "last_ms": 1, "newest_ms": 1,
        "created_ms": 1, "evidence": [],
        "candidate": {"type": "summary", "kind": "", "title": "T a", "body": "", "confidence": 1.0, "tags": []},
    }]});
    let path = "project/.acreta/meta/evidence/a.json";
    world.write(path, &evidence.to_string());
    world.write(
        "project/.acreta/memory/summaries/z.md",
        &text("z", "", 9, ""),
    );
    assert_eq!(title().as_deref(), Some("T a"));
}
