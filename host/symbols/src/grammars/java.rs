//! Java. Types nest, and the body of a method is not looked into.

use tree_sitter::Node;

use crate::outline::{EntryKind, ImportKind, SymbolKind};
use crate::walk::{Collector, Declared, Next, Rules, Scope, ScopeKind};

pub(super) const RULES: Rules = Rules {
    kinds: &[
        "annotation_type_declaration",
        "class_declaration",
        "constant_declaration",
        "constructor_declaration",
        "enum_declaration",
        "field_declaration",
        "import_declaration",
        "interface_declaration",
        "method_declaration",
        "record_declaration",
    ],
    visit,
    finish: |_| {},
};

fn visit(collector: &mut Collector<'_>, node: Node<'_>, kind: &'static str) -> Next {
    match kind {
        "import_declaration" => {
            import(collector, node);
            Next::Skip
        }
        "class_declaration" => {
            if collector.field(node, "superclass").ends_with("TestCase") {
                collector.outline.is_test = true;
            }
            declare_type(collector, node, SymbolKind::Class)
        }
        "record_declaration" => declare_type(collector, node, SymbolKind::Class),
        "enum_declaration" => declare_type(collector, node, SymbolKind::Enum),
        "interface_declaration" | "annotation_type_declaration" => {
            declare_type(collector, node, SymbolKind::Interface)
        }
        "method_declaration" | "constructor_declaration" => {
            let modifiers = modifiers(collector, node);
            let name = collector.field(node, "name");
            if name == "main" && modifiers.has("public") && modifiers.has("static") {
                collector.enters(EntryKind::Main);
            }
            if modifiers.words.iter().any(|word| is_test(word)) {
                collector.outline.is_test = true;
            }
            let exported = modifiers.has("public") || is_in_interface(collector);
            let kind = SymbolKind::Method;
            collector.declare(
                node,
                Declared {
                    name,
                    kind,
                    exported,
                },
            );
            Next::Skip
        }
        _ => {
            constants(collector, node, kind);
            Next::Skip
        }
    }
}

fn declare_type(collector: &mut Collector<'_>, node: Node<'_>, kind: SymbolKind) -> Next {
    let name = collector.field(node, "name");
    let exported = modifiers(collector, node).has("public") || is_in_interface(collector);
    collector.declare(
        node,
        Declared {
            name: name.clone(),
            kind,
            exported,
        },
    );
    Next::Into(Scope {
        name,
        kind: ScopeKind::Type,
        // Members of an interface are public without saying so.
        exported: kind == SymbolKind::Interface,
    })
}

fn is_in_interface(collector: &Collector<'_>) -> bool {
    collector.scope().is_some_and(|scope| scope.exported)
}

fn constants(collector: &mut Collector<'_>, node: Node<'_>, kind: &str) {
    let modifiers = modifiers(collector, node);
    let in_interface = kind == "constant_declaration";
    let is_constant = modifiers.has("static") && modifiers.has("final");
    if !(in_interface || is_constant) {
        return;
    }
    let exported = in_interface || modifiers.has("public");
    let names: Vec<String> = node
        .children_by_field_name("declarator", &mut node.walk())
        .map(|declarator| collector.field(declarator, "name"))
        .collect();
    for name in names {
        let kind = SymbolKind::Constant;
        collector.declare(
            node,
            Declared {
                name,
                kind,
                exported,
            },
        );
    }
}

fn import(collector: &mut Collector<'_>, node: Node<'_>) {
    let mut path = String::new();
    for child in node.named_children(&mut node.walk()) {
        match child.kind() {
            "identifier" | "scoped_identifier" => path = collector.path_of(child),
            "asterisk" => path.push_str(".*"),
            _ => {}
        }
    }
    let kind = if path.starts_with("java.") || path.starts_with("javax.") {
        ImportKind::System
    } else {
        ImportKind::Absolute
    };
    collector.import(node, path, kind);
}

struct Modifiers {
    words: Vec<String>,
}

impl Modifiers {
    fn has(&self, word: &str) -> bool {
        self.words.iter().any(|known| known == word)
    }
}

fn modifiers(collector: &Collector<'_>, node: Node<'_>) -> Modifiers {
    let words = node
        .child(0)
        .filter(|child| child.kind() == "modifiers")
        .map(|modifiers| {
            String::from_utf8_lossy(collector.bytes_of(modifiers))
                .split_whitespace()
                .map(str::to_owned)
                .collect()
        })
        .unwrap_or_default();
    Modifiers { words }
}

fn is_test(word: &str) -> bool {
    let name = word.split('(').next().unwrap_or_default();
    let name = name.rsplit(['.', '@']).next().unwrap_or_default();
    word.starts_with('@') && matches!(name, "Test" | "ParameterizedTest" | "RepeatedTest")
}
