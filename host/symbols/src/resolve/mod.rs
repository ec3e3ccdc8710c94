//! Resolves an import to a file. Returns only files in the repository, and `None` if the result is ambiguous.

mod c;
mod go;
mod namespaces;
mod python;
mod ruby;
mod rust;
mod script;

use crate::language::Language;
use crate::outline::Import;
use crate::roots::SourceRoots;

/// The files of a repository, by path from its root, separated by `/`.
pub trait RepositoryFiles {
    fn contains(&self, path: &str) -> bool;

    /// Returns the file with this path suffix, if there is exactly one.
    ///
    /// A suffix begins with `/` and matches whole components; a file at the root matches too.
    fn find_suffix(&self, suffix: &str) -> Option<String>;

    /// Returns the files directly in a folder, sorted. Needed for imports that name a folder, as in Go; without it they
    /// are not resolved.
    fn files_in(&self, _folder: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Returns the file that an import in `from` refers to, if it is in the repository and not `from` itself.
pub fn resolve(
    language: Language,
    import: &Import,
    from: &str,
    roots: &SourceRoots,
    files: &dyn RepositoryFiles,
) -> Option<String> {
    let site = ImportSite {
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

/// Input for resolving one import.
struct ImportSite<'a> {
    import: &'a Import,
    from: &'a str,
    roots: &'a SourceRoots,
    files: &'a dyn RepositoryFiles,
}

impl ImportSite<'_> {
    /// Returns the path if the file exists.
    fn existing(&self, path: String) -> Option<String> {
        self.files.contains(&path).then_some(path)
    }
}

/// Joins a path to a folder; the root is the empty folder.
fn inside(folder: &str, path: &str) -> String {
    match (folder, path) {
        ("", path) => path.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, path) => format!("{folder}/{path}"),
    }
}
