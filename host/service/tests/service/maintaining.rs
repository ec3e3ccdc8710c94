//! `maintain`, `undo` and `conflicts`: what is reported, what is recorded, and what a dry run leaves alone.

use acreta_pipeline::TodoState;
use acreta_service::remember::add::WriteScope;
use acreta_service::remember::amend::{Amendment, amend};
use acreta_service::remember::maintain::{Maintain, Progress, maintain, undo};
use acreta_service::review::conflicts::conflicts;
use acreta_service::{Kind, learn::runs, projects::scopes};

use crate::world::{World, assert_fails};

struct Silent;

impl Progress for Silent {
    fn step(&self, _step: &'static str, _state: TodoState) {}
}

#[test]
fn a_conflict_is_told_until_one_side_is_put_away() {
    let world = World::new();
    let (older, newer) = (
        "Releases are tagged by Jenkins",
        "Releases are tagged by CI",
    );
    assert_eq!(
        conflicts(WriteScope::Project, &world.context()).unwrap(),
        []
    );
    let id = world.note(older, "convention");
    world.note("Deploys go out on Tuesday mornings", "insight");
    assert_eq!(
        conflicts(WriteScope::Project, &world.context()).unwrap(),
        []
    );
    world.note(newer, "convention");
    let found = conflicts(WriteScope::Project, &world.context()).unwrap();
    let titles: Vec<_> = found
        .iter()
        .map(|one| (&*one.older.title, &*one.newer.title))
        .collect();
    assert_eq!(titles, [(older, newer)]);
    assert_eq!(conflicts(WriteScope::Global, &world.context()).unwrap(), []);

    let report = maintain(&Maintain::default(), &world.context(), &Silent).unwrap();
    assert_eq!(report.conflicts, found, "maintenance tells the same");
    let context = world.context();
    let scopes = scopes::configured(&context).unwrap();
    amend(&[id], &Amendment::Archive, &scopes, &context).unwrap();
    assert_eq!(
        conflicts(WriteScope::Project, &world.context()).unwrap(),
        []
    );
}

#[test]
fn a_maintenance_is_recorded_and_a_dry_run_is_not() {
    let world = World::new();
    world.note("Deploys go out on Tuesday mornings", "insight");
    let before = world.active();
    for (dry_run, recorded) in [(true, 0), (false, 1), (true, 1)] {
        let request = Maintain {
            dry_run,
            ..Maintain::default()
        };
        let report = maintain(&request, &world.context(), &Silent).unwrap();
        assert_eq!(report.dry_run, dry_run);
        assert_eq!(report.conflicts, []);
        let request = runs::RunListRequest {
            limit: 10,
            ..Default::default()
        };
        let runs = runs::list(&request, &world.context()).unwrap().runs;
        assert_eq!(runs.len(), recorded, "{runs:?}");
        assert_eq!(world.active(), before);
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let world = World::new();
    world.note("Deploys go out on Tuesday mornings", "insight");
    let since = Maintain {
        since: Some("the day before".to_owned()),
        ..Maintain::default()
    };
    let result = maintain(&since, &world.context(), &Silent);
    assert_fails(
        result.map(|report| report.run_id),
        Kind::Usage,
        "the day before",
    );
    let result = undo("maintain-nothing", WriteScope::Project, &world.context());
    assert!(result.is_err());
}
