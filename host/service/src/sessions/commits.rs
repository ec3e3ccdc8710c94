//! Sessions and the commits that were made in them: a git hook names the session in a trailer of the commit's message
//! (`acreta init --commits`), and `sessions show COMMIT` finds it by that, or else by what git printed in a session.

use acreta_git::GitRepository;
use acreta_search::{SessionOrder, SessionQuery};
use camino::Utf8Path;
use serde::Serialize;

use super::{SessionMatch, find, index};
use crate::process::files::{read_text, write_text};
use crate::{Context, Environment, Failure, Kind};

/// The key of the trailer.
const TRAILER: &str = "Acreta-Session";

/// Any agent's session, as `AGENT/ID`, for programs that are not in the table.
const OWN_VARIABLE: &str = "ACRETA_SESSION";

/// Variables by which agents tell the commands that they run in which session they are. Each was seen in a command that the real
/// program ran.
const VARIABLES: &[(&str, &str)] = &[
    ("claude", "CLAUDE_CODE_SESSION_ID"),
    ("codex", "CODEX_THREAD_ID"),
    ("copilot", "COPILOT_AGENT_SESSION_ID"),
    ("grok", "GROK_SESSION_ID"),
];

/// Maximum bytes of a message, and of the name of a session.
const MESSAGE_BYTES: u64 = 4 * 1024 * 1024;
const NAME_BYTES: usize = 200;

/// Minimum and maximum digits of a commit's id that are looked for: git prints seven, and more in large repositories.
const LEAST_DIGITS: usize = 7;
const MOST_DIGITS: usize = 40;

/// Number of sessions that are looked at for a commit.
const SESSIONS: usize = 20;

/// A session in which a commit was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct CommitSession {
    /// `AGENT/ID`.
    pub session: String,
    /// Named by the commit's message; otherwise, git printed the commit in the session.
    pub is_named: bool,
    /// Where git printed it.
    pub event: Option<String>,
    /// This machine knows the session.
    pub is_here: bool,
}

/// Adds the sessions of the agents that run this process to the message of a commit. A message without words stays as it is:
/// git gives up on it.
pub fn name_sessions(file: &Utf8Path, environment: &Environment) -> Result<(), Failure> {
    let sessions = running(environment);
    if sessions.is_empty() {
        return Ok(());
    }
    let message = read_text(file, MESSAGE_BYTES)?;
    match with_trailers(&message, &sessions) {
        Some(message) => write_text(file, &message),
        None => Ok(()),
    }
}

/// Returns the sessions in which this process runs. An agent that was started by another has both.
fn running(environment: &Environment) -> Vec<String> {
    let own = environment.get(OWN_VARIABLE).cloned();
    let known = VARIABLES.iter().filter_map(|(agent, variable)| {
        let id = environment.get(*variable)?;
        Some(format!("{agent}/{id}"))
    });
    let mut sessions: Vec<String> = own
        .into_iter()
        .chain(known)
        .filter(|name| is_name(name))
        .collect();
    sessions.dedup();
    sessions
}

fn is_name(name: &str) -> bool {
    let is_plain =
        |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.' | ':' | '/');
    let parts = name
        .split_once('/')
        .filter(|(agent, id)| !agent.is_empty() && !id.is_empty());
    parts.is_some() && name.len() <= NAME_BYTES && name.chars().all(is_plain)
}

/// Returns the message with trailers that it lacks; `None` if nothing is to be added.
fn with_trailers(message: &str, sessions: &[String]) -> Option<String> {
    // What follows is for the person in the editor.
    let lines: Vec<&str> = message.split_inclusive('\n').collect();
    let scissors = lines
        .iter()
        .position(|line| line.starts_with('#') && line.contains(">8"));
    let mut end = scissors.unwrap_or(lines.len());
    while end > 0 && (lines[end - 1].trim().is_empty() || lines[end - 1].starts_with('#')) {
        end -= 1;
    }
    let said = &lines[..end];
    let has_words = said
        .iter()
        .any(|line| !line.starts_with('#') && !line.trim().is_empty());
    let trailers = sessions
        .iter()
        .map(|session| format!("{TRAILER}: {session}"));
    let missing: Vec<String> = trailers
        .filter(|trailer| !said.iter().any(|line| line.trim_end() == trailer))
        .collect();
    if !has_words || missing.is_empty() {
        return None;
    }
    let mut text = said.concat();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    let start = said.iter().rposition(|line| line.trim().is_empty());
    // The first paragraph is the subject, even where it looks like a trailer.
    let is_trailers =
        start.is_some_and(|start| said[start + 1..].iter().all(|line| is_trailer(line)));
    if !is_trailers {
        text.push('\n');
    }
    missing
        .iter()
        .for_each(|trailer| text.extend([trailer.as_str(), "\n"]));
    text.push_str(&lines[end..].concat());
    Some(text)
}

fn is_trailer(line: &str) -> bool {
    // A trailer goes on in lines with an indent.
    line.starts_with([' ', '\t'])
        || line.split_once(": ").is_some_and(|(key, _)| {
            !key.is_empty()
                && key
                    .chars()
                    .all(|it| it.is_ascii_alphanumeric() || it == '-')
        })
}

/// Returns the sessions in which a commit was made; `None` if this repository has no such commit.
pub fn of_commit(revision: &str, context: &Context) -> Result<Option<Vec<CommitSession>>, Failure> {
    let Ok(repository) = GitRepository::containing(&context.project) else {
        return Ok(None);
    };
    let Ok(commit) = repository.resolve(revision) else {
        return Ok(None);
    };
    let message = repository
        .message(&commit)
        .map_err(|error| Failure::from_error(&error))?;
    let mut sessions: Vec<CommitSession> = Vec::new();
    for line in message.lines() {
        let named = line
            .strip_prefix(TRAILER)
            .and_then(|rest| rest.strip_prefix(": "));
        let Some(session) = named.map(str::trim).filter(|name| is_name(name)) else {
            continue;
        };
        sessions.push(CommitSession {
            is_here: matches!(find(session, context), Ok(SessionMatch::Known(..))),
            session: session.to_owned(),
            is_named: true,
            event: None,
        });
    }
    for (session, event) in printed(&commit, context)? {
        match sessions.iter_mut().find(|known| known.session == session) {
            Some(known) => known.event = Some(event),
            None => sessions.push(CommitSession {
                session,
                is_named: false,
                event: Some(event),
                is_here: true,
            }),
        }
    }
    match sessions.is_empty() {
        true => Err(Failure::new(
            Kind::Missing,
            format!("no session is known for commit {}", &commit[..LEAST_DIGITS]),
        )
        .hint("`acreta init --commits` has agents' commits name their session from then on")),
        false => Ok(Some(sessions)),
    }
}

/// Returns the sessions in which git printed that it made this commit, and the event: `[main 1a2b3c4] Subject`.
fn printed(commit: &str, context: &Context) -> Result<Vec<(String, String)>, Failure> {
    let index = index::open(context)?;
    index::update(&index, None, context)?;
    let wanted = SessionQuery {
        text: format!("{}*", &commit[..LEAST_DIGITS]),
        role: Some("tool".to_owned()),
        sessions: SESSIONS,
        passages: SESSIONS,
        order: SessionOrder::Newest,
        ..SessionQuery::default()
    };
    let found = index
        .search(&wanted)
        .map_err(|error| Failure::from_error(&error))?;
    let mut sessions = Vec::new();
    for session in found {
        let made = session
            .passages
            .iter()
            .find(|passage| says_made(&passage.snippet.text, commit));
        if let Some(passage) = made {
            sessions.push((session.head.key(), passage.event.clone()));
        }
    }
    Ok(sessions)
}

/// Reports whether a text has git's line for this commit. Its log names it as well, in sessions that only looked.
fn says_made(text: &str, commit: &str) -> bool {
    let digits = |text: &str| text.chars().take_while(char::is_ascii_hexdigit).count();
    text.match_indices('[').any(|(at, _)| {
        let inside = text[at + 1..].split_once(']').map(|(inside, _)| inside);
        let last = inside
            .and_then(|inside| inside.rsplit_once(' '))
            .map(|(_, last)| last);
        last.is_some_and(|last| {
            (LEAST_DIGITS..=MOST_DIGITS).contains(&last.len())
                && digits(last) == last.len()
                && commit.starts_with(last)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn trailers_are_put_where_git_looks_for_them() {
        let one = "Acreta-Session: claude/1";
        let table = [
            ("Fix it\n", Some(format!("Fix it\n\n{one}\n"))),
            ("Fix it", Some(format!("Fix it\n\n{one}\n"))),
            ("fix: it\n", Some(format!("fix: it\n\n{one}\n"))),
            (
                "A\n\nB\n\nSigned-off-by: x\n",
                Some(format!("A\n\nB\n\nSigned-off-by: x\n{one}\n")),
            ),
            (
                "A\n\nSee: this\nand that\n",
                Some(format!("A\n\nSee: this\nand that\n\n{one}\n")),
            ),
            (
                "A\n\n# Please enter\n",
                Some(format!("A\n\n{one}\n\n# Please enter\n")),
            ),
            (
                "A\n# --- >8 ---\ndiff\n",
                Some(format!("A\n\n{one}\n# --- >8 ---\ndiff\n")),
            ),
            ("A\n\nAcreta-Session: claude/1\n", None),
            ("\n# Please enter\n", None),
            ("", None),
        ];
        for (message, expected) in table {
            assert_eq!(
                with_trailers(message, &["claude/1".to_owned()]),
                expected,
                "{message:?}"
            );
        }
    }

    #[test]
    fn sessions_come_from_variables_of_agents() {
        let table: [(&[(&str, &str)], &[&str]); 5] = [
            (&[("CLAUDE_CODE_SESSION_ID", "a-1")], &["claude/a-1"]),
            (
                &[("CODEX_THREAD_ID", "b"), ("CLAUDE_CODE_SESSION_ID", "a")],
                &["claude/a", "codex/b"],
            ),
            (&[("ACRETA_SESSION", "pi/c")], &["pi/c"]),
            (
                &[("ACRETA_SESSION", "no agent"), ("GROK_SESSION_ID", "a\nb")],
                &[],
            ),
            (&[("HOME", "/x")], &[]),
        ];
        for (variables, expected) in table {
            let variables = variables
                .iter()
                .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
            assert_eq!(running(&variables.collect()), expected);
        }
    }

    #[test]
    fn gits_own_line_says_that_a_commit_was_made() {
        let commit = "1a2b3c4d5e6f7a8b9c0d1a2b3c4d5e6f7a8b9c0d";
        let table = [
            ("[main 1a2b3c4] Fix", true),
            ("x\n[main (root-commit) 1a2b3c4d] Fix", true),
            ("[detached HEAD 1a2b3c4] Fix", true),
            ("1a2b3c4 Fix", false),
            ("[main 1a2b3c5] Fix", false),
            ("[main 1a2] Fix", false),
        ];
        for (text, expected) in table {
            assert_eq!(says_made(text, commit), expected, "{text}");
        }
    }
}
