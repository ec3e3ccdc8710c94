//! `amend`, `edit_if_unchanged` and `suggest`: what changes a memory, and what is refused.

use acreta_service::find::show::Status;
use acreta_service::remember::add::NoteAuthor;
use acreta_service::remember::amend::{
    Amendment, ConditionalEdit, Edit, Suggestion, amend, edit_if_unchanged, suggest,
};
use acreta_service::{Kind, projects::scopes};

use crate::world::{World, agent, assert_fails, note};

fn title(text: &str) -> Amendment {
    Amendment::Edit(Edit {
        title: Some(text.to_owned()),
        ..Edit::default()
    })
}

fn change(
    world: &World,
    ids: &[&str],
    amendment: &Amendment,
) -> Result<Vec<bool>, acreta_service::Failure> {
    let context = world.context();
    let ids: Vec<String> = ids.iter().map(|id| (*id).to_owned()).collect();
    let amended = amend(&ids, amendment, &scopes::configured(&context)?, &context)?;
    Ok(amended.into_iter().map(|one| one.changed).collect())
}

#[test]
fn several_are_changed_together_and_each_says_whether_it_was() {
    let world = World::new();
    let ids: Vec<String> = [
        "Deploys go out on Tuesdays",
        "Tags are signed",
        "Logs are JSON",
    ]
    .iter()
    .map(|title| world.note(title, "insight"))
    .collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let changed = change(&world, &ids[1..2], &Amendment::Archive).unwrap();
    assert_eq!(changed, [true]);
    let changed = change(&world, &ids, &Amendment::Archive).unwrap();
    assert_eq!(changed, [true, false, true]);
    let changed = change(&world, &ids, &Amendment::Restore).unwrap();
    assert_eq!(changed, [true, true, true]);
    for id in &ids {
        assert_eq!(world.row(id).status, Status::Active);
    }
    let nobody = "01K00000000000000000000000";
    assert!(change(&world, &[ids[0], nobody], &Amendment::Archive).is_err());
    assert_eq!(world.row(ids[0]).status, Status::Active);
}

#[test]
fn amendments_change_what_they_say_and_only_once() {
    const TITLE: &str = "Deploys go out on Tuesday mornings";
    use Amendment::{Archive, Confirm, Dismiss, Reject, Restore};
    /// Amendments with whether each changes something; then status, trust and title.
    type AmendCase = (
        Vec<(Amendment, bool)>,
        &'static str,
        &'static str,
        &'static str,
    );
    let table: Vec<AmendCase> = vec![
        (vec![(Confirm, false)], "active", "confirmed", TITLE),
        (
            vec![
                (title("Deploys wait for Tuesday"), true),
                (title("Deploys wait for Tuesday"), false),
            ],
            "active",
            "confirmed",
            "Deploys wait for Tuesday",
        ),
        (
            vec![(Archive, true), (Archive, false)],
            "archived",
            "confirmed",
            TITLE,
        ),
        (
            vec![(Archive, true), (Restore, true), (Restore, false)],
            "active",
            "confirmed",
            TITLE,
        ),
        (vec![(Dismiss, false)], "active", "confirmed", TITLE),
        (vec![(Reject, true)], "archived", "confirmed", TITLE),
    ];
    for (amendments, status, trust, expected) in table {
        let world = World::new();
        let id = world.note(TITLE, "insight");
        let case = format!("{amendments:?}");
        for (amendment, changes) in &amendments {
            let changed = change(&world, &[&id], amendment).unwrap();
            assert_eq!(changed, [*changes], "{case}: {amendment:?}");
        }
        let row = world.row(&id);
        assert_eq!(row.title, expected, "{case}");
        assert_eq!(
            row.status == Status::Active,
            status == "active",
            "{case}: {row:?}"
        );
        if status == "active" {
            assert_eq!(row.trust.name(), trust, "{case}");
        }
    }
}

#[test]
fn an_amendment_that_cannot_be_made_changes_nothing() {
    let world = World::new();
    let id = world.note("Deploys go out on Tuesday mornings", "insight");
    let other = world.note("Port 8080 belongs to the proxy", "pitfall");
    let before = world.active();
    let missing = [(&*id, "nothing-has-this-id"), ("nothing-has-this-id", &*id)];
    for (first, second) in missing {
        let result = change(&world, &[first, second], &Amendment::Archive);
        assert_fails(result, Kind::Missing, "nothing-has-this-id");
    }
    // Ids of the same moment have the same start.
    let shared = id
        .bytes()
        .zip(other.bytes())
        .take_while(|(left, right)| left == right);
    let prefix = &id[..shared.count()];
    if !prefix.is_empty() {
        let result = change(&world, &[prefix], &Amendment::Archive);
        assert_fails(result, Kind::Usage, "matches 2 memories");
    }
    let accept = change(&world, &[&id], &Amendment::Accept(1));
    assert_fails(accept, Kind::Refused, "it has no proposals");
    let text = Amendment::Text("no front matter".to_owned());
    assert!(change(&world, &[&id], &text).is_err());
    assert_eq!(world.active(), before);
}

#[test]
fn an_edit_counts_for_the_text_that_the_editor_saw() {
    let world = World::new();
    let id = world.note("Deploys go out on Tuesday mornings", "insight");
    let context = world.context();
    let scopes = scopes::configured(&context).unwrap();
    let seen = scopes::find_in(&context, &scopes, &id).unwrap().memory;
    let edit = |text: &str, digest: &str| {
        let edit = ConditionalEdit {
            title: Some(text.to_owned()),
            body: None,
            kind: None,
            tags: Some(vec![" b".to_owned(), "a".to_owned(), "b".to_owned()]),
            expected_digest: digest.to_owned(),
        };
        edit_if_unchanged(&id, &edit, &context)
    };
    assert!(edit("Deploys wait", &seen.digest).unwrap().changed);
    let now = scopes::find_in(&context, &scopes, &id).unwrap().memory;
    assert_ne!(now.digest, seen.digest);
    assert_fails(
        edit("Deploys never wait", &seen.digest),
        Kind::Changed,
        &format!("its digest is now {}", now.digest),
    );
    assert_eq!(world.row(&id).title, "Deploys wait");
    assert_eq!(world.row(&id).tags, ["a", "b"]);
    assert!(edit("Deploys never wait", &now.digest).unwrap().changed);
}

/// An agent changes its own memory, and proposes changes to a person's.
#[test]
fn an_agent_suggests_and_a_person_decides() {
    use Suggestion::{Archive, Doubt};
    // Author and suggestion; whether the memory is active afterwards, and its number of proposals.
    let table = [
        (NoteAuthor::Person, Archive, true, 1),
        (NoteAuthor::Person, Doubt, true, 1),
        (agent(), Archive, false, 0),
    ];
    for (author, suggestion, in_use, proposals) in table {
        let world = World::new();
        let request = note("Deploys go out on Tuesday mornings", "insight", author);
        let id = world.remember(&request).unwrap().id.unwrap();
        let case = format!("{:?} {suggestion:?}", request.author);
        suggest(&id, suggestion, &world.context()).unwrap();
        let row = world.row(&id);
        assert_eq!(row.status == Status::Active, in_use, "{case}: {row:?}");
        assert_eq!(row.proposals, proposals, "{case}");
        if proposals > 0 {
            assert_eq!(change(&world, &[&id], &Amendment::Dismiss).unwrap(), [true]);
            assert_eq!(world.row(&id).proposals, 0, "{case}");
        }
    }
}
