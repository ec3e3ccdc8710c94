//! The embedded files, and the selection that makes up a project.

use acreta_types::Role;

use super::Language;

include!(concat!(env!("OUT_DIR"), "/files.rs"));

/// A file of a project before its placeholders are filled in.
pub(crate) struct TemplateSource {
    pub(crate) path: String,
    pub(crate) bytes: &'static [u8],
    pub(crate) kind: TemplateKind,
}

#[derive(Clone, Copy)]
pub(crate) enum TemplateKind {
    /// Contains the plugin's name.
    Template,
    /// The SDK and the WIT, identical in every project.
    Verbatim,
}

/// Lists the files of a project of this role and language.
pub(crate) fn sources(role: Role, language: Language) -> Vec<TemplateSource> {
    let templates = [
        "host/plugin-dev/files/common/".to_owned(),
        format!("host/plugin-dev/files/{role}/"),
        format!("sdk/{language}/template/common/"),
        format!("sdk/{language}/template/{role}/"),
    ];
    let mut sources = Vec::new();
    for folder in templates {
        sources.extend(taken(&folder, "", TemplateKind::Template));
    }
    if role == Role::Adapter {
        // The sample session is also a case, so that `plugin test` has one from the start.
        let from = "host/plugin-dev/files/adapter/fixtures/example-plugin/";
        sources.extend(taken(from, "cases/sample/input/", TemplateKind::Template));
    }
    for (folder, to) in verbatim(role, language) {
        sources.extend(taken(&folder, &to, TemplateKind::Verbatim));
    }
    sources
}

/// Selects the files whose path starts with `from`, and replaces this prefix by `to`.
fn taken(from: &str, to: &str, kind: TemplateKind) -> Vec<TemplateSource> {
    let files = FILES.iter().filter_map(|(path, bytes)| {
        let rest = path.strip_prefix(from)?;
        let path = format!("{to}{}", stamped_name(rest));
        Some(TemplateSource { path, bytes, kind })
    });
    files.collect()
}

/// Lists the parts of the SDK and the WIT in a project, as pairs of source and target prefix.
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
            // The world is in a separate package, so that the role's package is a dependency too.
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

/// The packages that every role's package uses.
const SHARED: [&str; 2] = ["types", "host"];

/// Returns a file's name in the project. Names that tools would interpret in this repository are spelled differently
/// here.
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
