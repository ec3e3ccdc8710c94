//! Serves invented memories over standard input and output.

#[path = "fake.rs"]
mod fake;

use std::process::ExitCode;
use std::sync::Arc;

fn main() -> ExitCode {
    match acreta_mcp::serve_stdio(Arc::new(fake::Fake::default())) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}
