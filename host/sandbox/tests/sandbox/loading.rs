//! Loading of components: refusals, the compile cache, and role checks.

use acreta_model::Role;
use acreta_sandbox::{LoadError, Loaded};

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

#[test]
fn what_is_no_code_in_the_cache_is_compiled_anew() {
    let place = SandboxFolder::new();
    let (_, bytes) = &released()[0];
    load(&place.sandbox(true), bytes).unwrap();
    let mut changed = 0;
    let mut folders = vec![place.path("cache")];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir_utf8().unwrap() {
            let entry = entry.unwrap();
            if entry.file_type().unwrap().is_dir() {
                folders.push(entry.path().to_owned());
                continue;
            }
            #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
            std::fs::write(entry.path(), "no code").unwrap();
            changed += 1;
        }
    }
    assert!(changed > 0, "nothing is cached");
    let again = load(&place.sandbox(true), bytes).unwrap();
    assert_eq!(again.loaded(), Loaded::Compiled);
}
