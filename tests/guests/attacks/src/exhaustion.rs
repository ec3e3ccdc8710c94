//! Attacks that exhaust resources: time, stack, memory, handles, the host's patience.

use std::hint::black_box;

use crate::raw::wasi::filesystem::preopens::get_directories;
use crate::raw::wasi::filesystem::types::{DescriptorFlags, OpenFlags};
use crate::raw::wasi::random::random::get_random_bytes;
use crate::report::Report;
use crate::roots::roots;

const MEBIBYTE: usize = 1024 * 1024;

/// More handles than anyone needs.
const HANDLES: usize = 1_000_000;

pub(crate) fn spin() -> ! {
    let mut turns = 0_u64;
    loop {
        turns = black_box(turns.wrapping_add(1));
    }
}

pub(crate) fn recursion(report: &mut Report) {
    report.noted(format!("came back with {}", deeper(0, black_box(u64::MAX))));
}

/// Has no frame in linear memory, so that it exhausts the host's stack.
fn deeper(depth: u64, limit: u64) -> u64 {
    if depth == limit {
        return 0;
    }
    deeper(depth + 1, limit).rotate_left(7) ^ depth
}

/// Allocates one mebibyte after another, and writes to each.
pub(crate) fn memory(report: &mut Report) {
    let mut kept: Vec<Vec<u8>> = Vec::new();
    loop {
        let mut chunk: Vec<u8> = Vec::new();
        if let Err(error) = chunk.try_reserve_exact(MEBIBYTE) {
            let held = kept.len();
            drop(kept);
            return report.refused(format!("memory after {held} MiB"), error);
        }
        chunk.resize(MEBIBYTE, 0xaa);
        kept.push(black_box(chunk));
    }
}

/// Opens the same folder again and again, and keeps every handle.
pub(crate) fn handles(report: &mut Report) {
    let mut opened = Vec::new();
    for root in roots() {
        while opened.len() < HANDLES {
            match root.open(false, ".", OpenFlags::DIRECTORY, DescriptorFlags::READ) {
                Ok(descriptor) => opened.push(descriptor),
                Err(error) => {
                    report.refused(format!("handle {} of {}", opened.len(), root.name), error);
                    break;
                }
            }
        }
    }
    let mut lists = Vec::new();
    while opened.len() + lists.len() < HANDLES {
        let directories = get_directories();
        if directories.is_empty() {
            return report.refused("handles", "no roots at all");
        }
        lists.extend(directories);
    }
    report.escaped(format!(
        "{} handles and {} roots",
        opened.len(),
        lists.len()
    ));
}

/// Requests everything in one read, at unusual offsets.
pub(crate) fn huge_read(report: &mut Report) {
    for root in roots() {
        for file in root.files() {
            let Ok(open) = root.open(false, &file, OpenFlags::empty(), DescriptorFlags::READ)
            else {
                continue;
            };
            for (length, offset) in [
                (u64::MAX, 0),
                (u64::MAX, u64::MAX),
                (1 << 40, 0),
                (1, i64::MAX as u64),
            ] {
                let result = open
                    .read(length, offset)
                    .map(|(bytes, end)| (bytes.len(), end));
                report.noted(format!(
                    "read {} {length} at {offset}: {result:?}",
                    root.at(&file)
                ));
            }
        }
    }
}

/// Requests more random bytes than a machine has memory.
pub(crate) fn random_flood(report: &mut Report) {
    for shift in [20, 30, 40, 63] {
        let bytes = get_random_bytes(1 << shift);
        report.noted(format!("{} random bytes", bytes.len()));
    }
}

/// Returns a hundred megabytes.
pub(crate) fn huge_value() -> String {
    "x".repeat(100_000_000)
}

/// Writes three million empty lines of log.
pub(crate) fn empty_log_flood(report: &mut Report, log: impl Fn(&str, &str)) {
    for _ in 0..3_000_000_usize {
        log("", "");
    }
    report.noted("3000000 empty lines of log");
}

/// Writes a million lines of log.
pub(crate) fn log_flood(report: &mut Report, log: impl Fn(&str, &str)) {
    let levels = ["error", "warn", "info", "debug", "shout", ""];
    for number in 0..1_000_000_usize {
        log(
            levels[number % levels.len()],
            &format!("flood {number} \u{1b}[31mred\u{1b}[0m"),
        );
    }
    report.noted("1000000 lines of log");
}
