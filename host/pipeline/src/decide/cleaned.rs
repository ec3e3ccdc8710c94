//! Removes from what passed the gates whatever may not become memory: secrets, and words that only look like a chosen
//! one ([`Redactor::strict`]). Quotes are found in the trace first; what is stored of them passes here.

use acreta_redact::Redactor;
use acreta_text::bounds::TITLE;
use acreta_types::Candidate;

use crate::decide::accepted::{AcceptedCandidate, ResolvedCitation};

/// Maximum length of a cited event that is searched for secrets as a whole; longer ones are output of tools.
const EVENT_BYTES: usize = 32 * 1024;

/// Cleans a candidate and its quotes. A word that only the rest of a cited message shows to be a secret goes as well.
pub(crate) fn cleaned(mut accepted: AcceptedCandidate, strict: &Redactor) -> AcceptedCandidate {
    let secrets = secrets(&accepted.citations, strict);
    let candidate = &mut accepted.candidate;
    for text in [&mut candidate.title, &mut candidate.body] {
        remove(text, &secrets);
    }
    let evidence = candidate.evidence.iter_mut();
    evidence.for_each(|one| remove(&mut one.quote, &secrets));
    clean_candidate(candidate, strict);
    let citations = accepted.citations.into_iter();
    accepted.citations = citations
        .map(|mut cited| {
            remove(&mut cited.quote, &secrets);
            cleaned_citation(cited, strict)
        })
        .collect();
    accepted
}

/// Returns the secrets of the cited messages, each with the id of its rule.
fn secrets(citations: &[ResolvedCitation], strict: &Redactor) -> Vec<(String, &'static str)> {
    let events = citations.iter().map(|cited| &cited.event.text);
    let events = events.filter(|text| text.len() <= EVENT_BYTES);
    events
        .flat_map(|text| {
            let found = strict.find(text).into_iter();
            found.map(move |one| (text[one.range].to_owned(), one.rule))
        })
        .collect()
}

fn remove(text: &mut String, secrets: &[(String, &'static str)]) {
    for (secret, rule) in secrets {
        if text.contains(secret.as_str()) {
            *text = text.replace(secret.as_str(), &format!("[redacted:{rule}]"));
        }
    }
}

pub(crate) fn cleaned_citation(mut cited: ResolvedCitation, strict: &Redactor) -> ResolvedCitation {
    strict.clean(&mut cited.quote);
    cited
}

pub(crate) fn clean_candidate(candidate: &mut Candidate, strict: &Redactor) {
    strict.clean(&mut candidate.title);
    // A mark may be longer than the word that it replaces.
    candidate.title = characters(&candidate.title, TITLE).trim().to_owned();
    strict.clean(&mut candidate.body);
    candidate.tags.retain(|tag| strict.find(tag).is_empty());
    for evidence in &mut candidate.evidence {
        strict.clean(&mut evidence.quote);
    }
}

/// Returns the first characters of a text.
pub(crate) fn characters(text: &str, most: usize) -> &str {
    text.char_indices()
        .nth(most)
        .map_or(text, |(end, _)| &text[..end])
}
