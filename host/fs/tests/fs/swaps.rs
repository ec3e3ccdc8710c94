//! A thread swaps a folder and a link to another place while operations run: nothing outside is read or changed,
//! whatever the moment at which the link appears.

#![cfg(target_os = "linux")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use acreta_fs::faults::Image;
use acreta_fs::{Directory, Faults, FsError, Limits};
use camino::{Utf8Path, Utf8PathBuf};
use rustix::fs::{CWD, RenameFlags, renameat_with};

/// Skips syncs, which would leave room for few operations.
#[derive(Debug)]
struct Unsynced;

impl Faults for Unsynced {
    fn passes_syncs(&self) -> bool {
        false
    }
}

const ALL: Limits = Limits {
    files: 1_000,
    bytes: 1_000_000,
    depth: 10,
};

fn open(path: &Utf8Path) -> Result<Directory, FsError> {
    Directory::open(path, Arc::new(Unsynced))
}

type Attempt = fn(&Directory, &str) -> Result<(), FsError>;

/// Reads are of a file that says `mine`; outside, it says `secret`.
fn is_mine(bytes: Vec<u8>) {
    assert!(!bytes.starts_with(b"secret"), "read from outside");
}

/// Every operation on a file `{door}/file`.
const ATTEMPTS: [Attempt; 15] = [
    |inside, door| inside.replace(format!("{door}/file"), b"mine"),
    |inside, door| inside.read(format!("{door}/file"), 100).map(is_mine),
    |inside, door| {
        let mut reader = inside.open_reader(format!("{door}/file"))?;
        let mut bytes = Vec::new();
        let read = std::io::Read::read_to_end(&mut reader, &mut bytes);
        read.map(|_| is_mine(bytes)).ok();
        Ok(())
    },
    |inside, door| inside.append(format!("{door}/file"), b"mine"),
    |inside, door| inside.write_synced_new(format!("{door}/new"), b"mine"),
    |inside, door| inside.rename(format!("{door}/file"), "stolen"),
    |inside, door| inside.rename("stolen", format!("{door}/file")),
    |inside, door| inside.remove_file(format!("{door}/new")),
    |inside, door| inside.create_dir_all(format!("{door}/a/b")),
    |inside, door| inside.remove_dir_all(format!("{door}/a")),
    |inside, door| inside.list(door, 100).map(drop),
    |inside, door| inside.walk(door, ALL).map(drop),
    |inside, door| inside.subdirectory(door)?.read("file", 100).map(is_mine),
    |inside, door| inside.subdirectory(door)?.append("file", b"mine"),
    |inside, door| match inside.lock(format!("{door}/lock"), Duration::ZERO) {
        Err(acreta_fs::LockError::Fs(error)) => Err(error),
        _ => Ok(()),
    },
];

/// Runs `attempts` while another thread swaps `door` and `link`. Returns the swaps, and how many
/// attempts succeeded and failed.
fn race(door: &Utf8Path, link: &Utf8Path, mut attempt: impl FnMut(usize) -> bool) -> [usize; 3] {
    let wanted = acreta_testing::count("ACRETA_TEST_SWAPS", 100_000);
    let (swaps, is_done) = (AtomicUsize::new(0), AtomicBool::new(false));
    let mut counts = [0, 0];
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !is_done.load(Ordering::Relaxed) {
                let swapped = renameat_with(
                    CWD,
                    door.as_std_path(),
                    CWD,
                    link.as_std_path(),
                    RenameFlags::EXCHANGE,
                );
                swapped.unwrap();
                swaps.fetch_add(1, Ordering::Relaxed);
            }
        });
        let ended = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
            for number in 0.. {
                if swaps.load(Ordering::Relaxed) >= wanted && number >= wanted / 10 {
                    break;
                }
                counts[usize::from(!attempt(number))] += 1;
            }
        }));
        is_done.store(true, Ordering::Relaxed);
        if let Err(panic) = ended {
            std::panic::resume_unwind(panic);
        }
    });
    [swaps.load(Ordering::Relaxed), counts[0], counts[1]]
}

/// Creates `outside/file` and a folder with a file of the same name.
fn world(folder: &str) -> (tempfile::TempDir, Utf8PathBuf) {
    let guard = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(guard.path().canonicalize().unwrap()).unwrap();
    let directory = open(&root).unwrap();
    directory.create_dir_all("outside/a/b").unwrap();
    directory.append("outside/file", b"secret").unwrap();
    directory.create_dir_all(folder).unwrap();
    directory.append(format!("{folder}/file"), b"mine").unwrap();
    (guard, root)
}

/// `ACRETA_TEST_SWAPS` sets the number of swaps.
#[test]
fn a_link_that_comes_and_goes_leads_nowhere() {
    let (_guard, root) = world("inside/door");
    std::os::unix::fs::symlink("../outside", root.join("inside/link")).unwrap();
    let before = Image::read(&root.join("outside")).unwrap();
    let inside = open(&root.join("inside")).unwrap();
    let (door, link) = (root.join("inside/door"), root.join("inside/link"));
    let [swaps, done, refused] = race(&door, &link, |number| {
        ATTEMPTS[number % ATTEMPTS.len()](&inside, "door").is_ok()
    });
    println!("{swaps} swaps: {done} operations done inside, {refused} not done, 0 outside");
    assert!(done > 0 && refused > 0);
    assert_eq!(Image::read(&root.join("outside")).unwrap(), before);
}

/// A project's folder that is a link now and then is never opened as one.
#[test]
fn a_projects_folder_that_is_a_link_now_and_then_leads_nowhere() {
    let (_guard, root) = world("project/.acreta");
    std::os::unix::fs::symlink("../outside", root.join("project/link")).unwrap();
    let before = Image::read(&root.join("outside")).unwrap();
    let (door, link) = (root.join("project/.acreta"), root.join("project/link"));
    let project = open(&root.join("project")).unwrap();
    let [swaps, done, refused] = race(&door, &link, |number| {
        if number % 2 == 0 {
            return ATTEMPTS[number / 2 % ATTEMPTS.len()](&project, ".acreta").is_ok();
        }
        // A new handle each time, as every command has.
        match open(&door) {
            Ok(opened) => {
                opened.read("file", 100).map(is_mine).ok();
                opened.append("file", b"mine").ok();
                true
            }
            Err(_) => false,
        }
    });
    println!("{swaps} swaps: {done} operations done inside, {refused} not done, 0 outside");
    assert!(done > 0 && refused > 0);
    assert_eq!(Image::read(&root.join("outside")).unwrap(), before);
}
