//! Loading of components: refusals, the compile cache, and role checks.

use acreta_sandbox::{LoadError, Loaded};
use acreta_types::Role;
use camino::Utf8PathBuf;

use crate::support::{SandboxFolder, load, released};

#[test]
fn what_is_no_plugin_is_refused_with_a_hint() {
    let place = SandboxFolder::new();
    let sandbox = place.sandbox(true);
    let component = &released()[0].1;
    let mut damaged = component.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 64].fill(0xff);
    let table: [(&str, &[u8], &str); 6] = [
        ("empty", b"", "not a WebAssembly file"),
        ("a text", b"#!/bin/sh\nexit 0\n", "not a WebAssembly file"),
        (
            "a core module",
            b"\0asm\x01\0\0\0",
            "a core WebAssembly module",
        ),
        ("an empty component", b"\0asm\x0d\0\x01\0", "no role"),
        ("cut off", &component[..component.len() / 2], "damaged"),
        ("native code", b"\x7fELF\x02\x01\x01", ""),
    ];
    for (name, bytes, says) in table {
        let Err(error) = load(&sandbox, bytes) else {
            panic!("{name} was loaded");
        };
        assert!(
            matches!(error, LoadError::Refused { .. }),
            "{name}: {error}"
        );
        let text = error.to_string();
        assert!(text.contains("plugin `mine` is refused"), "{name}: {text}");
        assert!(text.contains(says), "{name}: {text}");
        assert!(error.hint().is_some_and(|hint| !hint.is_empty()), "{name}");
    }
    // Damage is an error or harmless, never a panic.
    let _either = load(&sandbox, &damaged);
}

#[test]
fn a_component_is_compiled_once_and_plays_one_role() {
    let place = SandboxFolder::new();
    let components = released();
    assert_eq!(components.len(), 4, "one of each role");
    let mut roles = Vec::new();
    for (name, bytes) in &components {
        let sandbox = place.sandbox(true);
        let first = load(&sandbox, bytes).unwrap();
        assert_eq!(first.loaded(), Loaded::Compiled, "{name}");
        assert!(sandbox.is_compiled(&first.info().digest), "{name}");
        let role = first.info().role;
        let wrong: Vec<LoadError> = [
            first.into_adapter().err(),
            load(&sandbox, bytes).unwrap().into_extractor().err(),
            load(&sandbox, bytes).unwrap().into_explorer().err(),
            load(&sandbox, bytes).unwrap().into_memory_writer().err(),
        ]
        .into_iter()
        .flatten()
        .collect();
        assert_eq!(wrong.len(), 3, "{name}: {wrong:?}");
        for error in wrong {
            let is_told = matches!(&error, LoadError::OtherRole { found, .. } if *found == role);
            assert!(is_told, "{name}: {error}");
        }
        // Another process finds the code that this one compiled.
        let again = load(&place.sandbox(true), bytes).unwrap();
        assert_eq!(again.loaded(), Loaded::Cached, "{name}");
        roles.push(role);
    }
    roles.sort();
    roles.dedup();
    assert_eq!(roles.len(), Role::ALL.len());
}

/// Two processes that need a component at once: one compiles it, the other waits.
#[test]
fn a_component_that_is_being_compiled_is_waited_for() {
    let place = SandboxFolder::new();
    let (_, bytes) = &released()[0];
    let sandboxes = [place.sandbox(true), place.sandbox(true)];
    let begin = std::sync::Barrier::new(sandboxes.len());
    let loaded = std::thread::scope(|scope| {
        let start = |sandbox| {
            let begin = &begin;
            scope.spawn(move || {
                begin.wait();
                load(sandbox, bytes).unwrap().loaded()
            })
        };
        let both = sandboxes.each_ref().map(start);
        both.map(|one| one.join().unwrap())
    });
    assert!(loaded.contains(&Loaded::Cached), "{loaded:?}");
    assert!(loaded.contains(&Loaded::Compiled), "{loaded:?}");
    let is_lock = |path: &Utf8PathBuf| path.extension() == Some("lock");
    assert!(!compiled(&place).iter().any(|(path, _)| is_lock(path)));
}

/// Whoever can put a file into the cache, a repository or the cache of a CI, runs nothing of their own.
#[test]
#[expect(clippy::disallowed_methods, reason = "a test's own scratch files")]
fn only_code_that_this_user_compiled_from_the_component_is_loaded() {
    let [(_, bytes), (_, other), ..] = &released()[..] else {
        panic!("no components");
    };
    // Native code of an attacker, who has the same version but not the key.
    let attacker = SandboxFolder::new();
    load(&attacker.sandbox(true), bytes).unwrap();
    let (_, forged) = compiled(&attacker).remove(0);
    let place = SandboxFolder::new();
    load(&place.sandbox(true), other).unwrap();
    let (_, of_another) = compiled(&place).remove(0);
    let (path, own) = {
        let known = compiled(&place).remove(0).0;
        load(&place.sandbox(true), bytes).unwrap();
        let mut all = compiled(&place);
        all.retain(|(path, _)| *path != known);
        all.remove(0)
    };
    let mut flipped = own.clone();
    flipped[own.len() / 2] ^= 1;
    let cases: [(&str, &[u8], Loaded); 7] = [
        ("its own", &own, Loaded::Cached),
        ("an attacker's", &forged, Loaded::Compiled),
        ("another component's", &of_another, Loaded::Compiled),
        ("changed by a bit", &flipped, Loaded::Compiled),
        ("cut off", &own[..own.len() - 1], Loaded::Compiled),
        ("without its MAC", &own[..own.len() - 64], Loaded::Compiled),
        ("no code", b"no code", Loaded::Compiled),
    ];
    for (name, content, loaded) in cases {
        std::fs::remove_file(&path).unwrap();
        std::fs::write(&path, content).unwrap();
        let plugin = load(&place.sandbox(true), bytes).unwrap();
        assert_eq!(plugin.loaded(), loaded, "{name}");
        let repaired = load(&place.sandbox(true), bytes).unwrap();
        assert_eq!(repaired.loaded(), Loaded::Cached, "{name}");
    }
    // A key that others could read is replaced, and with it all that it vouched for.
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let key = place.path("cache.key");
        let mode = |mode| std::fs::Permissions::from_mode(mode);
        assert_eq!(key.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        std::fs::set_permissions(&key, mode(0o644)).unwrap();
        let plugin = load(&place.sandbox(true), bytes).unwrap();
        assert_eq!(plugin.loaded(), Loaded::Compiled);
        assert_eq!(key.metadata().unwrap().permissions().mode() & 0o777, 0o600);
        // So is code that others could have changed.
        std::fs::set_permissions(&path, mode(0o666)).unwrap();
        let plugin = load(&place.sandbox(true), bytes).unwrap();
        assert_eq!(plugin.loaded(), Loaded::Compiled);
    }
}

/// Returns the files of compiled plugins, with their content.
fn compiled(place: &SandboxFolder) -> Vec<(Utf8PathBuf, Vec<u8>)> {
    let mut files = Vec::new();
    let mut folders = vec![place.path("cache")];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().unwrap() {
            let entry = entry.unwrap();
            match entry.file_type().unwrap().is_dir() {
                true => folders.push(entry.path().to_owned()),
                false => files.push((
                    entry.path().to_owned(),
                    std::fs::read(entry.path()).unwrap(),
                )),
            }
        }
    }
    files
}
