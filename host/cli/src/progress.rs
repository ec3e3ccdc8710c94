//! Progress for a person at a terminal; silent everywhere else.

use std::io::IsTerminal;
use std::time::Duration;

use acreta_service::learn::{Progress, TodoState};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

pub(crate) struct Terminal {
    bar: ProgressBar,
}

impl Terminal {
    pub(crate) fn new() -> Self {
        let bar = ProgressBar::new_spinner();
        if std::io::stderr().is_terminal() {
            if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
                bar.set_style(style);
            }
            bar.enable_steady_tick(Duration::from_millis(80));
        } else {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        Self { bar }
    }

    pub(crate) fn say(&self, message: &str) {
        self.bar.set_message(message.to_owned());
    }

    pub(crate) fn done(&self) {
        self.bar.finish_and_clear();
    }
}

impl Progress for Terminal {
    fn step(&self, step: &'static str, state: TodoState) {
        if state == TodoState::InProgress {
            self.say(step);
        }
    }
}
