//! Java. Types nest; method bodies are not visited.

use tree_sitter::Node;

use crate::outline::{EntryPointKind, ImportKind, SymbolKind};
use crate::walk::{EnclosingScope, ExtractionRules, NextNode, OutlineCollector, ScopeKind};

pub(super) const RULES: ExtractionRules = ExtractionRules {
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

fn visit(collector: &mut OutlineCollector<'_>, node: Node<'_>, kind: &'static str) -> NextNode {
    match kind {
        "import_declaration" => {
            import(collector, node);
            NextNode::Skip
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
                collector.enters(EntryPointKind::Main);
            }
            if modifiers.words.iter().any(|word| is_test(word)) {
                collector.outline.is_test = true;
            }
            let exported = modifiers.has("public") || is_in_interface(collector);
            collector.declare(node, name, SymbolKind::Method, exported);
            NextNode::Skip
        }
        _ => {
            constants(collector, node, kind);
            NextNode::Skip
        }
    }
}

fn declare_type(
    collector: &mut OutlineCollector<'_>,
    node: Node<'_>,
    kind: SymbolKind,
) -> NextNode {
    let name = collector.field(node, "name");
    let exported = modifiers(collector, node).has("public") || is_in_interface(collector);
    collector.declare(node, name.clone(), kind, exported);
    // Members of an interface are implicitly public.
    let exported = kind == SymbolKind::Interface;
    NextNode::Into(EnclosingScope::new(name, ScopeKind::Type, exported))
}

fn is_in_interface(collector: &OutlineCollector<'_>) -> bool {
    collector.scope().is_some_and(|scope| scope.exported)
}

fn constants(collector: &mut OutlineCollector<'_>, node: Node<'_>, kind: &str) {
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
        collector.declare(node, name, SymbolKind::Constant, exported);
    }
}

fn import(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
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

fn modifiers(collector: &OutlineCollector<'_>, node: Node<'_>) -> Modifiers {
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
