//! Ruby. A `require` of a plain string counts as an import wherever it occurs.

use std::sync::LazyLock;

use memchr::memmem;
use tree_sitter::Node;

use crate::outline::{EntryPointKind, ImportKind, SymbolKind};
use crate::walk::{EnclosingScope, ExtractionRules, NextNode, OutlineCollector, ScopeKind};

pub(super) const RULES: ExtractionRules = ExtractionRules {
    kinds: &[
        "assignment",
        "call",
        "class",
        "identifier",
        "method",
        "module",
        "singleton_method",
    ],
    visit,
    finish,
};

fn visit(collector: &mut OutlineCollector<'_>, node: Node<'_>, kind: &'static str) -> NextNode {
    match kind {
        "identifier" => {
            visibility(collector, node);
            NextNode::Skip
        }
        "class" => {
            let superclass = collector.field(node, "superclass");
            if superclass.ends_with("TestCase") || superclass.ends_with("Minitest::Test") {
                collector.outline.is_test = true;
            }
            declare_type(collector, node, SymbolKind::Class, ScopeKind::Type)
        }
        "module" => declare_type(collector, node, SymbolKind::Module, ScopeKind::Module),
        "method" | "singleton_method" => {
            let kind = if collector.scope().is_some() {
                SymbolKind::Method
            } else {
                SymbolKind::Function
            };
            let name = collector.field(node, "name");
            let is_open = collector.scope().is_none_or(|scope| scope.exported);
            // `private` does not affect singleton methods.
            let exported = is_open || node.kind() == "singleton_method";
            collector.declare(node, name, kind, exported);
            NextNode::Body
        }
        "assignment" => {
            let left = node.child_by_field_name("left");
            if left.is_some_and(|left| left.kind() == "constant") {
                let name = collector.field(node, "left");
                collector.declare(node, name, SymbolKind::Constant, true);
            }
            NextNode::Descend
        }
        _ => {
            call(collector, node);
            NextNode::Descend
        }
    }
}

fn finish(collector: &mut OutlineCollector<'_>) {
    let asks: [&[u8]; 2] = [b"__FILE__ == $0", b"__FILE__ == $PROGRAM_NAME"];
    let reversed: [&[u8]; 2] = [b"$0 == __FILE__", b"$PROGRAM_NAME == __FILE__"];
    if asks
        .iter()
        .chain(&reversed)
        .any(|question| memmem::find(collector.text, question).is_some())
    {
        collector.enters(EntryPointKind::Script);
    }
}

fn declare_type(
    collector: &mut OutlineCollector<'_>,
    node: Node<'_>,
    kind: SymbolKind,
    scope: ScopeKind,
) -> NextNode {
    let name = collector.field(node, "name");
    collector.declare(node, name.clone(), kind, true);
    NextNode::Into(EnclosingScope::new(name, scope, true))
}

/// A bare `private` or `public` applies to the methods after it.
fn visibility(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    if collector.in_body() {
        return;
    }
    let exported = match collector.bytes_of(node) {
        b"private" | b"protected" => false,
        b"public" => true,
        _ => return,
    };
    // `private :name` and `private def …` are calls and do not affect what follows.
    if collector.called_at != Some(node.start_byte())
        && let Some(scope) = collector.scope_mut()
    {
        scope.exported = exported;
    }
}

fn call(collector: &mut OutlineCollector<'_>, node: Node<'_>) {
    collector.called_at = node
        .child_by_field_name("method")
        .map(|method| method.start_byte());
    let method = collector.field(node, "method");
    let receiver = collector.field(node, "receiver");
    if matches!(method.as_str(), "describe" | "context" | "feature")
        && (receiver.is_empty() || receiver == "RSpec")
        && !collector.in_body()
        && node.child_by_field_name("block").is_some()
    {
        collector.outline.is_test = true;
    }
    // `autoload :Name, 'path'` has the path second.
    let position = match method.as_str() {
        "require" | "require_relative" | "load" => 0,
        "autoload" => 1,
        _ => return,
    };
    let argument = node
        .child_by_field_name("arguments")
        .and_then(|arguments| arguments.named_child(position))
        .filter(|argument| argument.kind() == "string");
    let Some(argument) = argument.filter(|_| receiver.is_empty()) else {
        return;
    };
    let path = collector.text_of(argument);
    let path = path.trim_matches(['"', '\'']);
    if path.contains("#{") {
        return;
    }
    if method == "require_relative" {
        let path = if path.starts_with('.') {
            path.to_owned()
        } else {
            format!("./{path}")
        };
        collector.import(node, path, ImportKind::Relative);
        return;
    }
    let kind = if path.starts_with("./") || path.starts_with("../") {
        ImportKind::Relative
    } else if is_standard(path) {
        ImportKind::System
    } else {
        ImportKind::Absolute
    };
    collector.import(node, path.to_owned(), kind);
}

fn is_standard(path: &str) -> bool {
    let first = path.split('/').next().unwrap_or_default();
    STANDARD.binary_search(&first).is_ok()
}

/// First components of the standard library's paths, sorted.
static STANDARD: LazyLock<Vec<&str>> = LazyLock::new(|| include_str!("ruby.txt").lines().collect());
