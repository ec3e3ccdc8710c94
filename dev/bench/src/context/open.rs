//! Opens codebase context for a bench.

use std::sync::Arc;
use std::time::SystemTime;

use acreta_codebase::{Analysis, Context, ContextOptions};
use camino::Utf8Path;

use crate::Outcome;

pub(crate) fn open(cache: &Utf8Path, analysis: Analysis) -> Outcome<Context> {
    let mut options = ContextOptions::new(cache.to_owned(), clock());
    options.analysis = analysis;
    Ok(Context::open(options)?)
}

pub(crate) fn clock() -> acreta_codebase::Clock {
    #[expect(
        clippy::disallowed_methods,
        reason = "a bench is a binary, and this is the clock it hands on"
    )]
    Arc::new(SystemTime::now)
}
