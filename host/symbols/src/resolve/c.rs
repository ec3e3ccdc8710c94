//! Resolves includes: relative to the file, then in conventional include folders, then the only file with this path
//! suffix.

use super::{ImportSite, inside};
use crate::paths;

pub(super) fn resolve(site: &ImportSite<'_>) -> Option<String> {
    let written = site.import.path.as_str();
    let own = paths::folder(site.from);
    let bracketed = written
        .strip_prefix('<')
        .and_then(|path| path.strip_suffix('>'));
    let path = bracketed.unwrap_or(written);
    if bracketed.is_none()
        && let Some(beside) = paths::join(own, path)
        && site.files.contains(&beside)
    {
        return Some(beside);
    }
    if path.split('/').any(|part| part == "..") {
        return None;
    }
    let searched = paths::ancestors(own).find_map(|folder| {
        ["include", "", "src"]
            .iter()
            .find_map(|part| site.existing(inside(&inside(folder, part), path)))
    });
    // `<string.h>` need not be the only file of that name in the repository.
    if searched.is_some() || (bracketed.is_some() && !path.contains('/')) {
        return searched.filter(|_| bracketed.is_none() || !is_standard(path));
    }
    site.files.find_suffix(&format!("/{path}"))
}

/// Reports whether it is a C++ header without an extension, or a header of the C library.
fn is_standard(path: &str) -> bool {
    !path.contains('.') || STANDARD.binary_search(&path).is_ok()
}

/// Sorted.
const STANDARD: &[&str] = &[
    "assert.h",
    "complex.h",
    "ctype.h",
    "errno.h",
    "fcntl.h",
    "fenv.h",
    "float.h",
    "inttypes.h",
    "iso646.h",
    "limits.h",
    "locale.h",
    "math.h",
    "pthread.h",
    "setjmp.h",
    "signal.h",
    "stdarg.h",
    "stdatomic.h",
    "stdbool.h",
    "stddef.h",
    "stdint.h",
    "stdio.h",
    "stdlib.h",
    "string.h",
    "strings.h",
    "tgmath.h",
    "threads.h",
    "time.h",
    "uchar.h",
    "unistd.h",
    "wchar.h",
    "wctype.h",
];
