//! From an import to the file that it means.
//! A file is named only when it is in the repository; what may as well be another answers `None`.

mod c;
mod go;
mod namespaces;
mod python;
mod ruby;
mod rust;
mod script;

use crate::language::Language;
use crate::outline::Import;
use crate::roots::Roots;

/// The files of a repository, by their paths from its root with `/` between parts.
pub trait Files {
    fn contains(&self, path: &str) -> bool;

    /// The file whose path ends so, if there is exactly one.
    ///
    /// A suffix begins with `/` and matches whole parts; a file at the root matches too.
    fn find_suffix(&self, suffix: &str) -> Option<String>;

    /// The files directly in a folder, sorted. Imports that name a folder, as in Go, need it:
    /// without it they are not resolved.
    fn files_in(&self, _folder: &str) -> Vec<String> {
        Vec::new()
    }
}

/// The file that an import in `from` means, if it is in the repository and another than `from`.
pub fn resolve(
    language: Language,
    import: &Import,
    from: &str,
    roots: &Roots,
    files: &dyn Files,
) -> Option<String> {
    let site = Site {
        import,
        from,
        roots,
        files,
    };
    let found = match language {
        Language::Rust => rust::resolve(&site),
        Language::Python => python::resolve(&site),
        Language::TypeScript | Language::Tsx | Language::JavaScript => script::resolve(&site),
        Language::Go => go::resolve(&site),
        Language::Java => namespaces::resolve_java(&site),
        Language::C | Language::Cpp => c::resolve(&site),
        Language::CSharp => namespaces::resolve_csharp(&site),
        Language::Ruby => ruby::resolve(&site),
        Language::Php => namespaces::resolve_php(&site),
    };
    found.filter(|found| found != from)
}

/// An import, where it stands, and what there is to find.
struct Site<'a> {
    import: &'a Import,
    from: &'a str,
    roots: &'a Roots,
    files: &'a dyn Files,
}

impl Site<'_> {
    /// The path itself, if there is such a file.
    fn existing(&self, path: String) -> Option<String> {
        self.files.contains(&path).then_some(path)
    }
}

/// A path in a folder, where the root is the empty folder.
fn inside(folder: &str, path: &str) -> String {
    match (folder, path) {
        ("", path) => path.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, path) => format!("{folder}/{path}"),
    }
}
