//! The import graph. Resolves again only the imports of changed files, and those that may refer to an added or removed
//! file: each import is indexed by the names it ends with.

use std::collections::{BTreeSet, HashMap};

use acreta_symbols::{
    Import, ImportKind, Language, RepositoryFiles, SourceRoots, language_of, resolve,
};

use crate::artifact::bytes::{ByteReader, ByteWriter};
use crate::rank::terms;
use crate::scan::tree::{ArtifactFile, parts};

/// Imports between the files of a project, which are referred to by number.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Graph {
    /// Pairs of importing and imported file, sorted, without duplicates.
    pub(crate) edges: Vec<(u32, u32)>,
    /// Pairs of an importing file and the hash of a name that one of its imports ends with.
    keys: Vec<(u32, u32)>,
    /// Pairs of an importing file and an external package.
    packages: Vec<(u32, String)>,
}

impl Graph {
    pub(crate) fn encode_edges(&self) -> Vec<u8> {
        encode_pairs(&self.edges)
    }

    pub(crate) fn encode_keys(&self) -> Vec<u8> {
        let keys = encode_pairs(&self.keys);
        let mut writer = ByteWriter::with_capacity(keys.len() + 16);
        writer.u32(keys.len() as u32);
        writer.raw(&keys);
        writer.u32(self.packages.len() as u32);
        for (file, package) in &self.packages {
            writer.u32(*file);
            writer.text(package);
        }
        writer.done()
    }

    pub(crate) fn decode(edges: &[u8], keys: &[u8]) -> Self {
        let mut fields = ByteReader::new(keys);
        let length = fields.u32() as usize;
        let pairs = decode_pairs(fields.raw(length));
        let packages = (0..fields.u32())
            .map(|_| (fields.u32(), fields.text().to_owned()))
            .collect();
        Self {
            edges: decode_pairs(edges),
            keys: pairs,
            packages,
        }
    }

    /// Counts the importers of each file.
    pub(crate) fn dependents(&self, files: usize) -> Vec<u32> {
        let mut counts = vec![0; files];
        for (_, to) in &self.edges {
            if let Some(count) = counts.get_mut(*to as usize) {
                *count += 1;
            }
        }
        counts
    }

    /// Returns external packages with the number of files that import them, most frequent first.
    pub(crate) fn top_packages(&self) -> Vec<(String, u32)> {
        let mut counts: HashMap<&str, u32> = HashMap::new();
        for (_, package) in &self.packages {
            *counts.entry(package).or_default() += 1;
        }
        let mut counts: Vec<_> = counts
            .into_iter()
            .map(|(name, count)| (name.to_owned(), count))
            .collect();
        counts.sort_by(|left, right| right.1.cmp(&left.1).then_with(|| left.0.cmp(&right.0)));
        counts
    }

    /// Returns files with an import that may refer to one of these paths.
    fn concerned(&self, paths: &[String]) -> BTreeSet<u32> {
        let wanted: BTreeSet<u32> = paths.iter().flat_map(|path| names_of(path)).collect();
        self.keys
            .iter()
            .filter(|(_, key)| wanted.contains(key))
            .map(|(file, _)| *file)
            .collect()
    }

    /// Renumbers files, and drops those without a new number.
    fn renumbered(&self, number: impl Fn(u32) -> Option<u32>) -> Self {
        let pair = |(from, to): &(u32, u32)| Some((number(*from)?, number(*to)?));
        let first = |(from, key): &(u32, u32)| Some((number(*from)?, *key));
        let package = |(from, package): &(u32, String)| Some((number(*from)?, package.clone()));
        Self {
            edges: self.edges.iter().filter_map(pair).collect(),
            keys: self.keys.iter().filter_map(first).collect(),
            packages: self.packages.iter().filter_map(package).collect(),
        }
    }
}

/// Builds the import graph.
pub(crate) struct GraphBuilder<'a> {
    pub(crate) files: &'a [ArtifactFile],
    pub(crate) roots: &'a SourceRoots,
    /// The previous graph, and the paths added or removed since.
    pub(crate) before: Option<(&'a Graph, &'a [String])>,
}

impl GraphBuilder<'_> {
    /// Resolves the imports that need it; `imports` returns the imports of a file.
    pub(crate) fn make(&self, mut imports: impl FnMut(u32) -> Vec<Import>) -> Graph {
        let mut graph = Graph::default();
        let mut stale: BTreeSet<u32> = BTreeSet::new();
        match self.before {
            None => stale.extend(0..self.files.len() as u32),
            Some((before, moved)) => {
                let numbers: HashMap<u32, u32> = self
                    .files
                    .iter()
                    .enumerate()
                    .filter_map(|(now, file)| Some((file.before?, now as u32)))
                    .collect();
                let concerned = before.concerned(moved);
                stale.extend(concerned.iter().filter_map(|old| numbers.get(old)));
                let is_new = |(index, file): (usize, &ArtifactFile)| {
                    file.before.is_none().then_some(index as u32)
                };
                stale.extend(self.files.iter().enumerate().filter_map(is_new));
                graph = before.renumbered(|old| numbers.get(&old).copied());
                // Edges into a changed file remain valid, but the file has no number from before: look it up by path.
                graph.edges.extend(self.kept_edges(before, &numbers));
                graph.edges.retain(|(from, _)| !stale.contains(from));
                graph.keys.retain(|(from, _)| !stale.contains(from));
                graph.packages.retain(|(from, _)| !stale.contains(from));
            }
        }
        let known = ImportTargets::new(self.files);
        for index in stale {
            let file = &self.files[index as usize];
            let Some(language) = language_of(&file.path) else {
                continue;
            };
            for import in imports(index) {
                self.resolve(language, index, &import, &known, &mut graph);
            }
        }
        graph.edges.sort_unstable();
        graph.edges.dedup();
        graph.keys.sort_unstable();
        graph.keys.dedup();
        graph.packages.sort_unstable();
        graph.packages.dedup();
        graph
    }

    fn resolve(
        &self,
        language: Language,
        index: u32,
        import: &Import,
        known: &ImportTargets<'_>,
        graph: &mut Graph,
    ) {
        let from = &self.files[index as usize].path;
        graph
            .keys
            .extend(ends_of(&import.path).into_iter().map(|key| (index, key)));
        match resolve(language, import, from, self.roots, known) {
            Some(path) => {
                if let Some(to) = known.numbers.get(path.as_str()) {
                    graph.edges.push((index, *to));
                }
            }
            None if import.kind == ImportKind::Absolute => {
                let package = package(language, &import.path);
                if !package.is_empty() {
                    graph.packages.push((index, package));
                }
            }
            None => {}
        }
    }

    fn kept_edges(&self, before: &Graph, numbers: &HashMap<u32, u32>) -> Vec<(u32, u32)> {
        let changed: HashMap<u32, u32> = self
            .files
            .iter()
            .enumerate()
            .filter(|(_, file)| file.before.is_none())
            .filter_map(|(now, file)| Some((file.replaces?, now as u32)))
            .collect();
        before
            .edges
            .iter()
            .filter_map(|(from, to)| Some((*numbers.get(from)?, *changed.get(to)?)))
            .collect()
    }
}

/// The files of a project, indexed for resolving imports.
struct ImportTargets<'a> {
    numbers: HashMap<&'a str, u32>,
    by_name: HashMap<&'a str, Vec<u32>>,
    files: &'a [ArtifactFile],
}

impl<'a> ImportTargets<'a> {
    fn new(files: &'a [ArtifactFile]) -> Self {
        let mut numbers = HashMap::with_capacity(files.len());
        let mut by_name: HashMap<&str, Vec<u32>> = HashMap::new();
        for (index, file) in files.iter().enumerate() {
            numbers.insert(file.path.as_str(), index as u32);
            by_name
                .entry(parts(&file.path).1)
                .or_default()
                .push(index as u32);
        }
        Self {
            numbers,
            by_name,
            files,
        }
    }
}

impl RepositoryFiles for ImportTargets<'_> {
    fn contains(&self, path: &str) -> bool {
        self.numbers.contains_key(path)
    }

    fn find_suffix(&self, suffix: &str) -> Option<String> {
        let candidates = self.by_name.get(parts(suffix).1)?;
        let whole = suffix.trim_start_matches('/');
        let mut found = candidates
            .iter()
            .map(|index| self.files[*index as usize].path.as_str())
            .filter(|path| *path == whole || path.ends_with(suffix));
        let first = found.next()?;
        found.next().is_none().then(|| first.to_owned())
    }

    fn files_in(&self, folder: &str) -> Vec<String> {
        let folder = folder.trim_end_matches('/');
        // Files are sorted by folder.
        let start = self
            .files
            .partition_point(|file| parts(&file.path).0 < folder);
        self.files[start..]
            .iter()
            .take_while(|file| parts(&file.path).0 == folder)
            .map(|file| file.path.clone())
            .collect()
    }
}

/// Returns the hashed names by which an import could refer to a path: its stem, and its last two folders.
fn names_of(path: &str) -> Vec<u32> {
    let (folder, name) = parts(path);
    let stem = name.split('.').next().unwrap_or(name);
    let mut names = vec![terms::hash(stem.as_bytes())];
    names.extend(
        folder
            .rsplit('/')
            .take(2)
            .filter(|part| !part.is_empty())
            .map(|part| terms::hash(part.as_bytes())),
    );
    names
}

/// Returns the hashed names an import ends with, as they may occur in a path.
fn ends_of(import: &str) -> Vec<u32> {
    import
        .rsplit(|character: char| !(character.is_alphanumeric() || "_-".contains(character)))
        .filter(|part| !part.is_empty())
        .take(3)
        .map(|part| terms::hash(part.as_bytes()))
        .collect()
}

/// Returns the common name of the package that an import refers to.
fn package(language: Language, import: &str) -> String {
    let first = |count: usize, by: char| {
        let parts: Vec<&str> = import.split(by).take(count).collect();
        parts.join(&by.to_string())
    };
    match language {
        Language::Rust => import.split("::").next().unwrap_or_default().to_owned(),
        Language::Python => first(1, '.'),
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            first(if import.starts_with('@') { 2 } else { 1 }, '/')
        }
        Language::Go if import.contains('.') => first(3, '/'),
        Language::Java => first(2, '.'),
        Language::CSharp => first(1, '.'),
        Language::Ruby => first(1, '/'),
        Language::Php => import
            .trim_start_matches('\\')
            .split('\\')
            .next()
            .unwrap_or_default()
            .to_owned(),
        Language::Go | Language::C | Language::Cpp => import.to_owned(),
    }
}

fn encode_pairs(pairs: &[(u32, u32)]) -> Vec<u8> {
    let mut writer = ByteWriter::with_capacity(pairs.len() * 8);
    for (left, right) in pairs {
        writer.u32(*left);
        writer.u32(*right);
    }
    writer.done()
}

pub(crate) fn decode_pairs(bytes: &[u8]) -> Vec<(u32, u32)> {
    let mut fields = ByteReader::new(bytes);
    (0..bytes.len() / 8)
        .map(|_| (fields.u32(), fields.u32()))
        .collect()
}
