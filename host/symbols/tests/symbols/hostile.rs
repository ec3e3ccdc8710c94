//! Damaged, odd and malicious text: there is always an outline, in bounded time.

use acreta_symbols::{
    Import, ImportKind, Language, Outline, SourceRoots, SymbolKind, outline, resolve,
};
use proptest::prelude::*;

use crate::support::{PathList, check};

/// Returns the names of the symbols of an outline.
fn names(outline: &Outline) -> Vec<&str> {
    outline
        .symbols
        .iter()
        .map(|symbol| symbol.name.as_str())
        .collect()
}

#[test]
fn broken_code_gives_what_can_be_read() {
    let table = [
        (
            Language::Rust,
            "fn before() {}\nfn broken( {\nstruct After;\n",
            "before",
        ),
        (
            Language::Python,
            "def before(): pass\nclass (:\n\ndef after(): pass\n",
            "after",
        ),
        (
            Language::TypeScript,
            "export function before() {}\nclass { {{\n",
            "before",
        ),
        (
            Language::Go,
            "package x\nfunc before() {}\nfunc broken( {\n",
            "before",
        ),
        (
            Language::Java,
            "class Before { void a() {} }\nclass {",
            "Before",
        ),
        (
            Language::C,
            "int before(void) { return 0; }\nint broken( {\n",
            "before",
        ),
        (Language::Cpp, "class Before { };\nclass : {\n", "Before"),
        (Language::CSharp, "class Before { }\nclass {\n", "Before"),
        (Language::Ruby, "class Before\nend\ndef broken(\n", "Before"),
        (Language::Php, "<?php\nclass Before {}\nclass {\n", "Before"),
    ];
    for (language, text, expected) in table {
        let outline = outline(language, text.as_bytes());
        assert!(
            names(&outline).contains(&expected),
            "{}: {outline:?}",
            language.name()
        );
    }
}

#[test]
fn bytes_that_are_no_text_are_passed_over() {
    let mut text = b"\xEF\xBB\xBFfn first() {}\n// \xFF\xFE\x00 \xC3\nfn second() {}\n".to_vec();
    assert_eq!(names(&outline(Language::Rust, &text)), ["first", "second"]);
    text.insert(16, 0);
    outline(Language::Rust, &text);
    assert_eq!(outline(Language::Python, b""), Outline::default());
}

/// Each text is nested about a hundred thousand times, closed or not.
#[test]
fn deep_nesting_is_bounded() {
    const DEPTH: usize = 100_000;
    let nested = [
        ("(", ")"),
        ("[", "]"),
        ("{", "}"),
        ("{(", ""),
        ("if (x) {", ""),
        ("a<", ""),
        ("mod a { ", ""),
        ("use a::{", ""),
    ];
    for language in Language::ALL {
        for (open, close) in nested {
            let depth = DEPTH / open.len();
            let text = format!("<?php {}{}", open.repeat(depth), close.repeat(depth));
            let name = language.name();
            assert!(
                outline(language, text.as_bytes()).truncated,
                "{name}: {open}"
            );
        }
        // Nested without a bracket, which only the parser can detect.
        for text in ["!", "a+", "- ", "x ? ", "*", "a."] {
            outline(language, text.repeat(8_000 / text.len()).as_bytes());
        }
    }
}

/// Comments hide the nesting from a count of brackets; a parser on a small stack overflows.
#[test]
fn hidden_nesting_does_not_exhaust_the_stack() {
    let text = "{(/*)}*/".repeat(4_000);
    let outline = std::thread::Builder::new()
        .stack_size(256 << 10)
        .spawn(move || outline(Language::Java, text.as_bytes()))
        .unwrap()
        .join()
        .unwrap();
    assert_eq!(outline.symbols, []);
}

/// Each of these would abort the process in the scanner of its grammar.
#[test]
fn texts_that_abort_a_scanner_are_read_by_lines() {
    let mut python: String = (0..600)
        .map(|depth| format!("{}if x:\n", " ".repeat(depth)))
        .collect();
    python.push_str(&format!("{}f\"{{x}}\"\n", " ".repeat(600)));
    let tabs: String = (0..600)
        .map(|depth| format!("{}{}if x:\n", "\t".repeat(depth / 8), " ".repeat(depth % 8)))
        .collect();
    let tabs = format!("{tabs}{}f\"{{x}}\"\n", "\t".repeat(75));
    let long_word = format!("x = <<{}\n", "A".repeat(300));
    let long_string = format!("list <<\"{}\"\n", "a ".repeat(200));
    let many = "<<ABCDEFGHIJ, ".repeat(70);
    let many = format!("f({many}<<{})\n", "A".repeat(39));
    let nested = format!("{}<<{}\n", "\"#{'}' + ".repeat(200), "A".repeat(19));
    let table = [
        (Language::Python, python),
        (Language::Python, tabs),
        (Language::Ruby, long_word),
        (Language::Ruby, long_string),
        (Language::Ruby, many),
        (Language::Ruby, nested),
    ];
    for (language, text) in table {
        let outline = outline(language, text.as_bytes());
        assert!(outline.truncated, "{}: {text:.60}", language.name());
    }
}

#[test]
fn a_long_file_is_read_by_lines() {
    let filler = "// nothing to see in this line\n".repeat(40_000);
    let text =
        format!("use crate::shelf::Item;\npub(crate) fn first() {{\n{filler}}}\n  struct Last;\n");
    check(
        Language::Rust,
        &text,
        "+ function first 2-2
        - struct Last 40004-40004
        relative crate::shelf::Item 1
        truncated",
    );
    let table: [(Language, &str, &str, SymbolKind); 8] = [
        (
            Language::Python,
            "#",
            "class Shop(Base):",
            SymbolKind::Class,
        ),
        (
            Language::JavaScript,
            "//",
            "export default class Shop {",
            SymbolKind::Class,
        ),
        (Language::Go, "//", "type Shop struct {", SymbolKind::Type),
        (
            Language::Java,
            "//",
            "public final class Shop {",
            SymbolKind::Class,
        ),
        (Language::C, "//", "struct Shop {", SymbolKind::Struct),
        (
            Language::CSharp,
            "//",
            "internal record Shop(int X);",
            SymbolKind::Class,
        ),
        (Language::Ruby, "#", "module Shop", SymbolKind::Module),
        (
            Language::Php,
            "//",
            "abstract class Shop",
            SymbolKind::Class,
        ),
    ];
    for (language, comment, line, kind) in table {
        let text = format!(
            "{}{line}\n",
            format!("{comment} {}\n", "x".repeat(98)).repeat(11_000)
        );
        let outline = outline(language, text.as_bytes());
        let found: Vec<_> = outline
            .symbols
            .iter()
            .map(|symbol| (symbol.name.as_str(), symbol.kind))
            .collect();
        assert_eq!(found, [("Shop", kind)], "{}", language.name());
    }
}

#[test]
fn an_outline_holds_a_bounded_number_of_symbols() {
    let text: String = (0..12_000)
        .map(|number| format!("fn f{number}() {{}}\n"))
        .collect();
    let outline = outline(Language::Rust, text.as_bytes());
    assert_eq!(outline.symbols.len(), 10_000);
    assert!(outline.truncated);
}

#[test]
fn a_failed_parse_leaves_nothing_behind() {
    let text = b"def sell(item)\n  item\nend\n";
    let before = outline(Language::Ruby, text);
    for language in Language::ALL {
        outline(language, "({[<".repeat(200).as_bytes());
        assert_eq!(
            outline(Language::Ruby, text),
            before,
            "after {}",
            language.name()
        );
    }
}

/// Generates text that resembles code enough to get deep into a grammar.
fn code() -> impl Strategy<Value = Vec<u8>> {
    let words = prop::sample::select(vec![
        "fn ",
        "class ",
        "def ",
        "end\n",
        "use ",
        "import ",
        "from ",
        "{",
        "}",
        "(",
        ")",
        "<",
        ">",
        "[",
        "]",
        "\"",
        "'",
        "`",
        "\n",
        "\n    ",
        "\t",
        "<<~A",
        "A\n",
        "#{",
        "${",
        "$\"{",
        "R\"x(",
        "r#\"",
        "/*",
        "*/",
        "//",
        "#",
        "<?php ",
        "?>",
        "::",
        ".",
        "->",
        "=>",
        ";",
        ",",
        "x",
        "Shop",
        "struct ",
        "impl ",
        "mod ",
        "f\"{",
        "\"\"\"",
        "template<",
        "namespace ",
        "@",
        "#include ",
        "#if 1\n",
        "#endif\n",
        "\\\n",
        "%w[",
        "=begin\n",
        "\u{0}",
        "\u{feff}",
        "é",
        "require '",
        "export ",
        "async ",
        "=",
        "1",
        "public ",
        "static ",
        "|",
        "&",
        "*",
    ]);
    let piece = prop_oneof![
        8 => words.prop_map(|word| word.as_bytes().to_vec()),
        1 => prop::collection::vec(any::<u8>(), 0..8),
    ];
    prop::collection::vec(piece, 0..200).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_text_has_an_outline_within_itself(text in code()) {
        let last = u32::try_from(text.split(|byte| *byte == b'\n').count()).unwrap();
        for language in Language::ALL {
            let first = outline(language, &text);
            for symbol in &first.symbols {
                prop_assert!(!symbol.name.is_empty());
                prop_assert!(1 <= symbol.line && symbol.line <= symbol.end_line && symbol.end_line <= last);
            }
            for import in &first.imports {
                prop_assert!(!import.path.is_empty() && 1 <= import.line && import.line <= last);
            }
            prop_assert_eq!(outline(language, &text), first);
        }
    }

    #[test]
    fn any_bytes_have_an_outline(text in prop::collection::vec(any::<u8>(), 0..400)) {
        for language in Language::ALL {
            outline(language, &text);
        }
    }

    #[test]
    fn any_import_resolves_to_a_file_or_to_none(
        path in "[a-z./:*\\\\@<>é]{0,20}",
        from in "[a-z/]{0,10}",
        manifest in "[a-z\"{}:\\[\\]=,./* \n]{0,80}",
    ) {
        let roots = SourceRoots::from_manifests(&[
            ("Cargo.toml", &manifest), ("go.mod", &manifest), ("tsconfig.json", &manifest), ("setup.py", &manifest),
            ("setup.cfg", &manifest), ("pom.xml", &manifest), ("composer.json", &manifest),
        ]);
        let files = PathList(vec!["a.rs", "a/b.py", "b/index.ts", "a/a.go", "a.h", "a/b.rb"]);
        for language in Language::ALL {
            for kind in [ImportKind::Relative, ImportKind::Absolute, ImportKind::System] {
                let import = Import { path: path.clone(), line: 1, kind };
                if let Some(found) = resolve(language, &import, &from, &roots, &files) {
                    prop_assert!(files.0.contains(&found.as_str()) && found != from);
                }
            }
        }
    }
}
