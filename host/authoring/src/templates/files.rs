//! What the crate carries, and which of it a project is made of.

use acreta_model::Role;

use super::Language;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// A file of a project before its placeholders are filled in.
pub(crate) struct Source {
    pub(crate) path: String,
    pub(crate) bytes: &'static [u8],
    pub(crate) kind: Kind,
}

#[derive(Clone, Copy)]
pub(crate) enum Kind {
    /// Has the plugin's name in it.
    Template,
    /// The SDK and the WIT, the same in every project.
    Verbatim,
}

/// Everything a project of this role and language is made of.
pub(crate) fn sources(role: Role, language: Language) -> Vec<Source> {
    let templates = [
        "host/authoring/files/common/".to_owned(),
        format!("host/authoring/files/{role}/"),
        format!("sdk/{language}/template/common/"),
        format!("sdk/{language}/template/{role}/"),
    ];
    let mut sources = Vec::new();
    for folder in templates {
        sources.extend(taken(&folder, "", Kind::Template));
    }
    if role == Role::Adapter {
        // The sample session is also a case, so that `plugin test` has one from the start.
        let from = "host/authoring/files/adapter/fixtures/example-plugin/";
        sources.extend(taken(from, "cases/sample/input/", Kind::Template));
    }
    for (folder, to) in verbatim(role, language) {
        sources.extend(taken(&folder, &to, Kind::Verbatim));
    }
    sources
}

/// The files whose path starts with `from`, with `to` in its place.
fn taken(from: &str, to: &str, kind: Kind) -> Vec<Source> {
    let files = FILES.iter().filter_map(|(path, bytes)| {
        let rest = path.strip_prefix(from)?;
        let path = format!("{to}{}", stamped_name(rest));
        Some(Source { path, bytes, kind })
    });
    files.collect()
}

/// Which parts of the SDK and the WIT a project has, and where.
fn verbatim(role: Role, language: Language) -> Vec<(String, String)> {
    let mut parts = Vec::new();
    let mut take = |from: &str, to: &str| parts.push((from.to_owned(), to.to_owned()));
    match language {
        Language::Rust => {
            take("sdk/rust/src/", "vendor/acreta-sdk/src/");
            take(
                "sdk/rust/template/vendor.toml",
                "vendor/acreta-sdk/Cargo.toml",
            );
            for package in PACKAGES {
                let folder = format!("wit/{package}/");
                take(&folder, &folder);
            }
        }
        Language::Js => {
            take("sdk/js/src/", "vendor/acreta-sdk/");
            take("sdk/js/types/", "vendor/acreta-sdk/types/");
            take(&format!("sdk/js/wit/{role}/"), "wit/");
            // The world lies in a package of its own, so that the role's is a dependency too.
            for package in SHARED.into_iter().chain([role.name()]) {
                take(&format!("wit/{package}/"), &format!("wit/deps/{package}/"));
            }
            if matches!(role, Role::Adapter | Role::MemoryWriter) {
                take("sdk/js/wit/wasi/", "wit/deps/");
            }
        }
        Language::Python => {
            take("sdk/python/src/", "vendor/");
            take(&format!("sdk/python/stubs/{role}/"), "stubs/");
            take(&format!("wit/{role}/"), "wit/");
            for package in SHARED {
                take(&format!("wit/{package}/"), &format!("wit/deps/{package}/"));
            }
        }
    }
    parts
}

/// The packages of the contract.
const PACKAGES: [&str; 6] = [
    "types",
    "host",
    "adapter",
    "extractor",
    "explorer",
    "memory-writer",
];

/// Those that every role's package uses.
const SHARED: [&str; 2] = ["types", "host"];

/// A file's name in the project. Names that a tool would take for its own in this repository are
/// spelled otherwise here.
fn stamped_name(path: &str) -> String {
    let (folder, name) = match path.rsplit_once('/') {
        Some((folder, name)) => (format!("{folder}/"), name),
        None => (String::new(), path),
    };
    let name = match name {
        "manifest.toml" => "Cargo.toml",
        "gitignore" => ".gitignore",
        "gitattributes" => ".gitattributes",
        other => other,
    };
    format!("{folder}{name}")
}
