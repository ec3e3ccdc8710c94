//! Impact of a change: files that import a changed file, directly or transitively, according to the graph before the
//! change. Changed files themselves are not included.

use std::collections::BTreeSet;

use crate::Detail;
use crate::answer::request::entries;
use crate::answer::response::{Changed, Dependent, Dependents};
use crate::artifact::format::{Artifact, ArtifactSection};
use crate::artifact::graph::decode_pairs;

/// Returns the files that import `changed`, cut to the detail level; `None` if there are none.
pub(crate) fn dependents(
    artifact: &mut Artifact,
    changed: &[Changed],
    detail: Detail,
) -> Option<Dependents> {
    let tables = artifact.tables();
    let origins: BTreeSet<u32> = changed
        .iter()
        .flat_map(|file| [Some(file.path.as_str()), file.from.as_deref()])
        .flatten()
        .filter_map(|path| tables.find(path))
        .collect();
    if origins.is_empty() {
        return None;
    }
    let edges = decode_pairs(&artifact.section(ArtifactSection::Edges).ok()?);
    let tables = artifact.tables();
    let files = tables.file_count() as usize;
    let distances = distances(&edges, &origins, files);
    let at = |distance: u32| move |(_, found): &(u32, u32)| *found == distance;
    let mut found: Vec<(u32, u32)> = (0..)
        .zip(distances.iter().copied())
        .filter(|(_, distance)| (1..u32::MAX).contains(distance))
        .collect();
    let direct = found.iter().filter(|found| at(1)(found)).count() as u64;
    if found.is_empty() {
        return None;
    }
    let indirect = found.len() as u64 - direct;
    if detail == Detail::Compact {
        found.retain(at(1));
    }
    found.sort_by_key(|(index, distance)| (*distance, *index));
    found.truncate(entries(detail));
    let files = found.into_iter().map(|(index, distance)| Dependent {
        path: tables.path(index),
        distance: (detail != Detail::Compact).then_some(distance),
        imports: match detail {
            Detail::Verbose => imported(&edges, index)
                .filter(|to| distances[*to as usize] < distance)
                .map(|to| tables.path(to))
                .collect(),
            _ => Vec::new(),
        },
    });
    Some(Dependents {
        direct,
        indirect,
        files: files.collect(),
    })
}

/// Returns the number of imports from each file to the nearest origin; `u32::MAX` if it reaches none.
fn distances(edges: &[(u32, u32)], origins: &BTreeSet<u32>, files: usize) -> Vec<u32> {
    let mut distances = vec![u32::MAX; files];
    for origin in origins {
        distances[*origin as usize] = 0;
    }
    let mut frontier: Vec<u32> = origins.iter().copied().collect();
    // Importers grouped by imported file: those of `file` are at `ends[file]..ends[file + 1]`.
    let mut ends = vec![0usize; files + 1];
    let is_known = |(from, to): &&(u32, u32)| (*from.max(to) as usize) < files;
    for (_, to) in edges.iter().filter(is_known) {
        ends[*to as usize + 1] += 1;
    }
    for file in 0..files {
        ends[file + 1] += ends[file];
    }
    let mut importers = vec![0u32; ends[files]];
    let mut next = ends.clone();
    for (from, to) in edges.iter().filter(is_known) {
        importers[next[*to as usize]] = *from;
        next[*to as usize] += 1;
    }
    let mut distance = 0;
    while !frontier.is_empty() {
        distance += 1;
        let mut reached = Vec::new();
        for file in frontier {
            let file = file as usize;
            for importer in &importers[ends[file]..ends[file + 1]] {
                let known = &mut distances[*importer as usize];
                if *known == u32::MAX {
                    *known = distance;
                    reached.push(*importer);
                }
            }
        }
        frontier = reached;
    }
    distances
}

/// Returns the files that `from` imports. Edges are sorted by the importing file.
fn imported(edges: &[(u32, u32)], from: u32) -> impl Iterator<Item = u32> {
    let start = edges.partition_point(|edge| edge.0 < from);
    edges[start..]
        .iter()
        .take_while(move |edge| edge.0 == from)
        .map(|edge| edge.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_imports_and_end_in_circles() {
        // 1 → 0, 2 → 1, 3 → 2, 1 → 3 (a circle), 4 → 5 (elsewhere), 6 → 0 and 6 → 2.
        let edges = [(1, 0), (1, 3), (2, 1), (3, 2), (4, 5), (6, 0), (6, 2)];
        let far = u32::MAX;
        let table: [(&[u32], [u32; 7]); 3] = [
            (&[0], [0, 1, 2, 3, far, far, 1]),
            (&[5], [far, far, far, far, 1, 0, far]),
            (&[0, 2], [0, 1, 0, 1, far, far, 1]),
        ];
        for (origins, expected) in table {
            let origins = origins.iter().copied().collect();
            assert_eq!(distances(&edges, &origins, 7), expected, "{origins:?}");
        }
        // File numbers of a damaged graph that the project does not have are ignored.
        assert_eq!(distances(&[(9, 0)], &[0].into(), 2), [0, far]);
    }
}
