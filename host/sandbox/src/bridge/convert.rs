//! Converts between the model's types and the generated ones, without changing values.

use acreta_model::{Attrs, Candidate, Evidence, Session, Summary};

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
