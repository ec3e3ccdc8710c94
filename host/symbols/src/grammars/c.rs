//! C and C++, one set of rules over two grammars: C++ adds classes, namespaces and templates.
//! Prototypes are declarations too, since headers hold little else.

use tree_sitter::Node;

use crate::outline::{EntryKind, ImportKind, SymbolKind};
use crate::walk::{Collector, Declared, Next, Rules, Scope, ScopeKind};

pub(super) const RULES: Rules = Rules {
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

fn visit(collector: &mut Collector<'_>, node: Node<'_>, kind: &'static str) -> Next {
    match kind {
        "preproc_include" => {
            include(collector, node);
            Next::Skip
        }
        "preproc_def" => {
            // Without a value it guards a header or switches something on.
            if node.child_by_field_name("value").is_some() {
                declare_named(collector, node, SymbolKind::Constant);
            }
            Next::Skip
        }
        "preproc_function_def" => {
            declare_named(collector, node, SymbolKind::Macro);
            Next::Skip
        }
        "alias_declaration" | "concept_definition" => {
            declare_named(collector, node, SymbolKind::Type);
            Next::Skip
        }
        "function_definition" => {
            function(collector, node);
            Next::Skip
        }
        "declaration" | "field_declaration" => {
            prototypes(collector, node);
            Next::Descend
        }
        "type_definition" => {
            type_definition(collector, node);
            Next::Descend
        }
        "namespace_definition" => {
            let name = collector.field(node, "name");
            // Without a name it belongs to this file alone.
            let exported = !name.is_empty();
            let kind = SymbolKind::Module;
            collector.declare(
                node,
                Declared {
                    name: name.clone(),
                    kind,
                    exported,
                },
            );
            let kind = ScopeKind::Module;
            Next::Into(Scope {
                name,
                kind,
                exported,
            })
        }
        "enum_specifier" => {
            if node.child_by_field_name("body").is_some() {
                declare_named(collector, node, SymbolKind::Enum);
            }
            Next::Skip
        }
        "access_specifier" => {
            let is_private = collector.bytes_of(node).starts_with(b"private");
            if let Some(scope) = collector.scope_mut() {
                scope.exported = !is_private;
            }
            Next::Skip
        }
        // The access that it inherits with is another matter.
        "base_class_clause" => Next::Skip,
        _ => record(collector, node, kind),
    }
}

fn finish(collector: &mut Collector<'_>) {
    let mut lines = collector.text.split(|byte| *byte == b'\n');
    if lines.any(|line| TESTS.iter().any(|start| line.starts_with(start))) {
        collector.outline.is_test = true;
    }
}

/// How the test frameworks open a case.
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

fn declare_named(collector: &mut Collector<'_>, node: Node<'_>, kind: SymbolKind) {
    let name = collector.field(node, "name");
    let exported = is_open(collector);
    collector.declare(
        node,
        Declared {
            name,
            kind,
            exported,
        },
    );
}

/// Whether what is declared here can be named elsewhere.
fn is_open(collector: &Collector<'_>) -> bool {
    collector.scope().is_none_or(|scope| scope.exported)
}

/// A struct, union or class, where it has a body.
fn record(collector: &mut Collector<'_>, node: Node<'_>, kind: &str) -> Next {
    if node.child_by_field_name("body").is_none() {
        return Next::Skip;
    }
    let name = collector.field(node, "name");
    let is_class = kind == "class_specifier";
    let symbol_kind = if is_class {
        SymbolKind::Class
    } else {
        SymbolKind::Struct
    };
    let exported = is_open(collector);
    collector.declare(
        node,
        Declared {
            name: name.clone(),
            kind: symbol_kind,
            exported,
        },
    );
    Next::Into(Scope {
        name,
        kind: ScopeKind::Type,
        exported: !is_class,
    })
}

fn type_definition(collector: &mut Collector<'_>, node: Node<'_>) {
    let Some(declared) = node
        .child_by_field_name("declarator")
        .and_then(|declarator| name_of(collector, declarator))
    else {
        return;
    };
    let inner = node.child_by_field_name("type");
    let has_body = inner.is_some_and(|inner| inner.child_by_field_name("body").is_some());
    // `typedef struct { … } Name;` is the only name that the struct has.
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

fn function(collector: &mut Collector<'_>, node: Node<'_>) {
    let Some(declarator) = node.child_by_field_name("declarator") else {
        return;
    };
    let Some(named) = name_of(collector, declarator) else {
        return;
    };
    // A case for a test framework looks like a function that is called as the framework's macro.
    if TESTS
        .iter()
        .any(|start| collector.bytes_of(node).starts_with(start))
    {
        return;
    }
    if named.name == "main" && named.qualifier.is_none() && collector.scope().is_none() {
        collector.enters(EntryKind::Main);
    }
    declare_function(collector, node, named);
}

/// The functions that a declaration without a body names.
fn prototypes(collector: &mut Collector<'_>, node: Node<'_>) {
    let named: Vec<Named> = node
        .children_by_field_name("declarator", &mut node.walk())
        .filter(|declarator| is_function(*declarator))
        .filter_map(|declarator| name_of(collector, declarator))
        .collect();
    for named in named {
        declare_function(collector, node, named);
    }
}

fn declare_function(collector: &mut Collector<'_>, node: Node<'_>, named: Named) {
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
        Some(parent) => collector.declare_in(
            node,
            Declared {
                name,
                kind,
                exported,
            },
            Some(parent),
        ),
        None => collector.declare(
            node,
            Declared {
                name,
                kind,
                exported,
            },
        ),
    }
}

struct Named {
    name: String,
    /// The innermost class or namespace that it is written with.
    qualifier: Option<String>,
}

/// The name inside of a declarator, past pointers, parameters and parentheses.
fn name_of(collector: &Collector<'_>, declarator: Node<'_>) -> Option<Named> {
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
    Some(Named { name, qualifier })
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

/// Whether it declares a function, and not a pointer to one.
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

fn include(collector: &mut Collector<'_>, node: Node<'_>) {
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
        // A macro stands for the path.
        _ => {}
    }
}
