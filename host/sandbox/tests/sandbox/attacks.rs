//! A hostile adapter, one row per attack: each call ends in a fault that names the plugin, nothing outside or inside
//! its root changes, and the sandbox keeps working.

use acreta_types::{Limits, PluginFault};

#[cfg(unix)]
use crate::support::job;
use crate::support::{SandboxFolder, guest, hostile, read};

enum Ends {
    /// Over this limit.
    Limit(&'static str),
    Trap,
    /// In the guest's own report; at least this many operations were refused.
    Reported(u64),
}

use Ends::{Limit, Reported, Trap};

#[test]
fn every_attack_ends_as_it_should() {
    let bytes = guest("hostile-adapter");
    let place = SandboxFolder::new();
    let sandbox = place.sandbox(false);
    let victim = place.path("outside/victim.txt");
    type SandboxAttack = (&'static str, fn(&mut Limits), Ends);
    let table: [SandboxAttack; 14] = [
        ("loop", |limits| limits.wall_ms = 200, Limit("wall_ms")),
        (
            "memory",
            |limits| limits.memory_bytes = 32 << 20,
            Limit("memory_bytes"),
        ),
        ("recursion", |_| {}, Limit("stack_bytes")),
        ("handles", |limits| limits.handles = 20, Limit("handles")),
        (
            "huge-value",
            |limits| limits.value_bytes = 1 << 20,
            Limit("value_bytes"),
        ),
        ("trap", |_| {}, Trap),
        ("exit", |_| {}, Trap),
        ("random-flood", |_| {}, Trap),
        ("read-any", |_| {}, Reported(1)),
        ("dotdot", |_| {}, Reported(20)),
        ("absolute", |_| {}, Reported(20)),
        ("truncate-readonly", |_| {}, Reported(5)),
        ("sockets", |_| {}, Reported(5)),
        ("environment", |_| {}, Reported(0)),
    ];
    let before = place.tree();
    for (attack, limits, ends) in table {
        let settings = [("attack", attack), ("victim", victim.as_str())];
        let adapter = hostile(&sandbox, &bytes, &settings, limits);
        let (call, _) = read(adapter.as_ref(), &place);
        let error = call.result.unwrap_err();
        assert_eq!(error.plugin, "hostile-adapter", "{attack}");
        let is_right = match (&error.fault, &ends) {
            (PluginFault::Limit { limit, .. }, Limit(expected)) => limit == expected,
            (PluginFault::Trap { .. }, Trap) => true,
            (PluginFault::Failed(failure), Reported(least)) => {
                let denied: u64 = call.usage.denied.iter().map(|denial| denial.count).sum();
                assert!(denied >= *least, "{attack}: {denied} refused");
                let message = &failure.message;
                assert!(message.chars().count() <= 501, "{attack}: {message}");
                assert!(!message.contains('\n'), "{attack}: {message}");
                failure.code == "report" && !failure.message.contains("escaped ")
            }
            _ => false,
        };
        assert!(is_right, "{attack}: {}", error.fault);
        assert_eq!(place.tree(), before, "{attack}");
        // The next call is a fresh instance without any of this state.
        let honest = hostile(&sandbox, &bytes, &[], |_| {});
        let (call, events) = read(honest.as_ref(), &place);
        assert!(call.result.is_ok(), "after {attack}");
        assert_eq!(events.len(), 2, "after {attack}");
    }
}

#[test]
fn a_limit_is_told_with_its_figures() {
    let bytes = guest("hostile-adapter");
    let place = SandboxFolder::new();
    let sandbox = place.sandbox(false);
    for allowed in [16 << 20, 32 << 20] {
        let limit = |limits: &mut Limits| limits.memory_bytes = allowed;
        let adapter = hostile(&sandbox, &bytes, &[("attack", "memory")], limit);
        let (call, _) = read(adapter.as_ref(), &place);
        let error = call.result.unwrap_err();
        let PluginFault::Limit {
            limit,
            allowed: told,
            used,
        } = &error.fault
        else {
            panic!("{error}");
        };
        assert_eq!((*limit, *told), ("memory_bytes", allowed));
        assert!(*used > allowed, "{used} of {allowed}");
        assert!(call.usage.peak_memory_bytes <= allowed);
        let hint = error.fault.hint("hostile-adapter");
        assert!(
            hint.contains("plugin.hostile-adapter.limits.memory_bytes"),
            "{hint}"
        );
    }
}

/// An adapter is asked about paths; only those of a granted root are files to it.
#[cfg(unix)]
#[test]
fn a_guest_sees_its_roots_and_nothing_else() {
    let bytes = guest("hostile-adapter");
    let place = SandboxFolder::new();
    let sandbox = place.sandbox(false);
    let adapter = hostile(&sandbox, &bytes, &[], |_| {});
    std::os::unix::fs::symlink(place.path("outside"), place.path("root/link")).unwrap();
    place.write("outside/session.jsonl", "{\"hostile\": true}\n");
    let outside = place.path("outside/session.jsonl");
    // path, number of sessions found in it with the root
    let table = [
        ("/hostile/attack.jsonl", 1),
        ("/hostile/gone.jsonl", 0),
        ("/hostile/link/session.jsonl", 0),
        ("/hostile/../outside/session.jsonl", 0),
        ("/other/attack.jsonl", 0),
        (outside.as_str(), 0),
    ];
    for (path, expected) in table {
        for (roots, expected) in [(&place.roots()[..], expected), (&[], 0)] {
            let call = adapter.sessions(&job(), roots, path);
            let found = call.result.map_or(0, |found| found.len());
            assert_eq!(found, expected, "{path} with {} roots", roots.len());
        }
    }
    assert!(adapter.describe(&job()).result.is_ok());
}

/// Whoever can write beside a granted folder can put a link in its place.
#[cfg(unix)]
#[test]
fn a_root_that_became_a_link_is_not_opened() {
    let bytes = guest("hostile-adapter");
    let place = SandboxFolder::new();
    let adapter = hostile(&place.sandbox(false), &bytes, &[], |_| {});
    let roots = place.roots();
    let secret = place.path("outside");
    let root = place.path("root");
    // The folder itself, and one above it.
    for (moved, to) in [(root.clone(), secret.clone()), (root.join("above"), secret)] {
        let host = match moved == root {
            true => root.clone(),
            false => moved.join("within"),
        };
        let roots = roots.clone().map(|preopen| acreta_types::Preopen {
            host: host.clone(),
            ..preopen
        });
        if !moved.exists() {
            std::fs::create_dir_all(&host).unwrap();
        }
        let path = "/hostile/victim.txt";
        let before = adapter.sessions(&job(), &roots, path).result;
        let is_linked = |error: &acreta_types::PluginError| error.to_string().contains("a link");
        assert!(!before.is_err_and(|error| is_linked(&error)), "{host}");
        let aside = place.path("aside").join(moved.file_name().unwrap());
        std::fs::create_dir_all(aside.parent().unwrap()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
        std::fs::rename(&moved, &aside).unwrap();
        std::fs::create_dir_all(to.join("within")).unwrap();
        std::os::unix::fs::symlink(&to, &moved).unwrap();
        let error = adapter.sessions(&job(), &roots, path).result.unwrap_err();
        assert!(is_linked(&error), "{host}: {error}");
        #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
        std::fs::remove_file(&moved).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
        std::fs::rename(&aside, &moved).unwrap();
    }
}

/// What a call of the host costs counts, whether it has text or not.
#[test]
fn the_host_s_time_and_every_field_count() {
    let bytes = guest("hostile-adapter");
    let place = SandboxFolder::new();
    let sandbox = place.sandbox(false);
    place.write_bytes("root/numbers.db", &empty_database());
    let limits = |limits: &mut Limits| {
        limits.wall_ms = 1_000;
        limits.emitted_bytes = 1 << 20;
        limits.log_bytes = 64 << 10;
    };
    for (attack, expected) in [
        ("queries", "wall_ms"),
        ("empty-events", "emitted_bytes"),
        ("empty-diagnostics", "emitted_bytes"),
    ] {
        let adapter = hostile(&sandbox, &bytes, &[("attack", attack)], limits);
        let begun = std::time::Instant::now();
        let (call, _) = read(adapter.as_ref(), &place);
        let error = call.result.unwrap_err();
        let is_right =
            matches!(&error.fault, PluginFault::Limit { limit, .. } if *limit == expected);
        assert!(is_right, "{attack}: {error}");
        assert!(
            begun.elapsed().as_secs() < 10,
            "{attack}: {:?}",
            begun.elapsed()
        );
    }
    let lenient = |limits: &mut Limits| limits.log_bytes = 64 << 10;
    let adapter = hostile(&sandbox, &bytes, &[("attack", "empty-log-flood")], lenient);
    let (call, _) = read(adapter.as_ref(), &place);
    let dropped = call.usage.log_bytes_dropped;
    assert!(dropped > 100 << 20, "empty lines are lines: {dropped}");
}

/// Returns a database without tables: one page with its header.
fn empty_database() -> Vec<u8> {
    let mut page = vec![0; 512];
    page[..16].copy_from_slice(b"SQLite format 3\0");
    // Page size, versions, fractions, and what an empty schema needs.
    for (offset, value) in [
        (16, 2),
        (18, 1),
        (19, 1),
        (21, 64),
        (22, 32),
        (23, 32),
        (27, 1),
        (31, 1),
        (95, 1),
        (97, 46),
        (98, 99),
        (99, 1),
        (100, 13),
        (105, 2),
    ] {
        page[offset] = value;
    }
    page
}
