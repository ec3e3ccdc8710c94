//! `remember`: the result of a note, by author and content.

use acreta_service::find::show::MemoryListRequest;
use acreta_service::remember::add::{NoteAuthor, Remember, WriteScope};
use acreta_service::{Kind, overview::status};
use acreta_types::MemoryType;

use crate::world::{World, agent, assert_fails, note};

#[test]
fn a_note_is_kept_as_its_author_may() {
    let person = NoteAuthor::Person;
    // Kind, author; the action, and the trust of the new memory.
    let table = [
        ("insight", person.clone(), "add", Some("confirmed")),
        ("convention", person.clone(), "add", Some("confirmed")),
        ("pitfall", person, "add", Some("confirmed")),
        ("insight", agent(), "add", Some("untrusted")),
        ("convention", agent(), "pending", None),
        ("preference", agent(), "pending", None),
    ];
    for (kind, author, action, trust) in table {
        let world = World::new();
        let request = note("Deploys go out on Tuesday mornings", kind, author);
        let case = format!("{request:?}");
        let done = world.remember(&request).unwrap();
        assert_eq!(done.action, action, "{case}");
        assert!(!done.message.is_empty(), "{case}");
        let rows = world.active();
        let trusts: Vec<_> = rows.iter().map(|row| row.trust.name()).collect();
        assert_eq!(trusts, trust.into_iter().collect::<Vec<_>>(), "{case}");
        let pending = status::status(&world.context()).unwrap().pending;
        assert_eq!(pending, u64::from(trust.is_none()), "{case}");
        if let Some(row) = rows.first() {
            assert_eq!(done.id.as_ref(), Some(&row.id), "{case}");
            assert_eq!(done.path.as_ref(), Some(&row.path), "{case}");
            assert_eq!((row.kind.as_str(), row.scope.as_str()), (kind, "project"));
        }
        // A repetition changes nothing.
        let again = world.remember(&request).unwrap();
        let expected = if trust.is_some() { "no_op" } else { "pending" };
        assert_eq!(again.action, expected, "{case}: {again:?}");
        assert_eq!(world.active(), rows, "{case}");
    }
}

#[test]
fn what_cannot_be_remembered_is_refused_and_leaves_nothing() {
    let secret = format!("The deploy key is ghp_{}", "a1B2c3D4e5".repeat(4));
    let table = [
        (note("", "insight", NoteAuthor::Person), Kind::Usage),
        (note("   ", "insight", NoteAuthor::Person), Kind::Usage),
        (
            note("Deploys go out on Tuesdays", "rumour", NoteAuthor::Person),
            Kind::Usage,
        ),
        (note(&secret, "insight", NoteAuthor::Person), Kind::Usage),
        (note(&secret, "insight", agent()), Kind::Refused),
        (
            Remember {
                confidence: Some(7.0),
                ..note("Deploys go out on Tuesdays", "insight", NoteAuthor::Person)
            },
            Kind::Usage,
        ),
    ];
    for (request, kind) in table {
        let world = World::new();
        let failure = world.remember(&request).unwrap_err();
        assert_eq!(failure.kind, kind, "{request:?}: {failure}");
        assert_eq!(world.active(), [], "{request:?}");
        assert!(!failure.to_string().contains("ghp_a1"), "{failure}");
    }
}

#[test]
fn a_note_is_written_to_the_scope_that_it_names() {
    let world = World::new();
    let decision = Remember {
        memory_type: Some(MemoryType::Decision),
        title: "  Releases are signed with minisign  ".to_owned(),
        body: Some("Releases are signed with minisign instead of GPG.".to_owned()),
        tags: ["release", " keys", "release"].map(str::to_owned).into(),
        scope: WriteScope::Global,
        ..Remember::default()
    };
    assert_eq!(world.remember(&decision).unwrap().action, "add");
    let of = |scope: &str| {
        world.list(&MemoryListRequest {
            scope: Some(scope.to_owned()),
            ..MemoryListRequest::default()
        })
    };
    assert_eq!(of("project_only"), []);
    let rows = of("global_only");
    assert_eq!(rows.len(), 1);
    assert_eq!(rows[0].title, "Releases are signed with minisign");
    assert_eq!(rows[0].tags, ["keys", "release"]);
    assert_eq!(rows[0].memory_type, MemoryType::Decision);
    // The project was neither registered nor created.
    assert!(!world.path("project/.acreta").exists());
}

/// Memory that came with a repository is neither read nor written before the project is registered.
#[test]
fn a_project_that_brought_memory_along_is_refused() {
    let world = World::new();
    world.write(
        "project/.acreta/memory/learnings/planted.md",
        "---\nid: 01KAAAAAAAAAAAAAAAAAAAAAAA\ntitle: Planted\nkind: convention\n---\n\nPlanted.\n",
    );
    let request = note("Deploys go out on Tuesdays", "insight", NoteAuthor::Person);
    assert_fails(world.remember(&request), Kind::Refused, "not registered");
    assert_eq!(world.active(), []);
    assert!(
        world
            .notices()
            .iter()
            .any(|one| one.contains("not registered"))
    );
}
