//! C#. A file with top-level statements is a program.

use tree_sitter::Node;

use crate::outline::{EntryPointKind, ImportKind, SymbolKind};
use crate::walk::{EnclosingScope, ExtractionRules, NextNode, OutlineCollector, ScopeKind};

pub(super) const RULES: ExtractionRules = ExtractionRules {
    kinds: &[
        "attribute_list",
        "class_declaration",
        "constructor_declaration",
        "delegate_declaration",
        "enum_declaration",
        "field_declaration",
        "file_scoped_namespace_declaration",
        "global_statement",
        "interface_declaration",
        "method_declaration",
        "namespace_declaration",
        "record_declaration",
        "struct_declaration",
        "using_directive",
    ],
    visit,
    finish: |_| {},
};

fn visit(collector: &mut OutlineCollector<'_>, node: Node<'_>, kind: &'static str) -> NextNode {
    match kind {
        "using_directive" => {
            using(collector, node);
            NextNode::Skip
        }
        "namespace_declaration" | "file_scoped_namespace_declaration" => {
            let name = collector.field(node, "name");
            collector.declare(node, name.clone(), SymbolKind::Module, true);
            NextNode::Into(EnclosingScope::new(name, ScopeKind::Module, true))
        }
        "class_declaration" | "record_declaration" => {
            declare_type(collector, node, SymbolKind::Class)
        }
        "struct_declaration" => declare_type(collector, node, SymbolKind::Struct),
        "interface_declaration" => declare_type(collector, node, SymbolKind::Interface),
        "enum_declaration" => {
            declare_type(collector, node, SymbolKind::Enum);
            NextNode::Skip
        }
        "delegate_declaration" => {
            declare_type(collector, node, SymbolKind::Type);
            NextNode::Skip
        }
        "method_declaration" | "constructor_declaration" => {
            let name = collector.field(node, "name");
            let modifiers = modifiers(collector, node);
            if name == "Main" && modifiers.iter().any(|word| word == "static") {
                collector.enters(EntryPointKind::Main);
            }
            if attributes(collector, node).iter().any(|text| is_test(text)) {
                collector.outline.is_test = true;
            }
            let exported = is_exported(collector, &modifiers);
            collector.declare(node, name, SymbolKind::Method, exported);
            NextNode::Skip
        }
        "field_declaration" => {
            constants(collector, node);
            NextNode::Skip
        }
        "global_statement" => {
            collector.enters(EntryPointKind::Main);
            NextNode::Skip
        }
        _ => NextNode::Skip,
    }
}

fn declare_type(
    collector: &mut OutlineCollector<'_>,
    node: Node<'_>,
    kind: SymbolKind,
) -> NextNode {
    let name = collector.field(node, "name");
    let exported = is_exported(collector, &modifiers(collector, node));
    collector.declare(node, name.clone(), kind, exported);
    NextNode::Into(EnclosingScope::new(
        name,
        ScopeKind::Type,
        kind == SymbolKind::Interface,
    ))
}

/// Without modifiers, members are private and types are internal.
fn is_exported(collector: &OutlineCollector<'_>, modifiers: &[String]) -> bool {
    let is_open = |word: &String| matches!(word.as_str(), "public" | "internal" | "protected");
    let is_closed = |word: &String| matches!(word.as_str(), "private" | "file");
    modifiers.iter().any(is_open)
        || (!modifiers.iter().any(is_closed)
            && collector.scope().is_none_or(|scope| scope.exported))
}

fn modifiers(collector: &OutlineCollector<'_>, node: Node<'_>) -> Vec<String> {
    node.named_children(&mut node.walk())
        .filter(|child| child.kind() == "modifier")
        .map(|modifier| collector.text_of(modifier))
        .collect()
}

fn attributes(collector: &OutlineCollector<'_>, node: Node<'_>) -> Vec<String> {
    let mut names = Vec::new();
    for list in node.named_children(&mut node.walk()) {
        if list.kind() == "attribute_list" {
            for attribute in list.named_children(&mut list.walk()) {
                names.push(collector.field(attribute, "name"));
            }
        }
    }
    names
}

fn is_test(attribute: &str) -> bool {
    let name = attribute.rsplit('.').next().unwrap_or_default();
    matches!(name, "Fact" | "Theory" | "Test" | "TestCase" | "TestMethod")
}

fn constants(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let modifiers = modifiers(collector, node);
    let has = |word: &str| modifiers.iter().any(|known| known == word);
    let is_constant = has("const") || (has("static") && has("readonly"));
    if !is_constant {
        return;
    }
    let exported = is_exported(collector, &modifiers);
    let mut names = Vec::new();
    for declaration in node.named_children(&mut node.walk()) {
        for declarator in declaration.named_children(&mut declaration.walk()) {
            if declarator.kind() == "variable_declarator" {
                names.push(collector.field(declarator, "name"));
            }
        }
    }
    for name in names {
        collector.declare(node, name, SymbolKind::Constant, exported);
    }
}

/// `using A.B;`, `using static A.B.C;` and `using X = A.B.C;`.
fn using(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let alias = node.child_by_field_name("name");
    let target = node
        .named_children(&mut node.walk())
        .filter(|child| Some(child.id()) != alias.map(|alias| alias.id()))
        .last();
    let Some(target) = target else {
        return;
    };
    let path = collector.path_of(target);
    let path = path.trim_start_matches("global::");
    let path = path.split('<').next().unwrap_or_default().to_owned();
    let kind = if path == "System" || path.starts_with("System.") {
        ImportKind::System
    } else {
        ImportKind::Absolute
    };
    collector.import(node, path, kind);
}
