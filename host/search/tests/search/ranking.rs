//! Ranking: which memories match which words, in which order, and explanations.

use acreta_search::{Access, Filter, Query};
use acreta_store::{Rung, Status, Trust};
use acreta_types::MemoryType;

use crate::support::{MemorySpec, NOW, Project, ids, ids_of};

fn library() -> Project {
    Project::with(&[
        MemorySpec {
            id: "retry",
            folder: "decisions",
            title: "Three tries, then the dead letter box",
            body: "The constant retry_budget in src/queue/lease.rs is 3. A job that fails with ENOSPC is not retried.",
            tags: "queue, reliability",
            ..MemorySpec::default()
        },
        MemorySpec {
            id: "borrow",
            title: "Error E0425 in generated code",
            body: "Run the build script first; parseHTTPHeader comes from it.",
            kind: "pitfall",
            tags: "build",
            ..MemorySpec::default()
        },
        MemorySpec {
            id: "pin",
            title: "Pin tantivy",
            body: "We stay on tantivy 0.27.0 because 0.26 changed the format on disk.",
            kind: "convention",
            tags: "build, search",
            ..MemorySpec::default()
        },
        MemorySpec {
            id: "umlaut",
            title: "Größe der Datenbank",
            body: "日本語 names are allowed. The migration of the database takes an hour.",
            ..MemorySpec::default()
        },
    ])
}

#[test]
fn words_find_memories() {
    let project = library();
    let index = project.index();
    // A query and its best hit; `None` if nothing matches.
    let cases = [
        ("retry_budget", Some("retry")),
        ("retry budget", Some("retry")),
        ("retries", Some("retry")),
        ("how often do we retry a failing job?", Some("retry")),
        ("lease.rs", Some("retry")),
        ("src/queue/lease.rs", Some("retry")),
        ("enospc", Some("retry")),
        ("E0425", Some("borrow")),
        ("parseHTTPHeader", Some("borrow")),
        ("http header", Some("borrow")),
        ("0.27.0", Some("pin")),
        ("tantivy version", Some("pin")),
        ("reliability", Some("retry")),
        ("convention", Some("pin")),
        ("größe", Some("umlaut")),
        ("日本語", Some("umlaut")),
        ("databases", Some("umlaut")),
        // Quoted words in this order.
        ("\"dead letter\"", Some("retry")),
        ("\"letter dead\"", None),
        ("\"retry budget\"", Some("retry")),
        // Incomplete words.
        ("tanti*", Some("pin")),
        ("relia", Some("retry")),
        // One typing error.
        ("databse", Some("umlaut")),
        ("migartion", Some("umlaut")),
        ("tantivvy", Some("pin")),
        ("E0426", None),
        ("zebra", None),
        ("", None),
        ("?!", None),
    ];
    for (text, expected) in cases {
        let found = ids(&index, text, NOW);
        assert_eq!(
            found.first().map(String::as_str),
            expected,
            "{text}: {found:?}"
        );
    }
}

#[test]
fn filters_leave_out_what_does_not_pass() {
    let project = library();
    project.add(&MemorySpec {
        id: "old",
        folder: "archived/learnings",
        title: "Build with make",
        ..MemorySpec::default()
    });
    project.add(&MemorySpec {
        id: "replaced",
        title: "Build with ninja",
        updated: "2026-03-01T00:00:00Z",
        ..MemorySpec::default()
    });
    project.set_state("replaced", |state| {
        state.status = Status::Superseded;
        state.superseded_by = Some("pin".to_owned());
    });
    project.give_word("pin", Rung::Confirmed);
    let index = project.index();
    let march = 1_772_323_200_000;
    let any = |change: fn(&mut Filter)| {
        let mut filter = Filter::default();
        change(&mut filter);
        filter
    };
    let set = |value: &str| std::iter::once(value.to_owned()).collect();
    let cases: Vec<(Filter, Vec<&str>)> = vec![
        (Filter::default(), vec!["borrow", "pin"]),
        (
            any(|filter| filter.statuses = [Status::Active, Status::Archived].into()),
            vec!["borrow", "old", "pin"],
        ),
        (
            any(|filter| filter.statuses = [Status::Active, Status::Superseded].into()),
            vec!["borrow", "pin", "replaced"],
        ),
        (
            Filter {
                types: [MemoryType::Decision].into(),
                ..Filter::default()
            },
            vec![],
        ),
        (
            Filter {
                kinds: set("pitfall"),
                ..Filter::default()
            },
            vec!["borrow"],
        ),
        (
            Filter {
                kinds: set("unheard of"),
                ..Filter::default()
            },
            vec![],
        ),
        (
            Filter {
                tags: set("search"),
                ..Filter::default()
            },
            vec!["pin"],
        ),
        (
            Filter {
                tags: ["search".to_owned(), "queue".to_owned()].into(),
                ..Filter::default()
            },
            vec![],
        ),
        (
            Filter {
                trusts: [Trust::Grounded, Trust::Confirmed].into(),
                ..Filter::default()
            },
            vec!["pin"],
        ),
        (
            Filter {
                since_ms: Some(march),
                statuses: [Status::Active, Status::Superseded].into(),
                ..Filter::default()
            },
            vec!["replaced"],
        ),
        (
            Filter {
                until_ms: Some(march),
                ..Filter::default()
            },
            vec!["borrow", "pin"],
        ),
        (
            Filter {
                agents: set("claude"),
                ..Filter::default()
            },
            vec![],
        ),
    ];
    for (filter, expected) in cases {
        let query = Query {
            filter: filter.clone(),
            ..Query::new("build")
        };
        let mut found = ids_of(&index.search(&query, NOW).unwrap());
        found.sort();
        assert_eq!(found, expected, "{filter:?}");
    }
    let all = Query {
        filter: any(|filter| {
            filter.statuses = Status::ALL.into();
        }),
        ..Query::new("ninja make tantivy")
    };
    for hit in index.search(&all, NOW).unwrap().hits {
        let expected = match hit.id.as_str() {
            "old" => (Status::Archived, Trust::Untrusted),
            "replaced" => (Status::Superseded, Trust::Untrusted),
            "pin" => (Status::Active, Trust::Confirmed),
            // Found by a synonym.
            _ => (Status::Active, Trust::Untrusted),
        };
        assert_eq!((hit.status, hit.trust), expected, "{}", hit.id);
    }
}

#[test]
fn among_equals_newer_surer_and_more_used_come_first() {
    let twin = |id, updated, confidence| MemorySpec {
        id,
        title: "Flush before exit",
        body: "The log is flushed before the process exits.",
        updated,
        confidence,
        ..MemorySpec::default()
    };
    let (old, new) = ("2026-01-01T00:00:00Z", "2026-09-01T00:00:00Z");
    let now = 1_788_912_000_000;
    let cases = [
        (twin("a", old, 0.8), twin("b", new, 0.8), None),
        (twin("a", new, 0.4), twin("b", new, 0.9), None),
        (
            twin("a", new, 0.8),
            twin("b", new, 0.8),
            Some(Access {
                count: 9,
                last_ms: now,
                helped: 0.0,
            }),
        ),
        (
            twin("a", new, 0.8),
            twin("b", new, 0.8),
            Some(Access {
                helped: 0.5,
                ..Access::default()
            }),
        ),
    ];
    for (left, right, access) in cases {
        let project = Project::with(&[left, right]);
        let query = Query {
            accesses: access
                .map(|access| ("b".to_owned(), access))
                .into_iter()
                .collect(),
            ..Query::new("flush log")
        };
        assert_eq!(
            ids_of(&project.index().search(&query, now).unwrap()),
            ["b", "a"]
        );
    }
}

#[test]
fn a_title_weighs_more_than_a_mention() {
    let filler = "Some more words about other things that fill the text up to a similar length. ";
    let mentions = format!("{filler}{filler}The scheduler is mentioned here once.");
    let project = Project::with(&[
        MemorySpec {
            id: "mention",
            title: "Something else entirely",
            body: &mentions,
            ..MemorySpec::default()
        },
        MemorySpec {
            id: "title",
            title: "The scheduler and its clock",
            body: filler,
            ..MemorySpec::default()
        },
    ]);
    assert_eq!(
        ids(&project.index(), "scheduler", NOW),
        ["title", "mention"]
    );
}

#[test]
fn a_long_memory_is_found_by_the_passage_that_answers() {
    let filler =
        "Nothing of interest happened in this part of the session and it went on. ".repeat(12);
    let body = format!("{filler}\n\nThe heron was taught to fetch parcels.\n\n{filler}");
    let project = Project::with(&[
        MemorySpec {
            id: "long",
            title: "A long day",
            body: &body,
            ..MemorySpec::default()
        },
        MemorySpec {
            id: "short",
            title: "Other birds",
            body: "A sparrow fetches nothing.",
            ..MemorySpec::default()
        },
    ]);
    let found = project
        .index()
        .search(&Query::new("heron parcels"), NOW)
        .unwrap();
    let hit = &found.hits[0];
    assert_eq!(hit.id, "long");
    let marked: Vec<&str> = hit
        .snippet
        .marks
        .iter()
        .map(|mark| &hit.snippet.text[mark.clone()])
        .collect();
    assert_eq!(marked, ["heron", "parcels"]);
}

#[test]
fn an_explanation_adds_up() {
    let project = library();
    let query = Query {
        explain: true,
        ..Query::new("retry budget lease")
    };
    let found = project.index().search(&query, NOW).unwrap();
    let hit = &found.hits[0];
    let parts = hit.explanation.as_ref().unwrap();
    let total = (parts.memory + parts.passage + parts.next)
        * parts.recency
        * parts.confidence
        * parts.access;
    assert!((total - hit.score).abs() < 1e-3, "{parts:?}");
    let terms: Vec<&str> = parts.terms.iter().map(|part| part.term.as_str()).collect();
    assert_eq!(terms, ["retri", "budget", "leas"]);
    assert!(
        project
            .index()
            .search(&Query::new("retry"), NOW)
            .unwrap()
            .hits[0]
            .explanation
            .is_none()
    );
}

#[test]
fn pages_go_on_where_the_one_before_ended() {
    let days: Vec<String> = (0..60)
        .map(|number| {
            format!(
                "2026-{:02}-{:02}T00:00:00Z",
                1 + number / 28,
                1 + number % 28
            )
        })
        .collect();
    let ids: Vec<String> = (0..60).map(|number| format!("q{number:02}")).collect();
    let memories: Vec<MemorySpec<'_>> = (0..60)
        .map(|number| MemorySpec {
            id: &ids[number],
            title: "The queue has a rule",
            body: "The queue keeps it in a table.",
            updated: &days[number],
            ..MemorySpec::default()
        })
        .collect();
    let project = Project::with(&memories);
    let index = project.index();
    let first = |limit: usize| -> Vec<String> {
        let query = Query {
            limit,
            ..Query::new("queue")
        };
        let hits = index.search(&query, NOW).unwrap().hits;
        hits.into_iter().map(|hit| hit.id).collect()
    };
    let all = first(40);
    for limit in 1..40 {
        assert_eq!(first(limit), all[..limit], "the first {limit}");
    }
}

#[test]
fn decisions_come_before_summaries_unless_somebody_asks_what_happened() {
    let project = Project::with(&[
        MemorySpec {
            id: "sum",
            folder: "summaries",
            title: "Cache",
            body: "The cache lies in memory.",
            ..MemorySpec::default()
        },
        MemorySpec {
            id: "dec",
            folder: "decisions",
            title: "Cache",
            body: "The cache lies in memory, not on disk.",
            ..MemorySpec::default()
        },
    ]);
    let index = project.index();
    assert_eq!(ids(&index, "where is the cache", NOW)[0], "dec");
    assert_eq!(ids(&index, "what happened to the cache", NOW)[0], "sum");
    project.set_state("dec", |state| state.stale = true);
    let found = index.search(&Query::new("cache"), NOW).unwrap();
    let stale: Vec<bool> = found.hits.iter().map(|hit| hit.is_stale).collect();
    assert_eq!(ids_of(&found), ["sum", "dec"]);
    assert_eq!(stale, [false, true]);
}

#[test]
fn the_heading_above_a_passage_is_found_with_it() {
    let filler = "Nothing of note is said here, again and again. ".repeat(12);
    let body = format!("# Guide\n{filler}\n## Windows\n{filler}\nThe installer needs a restart.");
    let project = Project::with(&[MemorySpec {
        id: "guide",
        title: "Notes",
        body: &body,
        ..MemorySpec::default()
    }]);
    let found = project
        .index()
        .search(&Query::new("windows restart"), NOW)
        .unwrap();
    assert!(found.hits[0].snippet.text.contains("restart"));
}
