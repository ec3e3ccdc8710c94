//! One flipped bit at every byte of what decides: a journal of a decided commit, and the file of endorsements. Damage is
//! found or harmless; it never writes to another place and never makes a memory more trusted.

use acreta_fs::NoFaults;
use acreta_fs::faults::{Crash, Image, Kept, Node};
use acreta_store::{Rung, Store, Trust, Word, as_line, start_ledger};
use camino::Utf8PathBuf;

use crate::crash::{recorded_commit, small_change};
use crate::support::{FileContents, Project};
use crate::words::{hostile, layout, said_by, trust, trust_in};

/// Bits to flip, in turn in a journal: the lowest changes a digit or a letter into another one, the sixth the case of a
/// letter, the highest makes a byte that is no text.
const BITS: [u8; 3] = [0x01, 0x20, 0x80];

/// Returns the disk right after a commit was decided, with none of its files in place.
fn decided(before: &FileContents, after: &FileContents) -> Image {
    let (image, project, log) = recorded_commit(before, after);
    let manifest = log.iter().position(|done| {
        let to = done.to.as_ref();
        to.is_some_and(|to| to.ends_with("manifest.json"))
    });
    let crash = Crash::after(&image, &project.root, &log[..=manifest.unwrap() + 1]);
    crash.image(|_| Kept::Whole)
}

fn files_of(image: &Image) -> FileContents {
    Project::from_image(image).files()
}

#[test]
fn a_flipped_bit_of_a_journal_is_found_or_harmless() {
    let (before, after) = small_change();
    let image = decided(&before, &after);
    let journal: Vec<(Utf8PathBuf, Vec<u8>)> = image
        .files()
        .into_iter()
        .filter(|(path, _)| path.as_str().contains("meta/commit/"))
        .map(|(path, bytes)| (path.to_owned(), bytes.to_vec()))
        .collect();
    assert!(journal.len() > 3, "{journal:?}");
    let (mut tried, mut found) = (0, 0);
    for (path, bytes) in journal {
        for at in 0..bytes.len() {
            let bit = BITS[at % BITS.len()];
            let mut damaged = image.clone();
            let mut flipped = bytes.clone();
            flipped[at] ^= bit;
            damaged.nodes.insert(path.clone(), Node::File(flipped));
            let project = Project::from_image(&damaged);
            let (store, lock) = project.locked();
            tried += 1;
            match store.recover(&lock) {
                Ok(recovery) if recovery.set_aside.is_empty() => {
                    assert_eq!(project.files(), after, "{path}, byte {at} ^ {bit}");
                }
                Ok(recovery) => {
                    found += 1;
                    let run = &recovery.set_aside[0].0;
                    let (old, new) = (format!("/{run}/"), format!("/.damaged-{run}/"));
                    let renamed = files_of(&damaged).into_iter();
                    let renamed = renamed.map(|(path, bytes)| (path.replace(&old, &new), bytes));
                    let renamed: FileContents = renamed.collect();
                    assert_eq!(project.files(), renamed, "{path}, byte {at} ^ {bit}");
                }
                Err(error) => panic!("{path}, byte {at} ^ {bit}: {error}"),
            }
        }
    }
    println!("{tried} bytes of a journal flipped: {found} found, 0 wrong");
    assert!(found > tried / 2);
}

/// A memory that came with a repository, with evidence that would ground it, and words about another text.
#[test]
fn a_flipped_bit_of_the_words_never_makes_a_memory_trusted() {
    let project = hostile();
    project.put("meta/evidence/01A.json", said_by("user"));
    assert_eq!(trust(&project), Trust::Grounded, "without a ledger");
    let layout = layout(&project);
    start_ledger(&layout).unwrap();
    assert_eq!(trust(&project), Trust::Untrusted);
    let (folder, name) = layout.words_file().unwrap();
    let folder = acreta_fs::Directory::open(folder, NoFaults::shared()).unwrap();
    let mut text = folder.read_to_string(name, 10_000).unwrap();
    for (rung, by) in [(Rung::Confirmed, None), (Rung::Reviewed, Some("Ines"))] {
        text.push_str(&as_line(&Word {
            memory: "01A".to_owned(),
            digest: acreta_store::digest("an earlier text"),
            word: rung,
            by: by.map(str::to_owned),
            at: "2026-01-01T00:00:00Z".to_owned(),
        }));
        text.push('\n');
    }
    let learnt = acreta_store::digest("of another memory");
    text.push_str(&format!(
        "{{\"memory\":\"01B\",\"learnt\":\"{learnt}\"}}\n# a person's own line\n"
    ));
    let store = Store::open(layout.clone(), NoFaults::shared()).unwrap();
    let mut tried = 0;
    let bytes = text.into_bytes();
    let flips = (0..bytes.len()).flat_map(|at| BITS.map(|bit| (at, bit)));
    let cut = (0..bytes.len()).map(|length| (length, bytes[..length].to_vec()));
    let flipped = flips.map(|(at, bit)| {
        let mut flipped = bytes.clone();
        flipped[at] ^= bit;
        (at, flipped)
    });
    // A file that ends early has lost its policy only if it ends before that line, as a file without a ledger does.
    let policy = bytes.windows(12).position(|part| part == b"\"repository\"");
    for (at, damaged) in flipped.chain(cut.filter(|(length, _)| *length > policy.unwrap())) {
        #[expect(clippy::disallowed_methods, reason = "a test damages a file")]
        std::fs::write(folder.path().join(name), damaged).unwrap();
        assert_eq!(trust_in(&store), Trust::Untrusted, "byte {at}");
        tried += 1;
    }
    println!("{tried} damaged files of endorsements, 0 trusted memories");
}
