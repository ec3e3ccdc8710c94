//! A person at a terminal looks on at what takes its time, and may stop it.

use std::io::IsTerminal;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use acreta_service::learn::TodoState;
use acreta_service::sync::{Stage, Watcher};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// Set by the first interrupt. The second one ends the process.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// From now on an interrupt is a wish: work stops where that is safe.
pub(crate) fn catch_interrupts() {
    let caught = ctrlc::set_handler(|| {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            end();
        }
        anstream::eprintln!("\nstopping at the next safe point; press again to stop at once");
    });
    if let Err(error) = caught {
        tracing::debug!(%error, "interrupts end the process at once");
    }
}

/// The same for what has its own way of stopping.
pub(crate) fn on_interrupt(stop: impl Fn() + Send + 'static) {
    let caught = ctrlc::set_handler(move || {
        if INTERRUPTED.swap(true, Ordering::SeqCst) {
            end();
        }
        stop();
    });
    if let Err(error) = caught {
        tracing::debug!(%error, "interrupts end the process at once");
    }
}

/// For what cannot stop half-way: an interrupt ends the process, and the agent programs that it waits
/// for with it.
pub(crate) fn end_at_interrupt() {
    on_interrupt(end);
}

/// Agent programs have a process group of their own, which a terminal's interrupt does not reach.
fn end() {
    acreta_service::model::stop_programs();
    std::process::exit(130);
}

pub(crate) fn is_interrupted() -> bool {
    INTERRUPTED.load(Ordering::SeqCst)
}

/// A bar with the time that is left, on a terminal only.
pub(crate) struct Bar {
    bar: ProgressBar,
    /// Where a test wants the process to end.
    abort_at: Option<AbortAt>,
}

struct AbortAt {
    point: String,
    left: AtomicU64,
}

impl Bar {
    pub(crate) fn new(environment: &acreta_service::Environment) -> Self {
        let bar = ProgressBar::new(0);
        if std::io::stderr().is_terminal() {
            let template = "{msg:12} {bar:30} {pos}/{len} {eta} left";
            if let Ok(style) = ProgressStyle::with_template(template) {
                bar.set_style(style);
            }
        } else {
            bar.set_draw_target(ProgressDrawTarget::hidden());
        }
        Self {
            bar,
            abort_at: AbortAt::from(environment),
        }
    }

    pub(crate) fn done(&self) {
        self.bar.finish_and_clear();
    }
}

impl Watcher for Bar {
    fn begin(&self, stage: Stage, total: u64) {
        self.bar.reset();
        self.bar.set_length(total);
        self.bar.set_message(match stage {
            Stage::Look => "looking",
            Stage::Rescue => "archiving",
            Stage::Run => "learning",
        });
    }

    fn advance(&self, _stage: Stage, _name: &str) {
        self.bar.inc(1);
    }

    fn step(&self, _session: &str, _step: &'static str, _state: TodoState) {
        self.bar.tick();
    }

    fn passing(&self, point: &str) {
        if let Some(abort_at) = &self.abort_at {
            abort_at.passing(point);
        }
    }

    fn is_interrupted(&self) -> bool {
        is_interrupted()
    }
}

impl AbortAt {
    /// `ACRETA_ABORT_AT=point:n`, in builds for tests only: the n-th time a sync passes the point,
    /// the process is gone.
    fn from(environment: &acreta_service::Environment) -> Option<Self> {
        if !cfg!(debug_assertions) {
            return None;
        }
        let (point, number) = environment.get("ACRETA_ABORT_AT")?.split_once(':')?;
        Some(Self {
            point: point.to_owned(),
            left: AtomicU64::new(number.parse().ok()?),
        })
    }

    fn passing(&self, point: &str) {
        if point == self.point && self.left.fetch_sub(1, Ordering::SeqCst) == 1 {
            std::process::abort();
        }
    }
}
