//! Detects renames among removed and added files like `git diff -M`: equal content first, then similar files of the
//! same name, then files that are at least half the same.

use std::collections::HashMap;

use gix_hash::ObjectId;

use crate::similarity::{ChunkCounts, MOST};

/// Minimum similarity: half of a file.
const LEAST: u64 = MOST / 2;
/// Minimum similarity for files of the same name.
const LEAST_WITH_NAME: u64 = LEAST + (MOST - LEAST) / 2;
/// Maximum number of pairs to compare, as in git's `diff.renameLimit`.
const PAIRS: usize = 1000 * 1000;
/// Candidates per added file.
const CANDIDATES: usize = 4;

/// A removed or added file.
#[derive(Debug, Clone)]
pub(crate) struct RenameSide {
    pub(crate) path: String,
    /// `None` if it could not be hashed; then only contents are compared.
    pub(crate) id: Option<ObjectId>,
    /// Plain files are compared by content; links only by id.
    pub(crate) is_plain: bool,
}

/// Returns the source of each added file among the removed ones, if there is one.
pub(crate) fn find(
    removed: &[RenameSide],
    added: &[RenameSide],
    mut removed_bytes: impl FnMut(&RenameSide) -> Option<Vec<u8>>,
    mut added_bytes: impl FnMut(&RenameSide) -> Option<Vec<u8>>,
) -> Vec<Option<usize>> {
    let mut renames = vec![None; added.len()];
    let mut used = vec![false; removed.len()];
    exact(removed, added, &mut renames, &mut used);

    let open_removed = || (0..removed.len()).filter(|index| removed[*index].is_plain);
    let open_added = || (0..added.len()).filter(|index| added[*index].is_plain);
    let mut from_pieces: HashMap<usize, Option<ChunkCounts>> = HashMap::new();
    let mut to_pieces: HashMap<usize, Option<ChunkCounts>> = HashMap::new();
    let mut score = |from: usize, to: usize, least: u64| -> u64 {
        let from = from_pieces
            .entry(from)
            .or_insert_with(|| Some(ChunkCounts::of(&removed_bytes(&removed[from])?)));
        let to = to_pieces
            .entry(to)
            .or_insert_with(|| Some(ChunkCounts::of(&added_bytes(&added[to])?)));
        match (from, to) {
            (Some(from), Some(to)) => from.score(to, least),
            _ => 0,
        }
    };

    // Names that occur once on each side.
    let by_name = |sides: &[RenameSide], open: Vec<usize>| {
        let mut names: HashMap<String, Option<usize>> = HashMap::new();
        for index in open {
            names
                .entry(name(&sides[index].path).to_owned())
                .and_modify(|known| *known = None)
                .or_insert(Some(index));
        }
        names
    };
    let from_names = by_name(
        removed,
        open_removed().filter(|index| !used[*index]).collect(),
    );
    let to_names = by_name(
        added,
        open_added()
            .filter(|index| renames[*index].is_none())
            .collect(),
    );
    for from in 0..removed.len() {
        let name = name(&removed[from].path);
        let (Some(Some(only)), Some(Some(to))) = (from_names.get(name), to_names.get(name)) else {
            continue;
        };
        if *only == from && score(from, *to, LEAST) >= LEAST_WITH_NAME {
            renames[*to] = Some(from);
            used[from] = true;
        }
    }

    let left_removed: Vec<usize> = open_removed().filter(|index| !used[*index]).collect();
    let left_added: Vec<usize> = open_added()
        .filter(|index| renames[*index].is_none())
        .collect();
    if left_removed.len().saturating_mul(left_added.len()) > PAIRS {
        return renames;
    }
    let mut pairs: Vec<(u64, bool, usize, usize)> = Vec::new();
    for to in left_added {
        let mut best: Vec<(u64, bool, usize, usize)> = Vec::new();
        for from in &left_removed {
            let score = score(*from, to, LEAST);
            if score >= LEAST {
                let is_same_name = name(&removed[*from].path) == name(&added[to].path);
                best.push((score, is_same_name, *from, to));
            }
        }
        best.sort_by_key(|(score, is_same_name, ..)| std::cmp::Reverse((*score, *is_same_name)));
        best.truncate(CANDIDATES);
        pairs.extend(best);
    }
    pairs.sort_by_key(|(score, is_same_name, ..)| std::cmp::Reverse((*score, *is_same_name)));
    for (_, _, from, to) in pairs {
        if renames[to].is_none() && !used[from] {
            renames[to] = Some(from);
            used[from] = true;
        }
    }
    renames
}

/// Matches files with identical content; prefers the same name.
fn exact(
    removed: &[RenameSide],
    added: &[RenameSide],
    renames: &mut [Option<usize>],
    used: &mut [bool],
) {
    let mut by_id: HashMap<ObjectId, Vec<usize>> = HashMap::new();
    for (index, side) in removed.iter().enumerate() {
        if let Some(id) = side.id {
            by_id.entry(id).or_default().push(index);
        }
    }
    for (to, side) in added.iter().enumerate() {
        let Some(candidates) = side.id.and_then(|id| by_id.get(&id)) else {
            continue;
        };
        let open = || {
            candidates
                .iter()
                .copied()
                .filter(|from| !used[*from] && removed[*from].is_plain == side.is_plain)
        };
        let same_name = open().find(|from| name(&removed[*from].path) == name(&side.path));
        if let Some(from) = same_name.or_else(|| open().next()) {
            renames[to] = Some(from);
            used[from] = true;
        }
    }
}

fn name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
