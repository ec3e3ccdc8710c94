//! Parses the text of a task into words, identifiers, paths and modules. Tracebacks, code and prose all count; literal
//! file names count most.

use std::collections::BTreeMap;

use crate::rank::stop_words::is_stop_word;
use crate::rank::terms;

/// A parsed task.
#[derive(Debug, Clone, Default)]
pub(crate) struct TaskQuery {
    /// Hashed words with weights.
    pub(crate) words: Vec<(u32, f64)>,
    /// Identifiers with weights; these may occur in paths and names.
    pub(crate) identifiers: BTreeMap<String, f64>,
    /// Words of the first line only.
    pub(crate) title: Vec<(u32, f64)>,
    /// Words of everything that is not code.
    pub(crate) prose: Vec<(u32, f64)>,
    /// Paths as written, without the part before the repository, with weights: in a traceback the last is the most
    /// relevant.
    pub(crate) paths: BTreeMap<String, f64>,
    /// Dotted names such as `a.b.c`, with weights.
    pub(crate) modules: BTreeMap<String, f64>,
}

/// Factor for words of the first line.
const TITLE: f64 = 2.5;
/// Factor for words of code and tracebacks.
const CODE: f64 = 0.6;
/// Minimum weight of a path when several are named.
const EARLIEST: f64 = 0.5;
/// Maximum total weight of a word.
const MOST_COUNTED: f64 = 4.0;

impl TaskQuery {
    pub(crate) fn new(text: &str) -> Self {
        let mut query = Self::default();
        let mut weights: BTreeMap<u32, f64> = BTreeMap::new();
        let mut prose_weights: BTreeMap<u32, f64> = BTreeMap::new();
        let (title, body) = text.trim_start().split_once('\n').unwrap_or((text, ""));
        let (prose, code) = parted(body);
        let parts = [(title, TITLE), (prose.as_str(), 1.0), (code.as_str(), CODE)];
        for (number, (part, weight)) in parts.into_iter().enumerate() {
            terms::words(part.as_bytes(), |word| {
                if is_stop_word(word) {
                    return;
                }
                let word = terms::hash(word);
                let add = |weights: &mut BTreeMap<u32, f64>| {
                    let total = weights.entry(word).or_default();
                    *total = (*total + weight).min(MOST_COUNTED);
                };
                add(&mut weights);
                if number < 2 {
                    add(&mut prose_weights);
                }
            });
            query.name(part, weight);
            if number == 0 {
                let title = weights.keys().map(|word| (*word, 1.0));
                query.title = title.collect();
            }
        }
        query.words = weights.into_iter().collect();
        query.prose = prose_weights.into_iter().collect();
        let most = query.paths.values().copied().fold(1.0, f64::max);
        for weight in query.paths.values_mut() {
            *weight = EARLIEST + (1.0 - EARLIEST) * *weight / most;
        }
        query
    }

    /// Collects identifiers, paths and modules from a part of the text.
    fn name(&mut self, text: &str, weight: f64) {
        let is_part = |character: char| {
            character.is_alphanumeric() || matches!(character, '_' | '.' | '/' | '-' | '\\')
        };
        for token in text.split(|character: char| !is_part(character)) {
            let token = token.trim_matches(['.', '-', '\\']);
            if token.len() < 2 {
                continue;
            }
            let is_path = token.contains('/') || has_source_ending(token);
            if is_path {
                let path = token.replace('\\', "/");
                let path = path.rsplit("site-packages/").next().unwrap_or(&path);
                let path = path.trim_start_matches("./").trim_matches('/');
                let place = self.paths.len() as f64 + 1.0;
                self.paths.insert(path.to_owned(), place);
            }
            if token.contains('.') && !token.contains('/') {
                let total = self.modules.entry(token.to_owned()).or_default();
                *total = (*total + weight).min(3.0);
            }
            for identifier in token.split(['.', '/', '-', '\\']) {
                if identifier.len() > 2
                    && !identifier.starts_with(|first: char| first.is_ascii_digit())
                    && !is_stop_word(identifier.to_ascii_lowercase().as_bytes())
                {
                    let total = self.identifiers.entry(identifier.to_owned()).or_default();
                    *total = (*total + weight).min(4.0);
                }
            }
        }
    }
}

/// Separates prose from code. Code is fenced, indented, at a prompt, or in a traceback.
fn parted(text: &str) -> (String, String) {
    let (mut prose, mut code) = (String::new(), String::new());
    let mut is_fenced = false;
    for line in text.lines() {
        let start = line.trim_start();
        if start.starts_with("```") || start.starts_with("~~~") {
            is_fenced = !is_fenced;
            continue;
        }
        let is_code = is_fenced
            || line.starts_with("    ")
            || line.starts_with('\t')
            || start.starts_with(">>>")
            || start.starts_with("In [")
            || start.starts_with("File \"");
        let part = if is_code { &mut code } else { &mut prose };
        part.push_str(line);
        part.push('\n');
    }
    (prose, code)
}

/// Reports whether a token ends like a source file.
fn has_source_ending(token: &str) -> bool {
    let Some((stem, ending)) = token.rsplit_once('.') else {
        return false;
    };
    !stem.is_empty() && ending.len() <= 4 && acreta_symbols::language_of(token).is_some()
}

/// Reports whether an identifier looks like code rather than a word of prose.
pub(crate) fn looks_like_code(identifier: &str) -> bool {
    identifier.trim_matches('_').contains('_')
        || identifier
            .char_indices()
            .any(|(at, character)| at > 0 && character.is_uppercase())
            && identifier.chars().any(char::is_lowercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_names_paths_modules_and_identifiers() {
        let query = TaskQuery::new(
            "Crash in shop.cart.Basket\nFile \"/usr/lib/site-packages/shop/cart.py\", line 3, in add_item\n  see ./web/app.ts and HttpClient().",
        );
        let paths: Vec<&str> = query.paths.keys().map(String::as_str).collect();
        assert_eq!(paths, ["shop/cart.py", "web/app.ts"]);
        assert!(query.modules.contains_key("shop.cart.Basket"));
        for identifier in ["Basket", "add_item", "HttpClient"] {
            assert!(query.identifiers.contains_key(identifier), "{identifier}");
        }
        assert!(!query.identifiers.contains_key("and"));
    }

    #[test]
    fn code_is_told_from_prose() {
        for (word, expected) in [
            ("add_item", true),
            ("HttpClient", true),
            ("basket", false),
            ("Basket", false),
            ("__init__", false),
            ("HTTP", false),
        ] {
            assert_eq!(looks_like_code(word), expected, "{word}");
        }
    }
}
