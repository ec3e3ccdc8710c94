//! Reads tar and ZIP archives: names, modes and contents.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::said;

/// Returns the files of a tar or ZIP archive with modes and contents.
pub(crate) fn entries(archive: &Path) -> BTreeMap<String, (u32, Vec<u8>)> {
    match archive.extension().and_then(|ending| ending.to_str()) {
        Some("xz" | "tgz") => of_tar(archive),
        _ => of_zip(&fs::read(archive).unwrap()),
    }
}

fn of_tar(archive: &Path) -> BTreeMap<String, (u32, Vec<u8>)> {
    let scratch = tempfile::tempdir().unwrap();
    let tar = Command::new("tar")
        .args(["--extract", "--same-permissions", "--file"])
        .arg(archive)
        .arg("--directory")
        .arg(scratch.path())
        .output()
        .unwrap();
    assert!(tar.status.success(), "{}", said(&tar));
    // The names as the archive has them, some with `./` before them.
    let names = Command::new("tar")
        .arg("--list")
        .arg("--file")
        .arg(archive)
        .output()
        .unwrap();
    let names = String::from_utf8(names.stdout).unwrap();
    let files = names.lines().filter(|name| !name.ends_with('/'));
    files
        .map(|name| {
            let path = scratch.path().join(name);
            let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
            (name.to_owned(), (mode, fs::read(path).unwrap()))
        })
        .collect()
}

/// Reads the directory at the end. Each file is unpacked by `gzip`, which checks its sum and size.
fn of_zip(zip: &[u8]) -> BTreeMap<String, (u32, Vec<u8>)> {
    let number = |place: usize, size: usize| {
        let bytes = zip[place..place + size].iter().rev();
        bytes.fold(0, |number, byte| number << 8 | usize::from(*byte))
    };
    let end = zip.len() - 22;
    assert_eq!(zip[end..end + 4], *b"PK\x05\x06");
    let mut place = number(end + 16, 4);
    let mut files = BTreeMap::new();
    for _ in 0..number(end + 10, 2) {
        let (stored, length, start) = (
            number(place + 20, 4),
            number(place + 28, 2),
            number(place + 42, 4),
        );
        let name = String::from_utf8(zip[place + 46..place + 46 + length].to_vec()).unwrap();
        let mode = number(place + 40, 2) & 0o777;
        let data = start + 30 + length;
        let mut gzip = b"\x1f\x8b\x08\0\0\0\0\0\0\x03".to_vec();
        gzip.extend(&zip[data..data + stored]);
        gzip.extend(&zip[place + 16..place + 20]);
        gzip.extend(&zip[place + 24..place + 28]);
        files.insert(name, (mode as u32, unzipped(gzip)));
        place += 46 + length;
    }
    assert_eq!(place, end);
    files
}

fn unzipped(gzip: Vec<u8>) -> Vec<u8> {
    let mut child = Command::new("gzip")
        .arg("--decompress")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let writing = std::thread::spawn(move || stdin.write_all(&gzip));
    let output = child.wait_with_output().unwrap();
    writing.join().unwrap().unwrap();
    assert!(output.status.success());
    output.stdout
}
