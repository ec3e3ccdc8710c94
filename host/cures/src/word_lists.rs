//! The word lists of this crate, from `word_lists.txt`, which says what each is for.

use std::collections::HashMap;
use std::sync::LazyLock;

static LISTS: LazyLock<HashMap<&str, Vec<&str>>> = LazyLock::new(|| {
    let mut lists: HashMap<&str, Vec<&str>> = HashMap::new();
    let mut name = "";
    let lines = include_str!("word_lists.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line
            .strip_prefix('[')
            .and_then(|line| line.strip_suffix(']'))
        {
            Some(section) => name = section,
            None => lists.entry(name).or_default().push(line.trim_matches('"')),
        }
    }
    lists
});

/// Returns the list of this name, which is in the file.
pub(crate) fn word_list(name: &str) -> &'static [&'static str] {
    &LISTS[name]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_list_that_is_asked_for_has_words() {
        let sources = [
            include_str!("calls.rs"),
            include_str!("change.rs"),
            include_str!("commands.rs"),
            include_str!("elsewhere.rs"),
            include_str!("outcome.rs"),
            include_str!("safety.rs"),
            include_str!("wording.rs"),
        ];
        let mut asked: Vec<&str> = sources
            .iter()
            .flat_map(|source| source.split("word_list(\"").skip(1))
            .map(|rest| rest.split('"').next().unwrap())
            .collect();
        asked.sort_unstable();
        asked.dedup();
        let mut known: Vec<&str> = LISTS.keys().copied().collect();
        known.sort_unstable();
        assert_eq!(asked, known);
        assert!(
            word_list("never").contains(&"rm") && word_list("verdicts").contains(&"error: script ")
        );
    }
}
