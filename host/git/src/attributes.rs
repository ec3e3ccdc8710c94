//! Determines which files git would convert before comparing them: with a program (`filter`), by line endings (`text`,
//! `eol`, `crlf`, `core.autocrlf`), by `ident` or by `working-tree-encoding`. Nothing is converted here; callers only
//! learn that the bytes cannot be compared directly.

use std::collections::HashMap;

use camino::{Utf8Path, Utf8PathBuf};
use gix_attributes::StateRef;
use gix_attributes::parse::Kind;
use gix_glob::wildmatch;

use crate::config::Config;
use crate::limits::RULES_BYTES;
use crate::read;

/// Conversions that git would apply to a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Conversion {
    /// By a program, or to another encoding.
    is_opaque: bool,
    is_text: bool,
    is_ident: bool,
}

impl Conversion {
    /// Reports whether conversion may change these bytes.
    pub(crate) fn changes(self, bytes: &[u8]) -> bool {
        self.is_opaque
            || (self.is_text && bytes.contains(&b'\r'))
            || (self.is_ident && bytes.windows(3).any(|part| part == b"$Id"))
    }

    /// Reports whether the content cannot be derived from the bytes at all.
    pub(crate) fn is_opaque(self) -> bool {
        self.is_opaque
    }

    pub(crate) fn is_none(self) -> bool {
        self == Self::default()
    }
}

/// Attributes of a work tree, read on demand.
pub(crate) struct Attributes {
    work_tree: Utf8PathBuf,
    info: AttributeRules,
    folders: HashMap<String, AttributeRules>,
    macros: Vec<(String, Vec<AttributeValue>)>,
    converts_text: bool,
}

type AttributeRules = Option<Vec<AttributeRule>>;

struct AttributeRule {
    pattern: gix_glob::Pattern,
    assigned: Vec<AttributeValue>,
}

/// An attribute and its value: `true`, `false`, unset, or a word.
type AttributeValue = (String, Option<String>);

impl Attributes {
    pub(crate) fn open(work_tree: &Utf8Path, common: &Utf8Path, config: &Config) -> Self {
        let autocrlf = config.value("core", "autocrlf").unwrap_or("false");
        let mut attributes = Self {
            work_tree: work_tree.to_owned(),
            info: Some(Vec::new()),
            folders: HashMap::new(),
            macros: vec![(
                "binary".to_owned(),
                ["diff", "merge", "text"]
                    .map(|name| (name.to_owned(), Some("false".to_owned())))
                    .to_vec(),
            )],
            converts_text: !autocrlf.eq_ignore_ascii_case("false"),
        };
        attributes.info = attributes.rules(&common.join("info/attributes"), true);
        attributes
    }

    /// Returns the conversions that git would apply to the file at `path`.
    pub(crate) fn conversion(&mut self, path: &str) -> Conversion {
        let mut folders = vec![String::new()];
        for (end, _) in path.match_indices('/') {
            folders.push(path[..=end].to_owned());
        }
        for folder in &folders {
            if !self.folders.contains_key(folder) {
                let file = self.work_tree.join(format!("{folder}.gitattributes"));
                let rules = self.rules(&file, folder.is_empty());
                self.folders.insert(folder.clone(), rules);
            }
        }
        let mut values: HashMap<&str, Option<&str>> = HashMap::new();
        let lists = folders
            .iter()
            .map(|folder| (folder.as_str(), self.folders.get(folder)))
            .chain([("", Some(&self.info))]);
        for (folder, rules) in lists {
            let Some(Some(rules)) = rules else {
                // An unreadable file may contain any rule.
                return Conversion {
                    is_opaque: true,
                    ..Conversion::default()
                };
            };
            let below = path.strip_prefix(folder).unwrap_or(path);
            for rule in rules.iter().filter(|rule| rule.matches(below)) {
                for (name, value) in &rule.assigned {
                    if value.as_deref() == Some("true") {
                        for (name, value) in self.expansion(name) {
                            values.insert(name, value.as_deref());
                        }
                    }
                    values.insert(name, value.as_deref());
                }
            }
        }
        let value = |name: &str| values.get(name).copied().flatten();
        let is_on = |name: &str| !matches!(value(name), None | Some("false"));
        let text = value("text").or_else(|| value("crlf"));
        Conversion {
            is_opaque: is_on("filter") || is_on("working-tree-encoding"),
            is_text: match text {
                Some(value) => value != "false",
                None => is_on("eol") || self.converts_text,
            },
            is_ident: is_on("ident"),
        }
    }

    fn expansion(&self, name: &str) -> &[AttributeValue] {
        let found = self.macros.iter().rev().find(|(known, _)| known == name);
        found.map_or(&[], |(_, assigned)| assigned)
    }

    /// Reads the rules of a file; `None` if it cannot be read, no rules if it does not exist.
    fn rules(&mut self, path: &Utf8Path, may_define: bool) -> AttributeRules {
        match std::fs::symlink_metadata(path) {
            Ok(found) if found.is_file() => {}
            // Git does not follow a link here either.
            _ => return Some(Vec::new()),
        }
        let bytes = read::bytes(path, RULES_BYTES).ok()??;
        let mut rules = Vec::new();
        for (kind, assigned, _) in gix_attributes::parse(&bytes).flatten() {
            let assigned = assigned.flatten().map(|one| {
                let value = match one.state {
                    StateRef::Set => Some("true".to_owned()),
                    StateRef::Unset => Some("false".to_owned()),
                    StateRef::Value(value) => Some(value.as_bstr().to_string()),
                    StateRef::Unspecified => None,
                };
                (one.name.as_str().to_owned(), value)
            });
            match kind {
                Kind::Pattern(pattern) if !pattern.is_negative() => rules.push(AttributeRule {
                    pattern,
                    assigned: assigned.collect(),
                }),
                Kind::Pattern(_) => {}
                Kind::Macro(name) if may_define => {
                    let assigned = assigned.collect();
                    self.macros.push((name.as_str().to_owned(), assigned));
                }
                Kind::Macro(_) => {}
            }
        }
        Some(rules)
    }
}

impl AttributeRule {
    fn matches(&self, path: &str) -> bool {
        self.pattern.matches_repo_relative_path(
            path.into(),
            path.rfind('/').map(|at| at + 1),
            Some(false),
            gix_glob::pattern::Case::Sensitive,
            wildmatch::Mode::NO_MATCH_SLASH_LITERAL,
        )
    }
}
