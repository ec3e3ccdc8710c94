//! The offline extractor, which stands in for a model that cannot be asked. It reads the trace in a
//! pass of its own, so that nothing of it is done while models answer.

use extractor_rules::{Outcome, Reading};

use crate::ports::Continue;
use crate::types::Types;
use crate::{Candidate, Failure, Ports, Summary};

/// Candidates of types that the host knows.
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
