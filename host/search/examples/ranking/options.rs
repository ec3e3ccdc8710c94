//! Options of the bench.

use std::path::PathBuf;

use camino::Utf8PathBuf;

pub(crate) const USAGE: &str =
    "ranking [--turns FILE] [--long FILE] [--memories FILE] [--code FILE --repos DIR] [--model DIR]
   or: cargo xtask bench retrieval FILE [--model DIR]";

pub(crate) struct Options {
    pub(crate) task: Task,
    pub(crate) model: Option<Utf8PathBuf>,
}

pub(crate) enum Task {
    Retrieval(PathBuf),
    Ranking(Files),
}

/// The sets of questions, one of each kind.
#[derive(Default)]
pub(crate) struct Files {
    /// Conversations of short turns.
    pub(crate) turns: Option<PathBuf>,
    /// Conversations with long answers, in the same format.
    pub(crate) long: Option<PathBuf>,
    pub(crate) memories: Option<PathBuf>,
    /// Issues, and the folder with clones of their repositories.
    pub(crate) code: Option<(PathBuf, PathBuf)>,
}

pub(crate) fn parse(words: &[&str]) -> Result<Options, String> {
    let (retrieval, mut rest) = match words {
        ["retrieval", file, rest @ ..] => (Some(PathBuf::from(file)), rest),
        ["ranking", rest @ ..] => (None, rest),
        _ => return Err("no bench was named".to_owned()),
    };
    let mut files = Files::default();
    let (mut model, mut issues, mut clones) = (None, None, None);
    while let [name, value, later @ ..] = rest {
        let path = Some(PathBuf::from(value));
        match *name {
            "--turns" => files.turns = path,
            "--long" => files.long = path,
            "--memories" => files.memories = path,
            "--code" => issues = path,
            "--repos" => clones = path,
            "--model" => model = Some(Utf8PathBuf::from(value)),
            _ => return Err(format!("unknown option `{name}`")),
        }
        rest = later;
    }
    if let [word, ..] = rest {
        return Err(format!("`{word}` has no value"));
    }
    files.code = match (issues, clones) {
        (Some(issues), Some(clones)) => Some((issues, clones)),
        (None, None) => None,
        _ => return Err("`--code` and `--repos` belong together".to_owned()),
    };
    let task = match retrieval {
        Some(file) => Task::Retrieval(file),
        None => Task::Ranking(files),
    };
    Ok(Options { task, model })
}
