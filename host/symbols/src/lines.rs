//! Line-based outline for texts that are too long or too complex for the parser. A declaration is a line that starts
//! with its keywords; everything else is ignored.

use memchr::memchr_iter;

use crate::language::Language;
use crate::outline::{Outline, Symbol, SymbolKind};
use crate::parsed::parsed;

/// Text after this many bytes is not read.
const READ_LENGTH: usize = 8 << 20;
const LONGEST_LINE: usize = 400;
const MOST_SYMBOLS: usize = 10_000;
/// Each import line is parsed separately.
const MOST_IMPORTS: usize = 1_000;

pub(crate) fn outline(language: Language, text: &[u8]) -> Outline {
    let mut outline = Outline {
        truncated: true,
        ..Outline::default()
    };
    let text = &text[..text.len().min(READ_LENGTH)];
    let mut import_lines = 0;
    let mut start = 0;
    let ends = memchr_iter(b'\n', text).chain([text.len()]);
    for (end, number) in ends.zip(1_u32..) {
        let line = &text[start..end];
        start = end + 1;
        if line.len() > LONGEST_LINE {
            continue;
        }
        let line = line.trim_ascii();
        if import_lines < MOST_IMPORTS && begins_import(language, line) {
            import_lines += 1;
            add_imports(&mut outline, language, line, number);
        } else if outline.symbols.len() < MOST_SYMBOLS {
            outline.symbols.extend(symbol(language, line, number));
        }
    }
    outline
}

fn begins_import(language: Language, line: &[u8]) -> bool {
    let starts: &[&[u8]] = match language {
        Language::Rust => &[b"use ", b"pub use "],
        Language::Python => &[b"import ", b"from "],
        Language::TypeScript | Language::Tsx | Language::JavaScript => {
            &[b"import ", b"export * from "]
        }
        Language::Java => &[b"import "],
        Language::C | Language::Cpp => &[b"#include"],
        Language::CSharp => &[b"using "],
        Language::Ruby => &[b"require ", b"require_relative "],
        // Go's are in a block, and PHP's are only valid after an opening tag.
        Language::Go | Language::Php => &[],
    };
    starts.iter().any(|start| line.starts_with(start))
}

fn add_imports(outline: &mut Outline, language: Language, line: &[u8], number: u32) {
    let Some(one_line) = parsed(language, line) else {
        return;
    };
    for mut import in one_line.imports {
        import.line = number;
        if !outline
            .imports
            .iter()
            .any(|known| known.path == import.path)
        {
            outline.imports.push(import);
        }
    }
}

/// Returns the symbol that a line declares: optional modifiers, the keyword of its kind, its name.
fn symbol(language: Language, line: &[u8], number: u32) -> Option<Symbol> {
    let line = std::str::from_utf8(line).ok()?;
    let mut words = line.split_ascii_whitespace();
    let mut exported = matches!(language, Language::Python | Language::Go | Language::Ruby);
    let kind = loop {
        let word = words.next()?;
        if let Some((_, kind)) = declaring(language).iter().find(|(known, _)| *known == word) {
            break *kind;
        }
        if !BEFORE.contains(&word) && !word.starts_with("pub(") {
            return None;
        }
        exported |= matches!(word, "pub" | "public" | "export") || word.starts_with("pub(");
    };
    let name: String = words
        .next()?
        .chars()
        .take_while(|character| character.is_alphanumeric() || matches!(character, '_' | '$'))
        .collect();
    if name.is_empty() {
        return None;
    }
    Some(Symbol {
        name,
        kind,
        line: number,
        end_line: number,
        parent: None,
        exported,
    })
}

const BEFORE: &[&str] = &[
    "abstract",
    "async",
    "default",
    "export",
    "final",
    "internal",
    "private",
    "protected",
    "pub",
    "public",
    "sealed",
    "static",
    "unsafe",
    "typedef",
    "partial",
];

fn declaring(language: Language) -> &'static [(&'static str, SymbolKind)] {
    match language {
        Language::Rust => &[
            ("fn", SymbolKind::Function),
            ("struct", SymbolKind::Struct),
            ("enum", SymbolKind::Enum),
            ("trait", SymbolKind::Trait),
            ("mod", SymbolKind::Module),
            ("const", SymbolKind::Constant),
            ("type", SymbolKind::Type),
            ("macro_rules!", SymbolKind::Macro),
        ],
        Language::Python => &[("def", SymbolKind::Function), ("class", SymbolKind::Class)],
        Language::TypeScript | Language::Tsx | Language::JavaScript => &[
            ("function", SymbolKind::Function),
            ("class", SymbolKind::Class),
            ("interface", SymbolKind::Interface),
            ("enum", SymbolKind::Enum),
            ("namespace", SymbolKind::Module),
        ],
        Language::Go => &[("func", SymbolKind::Function), ("type", SymbolKind::Type)],
        Language::Java | Language::CSharp => &[
            ("class", SymbolKind::Class),
            ("record", SymbolKind::Class),
            ("struct", SymbolKind::Struct),
            ("interface", SymbolKind::Interface),
            ("enum", SymbolKind::Enum),
        ],
        Language::C | Language::Cpp => &[
            ("class", SymbolKind::Class),
            ("struct", SymbolKind::Struct),
            ("enum", SymbolKind::Enum),
            ("namespace", SymbolKind::Module),
            ("#define", SymbolKind::Macro),
        ],
        Language::Ruby => &[
            ("def", SymbolKind::Method),
            ("class", SymbolKind::Class),
            ("module", SymbolKind::Module),
        ],
        Language::Php => &[
            ("function", SymbolKind::Function),
            ("class", SymbolKind::Class),
            ("interface", SymbolKind::Interface),
            ("trait", SymbolKind::Trait),
            ("enum", SymbolKind::Enum),
        ],
    }
}
