//! `acreta plugin test`: a component against what its role promises, and against its own cases.

use acreta_service::Failure;

use crate::args::TestArguments;
use crate::context::Context;

pub(super) fn test(_arguments: &TestArguments, _context: &Context) -> Result<(), Failure> {
    Ok(())
}
