//! Tracing spans of a run: one for the run, one for each step, one for each plugin call. Fields are names and numbers,
//! never text of a session; the subscriber provides the clock.

use acreta_types::{Call, PluginFault, PluginInfo, with_causes};
use camino::Utf8Path;
use tracing::field::{Empty, display};
use tracing::{Span, info_span};

use crate::error::RunError;
use crate::memory::workspace::RunMode;

/// Creates the span of a run or a maintenance in the scope with this base folder.
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

/// Creates the span of a plugin call as a child of the current span. It may be used in another thread.
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

/// Records how a run or a step ended.
pub(crate) fn ended<T>(span: &Span, result: &Result<T, RunError>) {
    match result {
        Ok(_) => span.record("outcome", "completed"),
        Err(RunError::Cancelled | RunError::LeaseLost) => span.record("outcome", "cancelled"),
        Err(error) => span
            .record("outcome", "failed")
            .record("error", display(with_causes(error))),
    };
}

/// Calls a plugin in a new span, and records its usage and outcome.
pub(crate) fn called<T>(
    plugin: &PluginInfo,
    name: &'static str,
    call: impl FnOnce() -> Call<T>,
) -> Call<T> {
    within(&of_call(plugin, name), call)
}

/// Like [`called`], in an existing span.
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

/// Returns the kind of a fault. The plugin's own message is reported by the run.
fn fault(fault: &PluginFault) -> &'static str {
    match fault {
        PluginFault::Failed(_) => "failed",
        PluginFault::Limit { limit, .. } => limit,
        PluginFault::Trap { .. } => "trap",
        PluginFault::Junk { .. } => "junk",
        PluginFault::Stopped => "stopped",
        PluginFault::Start { .. } => "start",
    }
}
