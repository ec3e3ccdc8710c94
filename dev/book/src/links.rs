//! Chapters, links and anchors: each link has a target in the repository that is in the book, too; each chapter is in
//! the table of contents, once, and some other page leads to it.

use std::collections::{BTreeMap, BTreeSet};

use crate::markdown::{Link, Page};
use crate::{Book, GENERATED, SUMMARY};

/// Files of the root that are no chapters: they address those who work on the repository.
const NO_CHAPTERS: [&str; 1] = ["AGENTS.md"];

/// A folder whose files have an index in the book.
const DECISION_FOLDER: &str = "docs/decisions";

pub(crate) fn problems(book: &Book) -> Vec<String> {
    let mut problems = Vec::new();
    let mut linked = BTreeSet::new();
    for page in book.pages.values() {
        for link in page.links() {
            let Some(target) = resolve(page.path(), &link.path) else {
                problems.push(problem(page, &link, "leads out of the repository"));
                continue;
            };
            if page.path() != SUMMARY && target != page.path() {
                linked.insert(target.clone());
            }
            if let Some(what) = wrong(book, page, &link, &target) {
                problems.push(problem(page, &link, &what));
            }
        }
    }
    let listed = listed(book, &mut problems);
    for path in book.pages.keys() {
        let is_decision = path.starts_with(DECISION_FOLDER);
        let is_chapter = path != SUMMARY && !NO_CHAPTERS.contains(&path.as_str());
        if is_chapter && !is_decision && !listed.contains_key(path) {
            problems.push(format!("{path}:1: no chapter: {SUMMARY} does not list it"));
        }
        if is_chapter && !is_decision && path != "README.md" && !linked.contains(path) {
            problems.push(format!("{path}:1: no other page links to it"));
        }
    }
    for path in GENERATED {
        if book.pages.contains_key(path) {
            problems.push(format!("{path}:1: is generated and must not be committed"));
        }
        if !listed.contains_key(path) {
            problems.push(format!("{SUMMARY}:1: the generated {path} is missing"));
        }
    }
    problems
}

/// Returns the chapters of the table of contents with their lines.
fn listed(book: &Book, problems: &mut Vec<String>) -> BTreeMap<String, usize> {
    let mut listed = BTreeMap::new();
    let Some(summary) = book.pages.get(SUMMARY) else {
        problems.push(format!("{SUMMARY}:1: there is no table of contents"));
        return listed;
    };
    for link in summary.links() {
        let Some(path) = resolve(SUMMARY, &link.path) else {
            continue;
        };
        if listed.insert(path, link.line).is_some() {
            problems.push(problem(summary, &link, "is listed twice"));
        }
    }
    listed
}

fn wrong(book: &Book, page: &Page, link: &Link, target: &str) -> Option<String> {
    if target == DECISION_FOLDER {
        return None;
    }
    if GENERATED.contains(&target) {
        let is_summary = page.path() == SUMMARY;
        return (!is_summary).then(|| "is generated: it is only in the built book".to_owned());
    }
    if book.files.contains_key(target) {
        return None;
    }
    let Some(page) = book.pages.get(target) else {
        return Some("is no file of the book (`docs`, or markdown in the root)".to_owned());
    };
    let anchor = link.anchor.as_ref()?;
    (!page.has_anchor(anchor)).then(|| format!("`{target}` has no heading `#{anchor}`"))
}

fn problem(page: &Page, link: &Link, what: &str) -> String {
    let anchor = link.anchor.as_ref();
    let anchor = anchor.map_or(String::new(), |anchor| format!("#{anchor}"));
    format!(
        "{}:{}: `{}{anchor}` {what}",
        page.path(),
        link.line,
        link.path
    )
}

/// Resolves a relative path; `None` if it leads out of the repository.
fn resolve(page: &str, link: &str) -> Option<String> {
    if link.is_empty() {
        return Some(page.to_owned());
    }
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.trim_end_matches('/').split('/') {
        match part {
            "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Returns the text of a page whose links to the folder of decisions and to a `README.md` lead to the index page that the
/// book has in its place.
pub(crate) fn to_index_pages(page: &Page) -> String {
    let mut text = page.text().to_owned();
    for link in page.links() {
        let is_folder = resolve(page.path(), &link.path).as_deref() == Some(DECISION_FOLDER);
        let target = match is_folder {
            true => format!("{}/index.md", link.path.trim_end_matches('/')),
            false => index_path(&link.path),
        };
        if target != link.path {
            text = text.replace(&format!("]({})", link.path), &format!("]({target})"));
        }
    }
    text
}

/// Returns the path of a page in the book: a `README.md` is the index of its folder there.
pub(crate) fn index_path(path: &str) -> String {
    match path.strip_suffix("README.md") {
        Some(folder) => format!("{folder}index.md"),
        None => path.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTENTS: &str = "# Summary\n\n[Front](../README.md)\n\n- [A](a.md)\n- [D](decisions/README.md)\n- [1](reference/cli.md)\n- [2](reference/configuration.md)\n- [3](reference/http.md)\n- [4](reference/mcp.md)\n";

    fn book(files: &[(&str, &str)]) -> Book {
        let mut all: BTreeMap<String, Vec<u8>> = BTreeMap::new();
        let usual = [
            (
                "README.md",
                "# Front\n[a](docs/a.md), [why](docs/decisions)\n",
            ),
            ("docs/SUMMARY.md", CONTENTS),
            ("docs/a.md", "# A\n## B\n"),
            ("docs/decisions/0001-x.md", "# 0001: X\n"),
        ];
        for (path, text) in usual.iter().chain(files) {
            all.insert((*path).to_owned(), text.as_bytes().to_vec());
        }
        Book::of(all)
    }

    #[test]
    fn what_is_broken_is_named_with_its_line() {
        let cases: &[(&[(&str, &str)], &str)] = &[
            (&[], ""),
            (
                &[("docs/a.md", "# A\n[x](gone.md)\n")],
                "docs/a.md:2: `gone.md` is no file of the book (`docs`, or markdown in the root)",
            ),
            (
                &[("docs/a.md", "# A\n[x](#b)\n")],
                "docs/a.md:2: `#b` `docs/a.md` has no heading `#b`",
            ),
            (
                &[("docs/a.md", "# A\n[x](../../x.md)\n")],
                "docs/a.md:2: `../../x.md` leads out of the repository",
            ),
            (
                &[("docs/a.md", "# A\n[x](reference/cli.md)\n")],
                "docs/a.md:2: `reference/cli.md` is generated: it is only in the built book",
            ),
            (
                &[("docs/b.md", "# B\n"), ("docs/a.md", "[b](b.md)\n")],
                "docs/b.md:1: no chapter: docs/SUMMARY.md does not list it",
            ),
            (
                &[("README.md", "# Front\n")],
                "docs/a.md:1: no other page links to it",
            ),
            (
                &[("docs/reference/cli.md", "# CLI\n"), ("docs/a.md", "# A\n")],
                "docs/reference/cli.md:1: is generated and must not be committed",
            ),
        ];
        for (files, expected) in cases {
            let problems = book(files).problems();
            match expected.is_empty() {
                true => assert!(problems.is_empty(), "{problems:?}"),
                false => assert!(problems.iter().any(|one| one == expected), "{problems:?}"),
            }
        }
    }

    #[test]
    fn the_sources_for_mdbook_mirror_the_repository() {
        let staged = book(&[("docs/images/x.png", "png"), ("docs/book.toml", "[book]")]).staged(
            &BTreeMap::from([("docs/reference/cli.md", "# CLI".to_owned())]),
        );
        let text = |path: &str| String::from_utf8_lossy(&staged[path]).into_owned();
        let summary = text("src/SUMMARY.md");
        for line in [
            "[Front](index.md)",
            "- [A](docs/a.md)",
            "- [D](docs/decisions/index.md)\n  - [0001: X](docs/decisions/0001-x.md)",
        ] {
            assert!(summary.contains(line), "{summary}");
        }
        assert!(text("src/index.md").contains("[why](docs/decisions/index.md)"));
        assert!(text("src/docs/decisions/index.md").contains("- [0001: X](0001-x.md)"));
        assert_eq!(text("book.toml"), "[book]");
        assert_eq!(text("src/docs/images/x.png"), "png");
        assert_eq!(text("src/docs/reference/cli.md"), "# CLI");
    }
}
