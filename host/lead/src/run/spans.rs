//! What a run says of itself while it goes on: a span for the run, one for each step, one for each call of
//! a plugin. Names and figures, no texts of a session; whoever listens has the clock.

use acreta_model::{Call, PluginFault, PluginInfo, with_causes};
use camino::Utf8Path;
use tracing::field::{Empty, display};
use tracing::{Span, info_span};

use crate::error::RunError;
use crate::memory::workspace::RunMode;

/// The span of a run or a maintenance in the scope whose folder this is.
pub(crate) fn of_run(run_id: &str, mode: RunMode, base: &Utf8Path) -> Span {
    let project = match (base.file_name(), base.parent()) {
        (Some(".acreta"), Some(project)) => project,
        _ => base,
    };
    info_span!(
        "run",
        run_id,
        mode = mode.name(),
        %project,
        agent = Empty,
        session = Empty,
        added = Empty,
        updated = Empty,
        archived = Empty,
        outcome = Empty,
        error = Empty,
    )
}

pub(crate) fn of_step(step: &'static str) -> Span {
    info_span!("step", step, outcome = Empty, error = Empty)
}

/// The span of a call of a plugin. It is made where the caller is and may be used in another thread.
pub(crate) fn of_call(plugin: &PluginInfo, call: &'static str) -> Span {
    info_span!(
        "plugin",
        plugin = plugin.id,
        role = plugin.role.name(),
        call,
        ok = Empty,
        fault = Empty,
        guest_ms = Empty,
        host_ms = Empty,
        peak_memory_bytes = Empty,
        denied = Empty,
    )
}

/// Says how a run or a step ended.
pub(crate) fn ended<T>(span: &Span, result: &Result<T, RunError>) {
    match result {
        Ok(_) => span.record("outcome", "completed"),
        Err(RunError::Cancelled | RunError::LeaseLost) => span.record("outcome", "cancelled"),
        Err(error) => span
            .record("outcome", "failed")
            .record("error", display(with_causes(error))),
    };
}

/// Calls a plugin, and says what it used and how it went.
pub(crate) fn called<T>(
    plugin: &PluginInfo,
    name: &'static str,
    call: impl FnOnce() -> Call<T>,
) -> Call<T> {
    within(&of_call(plugin, name), call)
}

/// The same in a span that is there already.
pub(crate) fn within<T>(span: &Span, call: impl FnOnce() -> Call<T>) -> Call<T> {
    let call = span.in_scope(call);
    let usage = &call.usage;
    span.record("ok", call.result.is_ok())
        .record("guest_ms", usage.guest_ms)
        .record("host_ms", usage.host_ms)
        .record("peak_memory_bytes", usage.peak_memory_bytes)
        .record("denied", usage.denied_total());
    if let Err(error) = &call.result {
        span.record("fault", fault(&error.fault));
    }
    call
}

/// What kind of fault it is. A plugin's own words are the run's to tell.
fn fault(fault: &PluginFault) -> &'static str {
    match fault {
        PluginFault::Failed(_) => "failed",
        PluginFault::Limit { limit, .. } => limit,
        PluginFault::Trap { .. } => "trap",
        PluginFault::Junk { .. } => "junk",
        PluginFault::Start { .. } => "start",
    }
}
