//! Bench of answers: `ask FILE` puts questions to the real `acreta`, half of them without an answer in memory, and
//! counts false and missed answers. Prints a table, then one line of JSON.

mod fit;
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
    /// The kind of question, as `acreta` classifies it.
    pub(crate) kind: String,
    pub(crate) is_answerable: bool,
    pub(crate) outcome: QuestionVerdict,
    /// The right memory is a source, or one of the two named instead of an answer.
    pub(crate) is_pointed_at: bool,
    pub(crate) answer: String,
    /// The answer contains the sentence that the file names.
    pub(crate) is_quoted: bool,
    /// Figures of the best memory, and whether it is the right one. `None` if nothing was found.
    pub(crate) best: Option<Best>,
}

pub(crate) struct Best {
    pub(crate) figures: Vec<f64>,
    pub(crate) is_right: bool,
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
    let mut names: Vec<String> = Vec::new();
    for (place, project) in set.projects.iter().enumerate() {
        eprintln!("{}: {} questions", project.name, project.questions.len());
        let scratch = Project::new(binary, project)?;
        for question in &project.questions {
            let (one, figure_names) = scratch.ask(place, question)?;
            names = if names.is_empty() {
                figure_names
            } else {
                names
            };
            asked.push(one);
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
    let shipped = table::shipped(&asked, &projects);
    let left_out = fit::left_out(&asked, projects.len());
    table::left_out(&left_out, &projects);
    fit::print_weights(&asked, &names);
    println!(
        "{}",
        serde_json::json!({ "bench": "ask", "shipped": shipped, "left_out": table::totals(left_out.iter().copied()) })
    );
    Ok(())
}
