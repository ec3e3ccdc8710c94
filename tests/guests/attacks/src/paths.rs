//! Paths that lead out of a root: upwards, absolute, unusual, and special files.

use std::fs::{self, File};

use crate::raw::wasi::filesystem::types::{DescriptorFlags, DescriptorType, OpenFlags};
use crate::report::Report;
use crate::roots::{Root, following, roots};

/// Files that an attacker would most like to read.
const COVETED: &[&str] = &[
    "/etc/passwd",
    "/etc/shadow",
    "/proc/self/environ",
    "/proc/self/cmdline",
    "/proc/self/maps",
    "/proc/self/fd/0",
    "/proc/self/cwd",
    "/proc/self/root/etc/passwd",
    "/proc/1/status",
    "/sys/kernel",
    "/dev/null",
    "/dev/stdin",
    "/dev/urandom",
    "/dev/fd/0",
    "/root",
    "/home",
    "/tmp",
    "/usr",
    "/.acreta",
    "C:\\Windows\\win.ini",
    "C:/Windows/win.ini",
    "\\\\?\\C:\\Windows",
    "\\\\localhost\\c$",
    "file:///etc/passwd",
    "~/.ssh/id_rsa",
    "COM1",
    "COM\u{b9}",
    "NUL",
];

/// Tries `..` in every form, from every root.
pub(crate) fn dotdot(report: &mut Report, victim: &str) {
    let mut upwards: Vec<String> = [
        "..",
        "../",
        "../.",
        "./..",
        ".//..",
        "../..",
        "x/../..",
        "..\\..",
        "..\\",
        "../.\u{0}.",
    ]
    .map(str::to_owned)
    .into();
    for depth in 1..=12 {
        let climb = "../".repeat(depth);
        upwards.push(format!("{climb}{}", victim.trim_start_matches('/')));
        upwards.push(format!("{climb}etc/passwd"));
        upwards.push(format!("./{climb}/etc//passwd"));
    }
    for root in roots() {
        for path in &upwards {
            every_way(report, &root, path);
        }
    }
    for path in [
        "..",
        "../..",
        "../../etc/passwd",
        "/..",
        "/../etc/passwd",
        "//..",
    ] {
        by_library(report, path);
    }
}

/// Tries absolute and endless paths, and bytes that end a name on some systems.
pub(crate) fn absolute(report: &mut Report, victim: &str) {
    let mut paths: Vec<String> = COVETED.iter().map(|path| (*path).to_owned()).collect();
    let odd = [
        "/",
        "//",
        "/.",
        "/..",
        "",
        "\0",
        "a\0b",
        "/etc/passwd\0.md",
        "\u{7f}",
        "\u{feff}",
        "\n",
    ];
    paths.extend(odd.map(str::to_owned));
    paths.extend([
        victim.to_owned(),
        format!("/{victim}"),
        format!("{victim}/"),
        format!("//{victim}"),
    ]);
    paths.extend([256, 4096, 1024 * 1024].map(|length| "n".repeat(length)));
    paths.push("d/".repeat(100_000));
    for root in roots() {
        for path in &paths {
            every_way(report, &root, path);
        }
    }
    for path in COVETED.iter().copied().chain([victim]) {
        by_library(report, path);
    }
}

/// Tries to read anything. Only the guest's own roots may be readable.
pub(crate) fn read_any(report: &mut Report, victim: &str) {
    let granted: Vec<Root> = roots()
        .into_iter()
        .filter(|root| root.name != "/")
        .collect();
    let wanted = COVETED
        .iter()
        .copied()
        .chain([victim, "/memory", "/draft", "/claude", "/hostile"]);
    for path in wanted {
        let is_granted = granted.iter().any(|root| path.starts_with(&root.name));
        if !is_granted {
            by_library(report, path);
        }
    }
    for path in ["/", "."] {
        match fs::read_dir(path) {
            Ok(listing) => {
                for entry in listing.flatten() {
                    let name = format!("/{}", entry.file_name().to_string_lossy());
                    if granted.iter().any(|root| root.name == name) {
                        report.noted(format!("list {path}: {name}"));
                    } else {
                        report.escaped(format!("list {path}: {name}"));
                    }
                }
                report.noted(format!("list {path}"));
            }
            Err(error) => report.refused(format!("list {path}"), error),
        }
    }
}

/// Opens everything that is neither file nor folder, and pipes that a test left. Opening one may block for ever.
pub(crate) fn open_fifo(report: &mut Report) {
    for root in roots() {
        for entry in root.entries() {
            let plain = [
                DescriptorType::RegularFile,
                DescriptorType::Directory,
                DescriptorType::SymbolicLink,
            ];
            if plain.contains(&entry.kind) {
                continue;
            }
            let at = root.at(&entry.path);
            report.noted(format!("{at} is of type {:?}", entry.kind));
            for flags in [
                DescriptorFlags::READ,
                DescriptorFlags::WRITE,
                DescriptorFlags::READ | DescriptorFlags::WRITE,
                DescriptorFlags::empty(),
            ] {
                for follow in [false, true] {
                    let result = root.open(follow, &entry.path, OpenFlags::empty(), flags);
                    report.forbidden(format!("open {at} {flags:?}"), result);
                }
            }
            report.forbidden(format!("read {at}"), fs::read(&at));
            report.forbidden(format!("write {at}"), File::options().write(true).open(&at));
        }
    }
    report.noted("WASI has no call that makes a pipe");
}

/// Tries every call that takes a path, with and without the standard library.
fn every_way(report: &mut Report, root: &Root, path: &str) {
    let shown: String = path.chars().take(80).collect();
    let at = format!("{} {shown:?}", root.name);
    for follow in [false, true] {
        let opening = [
            (OpenFlags::empty(), DescriptorFlags::READ),
            (OpenFlags::DIRECTORY, DescriptorFlags::READ),
            (
                OpenFlags::DIRECTORY,
                DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY,
            ),
            (OpenFlags::CREATE, DescriptorFlags::WRITE),
        ];
        for (open, flags) in opening {
            // In its own draft a writer may create files of nearly any name.
            if open == OpenFlags::CREATE && root.is_draft() && !leads_out(path) {
                continue;
            }
            report.forbidden(
                format!("open-at {at} {open:?} {flags:?}"),
                root.open(follow, path, open, flags),
            );
        }
        let stat = root.descriptor.stat_at(following(follow), path);
        report.forbidden(format!("stat-at {at}"), stat);
        let hash = root.descriptor.metadata_hash_at(following(follow), path);
        report.forbidden(format!("metadata-hash-at {at}"), hash);
    }
    report.forbidden(
        format!("readlink-at {at}"),
        root.descriptor.readlink_at(path),
    );
    report.forbidden(
        format!("unlink-file-at {at}"),
        root.descriptor.unlink_file_at(path),
    );
    report.forbidden(
        format!("remove-directory-at {at}"),
        root.descriptor.remove_directory_at(path),
    );
    report.forbidden(
        format!("rename-at {at}"),
        root.descriptor.rename_at(path, &root.descriptor, "stolen"),
    );
    let linked = root
        .descriptor
        .link_at(following(false), path, &root.descriptor, "linked");
    report.forbidden(format!("link-at {at}"), linked);
    let below = format!("{path}/planted");
    if leads_out(path) {
        report.forbidden(
            format!("create-directory-at {at}/planted"),
            root.descriptor.create_directory_at(&below),
        );
        report.forbidden(
            format!("symlink-at {at}/planted"),
            root.descriptor.symlink_at("x", &below),
        );
    }
    if path.contains("..") {
        by_library(report, &root.at(path));
    }
}

fn leads_out(path: &str) -> bool {
    path.starts_with('/') || path.split('/').any(|part| part == "..")
}

fn by_library(report: &mut Report, path: &str) {
    let shown: String = path.chars().take(80).collect();
    report.forbidden(format!("read {shown:?}"), fs::read(path));
    report.forbidden(format!("list {shown:?}"), fs::read_dir(path));
    report.forbidden(format!("stat {shown:?}"), fs::metadata(path));
    let opened = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(format!("{path}/planted"));
    report.forbidden(format!("create {shown:?}/planted"), opened);
}
