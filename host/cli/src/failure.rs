//! Reports a failure: message, causes, hint, and exit code.

use std::process::ExitCode;

use acreta_service::{Failure, Kind, visible};

use crate::output::print_error;

/// Prints a failure on stderr, and also on stdout as JSON if that was requested and nothing was printed there yet.
pub(crate) fn report(failure: &Failure, json: bool) -> ExitCode {
    if json && failure.kind != Kind::Partial {
        let payload = serde_json::json!({
            "error": {
                "message": failure.message,
                "causes": failure.causes,
                "hints": failure.hints,
            }
        });
        crate::output::json(&payload);
    }
    print(failure);
    ExitCode::from(exit_code(failure.kind))
}

/// Prints a failure on stderr.
pub(crate) fn print(failure: &Failure) {
    let style = anstyle::AnsiColor::Red.on_default().bold();
    print_error(format_args!(
        "{style}error{style:#}: {}\n",
        visible(&failure.message)
    ));
    for cause in &failure.causes {
        print_error(format_args!("  caused by: {}\n", visible(cause)));
    }
    for hint in &failure.hints {
        print_error(format_args!("\nhint: {}\n", visible(hint)));
    }
}

/// The documented exit codes.
fn exit_code(kind: Kind) -> u8 {
    match kind {
        Kind::Failure | Kind::Missing | Kind::Refused | Kind::Changed => 1,
        Kind::Usage => 2,
        Kind::Partial => 3,
        Kind::Busy => 4,
    }
}
