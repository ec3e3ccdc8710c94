//! The todo list of a run or a maintenance: each step pending, in progress, completed or failed, told to
//! the log and to whoever looks on.

use std::sync::Arc;

use crate::error::RunError;
use crate::memory::workspace::RunLog;
use crate::run::options::Progress;
use crate::run::report::{Todo, TodoState};
use crate::run::spans;

/// Whoever has a todo list to work through.
pub(crate) trait Stepwise<'a>: Sized {
    fn list(&mut self) -> &mut Steps<'a>;

    /// Does one step: begun, in a span of its own, and completed if it went well.
    fn todo<T>(
        &mut self,
        step: &'static str,
        work: impl FnOnce(&mut Self) -> Result<T, RunError>,
    ) -> Result<T, RunError> {
        self.list().begin(step)?;
        let span = spans::of_step(step);
        let result = span.in_scope(|| work(self));
        spans::ended(&span, &result);
        let result = result?;
        self.list().complete(step);
        Ok(result)
    }
}

pub(crate) struct Steps<'a> {
    todos: Vec<Todo>,
    log: Arc<RunLog>,
    progress: &'a dyn Progress,
}

impl<'a> Steps<'a> {
    pub(crate) fn new(
        steps: &[&'static str],
        log: Arc<RunLog>,
        progress: &'a dyn Progress,
    ) -> Self {
        let todos = steps.iter().map(|step| Todo {
            step,
            state: TodoState::Pending,
        });
        Self {
            todos: todos.collect(),
            log,
            progress,
        }
    }

    /// Starts a step, unless the run is no longer wanted.
    pub(crate) fn begin(&mut self, step: &'static str) -> Result<(), RunError> {
        if self.progress.is_cancelled() {
            return Err(RunError::Cancelled);
        }
        self.mark(step, TodoState::InProgress);
        Ok(())
    }

    pub(crate) fn complete(&mut self, step: &'static str) {
        self.mark(step, TodoState::Completed);
    }

    /// Whatever was under way has failed.
    pub(crate) fn fail(&mut self) {
        let is_open = |todo: &&Todo| todo.state == TodoState::InProgress;
        let open: Vec<&'static str> = self
            .todos
            .iter()
            .filter(is_open)
            .map(|todo| todo.step)
            .collect();
        for step in open {
            self.mark(step, TodoState::Failed);
        }
    }

    pub(crate) fn todos(&self) -> Vec<Todo> {
        self.todos.clone()
    }

    /// As the last step tells it: the report is that step, and says so of itself.
    pub(crate) fn all_done(&self) -> Vec<Todo> {
        let mut todos = self.todos();
        for todo in &mut todos {
            if todo.state == TodoState::InProgress {
                todo.state = TodoState::Completed;
            }
        }
        todos
    }

    fn mark(&mut self, step: &'static str, state: TodoState) {
        for todo in self.todos.iter_mut().filter(|todo| todo.step == step) {
            todo.state = state;
        }
        let word = serde_json::to_value(state).unwrap_or_default();
        self.log.step(step, word.as_str().unwrap_or_default());
        self.progress.step(step, state);
    }
}
