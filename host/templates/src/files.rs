//! What the crate carries, and which of it a project is made of.

use acreta_model::Role;

use crate::Language;

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
    let mut sources = Vec::new();
    let mut take = |folder: &str, to: &str, kind: Kind| {
        for (path, bytes) in FILES {
            let Some(rest) = path.strip_prefix(folder) else {
                continue;
            };
            let path = format!("{to}{}", stamped_name(rest));
            sources.push(Source { path, bytes, kind });
        }
    };
    take("host/templates/files/common/", "", Kind::Template);
    take(&format!("host/templates/files/{role}/"), "", Kind::Template);
    take(
        &format!("sdk/{language}/template/common/"),
        "",
        Kind::Template,
    );
    take(
        &format!("sdk/{language}/template/{role}/"),
        "",
        Kind::Template,
    );
    match language {
        Language::Rust => {
            take("sdk/rust/src/", "vendor/acreta-sdk/src/", Kind::Verbatim);
            take(
                "sdk/rust/template/vendor.toml",
                "vendor/acreta-sdk/Cargo.toml",
                Kind::Verbatim,
            );
            for package in PACKAGES {
                take(
                    &format!("wit/{package}/"),
                    &format!("wit/{package}/"),
                    Kind::Verbatim,
                );
            }
        }
        Language::Js => {
            take("sdk/js/src/", "vendor/acreta-sdk/", Kind::Verbatim);
            take("sdk/js/types/", "vendor/acreta-sdk/types/", Kind::Verbatim);
            take(&format!("sdk/js/wit/{role}/"), "wit/", Kind::Verbatim);
            // The world lies in a package of its own, so that the role's is a dependency too.
            for package in SHARED.into_iter().chain([role.name()]) {
                take(
                    &format!("wit/{package}/"),
                    &format!("wit/deps/{package}/"),
                    Kind::Verbatim,
                );
            }
            if matches!(role, Role::Adapter | Role::MemoryWriter) {
                take("sdk/js/wit/wasi/", "wit/deps/", Kind::Verbatim);
            }
        }
        Language::Python => {
            take("sdk/python/src/", "vendor/", Kind::Verbatim);
            take(
                &format!("sdk/python/stubs/{role}/"),
                "stubs/",
                Kind::Verbatim,
            );
            take(&format!("wit/{role}/"), "wit/", Kind::Verbatim);
            for package in SHARED {
                take(
                    &format!("wit/{package}/"),
                    &format!("wit/deps/{package}/"),
                    Kind::Verbatim,
                );
            }
        }
    }
    sources
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
        other => other,
    };
    format!("{folder}{name}")
}
