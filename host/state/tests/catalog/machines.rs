//! Several machines on one server: paths are a machine's own, projects and sessions are the team's. Without PostgreSQL
//! each of these tests reports that it was skipped.

use acreta_state::{
    Catalog, CatalogOptions, ClaimFilter, FileOutcome, LeaseClock, PendingSighting, SessionFilter,
    SessionState, TaskState,
};
use acreta_types::Identity;

use crate::server::{TestSchema, TestServer};
use crate::support::{
    MINUTE, NOW, discovery, enqueue, find, job, key, known, project, session, wanted,
};

fn on(schema: &TestSchema, machine: &str) -> Catalog {
    let options = CatalogOptions {
        lease_clock: LeaseClock::Caller,
        ..CatalogOptions::default()
    };
    Catalog::connect(&schema.server().for_machine(machine), options).unwrap()
}

fn identity(root_commit: &str, remote: &str) -> Identity {
    let part = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Identity {
        root_commit: part(root_commit),
        remote: part(remote),
    }
}

#[test]
fn a_project_is_the_same_one_on_machines_that_agree_on_root_commit_and_remote() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let app = identity("c0ffee", "git.example/app");
    let cases = [
        ("both", app.clone(), app.clone(), true),
        (
            "fork",
            app.clone(),
            identity("c0ffee", "git.example/fork"),
            false,
        ),
        ("template", app, identity("beef", "git.example/app"), false),
        (
            "no remote",
            identity("c0ffee", ""),
            identity("c0ffee", ""),
            false,
        ),
        (
            "no commit",
            identity("", "git.example/app"),
            identity("", "git.example/app"),
            false,
        ),
        ("neither", Identity::default(), Identity::default(), false),
    ];
    for (name, at_anns, at_bobs, is_shared) in cases {
        let schema = server.schema();
        let (ann, bob) = (on(&schema, "ann"), on(&schema, "bob"));
        let at_anns_identity = at_anns.clone();
        let at_anns = ann.register("/home/ann/app".into(), &at_anns, NOW).unwrap();
        let at_bobs = bob
            .note_project("/home/bob/app".into(), &at_bobs, NOW)
            .unwrap();
        assert_eq!(at_anns.id == at_bobs.id, is_shared, "{name}");
        assert_eq!(at_anns.root, "/home/ann/app");
        assert_eq!(at_bobs.root, "/home/bob/app");
        // Only the user of a machine registers what is on it.
        assert!(at_anns.registered && !at_bobs.registered, "{name}");
        assert_eq!(ann.projects().unwrap(), [at_anns]);
        assert_eq!(bob.projects().unwrap(), [at_bobs]);
        assert_eq!(bob.project_at("/home/ann/app".into()).unwrap(), None);
        let both = at_anns_identity.root_commit.is_some() && at_anns_identity.remote.is_some();
        let expected = usize::from(both) + usize::from(both && !is_shared);
        let shared = on(&schema, "worker").team_projects().unwrap();
        assert_eq!(shared.len(), expected, "{name}");
        assert!(
            shared
                .iter()
                .all(|one| !both || one.name() == "app" || one.name() == "fork")
        );
    }
}

#[test]
fn two_clones_on_one_machine_are_two_projects_and_an_identity_may_come_later() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let (ann, bob) = (on(&schema, "ann"), on(&schema, "bob"));
    let app = identity("c0ffee", "git.example/app");
    let first = ann
        .register("/a/one".into(), &Identity::default(), NOW)
        .unwrap();
    let first_again = ann.register("/a/one".into(), &app, NOW).unwrap();
    assert_eq!(first.id, first_again.id);
    let second = ann.register("/a/two".into(), &app, NOW).unwrap();
    assert_ne!(first.id, second.id);
    let bobs = bob.register("/b/app".into(), &app, NOW).unwrap();
    assert_eq!(bobs.id, first.id, "the first clone owns the identity");
}

#[test]
fn a_machine_forgets_only_its_own_files() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let (ann, bob) = (on(&schema, "ann"), on(&schema, "bob"));
    let path = "/home/dev/.claude/same.jsonl";
    ann.record(
        "claude",
        &[discovery(path, 10, vec![session("a", "r1", 5)])],
        NOW,
    )
    .unwrap();
    bob.record(
        "claude",
        &[discovery(path, 10, vec![session("b", "r1", 5)])],
        NOW,
    )
    .unwrap();

    // Each machine has its own state of the same path, and the path's sessions on the other stay.
    for (catalog, own, other) in [(&ann, "a", "b"), (&bob, "b", "a")] {
        let seen = catalog.seen_files("claude").unwrap();
        assert_eq!(seen[path].outcome, FileOutcome::Sessions);
        assert!(known(catalog, own).is_here && !known(catalog, other).is_here);
        let to_archive = catalog.sessions_to_archive().unwrap();
        assert!(to_archive.iter().map(|one| &one.session.id).eq([own]));
        let own_sessions = catalog.sessions(&SessionFilter {
            here: true,
            ..SessionFilter::default()
        });
        let all = catalog.sessions(&SessionFilter::default()).unwrap();
        assert_eq!((own_sessions.unwrap(), all.len()), (to_archive, 2));
        assert_eq!(catalog.not_archived().unwrap()["claude"], 1);
    }
    assert_eq!(bob.forget_files("claude", &[path], NOW).unwrap(), 1);
    assert_eq!(known(&ann, "a").gone_ms, None);
    assert_eq!(known(&ann, "b").gone_ms, Some(NOW));
    assert_eq!(ann.seen_files("claude").unwrap().len(), 1);
    assert!(bob.seen_files("claude").unwrap().is_empty());

    // A session that continues on another machine moves there, and its cursor does not.
    bob.record(
        "claude",
        &[discovery(path, 20, vec![session("a", "r2", 9)])],
        NOW,
    )
    .unwrap();
    assert!(known(&bob, "a").is_here && !known(&ann, "a").is_here);
    assert_eq!(known(&bob, "a").cursor, None);
}

#[test]
fn a_job_is_claimed_with_the_path_of_the_machine_that_claims_it() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let (ann, worker) = (on(&schema, "ann"), on(&schema, "worker"));
    let app = identity("c0ffee", "git.example/app");
    let project = ann.register("/home/ann/app".into(), &app, NOW).unwrap();
    let id = enqueue(&ann, "s", project.id, "r1", 1);

    let own = ClaimFilter {
        here: true,
        ..ClaimFilter::default()
    };
    assert_eq!(worker.claim("w", MINUTE, NOW, &own).unwrap(), None);
    let elsewhere = job(&worker, &id);
    assert!(elsewhere.project_root.as_str().starts_with("elsewhere:"));

    worker
        .register("/srv/clones/app".into(), &app, NOW)
        .unwrap();
    let any = ClaimFilter::default();
    let lease = worker.claim("w", MINUTE, NOW, &any).unwrap().unwrap();
    assert_eq!(lease.project_root, "/srv/clones/app");
    assert_eq!(job(&ann, &id).project_root, "/home/ann/app");
    assert_eq!(ann.claim("a", MINUTE, NOW, &own).unwrap(), None);

    // After the lease it is Ann's again.
    let later = NOW + 2 * MINUTE;
    let again = ann.claim("a", MINUTE, later, &own).unwrap().unwrap();
    assert_eq!(again.project_root, "/home/ann/app");
    assert!(!worker.check(&lease).unwrap());
}

#[test]
fn a_machine_that_unregisters_a_project_cancels_only_its_own_jobs() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let (ann, bob) = (on(&schema, "ann"), on(&schema, "bob"));
    let app = identity("c0ffee", "git.example/app");
    let id = ann.register("/home/ann/app".into(), &app, NOW).unwrap().id;
    bob.register("/home/bob/app".into(), &app, NOW).unwrap();
    let (anns, bobs) = (
        enqueue(&ann, "a", id, "r1", 1),
        enqueue(&bob, "b", id, "r1", 2),
    );
    ann.unregister("/home/ann/app".into(), NOW)
        .unwrap()
        .unwrap();
    assert_eq!(job(&ann, &anns).state, TaskState::Cancelled);
    assert_eq!(job(&bob, &bobs).state, TaskState::Queued);
    assert!(
        bob.project_at("/home/bob/app".into())
            .unwrap()
            .unwrap()
            .registered
    );
    find(&bob, "c", "r1", 3);
    bob.assign(&[(key("c"), Some(id))]).unwrap();
    assert_eq!(known(&bob, "c").state, SessionState::New);
    assert_eq!(known(&ann, "c").state, SessionState::Waiting);
}

#[test]
fn one_machine_that_is_done_does_not_speak_for_another() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let (ann, bob) = (on(&schema, "ann"), on(&schema, "bob"));
    ann.settle("ann is done").unwrap();
    assert_eq!(ann.settled().unwrap().as_deref(), Some("ann is done"));
    assert_eq!(bob.settled().unwrap(), None);
    find(&bob, "b", "r1", 1);
    assert_eq!(ann.settled().unwrap(), None);
}

#[test]
fn a_teams_project_shares_what_was_set_aside_and_equal_paths_do_not() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let (ann, bob) = (on(&schema, "ann"), on(&schema, "bob"));
    let said = |catalog: &Catalog, folder: &str, id: &str| {
        let sighting = PendingSighting {
            id: id.to_owned(),
            agent: "claude".to_owned(),
            session: "s".to_owned(),
            event: "1".to_owned(),
            quote: "we deploy on Fridays".to_owned(),
            kind: "fact".to_owned(),
            title: "Deploys".to_owned(),
            contribution: "{}".to_owned(),
        };
        catalog
            .keep_pending(folder, &key("s"), &[sighting], &[], NOW)
            .unwrap();
    };
    let count =
        |catalog: &Catalog, folder: &str| catalog.pending_records(folder, NOW).unwrap().len();

    let app = identity("c0ffee", "git.example/app");
    ann.register("/a/app".into(), &app, NOW).unwrap();
    bob.register("/b/app".into(), &app, NOW).unwrap();
    said(&ann, "/a/app/.acreta", "shared");
    assert_eq!(count(&bob, "/b/app/.acreta"), 1);
    assert_eq!(
        bob.purge_pending_of("/b/app/.acreta").unwrap(),
        0,
        "it is the team's"
    );

    project(&ann, "/same/path");
    project(&bob, "/same/path");
    said(&ann, "/same/path/.acreta", "own");
    assert_eq!(count(&ann, "/same/path/.acreta"), 1);
    assert_eq!(count(&bob, "/same/path/.acreta"), 0);
    assert_eq!(ann.purge_pending_of("/same/path/.acreta").unwrap(), 1);
}

/// A database of schema 1 belongs to the machine that migrates it, and loses nothing.
#[test]
fn a_database_of_one_machine_is_migrated() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let first = include_str!("../../src/backend/postgres/schema/00-first.sql");
    let rows = "
        INSERT INTO schema_version VALUES (1);
        INSERT INTO projects (root, root_commit, remote, registered, added_ms) VALUES
            ('/a/app', 'c0ffee', 'git.example/app', TRUE, 1),
            ('/a/clone', 'c0ffee', 'git.example/app', FALSE, 2), ('/a/notes', NULL, NULL, TRUE, 3);
        INSERT INTO project_paths SELECT '/a/old', project FROM projects WHERE root = '/a/app';
        INSERT INTO files VALUES ('claude', '/a/f', 1, 1, 1, 1, 1, 'nothing', NULL, NULL);
        INSERT INTO sessions (agent, id, adapter, path, size, root, guest_path, project, relation,
                revision, attrs, first_seen_ms)
            SELECT 'claude', 's', 'claude', '/a/s', 1, 'claude', '/s', project, 'none', 'r1', '{}', 1
            FROM projects WHERE root = '/a/app';";
    schema
        .client()
        .batch_execute(&format!("{first}{rows}"))
        .unwrap();

    let ann = on(&schema, "ann");
    let projects = ann.projects().unwrap();
    let roots: Vec<&str> = projects.iter().map(|one| one.root.as_str()).collect();
    assert_eq!(roots, ["/a/app", "/a/clone", "/a/notes"]);
    assert_eq!(
        projects
            .iter()
            .map(|one| one.registered)
            .collect::<Vec<_>>(),
        [true, false, true]
    );
    assert_eq!(
        ann.project_at("/a/old".into()).unwrap().unwrap().root,
        "/a/app"
    );
    assert_eq!(ann.seen_files("claude").unwrap().len(), 1);
    assert!(known(&ann, "s").is_here);
    ann.enqueue(&wanted("s", projects[0].id, "r1"), NOW)
        .unwrap();

    let bob = on(&schema, "bob");
    assert_eq!(bob.projects().unwrap(), []);
    assert!(bob.seen_files("claude").unwrap().is_empty());
    let app = identity("c0ffee", "git.example/app");
    let bobs = bob.register("/b/app".into(), &app, NOW).unwrap();
    assert_eq!(bobs.id, projects[0].id);
    let lease = bob
        .claim("b", MINUTE, NOW, &ClaimFilter::default())
        .unwrap()
        .unwrap();
    assert_eq!(lease.project_root, "/b/app");
}

#[test]
fn a_server_reports_its_versions_and_its_clock() {
    let Some(server) = TestServer::start() else {
        return;
    };
    let schema = server.schema();
    let catalog = on(&schema, "ann");
    let sql = "SELECT CAST(extract(epoch FROM now()) * 1000 AS BIGINT)";
    let servers_ms = || -> u64 {
        let now: i64 = schema.client().query_one(sql, &[]).unwrap().get(0);
        now.try_into().unwrap()
    };
    let state = catalog.server_state(servers_ms).unwrap().unwrap();
    assert_eq!(state.schema_version, 7);
    assert!(!state.server_version.is_empty());
    assert!(state.clock_ahead_ms.abs() < 60_000, "{state:?}");
    let state = catalog
        .server_state(|| servers_ms() - 600_000)
        .unwrap()
        .unwrap();
    assert!(
        (540_000..660_000).contains(&state.clock_ahead_ms),
        "{state:?}"
    );
}
