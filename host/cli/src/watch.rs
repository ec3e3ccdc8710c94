//! Progress and interruption of long work at a terminal.

use std::io::IsTerminal;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use acreta_service::learn::one_file::TodoState;
use acreta_service::learn::sync::{Stage, Watcher};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::output::talk;
use crate::{interrupts, progress};

/// Set by the first interrupt. The second one ends the process.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// Makes an interrupt stop the work at the next safe point. Plugins are stopped at once: their work is done again.
pub(crate) fn catch_interrupts() {
    on_interrupt(|| {
        acreta_service::stop_guests();
        talk("\nstopping at the next safe point; press again to stop at once");
    });
}

/// Calls `stop` at the first interrupt, for work with its own way of stopping.
pub(crate) fn on_interrupt(stop: impl Fn() + Send + Sync + 'static) {
    let interrupted = move || {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            end();
        }
        stop();
    };
    if let Err(error) = interrupts::listen(interrupted) {
        tracing::debug!(%error, "interrupts end the process at once");
    }
}

/// For work that cannot stop half-way: an interrupt ends the process and the agent programs it waits for.
pub(crate) fn end_at_interrupt() {
    on_interrupt(end);
}

/// Stops agent programs explicitly: they have their own process group, which a terminal's interrupt does not reach.
fn end() {
    acreta_service::models::choice::stop_programs();
    std::process::exit(130);
}

pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// A progress bar with the remaining time, if it can be estimated; on a terminal only.
pub(crate) struct Bar {
    bar: ProgressBar,
    /// The current stage.
    stage: Mutex<&'static str>,
    /// The point at which a test ends the process.
    abort_at: Option<AbortAt>,
}

struct AbortAt {
    point: String,
    left: AtomicU64,
    only_stops: bool,
}

impl Bar {
    pub(crate) fn new(environment: &acreta_service::Environment) -> Self {
        let bar = ProgressBar::new(0);
        if std::io::stderr().is_terminal() {
            let template = "{msg:12} {bar:30} {pos}/{len} {left}";
            if let Ok(style) = ProgressStyle::with_template(template) {
                let tell = |state: &ProgressState, text: &mut dyn std::fmt::Write| {
                    let total = state.len().unwrap_or(0);
                    if let Some(left) = left(state.pos(), total, state.elapsed()) {
                        let _ = write!(text, "{} left", indicatif::HumanDuration(left));
                    }
                };
                bar.set_style(style.with_key("left", tell));
            }
        } else {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        Self {
            bar,
            stage: Mutex::new(""),
            abort_at: AbortAt::from(environment),
        }
    }

    pub(crate) fn done(&self) {
        progress::show(None);
        self.bar.finish_and_clear();
    }

    /// Shows the stage again after another message.
    fn show_stage(&self) {
        if let Ok(stage) = self.stage.lock() {
            self.bar.set_message(*stage);
        }
    }
}

/// Minimum number of items and time before the remaining time is estimated.
const TOLD_AFTER: u64 = 5;
const TOLD_AFTER_TIME: Duration = Duration::from_secs(3);

/// Estimates the remaining time; `None` if too little is done, or if it is too short to matter.
fn left(done: u64, total: u64, elapsed: Duration) -> Option<Duration> {
    if done < TOLD_AFTER || elapsed < TOLD_AFTER_TIME {
        return None;
    }
    let each = elapsed.as_secs_f64() / done as f64;
    let left = Duration::from_secs_f64(each * total.saturating_sub(done) as f64);
    (left >= Duration::from_secs(1)).then_some(left)
}

impl Watcher for Bar {
    fn begin(&self, stage: Stage, total: u64) {
        self.bar.reset();
        self.bar.set_length(total);
        if let Ok(mut known) = self.stage.lock() {
            *known = match stage {
                Stage::Look => "looking",
                Stage::Rescue => "archiving",
                Stage::Run => "learning",
            };
        }
        self.show_stage();
        progress::show(Some(&self.bar));
    }

    fn advance(&self, _stage: Stage, _name: &str) {
        self.show_stage();
        self.bar.inc(1);
    }

    fn step(&self, _session: &str, _step: &'static str, _state: TodoState) {
        self.show_stage();
        self.bar.tick();
    }

    fn fault_point(&self, point: &str) {
        if let Some(abort_at) = &self.abort_at {
            abort_at.fault_point(point);
        }
    }

    fn is_interrupted(&self) -> bool {
        is_interrupted()
    }
}

impl AbortAt {
    /// `ACRETA_ABORT_AT=point:n`, in debug builds only: the process ends the n-th time it passes the point. With
    /// `point:n:stop` it is stopped instead, as by SIGSTOP, until somebody wakes it.
    fn from(environment: &acreta_service::Environment) -> Option<Self> {
        if !cfg!(debug_assertions) {
            return None;
        }
        let (point, rest) = environment.get("ACRETA_ABORT_AT")?.split_once(':')?;
        let number = rest.strip_suffix(":stop").unwrap_or(rest);
        Some(Self {
            point: point.to_owned(),
            left: AtomicU64::new(number.parse().ok()?),
            only_stops: number != rest,
        })
    }

    fn fault_point(&self, point: &str) {
        if point != self.point || self.left.fetch_sub(1, Ordering::SeqCst) != 1 {
            return;
        }
        if !self.only_stops {
            std::process::abort();
        }
        #[cfg(unix)]
        let _ =
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::STOP);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::left;

    #[test]
    fn the_time_left_is_told_when_it_can_be_told() {
        // Done, total, milliseconds taken, seconds left.
        let table = [
            (0, 100, 60_000, None),
            (1, 100, 60_000, None),
            (50, 100, 1_000, None),
            (50, 100, 10_000, Some(10)),
            (5, 15, 5_000, Some(10)),
            (99, 100, 9_900, None),
            (100, 100, 10_000, None),
            (7, 0, 10_000, None),
        ];
        for (done, total, taken, expected) in table {
            let told = left(done, total, Duration::from_millis(taken));
            let told = told.map(|left| left.as_secs_f64().round() as u64);
            assert_eq!(told, expected, "{done} of {total} in {taken} ms");
        }
    }
}
