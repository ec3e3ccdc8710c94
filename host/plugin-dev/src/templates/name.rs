//! Names of plugins: validation, and their spellings in the files of a project.
//!
//! A template is a working plugin called `example-plugin`. The name has three spellings; each is replaced by the same
//! spelling of the new name.

use acreta_types::Role;

/// Reason why a text is not a valid name of a new plugin.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum InvalidName {
    #[error("`{}` is not a valid plugin name: it has {length} characters", shown(.name))]
    Length { name: String, length: usize },
    #[error("`{}` is not a valid plugin name: it contains `{}`", shown(.name), .character.escape_default())]
    Character { name: String, character: char },
    #[error("`{}` is not a valid plugin name: it does not start with a letter", shown(.name))]
    Start { name: String },
    #[error("`{}` is not a valid plugin name: a hyphen must be between two words", shown(.name))]
    Hyphens { name: String },
    #[error("`{name}` means something else already")]
    Reserved { name: String },
}

impl InvalidName {
    /// Advises how to fix it.
    pub fn hint(&self) -> String {
        let suggested = match self {
            InvalidName::Reserved { name } => format!("{name}-plugin"),
            InvalidName::Length { name, .. }
            | InvalidName::Character { name, .. }
            | InvalidName::Start { name }
            | InvalidName::Hyphens { name } => suggestion(name),
        };
        format!(
            "use 2 to 64 small letters, digits and single hyphens, a letter first, such as \
             `{suggested}`"
        )
    }
}

/// Maximum length of a name.
const LONGEST: usize = 64;

/// Names with a meaning to a compiler, a package registry or a file system.
const RESERVED: &[&str] = &[
    "abstract",
    "acreta",
    "acreta-sdk",
    "all",
    "alloc",
    "as",
    "async",
    "auto",
    "aux",
    "await",
    "become",
    "box",
    "break",
    "built-in",
    "builtin",
    "con",
    "const",
    "continue",
    "core",
    "crate",
    "default",
    "do",
    "dyn",
    "else",
    "enum",
    "example-plugin",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "global",
    "host",
    "if",
    "impl",
    "import",
    "in",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "node-modules",
    "none",
    "nul",
    "override",
    "person",
    "priv",
    "prn",
    "proc-macro",
    "project",
    "pub",
    "ref",
    "return",
    "self",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "union",
    "unsafe",
    "unsized",
    "use",
    "vendor",
    "virtual",
    "where",
    "while",
    "yield",
];

pub(crate) fn check(name: &str) -> Result<(), InvalidName> {
    let owned = || name.to_owned();
    let is_plain = |character: char| matches!(character, 'a'..='z' | '0'..='9' | '-');
    if let Some(character) = name.chars().find(|character| !is_plain(*character)) {
        let name = owned();
        return Err(InvalidName::Character { name, character });
    }
    if !(2..=LONGEST).contains(&name.len()) {
        let (name, length) = (owned(), name.len());
        return Err(InvalidName::Length { name, length });
    }
    if name.starts_with('-') || name.ends_with('-') || name.contains("--") {
        return Err(InvalidName::Hyphens { name: owned() });
    }
    if !name.starts_with(|first: char| first.is_ascii_lowercase()) {
        return Err(InvalidName::Start { name: owned() });
    }
    if acreta_fs::is_device_name(name) || RESERVED.contains(&name) {
        return Err(InvalidName::Reserved { name: owned() });
    }
    Ok(())
}

/// Fills the plugin's name and role into a template.
pub(crate) fn fill(text: &str, name: &str, role: Role) -> String {
    // The role first: a name may contain the placeholder of the role.
    text.replace("example-role", role.name())
        .replace("example-plugin", name)
        .replace("example_plugin", &name.replace('-', "_"))
        .replace("ExamplePlugin", &capitalised(name))
}

/// `my-agent` → `MyAgent`. A hyphen before a digit is dropped: `agent-2` → `Agent2`.
fn capitalised(name: &str) -> String {
    name.split('-')
        .flat_map(|word| {
            let mut letters = word.chars();
            let first = letters.next().map(|letter| letter.to_ascii_uppercase());
            first.into_iter().chain(letters)
        })
        .collect()
}

/// Suggests the nearest valid name.
fn suggestion(name: &str) -> String {
    let lower = name.to_ascii_lowercase();
    let words: Vec<&str> = lower
        .split(|letter: char| !letter.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty())
        .collect();
    let mut suggested = words.join("-");
    let starts_well = suggested.starts_with(|first: char| first.is_ascii_lowercase());
    if !starts_well && !suggested.is_empty() {
        suggested.insert_str(0, "my-");
    }
    suggested.truncate(LONGEST);
    let suggested = suggested.trim_end_matches('-');
    match check(suggested) {
        Ok(()) => suggested.to_owned(),
        Err(_) => "my-agent".to_owned(),
    }
}

/// Escapes a name from outside for a message.
fn shown(name: &str) -> String {
    let escaped = name.chars().take(LONGEST).flat_map(char::escape_debug);
    escaped.collect()
}
