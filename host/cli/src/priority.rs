//! Background work runs with a lower priority.

/// Niceness of background work.
#[cfg(unix)]
const NICENESS: i32 = 10;

/// Lowers the priority of this process and of the processes it starts. A failure is ignored.
pub(crate) fn lower() {
    #[cfg(unix)]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::debug!(%error, "the priority could not be lowered");
    }
}
