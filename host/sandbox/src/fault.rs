//! Maps wasmtime's errors of a failed call to the model's faults.

use acreta_types::{Failure, PluginFault};
use wasmtime::component::ResourceTableError;

use crate::bindings::shared::acreta::types::types::Failure as WitFailure;
use crate::limits::{OverLimit, STACK_BYTES, is_stopped};
use crate::state::HostState;

/// Returns the fault that ended a call.
pub(crate) fn fault(error: &wasmtime::Error, state: &HostState) -> PluginFault {
    if is_stopped() {
        return PluginFault::Stopped;
    }
    if let Some(over) = state.over_limit() {
        return over.into();
    }
    if let Some(over) = error.downcast_ref::<OverLimit>() {
        return (*over).into();
    }
    if let Some(ResourceTableError::Full) = error.downcast_ref::<ResourceTableError>() {
        return PluginFault::Limit {
            limit: "handles",
            allowed: state.limits.handles,
            used: state.limits.handles + 1,
        };
    }
    match error.downcast_ref::<wasmtime::Trap>() {
        Some(wasmtime::Trap::StackOverflow) => PluginFault::Limit {
            limit: "stack_bytes",
            allowed: STACK_BYTES as u64,
            used: STACK_BYTES as u64 + 1,
        },
        Some(trap) => PluginFault::Trap {
            message: with_last_words(trap.to_string(), state),
        },
        None if format!("{error:#}").contains(HOSTCALL_FUEL) => PluginFault::Limit {
            limit: "value_bytes",
            allowed: state.limits.value_bytes,
            used: state.limits.value_bytes + 1,
        },
        // The outer layers are a backtrace; the cause is at the bottom.
        None => PluginFault::Trap {
            message: with_last_words(error.root_cause().to_string(), state),
        },
    }
}

/// wasmtime's message for a value over `set_hostcall_fuel`, which has no error type.
const HOSTCALL_FUEL: &str = "fuel allocated for hostcalls has been exhausted";

/// Adds a panic's message from stderr; the trap alone is only `unreachable`.
fn with_last_words(message: String, state: &HostState) -> String {
    let words = state.stderr_tail();
    if words.is_empty() {
        message
    } else {
        format!("{message}; last words: {words}")
    }
}

/// Maximum characters of a guest's failure message, which is one line in reports, logs and the state database.
const MESSAGE: usize = 500;
const CODE: usize = 64;

/// Cuts the text in a fault to one line.
pub(crate) fn in_a_line(mut fault: PluginFault) -> PluginFault {
    match &mut fault {
        PluginFault::Failed(failure) => {
            cut(&mut failure.code, CODE);
            cut(&mut failure.message, MESSAGE);
        }
        PluginFault::Trap { message }
        | PluginFault::Junk { message }
        | PluginFault::Start { message } => cut(message, MESSAGE),
        PluginFault::Limit { .. } | PluginFault::Stopped => {}
    }
    fault
}

fn cut(text: &mut String, characters: usize) {
    // A character has at most four bytes; the rest of a long text is not even looked at.
    let line = acreta_text::one_line(acreta_text::head(text, 4 * characters));
    let end = line.char_indices().nth(characters).map(|(end, _)| end);
    *text = match end {
        None => line,
        Some(end) => format!("{}…", &line[..end]),
    };
}

pub(crate) fn failure_to_model(failure: WitFailure) -> Failure {
    Failure {
        code: failure.code,
        message: failure.message,
        retryable: failure.retryable,
    }
}

pub(crate) fn failure_to_wit(failure: Failure) -> WitFailure {
    WitFailure {
        code: failure.code,
        message: failure.message,
        retryable: failure.retryable,
    }
}
