//! The paths that a Rust file mentions: imports, re-exports, and inline paths. Comments, strings and `#[cfg(test)]`
//! modules are skipped.

/// One path as written.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub(crate) struct Mention {
    /// The parts of `crate::a::B`.
    pub(crate) path: Vec<String>,
    /// The name that an import gives it in its module; `None` for a path that is only used.
    pub(crate) known_as: Option<String>,
    /// The inline modules around it.
    pub(crate) inside: Vec<String>,
}

/// Everything read from one file.
#[derive(Debug, Default)]
pub(crate) struct Mentions {
    pub(crate) all: Vec<Mention>,
    /// Modules in separate files that only tests use.
    pub(crate) test_modules: Vec<String>,
}

impl Mentions {
    pub(crate) fn of(text: &str) -> Self {
        let tokens = tokens(text);
        let mut found = Self::default();
        let mut inside: Vec<(String, usize)> = Vec::new();
        let mut depth = 0;
        let mut at = 0;
        while at < tokens.len() {
            let rest = &tokens[at..];
            if let Some(length) = found.test_module(rest) {
                at += length;
                continue;
            }
            let next = |number: usize| rest.get(number).map_or("", String::as_str);
            let before = at.checked_sub(1).map_or("", |before| &tokens[before]);
            match next(0) {
                "mod" if next(2) == "{" => {
                    inside.push((next(1).to_owned(), depth));
                    at += 1;
                }
                "{" => depth += 1,
                "}" => {
                    depth = depth.saturating_sub(1);
                    inside.retain(|(_, opened)| *opened < depth);
                }
                // Not the captures of `impl Trait + use<'a>`.
                "use" if next(1) != "<" => {
                    let first = found.all.len();
                    at += 1;
                    found.tree(&tokens, &mut at, Vec::new());
                    for mention in &mut found.all[first..] {
                        mention.inside = inside.iter().map(|(name, _)| name.clone()).collect();
                    }
                    continue;
                }
                word if is_word(word) && next(1) == "::" && before != "::" => {
                    let mut path = vec![word.to_owned()];
                    while next(2 * path.len() - 1) == "::" && is_word(next(2 * path.len())) {
                        path.push(next(2 * path.len()).to_owned());
                    }
                    at += 2 * (path.len() - 1);
                    found.all.push(Mention {
                        path,
                        known_as: None,
                        inside: inside.iter().map(|(name, _)| name.clone()).collect(),
                    });
                }
                _ => {}
            }
            at += 1;
        }
        found
    }

    /// Returns the number of tokens of a test module that starts here.
    fn test_module(&mut self, tokens: &[String]) -> Option<usize> {
        const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];
        let is_test = tokens.len() > TEST.len() && tokens.iter().zip(TEST).all(|(it, is)| it == is);
        if !is_test {
            return None;
        }
        let is_at = |at: usize, token: &str| tokens.get(at).is_some_and(|it| it == token);
        let mut at = TEST.len();
        while is_at(at, "#") {
            at = closed(tokens, at + 1);
        }
        at += usize::from(is_at(at, "pub"));
        at = if is_at(at, "(") {
            closed(tokens, at)
        } else {
            at
        };
        if !is_at(at, "mod") {
            return None;
        }
        if is_at(at + 2, "{") {
            return Some(closed(tokens, at + 2));
        }
        self.test_modules.extend(tokens.get(at + 1).cloned());
        Some(at + 3)
    }

    /// Reads what follows `use`, up to its end or the end of its group.
    fn tree(&mut self, tokens: &[String], at: &mut usize, mut path: Vec<String>) {
        let mut known_as = None;
        while let Some(token) = tokens.get(*at) {
            *at += 1;
            match token.as_str() {
                "{" => {
                    while tokens.get(*at).is_some_and(|token| token != "}") {
                        self.tree(tokens, at, path.clone());
                        *at += usize::from(tokens.get(*at).is_some_and(|token| token == ","));
                    }
                    *at += 1;
                    // Only the end of the import follows a group.
                    path.clear();
                }
                "as" => known_as = tokens.get(*at).cloned(),
                "," | "}" | ";" => {
                    *at -= usize::from(token != ";");
                    break;
                }
                "::" => {}
                _ if known_as.is_some() => {}
                word => path.push(word.to_owned()),
            }
        }
        if path.last().is_some_and(|last| last == "self") && path.len() > 1 {
            path.pop();
        }
        if let Some(last) = path.last() {
            self.all.push(Mention {
                known_as: Some(known_as.unwrap_or_else(|| last.clone())),
                path,
                inside: Vec::new(),
            });
        }
    }
}

/// Returns the index after the closing bracket of the one at an index.
fn closed(tokens: &[String], open: usize) -> usize {
    let mut depth = 0_usize;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.as_str() {
            "{" | "(" | "[" => depth += 1,
            "}" | ")" | "]" => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    tokens.len()
}

fn is_word(token: &str) -> bool {
    token.starts_with(|first: char| first.is_alphabetic() || first == '_')
}

/// Splits a text into words, `::` and punctuation.
fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = passed_over(rest);
        if length > 0 {
            rest = &rest[length..];
            continue;
        }
        let is_part = |it: char| it.is_alphanumeric() || it == '_';
        let length = match first {
            _ if is_part(first) => rest.find(|it| !is_part(it)).unwrap_or(rest.len()),
            ':' if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        if !first.is_whitespace() {
            found.push(rest[..length].to_owned());
        }
        rest = &rest[length..];
    }
    found
}

/// Returns the length of the comment, string or character literal that starts here.
fn passed_over(rest: &str) -> usize {
    if rest.starts_with("//") {
        return rest.find('\n').unwrap_or(rest.len());
    }
    if rest.starts_with("/*") {
        return rest.find("*/").map_or(rest.len(), |end| end + 2);
    }
    let text = rest.trim_start_matches(['b', 'c']);
    let prefix = rest.len() - text.len();
    if let Some(raw) = text.strip_prefix('r') {
        let marks = raw.len() - raw.trim_start_matches('#').len();
        if let Some(content) = raw[marks..].strip_prefix('"') {
            let end = format!("\"{}", "#".repeat(marks));
            let length = content
                .find(&end)
                .map_or(content.len(), |at| at + end.len());
            return prefix + 1 + marks + 1 + length;
        }
    }
    let quote = match text.chars().next() {
        Some('"') => '"',
        // A lifetime has no closing quote.
        Some('\'') if text[1..].starts_with('\\') || text[1..].chars().nth(1) == Some('\'') => '\'',
        _ => return 0,
    };
    let mut is_escaped = false;
    for (at, sign) in text.char_indices().skip(1) {
        match sign {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            _ if sign == quote => return prefix + at + 1,
            _ => {}
        }
    }
    rest.len()
}
