//! `purge`: a source is removed from memory, queue and catalog, and nothing else is.

use acreta_service::remember::add::WriteScope;
use acreta_service::remember::import::{Format, Import, import};
use acreta_service::remember::purge::{Purge, purge};
use acreta_service::{Kind, learn::queue, overview::status};

use crate::world::{World, assert_fails};

const NOTES: &str = "# Notes\n\n- The staging database is reset every Sunday night.\n- Port 8080 belongs to the proxy on build machines.\n";

fn imported(world: &World) -> usize {
    let request = Import {
        paths: vec![world.write("notes.md", NOTES)],
        format: Format::Auto,
        scope: WriteScope::Project,
        dry_run: false,
    };
    let imported = import(&request, &world.context()).unwrap();
    imported.files[0].notes
}

fn source(name: &str, dry_run: bool) -> Purge {
    Purge {
        source: Some(name.to_owned()),
        dry_run,
        ..Purge::default()
    }
}

#[test]
fn a_purge_names_its_source() {
    let world = World::new();
    let nothing = purge(&Purge::default(), &world.context());
    assert_fails(nothing, Kind::Usage, "no source to purge was given");
    let since = Purge {
        since: Some("the day before".to_owned()),
        ..Purge::default()
    };
    assert_fails(
        purge(&since, &world.context()),
        Kind::Usage,
        "the day before",
    );
}

#[test]
fn an_imported_file_goes_and_a_persons_note_stays() {
    let world = World::new();
    let own = world.note("Deploys go out on Tuesday mornings", "insight");
    let notes = imported(&world);
    let before = world.active();
    assert_eq!(before.len(), notes + 1, "{before:?}");

    let other = purge(&source("other.md", false), &world.context()).unwrap();
    assert_eq!(other.scopes.len(), 0, "{other:?}");
    let tried = purge(&source("notes.md", true), &world.context()).unwrap();
    assert_eq!(tried.scopes[0].report.memories_removed.len(), notes);
    assert_eq!(world.active(), before, "a dry run changes nothing");

    let purged = purge(&source("notes.md", false), &world.context()).unwrap();
    assert_eq!(purged.scopes[0].scope, "project");
    assert_eq!(purged.scopes[0].report.memories_removed.len(), notes);
    let left: Vec<_> = world.active().into_iter().map(|row| row.id).collect();
    assert_eq!(left, [own]);
    let again = purge(&source("notes.md", false), &world.context()).unwrap();
    assert_eq!(again.scopes.len(), 0, "{again:?}");
}

#[test]
fn a_session_goes_from_the_queue_too() {
    // The given name, and the removed sessions.
    let table: [(&str, &[&str]); 4] = [
        ("s1", &["claude/s1"]),
        ("claude/s2", &["claude/s2"]),
        ("codex/s1", &[]),
        ("s3", &[]),
    ];
    for (named, expected) in table {
        let world = World::new();
        world.enqueue("s1");
        world.enqueue("s2");
        let request = |dry_run| Purge {
            session: Some(named.to_owned()),
            dry_run,
            ..Purge::default()
        };
        for dry_run in [true, false] {
            let purged = purge(&request(dry_run), &world.context()).unwrap();
            assert_eq!(purged.sessions, expected, "{named}");
            assert_eq!(purged.jobs_removed, expected.len() as u64, "{named}");
        }
        let all = queue::QueueRequest {
            state: None,
            limit: 100,
        };
        let left = queue::list(&all, &world.context()).unwrap().jobs.len();
        assert_eq!(left, 2 - expected.len(), "{named}");
        let known: u64 = status::status(&world.context())
            .unwrap()
            .sessions
            .iter()
            .map(|line| line.sessions)
            .sum();
        assert_eq!(known, left as u64, "{named}");
    }
}
