//! Converts between the model's types and the generated ones, without changing values.

use acreta_types::{Attrs, Candidate, Evidence, Session, Summary};

use crate::bindings::shared::acreta::types::types as wit;

pub(super) fn session_to_wit(session: &Session) -> wit::Session {
    wit::Session {
        id: session.id.clone(),
        agent: session.agent.clone(),
        path: session.path.clone(),
        project_dir: session.project_dir.clone(),
        parent: session.parent.clone(),
        started_ms: session.started_ms,
        updated_ms: session.updated_ms,
        revision: session.revision.clone(),
        attrs: session.attrs.0.clone(),
    }
}

pub(super) fn session_to_model(session: wit::Session) -> Session {
    Session {
        id: session.id,
        agent: session.agent,
        path: session.path,
        project_dir: session.project_dir,
        parent: session.parent,
        started_ms: session.started_ms,
        updated_ms: session.updated_ms,
        revision: session.revision,
        attrs: Attrs(session.attrs),
    }
}

pub(super) fn candidate_to_wit(candidate: &Candidate) -> wit::Candidate {
    wit::Candidate {
        id: candidate.id.clone(),
        category: candidate.category.clone(),
        kind: candidate.kind.clone(),
        title: candidate.title.clone(),
        body: candidate.body.clone(),
        confidence: candidate.confidence,
        tags: candidate.tags.clone(),
        evidence: evidence_to_wit(&candidate.evidence),
        attrs: candidate.attrs.0.clone(),
    }
}

pub(super) fn candidate_to_model(candidate: wit::Candidate) -> Candidate {
    Candidate {
        id: candidate.id,
        category: candidate.category,
        kind: candidate.kind,
        title: candidate.title,
        body: candidate.body,
        confidence: candidate.confidence,
        tags: candidate.tags,
        evidence: evidence_to_model(candidate.evidence),
        attrs: Attrs(candidate.attrs),
    }
}

pub(super) fn summary_to_wit(summary: &Summary) -> wit::Summary {
    wit::Summary {
        title: summary.title.clone(),
        description: summary.description.clone(),
        body: summary.body.clone(),
        tags: summary.tags.clone(),
        evidence: evidence_to_wit(&summary.evidence),
        attrs: summary.attrs.0.clone(),
    }
}

pub(super) fn summary_to_model(summary: wit::Summary) -> Summary {
    Summary {
        title: summary.title,
        description: summary.description,
        body: summary.body,
        tags: summary.tags,
        evidence: evidence_to_model(summary.evidence),
        attrs: Attrs(summary.attrs),
    }
}

fn evidence_to_wit(evidence: &[Evidence]) -> Vec<wit::Evidence> {
    evidence
        .iter()
        .map(|evidence| wit::Evidence {
            event_id: evidence.event_id.clone(),
            quote: evidence.quote.clone(),
        })
        .collect()
}

fn evidence_to_model(evidence: Vec<wit::Evidence>) -> Vec<Evidence> {
    evidence
        .into_iter()
        .map(|evidence| Evidence {
            event_id: evidence.event_id,
            quote: evidence.quote,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts and numbers that guests have no reason to send.
    const TEXTS: [&str; 6] = ["", "a", "\0", "\u{202e}\u{feff}", "../..", "\u{10ffff}\r\n"];
    const NUMBERS: [Option<u64>; 4] = [None, Some(0), Some(1), Some(u64::MAX)];
    const CONFIDENCES: [f32; 5] = [0.0, -0.0, f32::MIN, f32::INFINITY, 0.73];

    #[test]
    fn values_cross_the_boundary_unchanged() {
        for seed in 0..3000_usize {
            // Another text for each field, and after a while every pair of them.
            let mut state = seed;
            let mut pick = |count: usize| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                (state >> 33) % count
            };
            let mut text = || TEXTS[pick(TEXTS.len())].to_owned();
            let [id, agent, path] = [text(), text(), text()];
            let [kind, title, body] = [text(), text(), text()];
            let attrs = Attrs(vec![(text(), text()), (text(), text())]);
            let tags = vec![text(), text()];
            let evidence = vec![Evidence {
                event_id: text(),
                quote: text(),
            }];
            let optional = [text(), text()].map(|text| (!text.is_empty()).then_some(text));
            let [project_dir, parent] = optional;
            let session = Session {
                id: id.clone(),
                agent,
                path,
                project_dir,
                parent,
                started_ms: NUMBERS[seed % NUMBERS.len()],
                updated_ms: NUMBERS[seed / 4 % NUMBERS.len()],
                revision: kind.clone(),
                attrs: attrs.clone(),
            };
            assert_eq!(session_to_model(session_to_wit(&session)), session);
            let candidate = Candidate {
                id,
                category: kind.clone(),
                kind,
                title: title.clone(),
                body: body.clone(),
                confidence: CONFIDENCES[seed % CONFIDENCES.len()],
                tags: tags.clone(),
                evidence: evidence.clone(),
                attrs: attrs.clone(),
            };
            assert_eq!(candidate_to_model(candidate_to_wit(&candidate)), candidate);
            let summary = Summary {
                title: title.clone(),
                description: body.clone(),
                body,
                tags,
                evidence,
                attrs,
            };
            assert_eq!(summary_to_model(summary_to_wit(&summary)), summary);
        }
    }
}
