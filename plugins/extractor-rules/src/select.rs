//! From drafts to candidates: repetitions fold into the latest wording, weak ones fall, and a session
//! gives at most [`MOST_CANDIDATES`]. Ids come from the place of the evidence, so they stay as a
//! session grows.

use acreta_sdk::extractor::{Candidate, Evidence};

use crate::draft::{Category, Draft, Source};
use crate::names::tags;

/// The drafts that are good enough to be remembered.
pub(crate) fn candidates(drafts: Vec<Draft>) -> Vec<Candidate> {
    let mut drafts = drafts;
    drafts.retain(|draft| draft.score >= THRESHOLD);
    drafts.sort_by(|left, right| {
        right
            .score
            .total_cmp(&left.score)
            .then((left.order, left.place).cmp(&(right.order, right.place)))
    });
    let mut kept: Vec<Draft> = Vec::new();
    for draft in drafts {
        let of_source = kept
            .iter()
            .filter(|other| other.source == draft.source)
            .count();
        let limit = match draft.source {
            Source::Person => MOST_CANDIDATES,
            Source::Brief => 3,
            Source::Agent => MOST_CLAIMS,
            Source::Command => 3,
        };
        match kept.iter().position(|other| other.overlap(&draft) >= SAME) {
            Some(at) => {
                // The person's own words beat the agent's, later words beat earlier ones.
                let other = &kept[at];
                if draft.source == other.source
                    && draft.order > other.order
                    && draft.score + 0.08 >= other.score
                {
                    kept[at] = draft;
                }
            }
            None if of_source < limit && kept.len() < MOST_CANDIDATES => kept.push(draft),
            None => {}
        }
    }
    kept.sort_by_key(|draft| (draft.order, draft.place));
    kept.into_iter().map(candidate).collect()
}

fn candidate(draft: Draft) -> Candidate {
    let (category, kind) = match draft.category {
        Category::Decision => ("decision", ""),
        Category::Learning(kind) => ("learning", kind),
    };
    let mut evidence: Vec<Evidence> = Vec::new();
    for one in draft.evidence {
        if !evidence
            .iter()
            .any(|known| known.event_id == one.event_id && known.quote == one.quote)
        {
            evidence.push(one);
        }
    }
    evidence.truncate(4);
    let first = evidence.first().map_or("", |one| one.event_id.as_str());
    Candidate {
        id: format!("{first}#{}", draft.place),
        category: category.to_owned(),
        kind: kind.to_owned(),
        tags: tags(&format!("{}. {}", draft.title, draft.body)),
        title: draft.title,
        body: draft.body,
        confidence: (draft.score * 100.0).round() / 100.0,
        evidence,
        attrs: Vec::new(),
    }
}

const THRESHOLD: f32 = 0.55;
const SAME: f64 = 0.5;
/// How many memories one session may propose.
const MOST_CANDIDATES: usize = 12;
const MOST_CLAIMS: usize = 4;
