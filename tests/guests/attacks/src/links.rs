//! Links and renames: ways to give a file another name.

use std::fs;

use crate::raw::wasi::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorType, NewTimestamp, OpenFlags,
};
use crate::report::Report;
use crate::roots::{Root, following, readonly_roots, roots};

/// Suffixes that are appended to the name of a link.
const ENDINGS: &[&str] = &[
    "", "/", "//", "/.", "/./", "/./.", "/..", "/../", "/../..", "/../x", "//..//x",
];

/// Follows links out of a root, with and without a trailing slash: those that a writer creates in its draft, and those
/// that a test left in a read-only root.
pub(crate) fn symlink_slash(report: &mut Report, victim: &str) {
    for root in roots() {
        let links = if root.is_draft() {
            made_links(report, &root, victim)
        } else {
            found_links(&root)
        };
        for link in &links {
            follow(report, &root, link, victim);
        }
    }
}

/// Creates links from every read-only root into every other, and within itself.
pub(crate) fn hardlink_across(report: &mut Report) {
    let mut number = 0;
    each_pair(|from, to, file| {
        for follow in [false, true] {
            for name in [file.to_owned(), format!("./{file}"), format!("{file}/")] {
                number += 1;
                let new = format!("linked-{number}.md");
                let result =
                    from.descriptor
                        .link_at(following(follow), &name, &to.descriptor, &new);
                report.forbidden(
                    format!("link-at {} to {}", from.at(&name), to.at(&new)),
                    result,
                );
            }
        }
        number += 1;
        let (old, new) = (from.at(file), to.at(&format!("linked-{number}.md")));
        report.forbidden(format!("link {old} to {new}"), fs::hard_link(&old, &new));
    });
}

/// Moves every file out of its root, and other files over it.
#[expect(
    clippy::disallowed_methods,
    reason = "a guest has nothing but its standard library"
)]
pub(crate) fn rename_across(report: &mut Report) {
    let mut number = 0;
    each_pair(|from, to, file| {
        for name in [file.to_owned(), format!("./{file}"), format!("{file}/")] {
            number += 1;
            let new = format!("moved-{number}.md");
            let result = from.descriptor.rename_at(&name, &to.descriptor, &new);
            report.forbidden(
                format!("rename-at {} to {}", from.at(&name), to.at(&new)),
                result,
            );
        }
        number += 1;
        let (old, new) = (from.at(file), to.at(&format!("moved-{number}.md")));
        report.forbidden(format!("rename {old} to {new}"), fs::rename(&old, &new));
        if to.is_draft() {
            plant(to, "own.md");
            let result = to.descriptor.rename_at("own.md", &from.descriptor, file);
            report.forbidden(
                format!("rename-at {} over {}", to.at("own.md"), from.at(file)),
                result,
            );
        }
    });
}

/// Calls `attempt` for every read-only root with every root, and a file of the first; with an invented name if it is
/// empty.
fn each_pair(mut attempt: impl FnMut(&Root, &Root, &str)) {
    let destinations = roots();
    for from in readonly_roots() {
        let mut files = from.files();
        if files.is_empty() {
            files.push("missing.md".to_owned());
        }
        for to in &destinations {
            for file in &files {
                attempt(&from, to, file);
            }
        }
    }
}

/// Creates links out of the draft. WASI allows a guest to create relative ones, but not to follow them.
fn made_links(report: &mut Report, root: &Root, victim: &str) -> Vec<String> {
    let climb = "../".repeat(12);
    let parent = victim.rsplit_once('/').map_or("", |(parent, _)| parent);
    let targets = [
        "..".to_owned(),
        "../".to_owned(),
        "../..".to_owned(),
        climb.clone(),
        format!("{climb}{}", victim.trim_start_matches('/')),
        format!("{climb}{}", parent.trim_start_matches('/')),
        format!("./{climb}etc/passwd"),
        victim.to_owned(),
        "/".to_owned(),
        "/etc".to_owned(),
    ];
    let mut links = Vec::new();
    for (number, target) in targets.iter().enumerate() {
        let link = format!("link-{number}");
        let result = root.descriptor.symlink_at(target, &link);
        if target.starts_with('/') {
            report.forbidden(
                format!("symlink-at {} to {target}", root.at(&link)),
                result.as_ref(),
            );
        } else {
            report.noted(format!(
                "symlink-at {} to {target}: {result:?}",
                root.at(&link)
            ));
        }
        if result.is_ok() {
            links.push(link);
        }
    }
    let link = "library-link".to_owned();
    #[expect(
        deprecated,
        reason = "the only call for it that is stable on every system"
    )]
    let result = fs::soft_link(&climb, root.at(&link));
    report.noted(format!("symlink {} to {climb}: {result:?}", root.at(&link)));
    if result.is_ok() {
        links.push(link);
    }
    links
}

/// Returns links at the top of a root that lead out of it.
fn found_links(root: &Root) -> Vec<String> {
    root.entries()
        .into_iter()
        .filter(|entry| entry.kind == DescriptorType::SymbolicLink && !entry.path.contains('/'))
        .map(|entry| entry.path)
        .filter(|link| {
            let target = root
                .descriptor
                .readlink_at(link)
                .unwrap_or_else(|_| "/".to_owned());
            target.starts_with('/') || target.starts_with("..")
        })
        .collect()
}

fn follow(report: &mut Report, root: &Root, link: &str, victim: &str) {
    let name = victim.rsplit('/').next().unwrap_or_default();
    let endings = ENDINGS.iter().map(|ending| (*ending).to_owned());
    for ending in endings.chain([
        format!("/{name}"),
        format!("//{name}"),
        format!("/./{name}"),
    ]) {
        let path = format!("{link}{ending}");
        open_every_way(report, root, &path);
        look(report, root, &path);
        if !ending.is_empty() {
            change(report, root, &path);
        }
        let at = root.at(&path);
        report.forbidden(format!("read {at}"), fs::read(&at));
        report.forbidden(format!("list {at}"), fs::read_dir(&at));
    }
    let times =
        root.descriptor
            .set_times_at(following(true), link, NewTimestamp::Now, NewTimestamp::Now);
    report.forbidden(format!("set-times-at {}", root.at(link)), times);
    let linked = root.descriptor.link_at(
        following(true),
        link,
        &root.descriptor,
        &format!("hard-{link}"),
    );
    report.forbidden(format!("link-at {} following", root.at(link)), linked);
}

fn open_every_way(report: &mut Report, root: &Root, path: &str) {
    let read = DescriptorFlags::READ;
    let write = DescriptorFlags::READ | DescriptorFlags::WRITE;
    let mutate = DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY;
    // Few that create: a host may count them, and end the guest before the report.
    let openings = [
        (OpenFlags::empty(), read),
        (OpenFlags::empty(), write),
        (OpenFlags::empty(), mutate),
        (OpenFlags::DIRECTORY, read),
        (OpenFlags::DIRECTORY, mutate),
        (OpenFlags::TRUNCATE, read),
        (OpenFlags::TRUNCATE, write),
        (OpenFlags::CREATE, write),
        (OpenFlags::CREATE | OpenFlags::EXCLUSIVE, write),
    ];
    for (open, flags) in openings {
        for follow in [false, true] {
            let result = root.open(follow, path, open, flags);
            report.forbidden(
                format!("open-at {} {open:?} {flags:?}", root.at(path)),
                result,
            );
        }
    }
}

/// Inspecting the link itself is harmless; inspecting its target is not.
fn look(report: &mut Report, root: &Root, path: &str) {
    for follow in [false, true] {
        let at = format!("stat-at {}", root.at(path));
        match root.descriptor.stat_at(following(follow), path) {
            Ok(stat) if stat.type_ == DescriptorType::SymbolicLink => {
                report.noted(format!("{at}: the link itself"))
            }
            other => report.forbidden(at, other),
        }
    }
    let hash = root.descriptor.metadata_hash_at(following(true), path);
    report.forbidden(format!("metadata-hash-at {}", root.at(path)), hash);
}

/// Tries moves, removals and new names through a link.
fn change(report: &mut Report, root: &Root, path: &str) {
    let at = root.at(path);
    match root.descriptor.rename_at(path, &root.descriptor, "stolen") {
        Ok(()) => {
            let stat = root.descriptor.stat_at(following(false), "stolen");
            if stat.is_ok_and(|stat| stat.type_ == DescriptorType::SymbolicLink) {
                let link = path.split('/').next().unwrap_or(path);
                let back = root.descriptor.rename_at("stolen", &root.descriptor, link);
                report.noted(format!(
                    "rename-at {at}: moved the link itself, back {back:?}"
                ));
            } else {
                report.escaped(format!("rename-at {at} to stolen"));
            }
        }
        Err(error) => report.refused(format!("rename-at {at} to stolen"), error),
    }
    let descriptor: &Descriptor = &root.descriptor;
    report.forbidden(
        format!("remove-directory-at {at}"),
        descriptor.remove_directory_at(path),
    );
    let below = format!("{}/planted", path.trim_end_matches('/'));
    report.forbidden(
        format!("create-directory-at {below}"),
        descriptor.create_directory_at(&below),
    );
    report.forbidden(
        format!("symlink-at {below}"),
        descriptor.symlink_at("x", &below),
    );
    report.forbidden(
        format!("unlink-file-at {below}"),
        descriptor.unlink_file_at(&below),
    );
    let created = root.open(true, &below, OpenFlags::CREATE, DescriptorFlags::WRITE);
    report.forbidden(format!("open-at {below} to create"), created);
    if root.is_draft() {
        plant(root, "seed.md");
        report.forbidden(
            format!("rename-at seed.md to {below}"),
            descriptor.rename_at("seed.md", descriptor, &below),
        );
        let linked = descriptor.link_at(following(false), "seed.md", descriptor, &below);
        report.forbidden(format!("link-at seed.md to {below}"), linked);
    }
}

/// Writes a file of the guest's own to a draft.
fn plant(root: &Root, name: &str) {
    let flags = DescriptorFlags::READ | DescriptorFlags::WRITE;
    if let Ok(file) = root.open(false, name, OpenFlags::CREATE, flags) {
        let _ = file.write(b"planted", 0);
    }
}
