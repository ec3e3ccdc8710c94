//! The component: feeds the host's trace to a [`Reading`], once for each exported function.

use acreta_sdk::extractor::{Candidate, Events, Extractor, Failure, Host, Session, Summary};

use crate::{Outcome, Reading, given_title};

struct Rules;

impl Extractor for Rules {
    fn extract(
        _session: &Session,
        events: &impl Events,
        host: &impl Host,
    ) -> Result<Vec<Candidate>, Failure> {
        let outcome = outcome(events, host)?;
        let mut candidates = outcome.candidates;
        candidates.extend(outcome.pending);
        // The host's table defines the allowed types.
        let known = host.memory_types();
        candidates.retain(|one| {
            let entry = known.iter().find(|entry| entry.name == one.category);
            entry.is_some_and(|entry| entry.kinds.is_empty() || entry.kinds.contains(&one.kind))
        });
        Ok(candidates)
    }

    fn summarise(
        session: &Session,
        events: &impl Events,
        host: &impl Host,
    ) -> Result<Summary, Failure> {
        let mut summary = outcome(events, host)?.summary;
        let given = session.attrs.iter().find(|(name, _)| name == "title");
        if let Some(title) = given.and_then(|(_, title)| given_title(title))
            && !summary.title.is_empty()
        {
            summary.title = title;
        }
        Ok(summary)
    }
}

/// Reads the trace; the setting `without` is a JSON list of the kinds of evidence to leave out.
fn outcome(events: &impl Events, host: &impl Host) -> Result<Outcome, Failure> {
    let setting = host.setting("without").unwrap_or_default();
    let without: Vec<String> = serde_json::from_str(&setting).unwrap_or_default();
    let mut reading = Reading::without(&without);
    events.each(|event| {
        reading.take(event);
        Ok(())
    })?;
    Ok(reading.finish())
}

acreta_sdk::extractor!(Rules);
