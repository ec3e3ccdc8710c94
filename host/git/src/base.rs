//! The default branch, and the newest commit that it shares with `HEAD`. Bounded: a merge base too far back is not
//! found.

use std::collections::{BTreeSet, HashMap, HashSet};

use gix_hash::ObjectId;
use gix_object::commit::ref_iter::Token;

use crate::objects::Objects;
use crate::{GitRepository, refs};

/// The default branch, as far as it is known locally.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefaultBranch {
    pub name: &'static str,
    /// Its newest commit.
    pub tip: String,
}

/// Refs that may be the default branch, most reliable first. Full names: each is looked up once.
const REFS: [&str; 7] = [
    "refs/remotes/origin/HEAD",
    "refs/remotes/origin/main",
    "refs/remotes/origin/master",
    "refs/heads/main",
    "refs/heads/master",
    "refs/heads/trunk",
    "refs/heads/develop",
];

impl GitRepository {
    /// Returns the default branch; `None` if no ref has a usual name.
    pub fn default_branch(&self) -> Option<DefaultBranch> {
        let refs = self.refs();
        REFS.into_iter().find_map(|full| {
            let tip = refs.follow(full)?.to_hex().to_string();
            let name = full
                .trim_start_matches("refs/remotes/")
                .trim_start_matches("refs/heads/");
            Some(DefaultBranch { name, tip })
        })
    }

    /// Returns the newest common ancestor; `None` if it is not among the `most` newest commits of the two.
    pub fn merge_base(&self, left: &str, right: &str, most: usize) -> Option<String> {
        let objects = self.objects();
        let shallow: HashSet<ObjectId> = refs::shallow(self.common_folder()).into_iter().collect();
        let ids = [self.object_id(left).ok()?, self.object_id(right).ok()?];
        let base = shared(&objects, &shallow, ids, most)?;
        Some(base.to_hex().to_string())
    }
}

/// Walks both histories by date, newest first, until all that is left are ancestors of a commit reached from both. Dates
/// may be equal or wrong, so a shared commit counts only if no other shared commit descends from it: of several, the walk
/// goes on until that is known.
fn shared(
    objects: &Objects,
    shallow: &HashSet<ObjectId>,
    ids: [ObjectId; 2],
    most: usize,
) -> Option<ObjectId> {
    const BOTH: u8 = 0b011;
    const BELOW_SHARED: u8 = 0b100;
    let mut marks: HashMap<ObjectId, u8> = HashMap::new();
    let mut waiting: BTreeSet<(i64, ObjectId)> = BTreeSet::new();
    for (side, id) in [0b01, 0b10].into_iter().zip(ids) {
        *marks.entry(id).or_default() |= side;
        waiting.insert((read(objects, &id)?.0, id));
    }
    let mut bases = Vec::new();
    let mut seen = 0;
    while bases.len() > 1 || waiting.iter().any(|(_, id)| marks[id] & BELOW_SHARED == 0) {
        let Some((date, id)) = waiting.pop_last() else {
            break;
        };
        let mut mark = marks[&id];
        if mark == BOTH {
            bases.push((date, id));
            mark |= BELOW_SHARED;
        }
        seen += 1;
        if seen > most {
            break;
        }
        if shallow.contains(&id) {
            continue;
        }
        for parent in read(objects, &id)?.1 {
            let known = marks.entry(parent).or_default();
            if *known & mark != mark {
                *known |= mark;
                waiting.insert((read(objects, &parent)?.0, parent));
            }
        }
    }
    bases.retain(|(_, id)| marks[id] & BELOW_SHARED == 0);
    bases.into_iter().max().map(|(_, id)| id)
}

/// Returns date and parents of a commit.
fn read(objects: &Objects, id: &ObjectId) -> Option<(i64, Vec<ObjectId>)> {
    let read = objects.commit(id, |commit| {
        let mut parents = Vec::new();
        for token in commit {
            match token.ok()? {
                Token::Parent { id } => parents.push(id),
                Token::Committer { signature } => {
                    // An unreadable date counts as the oldest, as in git.
                    let time = signature.time().map_or(0, |time| time.seconds);
                    return Some((time, parents));
                }
                _ => {}
            }
        }
        None
    });
    read.ok().flatten()
}
