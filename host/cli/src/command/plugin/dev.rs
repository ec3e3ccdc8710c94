//! `acreta plugin dev`: a round at every change, until it is interrupted.

use std::time::Duration;

use acreta_service::Failure;
use acreta_service::plugins::develop::{self, Develop, Frame, Round, Sources, Trap};
use camino::Utf8PathBuf;

use super::{make, test};
use crate::args::DevArguments;
use crate::command::run;
use crate::context::Context;
use crate::output::{count, json, line, talk};
use crate::progress::Terminal;
use crate::{failure, watch};

/// Time between two looks at the files. They are built when two looks in a row find the same.
const LOOK: Duration = Duration::from_millis(250);

/// Frames of a trap that are shown.
const FRAMES: usize = 12;

pub(super) fn dev(arguments: &DevArguments, context: &Context) -> Result<(), Failure> {
    let request = Develop {
        folder: arguments.folder.clone(),
        session: arguments.session.clone(),
    };
    let mut sources = Sources::read(&request.folder)?;
    watch::catch_interrupts();
    loop {
        let progress = Terminal::new();
        let round = develop::round(&request, context, &progress);
        progress.done();
        match context.json {
            true => json(&round),
            false => print(&round, &sources, context),
        }
        if arguments.once {
            return result(round);
        }
        if let Some(failure) = &round.failure {
            failure::print(failure);
        }
        if !wait_for_change(&mut sources) {
            return Ok(());
        }
    }
}

fn result(round: Round) -> Result<(), Failure> {
    match round {
        round if round.is_passed() => Ok(()),
        Round {
            failure: Some(failure),
            ..
        } => Err(failure),
        round => {
            let failed = round.tested.map_or(0, |tested| tested.failed()) as u64;
            let (failed, traps) = (
                count(failed, "check", "checks"),
                count(round.traps.len() as u64, "trap", "traps"),
            );
            Err(Failure::saying(format!("{failed} failed, {traps}")))
        }
    }
}

/// Waits until files were changed and stay as they are; false if a person ends it.
fn wait_for_change(sources: &mut Sources) -> bool {
    talk("waiting for a change");
    let mut changed: Vec<Utf8PathBuf> = Vec::new();
    while !watch::is_interrupted() {
        std::thread::sleep(LOOK);
        let more = sources.changed();
        if more.is_empty() && !changed.is_empty() {
            let names: Vec<&str> = changed.iter().map(|path| path.as_str()).collect();
            talk(&format!("changed: {}", names.join(", ")));
            return true;
        }
        changed.extend(more);
        changed.sort();
        changed.dedup();
    }
    false
}

fn print(round: &Round, sources: &Sources, context: &Context) {
    if let Some(built) = &round.built {
        make::print_built(built);
    }
    if let Some(tested) = &round.tested {
        test::print(tested);
    }
    if let Some(report) = &round.run {
        run::print(report, &context.project);
    }
    for trap in &round.traps {
        print_trap(trap, sources);
    }
}

fn print_trap(trap: &Trap, sources: &Sources) {
    line(&format!("TRAP  plugin `{}`: {}", trap.plugin, trap.message));
    for said in trap.stderr.lines() {
        line(&format!("      {said}"));
    }
    // Those of the standard library and of other packages say little.
    let own = trap.frames.iter();
    let own = own.filter_map(|frame| Some((frame, sources.line(frame)?)));
    let own: Vec<_> = own.take(FRAMES).collect();
    for (
        Frame {
            function,
            line: number,
            ..
        },
        (path, text),
    ) in &own
    {
        line(&format!("      at {function} ({path}:{number})"));
        line(&format!("      {number:>5} | {text}"));
    }
    if own.is_empty() {
        for frame in trap.frames.iter().take(FRAMES) {
            line(&format!("      at {}", frame.function));
        }
    }
    if trap.frames.is_empty() {
        talk("the component has no debug information, so there is no backtrace");
    }
}
