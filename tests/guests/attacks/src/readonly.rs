//! Attempts to change read-only files.

use std::fs::{self, File, FileTimes};
use std::time::{Duration, SystemTime};

use crate::raw::wasi::clocks::wall_clock::Datetime;
use crate::raw::wasi::filesystem::types::{Descriptor, DescriptorFlags, NewTimestamp, OpenFlags};
use crate::report::Report;
use crate::roots::{Root, following, readonly_roots, roots};

/// A name that exists in no root.
const NEW: &str = "planted.md";

/// Truncates files by opening them, by setting their size, and by the standard library.
pub(crate) fn truncate(report: &mut Report) {
    for root in readonly_roots() {
        for file in root.files() {
            let at = root.at(&file);
            let flags = [
                DescriptorFlags::empty(),
                DescriptorFlags::READ,
                DescriptorFlags::WRITE,
                DescriptorFlags::READ | DescriptorFlags::WRITE,
                DescriptorFlags::READ | DescriptorFlags::REQUESTED_WRITE_SYNC,
            ];
            for flags in flags {
                for follow in [false, true] {
                    let result = root.open(follow, &file, OpenFlags::TRUNCATE, flags);
                    report.forbidden(format!("open-at {at} to truncate {flags:?}"), result);
                }
            }
            if let Ok(open) = root.open(false, &file, OpenFlags::empty(), DescriptorFlags::READ) {
                report.forbidden(format!("set-size {at} 0"), open.set_size(0));
                report.forbidden(format!("set-size {at} 1"), open.set_size(1));
            }
            report.forbidden(
                format!("set_len {at}"),
                File::open(&at).and_then(|file| file.set_len(0)),
            );
            report.forbidden(format!("create {at}"), File::create(&at));
            report.forbidden(
                format!("append {at}"),
                File::options().append(true).open(&at),
            );
        }
        report.noted(format!("{} files in {}", root.files().len(), root.name));
    }
}

/// Tries every combination of flags on files and the root itself; on new names only the important ones.
pub(crate) fn open_flags(report: &mut Report) {
    let every: Vec<_> = (0..64).map(DescriptorFlags::from_bits_retain).collect();
    let telling =
        DescriptorFlags::READ | DescriptorFlags::WRITE | DescriptorFlags::MUTATE_DIRECTORY;
    // A host may count calls that create, and end the guest before the report.
    let few: Vec<_> = every
        .iter()
        .copied()
        .filter(|flags| *flags & telling == *flags)
        .collect();
    for root in readonly_roots() {
        for path in root.files().into_iter().chain([".".to_owned()]) {
            try_flags(report, &root, &path, &every);
        }
        for path in [NEW.to_owned(), format!("deep/{NEW}")] {
            try_flags(report, &root, &path, &few);
        }
    }
}

fn try_flags(report: &mut Report, root: &Root, path: &str, flag_sets: &[DescriptorFlags]) {
    let is_new = path.ends_with(NEW);
    let follows: &[bool] = if is_new { &[false] } else { &[false, true] };
    let (mut tried, mut opened) = (0, 0);
    for open in (0..16).map(OpenFlags::from_bits_retain) {
        for flags in flag_sets.iter().copied() {
            for follow in follows {
                tried += 1;
                if let Ok(descriptor) = root.open(*follow, path, open, flags) {
                    opened += 1;
                    let at = format!("{} {open:?} {flags:?}", root.at(path));
                    check_opened(report, &at, open, flags, is_new);
                    write_to(report, &at, &descriptor);
                }
            }
        }
    }
    let refused = tried - opened;
    report.refused(
        format!("{refused} of {tried} combinations on {}", root.at(path)),
        "flags",
    );
}

/// `mutate-directory` may be requested; [`write_to`] checks whether it has an effect.
fn check_opened(
    report: &mut Report,
    at: &str,
    open: OpenFlags,
    flags: DescriptorFlags,
    is_new: bool,
) {
    let truncates = open & OpenFlags::TRUNCATE == OpenFlags::TRUNCATE;
    let writes = flags & DescriptorFlags::WRITE == DescriptorFlags::WRITE;
    if is_new || truncates || writes {
        report.escaped(format!("open-at {at}"));
    }
}

/// Adds, changes and removes files where only reading is allowed.
#[expect(
    clippy::disallowed_methods,
    reason = "a guest has nothing but its standard library"
)]
pub(crate) fn write_memory(report: &mut Report) {
    let mut places: Vec<String> = readonly_roots().into_iter().map(|root| root.name).collect();
    places.extend(
        [
            "/memory",
            "/memory/decisions",
            "/memory/archived/decisions",
            "/draft/../memory",
        ]
        .map(str::to_owned),
    );
    for place in &places {
        let new = format!("{}/{NEW}", place.trim_end_matches('/'));
        report.forbidden(format!("write {new}"), fs::write(&new, "planted"));
        report.forbidden(format!("create_new {new}"), File::create_new(&new));
        report.forbidden(format!("create_dir {new}"), fs::create_dir(&new));
        report.forbidden(format!("remove_dir {place}"), fs::remove_dir(place));
        report.forbidden(
            format!("remove_dir_all {place}"),
            fs::remove_dir_all(format!("{place}/decisions")),
        );
        report.forbidden(
            format!("rename {place}"),
            fs::rename(place, format!("{place}-gone")),
        );
    }
    for root in readonly_roots() {
        for file in root.files() {
            let at = root.at(&file);
            report.forbidden(format!("write {at}"), fs::write(&at, "overwritten"));
            report.forbidden(
                format!("append {at}"),
                File::options().append(true).open(&at),
            );
            report.forbidden(format!("remove_file {at}"), fs::remove_file(&at));
            report.forbidden(format!("rename {at}"), fs::rename(&at, root.at("gone.md")));
            report.forbidden(format!("copy {at}"), fs::copy(&at, root.at(NEW)));
            let times =
                FileTimes::new().set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(1));
            report.forbidden(
                format!("set_times {at}"),
                File::open(&at).and_then(|file| file.set_times(times)),
            );
            let unlinked = root.descriptor.unlink_file_at(&file);
            report.forbidden(format!("unlink-file-at {at}"), unlinked);
        }
    }
}

/// Sets times that overflow in a careless host. In a draft they may be set, but nothing may break.
pub(crate) fn set_times(report: &mut Report) {
    let moments = [
        (u64::MAX, u32::MAX),
        (u64::MAX, 0),
        (i64::MAX as u64, 999_999_999),
        (0, u32::MAX),
        (0, 0),
    ];
    for root in roots() {
        let names: Vec<String> = if root.is_draft() {
            drop(root.open(false, NEW, OpenFlags::CREATE, DescriptorFlags::WRITE));
            vec![NEW.to_owned(), ".".to_owned()]
        } else {
            root.files().into_iter().chain([".".to_owned()]).collect()
        };
        for name in names {
            for (seconds, nanoseconds) in moments {
                let moment = NewTimestamp::Timestamp(Datetime {
                    seconds,
                    nanoseconds,
                });
                let by_path = root
                    .descriptor
                    .set_times_at(following(false), &name, moment, moment);
                let by_handle = root
                    .open(false, &name, OpenFlags::empty(), handle_flags(&root, &name))
                    .and_then(|descriptor| descriptor.set_times(moment, moment));
                let attempt = format!("{} {seconds}.{nanoseconds}", root.at(&name));
                if root.is_draft() {
                    report.noted(format!("set-times {attempt}: {by_path:?} {by_handle:?}"));
                } else {
                    report.forbidden(format!("set-times-at {attempt}"), by_path);
                    report.forbidden(format!("set-times {attempt}"), by_handle);
                }
            }
        }
    }
}

fn handle_flags(root: &Root, name: &str) -> DescriptorFlags {
    if root.is_draft() && name != "." {
        DescriptorFlags::READ | DescriptorFlags::WRITE
    } else {
        DescriptorFlags::READ
    }
}

/// Tries every change that an open file or folder could allow. Only successes are reported.
fn write_to(report: &mut Report, at: &str, descriptor: &Descriptor) {
    let create = || {
        descriptor.open_at(
            following(false),
            NEW,
            OpenFlags::CREATE,
            DescriptorFlags::WRITE,
        )
    };
    let now = NewTimestamp::Now;
    let attempts = [
        ("write", descriptor.write(b"x", 0).is_ok()),
        ("set-size", descriptor.set_size(0).is_ok()),
        ("set-times", descriptor.set_times(now, now).is_ok()),
        (
            "set-times-at",
            descriptor
                .set_times_at(following(false), ".", now, now)
                .is_ok(),
        ),
        (
            "create-directory-at",
            descriptor.create_directory_at(NEW).is_ok(),
        ),
        ("symlink-at", descriptor.symlink_at("x", NEW).is_ok()),
        ("open-at below", create().is_ok()),
    ];
    for (operation, succeeded) in attempts {
        if succeeded {
            report.escaped(format!("{operation} {at}"));
        }
    }
}
