//! Python. `from a import b` gives the path `a.b`: only the files can tell whether `b` is a module.

use std::sync::LazyLock;

use memchr::memmem;
use tree_sitter::Node;

use crate::outline::{EntryPointKind, ImportKind, SymbolKind};
use crate::walk::{EnclosingScope, ExtractionRules, NextNode, OutlineCollector, ScopeKind};

pub(super) const RULES: ExtractionRules = ExtractionRules {
    kinds: &[
        "assignment",
        "class_definition",
        "function_definition",
        "future_import_statement",
        "if_statement",
        "import_from_statement",
        "import_statement",
        "type_alias_statement",
    ],
    visit,
    finish: |_| {},
};

fn visit(collector: &mut OutlineCollector<'_>, node: Node<'_>, kind: &'static str) -> NextNode {
    match kind {
        "class_definition" => {
            let name = collector.field(node, "name");
            let exported = is_public(&name);
            collector.declare(node, name.clone(), SymbolKind::Class, exported);
            NextNode::Into(EnclosingScope::new(name, ScopeKind::Type, exported))
        }
        "function_definition" => {
            function(collector, node);
            NextNode::Body
        }
        "assignment" => {
            constant(collector, node);
            NextNode::Descend
        }
        "type_alias_statement" => {
            let name = collector.field(node, "left");
            let name = name.split('[').next().unwrap_or_default().trim().to_owned();
            let exported = is_public(&name);
            collector.declare(node, name, SymbolKind::Type, exported);
            NextNode::Skip
        }
        "if_statement" => {
            if !collector.in_body() && collector.scope().is_none() && asks_for_main(collector, node)
            {
                collector.enters(EntryPointKind::Script);
            }
            NextNode::Descend
        }
        "import_statement" => {
            for name in names(node) {
                let path = collector.path_of(name);
                let kind = import_kind(&path);
                collector.import(node, path, kind);
            }
            NextNode::Skip
        }
        "import_from_statement" => {
            import_from(collector, node);
            NextNode::Skip
        }
        // A `__future__` import is not a module.
        _ => NextNode::Skip,
    }
}

fn function(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let name = collector.field(node, "name");
    let in_test_class = collector.scope().is_some_and(|scope| {
        scope.name.starts_with("Test")
            || scope.name.ends_with("Test")
            || scope.name.ends_with("Tests")
    });
    let at_top = collector.scope().is_none();
    if !collector.in_body()
        && name.starts_with("test")
        && (in_test_class || (at_top && name.starts_with("test_")))
    {
        collector.outline.is_test = true;
    }
    let kind = if collector.in_type() {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    let exported = is_public(&name);
    collector.declare(node, name, kind, exported);
}

/// Declares an upper-case name that is assigned a value.
fn constant(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let Some(left) = node
        .child_by_field_name("left")
        .filter(|left| left.kind() == "identifier")
    else {
        return;
    };
    let name = collector.text_of(left);
    let is_constant = name.chars().any(|character| character.is_ascii_uppercase())
        && !name.chars().any(|character| character.is_lowercase());
    if is_constant {
        let exported = is_public(&name);
        collector.declare(node, name, SymbolKind::Constant, exported);
    }
}

fn asks_for_main(collector: &OutlineCollector<'_>, node: Node<'_>) -> bool {
    node.child_by_field_name("condition")
        .is_some_and(|condition| {
            let condition = collector.bytes_of(condition);
            memmem::find(condition, b"__name__").is_some()
                && memmem::find(condition, b"__main__").is_some()
        })
}

fn import_from(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    let Some(module) = node.child_by_field_name("module_name") else {
        return;
    };
    let module = collector.path_of(module);
    let join = |name: &str| {
        if module.ends_with('.') {
            format!("{module}{name}")
        } else {
            format!("{module}.{name}")
        }
    };
    let kind = import_kind(&module);
    let imported: Vec<String> = names(node)
        .into_iter()
        .map(|name| join(&collector.path_of(name)))
        .collect();
    if imported.is_empty() {
        collector.import(node, join("*"), kind);
    }
    for path in imported {
        collector.import(node, path, kind);
    }
}

/// Returns the dotted names that a statement imports, without aliases.
fn names<'tree>(node: Node<'tree>) -> Vec<Node<'tree>> {
    node.children_by_field_name("name", &mut node.walk())
        .filter_map(|name| match name.kind() {
            "aliased_import" => name.child_by_field_name("name"),
            _ => Some(name),
        })
        .collect()
}

/// Names with a leading underscore are private, except for dunder names.
fn is_public(name: &str) -> bool {
    !name.starts_with('_') || (name.starts_with("__") && name.ends_with("__"))
}

fn import_kind(path: &str) -> ImportKind {
    if path.starts_with('.') {
        return ImportKind::Relative;
    }
    let first = path.split('.').next().unwrap_or_default();
    if STANDARD.binary_search(&first).is_ok() {
        ImportKind::System
    } else {
        ImportKind::Absolute
    }
}

/// The modules of the standard library, sorted.
static STANDARD: LazyLock<Vec<&str>> =
    LazyLock::new(|| include_str!("python.txt").lines().collect());
