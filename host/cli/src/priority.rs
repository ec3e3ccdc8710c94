//! Work in the background gives way to whatever a person does meanwhile.

/// The niceness of work in the background.
#[cfg(unix)]
const NICENESS: i32 = 10;

/// Lowers the priority of this process, and with it of whatever it starts. Failing to is no failure.
pub(crate) fn lower() {
    #[cfg(unix)]
    if let Err(error) = rustix::process::nice(NICENESS) {
        tracing::debug!(%error, "the priority stays as it is");
    }
}
