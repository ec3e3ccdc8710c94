//! Outlines as lines of text, and a repository as a list of paths.

use acreta_symbols::{Import, Language, Outline, RepositoryFiles, SourceRoots, outline, resolve};

/// Returns one line for each symbol and import, and for each other property of an outline.
///
/// `+` means exported; a symbol has its lines, and its parent after `in`.
pub(crate) fn shown(outline: &Outline) -> Vec<String> {
    let mut lines = Vec::new();
    for symbol in &outline.symbols {
        let mark = if symbol.exported { '+' } else { '-' };
        let mut line = format!("{mark} {} {}", symbol.kind.name(), symbol.name);
        if let Some(parent) = &symbol.parent {
            line.push_str(&format!(" in {parent}"));
        }
        line.push_str(&format!(" {}-{}", symbol.line, symbol.end_line));
        lines.push(line);
    }
    for Import { path, line, kind } in &outline.imports {
        lines.push(format!("{} {path} {line}", kind.name()));
    }
    lines.extend(outline.entry.map(|entry| format!("entry {}", entry.name())));
    lines.extend(outline.is_test.then(|| "test".to_owned()));
    lines.extend(outline.truncated.then(|| "truncated".to_owned()));
    lines
}

pub(crate) fn check(language: Language, text: &str, expected: &str) {
    let actual = shown(&outline(language, text.as_bytes())).join("\n");
    let expected: Vec<&str> = expected
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let expected = expected.join("\n");
    assert_eq!(actual, expected, "{}:\n{actual}\n", language.name());
}

/// A repository with these paths.
pub(crate) struct PathList(pub(crate) Vec<&'static str>);

impl RepositoryFiles for PathList {
    fn contains(&self, path: &str) -> bool {
        self.0.contains(&path)
    }

    fn find_suffix(&self, suffix: &str) -> Option<String> {
        let mut found = self
            .0
            .iter()
            .filter(|path| format!("/{path}").ends_with(suffix));
        let first = found.next()?;
        found.next().is_none().then(|| (*first).to_owned())
    }

    fn files_in(&self, folder: &str) -> Vec<String> {
        let in_folder =
            |path: &&&str| path.rsplit_once('/').map_or("", |(before, _)| before) == folder;
        self.0
            .iter()
            .filter(in_folder)
            .map(|path| (*path).to_owned())
            .collect()
    }
}

/// A repository with its manifests, for resolving imports.
pub(crate) struct TestRepository {
    pub(crate) files: PathList,
    pub(crate) roots: SourceRoots,
}

impl TestRepository {
    pub(crate) fn new(files: &[&'static str], manifests: &[(&str, &str)]) -> Self {
        Self {
            files: PathList(files.to_vec()),
            roots: SourceRoots::from_manifests(manifests),
        }
    }

    /// Checks a table: the importing file, a line of code in it, and the expected files.
    pub(crate) fn check(&self, language: Language, table: &[(&str, &str, &[&str])]) {
        for (from, code, expected) in table {
            let imports = outline(language, code.as_bytes()).imports;
            assert!(!imports.is_empty(), "`{code}` imports nothing");
            let found: Vec<String> = imports
                .iter()
                .filter_map(|import| resolve(language, import, from, &self.roots, &self.files))
                .collect();
            assert_eq!(&found, expected, "`{code}` in {from}, as {imports:?}");
        }
    }
}
