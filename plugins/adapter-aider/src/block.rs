//! Blocks of lines by one author, and their events.

use acreta_sdk::adapter::author::{Author, Piece, Wrapping};
use acreta_sdk::adapter::calls::hash;
use acreta_sdk::adapter::{EventWriter, Failure, RecordSpan, Reply, Sink, Tokens};
use serde::{Deserialize, Serialize};

use crate::line::model;

/// Text that aider itself writes in the person's position.
const WRAPPING: Wrapping = Wrapping {
    wrappers: &[
        (
            "# Fix any errors below, if possible.",
            Author::Injected("lint"),
        ),
        ("I ran this command:", Author::Injected("command")),
    ],
    inserts: &[],
};

/// Commands whose arguments are addressed to the agent; the others are actions of the person.
const SPEECH: [&str; 5] = ["/ask", "/code", "/architect", "/context", "/help"];

/// Tool name for all output of the console.
const CONSOLE: &str = "console";

/// Maximum size of a block that is emitted at once.
const BLOCK_BYTES: usize = 256 * 1024;

/// Author of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum BlockAuthor {
    Person,
    Console,
    Agent,
}

/// Lines by one author.
pub(crate) struct Block {
    pub(crate) author: BlockAuthor,
    text: Vec<u8>,
    start: u64,
    end: u64,
}

impl Block {
    pub(crate) fn new(author: BlockAuthor, line: &[u8], start: u64, end: u64) -> Self {
        Self {
            author,
            text: line.to_vec(),
            start,
            end,
        }
    }

    /// Reports whether another line still fits.
    pub(crate) fn has_room_for(&self, line: &[u8]) -> bool {
        self.text.len() + line.len() < BLOCK_BYTES
    }

    pub(crate) fn push(&mut self, line: &[u8], end: u64) {
        self.text.push(b'\n');
        self.text.extend_from_slice(line);
        // Trailing blank lines do not belong to the block.
        if !line.is_empty() {
            self.end = end;
        }
    }
}

/// State from earlier blocks that affects the next.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Voices {
    /// The model that answers, as the console named it last.
    model: Option<String>,
    /// Hash of the arguments of a command: aider repeats them as a prompt.
    asked: Option<u64>,
    /// Hash of the last telling line of the agent's reply: in architect mode aider gives the reply to another model, as a
    /// prompt.
    reply: Option<u64>,
}

impl Voices {
    /// Emits one block. `tokens` are those of the agent's reply.
    pub(crate) fn emit<S: Sink>(
        &mut self,
        event_writer: &mut EventWriter<'_, S>,
        block: Block,
        tokens: Option<Tokens>,
    ) -> Result<(), Failure> {
        let mut place = RecordSpan::new("", block.start, block.end, None);
        let text = place.lossy(block.text);
        match block.author {
            BlockAuthor::Person => self.person(event_writer, &mut place, text.trim())?,
            BlockAuthor::Agent => {
                self.reply = telling_lines(&text).last();
                let attrs = Reply::new(self.model.as_deref(), tokens).take();
                let text = text.trim_end().to_owned();
                event_writer.assistant(&mut place, "text", text, attrs)?;
            }
            BlockAuthor::Console => {
                let models = text.lines().rev();
                let model = models.filter_map(|line| model(line.as_bytes())).next();
                self.model = model.or(self.model.take());
                if !text.trim().is_empty() {
                    let call = place.event_id();
                    event_writer.result_of(&mut place, Some(CONSOLE), &call, text, false)?;
                }
            }
        }
        event_writer.close(&place);
        Ok(())
    }

    fn person<S: Sink>(
        &mut self,
        event_writer: &mut EventWriter<'_, S>,
        place: &mut RecordSpan,
        text: &str,
    ) -> Result<(), Failure> {
        let (asked, reply) = (self.asked.take(), self.reply.take());
        if text == "<blank>" || asked == Some(hash(text.as_bytes())) {
            return Ok(());
        }
        if reply.is_some_and(|reply| telling_lines(text).any(|line| line == reply)) {
            return event_writer.injected(place, "user", "architect", text.to_owned());
        }
        // `/help` is answered from aider's manual, which follows the question.
        if asked.is_some() && text.starts_with("# Question: ") {
            return event_writer.injected(place, "user", "help", text.to_owned());
        }
        let Some((name, words)) = command(text) else {
            return event_writer.person(place, text, &WRAPPING);
        };
        let (author, text) = if SPEECH.contains(&name) && !words.is_empty() {
            self.asked = Some(hash(words.as_bytes()));
            (Author::Command(name), words)
        } else {
            (Author::Note, text)
        };
        let text = text.to_owned();
        event_writer.piece(place, Piece { author, text })
    }
}

/// Returns hashes of the lines by which a reply is known again: those of three words and more. aider breaks a prompt at
/// every character that may end a line.
fn telling_lines(text: &str) -> impl Iterator<Item = u64> {
    let is_end = |letter: char| letter.is_control() || matches!(letter, '\u{2028}' | '\u{2029}');
    text.split(is_end).filter_map(|line| {
        let words: Vec<_> = line.split_whitespace().collect();
        (words.len() >= 3).then(|| hash(words.join(" ").as_bytes()))
    })
}

/// Splits a command into name and arguments; `None` for text that only starts with a slash, such as a path. `!` runs
/// its argument in a shell.
fn command(text: &str) -> Option<(&str, &str)> {
    if text.starts_with('!') {
        return Some(("!", text));
    }
    let name = text.split_whitespace().next()?;
    let is_name = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_');
    let letters = name.strip_prefix('/')?;
    let is_command = !letters.is_empty() && letters.chars().all(is_name);
    is_command.then(|| (name, text[name.len()..].trim()))
}
