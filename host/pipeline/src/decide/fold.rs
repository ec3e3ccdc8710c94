//! Computes a memory from its contributions, one per session. The same contributions give the same text, in whatever
//! order the sessions were run.

use crate::decide::folded::FoldedMemory;
use acreta_store::Contribution;

use crate::decide::verdict::{adds_to, contradicts};
use crate::memory::ids::founder;
use acreta_compare::Statement;

/// Folds contributions in the order of their evidence. A later one replaces the text if it says something new; tags
/// are merged; the highest confidence counts. A text with higher trust replaces one with lower trust, never the other
/// way round. Returns `None` if there are no contributions.
pub(crate) fn fold(contributions: &[Contribution]) -> Option<FoldedMemory> {
    let mut ordered: Vec<&Contribution> = contributions.iter().collect();
    ordered.sort_by_key(|contribution| contribution.order());
    let mut folded: Option<FoldedMemory> = None;
    for contribution in ordered {
        match &mut folded {
            None => folded = Some(alone(contribution)),
            Some(folded) => take_in(folded, contribution),
        }
    }
    folded
}

/// Like [`fold`], for a memory with an id. Its creation time is that of its founding contribution; so is its text's
/// time, while the text is still the founder's, even if older evidence is added later. So its file changes only when
/// its text does.
pub(crate) fn fold_memory(id: &str, contributions: &[Contribution]) -> Option<FoldedMemory> {
    let mut folded = fold(contributions)?;
    if let Some(founder) = founder(id, contributions) {
        folded.created_ms = founder.created_ms;
        let said = alone(founder);
        if (&said.title, &said.body, &said.kind) == (&folded.title, &folded.body, &folded.kind) {
            folded.updated_ms = said.updated_ms;
            folded.source = said.source;
        }
    }
    Some(folded)
}

/// Sorts contributions in their on-disk order.
pub(crate) fn sort(contributions: &mut [Contribution]) {
    contributions.sort_by(|left, right| left.order().cmp(&right.order()));
}

pub(crate) fn statement(contribution: &Contribution) -> Statement {
    let candidate = &contribution.candidate;
    Statement::new(
        candidate.memory_type,
        &candidate.kind,
        &candidate.title,
        &candidate.body,
    )
}

fn alone(contribution: &Contribution) -> FoldedMemory {
    let candidate = &contribution.candidate;
    let mut tags = candidate.tags.clone();
    tags.sort();
    tags.dedup();
    FoldedMemory {
        memory_type: candidate.memory_type,
        kind: candidate.kind.clone(),
        title: candidate.title.clone(),
        body: candidate.body.clone(),
        confidence: candidate.confidence,
        tags,
        created_ms: contribution.created_ms,
        updated_ms: contribution.newest_ms,
        source: Some((contribution.agent.clone(), contribution.session_id.clone())),
        contradicted: Vec::new(),
        trust: contribution.trust(),
    }
}

fn take_in(folded: &mut FoldedMemory, contribution: &Contribution) {
    let next = alone(contribution);
    if next.trust < folded.trust {
        return;
    }
    if next.trust > folded.trust || adds_to(&next, folded) {
        if contradicts(&next, folded) && !folded.contradicted.contains(&folded.title) {
            folded.contradicted.push(folded.title.clone());
        }
        folded.kind = next.kind;
        folded.title = next.title;
        folded.body = next.body;
        folded.updated_ms = next.updated_ms;
        folded.source = next.source;
    }
    folded.tags.extend(next.tags);
    folded.tags.sort();
    folded.tags.dedup();
    folded.confidence = folded.confidence.max(next.confidence);
    folded.created_ms = folded.created_ms.min(next.created_ms);
    folded.trust = next.trust;
}

#[cfg(test)]
mod tests {
    use acreta_store::{ContributedCandidate, QuotedEvent};
    use proptest::prelude::*;

    use acreta_store::Trust;
    use acreta_types::MemoryType;

    use super::*;

    fn contribution(session: &str, at: u64, title: &str, role: &str) -> Contribution {
        Contribution {
            agent: "claude".to_owned(),
            session_id: session.to_owned(),
            run_id: "run".to_owned(),
            events: 1,
            last_ms: Some(at),
            newest_ms: at,
            created_ms: at,
            found_by: Vec::new(),
            reading: None,
            candidate: ContributedCandidate {
                memory_type: MemoryType::Learning,
                kind: "pitfall".to_owned(),
                title: title.to_owned(),
                body: String::new(),
                confidence: at as f32 / 100.0,
                tags: vec![session.to_owned()],
            },
            evidence: vec![QuotedEvent {
                event_id: "e".to_owned(),
                record: "r".to_owned(),
                start: 0,
                end: 1,
                role: role.to_owned(),
                at_ms: Some(at),
                quote: title.to_owned(),
            }],
        }
    }

    #[test]
    fn the_newest_that_says_something_new_is_the_text() {
        let first = contribution("a", 10, "Port 8080 is taken on the build machine", "user");
        let same = contribution("b", 20, "port 8080 is taken", "user");
        let more = contribution("c", 30, "Port 8080 is taken by the proxy", "assistant");
        let folded = fold(&[more, first.clone(), same.clone()]).unwrap();
        assert_eq!(folded.title, "Port 8080 is taken by the proxy");
        assert_eq!(folded.tags, ["a", "b", "c"]);
        assert_eq!((folded.created_ms, folded.updated_ms), (10, 30));
        assert_eq!(folded.trust, Trust::Grounded);
        let folded = fold(&[same, first]).unwrap();
        assert_eq!(folded.title, "Port 8080 is taken on the build machine");
        assert_eq!(fold(&[]), None);
    }

    #[test]
    fn a_text_is_as_trusted_as_whoever_said_it() {
        let tool = |at, title| contribution("t", at, title, "tool");
        let said = contribution("u", 20, "Port 8080 is taken", "user");
        let table = [
            (
                vec![tool(10, "Port 8080 is taken by the proxy")],
                Trust::Untrusted,
                "Port 8080 is taken by the proxy",
            ),
            (
                vec![tool(10, "Port 8080 is taken by the proxy"), said.clone()],
                Trust::Grounded,
                "Port 8080 is taken",
            ),
            (
                vec![said, tool(30, "Port 8080 is taken by evil.example")],
                Trust::Grounded,
                "Port 8080 is taken",
            ),
        ];
        for (contributions, trust, title) in table {
            let folded = fold(&contributions).unwrap();
            assert_eq!((folded.trust, folded.title.as_str()), (trust, title));
        }
    }

    proptest! {
        #[test]
        fn order_of_arrival_does_not_matter(
            said in proptest::collection::vec((0u64..6, 0..4usize, 0..3usize, 0..4usize), 1..7),
            seed in any::<u64>(),
        ) {
            let texts = ["use tabs", "use spaces", "never use tabs", "use tabs in makefiles"];
            let roles = ["user", "assistant", "tool"];
            // Sessions may say several things, at the same time as others.
            let contributions: Vec<_> = said
                .iter()
                .map(|(at, text, role, session)| {
                    contribution(&format!("s{session}"), *at, texts[*text], roles[*role])
                })
                .collect();
            let mut shuffled = contributions.clone();
            let length = shuffled.len();
            for index in 0..length {
                shuffled.swap(index, (seed.rotate_left(index as u32 * 7) % length as u64) as usize);
            }
            let mut sorted = shuffled.clone();
            sort(&mut sorted);
            prop_assert_eq!(fold(&contributions), fold(&shuffled));
            prop_assert_eq!(fold(&contributions), fold(&sorted));
            let id = crate::memory::ids::IdGenerator::new(0, 0, &acreta_store::Snapshot::default())
                .founded_by(&contributions[0]);
            prop_assert_eq!(fold_memory(&id, &contributions), fold_memory(&id, &shuffled));
        }
    }
}
