//! The outline of one file: declarations, imports and entry point.

/// Outline of one file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outline {
    /// In file order, without locals of function bodies.
    pub symbols: Vec<Symbol>,
    /// In file order, each path once, with the line of its first occurrence.
    pub imports: Vec<Import>,
    /// Kind of entry point in this file, if there is one.
    pub entry: Option<EntryPointKind>,
    /// The file is a test: it declares test cases outside of any inner test module.
    pub is_test: bool,
    /// Incomplete: the file was read line by line because it is too long or cannot be parsed in time, or it has more
    /// symbols or imports than an outline holds.
    pub truncated: bool,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Symbol {
    pub name: String,
    pub kind: SymbolKind,
    /// 1-based.
    pub line: u32,
    pub end_line: u32,
    /// The type, trait or module that declares it.
    pub parent: Option<String>,
    /// Visible to other files, as far as the language makes this known.
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

    /// Returns the name used in storage and output.
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
    /// As written, without quotes, spaces and aliases, one name per path: `crate::a::b`, `./util`,
    /// `package.module.name`, `<stdio.h>`.
    pub path: String,
    /// 1-based.
    pub line: u32,
    pub kind: ImportKind,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ImportKind {
    /// Relative to the importing file or its crate, so it refers to the repository.
    Relative,
    /// A package or a namespace, inside or outside of the repository.
    Absolute,
    /// Part of the language's standard library.
    System,
}

impl ImportKind {
    /// Returns the name used in storage and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Relative => "relative",
            Self::Absolute => "absolute",
            Self::System => "system",
        }
    }
}

/// Kind of entry point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EntryPointKind {
    /// The main function of the language.
    Main,
    /// The file is executed: it checks whether it is the main program, or has a shebang line.
    Script,
    /// It starts a server.
    Server,
}

impl EntryPointKind {
    /// Returns the name used in storage and output.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Script => "script",
            Self::Server => "server",
        }
    }
}
