//! `acreta project trust`.

use crate::args::ProjectCommand;
use crate::context::Context;
use crate::failure::CliError;
use crate::output::talk;

pub(crate) fn run(command: &ProjectCommand, context: &Context) -> Result<(), CliError> {
    let ProjectCommand::Trust { undo } = command;
    let mut trust = context.trust.clone();
    let project = &context.project;
    let message = if *undo {
        match trust.revoke(project)? {
            true => format!("{project} is no longer trusted"),
            false => format!("{project} was not trusted"),
        }
    } else {
        match trust.trust(project)? {
            true => format!("{project} is trusted: its config may now set everything"),
            false => format!("{project} is trusted already"),
        }
    };
    talk(&message);
    Ok(())
}
