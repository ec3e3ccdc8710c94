//! Progress for a person at a terminal. Elsewhere only compiling is told, once, because it takes long.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once};
use std::time::Duration;

use acreta_service::Preparing;
use acreta_service::learn::one_file::{Progress, TodoState};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::output::talk;

/// True while a person is asked something: a spinner would overwrite what they type.
static IS_ASKING: AtomicBool = AtomicBool::new(false);

/// Keeps spinners off the screen while it lives.
pub(crate) struct QuietProgress(());

impl QuietProgress {
    pub(crate) fn new() -> Self {
        IS_ASKING.store(true, Ordering::Relaxed);
        show(None);
        Self(())
    }
}

impl Drop for QuietProgress {
    fn drop(&mut self) {
        IS_ASKING.store(false, Ordering::Relaxed);
    }
}

/// The progress bar or spinner on the screen, at most one.
static SHOWN: Mutex<Option<CurrentBar>> = Mutex::new(None);

struct CurrentBar {
    bar: ProgressBar,
    /// Created for compiling only, and removed when everything is compiled.
    is_own: bool,
}

/// Shows that plugins are being compiled: on the current bar, or on a new spinner.
pub(crate) fn preparing(how_far: Preparing) {
    if !std::io::stderr().is_terminal() {
        static SAID: Once = Once::new();
        SAID.call_once(|| talk(&prepared(how_far)));
        return;
    }
    let Ok(mut shown) = SHOWN.lock() else {
        return;
    };
    // Read under the lock, which whoever asks takes after it is set.
    if IS_ASKING.load(Ordering::Relaxed) {
        return;
    }
    let current = shown.get_or_insert_with(|| CurrentBar {
        bar: spinner(),
        is_own: true,
    });
    current.bar.set_message(prepared(how_far));
    if current.is_own && how_far.total == Some(how_far.done) {
        current.bar.finish_and_clear();
        *shown = None;
    }
}

/// Makes a bar the current one, or removes it.
pub(crate) fn show(bar: Option<&ProgressBar>) {
    let Ok(mut shown) = SHOWN.lock() else {
        return;
    };
    if let Some(before) = shown.take().filter(|before| before.is_own) {
        before.bar.finish_and_clear();
    }
    *shown = bar.map(|bar| CurrentBar {
        bar: bar.clone(),
        is_own: false,
    });
}

fn prepared(how_far: Preparing) -> String {
    let Preparing { what, done, total } = how_far;
    match total {
        Some(total) => format!("preparing {what} (once) {done}/{total}"),
        None => format!("preparing {what} (once)"),
    }
}

fn spinner() -> ProgressBar {
    let bar = ProgressBar::new_spinner();
    if std::io::stderr().is_terminal() {
        if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {elapsed}") {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(80));
    } else {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    bar
}

/// A spinner that shows the current step.
pub(crate) struct Terminal {
    bar: ProgressBar,
}

impl Terminal {
    pub(crate) fn new() -> Self {
        let bar = spinner();
        show(Some(&bar));
        Self { bar }
    }

    pub(crate) fn say(&self, message: &str) {
        self.bar.set_message(message.to_owned());
    }

    pub(crate) fn done(&self) {
        show(None);
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
