//! TypeScript and JavaScript, as modules or with `require` and `exports`. Names exported separately from their
//! declaration are marked at the end.

use std::sync::LazyLock;

use memchr::memmem;
use tree_sitter::Node;

use crate::outline::{EntryPointKind, ImportKind, SymbolKind};
use crate::walk::{EnclosingScope, ExtractionRules, NextNode, OutlineCollector, ScopeKind};

pub(super) const RULES: ExtractionRules = ExtractionRules {
    kinds: &[
        "abstract_class_declaration",
        "abstract_method_signature",
        "arrow_function",
        "assignment_expression",
        "call_expression",
        "class_declaration",
        "enum_declaration",
        "export_statement",
        "function_declaration",
        "function_expression",
        "function_signature",
        "generator_function",
        "generator_function_declaration",
        "import_require_clause",
        "import_statement",
        "interface_declaration",
        "internal_module",
        "method_definition",
        "method_signature",
        "module",
        "public_field_definition",
        "type_alias_declaration",
        "variable_declarator",
    ],
    visit,
    finish,
};

fn visit(collector: &mut OutlineCollector<'_>, node: Node<'_>, kind: &'static str) -> NextNode {
    match kind {
        "import_statement" | "import_require_clause" => {
            import_source(collector, node);
            NextNode::Descend
        }
        "export_statement" => export(collector, node),
        "function_declaration" | "generator_function_declaration" => {
            declare(collector, node, SymbolKind::Function);
            NextNode::Body
        }
        "function_signature" => {
            declare(collector, node, SymbolKind::Function);
            NextNode::Skip
        }
        "arrow_function" | "function_expression" | "generator_function" => NextNode::Body,
        "class_declaration" | "abstract_class_declaration" => {
            declare(collector, node, SymbolKind::Class);
            into_type(collector, node)
        }
        "interface_declaration" => {
            declare(collector, node, SymbolKind::Interface);
            into_type(collector, node)
        }
        "enum_declaration" => {
            declare(collector, node, SymbolKind::Enum);
            NextNode::Skip
        }
        "type_alias_declaration" => {
            declare(collector, node, SymbolKind::Type);
            NextNode::Skip
        }
        "method_definition" => {
            member(collector, node);
            NextNode::Body
        }
        "method_signature" | "abstract_method_signature" => {
            member(collector, node);
            NextNode::Skip
        }
        "public_field_definition" => {
            if value_kind(node, "value") == AssignedValue::Function {
                member(collector, node);
            }
            NextNode::Descend
        }
        "internal_module" | "module" => {
            let name = collector.field(node, "name");
            let name = name.trim_matches(['"', '\'']).to_owned();
            let exported = is_exported(collector, node);
            collector.declare(node, name.clone(), SymbolKind::Module, exported);
            NextNode::Into(EnclosingScope::new(name, ScopeKind::Module, exported))
        }
        "variable_declarator" => variable(collector, node),
        "assignment_expression" => assignment(collector, node),
        _ => {
            call(collector, node);
            NextNode::Descend
        }
    }
}

fn finish(collector: &mut OutlineCollector<'_>) {
    let names = std::mem::take(&mut collector.exported_names);
    for symbol in &mut collector.outline.symbols {
        symbol.exported |= symbol.parent.is_none() && names.contains(&symbol.name);
    }
    if memmem::find(collector.text, b"require.main === module").is_some() {
        collector.enters(EntryPointKind::Script);
    }
}

fn declare(collector: &mut OutlineCollector<'_>, node: Node<'_>, kind: SymbolKind) {
    let name = collector.field(node, "name");
    let exported = is_exported(collector, node);
    collector.declare(node, name, kind, exported);
}

fn is_exported(collector: &OutlineCollector<'_>, node: Node<'_>) -> bool {
    !collector.in_type() && node.end_byte() <= collector.exported_until
}

fn into_type(collector: &OutlineCollector<'_>, node: Node<'_>) -> NextNode {
    NextNode::Into(EnclosingScope::new(
        collector.field(node, "name"),
        ScopeKind::Type,
        true,
    ))
}

/// Declares a method, or a field that holds a function.
fn member(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let name = collector.field(node, "name");
    let is_private = name.starts_with('#')
        || node.child(0).is_some_and(|first| {
            first.kind() == "accessibility_modifier" && collector.bytes_of(first) == b"private"
        });
    let kind = SymbolKind::Method;
    let exported = !is_private;
    collector.declare(node, name, kind, exported);
}

fn variable(collector: &mut OutlineCollector<'_>, node: Node<'_>) -> NextNode {
    if collector.in_body() || collector.in_type() {
        return NextNode::Descend;
    }
    let is_plain = node
        .child_by_field_name("name")
        .is_some_and(|name| name.kind() == "identifier");
    if !is_plain {
        return NextNode::Descend;
    }
    let name = collector.field(node, "name");
    let exported = is_exported(collector, node);
    let value = value_kind(node, "value");
    let is_capital = name.chars().any(char::is_uppercase) && !name.chars().any(char::is_lowercase);
    let kind = match value {
        AssignedValue::Function => Some(SymbolKind::Function),
        AssignedValue::Class => Some(SymbolKind::Class),
        // An object may contain methods, which need a parent.
        AssignedValue::Object => Some(SymbolKind::Constant),
        AssignedValue::Other if exported || is_capital => Some(SymbolKind::Constant),
        AssignedValue::Other => None,
    };
    if let Some(kind) = kind {
        collector.declare(node, name.clone(), kind, exported);
    }
    match value {
        AssignedValue::Class | AssignedValue::Object => {
            NextNode::Into(EnclosingScope::new(name, ScopeKind::Type, true))
        }
        AssignedValue::Function | AssignedValue::Other => NextNode::Descend,
    }
}

/// `exports.name = …`, `module.exports = …` and `Name.prototype.method = …`.
fn assignment(collector: &mut OutlineCollector<'_>, node: Node<'_>) -> NextNode {
    if collector.in_body() {
        return NextNode::Descend;
    }
    let target = collector.field(node, "left");
    let value = value_kind(node, "right");
    let kind = match value {
        AssignedValue::Function => SymbolKind::Function,
        AssignedValue::Class => SymbolKind::Class,
        AssignedValue::Object | AssignedValue::Other => SymbolKind::Constant,
    };
    if target == "module.exports" {
        export_object(collector, node);
    } else if let Some(name) = target
        .strip_prefix("module.exports.")
        .or_else(|| target.strip_prefix("exports."))
    {
        let name = name.to_owned();
        collector.exported_names.insert(name.clone());
        collector.declare_in(node, name, kind, true, None);
    } else if let Some((class, name)) = target.split_once(".prototype.")
        && value == AssignedValue::Function
    {
        collector.declare_in(
            node,
            name.to_owned(),
            SymbolKind::Method,
            true,
            Some(class.to_owned()),
        );
    }
    NextNode::Descend
}

/// Marks the names in `module.exports = { a, b: c }`, or the one in `module.exports = name`.
fn export_object(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let Some(value) = node.child_by_field_name("right") else {
        return;
    };
    let mut names = Vec::new();
    if value.kind() == "identifier" {
        names.push(collector.text_of(value));
    }
    for child in value.named_children(&mut value.walk()) {
        match child.kind() {
            "shorthand_property_identifier" => names.push(collector.text_of(child)),
            "pair" => names.push(collector.field(child, "value")),
            _ => {}
        }
    }
    collector.exported_names.extend(names);
}

fn export(collector: &mut OutlineCollector<'_>, node: Node<'_>) -> NextNode {
    if node.child_by_field_name("source").is_some() {
        import_source(collector, node);
        return NextNode::Skip;
    }
    collector.exported_until = collector.exported_until.max(node.end_byte());
    let mut names = Vec::new();
    for child in node.named_children(&mut node.walk()) {
        match child.kind() {
            "export_clause" => {
                for specifier in child.named_children(&mut child.walk()) {
                    names.push(collector.field(specifier, "name"));
                }
            }
            "identifier" => names.push(collector.text_of(child)),
            _ => {}
        }
    }
    collector.exported_names.extend(names);
    NextNode::Descend
}

fn import_source(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    if let Some(source) = node.child_by_field_name("source") {
        import(collector, source);
    }
}

fn import(collector: &mut OutlineCollector<'_>, string: Node<'_>) {
    let path = collector.text_of(string);
    let path = path.trim_matches(['"', '\'', '`']).to_owned();
    let kind = import_kind(&path);
    collector.import(string, path, kind);
}

/// Handles imports by call, test cases, and servers.
fn call(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let Some(function) = node.child_by_field_name("function") else {
        return;
    };
    let text = collector.text_of(function);
    let first = node
        .child_by_field_name("arguments")
        .and_then(|arguments| arguments.named_child(0))
        .filter(|first| first.kind() == "string");
    if let Some(first) = first {
        let name = text.split('.').next().unwrap_or_default();
        if text == "require" || text == "import" || text == "require.resolve" {
            import(collector, first);
        } else if !collector.in_body() && matches!(name, "describe" | "it" | "test" | "suite") {
            collector.outline.is_test = true;
        }
    }
    if SERVERS.contains(&text.as_str()) {
        collector.enters(EntryPointKind::Server);
    }
}

/// Calls that start a server.
const SERVERS: &[&str] = &[
    "app.listen",
    "Bun.serve",
    "Deno.serve",
    "fastify.listen",
    "httpServer.listen",
    "server.listen",
];

#[derive(PartialEq, Eq)]
enum AssignedValue {
    Function,
    Class,
    Object,
    Other,
}

fn value_kind(node: Node<'_>, field: &str) -> AssignedValue {
    match node.child_by_field_name(field).map(|value| value.kind()) {
        Some("arrow_function" | "function_expression" | "generator_function") => {
            AssignedValue::Function
        }
        Some("class") => AssignedValue::Class,
        Some("object") => AssignedValue::Object,
        _ => AssignedValue::Other,
    }
}

fn import_kind(path: &str) -> ImportKind {
    let first = path.split('/').next().unwrap_or_default();
    if path.starts_with('.') {
        ImportKind::Relative
    } else if path.starts_with("node:") || NODE.binary_search(&first).is_ok() {
        ImportKind::System
    } else {
        ImportKind::Absolute
    }
}

/// Built-in modules of Node, sorted.
static NODE: LazyLock<Vec<&str>> = LazyLock::new(|| include_str!("node.txt").lines().collect());
