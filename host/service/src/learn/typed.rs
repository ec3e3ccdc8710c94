//! What the person typed lately in a project, as hashes: the prompt hook records every prompt, so that a note can be
//! tied to the session whose words it quotes before that session is read, and so that an agent is reminded to make
//! notes now and then.
//!
//! One JSON object per prompt and line, in a private file of the user's home, never in the repository. A prompt is
//! recorded as 64-bit hashes of its sequences of three units; a unit is a word, or one character of a script without
//! spaces. `always use pnpm here` gives `always use pnpm` and `use pnpm here`. A passage is a session's if each of its
//! sequences is: verbatim passages always are, other text hardly ever. A sentence of fewer units is hashed whole.
//!
//! Each line repeats the counts of its session, so cutting the file forgets only what was typed long ago. The file is
//! bounded, damaged lines are skipped, and a purge deletes it with the briefs.

use std::collections::HashSet;

use acreta_fs::{Directory, NoFaults};
use acreta_state::SessionKey;
use acreta_text::{Fnv, is_unspaced, plain_letters};
use camino::Utf8PathBuf;
use serde::{Deserialize, Serialize};

use crate::process::clock::now_ms;
use crate::{Context, Failure, projects::scopes};

/// Number of prompts from one reminder to the next. On labelled sessions, this and [`REMINDERS`] reach 68 of the 79
/// statements that were worth a note.
const PROMPTS_PER_REMINDER: u64 = 3;

/// Maximum number of reminders in a session.
const REMINDERS: u64 = 5;

/// Minimum length of a prompt that counts: shorter ones are mostly "yes" and "go on".
const COUNTED_WORDS: usize = 4;
const COUNTED_CHARACTERS: usize = 6;

/// Number of units hashed together.
const UNITS: usize = 3;

/// Maximum number of hashes of one prompt.
const HASHES: usize = 2048;

/// Length of a hash in hexadecimal digits.
const DIGITS: usize = 16;

/// Maximum size; a longer file is cut to its newer half.
const FILE_BYTES: usize = 256 * 1024;

/// Maximum bytes that are read; a longer file is damaged.
const READ_BYTES: u64 = 1024 * 1024;

/// The session in which the person typed some passages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Whose {
    /// No prompt was recorded in this project.
    Unknown,
    /// No recorded session has all of the passages. The person may still have typed them: into an agent without a prompt
    /// hook, as an answer to a tool that asks, or long ago.
    Nobody,
    /// The newest session that has all of them. Its id is empty if the agent sends none.
    Session(SessionKey),
}

/// Records the sentences of a prompt that the person typed. Returns whether the agent should be reminded now: at every
/// third prompt that counts, unless it made a note since the last time. An error is logged.
pub(crate) fn note_prompt(session: &SessionKey, sentences: &[String], context: &Context) -> bool {
    if sentences.is_empty() || !is_on(context) {
        return false;
    }
    let prompts = TypedPrompts::of(context);
    prompts.add(session, sentences, now_ms(), |since_ms| {
        has_noted(session, since_ms, context).unwrap_or_else(|error| {
            tracing::debug!(%error, "the notes of the session are unknown");
            true
        })
    })
}

/// Returns the session in which the person typed all of these passages.
pub(crate) fn whose(quotes: &[String], context: &Context) -> Whose {
    match is_on(context) {
        true => TypedPrompts::of(context).whose(quotes),
        false => Whose::Unknown,
    }
}

fn is_on(context: &Context) -> bool {
    context.config.boolean("hooks.notes") && !context.is_frozen()
}

/// Returns whether a session needs no reminder: it may have made a note since a time, or nobody registered its project.
fn has_noted(session: &SessionKey, since_ms: u64, context: &Context) -> Result<bool, Failure> {
    let Some(catalog) = scopes::catalog(context)? else {
        return Ok(true);
    };
    let project = catalog.project_at(&context.project)?;
    if !project.is_some_and(|project| project.registered) {
        return Ok(true);
    }
    let notes = catalog.notes(context.layout(&context.project).base().as_str())?;
    Ok(notes.iter().any(|note| {
        let is_own = note.session.as_ref().is_none_or(|id| *id == session.id);
        is_own && note.made_ms >= since_ms
    }))
}

/// The prompts of a project.
struct TypedPrompts {
    folder: Utf8PathBuf,
    file: String,
}

/// A recorded prompt.
#[derive(Debug, Serialize, Deserialize)]
struct TypedPrompt {
    agent: String,
    session: String,
    /// Number of prompts of its session that counted, up to this one.
    prompts: u64,
    /// Number of reminders in its session.
    reminders: u64,
    /// Time of the session's first prompt, or of the last one at which a reminder was due.
    since_ms: u64,
    /// [`DIGITS`] each.
    hashes: String,
}

impl TypedPrompts {
    fn of(context: &Context) -> Self {
        let project = acreta_store::digest(context.layout(&context.project).base().as_str());
        Self {
            folder: context.home.briefs(),
            file: format!("{project}.prompts.jsonl"),
        }
    }

    /// Adds a prompt. Returns whether a reminder is due; `has_noted` is asked only then.
    fn add(
        &self,
        session: &SessionKey,
        sentences: &[String],
        now_ms: u64,
        has_noted: impl FnOnce(u64) -> bool,
    ) -> bool {
        let Ok(folder) = Directory::open_or_create_private(&self.folder, NoFaults::shared()) else {
            return false;
        };
        let known = self.read(&folder);
        let last = prompts(&known)
            .find(|prompt| prompt.agent == session.agent && prompt.session == session.id);
        let (mut counted, mut reminders, mut since_ms) = last.map_or((0, 0, now_ms), |last| {
            (last.prompts, last.reminders, last.since_ms)
        });
        counted += u64::from(counts(sentences));
        let is_due = counts(sentences)
            && counted.is_multiple_of(PROMPTS_PER_REMINDER)
            && reminders < REMINDERS
            && !session.id.is_empty();
        let is_reminded = is_due && !has_noted(since_ms);
        if is_due {
            reminders += u64::from(is_reminded);
            since_ms = now_ms;
        }
        let hashes = hashes(sentences).into_iter().take(HASHES);
        let prompt = TypedPrompt {
            agent: session.agent.clone(),
            session: session.id.clone(),
            prompts: counted,
            reminders,
            since_ms,
            hashes: hashes.map(|hash| format!("{hash:0DIGITS$x}")).collect(),
        };
        let Ok(line) = serde_json::to_string(&prompt) else {
            return false;
        };
        let added = match known.len() > FILE_BYTES {
            false => folder.append(&self.file, format!("{line}\n").as_bytes()),
            true => {
                let half = &known[known.floor_char_boundary(known.len() / 2)..];
                let newer = half.split_once('\n').map_or("", |(_, newer)| newer);
                folder.replace_unsynced(&self.file, format!("{newer}{line}\n").as_bytes())
            }
        };
        // A reminder that is not recorded would be repeated endlessly.
        added.is_ok() && is_reminded
    }

    fn whose(&self, quotes: &[String]) -> Whose {
        let read = Directory::open(&self.folder, NoFaults::shared());
        let known = read.map_or_else(|_| String::new(), |folder| self.read(&folder));
        let mut sessions: Vec<(SessionKey, HashSet<u64>)> = Vec::new();
        for prompt in prompts(&known) {
            let typed =
                prompt.hashes.as_bytes().chunks(DIGITS).filter_map(|hash| {
                    u64::from_str_radix(std::str::from_utf8(hash).ok()?, 16).ok()
                });
            let (agent, id) = (prompt.agent, prompt.session);
            let key = SessionKey { agent, id };
            match sessions.iter_mut().find(|(known, _)| *known == key) {
                Some((_, hashes)) => hashes.extend(typed),
                None => sessions.push((key, typed.collect())),
            }
        }
        if sessions.is_empty() {
            return Whose::Unknown;
        }
        let quoted: Vec<Vec<u64>> = quotes
            .iter()
            .map(|quote| hashes(std::slice::from_ref(quote)))
            .collect();
        if quoted.is_empty() || quoted.iter().any(Vec::is_empty) {
            return Whose::Nobody;
        }
        let has_all =
            |typed: &HashSet<u64>| quoted.iter().flatten().all(|hash| typed.contains(hash));
        let found = sessions.into_iter().find(|(_, typed)| has_all(typed));
        found.map_or(Whose::Nobody, |(key, _)| Whose::Session(key))
    }

    /// Returns the file as text. One that cannot be read is deleted and starts anew.
    fn read(&self, folder: &Directory) -> String {
        match folder.read(&self.file, READ_BYTES) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                if !error.is_not_found() {
                    let _ = folder.remove_file(&self.file);
                }
                String::new()
            }
        }
    }
}

/// Returns the recorded prompts, newest first.
fn prompts(known: &str) -> impl Iterator<Item = TypedPrompt> + '_ {
    let lines = known.lines().rev();
    lines.filter_map(|line| serde_json::from_str(line).ok())
}

/// Returns whether a prompt is long enough to say something that lasts.
fn counts(sentences: &[String]) -> bool {
    let units: Vec<String> = sentences.iter().flat_map(|one| units(one)).collect();
    let characters = units.iter().filter(|unit| unit.chars().all(is_unspaced));
    let characters = characters.count();
    units.len() - characters >= COUNTED_WORDS || characters >= COUNTED_CHARACTERS
}

/// Returns the hashes of all sequences of units, across sentences, and of the sentences that are shorter than one.
fn hashes(sentences: &[String]) -> Vec<u64> {
    let sentences: Vec<Vec<String>> = sentences.iter().map(|one| units(one)).collect();
    let all: Vec<String> = sentences.iter().flatten().cloned().collect();
    let short = sentences
        .iter()
        .filter(|one| (1..UNITS).contains(&one.len()));
    let sequences = short.map(Vec::as_slice).chain(all.windows(UNITS));
    sequences.map(|units| Fnv::of(units.join(" "))).collect()
}

/// Returns the words of a text, and each character of a script without spaces by itself; without case and accents.
fn units(text: &str) -> Vec<String> {
    let mut units = Vec::new();
    for word in acreta_text::words(&plain_letters(text)) {
        let mut spaced = String::new();
        for character in word.chars() {
            if !is_unspaced(character) {
                spaced.push(character);
                continue;
            }
            if !spaced.is_empty() {
                units.push(std::mem::take(&mut spaced));
            }
            units.push(character.to_string());
        }
        units.extend((!spaced.is_empty()).then_some(spaced));
    }
    units
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Typing {
        _folder: tempfile::TempDir,
        prompts: TypedPrompts,
    }

    impl Typing {
        fn new() -> Self {
            let folder = tempfile::tempdir().unwrap();
            let path = Utf8PathBuf::from_path_buf(folder.path().join("briefs")).unwrap();
            let prompts = TypedPrompts {
                folder: path,
                file: "a.prompts.jsonl".to_owned(),
            };
            Self {
                _folder: folder,
                prompts,
            }
        }

        fn add(&self, id: &str, prompt: &str, noted_ms: Option<u64>, now_ms: u64) -> bool {
            let noted = noted_ms.filter(|noted| *noted <= now_ms);
            let has_noted = |since_ms| noted.is_some_and(|noted| noted >= since_ms);
            let session = SessionKey::new("claude", id);
            self.prompts
                .add(&session, &sentences(prompt), now_ms, has_noted)
        }

        fn whose(&self, quotes: &[&str]) -> Whose {
            let quotes: Vec<String> = quotes.iter().map(|&quote| quote.to_owned()).collect();
            self.prompts.whose(&quotes)
        }

        fn file(&self) -> Utf8PathBuf {
            self.prompts.folder.join(&self.prompts.file)
        }
    }

    fn sentences(prompt: &str) -> Vec<String> {
        let ranges = acreta_text::typed_sentences(prompt).into_iter();
        ranges.map(|range| prompt[range].to_owned()).collect()
    }

    #[test]
    fn a_passage_belongs_to_the_session_that_typed_all_of_it() {
        let typing = Typing::new();
        assert_eq!(typing.whose(&["use tabs"]), Whose::Unknown);
        let prompts = [
            (
                "a",
                "Use tabs. In Makefiles, don’t ever use spaces!\n\nWe deploy on Mondays.",
            ),
            ("a", "Größe wird immer in Ångström angegeben"),
            ("b", "これからはテストを必ず書いてください。pnpmを使う"),
            ("b", "please fix this:\n```\nnever run the tests again\n```"),
            ("c", "Always squash the commits before you merge them."),
            ("d", "Always squash the commits before you merge them."),
        ];
        for (id, prompt) in prompts {
            typing.add(id, prompt, None, 1);
        }
        let typed = |id: &str| Whose::Session(SessionKey::new("claude", id));
        let table: [(&[&str], Whose); 14] = [
            (&["Use tabs."], typed("a")),
            (&["use tabs", "we deploy on mondays"], typed("a")),
            (
                &["In Makefiles, don't ever use spaces! We deploy on Mondays."],
                typed("a"),
            ),
            (
                &["größe wird immer in A\u{30a}ngström angegeben."],
                typed("a"),
            ),
            (&["テストを必ず書いてください"], typed("b")),
            (&["pnpmを使う"], typed("b")),
            (
                &["Always squash the commits before you merge them."],
                typed("d"),
            ),
            (&["use tabs", "pnpmを使う"], Whose::Nobody),
            (&["In Makefiles, always use spaces!"], Whose::Nobody),
            (&["never run the tests again"], Whose::Nobody),
            (&["テストを書いてください"], Whose::Nobody),
            (&["deploy on Fridays"], Whose::Nobody),
            (&["…"], Whose::Nobody),
            (&[], Whose::Nobody),
        ];
        for (quotes, expected) in table {
            assert_eq!(typing.whose(quotes), expected, "{quotes:?}");
        }
        let text = std::fs::read_to_string(typing.file()).unwrap();
        assert!(!text.to_lowercase().contains("tabs"), "{text}");
    }

    #[test]
    fn a_reminder_is_due_at_every_third_prompt_that_counts_and_five_times() {
        let typing = Typing::new();
        let long = "please rename the field everywhere";
        let due: Vec<u64> = (1..40)
            .filter(|&at| typing.add("a", long, None, at))
            .collect();
        assert_eq!(due, [3, 6, 9, 12, 15]);
        // Another session has its own count; prompts that say little do not count.
        for (prompt, is_counted) in [
            ("yes do that", false),
            ("はい続けて", false),
            ("今後はタブを使う", true),
            ("go", false),
            (long, true),
        ] {
            assert_eq!(counts(&sentences(prompt)), is_counted, "{prompt}");
            assert!(!typing.add("b", prompt, None, 50), "{prompt}");
        }
        assert!(typing.add("b", long, None, 51));
        assert!(!typing.add("b", "yes do that", None, 52), "not twice");
        // A note since the last time is enough until the next one.
        let due: Vec<u64> = (1..10)
            .filter(|&at| typing.add("c", long, Some(5), at))
            .collect();
        assert_eq!(due, [3, 9]);
        // Without an id, sessions cannot be told from each other.
        assert!((1..7).all(|at| !typing.add("", long, None, at)));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test damages the file")]
    fn the_file_stays_small_and_damage_costs_only_what_is_damaged() {
        let typing = Typing::new();
        let long = "please rename the field everywhere ".repeat(400);
        for at in 0..40 {
            typing.add("a", &format!("{long} {at}"), None, at);
        }
        typing.add("a", "Never push to the main branch.", None, 41);
        let bytes = std::fs::metadata(typing.file()).unwrap().len();
        assert!(
            bytes <= (FILE_BYTES + DIGITS * HASHES + 1024) as u64,
            "{bytes}"
        );
        let quote = ["never push to the main branch"];
        assert!(matches!(typing.whose(&quote), Whose::Session(_)));
        let mut damaged = std::fs::read(typing.file()).unwrap();
        damaged.extend(b"\xff\xfe{\"agent\":1}\n{\"agent\":\"");
        std::fs::write(typing.file(), &damaged).unwrap();
        assert!(matches!(typing.whose(&quote), Whose::Session(_)));
        std::fs::write(typing.file(), vec![b'x'; READ_BYTES as usize + 1]).unwrap();
        assert_eq!(typing.whose(&quote), Whose::Unknown);
        typing.add("a", "Never push to the main branch.", None, 42);
        assert!(matches!(typing.whose(&quote), Whose::Session(_)));
    }
}
