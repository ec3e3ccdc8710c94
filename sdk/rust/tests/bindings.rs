//! The bindings in `src/*/bindings.rs` are what wit-bindgen makes of the interfaces in `wit/`. They are files, so that a plugin's
//! build does not compile the generator. `ACRETA_UPDATE=1` writes them.

use std::path::{Path, PathBuf};

use wit_bindgen_core::wit_parser::Resolve;
use wit_bindgen_core::{Files, WorldGenerator};

/// The folder of each role in `wit/`.
const ROLES: &[&str] = &["adapter", "explorer", "extractor", "memory-writer"];

fn generated(wit: &Path, role: &str) -> String {
    let mut resolve = Resolve::default();
    let mut package = None;
    for folder in ["types", "host", role] {
        let (pushed, _) = resolve
            .push_dir(wit.join(folder))
            .expect("the interfaces are valid");
        package = Some(pushed);
    }
    let world = format!("{role}-plugin");
    let world = resolve
        .select_world(package.as_slice(), Some(&world))
        .expect("the role has a world");
    let opts = wit_bindgen_rust::Opts {
        format: true,
        generate_all: true,
        pub_export_macro: true,
        export_macro_name: Some("export".to_owned()),
        default_bindings_module: Some(format!("acreta_sdk::{}::bindings", role.replace('-', "_"))),
        additional_derive_attributes: match role {
            "adapter" => vec!["PartialEq".to_owned()],
            _ => Vec::new(),
        },
        ..Default::default()
    };
    let mut files = Files::default();
    opts.build()
        .generate(&mut resolve, world, &mut files)
        .expect("the world has bindings");
    let (_, source) = files.iter().next().expect("they are one file");
    String::from_utf8_lossy(source).into_owned()
}

#[test]
fn bindings_are_those_of_the_interfaces() {
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    for role in ROLES {
        let expected = generated(&root.join("../../wit"), role);
        let path = root
            .join("src")
            .join(role.replace('-', "_"))
            .join("bindings.rs");
        if std::env::var_os("ACRETA_UPDATE").is_some() {
            write(&path, &expected);
        }
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            known == expected,
            "{} is not what wit/{role} says: run this test with ACRETA_UPDATE=1",
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
