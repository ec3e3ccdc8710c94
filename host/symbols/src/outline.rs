//! The outline of one file: what it declares, what it imports, whether something starts there.

/// What can be said of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// In the order of the file. Locals of function bodies are not among them.
    pub symbols: Vec<Symbol>,
    /// In the order of the file, each path once, at the line where it first stands.
    pub imports: Vec<Import>,
    /// How a program starts in this file, if one does.
    pub entry: Option<EntryKind>,
    /// The text is a test: it declares cases for a test runner outside of any inner test module.
    pub is_test: bool,
    /// Something was left out: the file was read line by line because it is too long or cannot be
    /// parsed in time, or it has more symbols or imports than an outline holds.
    pub truncated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    pub kind: SymbolKind,
    /// The first line is 1.
    pub line: u32,
    pub end_line: u32,
    /// The type, trait or module that it is declared in.
    pub parent: Option<String>,
    /// Whether other files may use it, as far as the language lets this one say.
    pub exported: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SymbolKind {
    Function,
    Method,
    Class,
    Struct,
    Enum,
    Trait,
    Interface,
    Module,
    Constant,
    Type,
    Macro,
}

impl SymbolKind {
    pub const ALL: [Self; 11] = [
        Self::Function,
        Self::Method,
        Self::Class,
        Self::Struct,
        Self::Enum,
        Self::Trait,
        Self::Interface,
        Self::Module,
        Self::Constant,
        Self::Type,
        Self::Macro,
    ];

    /// The name it is stored and shown under.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Function => "function",
            Self::Method => "method",
            Self::Class => "class",
            Self::Struct => "struct",
            Self::Enum => "enum",
            Self::Trait => "trait",
            Self::Interface => "interface",
            Self::Module => "module",
            Self::Constant => "constant",
            Self::Type => "type",
            Self::Macro => "macro",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Import {
    /// As it is written, without quotes, spaces and aliases, one name to a path: `crate::a::b`,
    /// `./util`, `package.module.name`, `<stdio.h>`.
    pub path: String,
    /// The first line is 1.
    pub line: u32,
    pub kind: ImportKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportKind {
    /// Counts from the importing file or its crate, so it means something in the repository.
    Relative,
    /// A package or a namespace, of the repository or not.
    Absolute,
    /// What comes with the language.
    System,
}

impl ImportKind {
    /// The name it is stored and shown under.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Absolute => "absolute",
            Self::System => "system",
        }
    }
}

/// How a program starts in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryKind {
    /// The function that the language begins at.
    Main,
    /// The file is run: it asks whether it is the program, or its first line names an interpreter.
    Script,
    /// A server begins to listen.
    Server,
}

impl EntryKind {
    /// The name it is stored and shown under.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Script => "script",
            Self::Server => "server",
        }
    }
}
