//! The explorer `explorer-llm`: asks a model how each candidate relates to its nearest memories, and returns the
//! answers as findings with the attribute `relation`. If no model is available, or its reply is unusable, the findings
//! are those of `explorer-overlap`, without a relation.

mod pairs;
mod reply;
mod request;
#[cfg(test)]
mod tests;

use std::path::Path;

use acreta_sdk::explorer::{Attrs, Candidate, Explorer, Failure, Finding, Host};
use acreta_text::jaccard;

use pairs::{Pair, pairs};
pub use reply::{Relation, relations};
pub use request::{AT_ONCE, Note, request};

/// The explorer.
pub struct Related;

acreta_sdk::explorer!(Related);

impl Explorer for Related {
    fn explore(batch: &[Candidate], host: &impl Host) -> Result<Vec<Finding>, Failure> {
        explore(Path::new("/memory"), batch, host)
    }
}

/// Returns one finding for each judged pair; the others are compared by words.
fn explore(root: &Path, batch: &[Candidate], host: &impl Host) -> Result<Vec<Finding>, Failure> {
    let pairs = pairs(root, batch, host)?;
    let judged = judged(&pairs, host);
    let mut findings = Vec::new();
    for (number, candidate) in batch.iter().enumerate() {
        let own = pairs.iter().zip(&judged);
        let own: Vec<Finding> = own
            .filter(|(pair, _)| pair.candidate == number)
            .filter_map(|(pair, relation)| Some(finding(candidate, pair, (*relation)?)))
            .collect();
        if own.is_empty() {
            let one = std::slice::from_ref(candidate);
            findings.extend(explorer_overlap::Overlap::within(root, one, host)?);
        }
        findings.extend(own);
    }
    Ok(findings)
}

/// Returns the model's answer for each pair, in order; `None` if it gave none.
fn judged(pairs: &[Pair], host: &impl Host) -> Vec<Option<Relation>> {
    let chunks = pairs.chunks(AT_ONCE);
    let calls = usize::try_from(host.left().calls_left).unwrap_or(usize::MAX);
    let requests: Vec<_> = chunks
        .take(calls)
        .map(|chunk| request(chunk.iter().map(|pair| (&pair.known, &pair.new))))
        .collect();
    let mut judged = Vec::new();
    for (reply, chunk) in host
        .complete_all(&requests)
        .into_iter()
        .zip(pairs.chunks(AT_ONCE))
    {
        let answers = match reply {
            Ok(reply) => relations(&reply.content, chunk.len()),
            Err(failure) => Err(format!("{}: {}", failure.code, failure.message)),
        };
        judged.extend(answers.unwrap_or_else(|problem| {
            host.log(
                "warn",
                &format!("{} pairs were not judged: {problem}", chunk.len()),
            );
            vec![None; chunk.len()]
        }));
    }
    judged.resize(pairs.len(), None);
    judged
}

fn finding(candidate: &Candidate, pair: &Pair, relation: Relation) -> Finding {
    let attrs: Attrs = vec![
        ("relation".to_owned(), relation.name().to_owned()),
        ("memory_id".to_owned(), pair.memory_id.clone()),
    ];
    Finding {
        candidate_id: candidate.id.clone(),
        action_hint: relation.action_hint().to_owned(),
        matched_file: Some(pair.path.clone()),
        overlap: jaccard(&pair.new.words(), &pair.known.words()) as f32,
        evidence: pair.evidence.clone(),
        attrs,
    }
}
