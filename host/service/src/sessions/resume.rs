//! Continues a session in its own agent: `sessions resume`. The command line of each agent is a row of one table. A session file
//! that its agent deleted is put back from the archive, to its own place and only if nothing is there.

use std::fmt;
use std::io;

use acreta_fs::{Directory, NoFaults};
use acreta_session_archive::RescueLimits;
use acreta_state::{Archive, ArchiveKind, KnownSession, Relation, SessionKey};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use super::{SessionMatch, find, root_of, roots};
use crate::learn::sync_options::is_elsewhere;
use crate::process::files::split;
use crate::{Context, Failure, Kind, process::archive};

/// How an agent's program is started; `{}` stands for the id of a session, or for a text.
struct AgentProgram {
    agent: &'static str,
    program: &'static str,
    /// Arguments that continue a session.
    resume: &'static [&'static str],
    /// Arguments that start a session with a first prompt and wait for the person; empty if there are none.
    prompt: &'static [&'static str],
    known_from: KnownFrom,
    /// What differs from going on where the session ended.
    note: Option<&'static str>,
}

/// Where a command line is known from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum KnownFrom {
    /// The program continued a session, and had its earlier turns.
    Tried,
    /// The program's own help lists the options.
    Help,
    /// The agent's documentation; the program was not at hand.
    Documentation,
}

const fn row(
    agent: &'static str,
    program: &'static str,
    resume: &'static [&'static str],
    prompt: &'static [&'static str],
    known_from: KnownFrom,
) -> AgentProgram {
    AgentProgram {
        agent,
        program,
        resume,
        prompt,
        known_from,
        note: None,
    }
}

use KnownFrom::{Documentation, Help, Tried};

const PROGRAMS: &[AgentProgram] = &[
    row("claude", "claude", &["--resume", "{}"], &["{}"], Tried),
    row("codex", "codex", &["resume", "{}"], &["{}"], Tried),
    row(
        "gemini",
        "gemini",
        &["--resume", "{}"],
        &["--prompt-interactive", "{}"],
        Tried,
    ),
    row(
        "opencode",
        "opencode",
        &["--session", "{}"],
        &["--prompt", "{}"],
        Tried,
    ),
    row(
        "kilo",
        "kilo",
        &["--session", "{}"],
        &["--prompt", "{}"],
        Tried,
    ),
    row(
        "copilot",
        "copilot",
        &["--resume={}"],
        &["--interactive", "{}"],
        Tried,
    ),
    row(
        "qwen",
        "qwen",
        &["--resume", "{}"],
        &["--prompt-interactive", "{}"],
        Tried,
    ),
    row("kimi", "kimi", &["--session", "{}"], &[], Tried),
    row("pi", "pi", &["--session", "{}"], &["{}"], Tried),
    row("grok", "grok", &["--resume={}"], &["{}"], Tried),
    row("cline", "cline", &["--id", "{}"], &[], Tried),
    row("amp", "amp", &["threads", "continue", "{}"], &[], Help),
    AgentProgram {
        note: Some("it goes on in a copy: `cn` resumes only its last session"),
        ..row("continue", "cn", &["--fork", "{}"], &["{}"], Tried)
    },
    row(
        "droid",
        "droid",
        &["--resume", "{}"],
        &["{}"],
        Documentation,
    ),
    AgentProgram {
        note: Some(
            "only sessions of its command line go on so; those of the editor are in the editor's history",
        ),
        ..row(
            "cursor",
            "cursor-agent",
            &["--resume={}"],
            &["{}"],
            Documentation,
        )
    },
    row(
        "goose",
        "goose",
        &["session", "--resume", "--session-id", "{}"],
        &["run", "--interactive", "--text", "{}"],
        Documentation,
    ),
    row("crush", "crush", &["--session", "{}"], &[], Documentation),
    row(
        "openhands",
        "openhands",
        &["--resume", "{}"],
        &["--task", "{}"],
        Documentation,
    ),
    AgentProgram {
        note: Some(
            "only sessions of its command line go on so; those of the editor are in the editor's history",
        ),
        ..row(
            "kiro",
            "kiro-cli",
            &["chat", "--resume-id", "{}"],
            &["chat", "{}"],
            Documentation,
        )
    },
    row("vibe", "vibe", &["--resume", "{}"], &["{}"], Tried),
    row("hermes", "hermes", &["--resume", "{}"], &[], Tried),
    row("gptme", "gptme", &["--name", "{}"], &["{}"], Tried),
    row("omp", "omp", &["--resume={}"], &["{}"], Tried),
    row(
        "openclaude",
        "openclaude",
        &["--resume", "{}"],
        &["{}"],
        Documentation,
    ),
    row(
        "forge",
        "forge",
        &["--conversation-id", "{}"],
        &[],
        Documentation,
    ),
];

/// A command line that a person can run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AgentCommand {
    pub program: String,
    pub arguments: Vec<String>,
    /// The folder in which it has to run.
    pub directory: Option<Utf8PathBuf>,
    pub known_from: KnownFrom,
    pub note: Option<&'static str>,
}

/// As it is typed in a shell of Unix.
impl fmt::Display for AgentCommand {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(directory) = &self.directory {
            write!(formatter, "cd {} && ", quoted(directory.as_str()))?;
        }
        formatter.write_str(&self.program)?;
        let mut arguments = self.arguments.iter();
        arguments.try_for_each(|one| write!(formatter, " {}", quoted(one)))
    }
}

/// A session to continue.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Resumption {
    pub session: String,
    pub command: AgentCommand,
    /// The session's file.
    pub file: Utf8PathBuf,
    /// Its agent deleted the file.
    pub is_file_missing: bool,
    /// The file was put back.
    pub is_restored: bool,
}

/// Returns the command that continues a session. With `restores`, a file that its agent deleted is put back first.
pub fn resume(id: &str, restores: bool, context: &Context) -> Result<Resumption, Failure> {
    let known = match find(id, context)? {
        SessionMatch::Known(known, _) => known,
        SessionMatch::Recovered(session) => {
            let message = format!(
                "of `{}` only the prompts are left, so no agent can continue it",
                session.id
            );
            return Err(Failure::new(Kind::Refused, message).hint(HANDOFF));
        }
    };
    let key = known.key();
    if known.relation == Relation::Subagent {
        let parent = known.session.parent.as_deref().unwrap_or_default();
        let message =
            format!("{key} is the session of a subagent, which goes on with its parent alone");
        return Err(Failure::new(Kind::Refused, message)
            .hint(format!("`acreta sessions resume {}/{parent}`", key.agent)));
    }
    if !known.is_here || is_elsewhere(&known.file, context) {
        let message = format!("{key} is a session of another machine");
        return Err(Failure::new(Kind::Refused, message).hint(HANDOFF));
    }
    let Some(mut command) = command(&key.agent, &key.id) else {
        let message = format!(
            "no command is known that continues a session of {}",
            key.agent
        );
        return Err(Failure::new(Kind::Refused, message).hint(HANDOFF));
    };
    command.directory = directory(&known, context)?;
    let file = plain_file(&known.file);
    let is_missing = |file: &Utf8Path| file.symlink_metadata().is_err();
    let is_file_missing = is_missing(&known.file) && is_missing(&file);
    let is_trace = |copy: &Archive| copy.kind == ArchiveKind::Trace;
    if known.gone_ms.is_some() && known.archive.as_ref().is_some_and(is_trace) {
        return Err(not_restorable(&key));
    }
    if is_file_missing && restores {
        restore(&known, &file, context)?;
    }
    Ok(Resumption {
        session: key.to_string(),
        command,
        file,
        is_file_missing,
        is_restored: is_file_missing && restores,
    })
}

const HANDOFF: &str =
    "`acreta sessions handoff ID --to AGENT` starts a new session with an account of it";

/// Returns the command with which an agent continues a session; `None` if none is known, or if the id could be taken for an
/// option.
pub(super) fn command(agent: &str, id: &str) -> Option<AgentCommand> {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.' | ':');
    let is_id = !id.is_empty() && id.chars().all(is_plain) && !id.starts_with('-');
    let program = program(agent).filter(|_| is_id)?;
    Some(program.command(program.resume, id))
}

/// Returns the command that starts a session of an agent with a first prompt.
pub(super) fn first_prompt(agent: &str, text: &str) -> Result<AgentCommand, Failure> {
    let can = || {
        let rows = PROGRAMS.iter().filter(|row| !row.prompt.is_empty());
        rows.map(|row| row.agent).collect::<Vec<_>>().join(", ")
    };
    match program(agent) {
        Some(program) if !program.prompt.is_empty() => Ok(program.command(program.prompt, text)),
        Some(_) => {
            let message = format!("{agent} takes no first prompt and then waits for you");
            Err(Failure::new(Kind::Refused, message)
                .hint("start it, and paste the account that `handoff` prints without `--to`"))
        }
        None => {
            let message = format!("no command is known that starts `{agent}`");
            Err(Failure::new(Kind::Usage, message).hint(format!("expected one of {}", can())))
        }
    }
}

fn program(agent: &str) -> Option<&'static AgentProgram> {
    let agent = match agent {
        "claude-code" => "claude",
        agent => agent,
    };
    PROGRAMS.iter().find(|row| row.agent == agent)
}

impl AgentProgram {
    fn command(&self, arguments: &[&str], value: &str) -> AgentCommand {
        AgentCommand {
            program: self.program.to_owned(),
            arguments: arguments
                .iter()
                .map(|one| one.replace("{}", value))
                .collect(),
            directory: None,
            known_from: self.known_from,
            note: self.note,
        }
    }
}

/// Returns the folder in which a session ran. Several agents look for sessions by it.
pub(super) fn directory(
    known: &KnownSession,
    context: &Context,
) -> Result<Option<Utf8PathBuf>, Failure> {
    let own = known.session.project_dir.as_deref().map(Utf8PathBuf::from);
    let own = own.filter(|folder| folder.is_absolute());
    if let Some(folder) = own.as_ref().filter(|folder| folder.is_dir()) {
        return Ok(Some(folder.clone()));
    }
    // Its worktree is gone, or the project moved.
    let roots = roots(context)?;
    match (root_of(known, &roots).filter(|root| root.is_dir()), own) {
        (Some(root), _) => Ok(Some(root.to_owned())),
        (None, Some(folder)) => {
            let message = format!("the folder of the session is gone: `{folder}`");
            Err(Failure::new(Kind::Refused, message)
                .hint("create it, or say with `acreta project add NEW --also OLD` where the project is now"))
        }
        (None, None) => Ok(None),
    }
}

/// Returns the file of a session as it is archived: uncompressed.
pub(super) fn plain_file(file: &Utf8Path) -> Utf8PathBuf {
    match file.as_str().strip_suffix(".zst") {
        Some(plain) => plain.into(),
        None => file.to_owned(),
    }
}

/// Puts the archived copy of a session where its agent had it. The copy has no secrets.
fn restore(known: &KnownSession, file: &Utf8Path, context: &Context) -> Result<(), Failure> {
    let key = known.key();
    let refused = |message: String| Failure::new(Kind::Refused, message).hint(HANDOFF);
    let Some(copied) = &known.archive else {
        return Err(refused(format!(
            "the agent deleted {key}, and it is not archived"
        )));
    };
    if copied.kind == ArchiveKind::Trace {
        return Err(not_restorable(&key));
    }
    if known.root.is_empty() {
        let message = format!(
            "{key} was in no folder of its agent, so there is no place to put it back to: `{file}`"
        );
        return Err(
            refused(message).hint("`acreta sessions export ID -o FILE` writes it to any place")
        );
    }
    let (folder, name) = split(file)?;
    let folder = Directory::open_or_create(&folder, NoFaults::shared())?.private();
    let archive = archive::open(context)?;
    let mut copy = archive.open(&key.agent, &copied.digest, &RescueLimits::default())?;
    let mut pending = folder.pending(name)?;
    io::copy(&mut copy, &mut pending).map_err(|cause| {
        let mut failure = Failure::saying(format!("`{file}` could not be put back"));
        failure.causes.push(cause.to_string());
        failure
    })?;
    if folder.exists(name)? {
        return Err(Failure::new(Kind::Busy, format!("`{file}` is there again"))
            .hint("run the command again"));
    }
    Ok(pending.commit()?)
}

fn not_restorable(key: &SessionKey) -> Failure {
    let message = format!(
        "the agent deleted {key} from a database or from several files, which cannot be put back"
    );
    Failure::new(Kind::Refused, message).hint(HANDOFF)
}

/// Returns a word for a shell of Unix.
fn quoted(word: &str) -> String {
    let is_plain = |it: char| it.is_ascii_alphanumeric() || "-_./=:@%+,".contains(it);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', r"'\''")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_made_of_the_table() {
        let table = [
            ("claude", "3e9d-1", Some("claude --resume 3e9d-1")),
            ("claude-code", "3e9d-1", Some("claude --resume 3e9d-1")),
            ("codex", "01-a", Some("codex resume 01-a")),
            ("copilot", "a", Some("copilot --resume=a")),
            (
                "goose",
                "20251108_1",
                Some("goose session --resume --session-id 20251108_1"),
            ),
            ("aider", "a", None),
            // An id must not be an option, nor another word.
            ("claude", "--dangerously-skip-permissions", None),
            ("claude", "a b", None),
            ("claude", "", None),
        ];
        for (agent, id, expected) in table {
            let made = command(agent, id).map(|command| command.to_string());
            assert_eq!(made.as_deref(), expected, "{agent} {id}");
        }
        let mut agents: Vec<&str> = PROGRAMS.iter().map(|row| row.agent).collect();
        agents.sort_unstable();
        agents.dedup();
        assert_eq!(agents.len(), PROGRAMS.len());
    }

    #[test]
    fn a_text_is_one_word_of_the_shell() {
        let mut command = first_prompt("codex", "it's $HOME\n`x`").unwrap();
        command.directory = Some("/a b".into());
        assert_eq!(
            command.to_string(),
            "cd '/a b' && codex 'it'\\''s $HOME\n`x`'"
        );
        assert!(first_prompt("kimi", "x").is_err() && first_prompt("nobody", "x").is_err());
    }
}
