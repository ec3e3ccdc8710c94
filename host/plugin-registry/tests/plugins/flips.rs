//! One flipped bit at every byte of a decided change, of the lock and of the grants: the change is finished or refused
//! whole, and no plugin runs that nobody confirmed or reads a folder that nobody granted.

use std::sync::Arc;

use acreta_fs::Faults;
use acreta_fs::faults::{Crash, Image, Kept, Node, Recorder};
use acreta_plugin_registry::{Library, SignaturePolicy, granted_roots, require};
use camino::{Utf8Path, Utf8PathBuf};

use crate::crash::{MINE, install, newer, settled, state, state_of};
use crate::support::{PluginHome, Unsynced, component, id};

/// Bits to flip in turn: another digit or letter, another case, no text.
const BITS: [u8; 3] = [0x01, 0x20, 0x80];

/// Returns the disk right after an update was decided, and the state that the update leaves.
fn decided() -> (Image, crate::crash::Files) {
    let home = PluginHome::new();
    newer(&home);
    let before = Image::read(&home.root).unwrap();
    let recorder = Arc::new(Recorder::new());
    let library = home.library_with(Arc::clone(&recorder) as Arc<dyn Faults>);
    assert!(install(&home, &library));
    let log = recorder.log();
    let journal = log.iter().position(|done| {
        let to = done.to.as_ref();
        to.is_some_and(|to| to.ends_with("journal.json"))
    });
    let crash = Crash::after(&before, &home.root, &log[..=journal.unwrap() + 1]);
    (crash.image(|_| Kept::Whole), state_of(&home))
}

/// Calls `check` with a home for each flipped bit of a file.
fn each_flip(image: &Image, path: &Utf8Path, mut check: impl FnMut(&PluginHome, &Image, &str)) {
    let bytes = image.file(path).unwrap();
    for at in 0..bytes.len() {
        let bit = BITS[at % BITS.len()];
        let mut flipped = bytes.to_vec();
        flipped[at] ^= bit;
        let mut damaged = image.clone();
        damaged.nodes.insert(path.to_owned(), Node::File(flipped));
        let home = PluginHome::new();
        damaged.write(&home.root).unwrap();
        check(&home, &damaged, &format!("{path}, byte {at} ^ {bit}"));
    }
}

#[test]
fn a_flipped_bit_of_a_decided_change_is_found_or_harmless() {
    let (image, new) = decided();
    let journal: Vec<Utf8PathBuf> = image
        .files()
        .into_keys()
        .filter(|path| path.as_str().contains(".commit/"))
        .map(Utf8Path::to_owned)
        .collect();
    assert!(journal.len() > 3, "{journal:?}");
    let (mut tried, mut found) = (0, 0);
    for path in journal {
        each_flip(&image, &path, |home, damaged, flip| {
            tried += 1;
            match Library::open(home.paths(), Unsynced::shared()) {
                Ok(_) => assert_eq!(settled(state_of(home)), new, "{flip}"),
                Err(error) => {
                    found += 1;
                    assert!(
                        error.to_string().contains("journal.json"),
                        "{flip}: {error}"
                    );
                    assert_eq!(state_of(home), state(damaged), "{flip}");
                }
            }
        });
    }
    println!("{tried} bytes of a change flipped: {found} found, 0 mixed");
    assert!(found > tried / 2);
}

#[test]
fn a_flipped_bit_of_lock_or_grants_gives_no_plugin_more() {
    let home = PluginHome::new();
    newer(&home);
    let installed = Image::read(&home.root).unwrap();
    let policy = SignaturePolicy::default();
    let (mut tried, mut refused) = (0, 0);
    for path in ["own/acreta.lock", "own/grants.toml"] {
        each_flip(&installed, Utf8Path::new(path), |home, _, flip| {
            tried += 1;
            let library = home.library();
            let (Ok(loaded), Ok(grants)) = (library.load(&id(MINE), &policy), library.grants())
            else {
                refused += 1;
                return;
            };
            assert_eq!(loaded.component, component("adapter", "1"), "{flip}");
            let is_required = require(&loaded.manifest, &grants).is_ok();
            refused += usize::from(!is_required);
            for root in granted_roots(&loaded.manifest, &grants) {
                assert_eq!(root.candidates, ["~/.mine/sessions"], "{flip}");
            }
            // Another plugin that a person refused stays refused.
            if let Some(other) = grants.get("adapter-claude") {
                assert!(!other.granted, "{flip}");
            }
        });
    }
    println!("{tried} bytes of lock and grants flipped: {refused} refused, 0 given more");
    assert!(refused > 0);
}
