//! The interval timer that interrupts running guests. It ticks only while a guest runs, so an idle daemon uses no CPU.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Interval at which running guests are checked.
const BEAT: Duration = Duration::from_millis(10);

/// Ends its thread when it is dropped.
pub(crate) struct Ticker {
    shared: Arc<Shared>,
}

/// The ticker runs while one of these exists.
pub(crate) struct Beating<'a> {
    shared: &'a Shared,
}

#[derive(Default)]
struct Shared {
    guests: Mutex<Guests>,
    changed: Condvar,
}

#[derive(Default)]
struct Guests {
    running: usize,
    over: bool,
}

impl Ticker {
    pub(crate) fn new(beat: impl Fn() + Send + 'static) -> Self {
        let shared = Arc::new(Shared::default());
        let of_thread = Arc::clone(&shared);
        std::thread::spawn(move || {
            while of_thread.wait() {
                beat();
                std::thread::sleep(BEAT);
            }
        });
        Self { shared }
    }

    pub(crate) fn start(&self) -> Beating<'_> {
        self.shared.guests().running += 1;
        self.shared.changed.notify_one();
        Beating {
            shared: &self.shared,
        }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.guests().over = true;
        self.shared.changed.notify_one();
    }
}

impl Drop for Beating<'_> {
    fn drop(&mut self) {
        self.shared.guests().running -= 1;
    }
}

impl Shared {
    /// Waits until a guest runs; returns `false` if the ticker is being dropped.
    fn wait(&self) -> bool {
        let still = |guests: &mut Guests| guests.running == 0 && !guests.over;
        let guests = self
            .changed
            .wait_while(self.guests(), still)
            .unwrap_or_else(PoisonError::into_inner);
        !guests.over
    }

    fn guests(&self) -> MutexGuard<'_, Guests> {
        self.guests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{RecvTimeoutError, channel};

    use super::*;

    /// Long enough for a thread to be scheduled on a busy machine.
    const PATIENCE: Duration = Duration::from_secs(30);

    #[test]
    fn beats_while_a_guest_runs_and_ends_with_its_owner() {
        let (send, beats) = channel();
        let ticker = Ticker::new(move || {
            let _nobody_listens = send.send(());
        });
        assert_eq!(
            beats.recv_timeout(5 * BEAT),
            Err(RecvTimeoutError::Timeout),
            "nothing runs"
        );
        let (first, second) = (ticker.start(), ticker.start());
        drop(first);
        for _ in 0..3 {
            assert_eq!(beats.recv_timeout(PATIENCE), Ok(()));
        }
        drop(second);
        // Drains the ticks of the meantime, and one that was in flight.
        while beats.recv_timeout(10 * BEAT).is_ok() {}
        assert_eq!(
            beats.recv_timeout(5 * BEAT),
            Err(RecvTimeoutError::Timeout),
            "nothing runs any more"
        );
        drop(ticker);
        assert_eq!(
            beats.recv_timeout(PATIENCE),
            Err(RecvTimeoutError::Disconnected),
            "its thread is gone"
        );
    }
}
