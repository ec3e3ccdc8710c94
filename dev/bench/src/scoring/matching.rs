//! Matches a text with a label: every group of key terms has at least one member in it. Case, emphasis marks, dashes
//! and runs of whitespace do not count.

use unicode_normalization::UnicodeNormalization;

/// Normalises a text for comparison.
pub(crate) fn normal(text: &str) -> String {
    let text: String = text.nfkc().collect::<String>().to_lowercase();
    let mut normal = String::with_capacity(text.len());
    let mut is_gap = false;
    for character in text.chars() {
        let character = match character {
            '’' | '‘' => '\'',
            '“' | '”' => '"',
            '`' | '*' => continue,
            character => character,
        };
        if character.is_whitespace() || "-_‐‑–—".contains(character) || is_separator(character)
        {
            is_gap = true;
            continue;
        }
        if std::mem::take(&mut is_gap) {
            normal.push(' ');
        }
        normal.push(character);
    }
    if is_gap {
        normal.push(' ');
    }
    normal
}

/// Information separators count as whitespace, as in the reference scorer.
fn is_separator(character: char) -> bool {
    ('\u{1c}'..='\u{1f}').contains(&character)
}

/// Reports whether each group has a member in `text`, which is already normalised.
pub(crate) fn has_all(groups: &[Vec<String>], text: &str) -> bool {
    !groups.is_empty() && groups.iter().all(|group| has_any(group, text))
}

pub(crate) fn has_any(members: &[String], text: &str) -> bool {
    members.iter().any(|member| text.contains(&normal(member)))
}

/// Computes the assignment of candidates to items with maximum weight, one item per candidate. `edges[item]` are the
/// candidates that fit it; the result has the item of each candidate.
pub(crate) fn assign(
    weights: &[u64],
    edges: &[Vec<usize>],
    candidates: usize,
) -> Vec<Option<usize>> {
    let mut owners = vec![None; candidates];
    let mut order: Vec<usize> = (0..weights.len()).collect();
    order.sort_by_key(|item| std::cmp::Reverse(weights[*item]));
    for item in order {
        augment(item, edges, &mut owners, &mut vec![false; candidates]);
    }
    owners
}

fn augment(
    item: usize,
    edges: &[Vec<usize>],
    owners: &mut [Option<usize>],
    seen: &mut [bool],
) -> bool {
    for &candidate in &edges[item] {
        if std::mem::replace(&mut seen[candidate], true) {
            continue;
        }
        let is_free = match owners[candidate] {
            None => true,
            Some(owner) => augment(owner, edges, owners, seen),
        };
        if is_free {
            owners[candidate] = Some(item);
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_count_is_gone() {
        let table = [
            ("`cargo`  **test**", "cargo test"),
            ("re-run_it – now", "re run it now"),
            ("It’s “so”", "it's \"so\""),
            ("ﬁle", "file"),
            (" a ", " a "),
        ];
        for (text, expected) in table {
            let spaced = normal(text);
            assert_eq!(spaced.trim(), expected.trim(), "{text}");
        }
        assert_eq!(normal(" a "), " a ");
    }

    #[test]
    fn an_item_gives_way_to_a_heavier_one() {
        // The light item fits both candidates, the heavy one only the first.
        let owners = assign(&[1, 3], &[vec![0, 1], vec![0]], 2);
        assert_eq!(owners, [Some(1), Some(0)]);
        let owners = assign(&[1, 3], &[vec![0], vec![0]], 1);
        assert_eq!(owners, [Some(1)]);
    }
}
