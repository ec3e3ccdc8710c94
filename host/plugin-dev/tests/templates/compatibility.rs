//! Allowed changes of the WIT once it is released. A host compares records, variants and functions piece by piece, so a
//! plugin that was compiled against a released version loads only while everything that it uses is unchanged.
//!
//! Within one version only comments change. A later version may add functions to host interfaces and add interfaces; it
//! may neither require new exports of a role nor remove imports.

use std::collections::BTreeMap;

use wit_parser::{Resolve, WorldItem};

use crate::contract::{PACKAGES, definition, parse, repository, signature, texts};

/// Items by name: `package/interface` or `package/world`, then the item's name.
type Shape = BTreeMap<String, BTreeMap<String, String>>;

fn shape(resolve: &Resolve) -> Shape {
    let mut shape = Shape::new();
    for (_, package) in &resolve.packages {
        for (name, id) in &package.interfaces {
            let interface = &resolve.interfaces[*id];
            let items = shape
                .entry(format!("{}/{name}", package.name.name))
                .or_default();
            for (name, id) in &interface.types {
                items.insert(
                    format!("type {name}"),
                    definition(resolve, &resolve.types[*id]),
                );
            }
            for (name, function) in &interface.functions {
                items.insert(format!("func {name}"), signature(resolve, function));
            }
        }
        for (name, id) in &package.worlds {
            let world = &resolve.worlds[*id];
            let items = shape
                .entry(format!("{}/world {name}", package.name.name))
                .or_default();
            for (kind, list) in [("import", &world.imports), ("export", &world.exports)] {
                for item in list.values() {
                    if let WorldItem::Interface { id, .. } = item {
                        let name = resolve.interfaces[*id].name.clone().unwrap_or_default();
                        items.insert(format!("{kind} {name}"), String::new());
                    }
                }
            }
        }
    }
    shape
}

/// Lists the reasons why a plugin of the released version would not load into a host of the later one.
fn breaks(released: &Shape, later: &Shape) -> Vec<String> {
    let mut breaks = Vec::new();
    for (place, items) in released {
        let Some(now) = later.get(place) else {
            breaks.push(format!("{place} is gone"));
            continue;
        };
        for (name, was) in items {
            match now.get(name) {
                None => breaks.push(format!("{place}: {name} is gone")),
                Some(is) if is != was => breaks.push(format!("{place}: {name} was {was}, is {is}")),
                Some(_) => {}
            }
        }
        let is_role = !place.starts_with("host/") && !place.starts_with("types/");
        for name in now.keys().filter(|name| !items.contains_key(*name)) {
            // Plugins export a role's functions and the exports of a world.
            let is_export = is_role && (name.starts_with("func ") || name.starts_with("export "));
            if is_export {
                breaks.push(format!("{place}: {name} is asked of every plugin"));
            }
        }
    }
    breaks
}

fn versions(resolve: &Resolve) -> Vec<String> {
    let packages = resolve.packages.iter();
    let version = packages.map(|(_, package)| package.name.version.as_ref());
    version
        .map(|version| version.map_or(String::new(), ToString::to_string))
        .collect()
}

#[test]
fn released_versions_still_load() {
    let folder = repository().join("wit/released");
    let now = parse(&texts(&repository().join("wit")));
    let mut released = 0;
    for entry in std::fs::read_dir(folder).unwrap().flatten() {
        let version = entry.file_name().to_string_lossy().into_owned();
        let then = parse(&texts(&entry.path()));
        assert_eq!(versions(&then), vec![version.clone(); PACKAGES.len()]);
        let found = breaks(&shape(&then), &shape(&now));
        assert!(found.is_empty(), "plugins of {version}: {found:#?}");
        if versions(&now).contains(&version) {
            let hint = "the WIT changed: give its packages a new version, or undo the change";
            assert_eq!(shape(&then), shape(&now), "{version}: {hint}");
        }
        released += 1;
    }
    assert!(released > 0, "there is no released version");
}

#[test]
fn the_packages_have_one_version() {
    let versions = versions(&parse(&texts(&repository().join("wit"))));
    assert!(
        versions.iter().all(|version| *version == versions[0]),
        "{versions:?}"
    );
}

#[test]
fn changes_that_break_plugins_are_told_from_those_that_do_not() {
    // Package, text to replace, replacement, resulting break.
    let table = [
        (
            "types",
            "    message: string,\n",
            "    message: string,\n    hint: string,\n",
            Some("type failure was record"),
        ),
        (
            "types",
            "    retryable: bool,\n",
            "",
            Some("type failure was record"),
        ),
        (
            "types",
            "at-ms: option<u64>",
            "at-ms: u64",
            Some("type event"),
        ),
        (
            "host",
            "    real(f64),",
            "    real(f64),\n    number(f64),",
            Some("type value"),
        ),
        (
            "host",
            "limit: u32, filter: attrs",
            "limit: u64, filter: attrs",
            Some("func find"),
        ),
        (
            "host",
            "  left: func() -> budget;\n",
            "",
            Some("func left is gone"),
        ),
        (
            "adapter",
            "  describe: func() -> description;",
            "  describe: func() -> description;\n  again: func();",
            Some("func again is asked of every plugin"),
        ),
        (
            "adapter",
            "  import acreta:host/log@0.1.0;\n",
            "",
            Some("import log is gone"),
        ),
        (
            "host",
            "  left: func() -> budget;",
            "  left: func() -> budget;\n  spent: func() -> u64;",
            None,
        ),
        (
            "host",
            "interface log {",
            "interface more { now: func() -> u64; }\ninterface log {",
            None,
        ),
        (
            "explorer",
            "  export explorer;",
            "  import acreta:host/trace@0.1.0;\n  export explorer;",
            None,
        ),
        ("types", "/// What every role shares.", "/// Shared.", None),
    ];
    let texts = texts(&repository().join("wit/released/0.1.0"));
    let released = shape(&parse(&texts));
    for (package, from, to, expected) in table {
        let mut changed = texts.clone();
        for (name, text) in &mut changed {
            if name == package {
                assert!(text.contains(from), "{package} has no {from:?}");
                *text = text.replacen(from, to, 1);
            }
        }
        let found = breaks(&released, &shape(&parse(&changed)));
        match expected {
            None => assert!(found.is_empty(), "{to:?}: {found:?}"),
            Some(expected) => {
                let told = found.iter().any(|one| one.contains(expected));
                assert!(told, "{to:?}: {found:?} says nothing of {expected:?}");
            }
        }
    }
}
