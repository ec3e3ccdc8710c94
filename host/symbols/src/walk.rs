//! The walk over a syntax tree that all languages share, and what it collects.
//! It never recurses, so the depth of a tree costs memory and no stack.

use std::collections::BTreeSet;

use tree_sitter::{Node, Tree};

use crate::outline::{EntryKind, Import, ImportKind, Outline, Symbol, SymbolKind};

/// How one language is read.
pub(crate) struct Rules {
    /// The node kinds to be visited. All others are passed through.
    pub(crate) kinds: &'static [&'static str],
    pub(crate) visit: fn(&mut Collector<'_>, Node<'_>, &'static str) -> Next,
    /// What can only be said at the end.
    pub(crate) finish: fn(&mut Collector<'_>),
}

/// [`Rules`] with the numbers that a grammar gives to node kinds.
pub(crate) struct RuleTable {
    pub(crate) rules: &'static Rules,
    /// By kind id, the name of a kind to be visited.
    pub(crate) visited: Vec<Option<&'static str>>,
}

/// Where the walk goes from a node that was visited.
pub(crate) enum Next {
    /// Past it.
    Skip,
    /// Into its children.
    Descend,
    /// Into its children, which are declared in this scope.
    Into(Scope),
    /// Into its children, which are the inside of a function: nothing is declared there.
    Body,
}

/// What encloses a declaration.
#[derive(Debug, Clone)]
pub(crate) struct Scope {
    pub(crate) name: String,
    pub(crate) kind: ScopeKind,
    /// Whether what is declared here without a word about it can be used elsewhere.
    pub(crate) exported: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ScopeKind {
    Module,
    Type,
}

/// A declaration as a language's rules hand it in.
pub(crate) struct Declared {
    pub(crate) name: String,
    pub(crate) kind: SymbolKind,
    pub(crate) exported: bool,
}

/// An outline holds at most this many symbols, and as many imports.
const MOST_ENTRIES: usize = 10_000;

/// A longer name or path is damage, not code.
const LONGEST_TEXT: usize = 256;

pub(crate) fn walk(tree: &Tree, text: &[u8], table: &RuleTable) -> Outline {
    let mut collector = Collector {
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
    // What to take back when the walk leaves a node: nothing, a scope, or a body.
    let mut left = Vec::new();
    let mut cursor = tree.walk();
    loop {
        let node = cursor.node();
        let kind = table.visited.get(usize::from(node.kind_id()));
        let next = match kind.copied().flatten() {
            Some(kind) => (table.rules.visit)(&mut collector, node, kind),
            None => Next::Descend,
        };
        if !matches!(next, Next::Skip) && cursor.goto_first_child() {
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

/// What the walk has found so far, and where it stands.
pub(crate) struct Collector<'t> {
    pub(crate) text: &'t [u8],
    pub(crate) outline: Outline,
    scopes: Vec<Scope>,
    bodies: usize,
    /// Attributes that stand before the next declaration as its siblings.
    attributes: Vec<String>,
    /// Declarations that end before this byte are in an export statement.
    pub(crate) exported_until: usize,
    /// Names that are exported apart from their declaration.
    pub(crate) exported_names: BTreeSet<String>,
    /// The package that the file says it is in.
    pub(crate) package: Option<String>,
    /// Where the name of the last call stands.
    pub(crate) called_at: Option<usize>,
    imported: BTreeSet<String>,
}

impl Collector<'_> {
    fn enter(&mut self, next: Next) -> Entered {
        match next {
            Next::Skip | Next::Descend => Entered::Nothing,
            Next::Into(scope) => {
                self.scopes.push(scope);
                Entered::Scope
            }
            Next::Body => {
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

    /// Inside of a function.
    pub(crate) fn in_body(&self) -> bool {
        self.bodies > 0
    }

    pub(crate) fn scope(&self) -> Option<&Scope> {
        self.scopes.last()
    }

    pub(crate) fn scope_mut(&mut self) -> Option<&mut Scope> {
        self.scopes.last_mut()
    }

    pub(crate) fn in_type(&self) -> bool {
        self.scope()
            .is_some_and(|scope| scope.kind == ScopeKind::Type)
    }

    /// The modules of this file around this place, outermost first.
    pub(crate) fn modules(&self) -> impl Iterator<Item = &str> {
        self.scopes
            .iter()
            .filter(|scope| scope.kind == ScopeKind::Module)
            .map(|scope| scope.name.as_str())
    }

    /// The text of a node, empty when it is too long for a name.
    pub(crate) fn text_of(&self, node: Node<'_>) -> String {
        let bytes = self.bytes_of(node);
        if bytes.len() > LONGEST_TEXT {
            return String::new();
        }
        String::from_utf8_lossy(bytes).trim().to_owned()
    }

    /// The text of a node without white space.
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

    /// A declaration in the scope of this place. In a body it is a local and not kept.
    pub(crate) fn declare(&mut self, node: Node<'_>, declared: Declared) {
        let parent = self.scope().map(|scope| scope.name.clone());
        self.declare_in(node, declared, parent);
    }

    pub(crate) fn declare_in(
        &mut self,
        node: Node<'_>,
        declared: Declared,
        parent: Option<String>,
    ) {
        if self.in_body() || declared.name.is_empty() {
            return;
        }
        if self.outline.symbols.len() == MOST_ENTRIES {
            self.outline.truncated = true;
            return;
        }
        let line = line_of(node);
        let end = node.end_position();
        // A node that takes in its last newline ends at the start of the next line.
        let end_row = if end.column == 0 {
            end.row
        } else {
            end.row + 1
        };
        self.outline.symbols.push(Symbol {
            name: declared.name,
            kind: declared.kind,
            line,
            end_line: number(end_row).max(line),
            parent: parent.filter(|parent| !parent.is_empty()),
            exported: declared.exported,
        });
    }

    /// Each path is kept once.
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

    /// The strongest kind wins: a function to begin at, then a script, then a server.
    pub(crate) fn enters(&mut self, kind: EntryKind) {
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
