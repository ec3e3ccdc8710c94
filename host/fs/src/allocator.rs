//! Limits the memory that a long-lived process retains after freeing it. The GNU C library keeps up to eight arenas per
//! processor, and each retains its peak usage: a daemon with 30 MB of data grew to 250 MB. A no-op on other systems.

/// Limits the number of arenas, and returns large blocks to the system when they are freed. Call it before other
/// threads start. Returns whether the C library accepted the settings.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "there is no safe way to tell the C library")]
pub fn keep_little() -> bool {
    /// Blocks of at least this size are mapped separately, and returned to the system at once.
    const LARGE: libc::c_int = 1024 * 1024;
    let processors = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let arenas = libc::c_int::try_from(processors.clamp(2, 8)).unwrap_or(2);
    let settings = [
        (libc::M_ARENA_MAX, arenas),
        (libc::M_MMAP_THRESHOLD, LARGE),
        (libc::M_TRIM_THRESHOLD, LARGE),
    ];
    settings.into_iter().all(|(setting, value)| {
        // SAFETY: `mallopt` takes two numbers and stores them; it takes the allocator's own lock and touches no
        // allocated memory.
        unsafe { libc::mallopt(setting, value) == 1 }
    })
}

#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn keep_little() -> bool {
    false
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use std::sync::Barrier;

    /// Returns the resident memory of the process, in kilobytes.
    fn resident() -> Option<u64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find(|line| line.starts_with("RssAnon:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// Number of concurrent threads, more than there are arenas.
    const THREADS: usize = 16;

    /// Blocks per thread, 8 MB together; each is too small to be mapped separately.
    const PIECES: usize = 256;
    const PIECE: usize = 32 * 1024;

    #[test]
    fn what_one_thread_freed_serves_the_next() {
        assert!(super::keep_little());
        let before = resident().unwrap();
        let done = Barrier::new(THREADS + 1);
        std::thread::scope(|scope| {
            for _ in 0..THREADS {
                let (tell, told) = std::sync::mpsc::channel();
                let done = &done;
                scope.spawn(move || {
                    let pieces: Vec<Vec<u8>> = (0..PIECES).map(|_| vec![1; PIECE]).collect();
                    // Allocated after them and still in use, so that the heap cannot be trimmed.
                    let last = vec![1_u8; PIECE];
                    drop(pieces);
                    tell.send(()).unwrap();
                    done.wait();
                    drop(last);
                });
                // One after the other.
                told.recv().unwrap();
            }
            let grown = resident().unwrap().saturating_sub(before) / 1024;
            done.wait();
            assert!(
                grown < 96,
                "{THREADS} threads of 8 MB each left {grown} MB behind"
            );
        });
    }
}
