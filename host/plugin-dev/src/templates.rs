//! New plugins: a whole project for a role, a name and a language. The project builds, passes its own tests and can be
//! installed unchanged; SDK and WIT are included.
//!
//! Does no I/O: [`stamp`] returns paths and bytes, the caller writes them.

mod files;
mod name;

use acreta_types::Role;

pub use name::InvalidName;

/// The languages of the templates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    Rust,
    Js,
    Python,
}

impl Language {
    pub const ALL: [Language; 3] = [Language::Rust, Language::Js, Language::Python];

    /// Returns the name as an option spells it.
    pub fn name(self) -> &'static str {
        match self {
            Language::Rust => "rust",
            Language::Js => "js",
            Language::Python => "python",
        }
    }

    /// Finds the language with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.name() == name)
    }

    /// Returns the commands that build the component, to be typed in the project's folder.
    pub fn build_command(self) -> &'static str {
        match self {
            Language::Rust => "acreta plugin build .",
            Language::Js => "npm install && acreta plugin build .",
            Language::Python => {
                "python3 -m venv .venv && .venv/bin/pip install -r requirements.txt && acreta plugin build ."
            }
        }
    }
}

impl std::fmt::Display for Language {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(self.name())
    }
}

/// One file of a new project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StampedFile {
    /// Relative to the project's folder, with `/` as separator.
    pub path: String,
    pub bytes: Vec<u8>,
}

/// Generates the files of a new plugin, sorted by path. The component it builds is `<name>.wasm`.
pub fn stamp(role: Role, name: &str, language: Language) -> Result<Vec<StampedFile>, InvalidName> {
    name::check(name)?;
    let mut stamped: Vec<StampedFile> = files::sources(role, language)
        .into_iter()
        .map(|source| match source.kind {
            files::TemplateKind::Template => StampedFile {
                path: name::fill(&source.path, name, role),
                bytes: filled(source.bytes, name, role),
            },
            files::TemplateKind::Verbatim => StampedFile {
                path: source.path,
                bytes: source.bytes.to_vec(),
            },
        })
        .collect();
    stamped.sort_by(|left, right| left.path.cmp(&right.path));
    Ok(stamped)
}

/// Fills in the placeholders of a template; leaves binary files unchanged.
fn filled(bytes: &[u8], name: &str, role: Role) -> Vec<u8> {
    match std::str::from_utf8(bytes) {
        Ok(text) => name::fill(text, name, role).into_bytes(),
        Err(_) => bytes.to_vec(),
    }
}
