//! PHP. Both a `use` of a namespaced name and an included file are imports.

use tree_sitter::Node;

use crate::outline::{ImportKind, SymbolKind};
use crate::walk::{EnclosingScope, ExtractionRules, NextNode, OutlineCollector, ScopeKind};

pub(super) const RULES: ExtractionRules = ExtractionRules {
    kinds: &[
        "class_declaration",
        "const_declaration",
        "enum_declaration",
        "function_call_expression",
        "function_definition",
        "include_expression",
        "include_once_expression",
        "interface_declaration",
        "method_declaration",
        "namespace_definition",
        "namespace_use_declaration",
        "require_expression",
        "require_once_expression",
        "trait_declaration",
    ],
    visit,
    finish: |_| {},
};

fn visit(collector: &mut OutlineCollector<'_>, node: Node<'_>, kind: &'static str) -> NextNode {
    match kind {
        "class_declaration" => {
            if extends_test_case(collector, node) {
                collector.outline.is_test = true;
            }
            declare_type(collector, node, SymbolKind::Class)
        }
        "interface_declaration" => declare_type(collector, node, SymbolKind::Interface),
        "trait_declaration" => declare_type(collector, node, SymbolKind::Trait),
        "enum_declaration" => declare_type(collector, node, SymbolKind::Enum),
        "function_definition" => {
            let name = collector.field(node, "name");
            collector.declare(node, name, SymbolKind::Function, true);
            NextNode::Body
        }
        "method_declaration" => {
            let name = collector.field(node, "name");
            let exported = is_public(collector, node);
            collector.declare(node, name, SymbolKind::Method, exported);
            NextNode::Body
        }
        "const_declaration" => {
            constants(collector, node);
            NextNode::Skip
        }
        "namespace_definition" => namespace(collector, node),
        "namespace_use_declaration" => {
            uses(collector, node);
            NextNode::Skip
        }
        "function_call_expression" => {
            if !collector.in_body() && opens_test(collector, node) {
                collector.outline.is_test = true;
            }
            NextNode::Descend
        }
        _ => {
            include(collector, node);
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
    collector.declare(node, name.clone(), kind, true);
    NextNode::Into(EnclosingScope::new(name, ScopeKind::Type, true))
}

/// Without a body it applies to the rest of the file, which then needs no parent.
fn namespace(collector: &mut OutlineCollector<'_>, node: Node<'_>) -> NextNode {
    let name = collector.field(node, "name");
    collector.declare(node, name.clone(), SymbolKind::Module, true);
    if node.child_by_field_name("body").is_none() {
        return NextNode::Skip;
    }
    NextNode::Into(EnclosingScope::new(name, ScopeKind::Module, true))
}

fn is_public(collector: &OutlineCollector<'_>, node: Node<'_>) -> bool {
    !node.named_children(&mut node.walk()).any(|child| {
        child.kind() == "visibility_modifier" && !collector.bytes_of(child).starts_with(b"public")
    })
}

fn extends_test_case(collector: &OutlineCollector<'_>, node: Node<'_>) -> bool {
    node.named_children(&mut node.walk()).any(|child| {
        child.kind() == "base_clause" && collector.text_of(child).ends_with("TestCase")
    })
}

/// `it('…')`, `test('…')` and `describe('…')`.
fn opens_test(collector: &OutlineCollector<'_>, node: Node<'_>) -> bool {
    let function = collector.field(node, "function");
    let arguments = collector
        .bytes_of(node)
        .get(function.len()..)
        .unwrap_or_default();
    matches!(function.as_str(), "it" | "test" | "describe")
        && (arguments.starts_with(b"('") || arguments.starts_with(b"(\""))
}

fn constants(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let exported = is_public(collector, node);
    let names: Vec<String> = node
        .named_children(&mut node.walk())
        .filter(|child| child.kind() == "const_element")
        .filter_map(|element| element.named_child(0))
        .map(|name| collector.text_of(name))
        .collect();
    for name in names {
        collector.declare(node, name, SymbolKind::Constant, exported);
    }
}

/// `use A\B;`, `use A\{B, C as D};` and `use function A\b;`.
fn uses(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let mut prefix = String::new();
    let mut paths = Vec::new();
    for child in node.named_children(&mut node.walk()) {
        match child.kind() {
            "namespace_name" => prefix = format!("{}\\", collector.path_of(child)),
            "namespace_use_clause" => paths.extend(clause(collector, child)),
            "namespace_use_group" => {
                for inner in child.named_children(&mut child.walk()) {
                    let path = clause(collector, inner);
                    paths.extend(path.map(|path| format!("{prefix}{path}")));
                }
            }
            _ => {}
        }
    }
    for path in paths {
        let path = path.trim_start_matches('\\').to_owned();
        collector.import(node, path, ImportKind::Absolute);
    }
}

fn clause(collector: &OutlineCollector<'_>, node: Node<'_>) -> Option<String> {
    let name = node
        .named_children(&mut node.walk())
        .find(|child| matches!(child.kind(), "name" | "qualified_name" | "namespace_name"))?;
    Some(collector.path_of(name))
}

/// `require 'a.php'` and `require __DIR__ . '/a.php'`; other expressions are not evaluated.
fn include(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let Some(argument) = node.named_child(0) else {
        return;
    };
    let written = collector.path_of(argument);
    let written = written.trim_matches(['(', ')']);
    let (from_here, string) = match written.strip_prefix("__DIR__.") {
        Some(string) => (true, string),
        None => (false, written),
    };
    let Some(path) = quoted(string) else {
        return;
    };
    let path = if from_here {
        format!(".{path}")
    } else {
        path.to_owned()
    };
    collector.import(node, path, ImportKind::Relative);
}

/// Returns the content of a quoted string, if the text is nothing else.
fn quoted(text: &str) -> Option<&str> {
    let quote = text
        .chars()
        .next()
        .filter(|quote| matches!(quote, '\'' | '"'))?;
    let inner = text.strip_prefix(quote)?.strip_suffix(quote)?;
    (!inner.contains(quote) && !inner.contains('$')).then_some(inner)
}
