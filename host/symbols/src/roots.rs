//! What the manifests of a repository say about where its code lives.

/// Where crates, packages and modules have their files.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Roots {
    pub(crate) crates: Vec<RustCrate>,
    /// The longest module path first.
    pub(crate) go_modules: Vec<GoModule>,
    pub(crate) script_packages: Vec<ScriptPackage>,
    /// The deepest folder first.
    pub(crate) script_paths: Vec<ScriptPaths>,
    /// Folders that Python packages are told from.
    pub(crate) python: Vec<String>,
    pub(crate) java: Vec<String>,
    /// The longest prefix first.
    pub(crate) php: Vec<NamespaceFolder>,
    /// The longest namespace first.
    pub(crate) csharp: Vec<NamespaceFolder>,
    pub(crate) ruby: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RustCrate {
    /// As code writes it, with underscores.
    pub(crate) name: String,
    pub(crate) folder: String,
    /// The root file of the library, whether there is one or not.
    pub(crate) library: String,
    /// The root files of other targets that the manifest places itself.
    pub(crate) targets: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GoModule {
    pub(crate) path: String,
    pub(crate) folder: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScriptPackage {
    pub(crate) name: String,
    pub(crate) folder: String,
    /// Files that stand for the package, the best first, as the manifest writes them.
    pub(crate) entries: Vec<String>,
}

/// `compilerOptions` of a `tsconfig.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScriptPaths {
    /// The folder it holds for.
    pub(crate) folder: String,
    /// The folder that plain paths are told from.
    pub(crate) base: Option<String>,
    /// Patterns with at most one `*`, and where they lead from the root of the repository.
    pub(crate) patterns: Vec<(String, Vec<String>)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamespaceFolder {
    pub(crate) namespace: String,
    pub(crate) folder: String,
}

impl Roots {
    /// What is more particular comes first; among equals, the path decides.
    pub(crate) fn put_in_order(&mut self) {
        self.go_modules
            .sort_by_key(|module| std::cmp::Reverse(module.path.len()));
        self.script_paths
            .sort_by_key(|paths| std::cmp::Reverse(paths.folder.len()));
        self.php
            .sort_by_key(|prefix| std::cmp::Reverse(prefix.namespace.len()));
        self.csharp
            .sort_by_key(|prefix| std::cmp::Reverse(prefix.namespace.len()));
        for folders in [&mut self.python, &mut self.java, &mut self.ruby] {
            folders.sort_unstable();
            folders.dedup();
        }
    }
}
