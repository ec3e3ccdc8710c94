//! How much freed memory a process that lives long holds on to. The C library of Linux keeps up to eight
//! arenas per processor, and each keeps as much as it ever had in use at once: a daemon whose data
//! takes 30 MB came to 250. Elsewhere there is nothing to do.

/// Few arenas, and large pieces go back to the system when they are freed. To be called before other
/// threads start; says whether the system took it.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "there is no safe way to tell the C library")]
pub fn keep_little() -> bool {
    /// From this size on, a piece is the system's own, and goes back to it at once.
    const LARGE: libc::c_int = 1024 * 1024;
    let processors = std::thread::available_parallelism().map_or(2, std::num::NonZero::get);
    let arenas = libc::c_int::try_from(processors.clamp(2, 8)).unwrap_or(2);
    let settings = [
        (libc::M_ARENA_MAX, arenas),
        (libc::M_MMAP_THRESHOLD, LARGE),
        (libc::M_TRIM_THRESHOLD, LARGE),
    ];
    settings.into_iter().all(|(setting, value)| {
        // SAFETY: `mallopt` takes two numbers and keeps them; it takes the allocator's own lock, and
        // no memory that was handed out is touched.
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

    /// What the process has in memory, in kilobytes.
    fn resident() -> Option<u64> {
        let status = std::fs::read_to_string("/proc/self/status").ok()?;
        let line = status.lines().find(|line| line.starts_with("RssAnon:"))?;
        line.split_whitespace().nth(1)?.parse().ok()
    }

    /// Threads that live at once, more than there are arenas.
    const THREADS: usize = 16;

    /// Pieces of each, 8 MB together; each too small to be the system's own.
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
                    // Behind them, and still in use: they cannot be cut off the end.
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
