//! The signature of a failure: the program that was run, and the lines of its output that state the error.

use sha2::{Digest, Sha256};

use crate::normalise::{normalise, without_escapes};
use crate::result::ShellResult;
use crate::shell::ShellLine;
use crate::wording::{is_verdict, names_error};

/// Bytes of output that are read, from its beginning and its end.
const HEAD: usize = 16 * 1024;
const TAIL: usize = 8 * 1024;
/// Maximum number of lines in a signature.
const MOST_LINES: usize = 3;
/// All lines of an output this short count, whatever they say.
const SHORT: usize = 3;
/// Maximum number of programs of one command line.
const MOST_PROGRAMS: usize = 4;

/// The lines of an output that state the error: verbatim, and normalised in a fixed order.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Causes {
    pub(crate) raw: String,
    pub(crate) normalised: Vec<String>,
}

/// Returns the signatures of a failed command: one for each program that its line runs. Empty if the output does not
/// state the error.
pub fn signatures(command: &str, output: &str) -> Vec<String> {
    signatures_of(&ShellLine::parse(command), &causes(output))
}

pub(crate) fn signatures_of(line: &ShellLine, causes: &Causes) -> Vec<String> {
    if causes.normalised.is_empty() {
        return Vec::new();
    }
    let mut programs: Vec<String> = Vec::new();
    for command in line.work() {
        let program = command.program().to_lowercase();
        if !program.is_empty() && !programs.contains(&program) {
            programs.push(program);
        }
    }
    programs.truncate(MOST_PROGRAMS);
    programs
        .iter()
        .map(|program| signature(program, causes))
        .collect()
}

fn signature(program: &str, causes: &Causes) -> String {
    let mut hasher = Sha256::new();
    hasher.update(program);
    for cause in &causes.normalised {
        hasher.update("\n");
        hasher.update(cause);
    }
    acreta_text::hex(&hasher.finalize()[..16])
}

/// Returns the lines that state the error.
pub(crate) fn causes(output: &str) -> Causes {
    let output = ShellResult::parse(output).output;
    let output = bounded(&output);
    let mut causes = Causes::default();
    let mut lines = Vec::new();
    for line in output
        .split("<system-reminder>")
        .next()
        .unwrap_or("")
        .lines()
    {
        let line = without_escapes(line);
        let line = line.trim();
        if line.is_empty() || is_verdict(line) {
            continue;
        }
        if names_error(line) {
            causes.add(line);
        }
        if lines.len() <= SHORT {
            lines.push(line.to_owned());
        }
        if causes.normalised.len() == MOST_LINES {
            break;
        }
    }
    if causes.normalised.is_empty() && lines.len() <= SHORT {
        for line in &lines {
            causes.add(line);
        }
    }
    // Parallel tasks fail in any order.
    causes.normalised.sort_unstable();
    causes
}

impl Causes {
    fn add(&mut self, line: &str) {
        let normalised = normalise(line);
        // Marks alone carry no information.
        let says_something = normalised
            .split(['<', '>', '#'])
            .step_by(2)
            .any(|part| part.chars().filter(|one| one.is_alphabetic()).count() >= 3);
        if !says_something || self.normalised.contains(&normalised) {
            return;
        }
        self.normalised.push(normalised);
        self.raw.push_str(acreta_text::head(line, 400));
        self.raw.push('\n');
    }
}

fn bounded(output: &str) -> std::borrow::Cow<'_, str> {
    if output.len() <= HEAD + TAIL {
        return output.into();
    }
    let mut start = output.len() - TAIL;
    while !output.is_char_boundary(start) {
        start += 1;
    }
    format!("{}\n{}", acreta_text::head(output, HEAD), &output[start..]).into()
}

/// Returns the words of a cure that occur in the failure but not in its signature: paths, names with numbers. The cure
/// fits another failure with this signature only if they occur there, too.
pub(crate) fn specifics(cure: &ShellLine, failed: &ShellLine, causes: &Causes) -> Vec<String> {
    let kept = causes.normalised.join("\n").to_lowercase();
    let in_failed: Vec<String> = failed
        .work()
        .into_iter()
        .flat_map(|one| one.words)
        .collect();
    let mut specifics = Vec::new();
    for command in cure.work() {
        let program = command.program().to_owned();
        for word in command.words.iter().skip(1) {
            let word = word.trim_matches(['.', '/', ':']);
            if word.len() < 2 || word.starts_with('-') || word == program {
                continue;
            }
            let is_in_failure =
                causes.raw.contains(word) || in_failed.iter().any(|one| one == word);
            let is_kept = kept.contains(&word.to_lowercase());
            if is_in_failure && !is_kept && !specifics.iter().any(|known| known == word) {
                specifics.push(word.to_owned());
            }
        }
    }
    specifics
}

/// Reports whether the words that a cure needs occur in a failed command or its output.
pub fn specifics_are_in(specifics: &[String], command: &str, output: &str) -> bool {
    specifics
        .iter()
        .all(|word| command.contains(word) || output.contains(word))
}
