//! The files `bindings.rs` are what wit-bindgen makes of the interfaces in `wit/`: one for the types and the host, which the
//! roles share, and one for the exports of each role. They are files, so that a plugin's build does not compile the
//! generator. `ACRETA_UPDATE=1` writes them.

use std::path::{Path, PathBuf};

use wit_bindgen_core::wit_parser::{PackageId, Resolve};
use wit_bindgen_core::{Files, WorldGenerator};
use wit_bindgen_rust::{Opts, WithOption};

/// The folder of each role in `wit/`.
const ROLES: &[&str] = &["adapter", "explorer", "extractor", "memory-writer"];

/// Interfaces of `acreta:host`.
const HOST: &[&str] = &[
    "config", "llm", "log", "registry", "search", "sink", "sqlite", "trace",
];

const VERSION: &str = "0.1.0";

/// Reads the packages of the given folders; returns the last.
fn pushed(resolve: &mut Resolve, wit: &Path, folders: &[&str]) -> PackageId {
    let push = |folder: &&str| {
        let pushed = resolve.push_dir(wit.join(folder));
        pushed.expect("the interfaces are valid").0
    };
    let packages: Vec<PackageId> = folders.iter().map(push).collect();
    packages[packages.len() - 1]
}

/// Types and host: a world that imports every interface. Of these a component has only what its code calls.
fn shared(wit: &Path) -> String {
    let mut resolve = Resolve::default();
    pushed(&mut resolve, wit, &["types", "host"]);
    let imports = HOST
        .iter()
        .map(|name| format!("import acreta:host/{name}@{VERSION};"));
    let imports = imports.collect::<Vec<_>>().join("\n");
    let world = format!("package acreta:sdk@{VERSION};\nworld imports {{\n{imports}\n}}\n");
    let package = resolve.push_str("sdk.wit", &world).expect("it is valid");
    let opts = Opts {
        generate_all: true,
        generate_unused_types: true,
        additional_derive_attributes: vec!["PartialEq".to_owned()],
        ..Opts::default()
    };
    generated(&mut resolve, package, "imports", opts)
}

/// The exports of a role, over the shared types and host.
fn of_role(wit: &Path, role: &str) -> String {
    let mut resolve = Resolve::default();
    let package = pushed(&mut resolve, wit, &["types", "host", role]);
    let world = format!("{role}-plugin");
    let imports = resolve
        .select_world(&[package], Some(&world))
        .map(|world| &resolve.worlds[world].imports)
        .expect("the role has a world");
    let with = imports.keys().map(|key| {
        let interface = resolve.name_world_key(key);
        let name = interface.trim_end_matches(&format!("@{VERSION}"));
        let module = name.replace([':', '/'], "::");
        let module = format!("crate::bindings::{module}");
        (interface, WithOption::Path(module))
    });
    let module = role.replace('-', "_");
    let opts = Opts {
        with: with.collect(),
        generate_all: true,
        pub_export_macro: true,
        export_macro_name: Some("export".to_owned()),
        default_bindings_module: Some(format!("acreta_sdk::{module}::bindings")),
        additional_derive_attributes: vec!["PartialEq".to_owned()],
        ..Opts::default()
    };
    generated(&mut resolve, package, &world, opts)
}

fn generated(resolve: &mut Resolve, package: PackageId, world: &str, opts: Opts) -> String {
    let world = resolve
        .select_world(&[package], Some(world))
        .expect("the package has the world");
    let mut files = Files::default();
    let opts = Opts {
        format: true,
        ..opts
    };
    opts.build()
        .generate(resolve, world, &mut files)
        .expect("the world has bindings");
    let (_, source) = files.iter().next().expect("they are one file");
    String::from_utf8_lossy(source).into_owned()
}

#[test]
fn bindings_are_those_of_the_interfaces() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let wit = root.join("../../wit");
    let shared = ("bindings.rs".to_owned(), shared(&wit));
    let roles = ROLES.iter().map(|role| {
        let path = format!("{}/bindings.rs", role.replace('-', "_"));
        (path, of_role(&wit, role))
    });
    for (path, expected) in std::iter::once(shared).chain(roles) {
        let path = root.join("src").join(path);
        if std::env::var_os("ACRETA_UPDATE").is_some() {
            write(&path, &expected);
        }
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            known == expected,
            "{} is not what wit/ says: run this test with ACRETA_UPDATE=1",
            path.display()
        );
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "a chore on the repository itself"
)]
fn write(path: &Path, text: &str) {
    std::fs::write(path, text).expect("the file can be written");
}
