//! Compares the files included in a project with their sources: the vendored manifest with the SDK's own, and the typed
//! stubs with the WIT.

use std::path::Path;

use toml_edit::{DocumentMut, Item};
use wit_parser::{FunctionKind, TypeDefKind};

use crate::contract::{parse, repository, texts};

fn manifest(path: &str) -> DocumentMut {
    let path = repository().join(path);
    std::fs::read_to_string(path).unwrap().parse().unwrap()
}

/// Returns a key of a dependency as text; empty if it is not set.
fn settings(item: &Item, key: &str) -> String {
    let found = item.get(key);
    found.map_or(String::new(), |found| found.to_string().trim().to_owned())
}

#[test]
fn the_vendored_manifest_is_the_sdks_own() {
    let own = manifest("sdk/rust/Cargo.toml");
    let workspace = manifest("Cargo.toml");
    let vendored = manifest("sdk/rust/template/vendor.toml");
    let package = &workspace["workspace"]["package"];
    for key in ["version", "edition", "rust-version", "license"] {
        let expected = settings(package, key);
        assert_eq!(settings(&vendored["package"], key), expected, "{key}");
    }
    assert_eq!(
        own["features"].to_string(),
        vendored["features"].to_string()
    );
    let names = |manifest: &DocumentMut| {
        let table = manifest["dependencies"].as_table().unwrap();
        table
            .iter()
            .map(|(name, _)| name.to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(names(&own), names(&vendored));
    for name in names(&own) {
        let at = &workspace["workspace"]["dependencies"][&name];
        let here = &vendored["dependencies"][&name];
        let version = |item: &Item| match item.as_str() {
            Some(version) => format!("{version:?}"),
            None => settings(item, "version"),
        };
        assert_eq!(version(here), version(at), "{name}");
        for key in ["features", "default-features"] {
            assert_eq!(settings(here, key), settings(at, key), "{name}: {key}");
        }
        let optional = settings(&own["dependencies"][&name], "optional");
        assert_eq!(settings(here, "optional"), optional, "{name}");
    }
}

#[test]
fn the_stubs_name_everything_that_the_wit_names() {
    let resolve = parse(&texts(&repository().join("wit")));
    for (_, package) in &resolve.packages {
        for (interface, id) in &package.interfaces {
            let js = format!("sdk/js/types/acreta-{}-{interface}.d.ts", package.name.name);
            let js = read(&js);
            let python = python_stub(&package.name.name, interface);
            let interface = &resolve.interfaces[*id];
            for (name, function) in &interface.functions {
                let name = match function.kind {
                    FunctionKind::Freestanding => name,
                    _ => function.item_name(),
                };
                for parameter in function.params.iter().filter(|one| one.name != "self") {
                    assert_in(&js, &camel(&parameter.name), "js", name);
                }
                assert_in(&js, &format!("{}(", camel(name)), "js", name);
                assert_in(&python, &format!("def {}(", snake(name)), "python", name);
            }
            for (name, id) in &interface.types {
                if let TypeDefKind::Record(record) = &resolve.types[*id].kind {
                    for field in &record.fields {
                        assert_in(&js, &camel(&field.name), "js", name);
                        assert_in(
                            &python,
                            &format!("    {}: ", snake(&field.name)),
                            "python",
                            name,
                        );
                    }
                }
            }
        }
    }
}

/// Returns the text of all Python stubs of an interface.
fn python_stub(package: &str, interface: &str) -> String {
    let module = snake(interface);
    let is_role = package != "host" && package != "types";
    if is_role {
        let folder = format!("sdk/python/stubs/{package}/wit_world/exports");
        return read(&format!("{folder}/{module}.py")) + &read(&format!("{folder}/__init__.py"));
    }
    // The first role that imports it.
    ["adapter", "extractor", "explorer", "memory-writer"]
        .iter()
        .map(|role| format!("sdk/python/stubs/{role}/wit_world/imports/{module}.py"))
        .find(|path| repository().join(path).exists())
        .map(|path| read(&path))
        .unwrap_or_default()
}

fn read(path: &str) -> String {
    let path = repository().join(Path::new(path));
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn assert_in(stub: &str, wanted: &str, language: &str, of: &str) {
    assert!(
        stub.contains(wanted),
        "the {language} stubs have no `{wanted}` of `{of}`: make them anew, as the SDK's README says"
    );
}

fn snake(name: &str) -> String {
    name.replace('-', "_")
}

fn camel(name: &str) -> String {
    let mut words = name.split('-');
    let first = words.next().unwrap_or_default().to_owned();
    words.fold(first, |camel, word| {
        camel + &word[..1].to_uppercase() + &word[1..]
    })
}
