//! C and C++, one set of rules over two grammars: C++ adds classes, namespaces and templates. Prototypes count as
//! declarations, because headers contain little else.

use tree_sitter::Node;

use crate::outline::{EntryPointKind, ImportKind, SymbolKind};
use crate::walk::{EnclosingScope, ExtractionRules, NextNode, OutlineCollector, ScopeKind};

pub(super) const RULES: ExtractionRules = ExtractionRules {
    kinds: &[
        "access_specifier",
        "alias_declaration",
        "base_class_clause",
        "class_specifier",
        "concept_definition",
        "declaration",
        "enum_specifier",
        "field_declaration",
        "function_definition",
        "namespace_definition",
        "preproc_def",
        "preproc_function_def",
        "preproc_include",
        "struct_specifier",
        "type_definition",
        "union_specifier",
    ],
    visit,
    finish,
};

fn visit(collector: &mut OutlineCollector<'_>, node: Node<'_>, kind: &'static str) -> NextNode {
    match kind {
        "preproc_include" => {
            include(collector, node);
            NextNode::Skip
        }
        "preproc_def" => {
            // Without a value it is a header guard or a switch.
            if node.child_by_field_name("value").is_some() {
                declare_named(collector, node, SymbolKind::Constant);
            }
            NextNode::Skip
        }
        "preproc_function_def" => {
            declare_named(collector, node, SymbolKind::Macro);
            NextNode::Skip
        }
        "alias_declaration" | "concept_definition" => {
            declare_named(collector, node, SymbolKind::Type);
            NextNode::Skip
        }
        "function_definition" => {
            function(collector, node);
            NextNode::Skip
        }
        "declaration" | "field_declaration" => {
            prototypes(collector, node);
            NextNode::Descend
        }
        "type_definition" => {
            type_definition(collector, node);
            NextNode::Descend
        }
        "namespace_definition" => {
            let name = collector.field(node, "name");
            // An anonymous namespace is local to the file.
            let exported = !name.is_empty();
            collector.declare(node, name.clone(), SymbolKind::Module, exported);
            NextNode::Into(EnclosingScope::new(name, ScopeKind::Module, exported))
        }
        "enum_specifier" => {
            if node.child_by_field_name("body").is_some() {
                declare_named(collector, node, SymbolKind::Enum);
            }
            NextNode::Skip
        }
        "access_specifier" => {
            let is_private = collector.bytes_of(node).starts_with(b"private");
            if let Some(scope) = collector.scope_mut() {
                scope.exported = !is_private;
            }
            NextNode::Skip
        }
        // The access specifier of a base class does not affect members.
        "base_class_clause" => NextNode::Skip,
        _ => record(collector, node, kind),
    }
}

fn finish(collector: &mut OutlineCollector<'_>) {
    let mut lines = collector.text.split(|byte| *byte == b'\n');
    if lines.any(|line| TESTS.iter().any(|start| line.starts_with(start))) {
        collector.outline.is_test = true;
    }
}

/// Macros with which test frameworks open a test case.
const TESTS: &[&[u8]] = &[
    b"TEST(",
    b"TEST_F(",
    b"TEST_P(",
    b"TYPED_TEST(",
    b"TEST_CASE(",
    b"SCENARIO(",
    b"BOOST_AUTO_TEST_CASE(",
    b"START_TEST(",
];

fn declare_named(collector: &mut OutlineCollector<'_>, node: Node<'_>, kind: SymbolKind) {
    let name = collector.field(node, "name");
    let exported = is_open(collector);
    collector.declare(node, name, kind, exported);
}

/// Reports whether declarations here are visible in other files.
fn is_open(collector: &OutlineCollector<'_>) -> bool {
    collector.scope().is_none_or(|scope| scope.exported)
}

/// Declares a struct, union or class that has a body.
fn record(collector: &mut OutlineCollector<'_>, node: Node<'_>, kind: &str) -> NextNode {
    if node.child_by_field_name("body").is_none() {
        return NextNode::Skip;
    }
    let name = collector.field(node, "name");
    let is_class = kind == "class_specifier";
    let symbol_kind = if is_class {
        SymbolKind::Class
    } else {
        SymbolKind::Struct
    };
    let exported = is_open(collector);
    collector.declare(node, name.clone(), symbol_kind, exported);
    NextNode::Into(EnclosingScope::new(name, ScopeKind::Type, !is_class))
}

fn type_definition(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let Some(declared) = node
        .child_by_field_name("declarator")
        .and_then(|declarator| name_of(collector, declarator))
    else {
        return;
    };
    let inner = node.child_by_field_name("type");
    let has_body = inner.is_some_and(|inner| inner.child_by_field_name("body").is_some());
    // In `typedef struct { … } Name;` this is the struct's only name.
    let kind = match inner.map(|inner| inner.kind()) {
        Some("struct_specifier" | "union_specifier") if has_body => SymbolKind::Struct,
        Some("enum_specifier") if has_body => SymbolKind::Enum,
        _ => SymbolKind::Type,
    };
    let is_same =
        inner.is_some_and(|inner| has_body && collector.field(inner, "name") == declared.name);
    if !is_same {
        let exported = is_open(collector);
        let name = declared.name;
        collector.declare(node, name, kind, exported);
    }
}

fn function(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let Some(declarator) = node.child_by_field_name("declarator") else {
        return;
    };
    let Some(named) = name_of(collector, declarator) else {
        return;
    };
    // A test case looks like a function definition with the name of the framework's macro.
    if TESTS
        .iter()
        .any(|start| collector.bytes_of(node).starts_with(start))
    {
        return;
    }
    if named.name == "main" && named.qualifier.is_none() && collector.scope().is_none() {
        collector.enters(EntryPointKind::Main);
    }
    declare_function(collector, node, named);
}

/// Declares the functions of a declaration without a body.
fn prototypes(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let named: Vec<DeclaratorName> = node
        .children_by_field_name("declarator", &mut node.walk())
        .filter(|declarator| is_function(*declarator))
        .filter_map(|declarator| name_of(collector, declarator))
        .collect();
    for named in named {
        declare_function(collector, node, named);
    }
}

fn declare_function(collector: &mut OutlineCollector<'_>, node: Node<'_>, named: DeclaratorName) {
    let is_method = named.qualifier.is_some() || collector.in_type();
    let kind = if is_method {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let is_static = node.child(0).is_some_and(|first| {
        first.kind() == "storage_class_specifier" && collector.bytes_of(first) == b"static"
    });
    let exported = is_open(collector) && (is_method || !is_static);
    let name = named.name;
    match named.qualifier {
        Some(parent) => collector.declare_in(node, name, kind, exported, Some(parent)),
        None => collector.declare(node, name, kind, exported),
    }
}

struct DeclaratorName {
    name: String,
    /// The innermost class or namespace of a qualified name.
    qualifier: Option<String>,
}

/// Returns the name inside a declarator, past pointers, parameters and parentheses.
fn name_of(collector: &OutlineCollector<'_>, declarator: Node<'_>) -> Option<DeclaratorName> {
    let mut node = innermost(declarator)?;
    let mut qualifier = None;
    for _ in 0..DEEPEST {
        if node.kind() != "qualified_identifier" {
            break;
        }
        let scope = collector.field(node, "scope");
        let scope = scope.split('<').next().unwrap_or_default().trim();
        qualifier = Some(scope.to_owned())
            .filter(|scope| !scope.is_empty())
            .or(qualifier);
        node = node.child_by_field_name("name")?;
    }
    let name = collector.text_of(node);
    let name = name
        .split('<')
        .next()
        .filter(|name| !name.is_empty() && !name.contains("operator"));
    let name = name.map_or_else(|| collector.text_of(node), str::to_owned);
    Some(DeclaratorName { name, qualifier })
}

const DEEPEST: usize = 64;

fn innermost(declarator: Node<'_>) -> Option<Node<'_>> {
    let mut node = declarator;
    for _ in 0..DEEPEST {
        match node.kind() {
            "identifier"
            | "field_identifier"
            | "type_identifier"
            | "qualified_identifier"
            | "operator_name"
            | "destructor_name"
            | "template_function"
            | "template_method"
            | "operator_cast"
            | "primitive_type" => return Some(node),
            _ => {}
        }
        node = inner(node)?;
    }
    None
}

/// Reports whether it declares a function rather than a pointer to one.
fn is_function(declarator: Node<'_>) -> bool {
    let mut node = declarator;
    for _ in 0..DEEPEST {
        if node.kind() == "function_declarator" {
            return inner(node).is_none_or(|inner| inner.kind() != "parenthesized_declarator");
        }
        match inner(node) {
            Some(inner) => node = inner,
            None => return false,
        }
    }
    false
}

fn inner(node: Node<'_>) -> Option<Node<'_>> {
    match node.kind() {
        "pointer_declarator" | "function_declarator" | "array_declarator" | "init_declarator" => {
            node.child_by_field_name("declarator")
        }
        "parenthesized_declarator" | "reference_declarator" | "attributed_declarator" => {
            node.named_child(0)
        }
        _ => None,
    }
}

fn include(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let Some(path) = node.child_by_field_name("path") else {
        return;
    };
    let written = collector.text_of(path);
    match path.kind() {
        "system_lib_string" => collector.import(node, written, ImportKind::System),
        "string_literal" => {
            let path = written.trim_matches('"').to_owned();
            collector.import(node, path, ImportKind::Relative);
        }
        // The path is given by a macro.
        _ => {}
    }
}
