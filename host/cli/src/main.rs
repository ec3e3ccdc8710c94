//! The `acreta` command: parses arguments, calls a library, prints. stdout is data, stderr is messages.

mod args;
mod command;
mod consent;
mod context;
mod environment;
mod failure;
mod help;
mod interrupts;
mod junit;
mod log;
mod output;
mod priority;
mod progress;
mod spending;
mod watch;

use std::process::ExitCode;

use acreta_service::{Failure, Kind};

use crate::args::{Arguments, Command, EventRetention};
use crate::context::{Context, NOT_UTF8};

fn main() -> ExitCode {
    // Before anything of the user's is read: this process compiles what strangers wrote.
    if let Some(ended) = command::compile::run_if_asked() {
        return ended;
    }
    if let Some(argument) = std::env::args_os().find(|argument| argument.to_str().is_none()) {
        let message = format!("the argument `{}` is not valid UTF-8", argument.display());
        return failure::report(&Failure::new(Kind::Usage, message).hint(NOT_UTF8), false);
    }
    let arguments = help::parse();
    match dispatch(&arguments).and_then(|()| output::check_printed()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::report(&error, arguments.wants_json()),
    }
}

/// Set in the environment of agent programs that acreta runs as models.
pub(crate) const CHILD: &str = "ACRETA_CHILD";

fn dispatch(arguments: &Arguments) -> Result<(), Failure> {
    // Agents that acreta itself started get no memory and are not learnt from.
    if matches!(arguments.command, Command::Hook(_) | Command::Mcp)
        && std::env::var_os(CHILD).is_some_and(|value| value == "1")
    {
        return Ok(());
    }
    // A hook must not fail because of broken settings, so it opens its own context.
    if let Command::Hook(hook) = &arguments.command {
        command::hook::run(hook, arguments);
        return Ok(());
    }
    // These need no settings.
    match &arguments.command {
        Command::Completions { shell } => return command::manual::completions(*shell),
        Command::Man { folder } => return command::manual::man(folder),
        // An update may repair what this version cannot read.
        Command::Itself(itself) => return command::itself::run(itself, arguments.wants_json()),
        _ => {}
    }
    let context = &Context::from_process(arguments)?;
    // It is run all the time, and reads one small file.
    if let Command::Usage(usage) = &arguments.command
        && usage.statusline
    {
        command::usage::statusline(context);
        return Ok(());
    }
    let request_id = log::request_id(context);
    // The daemon works for the requests it receives.
    let own_id = (!matches!(arguments.command, Command::Serve(_))).then(|| request_id.clone());
    let _log = log::start(arguments.command.kept(), own_id, context)?;
    let _request = match arguments.command.kept() {
        EventRetention::Yes => tracing::info_span!("request", request_id).entered(),
        EventRetention::No => tracing::Span::none().entered(),
    };
    acreta_service::remember::purge::finish_interrupted(context)?;
    acreta_service::process::upgrade::finish(context);
    if matches!(
        arguments.command,
        Command::Memory(_)
            | Command::Everyday(_)
            | Command::Ask(_)
            | Command::Brief(_)
            | Command::Mcp
    ) {
        command::hook::catch_up(context);
    }
    if matches!(
        arguments.command,
        Command::Sync(_) | Command::Status { .. } | Command::Doctor | Command::Init(_)
    ) {
        command::serve::warn_of_old(context);
    }
    match &arguments.command {
        Command::Run(run) => command::run::run(run, context),
        Command::Sync(sync) => command::sync::run(sync, context),
        Command::Worker(worker) => command::worker::run(worker, context),
        Command::Status { live } => command::status::run(*live, context),
        Command::Doctor => command::doctor::run(context),
        Command::Queue(queue) => command::queue::run(queue, context),
        Command::Runs(runs) => command::runs::run(runs, context),
        Command::Sessions(sessions) => command::sessions::run(sessions, context),
        Command::Usage(usage) => command::usage::run(usage, context),
        Command::Connect(connect) => command::connect::run(connect, context),
        Command::Memory(memory) => command::memory::run(memory, context),
        Command::Everyday(everyday) => command::memory::everyday(everyday, context),
        Command::Ask(ask) => command::ask::run(ask, context),
        Command::Brief(brief) => command::brief::run(brief, context),
        Command::Review(review) => command::review::run(review, context),
        Command::Maintain(maintain) => command::maintain::run(maintain, context),
        Command::Context(codebase) => command::context::run(codebase, context),
        Command::Init(init) => command::init::run(init, context),
        Command::Model(model) => command::model::run(model, context),
        Command::Mcp => command::mcp::run(context),
        Command::Serve(serve) => command::serve::serve(serve, context),
        Command::Up => command::serve::up(context),
        Command::Down => command::serve::down(context),
        Command::Logs(logs) => command::serve::logs(logs, context),
        Command::Dashboard(dashboard) => command::serve::dashboard(dashboard, context),
        Command::Hook(_)
        | Command::Completions { .. }
        | Command::Man { .. }
        | Command::Itself(_) => Ok(()),
        Command::Plugin(plugin) => command::plugin::run(plugin, context),
        Command::Config(config) => command::config::run(config, context),
        Command::Project(project) => command::project::run(project, context),
    }
}
