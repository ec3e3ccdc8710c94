//! A parser for a repository's `config`: sections, keys and values. `include` is treated like any other section, so no
//! other file is read; a file above the limit has no settings.

use camino::Utf8Path;

use crate::limits::CONFIG_BYTES;
use crate::read;

#[derive(Debug, Default)]
pub(crate) struct Config {
    entries: Vec<ConfigEntry>,
}

#[derive(Debug)]
struct ConfigEntry {
    section: String,
    subsection: Option<String>,
    key: String,
    /// `None` for a key without `=`, which means true.
    value: Option<String>,
}

/// Returns the e-mail address in the user's own settings. Does not follow includes.
pub fn user_email(file: &Utf8Path) -> Option<String> {
    let config = Config::of_file(file);
    config.value("user", "email").map(ToOwned::to_owned)
}

/// Returns the folder of hooks in the user's own settings. Does not follow includes.
pub fn hooks_path(file: &Utf8Path) -> Option<String> {
    let config = Config::of_file(file);
    config.value("core", "hookspath").map(ToOwned::to_owned)
}

impl Config {
    pub(crate) fn read(common: &Utf8Path) -> Self {
        Self::of_file(&common.join("config"))
    }

    /// Reads a config file outside of a repository, such as the user's own.
    pub(crate) fn of_file(file: &Utf8Path) -> Self {
        let bytes = read::bytes(file, CONFIG_BYTES);
        let bytes = bytes.ok().flatten().unwrap_or_default();
        Self::parse(&String::from_utf8_lossy(&bytes))
    }

    fn parse(text: &str) -> Self {
        let mut entries = Vec::new();
        let mut section = String::new();
        let mut subsection = None;
        let mut lines = text.lines();
        while let Some(line) = lines.next() {
            let mut line = line.trim().to_owned();
            if let Some(rest) = line.strip_prefix('[') {
                let (header, after) = header(rest);
                (section, subsection) = header;
                line = after.trim().to_owned();
            }
            // A backslash at the end continues the value on the next line.
            while line.ends_with('\\') && !line.ends_with("\\\\") {
                line.pop();
                line.push_str(lines.next().unwrap_or_default());
            }
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            let (key, value) = match line.split_once('=') {
                Some((key, value)) => (key, Some(plain(value))),
                None => (line.as_str(), None),
            };
            entries.push(ConfigEntry {
                section: section.clone(),
                subsection: subsection.clone(),
                key: key.trim().to_ascii_lowercase(),
                value,
            });
        }
        Self { entries }
    }

    /// Returns the last value of a key in a section without a subsection.
    pub(crate) fn value(&self, section: &str, key: &str) -> Option<&str> {
        let found = self.entries.iter().rev().find(|entry| {
            entry.section == section && entry.subsection.is_none() && entry.key == key
        })?;
        Some(found.value.as_deref().unwrap_or("true"))
    }

    pub(crate) fn boolean(&self, section: &str, key: &str, default: bool) -> bool {
        match self.value(section, key).map(str::to_ascii_lowercase) {
            Some(value) => !matches!(value.as_str(), "false" | "no" | "off" | "0" | ""),
            None => default,
        }
    }

    /// Returns the URL of `origin`, or of the first remote if there is no `origin`.
    pub(crate) fn remote_url(&self) -> Option<&str> {
        let mut urls = self.entries.iter().filter_map(|entry| {
            let name = entry.subsection.as_deref()?;
            let url = entry.value.as_deref()?;
            (entry.section == "remote" && entry.key == "url").then_some((name, url))
        });
        let (name, first) = urls.next()?;
        if name == "origin" {
            return Some(first);
        }
        let origin = urls.find(|(name, _)| *name == "origin");
        Some(origin.map_or(first, |(_, url)| url))
    }
}

/// Parses a header after the `[`; returns section and subsection, and the text after the `]`.
fn header(text: &str) -> ((String, Option<String>), &str) {
    let mut quoted = false;
    let mut escaped = false;
    let end = text.find(|character| {
        let is_end = character == ']' && !quoted;
        match character {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            _ => {}
        }
        is_end
    });
    let (inside, after) = match end {
        Some(end) => (&text[..end], &text[end + 1..]),
        None => return ((String::new(), None), ""),
    };
    let (section, name) = match inside.split_once(char::is_whitespace) {
        Some((section, name)) => (section, Some(name.trim())),
        // The older form: `[remote.origin]`.
        None => match inside.split_once('.') {
            Some((section, name)) => (section, Some(name)),
            None => (inside, None),
        },
    };
    let name = name.map(|name| {
        let name = name.strip_prefix('"').unwrap_or(name);
        unescaped(name.strip_suffix('"').unwrap_or(name))
    });
    ((section.to_ascii_lowercase(), name), after)
}

fn unescaped(text: &str) -> String {
    let mut plain = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => plain.extend(characters.next()),
            _ => plain.push(character),
        }
    }
    plain
}

/// Returns a value without quotes and trailing comment.
fn plain(value: &str) -> String {
    let mut plain = String::new();
    let mut quoted = false;
    // Trailing spaces count only inside quotes.
    let mut kept = 0;
    let mut characters = value.trim().chars();
    while let Some(character) = characters.next() {
        match character {
            '"' => quoted = !quoted,
            '\\' => plain.extend(characters.next().map(|escaped| match escaped {
                'n' => '\n',
                't' => '\t',
                other => other,
            })),
            '#' | ';' if !quoted => break,
            _ => plain.push(character),
        }
        if quoted || !character.is_whitespace() {
            kept = plain.len();
        }
    }
    plain.truncate(kept);
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_remote_is_origin_or_the_first() {
        let cases = [
            ("", None),
            (
                "[core]\n\turl = no\n[remote \"origin\"]\n\tfetch = x\n",
                None,
            ),
            (
                "[remote \"origin\"]\n\turl = https://a/b\n",
                Some("https://a/b"),
            ),
            (
                "[remote \"up\"]\n\turl = https://u/p\n[remote \"origin\"]\n\turl = https://a/b\n",
                Some("https://a/b"),
            ),
            (
                "[remote \"up\"]\n\turl = https://u/p\n[remote \"down\"]\n\turl = https://d/n\n",
                Some("https://u/p"),
            ),
            (
                "[remote \"origin\"]\n\tpushurl = https://p/u\n\turl = https://a/b\n\turl = https://c/d\n",
                Some("https://a/b"),
            ),
            (
                "[Remote \"origin\"] URL=\"https://a/b#c\" ; why\n",
                Some("https://a/b#c"),
            ),
            (
                "[remote \"origin\"]\n; url = https://no/no\n url = a:b # c\n",
                Some("a:b"),
            ),
            (
                "[remote \"origin\"]\n\turl = \"C:\\\\git\\\\app\"\n",
                Some(r"C:\git\app"),
            ),
            ("[remote]\n\turl = https://a/b\n", None),
            (
                "[remote \"Origin\"]\r\n\turl = https://a/b\r\n",
                Some("https://a/b"),
            ),
            (
                "[remote \"origin\n\turl = x\n[remote \"b\"]\nurl = https://b/b",
                Some("https://b/b"),
            ),
            ("[remote \"origin\"]\nurl\n= x\n", None),
            ("", None),
            (
                "[remote \"origin\"]\n\turl = https://host/a\n",
                Some("https://host/a"),
            ),
            (
                "[remote \"other\"]\nurl=https://host/b\n[remote \"origin\"] url = https://host/a",
                Some("https://host/a"),
            ),
            (
                "[remote \"up\"]\n url = \"https://host/b\" ; why\n",
                Some("https://host/b"),
            ),
            ("[Remote \"a]b\"]\n URL = x#y\n", Some("x")),
            ("[remote.origin]\nurl = a\\\n b\n", Some("a b")),
            ("[branch \"main\"]\nremote = origin\n", None),
            ("[remote \"origin\"]\nurl\n", None),
        ];
        for (config, expected) in cases {
            assert_eq!(Config::parse(config).remote_url(), expected, "{config}");
        }
    }

    #[test]
    fn booleans_are_gits() {
        let config = Config::parse("[core]\nfileMode = false\nbare\n[core \"x\"]\nsymlinks=true\n");
        assert!(!config.boolean("core", "filemode", true));
        assert!(config.boolean("core", "bare", false));
        assert!(!config.boolean("core", "symlinks", false));
    }
}
