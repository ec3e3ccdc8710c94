//! The contract between host and plugins: `wit/` is what the components were built against and what the host links.

use std::path::PathBuf;

use wit_parser::{Resolve, WorldId};

use crate::support::{Project, component, fixture};

const ROLES: [(&str, &str); 4] = [
    ("adapter-claude", "adapter"),
    ("extractor-rules", "extractor"),
    ("explorer-overlap", "explorer"),
    ("writer-markdown", "memory-writer"),
];

fn wit(folder: &str) -> PathBuf {
    acreta_plugin_build::workspace_root()
        .join("wit")
        .join(folder)
}

/// Returns a role's world with the WASI interfaces that a language runtime imports.
fn world(role: &str) -> (Resolve, WorldId) {
    let mut resolve = Resolve::default();
    for folder in ["types", "host"] {
        resolve.push_dir(wit(folder)).unwrap();
    }
    let (package, _) = resolve.push_dir(wit(role)).unwrap();
    let world = resolve
        .select_world(&[package], Some(&format!("{role}-plugin")))
        .unwrap();
    (resolve, world)
}

/// Every function the WIT exports is exported by the component, with the same parameters and results.
#[test]
fn built_guests_export_what_the_wit_says() {
    for (package, role) in ROLES {
        let (resolve, world) = world(role);
        let decoded = wit_component::decode(&component(package)).unwrap();
        let guest = decoded.resolve();
        let guest_world = match &decoded {
            wit_component::DecodedWasm::Component(_, world) => *world,
            wit_component::DecodedWasm::WitPackage(..) => panic!("{package} is a WIT package"),
        };
        let signatures = |resolve: &Resolve, world: WorldId| -> Vec<String> {
            let mut signatures = Vec::new();
            for (key, item) in &resolve.worlds[world].exports {
                let wit_parser::WorldItem::Interface { id, .. } = item else {
                    continue;
                };
                for (name, function) in &resolve.interfaces[*id].functions {
                    signatures.push(format!(
                        "{} {name}({}) -> {}",
                        resolve.name_world_key(key),
                        function.params.len(),
                        function.result.is_some()
                    ));
                }
            }
            signatures.sort();
            signatures
        };
        let expected = signatures(&resolve, world);
        assert!(!expected.is_empty());
        assert_eq!(signatures(guest, guest_world), expected, "{package}");
    }
}

/// Each folder of `wit/` is a package that a registry can carry: encoded and read back, it has its name and version.
#[test]
fn every_package_can_be_published() {
    for folder in [
        "types",
        "host",
        "adapter",
        "extractor",
        "explorer",
        "memory-writer",
    ] {
        let mut resolve = Resolve::default();
        let shared = ["types", "host"].into_iter();
        for one in shared.take_while(|one| *one != folder) {
            resolve.push_dir(wit(one)).unwrap();
        }
        let (package, _) = resolve.push_dir(wit(folder)).unwrap();
        let name = resolve.packages[package].name.clone();
        assert_eq!(name.to_string(), format!("acreta:{folder}@0.1.0"));
        let encoded = wit_component::encode(&resolve, package).unwrap();
        match wit_component::decode(&encoded).unwrap() {
            wit_component::DecodedWasm::WitPackage(resolve, package) => {
                assert_eq!(resolve.packages[package].name, name);
            }
            wit_component::DecodedWasm::Component(..) => panic!("{folder} is a component"),
        }
    }
}

/// Each WIT function and record is documented.
#[test]
fn every_function_is_documented() {
    for (_, role) in ROLES {
        let (resolve, _) = world(role);
        for (_, interface) in &resolve.interfaces {
            let name = interface.name.clone().unwrap_or_default();
            for (function, details) in &interface.functions {
                let documented = details.docs.contents.is_some()
                    || ["complete", "[resource-drop]reader"].contains(&function.as_str());
                assert!(documented, "{name}.{function} has no comment");
            }
        }
    }
}

/// `plugin inspect` loads each built-in plugin like any other, and shows its permissions.
#[test]
fn built_ins_take_the_same_path_as_any_plugin() {
    for (package, role) in ROLES {
        let project = Project::new();
        let shown = project
            .acreta(&["plugin", "inspect", package, "--json"])
            .succeeded()
            .json();
        assert_eq!(shown["role"], role);
        assert_eq!(shown["origin"], "built-in");
        let file = project.write(&format!("{package}.wasm"), &component(package));
        let tried = project
            .acreta(&["plugin", "inspect", file.to_str().unwrap(), "--json"])
            .succeeded()
            .json();
        assert_eq!(tried["imports"], shown["imports"]);
        assert_eq!(
            tried["digest"], shown["digest"],
            "what is tried is what is built in"
        );
    }
}

/// The binary contains its adapters' descriptions without compiling them; here they are compiled and asked.
/// `ACRETA_UPDATE=1` rewrites the file.
#[test]
#[expect(clippy::disallowed_methods, reason = "a file of the repository")]
fn the_adapters_describe_what_the_binary_knows_of_them() {
    let project = Project::new();
    let mut described = serde_json::Map::new();
    for (id, _) in acreta_plugin_build::BUILTIN {
        if id.starts_with("adapter-") {
            let shown = project.acreta(&["plugin", "inspect", id, "--json"]);
            let shown = shown.succeeded().json();
            described.insert((*id).to_owned(), shown["describes"].clone());
        }
    }
    let text = format!("{:#}\n", serde_json::Value::Object(described));
    let file = acreta_plugin_build::workspace_root().join("host/service/descriptions.json");
    if std::env::var_os("ACRETA_UPDATE").is_some() {
        std::fs::write(&file, &text).unwrap();
    }
    assert_eq!(
        std::fs::read_to_string(&file).unwrap(),
        text,
        "`ACRETA_UPDATE=1` writes it anew"
    );
}

/// An adapter whose name is not in the default of `plugins.adapters` never runs.
#[test]
fn every_built_in_adapter_is_asked() {
    let project = Project::new();
    let setting = project
        .acreta(&["config", "get", "plugins.adapters", "--json"])
        .succeeded()
        .json();
    let mut asked: Vec<&str> = setting["value"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(serde_json::Value::as_str)
        .collect();
    let builtin = acreta_plugin_build::BUILTIN.iter().map(|(id, _)| *id);
    let mut adapters: Vec<&str> = builtin.filter(|id| id.starts_with("adapter-")).collect();
    asked.sort_unstable();
    adapters.sort_unstable();
    assert_eq!(asked, adapters);
}

/// A core module that no SDK made, as a compiler of any language leaves it. It finds nothing and has nothing to tell: both
/// functions return zeros, which are the result `ok` and an empty list, or a summary of empty texts. Their parameters
/// are in memory; the last, at byte 96, is the reader that they were lent and have to give back.
const BARE_EXTRACTOR: &str = r#"(module
  (import "acreta:host/trace@0.1.0" "[resource-drop]reader" (func $drop (param i32)))
  (memory (export "memory") 16)
  (global $free (mut i32) (i32.const 4096))
  (func (export "cabi_realloc") (param $old i32) (param $size i32) (param $align i32) (param $new i32) (result i32)
    (local $place i32)
    (local.set $place (i32.and
      (i32.add (global.get $free) (i32.sub (local.get $align) (i32.const 1)))
      (i32.sub (i32.const 0) (local.get $align))))
    (global.set $free (i32.add (local.get $place) (local.get $new)))
    (local.get $place))
  (func $nothing (param $parameters i32) (result i32)
    (call $drop (i32.load offset=96 (local.get $parameters)))
    (i32.const 1024))
  (export "acreta:extractor/extractor@0.1.0#extract" (func $nothing))
  (export "acreta:extractor/extractor@0.1.0#summarise" (func $nothing)))"#;

/// The steps of `docs/plugin-toolchains.md`, with the libraries of `wasm-tools component embed` and `new`.
#[test]
fn any_toolchain_makes_a_plugin_from_the_wit() {
    let (resolve, world) = world("extractor");
    let mut module = wat::parse_str(BARE_EXTRACTOR).unwrap();
    let utf8 = wit_component::StringEncoding::UTF8;
    wit_component::embed_component_metadata(&mut module, &resolve, world, utf8).unwrap();
    let encoder = wit_component::ComponentEncoder::default().module(&module);
    let component = encoder.unwrap().encode().unwrap();

    let project = Project::new();
    let manifest = "id = \"bare\"\nversion = \"0.1.0\"\nrole = \"extractor\"\ncomponent = \"bare.wasm\"\ndescription = \"Finds nothing.\"\n";
    let folder = project.write("bare/plugin.toml", manifest.as_bytes());
    let folder = folder.parent().unwrap().to_str().unwrap();
    let file = project.write("bare/bare.wasm", &component);
    let plugin = |words: &[&str]| {
        let words = [&["plugin"], words].concat();
        project.acreta(&words).succeeded().stdout
    };
    plugin(&["build", folder, "--no-script"]);
    let checked = plugin(&["check", folder]);
    assert!(checked.contains("bare (extractor 0.1.0)"), "{checked}");
    plugin(&["install", file.to_str().unwrap(), "--yes"]);
    let session = fixture("claude/demo-queue-retries.jsonl");
    let run = [
        "run",
        session.to_str().unwrap(),
        "--plugin",
        file.to_str().unwrap(),
    ];
    let run = project.acreta(&[&run[..], &["--no-llm", "--json"]].concat());
    let run = run.succeeded().json();
    assert_eq!(run["counts"]["add"], 0, "{run}");
}
