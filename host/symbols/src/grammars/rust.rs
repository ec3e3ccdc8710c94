//! Rust. Besides `use`, a `mod` without a body and a path that starts with `crate` or `super` count as imports; paths
//! in inner modules are converted to be relative to the file.

use tree_sitter::Node;

use crate::outline::{EntryPointKind, ImportKind, SymbolKind};
use crate::walk::{EnclosingScope, ExtractionRules, NextNode, OutlineCollector, ScopeKind};

pub(super) const RULES: ExtractionRules = ExtractionRules {
    kinds: &[
        "attribute_item",
        "const_item",
        "enum_item",
        "extern_crate_declaration",
        "function_item",
        "function_signature_item",
        "impl_item",
        "macro_definition",
        "mod_item",
        "scoped_identifier",
        "scoped_type_identifier",
        "static_item",
        "struct_item",
        "trait_item",
        "type_item",
        "union_item",
        "use_declaration",
    ],
    visit,
    finish: |_| {},
};

fn visit(collector: &mut OutlineCollector<'_>, node: Node<'_>, kind: &'static str) -> NextNode {
    match kind {
        "attribute_item" => {
            let text = collector.path_of(node);
            collector.attribute(text);
            return NextNode::Skip;
        }
        "scoped_identifier" | "scoped_type_identifier" => return inline_path(collector, node),
        _ => {}
    }
    let attributes = collector.take_attributes();
    let name = collector.field(node, "name");
    let exported = is_visible(node)
        || collector
            .scope()
            .is_some_and(|scope| scope.kind == ScopeKind::Type && scope.exported);
    let mut declare = |kind| {
        let name = name.clone();
        collector.declare(node, name, kind, exported);
    };
    match kind {
        "function_item" | "function_signature_item" => {
            function(collector, node, name, exported, &attributes)
        }
        "struct_item" | "union_item" => {
            declare(SymbolKind::Struct);
            NextNode::Descend
        }
        "enum_item" => {
            declare(SymbolKind::Enum);
            NextNode::Descend
        }
        "const_item" | "static_item" => {
            declare(SymbolKind::Constant);
            NextNode::Descend
        }
        "type_item" => {
            declare(SymbolKind::Type);
            NextNode::Descend
        }
        "macro_definition" => {
            let exported = attributes.iter().any(|text| text.contains("macro_export"));
            collector.declare(node, name, SymbolKind::Macro, exported);
            NextNode::Skip
        }
        "trait_item" => {
            declare(SymbolKind::Trait);
            NextNode::Into(EnclosingScope::new(name, ScopeKind::Type, exported))
        }
        "impl_item" => {
            // The methods of a trait are as visible as the trait.
            let exported = node.child_by_field_name("trait").is_some();
            let name = implemented(collector, node);
            NextNode::Into(EnclosingScope::new(name, ScopeKind::Type, exported))
        }
        "mod_item" => module(collector, node, name, &attributes),
        "extern_crate_declaration" => {
            let kind = import_kind(&name);
            collector.import(node, name, kind);
            NextNode::Skip
        }
        _ => {
            let mut paths = Vec::new();
            if let Some(argument) = node.child_by_field_name("argument") {
                use_paths(collector, argument, "", 0, &mut paths);
            }
            for path in paths {
                import(collector, node, &path);
            }
            NextNode::Skip
        }
    }
}

fn function(
    collector: &mut OutlineCollector<'_>,
    node: Node<'_>,
    name: String,
    exported: bool,
    attributes: &[String],
) -> NextNode {
    let at_top = collector.scope().is_none() && !collector.in_body();
    if at_top && name == "main" {
        collector.enters(EntryPointKind::Main);
    }
    if at_top && attributes.iter().any(|attribute| is_test(attribute)) {
        collector.outline.is_test = true;
    }
    let kind = if collector.in_type() {
        SymbolKind::Method
    } else {
        SymbolKind::Function
    };
    collector.declare(node, name, kind, exported);
    NextNode::Body
}

fn module(
    collector: &mut OutlineCollector<'_>,
    node: Node<'_>,
    name: String,
    attributes: &[String],
) -> NextNode {
    let exported = is_visible(node);
    if node.child_by_field_name("body").is_none() {
        let elsewhere = attributes
            .iter()
            .find_map(|text| text.strip_prefix("#[path=\"")?.strip_suffix("\"]"));
        match elsewhere {
            Some(path) => {
                let path = format!("./{}", path.trim_start_matches("./"));
                collector.import(node, path, ImportKind::Relative);
            }
            None => import(collector, node, &format!("self::{name}")),
        }
        return NextNode::Skip;
    }
    collector.declare(node, name.clone(), SymbolKind::Module, exported);
    NextNode::Into(EnclosingScope::new(name, ScopeKind::Module, exported))
}

fn inline_path(collector: &mut OutlineCollector<'_>, node: Node<'_>) -> NextNode {
    let bytes = collector.bytes_of(node);
    if !bytes.starts_with(b"crate::") && !bytes.starts_with(b"super::") {
        return NextNode::Descend;
    }
    let path = collector.path_of(node);
    let path = path.split('<').next().unwrap_or_default();
    import(collector, node, path.trim_end_matches(':'));
    NextNode::Skip
}

/// Returns the paths of a `use`, without aliases.
fn use_paths(
    collector: &OutlineCollector<'_>,
    node: Node<'_>,
    prefix: &str,
    depth: usize,
    paths: &mut Vec<String>,
) {
    const DEEPEST: usize = 32;
    if depth > DEEPEST {
        return;
    }
    let joined = |text: &str| match (prefix, text) {
        ("", text) => text.to_owned(),
        (prefix, "self") => prefix.to_owned(),
        (prefix, text) => format!("{prefix}::{text}"),
    };
    match node.kind() {
        "use_list" => {
            for child in node.named_children(&mut node.walk()) {
                use_paths(collector, child, prefix, depth + 1, paths);
            }
        }
        "scoped_use_list" => {
            let path = node.child_by_field_name("path");
            let path = path.map(|path| collector.path_of(path)).unwrap_or_default();
            let prefix = if path.is_empty() {
                prefix.to_owned()
            } else {
                joined(&path)
            };
            if let Some(list) = node.child_by_field_name("list") {
                use_paths(collector, list, &prefix, depth + 1, paths);
            }
        }
        "use_as_clause" => {
            if let Some(path) = node.child_by_field_name("path") {
                paths.push(joined(&collector.path_of(path)));
            }
        }
        "line_comment" | "block_comment" | "ERROR" => {}
        _ => paths.push(joined(&collector.path_of(node))),
    }
}

/// Adds an import with its path relative to the file instead of an inner module.
fn import(collector: &mut OutlineCollector<'_>, node: Node<'_>, path: &str) {
    let path = path.trim_start_matches("::");
    let mut modules: Vec<&str> = collector.modules().collect();
    let mut rest = path;
    let mut starts_here = false;
    if rest == "self" || rest.starts_with("self::") {
        starts_here = true;
        rest = rest["self".len()..].trim_start_matches("::");
    }
    while !modules.is_empty() && (rest == "super" || rest.starts_with("super::")) {
        modules.pop();
        starts_here = true;
        rest = rest["super".len()..].trim_start_matches("::");
    }
    let path = if starts_here && !rest.starts_with("super") {
        let inner: String = modules.iter().map(|module| format!("{module}::")).collect();
        format!("self::{inner}{rest}")
            .trim_end_matches(':')
            .to_owned()
    } else {
        rest.to_owned()
    };
    let kind = import_kind(&path);
    collector.import(node, path, kind);
}

fn import_kind(path: &str) -> ImportKind {
    match path.split("::").next().unwrap_or_default() {
        "crate" | "self" | "super" => ImportKind::Relative,
        "std" | "core" | "alloc" | "proc_macro" | "test" => ImportKind::System,
        _ => ImportKind::Absolute,
    }
}

/// Returns the name of the type of an `impl`.
fn implemented(collector: &OutlineCollector<'_>, node: Node<'_>) -> String {
    let mut target = node.child_by_field_name("type");
    while let Some(node) = target {
        let inner = match node.kind() {
            "generic_type" | "reference_type" => node.child_by_field_name("type"),
            "scoped_type_identifier" => node.child_by_field_name("name"),
            _ => None,
        };
        if inner.is_none() {
            return collector.text_of(node);
        }
        target = inner;
    }
    String::new()
}

fn is_visible(node: Node<'_>) -> bool {
    (0..3).any(|index| {
        node.child(index)
            .is_some_and(|child| child.kind() == "visibility_modifier")
    })
}

/// `#[test]` and the attributes of other test runners: `#[tokio::test(…)]`, `#[rstest]`.
fn is_test(attribute: &str) -> bool {
    let inner = attribute.trim_start_matches("#[").trim_end_matches(']');
    let path = inner.split('(').next().unwrap_or_default();
    let name = path.rsplit("::").next().unwrap_or_default();
    matches!(
        name,
        "test" | "rstest" | "test_case" | "quickcheck" | "wasm_bindgen_test"
    )
}
