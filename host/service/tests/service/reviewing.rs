//! `review`: what waits for a person, the effect of each decision before and after it is made, and undo.

use acreta_service::Kind;
use acreta_service::find::show::{Status, Trust};
use acreta_service::projects::scopes;
use acreta_service::remember::add::{WriteScope, remember};
use acreta_service::remember::amend::{Amendment, Suggestion, amend, suggest};
use acreta_service::remember::purge::{Purge, purge};
use acreta_service::review::conflicts::conflicts;
use acreta_service::review::{
    ReviewAction, ReviewDecision, ReviewEdit, ReviewItem, ReviewKind, ReviewReport, decide, list,
    show, undo, waiting,
};

use crate::world::{World, agent, assert_fails, note};

const DEPLOYS: &str = "Deploys go out on Tuesday mornings";
const JENKINS: &str = "Releases are tagged by Jenkins";
const CI: &str = "Releases are tagged by CI";

/// An untrusted memory, a pending record, a proposal and a conflict.
fn everything() -> World {
    let world = World::new();
    untrusted(&world, DEPLOYS);
    world
        .remember(&note("Always rebase before merging", "convention", agent()))
        .unwrap();
    let held = world.note("Port 8080 belongs to the proxy", "pitfall");
    suggest(&held, Suggestion::Doubt, &world.context()).unwrap();
    world.note(JENKINS, "convention");
    world.note(CI, "convention");
    world
}

fn untrusted(world: &World, title: &str) -> String {
    let kept = world.remember(&note(title, "insight", agent())).unwrap();
    kept.id.unwrap()
}

fn items(world: &World) -> Vec<ReviewItem> {
    list(&world.context()).unwrap().items
}

fn item(world: &World, kind: ReviewKind) -> ReviewItem {
    let mut items = items(world).into_iter();
    items.find(|item| item.kind == kind).unwrap()
}

fn decision(id: &str, action: ReviewAction) -> ReviewDecision {
    ReviewDecision {
        id: id.to_owned(),
        action,
        keep: None,
        edit: None,
    }
}

fn make(world: &World, decisions: &[ReviewDecision]) -> ReviewReport {
    decide(decisions, false, &world.context()).unwrap()
}

/// Returns every file of the project's memory and of the user's trust records, with its text.
fn files(world: &World) -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut folders = vec![world.path("project/.acreta"), world.path("home/trust")];
    while let Some(folder) = folders.pop() {
        let Ok(entries) = folder.read_dir_utf8() else {
            continue;
        };
        for entry in entries {
            let path = entry.unwrap().path().to_owned();
            match path.is_dir() {
                // Index and journals of commits are not memory.
                true if path.ends_with("index") || path.ends_with("workspace") => {}
                true => folders.push(path),
                false => {
                    let text = acreta_service::read_text(&path, 1_000_000).unwrap();
                    // Trust records have no order. That a text was learnt here stays known.
                    let is_words = path.extension() == Some("jsonl");
                    let mut lines: Vec<&str> = text.split('\n').collect();
                    if is_words {
                        lines.retain(|line| !line.contains("\"learnt\":"));
                        lines.sort_unstable();
                    }
                    found.push((path.to_string(), lines.join("\n")));
                }
            }
        }
    }
    found.sort();
    found
}

#[test]
fn everything_that_waits_is_listed_with_the_reason_and_its_evidence() {
    let world = World::new();
    assert_eq!(list(&world.context()).unwrap().items, []);
    let world = everything();
    let queue = list(&world.context()).unwrap();
    let rows: Vec<_> = queue
        .items
        .iter()
        .map(|item| (item.kind, item.title.as_str()))
        .collect();
    assert_eq!(
        rows,
        [
            (ReviewKind::Conflict, CI),
            (ReviewKind::Proposal, "Port 8080 belongs to the proxy"),
            (ReviewKind::Pending, "Always rebase before merging"),
            (ReviewKind::Untrusted, DEPLOYS),
        ]
    );
    assert_eq!(queue.waiting.total, 4);
    assert_eq!(queue.waiting, waiting(&world.context()).unwrap());
    let whys = [
        "contradicts",
        "an agent would archive it",
        "only a person",
        "an agent noted it",
    ];
    for (item, why) in queue.items.iter().zip(whys) {
        assert!(item.why.contains(why), "{item:?}");
        let detail = show(&item.id, &world.context()).unwrap();
        assert_eq!(detail.item, *item);
        assert!(!detail.evidence.is_empty(), "{item:?}");
        for effect in &detail.effects {
            assert_eq!(effect.problem, None, "{effect:?}");
            assert!(!effect.summary.is_empty(), "{effect:?}");
        }
        assert_eq!(
            items(&world),
            queue.items,
            "the same texts have the same ids"
        );
    }
    assert_fails(
        show("u-nothing", &world.context()),
        Kind::Missing,
        "u-nothing",
    );
    assert_fails(show("", &world.context()), Kind::Missing, "no waiting item");
}

/// Each decision with the titles that are active afterwards, and a sentence of its effect.
#[test]
fn a_decision_does_what_its_preview_said_and_undo_takes_it_back() {
    use ReviewAction::{Accept, Edit, Merge, Reject, Supersede};
    use ReviewKind::{Conflict, Pending, Proposal, Untrusted};
    type DecisionCase = (
        ReviewKind,
        ReviewAction,
        &'static [&'static str],
        &'static [&'static str],
        &'static str,
    );
    const REBASE: &str = "Always rebase before merging";
    const PORT: &str = "Port 8080 belongs to the proxy";
    const NEW: &str = "In the reviewer's own words";
    let table: [DecisionCase; 13] = [
        (
            Untrusted,
            Accept,
            &[],
            &[],
            "becomes confirmed (untrusted until now)",
        ),
        (Untrusted, Edit, &[NEW], &[DEPLOYS], "becomes confirmed"),
        (Untrusted, Reject, &[], &[DEPLOYS], "does not bring it back"),
        (Pending, Accept, &[REBASE], &[], "becomes a memory"),
        (Pending, Edit, &[NEW], &[], "becomes a memory"),
        (Pending, Reject, &[], &[], "does not become memory"),
        (Proposal, Accept, &[], &[PORT], "goes into the archive"),
        (Proposal, Reject, &[], &[], "stays"),
        (Conflict, Accept, &[], &[], "confirmed by you"),
        (Conflict, Edit, &[NEW], &[CI], "confirmed by you"),
        (Conflict, Reject, &[], &[CI], "leaves memory"),
        (Conflict, Merge, &[], &[JENKINS], "goes into the archive"),
        (Conflict, Supersede, &[], &[JENKINS], "is superseded"),
    ];
    for (kind, action, come, gone, says) in table {
        let case = format!("{kind:?} {action:?}");
        let world = everything();
        let titles = || -> Vec<String> {
            let rows = world.active().into_iter();
            let rows = rows.filter(|row| row.status == Status::Active);
            let mut titles: Vec<String> = rows.map(|row| row.title).collect();
            titles.sort();
            titles
        };
        let (before, queue, all) = (titles(), items(&world), files(&world));
        let chosen = item(&world, kind);
        let decision = ReviewDecision {
            edit: (action == Edit).then(|| ReviewEdit {
                title: Some(NEW.to_owned()),
                ..ReviewEdit::default()
            }),
            ..decision(&chosen.id, action)
        };
        let wanted = std::slice::from_ref(&decision);
        let preview = decide(wanted, true, &world.context()).unwrap();
        assert_eq!(
            (preview.failed(), preview.dry_run),
            (0, true),
            "{case}: {preview:?}"
        );
        assert_eq!(files(&world), all, "{case}: a preview changes nothing");
        let report = make(&world, wanted);
        assert_eq!(report.failed(), 0, "{case}: {report:?}");
        assert_eq!(
            report.decisions[0].effect, preview.decisions[0].effect,
            "{case}"
        );
        let told = report.decisions[0].effect.summary.join("\n");
        assert!(told.contains(says), "{case}: {told}");
        let mut expected: Vec<String> = before
            .iter()
            .filter(|title| !gone.contains(&title.as_str()))
            .cloned()
            .collect();
        expected.extend(come.iter().map(|title| (*title).to_owned()));
        expected.sort();
        assert_eq!(titles(), expected, "{case}");
        assert!(
            items(&world).iter().all(|item| item.id != chosen.id),
            "{case}"
        );
        let again = make(&world, wanted);
        assert_eq!(again.failed(), 1, "{case}: decided once");

        let undone = undo(&world.context()).unwrap();
        assert_eq!(undone.undone.len(), 1, "{case}");
        assert_eq!(undone.undone[0].id, chosen.id, "{case}");
        assert_eq!(files(&world), all, "{case}: byte for byte");
        assert_eq!(items(&world), queue, "{case}");
        assert_fails(undo(&world.context()), Kind::Missing, "no decision to undo");
    }
}

#[test]
fn the_reviewers_word_makes_confirmed() {
    let world = everything();
    let decisions: Vec<ReviewDecision> = items(&world)
        .iter()
        .filter(|item| item.kind != ReviewKind::Proposal)
        .map(|item| decision(&item.id, ReviewAction::Accept))
        .collect();
    let report = make(&world, &decisions);
    assert_eq!(report.failed(), 0, "{report:?}");
    assert_eq!((report.waiting.total, report.waiting.proposals), (1, 1));
    for row in world.active() {
        assert_eq!(row.trust, Trust::Confirmed, "{row:?}");
    }
    // Applies to these texts only: another wording opens the conflict again, and both sides of it are used.
    assert_eq!(
        conflicts(WriteScope::Project, &world.context()).unwrap(),
        []
    );
    let undone = undo(&world.context()).unwrap();
    assert_eq!(undone.undone.len(), 3, "a batch is taken back whole");
    assert_eq!(undone.waiting.total, 4);
}

#[test]
fn a_decision_counts_for_the_text_that_was_read() {
    let world = World::new();
    let id = untrusted(&world, DEPLOYS);
    let seen = item(&world, ReviewKind::Untrusted);
    let path = world
        .path("project/.acreta/memory")
        .join(&world.row(&id).path);
    let text = acreta_service::read_text(&path, 1_000_000).unwrap();
    let changed = text.replace("Tuesday", "Friday");
    world.write(
        path.strip_prefix(world.path("")).unwrap().as_str(),
        &changed,
    );
    let report = make(&world, &[decision(&seen.id, ReviewAction::Accept)]);
    assert_eq!(report.failed(), 1, "{report:?}");
    assert_eq!(world.row(&id).trust, Trust::Untrusted);
    assert_ne!(item(&world, ReviewKind::Untrusted).id, seen.id);
}

#[test]
fn what_makes_no_sense_is_refused_and_stops_no_other_decision() {
    let world = everything();
    let of = |kind| item(&world, kind).id;
    let merge = |keep: &str| ReviewDecision {
        keep: Some(keep.to_owned()),
        ..decision(&of(ReviewKind::Untrusted), ReviewAction::Merge)
    };
    let conflict = ReviewDecision {
        keep: Some("elsewhere".to_owned()),
        ..decision(&of(ReviewKind::Conflict), ReviewAction::Supersede)
    };
    let bad = [
        (
            decision("p-000000000000", ReviewAction::Accept),
            "no waiting item",
        ),
        (
            decision(&of(ReviewKind::Pending), ReviewAction::Merge),
            "not possible for a pending item",
        ),
        (
            decision(&of(ReviewKind::Untrusted), ReviewAction::Merge),
            "needs the memory",
        ),
        (
            decision(&of(ReviewKind::Untrusted), ReviewAction::Edit),
            "needs the new text",
        ),
        (merge("elsewhere"), "there is no memory"),
        (conflict, "not part of this conflict"),
    ];
    let mut decisions: Vec<ReviewDecision> = bad.iter().map(|(one, _)| one.clone()).collect();
    decisions.push(decision(&of(ReviewKind::Untrusted), ReviewAction::Accept));
    let report = make(&world, &decisions);
    for (one, (_, says)) in report.decisions.iter().zip(&bad) {
        assert!(one.message.contains(says), "{one:?}");
    }
    assert_eq!(report.failed(), bad.len());
    assert_eq!(report.waiting.untrusted, 0);
    assert_eq!(undo(&world.context()).unwrap().undone.len(), 1);
}

/// Two proposals for one memory are two decisions: accepting one changes the text that the other is about.
#[test]
fn decisions_of_one_request_see_each_other() {
    use ReviewAction::{Accept, Reject};
    let table = [
        (Reject, Reject, [None, None], 0),
        (Accept, Reject, [None, Some("has changed since")], 0),
        (Reject, Accept, [None, None], 0),
    ];
    for (first, second, problems, waiting) in table {
        let case = format!("{first:?} {second:?}");
        let world = World::new();
        let held = world.note("Port 8080 belongs to the proxy", "pitfall");
        let state = format!("project/.acreta/meta/memories/{held}.json");
        let mut text: serde_json::Value = serde_json::from_str(
            &acreta_service::read_text(&world.path(&state), 1_000_000).unwrap(),
        )
        .unwrap();
        let proposal = |title: &str| {
            serde_json::json!({
                "run_id": "sync-1", "operation": "update", "title": title, "body": format!("{title}."),
                "kind": "pitfall", "tags": [], "confidence": 0.8, "reason": "said so",
            })
        };
        text["proposals"] = serde_json::json!([
            proposal("Port 8081 belongs to the proxy"),
            proposal("Port 8082 belongs to the proxy"),
        ]);
        world.write(&state, &text.to_string());
        let queue = items(&world);
        assert_eq!(queue.len(), 2, "{case}: {queue:?}");
        let proposed = |item: &ReviewItem| item.memories[1].title.clone();
        let (one, other) = match proposed(&queue[0]).contains("8081") {
            true => (&queue[0], &queue[1]),
            false => (&queue[1], &queue[0]),
        };
        let report = make(
            &world,
            &[decision(&one.id, first), decision(&other.id, second)],
        );
        let found: Vec<bool> = report
            .decisions
            .iter()
            .map(|one| one.effect.problem.is_some())
            .collect();
        let expected: Vec<bool> = problems.iter().map(Option::is_some).collect();
        assert_eq!(found, expected, "{case}: {report:?}");
        for (one, problem) in report.decisions.iter().zip(problems) {
            assert!(
                one.message.contains(problem.unwrap_or_default()),
                "{case}: {one:?}"
            );
        }
        let title = world.row(&held).title;
        let port = match (first, second) {
            (Accept, _) => "8081",
            (_, Accept) => "8082",
            _ => "8080",
        };
        assert!(title.contains(port), "{case}: {title}");
        let left = report.waiting.total;
        assert_eq!(left, waiting + u64::from(first == Accept), "{case}");
    }
}

#[test]
fn an_untrusted_memory_is_merged_into_the_one_that_the_reviewer_names() {
    let world = World::new();
    let held = world.note("Deploys go out on Tuesdays before noon", "insight");
    let id = untrusted(&world, "The staging proxy listens on port 8080");
    let merge = ReviewDecision {
        keep: Some(held.clone()),
        ..decision(&item(&world, ReviewKind::Untrusted).id, ReviewAction::Merge)
    };
    let report = make(&world, &[merge]);
    assert_eq!(report.failed(), 0, "{report:?}");
    assert_ne!(world.row(&id).status, Status::Active);
    assert_eq!(world.row(&held).trust, Trust::Confirmed);
    assert_eq!(items(&world), []);
}

#[test]
fn undo_leaves_what_somebody_changed_since() {
    let world = World::new();
    let id = untrusted(&world, DEPLOYS);
    make(
        &world,
        &[decision(
            &item(&world, ReviewKind::Untrusted).id,
            ReviewAction::Reject,
        )],
    );
    let context = world.context();
    let scopes = scopes::configured(&context).unwrap();
    amend(&[id], &Amendment::Restore, &scopes, &context).unwrap();
    let before = files(&world);
    assert!(undo(&world.context()).is_err());
    assert_eq!(files(&world), before);
}

#[test]
fn a_purge_leaves_nothing_to_undo() {
    let world = World::new();
    untrusted(&world, DEPLOYS);
    make(
        &world,
        &[decision(
            &item(&world, ReviewKind::Untrusted).id,
            ReviewAction::Reject,
        )],
    );
    let request = Purge {
        agent: Some(acreta_pipeline::CLIENT.to_owned()),
        ..Purge::default()
    };
    purge(&request, &world.context()).unwrap();
    assert_fails(undo(&world.context()), Kind::Missing, "no decision to undo");
    for database in ["home/state.db", "home/state.db-wal"] {
        let bytes = std::fs::read(world.path(database)).unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        assert!(!text.contains("Tuesday mornings"), "{database}");
    }
}

/// One queue, one request and one undo for all projects; each decision is written to the project of its item.
#[test]
fn the_items_of_all_projects_are_decided_and_taken_back_together() {
    let world = World::new();
    let other = world.context_of("other");
    let own = untrusted(&world, DEPLOYS);
    let theirs = remember(&note("Tests need a clock", "insight", agent()), &other).unwrap();
    let rebase = note("Always rebase before merging", "convention", agent());
    remember(&rebase, &other).unwrap();
    assert_eq!(items(&world).len(), 1);
    let queue = list(&world.everywhere()).unwrap();
    let path = world.path("other").into_string();
    let found: Vec<(&str, &str)> = queue
        .items
        .iter()
        .map(|item| (item.scope.as_str(), item.title.as_str()))
        .collect();
    let mut expected = [
        (path.as_str(), "Always rebase before merging"),
        ("project", DEPLOYS),
        (path.as_str(), "Tests need a clock"),
    ];
    expected[1..].sort_by_key(|row| found.iter().position(|other| other == row));
    assert_eq!(found, expected);
    assert_eq!(waiting(&world.everywhere()).unwrap(), queue.waiting);
    for item in &queue.items {
        assert_eq!(show(&item.id, &world.everywhere()).unwrap().item, *item);
    }
    let decisions: Vec<ReviewDecision> = queue
        .items
        .iter()
        .map(|item| decision(&item.id, ReviewAction::Accept))
        .collect();
    let report = decide(&decisions, false, &world.everywhere()).unwrap();
    assert_eq!(
        (report.failed(), report.waiting.total),
        (0, 0),
        "{report:?}"
    );
    let trust = |id: &str, context: &acreta_service::Context| {
        let scopes = [scopes::MemoryScope::project(context)];
        let found = scopes::find_in(context, &scopes, id).unwrap();
        found.memory.trust().name()
    };
    assert_eq!(trust(&own, &world.context()), "confirmed");
    assert_eq!(trust(theirs.id.as_ref().unwrap(), &other), "confirmed");
    assert_eq!(list(&other).unwrap().items, []);
    assert_eq!(undo(&world.everywhere()).unwrap().undone.len(), 3);
    assert_eq!(list(&world.everywhere()).unwrap().items, queue.items);
    assert_eq!(list(&other).unwrap().items.len(), 2);
}
