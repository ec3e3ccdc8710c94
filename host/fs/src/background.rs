//! Programs that outlive the process that starts them: a daemon, or a sync started by a hook. Whoever waits for the
//! starting process must not wait for these.

use std::process::Command;

/// Detaches a command: no terminal interrupt reaches it, it opens no window, and it keeps none of this process's
/// standard streams open.
pub fn detach(command: &mut Command) {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(command, 0);
    #[cfg(windows)]
    {
        /// CREATE_NEW_PROCESS_GROUP
        const NEW_PROCESS_GROUP: u32 = 0x0000_0200;
        /// CREATE_NO_WINDOW
        const NO_WINDOW: u32 = 0x0800_0000;
        std::os::windows::process::CommandExt::creation_flags(
            command,
            NEW_PROCESS_GROUP | NO_WINDOW,
        );
        keep_standard_handles();
    }
}

/// Makes the standard handles not inheritable. Windows passes every inheritable handle to a new process, so an agent
/// that reads a hook's output to its end would wait for the sync that the hook started. A program can still inherit a
/// stream explicitly: the standard library duplicates the handle for it.
#[cfg(windows)]
#[expect(
    unsafe_code,
    reason = "the standard library cannot change this flag of a handle"
)]
fn keep_standard_handles() {
    use std::os::windows::io::AsRawHandle;
    use windows_sys::Win32::Foundation::{HANDLE_FLAG_INHERIT, SetHandleInformation};
    let handles = [
        std::io::stdin().as_raw_handle(),
        std::io::stdout().as_raw_handle(),
        std::io::stderr().as_raw_handle(),
    ];
    for handle in handles.into_iter().filter(|handle| !handle.is_null()) {
        // SAFETY: the call changes one flag of a handle and touches no memory of this process; the standard handles
        // live as long as the process. For a handle without this flag it fails without effect.
        unsafe { SetHandleInformation(handle, HANDLE_FLAG_INHERIT, 0) };
    }
}
