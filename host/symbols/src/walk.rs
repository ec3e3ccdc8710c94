//! The traversal of a syntax tree shared by all languages, and the collector of its results. Iterative, so the depth of
//! a tree costs memory but no stack.

use std::collections::BTreeSet;

use tree_sitter::{Node, Tree};

use crate::outline::{EntryPointKind, Import, ImportKind, Outline, Symbol, SymbolKind};

/// Extraction rules of one language.
pub(crate) struct ExtractionRules {
    /// Node kinds to visit; all others are descended into.
    pub(crate) kinds: &'static [&'static str],
    pub(crate) visit: fn(&mut OutlineCollector<'_>, Node<'_>, &'static str) -> NextNode,
    /// Runs after the traversal.
    pub(crate) finish: fn(&mut OutlineCollector<'_>),
}

/// [`ExtractionRules`] with the grammar's numeric node kinds.
pub(crate) struct RuleTable {
    pub(crate) rules: &'static ExtractionRules,
    /// By kind id, the name of each kind to visit.
    pub(crate) visited: Vec<Option<&'static str>>,
}

/// Continuation of the traversal after a visited node.
pub(crate) enum NextNode {
    /// Skips its children.
    Skip,
    /// Descends into its children.
    Descend,
    /// Descends into its children, which are declared in this scope.
    Into(EnclosingScope),
    /// Descends into its children, which form a function body: nothing is declared there.
    Body,
}

/// Scope that encloses a declaration.
#[derive(Debug, Clone)]
pub(crate) struct EnclosingScope {
    pub(crate) name: String,
    pub(crate) kind: ScopeKind,
    /// Default visibility of declarations in this scope.
    pub(crate) exported: bool,
}

impl EnclosingScope {
    pub(crate) fn new(name: String, kind: ScopeKind, exported: bool) -> Self {
        Self {
            name,
            kind,
            exported,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Module,
    Type,
}

/// Maximum number of symbols of an outline, and of imports.
const MOST_ENTRIES: usize = 10_000;

/// Maximum length of a name or path; a longer one is damaged code.
const LONGEST_TEXT: usize = 256;

pub(crate) fn walk(tree: &Tree, text: &[u8], table: &RuleTable) -> Outline {
    let mut collector = OutlineCollector {
        text,
        outline: Outline::default(),
        scopes: Vec::new(),
        bodies: 0,
        attributes: Vec::new(),
        exported_until: 0,
        exported_names: BTreeSet::new(),
        package: None,
        called_at: None,
        imported: BTreeSet::new(),
    };
    // Undo stack for leaving nodes: nothing, a scope, or a body.
    let mut left = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let kind = table.visited.get(usize::from(node.kind_id()));
        let next = match kind.copied().flatten() {
            Some(kind) => (table.rules.visit)(&mut collector, node, kind),
            None => NextNode::Descend,
        };
        if !matches!(next, NextNode::Skip) && cursor.goto_first_child() {
            left.push(collector.enter(next));
            continue;
        }
        while !cursor.goto_next_sibling() {
            if !cursor.goto_parent() {
                (table.rules.finish)(&mut collector);
                return collector.outline;
            }
            if let Some(entered) = left.pop() {
                collector.leave(entered);
            }
        }
    }
}

enum Entered {
    Nothing,
    Scope,
    Body,
}

/// Results and state of the traversal.
pub(crate) struct OutlineCollector<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) outline: Outline,
    scopes: Vec<EnclosingScope>,
    bodies: usize,
    /// Attributes that precede the next declaration as siblings.
    attributes: Vec<String>,
    /// Declarations that end before this byte are in an export statement.
    pub(crate) exported_until: usize,
    /// Names exported separately from their declaration.
    pub(crate) exported_names: BTreeSet<String>,
    /// The package that the file declares.
    pub(crate) package: Option<String>,
    /// Start of the name of the last call.
    pub(crate) called_at: Option<usize>,
    imported: BTreeSet<String>,
}

impl OutlineCollector<'_> {
    fn enter(&mut self, next: NextNode) -> Entered {
        match next {
            NextNode::Skip | NextNode::Descend => Entered::Nothing,
            NextNode::Into(scope) => {
                self.scopes.push(scope);
                Entered::Scope
            }
            NextNode::Body => {
                self.bodies += 1;
                Entered::Body
            }
        }
    }

    fn leave(&mut self, entered: Entered) {
        match entered {
            Entered::Nothing => {}
            Entered::Scope => drop(self.scopes.pop()),
            Entered::Body => self.bodies -= 1,
        }
    }

    /// Reports whether the traversal is inside a function.
    pub(crate) fn in_body(&self) -> bool {
        self.bodies > 0
    }

    pub(crate) fn scope(&self) -> Option<&EnclosingScope> {
        self.scopes.last()
    }

    pub(crate) fn scope_mut(&mut self) -> Option<&mut EnclosingScope> {
        self.scopes.last_mut()
    }

    pub(crate) fn in_type(&self) -> bool {
        self.scope()
            .is_some_and(|scope| scope.kind == ScopeKind::Type)
    }

    /// Returns the enclosing modules in this file, outermost first.
    pub(crate) fn modules(&self) -> impl Iterator<Item = &str> {
        self.scopes
            .iter()
            .filter(|scope| scope.kind == ScopeKind::Module)
            .map(|scope| scope.name.as_str())
    }

    /// Returns the text of a node; empty if it is too long for a name.
    pub(crate) fn text_of(&self, node: Node<'_>) -> String {
        let bytes = self.bytes_of(node);
        if bytes.len() > LONGEST_TEXT {
            return String::new();
        }
        String::from_utf8_lossy(bytes).trim().to_owned()
    }

    /// Returns the text of a node without white space.
    pub(crate) fn path_of(&self, node: Node<'_>) -> String {
        let mut path = self.text_of(node);
        path.retain(|character| !character.is_whitespace());
        path
    }

    pub(crate) fn bytes_of(&self, node: Node<'_>) -> &[u8] {
        self.text.get(node.byte_range()).unwrap_or_default()
    }

    pub(crate) fn field(&self, node: Node<'_>, name: &str) -> String {
        node.child_by_field_name(name)
            .map(|child| self.text_of(child))
            .unwrap_or_default()
    }

    /// Adds a declaration in the current scope. Inside a body it is a local and ignored.
    pub(crate) fn declare(
        &mut self,
        node: Node<'_>,
        name: String,
        kind: SymbolKind,
        exported: bool,
    ) {
        let parent = self.scope().map(|scope| scope.name.clone());
        self.declare_in(node, name, kind, exported, parent);
    }

    pub(crate) fn declare_in(
        &mut self,
        node: Node<'_>,
        name: String,
        kind: SymbolKind,
        exported: bool,
        parent: Option<String>,
    ) {
        if self.in_body() || name.is_empty() {
            return;
        }
        if self.outline.symbols.len() == MOST_ENTRIES {
            self.outline.truncated = true;
            return;
        }
        let line = line_of(node);
        let end = node.end_position();
        // A node that includes its last newline ends at the start of the next line.
        let end_row = if end.column == 0 {
            end.row
        } else {
            end.row + 1
        };
        self.outline.symbols.push(Symbol {
            name,
            kind,
            line,
            end_line: number(end_row).max(line),
            parent: parent.filter(|parent| !parent.is_empty()),
            exported,
        });
    }

    /// Adds an import unless its path is already present.
    pub(crate) fn import(&mut self, node: Node<'_>, path: String, kind: ImportKind) {
        if path.is_empty() || path.len() > LONGEST_TEXT || self.imported.contains(&path) {
            return;
        }
        if self.outline.imports.len() == MOST_ENTRIES {
            self.outline.truncated = true;
            return;
        }
        self.imported.insert(path.clone());
        self.outline.imports.push(Import {
            path,
            line: line_of(node),
            kind,
        });
    }

    /// Records an entry point; main takes precedence over script, and script over server.
    pub(crate) fn enters(&mut self, kind: EntryPointKind) {
        let entry = self.outline.entry.get_or_insert(kind);
        *entry = kind.min(*entry);
    }

    pub(crate) fn attribute(&mut self, text: String) {
        self.attributes.push(text);
    }

    pub(crate) fn take_attributes(&mut self) -> Vec<String> {
        std::mem::take(&mut self.attributes)
    }
}

fn line_of(node: Node<'_>) -> u32 {
    number(node.start_position().row + 1)
}

fn number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(u32::MAX)
}
