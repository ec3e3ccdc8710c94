//! `docs/tutorial.md`, followed as it is written, in each language whose tools are there.

use std::path::Path;

use acreta_book::{Book, Page};

use crate::plugin_projects::builder;
use crate::support::{Project, ran};

/// Replaces the function of the template that a block of the page is for, as the reader would.
pub(crate) fn change(page: &Page, language: &str, folder: &Path) {
    let blocks = page.blocks().iter();
    let mut blocks = blocks.filter_map(|block| Some((block, block.comment.as_deref()?)));
    let wanted = format!("replaces: {language} ");
    let (block, comment) = blocks
        .find(|(_, comment)| comment.starts_with(&wanted))
        .unwrap();
    let (file, beginning) = comment[wanted.len()..].split_once(' ').unwrap();
    let path = folder.join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let start = text.find(beginning.trim_matches('"')).unwrap();
    let end = match language {
        "python" => text[start..].find("\n\n\n").map(|end| end + 1),
        _ => text[start..].find("\n}\n").map(|end| end + 3),
    };
    let end = start + end.unwrap();
    let text = format!("{}{}{}", &text[..start], block.text, &text[end..]);
    #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
    std::fs::write(path, text).unwrap();
}

fn follow(language: &str) {
    let Some(build) = builder(language) else {
        return;
    };
    let book = Book::read(&acreta_plugin_build::workspace_root()).unwrap();
    let page = book.page("docs/tutorial.md").unwrap();
    let project = Project::new();
    let here = |arguments: &[&str], folder: &Path| {
        let mut command = project.command(arguments);
        ran(command.current_dir(folder).output().unwrap()).succeeded()
    };
    let new = ["plugin", "new", "extractor", "remember", "--lang", language];
    here(&new, project.outside());
    let folder = project.outside().join("remember");
    change(page, language, &folder);
    build(&project, &folder);
    let checked = here(&["plugin", "check", ".", "--json"], &folder).json();
    assert_eq!(checked["role"], "extractor", "{checked}");

    learns(&project, &book, &folder.join("remember.wasm"));
}

/// Runs the plugin on the session of the page; it learns what the page says.
pub(crate) fn learns(project: &Project, book: &Book, plugin: &Path) {
    let page = book.page("docs/tutorial.md").unwrap();
    let is_session = |comment: &str| comment == "file: session.jsonl";
    let mut blocks = page.blocks().iter();
    let session = blocks.find(|block| block.comment.as_deref().is_some_and(is_session));
    let session = project.write("session.jsonl", session.unwrap().text.as_bytes());
    let run = project
        .acreta(&[
            "run",
            session.to_str().unwrap(),
            "--plugin",
            plugin.to_str().unwrap(),
            "--no-llm",
            "--json",
        ])
        .succeeded()
        .json();
    let actions = run["actions"].as_array().unwrap();
    let learnt: Vec<&str> = actions
        .iter()
        .filter(|action| {
            let path = action["path"].as_str();
            path.is_some_and(|path| path.starts_with("learnings/"))
        })
        .filter_map(|action| action["title"].as_str())
        .collect();
    let [title] = learnt.as_slice() else {
        panic!("{run:#}");
    };
    assert!(page.text().contains(&format!("`{title}`")), "{title}");
}

#[test]
fn in_rust() {
    follow("rust");
}

#[cfg(unix)]
#[test]
fn in_javascript() {
    follow("js");
}

#[test]
fn in_python() {
    follow("python");
}
