//! Projects, trust in their settings, reviews of others, and what `doctor` finds.

use acreta_service::overview::doctor::{Health, doctor};
use acreta_service::remember::add::WriteScope;
use acreta_service::{Kind, projects::registry, remember::trust};

use crate::world::{World, assert_fails};

#[test]
fn a_project_is_registered_until_it_is_removed() {
    let world = World::new();
    let context = world.context();
    let root = context.project.clone();
    assert_eq!(registry::list(&context).unwrap().projects, []);
    for expected in [true, false] {
        assert_eq!(registry::add(&context, &root).unwrap().1, expected);
    }
    let listed = registry::list(&context).unwrap().projects;
    let rows: Vec<_> = listed
        .iter()
        .map(|row| (&row.root, row.registered, row.exists))
        .collect();
    assert_eq!(rows, [(&root, true, true)]);
    assert_eq!(registry::remove(&context, None).unwrap(), root);
    let listed = registry::list(&context).unwrap().projects;
    assert!(listed.iter().all(|row| !row.registered), "{listed:?}");

    let elsewhere = world.path("nowhere");
    let unknown = registry::remove(&context, Some(&elsewhere));
    assert_fails(unknown, Kind::Missing, "nowhere");
    assert_fails(
        registry::root_of(&context, Some(&elsewhere)),
        Kind::Usage,
        "nowhere",
    );
    let home = registry::root_of(&context, Some(&world.path("user")));
    assert_fails(home, Kind::Failure, "the home folder is not a project");
}

#[test]
fn trust_in_a_project_is_given_and_taken_back() {
    let world = World::new();
    let table = [(true, true), (true, false), (false, true), (false, false)];
    for (is_trusted, changes) in table {
        let changed = registry::trust(&world.context(), is_trusted).unwrap();
        assert_eq!(changed, changes, "{is_trusted}");
        let context = world.context();
        assert_eq!(context.trust.is_trusted(&context.project), is_trusted);
    }
}

#[test]
fn confirmations_are_handed_on_under_a_name() {
    let world = World::new();
    world.note("Deploys go out on Tuesday mornings", "insight");
    world.note("Port 8080 belongs to the proxy", "pitfall");
    let exported = trust::export(WriteScope::Project, &world.context());
    assert_eq!(exported.lines().count(), 2, "{exported}");
    assert_eq!(trust::export(WriteScope::Global, &world.context()), "");

    let accept =
        |text: &str, name: &str| trust::import(text, name, WriteScope::Project, &world.context());
    for name in ["", "  ", "a\u{202e}b", &"n".repeat(101)] {
        assert_fails(accept(&exported, name), Kind::Usage, "--reviewer");
    }
    // All accepted words, and those for texts that exist here.
    let elsewhere = exported.replace("\"memory\":\"", "\"memory\":\"0");
    for (text, words, reviewed) in [
        ("", 0, 0),
        ("not a word\n", 0, 0),
        (&*elsewhere, 2, 0),
        (&*exported, 2, 2),
    ] {
        let accepted = accept(text, " Mira ").unwrap();
        assert_eq!(accepted.reviewer, "Mira");
        assert_eq!(
            (accepted.words, accepted.reviewed),
            (words, reviewed),
            "{text}"
        );
    }
}

#[test]
fn the_doctor_names_what_is_wrong() {
    // A change to the home or the project; the check that reports it, its severity, and its message.
    type DoctorCase = (fn(&World), &'static str, Health, &'static str);
    let table: [DoctorCase; 4] = [
        (|_| {}, "catalog", Health::Fine, "state"),
        (
            |world| {
                world.write("home/state.db", &"no database at all ".repeat(100));
            },
            "catalog",
            Health::Broken,
            "state",
        ),
        (
            |world| {
                world.write("home/config.toml", "[search]\nfavourite = \"blue\"\n");
            },
            "settings",
            Health::Warning,
            "favourite",
        ),
        (
            |world| {
                world.note("Releases are tagged by Jenkins", "convention");
                world.note("Releases are tagged by CI", "convention");
            },
            "memory",
            Health::Warning,
            "contradicts the older",
        ),
    ];
    for (harm, name, health, says) in table {
        let world = World::new();
        harm(&world);
        let checks = doctor(&world.context()).unwrap();
        let found = checks
            .iter()
            .find(|check| check.name == name && check.health == health);
        let found = found.unwrap_or_else(|| panic!("{name}: {checks:?}"));
        assert!(found.message.contains(says), "{found:?}");
        let others = checks.iter().filter(|check| check.name != name);
        let is_broken =
            |check: &acreta_service::overview::doctor::Check| check.health == Health::Broken;
        assert!(!others.into_iter().any(is_broken), "{checks:?}");
        assert!(health == Health::Fine || found.hint.is_some(), "{found:?}");
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a repository that is thrown away"
)]
#[test]
fn a_repository_in_the_place_of_another_is_noticed_by_the_next_request() {
    let world = World::new();
    let root = world.context().project;
    let commit = |message: &str| {
        for arguments in [
            &["init", "--quiet"][..],
            &["commit", "--quiet", "--allow-empty", "--message", message],
        ] {
            let done = std::process::Command::new("git")
                .args(["-c", "user.name=a", "-c", "user.email=a@example.com"])
                .args(arguments)
                .current_dir(&root)
                .env("GIT_CONFIG_GLOBAL", "/dev/null")
                .status();
            assert!(done.unwrap().success(), "git {arguments:?}");
        }
    };
    commit("one");
    registry::add(&world.context(), &root).unwrap();
    // What lies still for longer than a tick of the clock is not opened again.
    std::thread::sleep(std::time::Duration::from_millis(60));
    for _ in 0..2 {
        assert!(!world.context().layout(&root).is_closed());
    }
    commit("two");
    assert!(!world.context().layout(&root).is_closed());
    std::fs::remove_dir_all(root.join(".git")).unwrap();
    assert!(!world.context().layout(&root).is_closed());
    commit("another one");
    assert!(world.context().layout(&root).is_closed());
}
