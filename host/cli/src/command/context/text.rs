//! Prints an answer: one fact per line, and nothing that is not in the JSON.

use acreta_service::codebase::{
    CacheStatus, Change, Changed, Delta, Dependent, Found, Freshness, Reason, Response, Segment,
    Slice,
};

use crate::output::{count, line};

pub(super) fn print(response: &Response) {
    let stats = &response.stats;
    line(&format!(
        "{}  {}, {}, {}",
        response.project_root,
        count(stats.file_count, "file", "files"),
        status(response.cache_status),
        freshness(response.freshness),
    ));
    if let Some(delta) = &response.delta {
        print_delta(delta);
    }
    if let Some(matches) = &response.matches {
        section("matches", matches.iter().map(found));
    }
    if let Some(slice) = &response.slice {
        print_slice(slice);
    }
    section(
        &format!("skipped {}", stats.skipped_entries),
        stats
            .skipped
            .iter()
            .map(|skipped| format!("{}  {}", skipped.path, reason(skipped.reason))),
    );
    if response.truncated {
        line("more was left out to stay within the budget");
    }
}

fn print_delta(delta: &Delta) {
    if delta.is_empty() {
        return line("changed nothing");
    }
    let named = [
        (delta.added, "added"),
        (delta.modified, "modified"),
        (delta.removed, "removed"),
        (delta.renamed, "renamed"),
        (delta.unknown, "unknown"),
    ];
    let counts: Vec<String> = named
        .iter()
        .filter(|(number, _)| *number > 0)
        .map(|(number, name)| format!("{number} {name}"))
        .collect();
    section(
        &format!("changed {}", counts.join(", ")),
        delta.files.iter().map(changed),
    );
    more(delta.changed(), delta.files.len());
    if let Some(dependents) = &delta.dependents {
        let (direct, indirect) = (dependents.direct, dependents.indirect);
        section(
            &format!("imported by {direct} directly, {indirect} indirectly"),
            dependents.files.iter().map(dependent),
        );
        more(direct + indirect, dependents.files.len());
    }
}

/// Prints how many items were left out.
fn more(all: u64, named: usize) {
    let left = all.saturating_sub(named as u64);
    if left > 0 {
        line(&format!("  … and {left} more"));
    }
}

fn dependent(file: &Dependent) -> String {
    let distance = file.distance.map(|distance| format!("  {distance}"));
    let imports = match file.imports.is_empty() {
        true => String::new(),
        false => format!("  imports {}", file.imports.join(" ")),
    };
    format!("{}{}{imports}", file.path, distance.unwrap_or_default())
}

fn print_slice(slice: &Slice) {
    section(
        "entry points",
        slice.entry_points.iter().map(|entry| {
            let name = entry.name.as_deref().unwrap_or_default();
            format!("{}  {} {name}", entry.path, entry.kind)
        }),
    );
    section(
        "hot paths",
        slice.hot_paths.iter().map(|hot| {
            let changes = count(hot.changes.into(), "change", "changes");
            let dependents = count(hot.dependents.into(), "dependent", "dependents");
            format!("{}  {changes}, {dependents}", hot.path)
        }),
    );
    section(
        "imports",
        slice
            .top_imports
            .iter()
            .map(|import| format!("{}  {}", import.name, import.files)),
    );
    section(
        "commands",
        slice.commands.iter().map(|command| {
            format!(
                "{}  {}  ({})",
                command.purpose, command.command, command.path
            )
        }),
    );
    section(
        "tests",
        slice
            .tests
            .iter()
            .map(|tests| format!("{}  {}", tests.path, tests.tests.join(" "))),
    );
    section(
        "languages",
        slice.languages.iter().map(|share| {
            let files = count(share.files, "file", "files");
            format!("{}  {files}, {} bytes", share.language, share.bytes)
        }),
    );
    line(&format!(
        "graph {}, {}",
        count(slice.graph.nodes, "file", "files"),
        count(slice.graph.edges, "import", "imports")
    ));
}

/// Prints a heading and its lines, or nothing if there are none.
fn section(heading: &str, lines: impl Iterator<Item = String>) {
    let mut lines = lines.peekable();
    if lines.peek().is_none() {
        return;
    }
    line(heading);
    for text in lines {
        line(&format!("  {}", text.trim_end()));
    }
}

fn changed(changed: &Changed) -> String {
    let mark = match changed.change {
        Change::Added => 'A',
        Change::Modified => 'M',
        Change::Removed => 'D',
        Change::Renamed => 'R',
        Change::Unknown => '?',
    };
    let bytes = changed.bytes.map(|bytes| count(bytes, "byte", "bytes"));
    let bytes = bytes.map_or_else(String::new, |bytes| format!("  {bytes}"));
    match &changed.from {
        Some(from) => format!("{mark} {from} -> {}{bytes}", changed.path),
        None => format!("{mark} {}{bytes}", changed.path),
    }
}

fn found(found: &Found) -> String {
    let segments: Vec<String> = found.segments.iter().map(segment).collect();
    format!(
        "{:.2}  {}  {}",
        found.score,
        found.path,
        segments.join(", ")
    )
}

/// Formats `Cart.add 12-40`, or the lines alone.
fn segment(segment: &Segment) -> String {
    let lines = format!("{}-{}", segment.line, segment.end_line);
    match (&segment.parent, &segment.name) {
        (Some(parent), Some(name)) => format!("{parent}.{name} {lines}"),
        (None, Some(name)) => format!("{name} {lines}"),
        _ => lines,
    }
}

fn status(status: CacheStatus) -> &'static str {
    match status {
        CacheStatus::Hit => "hit",
        CacheStatus::Miss => "miss",
        CacheStatus::Refreshed => "refreshed",
        CacheStatus::StaleRebuild => "stale_rebuild",
    }
}

fn freshness(freshness: Freshness) -> &'static str {
    match freshness {
        Freshness::Fresh => "fresh",
        Freshness::Dirty => "dirty",
        Freshness::Stale => "stale",
    }
}

fn reason(reason: Reason) -> &'static str {
    match reason {
        Reason::Sensitive => "sensitive: never opened",
        Reason::TooLarge => "too large",
        Reason::NameNotUtf8 => "its name is not UTF-8",
        Reason::NestedRepository => "a separate repository",
        Reason::PermissionDenied => "permission denied",
        Reason::Unreadable => "cannot be read",
        Reason::Special => "not a regular file",
        Reason::TooDeep => "too deep",
        Reason::Changing => "changed while it was read",
    }
}
