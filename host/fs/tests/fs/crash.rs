//! The simulated disk: that it loses data as documented, and that `replace` withstands it.

use std::sync::Arc;

use acreta_fs::faults::{Crash, Image, Kept, Node, Recorder};
use acreta_fs::{Directory, Faults, FsError};
use camino::{Utf8Path, Utf8PathBuf};

/// Runs `action` on a new directory and returns the disk before it, its root and the recorder.
fn record(
    prepare: impl FnOnce(&Directory),
    action: impl FnOnce(&Directory) -> Result<(), FsError>,
) -> (Image, Utf8PathBuf, Arc<Recorder>) {
    let guard = tempfile::tempdir().unwrap();
    let root = Utf8PathBuf::from_path_buf(guard.path().canonicalize().unwrap()).unwrap();
    prepare(&Directory::open(&root, Arc::new(Recorder::new())).unwrap());
    let before = Image::read(&root).unwrap();
    let recorder = Arc::new(Recorder::new());
    let directory = Directory::open(&root, Arc::clone(&recorder) as Arc<dyn Faults>).unwrap();
    action(&directory).unwrap();
    let live = Crash::after(&before, &root, &recorder.log()).image(|_| Kept::Whole);
    assert_eq!(
        live,
        Image::read(&root).unwrap(),
        "the replay is what happened"
    );
    (before, root, recorder)
}

fn contents(images: &[Image], path: &str) -> Vec<Option<String>> {
    let mut contents: Vec<_> = images
        .iter()
        .map(|image| {
            image
                .file(path)
                .map(|bytes| String::from_utf8_lossy(bytes).into_owned())
        })
        .collect();
    contents.sort();
    contents.dedup();
    contents
}

#[test]
fn a_replace_is_old_or_new_at_every_crash_point() {
    let (before, root, recorder) = record(
        |directory| directory.append("file", b"old").unwrap(),
        |directory| directory.replace("file", b"new"),
    );
    let log = recorder.log();
    let mut tried = 0;
    for length in 0..=log.len() {
        let images = Crash::after(&before, &root, &log[..length]).images(3);
        for content in contents(&images, "file") {
            let content = content.unwrap();
            assert!(
                content == "old" || content == "new",
                "{content:?} after {length}"
            );
        }
        tried += images.len();
    }
    let images = Crash::after(&before, &root, &log).images(3);
    assert_eq!(contents(&images, "file"), [Some("new".to_owned())]);
    println!("{} crash points, {tried} disks", log.len() + 1);
}

#[test]
fn what_is_not_synced_may_be_lost_torn_or_kept() {
    let text = |text: &str| Some(text.to_owned());

    // A write without a sync: none, half or all of it; or not even the name.
    let (before, root, recorder) = record(|_| {}, |directory| directory.append("file", b"1234"));
    let images = Crash::after(&before, &root, &recorder.log()).images(3);
    assert_eq!(
        contents(&images, "file"),
        [None, text(""), text("12"), text("1234")]
    );

    // A rename without a sync of the content: the classic empty file.
    let (before, root, recorder) = record(
        |directory| directory.append("file", b"old").unwrap(),
        |directory| {
            directory.append("temporary", b"new!")?;
            directory.rename("temporary", "file")?;
            directory.sync_directory(".")
        },
    );
    let images = Crash::after(&before, &root, &recorder.log()).images(3);
    assert_eq!(
        contents(&images, "file"),
        [text(""), text("ne"), text("new!")]
    );

    // A file in a directory whose own name was never synced.
    let (before, root, recorder) = record(
        |_| {},
        |directory| {
            directory.create_dir("sub")?;
            directory.replace("sub/file", b"x")
        },
    );
    let images = Crash::after(&before, &root, &recorder.log()).images(3);
    assert_eq!(contents(&images, "sub/file"), [None, text("x")]);

    // A removal without a sync may be undone; with one it is not.
    let (before, root, recorder) = record(
        |directory| directory.append("file", b"x").unwrap(),
        |directory| {
            directory.remove_file("file")?;
            directory.sync_directory(".")
        },
    );
    let log = recorder.log();
    let images = Crash::after(&before, &root, &log[..1]).images(3);
    assert_eq!(contents(&images, "file"), [None, text("x")]);
    let images = Crash::after(&before, &root, &log).images(3);
    assert_eq!(contents(&images, "file"), [None]);
}

#[test]
fn a_rename_between_directories_never_loses_the_file() {
    let (before, root, recorder) = record(
        |directory| {
            directory.create_dir_all("from").unwrap();
            directory.create_dir_all("to").unwrap();
            directory.append("from/file", b"x").unwrap();
        },
        |directory| directory.rename("from/file", "to/file"),
    );
    let images = Crash::after(&before, &root, &recorder.log()).images(3);
    let places = |image: &Image| {
        (
            image.file("from/file").is_some(),
            image.file("to/file").is_some(),
        )
    };
    let mut found: Vec<_> = images.iter().map(places).collect();
    found.sort_unstable();
    assert_eq!(found, [(false, true), (true, false), (true, true)]);
}

#[test]
fn made_directories_are_there_when_it_returns() {
    let (before, root, recorder) = record(|_| {}, |directory| directory.create_dir_all("a/b/c"));
    let images = Crash::after(&before, &root, &recorder.log()).images(3);
    assert_eq!(images.len(), 1);
    assert_eq!(
        images[0].nodes.get(Utf8Path::new("a/b/c")),
        Some(&Node::Directory)
    );
}

#[test]
fn images_are_written_as_they_were_read() {
    let (before, _, _) = record(
        |directory| {
            directory.create_dir_all("a/b").unwrap();
            directory.append("a/file", b"x").unwrap();
        },
        |_| Ok(()),
    );
    let guard = tempfile::tempdir().unwrap();
    let root = Utf8Path::from_path(guard.path()).unwrap();
    before.write(root).unwrap();
    assert_eq!(Image::read(root).unwrap(), before);
}
