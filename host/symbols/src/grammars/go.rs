//! Go. A name is exported if it begins with a capital.

use tree_sitter::Node;

use crate::outline::{EntryPointKind, ImportKind, SymbolKind};
use crate::walk::{ExtractionRules, NextNode, OutlineCollector};

pub(super) const RULES: ExtractionRules = ExtractionRules {
    kinds: &[
        "const_spec",
        "function_declaration",
        "import_spec",
        "method_declaration",
        "package_clause",
        "type_alias",
        "type_spec",
        "var_spec",
    ],
    visit,
    finish: |_| {},
};

fn visit(collector: &mut OutlineCollector<'_>, node: Node<'_>, kind: &'static str) -> NextNode {
    match kind {
        "package_clause" => {
            collector.package = node.named_child(0).map(|name| collector.text_of(name));
        }
        "import_spec" => {
            let path = collector.field(node, "path");
            let path = path.trim_matches(['"', '`']).to_owned();
            let kind = import_kind(&path);
            collector.import(node, path, kind);
        }
        "function_declaration" => {
            let name = collector.field(node, "name");
            if name == "main" && collector.package.as_deref() == Some("main") {
                collector.enters(EntryPointKind::Main);
            }
            if is_test(&name) && collector.field(node, "parameters").contains("testing.") {
                collector.outline.is_test = true;
            }
            declare(collector, node, name, SymbolKind::Function, None);
        }
        "method_declaration" => {
            let receiver = receiver(collector, node);
            let name = collector.field(node, "name");
            declare(collector, node, name, SymbolKind::Method, receiver);
        }
        "type_spec" | "type_alias" => {
            let kind = match node.child_by_field_name("type").map(|value| value.kind()) {
                Some("struct_type") => SymbolKind::Struct,
                Some("interface_type") => SymbolKind::Interface,
                _ => SymbolKind::Type,
            };
            let name = collector.field(node, "name");
            declare(collector, node, name, kind, None);
        }
        _ => {
            let names: Vec<String> = node
                .children_by_field_name("name", &mut node.walk())
                .filter(Node::is_named)
                .map(|name| collector.text_of(name))
                .collect();
            for name in names.into_iter().filter(|name| name != "_") {
                declare(collector, node, name, SymbolKind::Constant, None);
            }
        }
    }
    NextNode::Skip
}

fn declare(
    collector: &mut OutlineCollector<'_>,
    node: Node<'_>,
    name: String,
    kind: SymbolKind,
    parent: Option<String>,
) {
    let exported = name.chars().next().is_some_and(char::is_uppercase);
    collector.declare_in(node, name, kind, exported, parent);
}

/// Returns the receiver type: `Store` for `func (s *Store[K]) …`.
fn receiver(collector: &OutlineCollector<'_>, node: Node<'_>) -> Option<String> {
    let parameter = node.child_by_field_name("receiver")?.named_child(0)?;
    let written = collector.field(parameter, "type");
    let name = written.trim_start_matches(['*', '(', ' ']);
    let end = name.find(['[', ')', ' ']).unwrap_or(name.len());
    Some(name[..end].to_owned())
}

fn is_test(name: &str) -> bool {
    ["Test", "Benchmark", "Fuzz"]
        .iter()
        .any(|start| name.starts_with(start))
}

/// Packages of the standard library have no dot in their first component.
fn import_kind(path: &str) -> ImportKind {
    if path.starts_with("./") || path.starts_with("../") {
        ImportKind::Relative
    } else if path
        .split('/')
        .next()
        .is_some_and(|first| first.contains('.'))
    {
        ImportKind::Absolute
    } else {
        ImportKind::System
    }
}
