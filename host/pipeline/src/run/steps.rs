//! The todo list of a run or a maintenance: each step is pending, in progress, completed, skipped or failed. Every
//! change is written with its time to the log and to the run's report, and passed to the observer.

use std::sync::Arc;

use crate::error::RunError;
use crate::memory::workspace::{LogLevel, RunLog};
use crate::run::options::Progress;
use crate::run::report::{Todo, TodoState};
use crate::run::spans;

/// The last step of every list: it runs even if others are skipped.
const REPORT: &str = "report";

/// A task with a todo list.
pub(crate) trait Stepwise<'a>: Sized {
    fn list(&mut self) -> &mut StepList<'a>;

    /// Writes the list to the run's report, best effort.
    fn save_progress(&self);

    /// Runs one step in a span of its own: marks it as started, and as completed if it succeeds.
    fn todo<T>(
        &mut self,
        step: &'static str,
        work: impl FnOnce(&mut Self) -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        self.list().begin(step)?;
        self.save_progress();
        self.list().tell(step, TodoState::InProgress);
        let span = spans::of_step(step);
        let result = span.in_scope(|| work(self));
        spans::ended(&span, &result);
        let result = result?;
        self.list().complete(step);
        self.save_progress();
        self.list().tell(step, TodoState::Completed);
        Ok(result)
    }
}

pub(crate) struct StepList<'a> {
    todos: Vec<Todo>,
    log: Arc<RunLog>,
    progress: &'a dyn Progress,
}

impl<'a> StepList<'a> {
    pub(crate) fn new(
        steps: &[&'static str],
        log: Arc<RunLog>,
        progress: &'a dyn Progress,
    ) -> Self {
        let todo = |step: &&'static str| {
            log.at(LogLevel::Debug, step, TodoState::Pending.name());
            Todo {
                step,
                state: TodoState::Pending,
                started: None,
                ended: None,
            }
        };
        Self {
            todos: steps.iter().map(todo).collect(),
            log,
            progress,
        }
    }

    /// Starts a step, unless the run was cancelled.
    pub(crate) fn begin(&mut self, step: &'static str) -> Result<(), RunError> {
        if self.progress.is_cancelled() {
            return Err(RunError::Cancelled);
        }
        self.mark(step, TodoState::InProgress, LogLevel::Info);
        Ok(())
    }

    pub(crate) fn complete(&mut self, step: &'static str) {
        self.mark(step, TodoState::Completed, LogLevel::Info);
    }

    /// Skips all pending steps before the report, because there is nothing to do.
    pub(crate) fn skip_to_report(&mut self) {
        for step in self.in_state(TodoState::Pending) {
            if step != REPORT {
                self.mark(step, TodoState::Skipped, LogLevel::Info);
                self.tell(step, TodoState::Skipped);
            }
        }
    }

    /// Ends the list early: marks the current step as failed and the pending ones as skipped.
    pub(crate) fn fail(&mut self) {
        for step in self.in_state(TodoState::InProgress) {
            self.mark(step, TodoState::Failed, LogLevel::Error);
            self.tell(step, TodoState::Failed);
        }
        for step in self.in_state(TodoState::Pending) {
            self.mark(step, TodoState::Skipped, LogLevel::Warn);
            self.tell(step, TodoState::Skipped);
        }
    }

    /// Returns `message`, followed by the steps that were not run, if any.
    pub(crate) fn with_steps_not_run(&self, message: &str) -> String {
        let skipped = self.in_state(TodoState::Skipped);
        match skipped.is_empty() {
            true => message.to_owned(),
            false => format!("{message}; steps not run: {}", skipped.join(", ")),
        }
    }

    pub(crate) fn todos(&self) -> Vec<Todo> {
        self.todos.clone()
    }

    fn in_state(&self, state: TodoState) -> Vec<&'static str> {
        let todos = self.todos.iter().filter(|todo| todo.state == state);
        todos.map(|todo| todo.step).collect()
    }

    fn mark(&mut self, step: &'static str, state: TodoState, level: LogLevel) {
        let time = self.log.time();
        for todo in self.todos.iter_mut().filter(|todo| todo.step == step) {
            todo.state = state;
            match state {
                TodoState::Pending => {}
                TodoState::InProgress => {
                    // A maintenance repeats some of its steps.
                    todo.started.get_or_insert_with(|| time.clone());
                    todo.ended = None;
                }
                TodoState::Completed | TodoState::Skipped | TodoState::Failed => {
                    todo.ended = Some(time.clone());
                }
            }
        }
        self.log.at(level, step, state.name());
    }

    /// Notifies the observer, after the change is written.
    fn tell(&self, step: &'static str, state: TodoState) {
        self.progress.step(step, state);
    }
}
