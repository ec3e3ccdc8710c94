//! Stamps: a file that changed after it was examined never counts as unchanged, and one that has not changed for longer
//! than a clock tick is not reread.

use acreta_fs::{Directory, NoFaults, Stamp};
use camino::Utf8Path;
use proptest::prelude::*;

const MS: i64 = 1_000_000;
const S: i64 = 1_000 * MS;

fn changed_at(changed_ns: i64) -> Stamp {
    Stamp {
        bytes: 1,
        modified_ns: 50 * S,
        changed_ns,
        inode: 1,
    }
}

#[test]
fn a_stamp_is_racy_for_one_tick_of_its_clock() {
    let modified_at = |modified_ns| Stamp {
        modified_ns,
        ..changed_at(0)
    };
    let looked_ns = 100 * S;
    let cases = [
        // Whole seconds: the clock may tick every two seconds.
        (changed_at(97 * S), false),
        (changed_at(98 * S), true),
        (changed_at(100 * S), true),
        // With a fraction it ticks at least every 20 ms.
        (changed_at(98 * S - 1), false),
        (changed_at(100 * S - 20 * MS - 1), false),
        (changed_at(100 * S - 20 * MS), true),
        (changed_at(100 * S - 1), true),
        // A time in the future is always racy.
        (changed_at(101 * S), true),
        (changed_at(i64::MAX), true),
        (changed_at(-5 * S), false),
        (changed_at(i64::MIN), false),
        // Without a time of change, the time of modification is used, and only then.
        (modified_at(97 * S), false),
        (modified_at(99 * S), true),
        (
            Stamp {
                modified_ns: 200 * S,
                ..changed_at(97 * S)
            },
            false,
        ),
    ];
    for (stamp, racy) in cases {
        assert_eq!(stamp.is_racy(looked_ns), racy, "{stamp:?}");
        assert_eq!(
            stamp.is_unchanged(looked_ns, &stamp),
            !racy,
            "{stamp:?} is the same later"
        );
        let other = Stamp { bytes: 2, ..stamp };
        assert!(!stamp.is_unchanged(looked_ns, &other), "{stamp:?}");
    }
}

#[test]
fn every_way_to_look_gives_the_same_stamp() {
    let folder = tempfile::tempdir().unwrap();
    let path = Utf8Path::from_path(folder.path()).unwrap();
    let directory = Directory::open(path, NoFaults::shared()).unwrap();
    directory.replace("a", b"12345").unwrap();
    let stamp = directory.metadata("a").unwrap().stamp();
    assert_eq!(stamp.bytes, 5);
    assert_eq!(directory.list(".", 9).unwrap()[0].metadata.stamp(), stamp);
    let metadata = path.join("a").symlink_metadata().unwrap();
    assert_eq!(Stamp::from(&metadata), stamp);
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        assert_eq!(stamp.inode, metadata.ino());
        assert_eq!(stamp.changed_ns / S, metadata.ctime());
        assert_eq!(stamp.modified_ns % S, metadata.mtime_nsec());
    }
}

/// An event of a simulated file.
#[derive(Debug, Clone)]
enum FileEvent {
    /// Other content of the same length in the same inode; optionally with the modification time restored.
    Write { puts_time_back: bool },
    /// Somebody examines the file; it may change between the stat and the read.
    Look { changes_meanwhile: bool },
}

/// A file whose times come from a clock that ticks every `tick_ns`.
struct Simulated {
    tick_ns: i64,
    has_change_time: bool,
    now_ns: i64,
    content: u32,
    written_ns: i64,
    stamp: Stamp,
}

impl Simulated {
    fn write(&mut self, puts_time_back: bool) {
        let time_ns = self.now_ns - self.now_ns % self.tick_ns;
        self.content += 1;
        self.written_ns = self.now_ns;
        // Without a time of change, a restored modification time hides a change, and no rule can help.
        if !puts_time_back || !self.has_change_time {
            self.stamp.modified_ns = time_ns;
        }
        if self.has_change_time {
            self.stamp.changed_ns = time_ns;
        }
    }
}

/// State of the file that an observer recorded.
struct RecordedFile {
    content: u32,
    stamp: Stamp,
    looked_ns: i64,
    /// Time at which the recorded content was written.
    written_ns: i64,
}

fn events() -> impl Strategy<Value = Vec<(i64, FileEvent)>> {
    let pause = prop_oneof![
        3 => 0..3 * MS,
        2 => 0..30 * MS,
        1 => 0..5 * S,
        1 => Just(20 * MS),
        1 => Just(2 * S),
    ];
    let event = prop_oneof![
        any::<bool>().prop_map(|puts_time_back| FileEvent::Write { puts_time_back }),
        prop::bool::weighted(0.3)
            .prop_map(|changes_meanwhile| FileEvent::Look { changes_meanwhile }),
    ];
    prop::collection::vec((pause, event), 1..60)
}

proptest! {
    #[test]
    fn no_change_is_missed_and_nothing_settled_is_read_again(
        tick_ns in prop::sample::select(vec![1, 100, MS, 4 * MS, 10 * MS, S, 2 * S]),
        has_change_time in any::<bool>(),
        begins_ns in 1_700_000_000 * S..1_700_000_010 * S,
        events in events(),
    ) {
        let mut file = Simulated {
            tick_ns,
            has_change_time,
            now_ns: begins_ns,
            content: 0,
            written_ns: begins_ns,
            stamp: Stamp { bytes: 9, inode: 4, ..Stamp::default() },
        };
        file.write(false);
        let mut kept: Option<RecordedFile> = None;
        for (pause_ns, event) in events {
            file.now_ns += pause_ns;
            let changes_meanwhile = match event {
                FileEvent::Write { puts_time_back } => {
                    file.write(puts_time_back);
                    continue;
                }
                FileEvent::Look { changes_meanwhile } => changes_meanwhile,
            };
            let (looked_ns, stamp) = (file.now_ns, file.stamp);
            if let Some(kept) = &kept {
                if kept.stamp.is_unchanged(kept.looked_ns, &stamp) {
                    prop_assert_eq!(kept.content, file.content, "a change was missed");
                    continue;
                }
                let longest_ns = if stamp.modified_ns % S == 0 || stamp.changed_ns % S == 0 {
                    2 * S
                } else {
                    20 * MS
                };
                let was_settled = kept.written_ns == file.written_ns
                    && kept.looked_ns - kept.written_ns > longest_ns;
                prop_assert!(!was_settled, "an unchanged file was read again: {:?}", stamp);
            }
            if changes_meanwhile {
                file.write(false);
            }
            kept = Some(RecordedFile { content: file.content, stamp, looked_ns, written_ns: file.written_ns });
        }
    }
}
