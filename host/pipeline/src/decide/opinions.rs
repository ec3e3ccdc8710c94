//! Explorers' opinions on how candidates relate to memories. An opinion is about one candidate and one current memory;
//! if explorers disagree there is none. It decides which texts are compared as one; who may replace whose words, and
//! when, is decided elsewhere.

use std::collections::{BTreeMap, BTreeSet};

use acreta_compare::Relation;
use acreta_store::{SHORT_ID, Snapshot, telling_part};
use acreta_types::Finding;

use crate::attribution::instructs;
use crate::decide::accepted::{AcceptedCandidate, replaced};
use crate::decide::taken_back::TakenBackNote;

/// The attribute of a finding with the relation of the candidate to the matched memory.
const RELATION: &str = "relation";

/// Opinions by candidate and memory id.
#[derive(Debug, Default)]
pub(crate) struct Opinions {
    relations: BTreeMap<(String, String), Option<Relation>>,
    /// Replacements that only a person makes.
    doubtful: BTreeSet<(String, String)>,
}

impl Opinions {
    /// Collects the relations from findings about `explored` memory. A finding about a file that is not an active
    /// memory or has another text `now`, or with an unknown relation, is ignored.
    pub(crate) fn of(findings: &[Finding], explored: &Snapshot, now: &Snapshot) -> Self {
        let texts: BTreeMap<&str, &str> = now
            .iter()
            .map(|memory| (memory.path.as_str(), memory.digest.as_str()))
            .collect();
        let by_path: BTreeMap<&str, &str> = explored
            .iter()
            .filter(|memory| !memory.is_archived())
            .filter(|memory| texts.get(memory.path.as_str()) == Some(&memory.digest.as_str()))
            .map(|memory| (memory.path.as_str(), memory.id.as_str()))
            .collect();
        let mut opinions: BTreeMap<(String, String), Option<Relation>> = BTreeMap::new();
        for finding in findings {
            let memory = finding.matched_file.as_deref();
            let Some(memory) = memory.and_then(|path| by_path.get(path)) else {
                continue;
            };
            let Some(relation) = finding.attrs.get(RELATION).and_then(Relation::from_name) else {
                continue;
            };
            opinions
                .entry((finding.candidate_id.clone(), (*memory).to_owned()))
                .and_modify(|known| *known = known.filter(|known| *known == relation))
                .or_insert(Some(relation));
        }
        Self {
            relations: opinions,
            doubtful: BTreeSet::new(),
        }
    }

    /// Takes up what a note says it replaces, if the note is the person's proven word. An agent may be talked into naming
    /// any memory, by any sentence of the person: "why do you always ask me before you deploy" has all words of the rule and
    /// takes nothing back. So the person is asked, and until then both are told.
    pub(crate) fn replace(&mut self, kept: &AcceptedCandidate, snapshot: &Snapshot) {
        let Some(id) = replaced(&kept.candidate).filter(|id| id.len() >= SHORT_ID) else {
            return;
        };
        if kept.untrusted || !instructs(&kept.candidate) {
            return;
        }
        let mut meant = snapshot.iter().filter(|memory| {
            !memory.is_archived() && (memory.id == id || telling_part(&memory.id).starts_with(id))
        });
        let (Some(memory), None) = (meant.next(), meant.next()) else {
            return;
        };
        let pair = (kept.candidate.id.clone(), memory.id.clone());
        self.doubtful.insert(pair.clone());
        self.relations.insert(pair, Some(Relation::Contradiction));
    }

    /// Takes up that the person took a note back of which an earlier reading of the session made a memory.
    pub(crate) fn take_back(&mut self, note: &TakenBackNote, snapshot: &Snapshot) {
        if let Some(memory) = note.memory(snapshot) {
            let pair = (note.by.clone(), memory.id.clone());
            self.relations.insert(pair, Some(Relation::Contradiction));
        }
    }

    /// Reports whether only a person may replace this memory by the candidate.
    pub(crate) fn is_doubtful(&self, candidate: &str, memory: &str) -> bool {
        let pair = (candidate.to_owned(), memory.to_owned());
        self.doubtful.contains(&pair)
    }

    /// Returns the opinion on a candidate and a memory, if there is one.
    pub(crate) fn on(&self, candidate: &str, memory: &str) -> Option<Relation> {
        let pair = (candidate.to_owned(), memory.to_owned());
        self.relations.get(&pair).copied().flatten()
    }

    /// Reports whether an opinion relates any candidate to a memory.
    pub(crate) fn touch(&self, memory: &str) -> bool {
        self.relations.iter().any(|((_, id), relation)| {
            let speaks = |relation: &Relation| !matches!(relation, Relation::Unrelated);
            id == memory && relation.as_ref().is_some_and(speaks)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use acreta_store::Memory;
    use acreta_types::{Attrs, MemoryType};

    use super::*;

    fn finding(candidate: &str, path: &str, relation: &str) -> Finding {
        Finding {
            candidate_id: candidate.to_owned(),
            action_hint: "add".to_owned(),
            matched_file: Some(path.to_owned()),
            overlap: 0.5,
            evidence: String::new(),
            attrs: Attrs(vec![("relation".to_owned(), relation.to_owned())]),
        }
    }

    #[test]
    fn an_opinion_is_one_that_no_explorer_disputes() {
        let with_text = |text: &str| {
            let path = "decisions/a.md".into();
            let memory = Memory::parse(MemoryType::Decision, path, text.to_owned());
            Snapshot {
                memories: vec![Arc::new(memory.unwrap())],
                ..Snapshot::default()
            }
        };
        let snapshot = with_text("---\nid: m1\ntitle: A\n---\nA\n");
        let changed = with_text("---\nid: m1\ntitle: A\n---\nB\n");
        let table = [
            (vec![("c", "decisions/a.md", "same")], Some(Relation::Same)),
            (
                vec![
                    ("c", "decisions/a.md", "same"),
                    ("c", "decisions/a.md", "same"),
                ],
                Some(Relation::Same),
            ),
            (
                vec![
                    ("c", "decisions/a.md", "same"),
                    ("c", "decisions/a.md", "unrelated"),
                    ("c", "decisions/a.md", "same"),
                ],
                None,
            ),
            (vec![("c", "decisions/a.md", "identical")], None),
            (vec![("c", "decisions/b.md", "same")], None),
            (vec![("d", "decisions/a.md", "same")], None),
        ];
        for (said, expected) in table {
            let findings: Vec<_> = said.iter().map(|(c, p, r)| finding(c, p, r)).collect();
            let opinions = Opinions::of(&findings, &snapshot, &snapshot);
            assert_eq!(opinions.on("c", "m1"), expected, "{said:?}");
            let opinions = Opinions::of(&findings, &snapshot, &changed);
            assert_eq!(opinions.on("c", "m1"), None, "{said:?}");
        }
    }
}
