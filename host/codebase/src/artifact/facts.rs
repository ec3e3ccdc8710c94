//! Facts about the content of one file: symbols, imports and word counts. Stored as bytes and decoded in place where a
//! question needs them.

use acreta_redact::Redactor;
use acreta_symbols::{
    EntryPointKind, Import, ImportKind, Outline, Symbol, SymbolKind, language_label, language_of,
    outline,
};

use crate::artifact::bytes::{ByteReader, ByteWriter};
use crate::artifact::words::{count, write_words};

/// Maximum number of symbols, and of imports, stored per file.
const MOST_ITEMS: usize = 4_000;
/// Maximum stored size of a manifest.
const MANIFEST_BYTES: usize = 64 * 1024;

/// Facts gathered from one file.
#[derive(Debug, Clone, Default)]
pub(crate) struct Facts {
    /// Encoded form; empty if there are no facts.
    pub(crate) bytes: Vec<u8>,
    pub(crate) is_test: bool,
    pub(crate) entry: Option<EntryPointKind>,
    pub(crate) is_hollow: bool,
}

/// The encoded facts of one file, for lookups in place.
#[derive(Debug, Clone)]
pub(crate) struct FactsView<'a> {
    /// Number of words in the file, counting repetitions.
    pub(crate) length: u32,
    hashes: &'a [u8],
    counts: &'a [u8],
    passages: &'a [u8],
    rest: ByteReader<'a>,
}

/// A range of lines of a file.
#[derive(Debug, Clone)]
pub(crate) struct PassageFacts<'a> {
    /// Number of words in it, counting repetitions.
    pub(crate) length: u32,
    hashes: &'a [u8],
    counts: &'a [u8],
}

/// The section of the facts that follows the words.
#[derive(Debug, Clone, Default)]
pub(crate) struct Declarations {
    pub(crate) symbols: Vec<Symbol>,
    pub(crate) imports: Vec<Import>,
    pub(crate) manifest: Option<String>,
    pub(crate) entry: Option<EntryPointKind>,
}

/// Gathers the facts of a file's text. Everything stored in readable form is redacted first.
pub(crate) fn gather(path: &str, text: &[u8], redactor: &Redactor) -> Facts {
    let language = language_of(path);
    let is_manifest = is_manifest(path);
    if language.is_none() && !is_manifest && !has_words(path) {
        return Facts::default();
    }
    let mut writer = ByteWriter::default();
    write_words(&mut writer, text);
    let outline = language.map(|language| outline(language, text));
    let is_test = outline.as_ref().is_some_and(|outline| outline.is_test) || is_test_path(path);
    let entry = outline.as_ref().and_then(|outline| outline.entry);
    let is_hollow = outline
        .as_ref()
        .is_some_and(|outline| is_hollow(outline, text));
    let outline = outline.unwrap_or_default();
    let hides = |text: &str| !redactor.redact(text).counts.is_empty();

    writer.u8(match entry {
        None => 0,
        Some(EntryPointKind::Main) => 1,
        Some(EntryPointKind::Script) => 2,
        Some(EntryPointKind::Server) => 3,
    });
    let symbols: Vec<&Symbol> = outline
        .symbols
        .iter()
        .filter(|symbol| !hides(&symbol.name))
        .take(MOST_ITEMS)
        .collect();
    writer.u32(symbols.len() as u32);
    for symbol in symbols {
        let kind = SymbolKind::ALL
            .iter()
            .position(|kind| *kind == symbol.kind)
            .unwrap_or_default();
        writer.u8(kind as u8);
        writer.u8(u8::from(symbol.exported));
        writer.u32(symbol.line);
        writer.u32(symbol.end_line);
        writer.text(&symbol.name);
        writer.text(symbol.parent.as_deref().unwrap_or_default());
    }
    let imports: Vec<&Import> = outline
        .imports
        .iter()
        .filter(|import| !hides(&import.path))
        .take(MOST_ITEMS)
        .collect();
    writer.u32(imports.len() as u32);
    for import in imports {
        writer.u8(match import.kind {
            ImportKind::Relative => 0,
            ImportKind::Absolute => 1,
            ImportKind::System => 2,
        });
        writer.u32(import.line);
        writer.text(&import.path);
    }
    let manifest = if is_manifest {
        let text = String::from_utf8_lossy(&text[..text.len().min(MANIFEST_BYTES)]);
        redactor.redact(&text).text.into_owned()
    } else {
        String::new()
    };
    writer.text(&manifest);
    Facts {
        bytes: writer.done(),
        is_test,
        entry,
        is_hollow,
    }
}

/// Reports whether a file has little code of its own: it is data or mostly re-exports.
fn is_hollow(outline: &Outline, text: &[u8]) -> bool {
    let is_code =
        |symbol: &&Symbol| !matches!(symbol.kind, SymbolKind::Constant | SymbolKind::Module);
    let mut spans: Vec<(u32, u32)> = outline
        .symbols
        .iter()
        .filter(is_code)
        .map(|symbol| (symbol.line, symbol.end_line))
        .collect();
    spans.sort_unstable();
    let (mut own, mut last) = (0, 0);
    for (start, end) in spans {
        let start = start.max(last + 1);
        own += (end + 1).saturating_sub(start);
        last = last.max(end);
    }
    let lines = text.iter().filter(|byte| **byte == b'\n').count();
    own as usize * 4 < lines.max(1)
}

impl<'a> FactsView<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let mut fields = ByteReader::new(bytes);
        let words = fields.u32() as usize;
        let length = fields.u32();
        let hashes = fields.raw(words.saturating_mul(4));
        let counts = fields.raw(words);
        let passages = fields.u32() as usize;
        let passages = fields.raw(passages);
        Self {
            length,
            hashes,
            counts,
            passages,
            rest: fields,
        }
    }

    /// Returns the passages of the file in order.
    pub(crate) fn passages(&self) -> impl Iterator<Item = PassageFacts<'a>> {
        let mut fields = ByteReader::new(self.passages);
        std::iter::from_fn(move || {
            let words = usize::from(fields.u16());
            let length = u32::from(fields.u16());
            let hashes = fields.raw(words * 4);
            let counts = fields.raw(words);
            (words > 0).then_some(PassageFacts {
                length,
                hashes,
                counts,
            })
        })
    }

    /// Returns how often a word occurs, at most 255.
    pub(crate) fn count(&self, word: u32) -> u8 {
        count(self.hashes, self.counts, word)
    }

    pub(crate) fn declared(&self) -> Declarations {
        let mut fields = self.rest.clone();
        let entry = match fields.u8() {
            1 => Some(EntryPointKind::Main),
            2 => Some(EntryPointKind::Script),
            3 => Some(EntryPointKind::Server),
            _ => None,
        };
        let symbols = (0..fields.u32().min(MOST_ITEMS as u32))
            .map(|_| symbol(&mut fields))
            .collect();
        let imports = (0..fields.u32().min(MOST_ITEMS as u32))
            .map(|_| import(&mut fields))
            .collect();
        let manifest = fields.text();
        Declarations {
            symbols,
            imports,
            manifest: (!manifest.is_empty()).then(|| manifest.to_owned()),
            entry,
        }
    }
}

impl PassageFacts<'_> {
    pub(crate) fn count(&self, word: u32) -> u8 {
        count(self.hashes, self.counts, word)
    }
}

/// Reports whether a path looks like a test in any of the languages.
pub(crate) fn is_test_path(path: &str) -> bool {
    let folder = |part: &str| {
        matches!(
            part,
            "test" | "tests" | "__tests__" | "spec" | "specs" | "testing" | "testdata" | "fixtures"
        )
    };
    let mut parts = path.rsplit('/');
    let name = parts.next().unwrap_or_default();
    let stem = name.split('.').next().unwrap_or_default();
    parts.any(folder)
        || name.contains(".test.")
        || name.contains(".spec.")
        || stem.starts_with("test_")
        || stem.ends_with("_test")
        || stem.ends_with("_spec")
        || stem.ends_with("Test")
        || stem.ends_with("Tests")
        || matches!(stem, "tests" | "test" | "conftest")
}

/// Reports whether a file declares how a project is built or where its code is.
pub(crate) fn is_manifest(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path);
    MANIFESTS.contains(&name) || (name.starts_with("tsconfig") && name.ends_with(".json"))
}

const MANIFESTS: &[&str] = &[
    "Cargo.toml",
    "package.json",
    "pnpm-workspace.yaml",
    "pyproject.toml",
    "setup.cfg",
    "setup.py",
    "tox.ini",
    "pytest.ini",
    "go.mod",
    "go.work",
    "pom.xml",
    "build.gradle",
    "build.gradle.kts",
    "settings.gradle",
    "settings.gradle.kts",
    "composer.json",
    "Gemfile",
    "Rakefile",
    "Makefile",
    "GNUmakefile",
    "makefile",
    "justfile",
    "Justfile",
    "CMakeLists.txt",
    "meson.build",
    "jsconfig.json",
    "deno.json",
];

/// Reports whether words of a file that is not source code are worth storing.
fn has_words(path: &str) -> bool {
    matches!(
        language_label(path),
        Some(
            "markdown"
                | "restructuredtext"
                | "asciidoc"
                | "shell"
                | "powershell"
                | "sql"
                | "html"
                | "css"
                | "template"
                | "vue"
                | "svelte"
                | "astro"
                | "kotlin"
                | "swift"
                | "scala"
                | "dart"
                | "lua"
                | "elixir"
                | "protobuf"
                | "graphql"
                | "ini"
                | "toml"
                | "yaml"
        )
    )
}

fn symbol(fields: &mut ByteReader<'_>) -> Symbol {
    let kind = SymbolKind::ALL
        .get(usize::from(fields.u8()))
        .copied()
        .unwrap_or(SymbolKind::Function);
    let exported = fields.u8() != 0;
    let (line, end_line) = (fields.u32(), fields.u32());
    let name = fields.text().to_owned();
    let parent = fields.text();
    Symbol {
        name,
        kind,
        line,
        end_line,
        parent: (!parent.is_empty()).then(|| parent.to_owned()),
        exported,
    }
}

fn import(fields: &mut ByteReader<'_>) -> Import {
    let kind = match fields.u8() {
        0 => ImportKind::Relative,
        1 => ImportKind::Absolute,
        _ => ImportKind::System,
    };
    let line = fields.u32();
    Import {
        path: fields.text().to_owned(),
        line,
        kind,
    }
}
