//! The offline extractor, which replaces a model that is not available. It makes a separate pass over the trace, so it
//! never runs while models answer.

use extractor_rules::{Outcome, Reading};

use crate::ports::Continue;
use crate::types::Types;
use crate::{Candidate, Failure, Ports, Summary};

/// Returns the candidates whose type the host knows.
pub(crate) fn candidates(ports: &Ports<'_>, types: &Types<'_>) -> Result<Vec<Candidate>, Failure> {
    let mut candidates = read(ports)?.candidates;
    candidates.retain(|one| types.fit(&one.category, &one.kind) == Some(one.kind.as_str()));
    for one in &mut candidates {
        one.attrs.push(("by".to_owned(), "rules".to_owned()));
    }
    Ok(candidates)
}

pub(crate) fn summary(ports: &Ports<'_>) -> Result<Summary, Failure> {
    let mut summary = read(ports)?.summary;
    summary.attrs.push(("by".to_owned(), "rules".to_owned()));
    Ok(summary)
}

fn read(ports: &Ports<'_>) -> Result<Outcome, Failure> {
    let mut reading = Reading::default();
    ports.each(|_, event| {
        reading.take(event);
        Continue::On
    })?;
    Ok(reading.finish())
}
