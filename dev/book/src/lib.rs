//! The book: the markdown files of the repository as chapters, in the order of `docs/SUMMARY.md`.
//!
//! Checks every link, anchor and command line of the documents, and generates the chapters that are not written by hand
//! ([`reference`]). Reads files and gives texts and problems; writing and starting programs is left to the caller.

pub mod commands;
mod links;
mod markdown;
pub mod recording;
pub mod reference;

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;

pub use markdown::{Block, Page};

/// Table of contents, in the form that mdBook reads. Its links are relative to `docs`.
const SUMMARY: &str = "docs/SUMMARY.md";

/// Chapters that [`reference`] generates; no other page may link to them, because they are not in the repository.
pub const GENERATED: [&str; 5] = [
    "docs/reference/cli.md",
    "docs/reference/configuration.md",
    "docs/reference/http.md",
    "docs/reference/mcp.md",
    DECISIONS,
];

/// Index of the decisions, which is made from their titles. Each decision is a chapter beneath it.
const DECISIONS: &str = "docs/decisions/README.md";

/// The documents, by path relative to the repository with `/` between its parts.
#[derive(Debug)]
pub struct Book {
    pages: BTreeMap<String, Page>,
    /// Images and other files beneath `docs`, and the licences.
    files: BTreeMap<String, Vec<u8>>,
}

impl Book {
    /// Reads the markdown files of the repository's root and everything beneath `docs`.
    pub fn read(repository: &Path) -> io::Result<Self> {
        let mut texts = BTreeMap::new();
        collect(repository, "", false, &mut texts)?;
        texts.retain(|path, _| is_markdown(path) || path.starts_with("LICENSE"));
        collect(repository, "docs", true, &mut texts)?;
        Ok(Self::of(texts))
    }

    /// Makes a book of files in memory.
    pub fn of(all: BTreeMap<String, Vec<u8>>) -> Self {
        let (mut pages, mut files) = (BTreeMap::new(), BTreeMap::new());
        for (path, bytes) in all {
            match is_markdown(&path) {
                true => {
                    let text = String::from_utf8_lossy(&bytes).into_owned();
                    pages.insert(path.clone(), Page::parse(&path, &text));
                }
                false => {
                    files.insert(path, bytes);
                }
            }
        }
        Self { pages, files }
    }

    pub fn pages(&self) -> impl Iterator<Item = &Page> {
        self.pages.values()
    }

    pub fn page(&self, path: &str) -> Option<&Page> {
        self.pages.get(path)
    }

    /// Returns what is wrong with chapters, links and anchors, each as `path:line: problem`.
    pub fn problems(&self) -> Vec<String> {
        links::problems(self)
    }

    /// Returns the sources for mdBook by path: `book.toml`, and beneath `src` a mirror of the repository, so that relative
    /// links work in both. `generated` has the texts of [`GENERATED`] but for the index of the decisions.
    pub fn staged(&self, generated: &BTreeMap<&str, String>) -> BTreeMap<String, Vec<u8>> {
        let mut staged = BTreeMap::new();
        for (path, bytes) in &self.files {
            match path.as_str() {
                "docs/book.toml" => staged.insert("book.toml".to_owned(), bytes.clone()),
                _ => staged.insert(format!("src/{path}"), bytes.clone()),
            };
        }
        for (path, page) in &self.pages {
            match path == SUMMARY {
                true => staged.insert("src/SUMMARY.md".to_owned(), self.summary().into_bytes()),
                false => staged.insert(
                    format!("src/{}", links::index_path(path)),
                    links::to_index_pages(page).into_bytes(),
                ),
            };
        }
        for (path, text) in generated {
            staged.insert(format!("src/{path}"), text.clone().into_bytes());
        }
        let decisions = links::index_path(DECISIONS);
        staged.insert(format!("src/{decisions}"), self.decisions().into_bytes());
        staged
    }

    /// Returns the table of contents with paths relative to the mirror, and with the decisions.
    fn summary(&self) -> String {
        let mut text = String::new();
        let summary = self.pages.get(SUMMARY).map_or("", Page::text);
        for line in summary.lines() {
            let moved = line.replace("](../", "](<root>/").replace("](", "](docs/");
            let moved = moved.replace("](docs/<root>/", "](");
            text.push_str(&moved.replace("README.md)", "index.md)"));
            text.push('\n');
            if line.contains("](decisions/README.md)") {
                let indent = line.len() - line.trim_start().len();
                for (path, title) in self.decision_titles() {
                    text.push_str(&format!("{:indent$}  - [{title}]({path})\n", ""));
                }
            }
        }
        text
    }

    fn decisions(&self) -> String {
        let mut text = String::from(
            "# Decisions\n\nWhy things are as they are: context, choice, what was given up, and how we would know that a choice was wrong.\n\n",
        );
        for (path, title) in self.decision_titles() {
            let name = path.rsplit('/').next().unwrap_or_default();
            text.push_str(&format!("- [{title}]({name})\n"));
        }
        text
    }

    fn decision_titles(&self) -> impl Iterator<Item = (&String, &str)> {
        let pages = self.pages.iter();
        let decisions = pages.filter(|(path, _)| path.starts_with("docs/decisions/"));
        decisions.map(|(path, page)| (path, page.title()))
    }
}

fn is_markdown(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|end| end == "md")
}

fn collect(
    repository: &Path,
    folder: &str,
    deep: bool,
    found: &mut BTreeMap<String, Vec<u8>>,
) -> io::Result<()> {
    for entry in fs::read_dir(repository.join(folder))? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = match folder.is_empty() {
            true => name,
            false => format!("{folder}/{name}"),
        };
        let kind = entry.file_type()?;
        if kind.is_dir() && deep {
            collect(repository, &path, deep, found)?;
        } else if kind.is_file() {
            found.insert(path, fs::read(entry.path())?);
        }
    }
    Ok(())
}
