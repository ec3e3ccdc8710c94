//! Bench of answers: `ask FILE` puts questions to the real `acreta`, half of them without an answer in memory, and
//! counts false answers and passages that answer. Prints a table, then one line of JSON.

mod project;
mod set;
mod table;

use std::path::{Path, PathBuf};

use crate::Outcome;
use project::Project;
use set::Set;

pub(crate) const USAGE: &str = "  ask FILE [--verbose]";

/// A question and its result.
pub(crate) struct AskedQuestion {
    /// Index of its project in the file.
    pub(crate) project: usize,
    pub(crate) question: String,
    pub(crate) is_answerable: bool,
    pub(crate) outcome: QuestionVerdict,
    /// The right memory is one of the two whose passages are shown, as an answer or as a perhaps.
    pub(crate) is_shown: bool,
    /// A passage is shown, as an answer or as a perhaps.
    pub(crate) shows_any: bool,
    /// The passages that are shown.
    pub(crate) passages: String,
    /// They contain the sentence that the file names.
    pub(crate) is_quoted: bool,
    /// How sure it is of the best passage, in percent.
    pub(crate) sure: u64,
}

/// The outcome of a question.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum QuestionVerdict {
    /// Answered from a memory that has the answer.
    Right,
    /// Answered from another memory, though one has the answer.
    Wrong,
    /// Not answered, though a memory has the answer.
    Missed,
    /// Answered, though no memory has the answer.
    False,
    /// Not answered, and no memory has the answer.
    Refused,
}

pub(crate) fn run(words: &[&str]) -> Option<Outcome<()>> {
    let ["ask", file, rest @ ..] = words else {
        return None;
    };
    let mut binary = None;
    let mut is_verbose = false;
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        match *word {
            "--verbose" => is_verbose = true,
            "--binary" => binary = rest.next().map(PathBuf::from),
            other => return Some(Err(format!("unknown option `{other}`").into())),
        }
    }
    let binary = binary?;
    Some(bench(Path::new(file), &binary, is_verbose))
}

fn bench(file: &Path, binary: &Path, is_verbose: bool) -> Outcome<()> {
    let set = Set::read(file)?;
    let mut asked = Vec::new();
    for (place, project) in set.projects.iter().enumerate() {
        eprintln!("{}: {} questions", project.name, project.questions.len());
        let scratch = Project::new(binary, project)?;
        for question in &project.questions {
            asked.push(scratch.ask(place, question)?);
        }
    }
    if is_verbose {
        table::questions(&asked);
    }
    let projects: Vec<&str> = set
        .projects
        .iter()
        .map(|project| project.name.as_str())
        .collect();
    let result = table::print(&asked, &projects);
    println!(
        "{}",
        serde_json::json!({ "bench": "ask", "result": result })
    );
    Ok(())
}
