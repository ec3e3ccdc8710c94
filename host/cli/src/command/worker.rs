//! `acreta worker`.

use acreta_service::learn::sync::{RunLine, Stage, Watcher};
use acreta_service::worker::{Work, WorkObserver, WorkUntil, work};
use acreta_service::{Failure, Kind};

use crate::args::WorkerArguments;
use crate::context::Context;
use crate::output::{count, json, line, warn};
use crate::watch::{self, Bar};

pub(crate) fn run(arguments: &WorkerArguments, context: &Context) -> Result<(), Failure> {
    let request = Work {
        projects: arguments.projects.clone(),
        slots: usize::from(arguments.slots),
        until: match (arguments.once, arguments.until_idle) {
            (true, _) => WorkUntil::OneJob,
            (false, true) => WorkUntil::Idle,
            (false, false) => WorkUntil::Stopped,
        },
    };
    watch::catch_interrupts();
    let observer = Observer {
        bar: Bar::new(&context.environment),
        is_quiet: context.json,
    };
    let result = work(&request, context, &observer);
    observer.bar.done();
    let summary = result?;
    if context.json {
        json(&summary);
    } else {
        line(&format!(
            "{} completed, {} not",
            count(summary.completed, "job", "jobs"),
            summary.not_completed
        ));
    }
    if summary.not_completed > 0 && arguments.once {
        return Err(Failure::new(Kind::Partial, "the job was not completed")
            .hint("`acreta queue list` shows the reason"));
    }
    Ok(())
}

/// Prints each job as it ends. The bar has the points at which a test ends the process.
struct Observer {
    bar: Bar,
    is_quiet: bool,
}

impl Watcher for Observer {
    fn advance(&self, stage: Stage, name: &str) {
        self.bar.advance(stage, name);
    }

    fn fault_point(&self, point: &str) {
        self.bar.fault_point(point);
    }

    fn is_interrupted(&self) -> bool {
        self.bar.is_interrupted()
    }
}

impl WorkObserver for Observer {
    fn finished(&self, run: &RunLine) {
        match &run.error {
            Some(error) => warn(&format!(
                "{} {} is {}: {error}",
                run.agent, run.session, run.state
            )),
            None if self.is_quiet => {}
            None => line(&format!(
                "{} {}: {}",
                run.agent,
                run.session,
                count(run.learnt.len() as u64, "change", "changes")
            )),
        }
    }

    fn waiting(&self, reason: &str) {
        warn(&format!("{reason}; trying again"));
    }
}
