//! Reads one session file that a person named.

use acreta_lead::{Plugins, Progress, RunOptions, RunReport, Source};
use camino::Utf8Path;

use crate::{Context, Failure, plugins};

/// Takes a session file through the lead. `notice` hears of each plugin that has to be compiled first.
pub fn learn(
    trace: &Utf8Path,
    options: &RunOptions,
    context: &Context,
    progress: &dyn Progress,
    notice: &dyn Fn(&str),
) -> Result<RunReport, Failure> {
    let sandbox = plugins::sandbox(context)?;
    let plugins = Plugins {
        adapters: plugins::adapters(context, &sandbox)?,
        ..plugins::chosen(context, &context.config, &sandbox, notice)?
    };
    let source = Source::File(trace.to_owned());
    Ok(acreta_lead::run(&source, &plugins, options, progress)?)
}
