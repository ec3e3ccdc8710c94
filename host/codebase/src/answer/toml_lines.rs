//! A minimal line-based TOML reader for manifests: sections and simple pairs. Ignores everything else; never fails.

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum TomlLine<'a> {
    /// `[a.b]` or `[[a.b]]`.
    Section(&'a str),
    /// A key and its value without quotes.
    Pair(&'a str, String),
}

pub(crate) fn lines(text: &str) -> impl Iterator<Item = TomlLine<'_>> {
    text.lines().filter_map(|line| {
        let line = line.trim();
        if let Some(rest) = line.strip_prefix('[') {
            let name = rest.trim_start_matches('[');
            return Some(TomlLine::Section(name.split(']').next()?.trim()));
        }
        let (key, value) = line.split_once('=')?;
        let value = value.trim();
        let value = match value.chars().next() {
            Some(quote @ ('"' | '\'')) => value[1..].split(quote).next()?,
            _ => value.split('#').next()?.trim(),
        };
        let key = key.trim().trim_matches(['"', '\'']);
        (!key.is_empty() && !key.starts_with('#')).then(|| TomlLine::Pair(key, value.to_owned()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_and_pairs_are_read() {
        let text = "[package]\nname = \"a\" # note\n[[bin]]\npath='b.rs'\n# c = 1\nedition.workspace = true\nbroken";
        let pair = |key, value: &str| TomlLine::Pair(key, value.to_owned());
        let read: Vec<TomlLine<'_>> = lines(text).collect();
        assert_eq!(
            read,
            [
                TomlLine::Section("package"),
                pair("name", "a"),
                TomlLine::Section("bin"),
                pair("path", "b.rs"),
                pair("edition.workspace", "true"),
            ]
        );
    }
}
