//! Source roots that the manifests of a repository declare.

/// Root folders and files of crates, packages and modules.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SourceRoots {
    pub(crate) crates: Vec<RustCrate>,
    /// Longest module path first.
    pub(crate) go_modules: Vec<GoModule>,
    pub(crate) script_packages: Vec<ScriptPackage>,
    /// Deepest folder first.
    pub(crate) script_paths: Vec<ScriptPaths>,
    /// Root folders of Python packages.
    pub(crate) python: Vec<String>,
    pub(crate) java: Vec<String>,
    /// Longest prefix first.
    pub(crate) php: Vec<NamespaceFolder>,
    /// Longest namespace first.
    pub(crate) csharp: Vec<NamespaceFolder>,
    pub(crate) ruby: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct RustCrate {
    /// As written in code, with underscores.
    pub(crate) name: String,
    pub(crate) folder: String,
    /// The root file of the library, whether it exists or not.
    pub(crate) library: String,
    /// Root files of other targets with an explicit path in the manifest.
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
    /// Entry files as written in the manifest, best first.
    pub(crate) entries: Vec<String>,
}

/// `compilerOptions` of a `tsconfig.json`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ScriptPaths {
    /// The folder it applies to.
    pub(crate) folder: String,
    /// Base folder of non-relative paths.
    pub(crate) base: Option<String>,
    /// Patterns with at most one `*`, and their targets relative to the repository's root.
    pub(crate) patterns: Vec<(String, Vec<String>)>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NamespaceFolder {
    pub(crate) namespace: String,
    pub(crate) folder: String,
}

impl SourceRoots {
    /// Sorts more specific entries first; ties are broken by path.
    pub(crate) fn sort_by_specificity(&mut self) {
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
