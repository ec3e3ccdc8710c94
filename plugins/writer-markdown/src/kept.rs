//! A person's additions to a file's front matter: keys that are not ours and comments, line by line and unchanged, so
//! that an update never loses them.

/// The front matter of a file, split into entries. Empty if there is none.
#[derive(Debug, Default)]
pub(crate) struct Current<'text> {
    entries: Vec<FrontMatterEntry<'text>>,
}

#[derive(Debug)]
struct FrontMatterEntry<'text> {
    /// `None` for a comment.
    key: Option<&'text str>,
    lines: Vec<&'text str>,
}

impl<'text> Current<'text> {
    pub(crate) fn parse(text: &'text str) -> Self {
        let mut current = Self::default();
        let mut lines = text.trim_start_matches('\u{feff}').lines();
        if lines.next().map(str::trim_end) != Some("---") {
            return current;
        }
        for line in lines {
            if line.trim_end() == "---" {
                return current;
            }
            let key = key(line);
            if key.is_some() || line.starts_with('#') {
                let lines = vec![line];
                current.entries.push(FrontMatterEntry { key, lines });
            } else if let Some(entry) = current.entries.last_mut() {
                entry.lines.push(line);
            }
        }
        Self::default()
    }

    /// Returns the value of a key on one line, as written.
    pub(crate) fn value(&self, key: &str) -> Option<&'text str> {
        let entry = self.entries.iter().find(|entry| entry.key == Some(key))?;
        let line = entry.lines.first()?;
        let value = line.split_once(':')?.1.trim();
        Some(value).filter(|value| !value.is_empty() && entry.lines.len() == 1)
    }

    /// Returns every line that belongs to none of `ours`.
    pub(crate) fn foreign_lines(&self, ours: &[&str]) -> String {
        self.entries
            .iter()
            .filter(|entry| entry.key.is_none_or(|key| !ours.contains(&key)))
            .flat_map(|entry| &entry.lines)
            .flat_map(|line| [*line, "\n"])
            .collect()
    }
}

/// Returns the key that a line starts with; `None` for a continuation, an item or a comment.
fn key(line: &str) -> Option<&str> {
    if line.starts_with([' ', '\t', '#', '[', ']', '{', '}']) || line.starts_with("- ") {
        return None;
    }
    let (key, rest) = match line.chars().next()? {
        quote @ ('"' | '\'') => line[1..].split_once(quote)?,
        _ => line.split_at_checked(line.find(':')?)?,
    };
    let value = rest.trim_start().strip_prefix(':')?;
    (value.is_empty() || value.starts_with([' ', '\t'])).then(|| key.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(front_matter: &str, expected: &str) {
        let text = format!("---\n{front_matter}---\n\nbody\nowner: not front matter\n");
        let kept = Current::parse(&text).foreign_lines(&["id", "title", "tags"]);
        assert_eq!(kept, expected, "{front_matter}");
    }

    #[test]
    fn keys_of_a_person_are_kept_as_they_stand() {
        check(
            "id: 1\nowner: Ada # for now\ntitle: t\n",
            "owner: Ada # for now\n",
        );
        check(
            "owner:   'Ada'\n\"my key\": 1\n",
            "owner:   'Ada'\n\"my key\": 1\n",
        );
        check(
            "id: 1\nnested:\n  title: inner\n\n  more: 2\ntitle: t\n",
            "nested:\n  title: inner\n\n  more: 2\n",
        );
        check(
            "reviewers:\n- Ada\n- Bob\ntags:\n- a\n- b\n",
            "reviewers:\n- Ada\n- Bob\n",
        );
        check(
            "note: |\n  id: not a key\n  text\n",
            "note: |\n  id: not a key\n  text\n",
        );
        check(
            "url: http://example.org/a:b\n",
            "url: http://example.org/a:b\n",
        );
    }

    #[test]
    fn our_own_keys_are_not_kept_twice() {
        check("id: 1\n'title': t\n\"tags\" : [a]\ntitle:\n  folded\n", "");
    }

    #[test]
    fn remarks_are_kept() {
        check(
            "# reviewed by Ada\nid: 1\n# till here\n",
            "# reviewed by Ada\n# till here\n",
        );
    }

    #[test]
    fn a_text_without_front_matter_has_nothing_to_keep() {
        for text in [
            "",
            "owner: Ada\n",
            "---\nowner: Ada\nnever closed\n",
            "text\n---\nowner: Ada\n---\n",
        ] {
            assert_eq!(Current::parse(text).foreign_lines(&[]), "", "{text:?}");
        }
    }

    #[test]
    fn windows_line_ends_do_not_matter() {
        let current = Current::parse("\u{feff}---\r\nowner: Ada\r\nid: 1\r\n---\r\n");
        assert_eq!(current.foreign_lines(&["id"]), "owner: Ada\n");
    }

    #[test]
    fn a_value_on_one_line_is_found() {
        let current = Current::parse("---\nsource: \"claude/1\"\nnote:\n  long\n---\n");
        assert_eq!(current.value("source"), Some("\"claude/1\""));
        assert_eq!(current.value("note"), None);
        assert_eq!(current.value("missing"), None);
    }
}
