//! The episodic summary: what was asked, done, decided and left open, from evidence only. A session in which nothing
//! was asked or done has an empty one.

use acreta_sdk::extractor::{Candidate, Event, Evidence, Summary};

use crate::activity::Activity;
use crate::blocks::TextPosition;
use crate::classes::{AT_ONCE, MYSELF};
use crate::draft::quote;
use crate::form::form;
use crate::names::tags;
use crate::phrases::{Folded, Phrases, phrases};
use crate::plain::{finish, is_unsafe, plain};
use crate::sentences::{Sentence, sentences};
use crate::view::SentenceView;
use crate::voice::{Message, MessageForm};

/// Returns the title that the agent or the person gave a session, if it says what the session is about.
pub fn given_title(given: &str) -> Option<String> {
    let title = finish(given).trim_end_matches(['.', '。']).to_owned();
    let words = SentenceView::of(&title).size();
    let is_said = (2..=LONGEST_GIVEN).contains(&words) && title.chars().count() <= LONGEST_HEADLINE;
    let lower = title.to_lowercase();
    let is_default = DEFAULT_TITLES
        .iter()
        .any(|default| lower.starts_with(default));
    (is_said && !is_default && !title.contains('\n') && !is_unsafe(&title)).then_some(title)
}

/// Maximum number of words of a given title: a longer one is the first prompt.
const LONGEST_GIVEN: usize = 14;

/// What programs call a session before they know better.
const DEFAULT_TITLES: [&str; 6] = [
    "new session",
    "new chat",
    "new conversation",
    "new thread",
    "child session",
    "untitled",
];

/// The part of the dialogue that the summary needs.
#[derive(Debug, Default)]
pub(crate) struct Story {
    asked: Vec<(String, Evidence)>,
    prompts: usize,
    /// Heads of the last replies before a new prompt and at the end.
    accounts: Vec<String>,
    last: String,
    last_event: String,
    pub(crate) interrupted: u32,
    pub(crate) errors: u32,
}

impl Story {
    pub(crate) fn heard(&mut self, event_id: &str, message: Message<'_>) {
        self.settle();
        self.prompts += 1;
        let message = message.head(LONGEST_LOOKED_AT);
        let said = match message.form {
            MessageForm::Brief => heading(message.text).map(|title| finish(&title)),
            MessageForm::Machine => None,
            MessageForm::Speech | MessageForm::Paste => request(message),
        };
        if let Some(said) = said
            && !is_unsafe(&said)
        {
            let first = message
                .text
                .lines()
                .map(str::trim)
                .find(|line| !line.is_empty())
                .unwrap_or("");
            if self.asked.len() >= MOST_ASKED {
                self.asked.remove(MOST_ASKED / 2);
            }
            self.asked.push((clip(&said, 120), quote(event_id, first)));
        }
    }

    pub(crate) fn said(&mut self, event: &Event) {
        acreta_text::head(&event.text, LONGEST_LOOKED_AT).clone_into(&mut self.last);
        self.last_event.clone_from(&event.id);
    }

    fn settle(&mut self) {
        if self.last.is_empty() {
            return;
        }
        if let Some(account) = account(&self.last) {
            if self.accounts.len() >= MOST_ACCOUNTS {
                self.accounts.remove(1);
            }
            self.accounts.push(account);
        }
    }

    pub(crate) fn tell(mut self, activity: &Activity, candidates: &[Candidate]) -> Summary {
        self.settle();
        let titles = |category: &str| -> Vec<String> {
            let chosen = candidates.iter().filter(|one| one.category == category);
            chosen
                .map(|one| {
                    if one.title.ends_with('…') {
                        one.title.clone()
                    } else {
                        format!("{}.", one.title)
                    }
                })
                .take(6)
                .collect()
        };
        let Some(title) = self.title(activity) else {
            return nothing_to_tell();
        };
        if self.is_trivial(activity, candidates) {
            return self.line(activity, title);
        }
        let mut body = String::new();
        // Word limits of the sections; the total stays below 300.
        section(&mut body, "Asked", &self.asked_lines(), WORDS_ASKED);
        section(&mut body, "Decided", &titles("decision"), 50);
        section(&mut body, "Done", &self.done_lines(activity), 100);
        section(&mut body, "Learned", &titles("learning"), 25);
        section(&mut body, "Open", &self.open_lines(activity), 12);
        let mut evidence: Vec<Evidence> = self
            .asked
            .iter()
            .map(|(_, evidence)| evidence.clone())
            .take(3)
            .collect();
        if !self.last_event.is_empty()
            && let Some(sentence) = sentences(&self.last).next()
        {
            evidence.push(quote(&self.last_event, sentence.text));
        }
        let mut tags = tags(&title);
        tags.extend(
            candidates
                .iter()
                .flat_map(|one| one.tags.iter().take(1).cloned()),
        );
        tags.extend(activity.files.keys().take(3).map(|file| {
            tail(file)
                .rsplit(['/', '\\'])
                .next()
                .unwrap_or(file)
                .to_lowercase()
        }));
        let mut seen = std::collections::BTreeSet::new();
        tags.retain(|tag| tag.len() <= 24 && seen.insert(tag.clone()));
        tags.truncate(6);
        Summary {
            description: self.description(activity, &title),
            tags,
            title,
            body,
            evidence: evidence
                .into_iter()
                .filter(|one| !one.quote.is_empty())
                .collect(),
            attrs: Vec::new(),
        }
    }

    /// Reports whether the session was a short exchange without any work.
    fn is_trivial(&self, activity: &Activity, candidates: &[Candidate]) -> bool {
        candidates.is_empty()
            && activity.commands + activity.edits == 0
            && self.prompts <= 2
            && self.last.len() < SHORT_REPLY
            && self.interrupted + self.errors + activity.refused == 0
    }

    /// Returns a summary of one line, for a trivial session.
    fn line(&self, activity: &Activity, title: String) -> Summary {
        let description = self.description(activity, &title);
        Summary {
            tags: tags(&title),
            body: format!("{description}\n"),
            description,
            title,
            evidence: self.asked.iter().map(|(_, one)| one.clone()).collect(),
            attrs: Vec::new(),
        }
    }

    /// Returns what was asked, or else what the agent says it did, or the files it edited.
    fn title(&self, activity: &Activity) -> Option<String> {
        let longest = self
            .asked
            .iter()
            .take(3)
            .map(|(asked, _)| asked)
            .find(|asked| asked.split_whitespace().count() >= 3);
        let asked = longest.or(self.asked.first().map(|(asked, _)| asked));
        let account = || {
            self.accounts
                .last()
                .and_then(|told| sentences(told).next().map(|one| one.text))
        };
        if let Some(text) = asked.map(String::as_str).or_else(account) {
            return Some(headline(text));
        }
        let files: Vec<&str> = activity
            .files
            .keys()
            .take(2)
            .map(|file| tail(file))
            .collect();
        (!files.is_empty()).then(|| format!("Edited {}", files.join(", ")))
    }

    fn description(&self, activity: &Activity, title: &str) -> String {
        let count = |number: u64, one: &str| {
            format!("{number} {one}{}", if number == 1 { "" } else { "s" })
        };
        let (files, commands) = (activity.files.len() as u64, activity.commands);
        let did = match (files, commands) {
            (0, 0) => "no file was edited and no command run".to_owned(),
            (0, commands) => format!("{} run, no file edited", count(commands, "command")),
            (files, commands) => format!(
                "{} edited, {} run",
                count(files, "file"),
                count(commands, "command")
            ),
        };
        if self.asked.is_empty() {
            return format!("Nothing was asked for; {did}.");
        }
        format!(
            "{} that began with \"{}\"; {did}.",
            count(self.prompts as u64, "request"),
            title.replace('"', "'")
        )
    }

    fn asked_lines(&self) -> Vec<String> {
        if self.asked.is_empty() {
            return vec![if self.prompts == 0 {
                "Nothing was asked.".to_owned()
            } else {
                "Nothing that could be read as a request.".to_owned()
            }];
        }
        let mut lines: Vec<String> = Vec::new();
        for (asked, _) in &self.asked {
            if !lines.contains(asked)
                && (asked.split_whitespace().count() >= 3 || self.asked.len() < 4)
            {
                lines.push(asked.clone());
            }
        }
        // The beginning and the end of a session say more than its middle.
        while lines.len() > 2
            && lines
                .iter()
                .map(|line| line.split_whitespace().count() + 1)
                .sum::<usize>()
                > WORDS_ASKED
        {
            lines.remove(lines.len() / 2);
        }
        lines
    }

    fn done_lines(&self, activity: &Activity) -> Vec<String> {
        let mut lines: Vec<String> = self.accounts.iter().rev().take(3).rev().cloned().collect();
        if !activity.files.is_empty() {
            let mut files: Vec<(&String, &u32)> = activity.files.iter().collect();
            files.sort_by(|left, right| right.1.cmp(left.1).then(left.0.cmp(right.0)));
            let shown: Vec<String> = files
                .iter()
                .take(6)
                .map(|(file, _)| format!("`{}`", tail(file)))
                .collect();
            let more = files.len().saturating_sub(6);
            lines.push(format!(
                "Edited {}{}.",
                shown.join(", "),
                if more > 0 {
                    format!(" and {more} more")
                } else {
                    String::new()
                }
            ));
        }
        if !activity.notable.is_empty() {
            let shown: Vec<String> = activity
                .notable
                .iter()
                .filter(|line| !is_unsafe(line))
                .take(6)
                .map(|line| format!("`{line}`"))
                .collect();
            lines.push(format!("Ran {}.", shown.join(", ")));
        }
        if lines.is_empty() {
            lines.push("No answer was given and nothing was changed.".to_owned());
        }
        lines
    }

    fn open_lines(&self, activity: &Activity) -> Vec<String> {
        let mut lines = Vec::new();
        if self.interrupted > 0 {
            lines.push("The user interrupted the agent.".to_owned());
        }
        if activity.refused > 0 {
            lines.push("The user rejected a tool call.".to_owned());
        }
        if self.errors > 0 {
            lines.push("The service answered with an API error.".to_owned());
        }
        if activity.last_failed {
            lines.push("The last command failed.".to_owned());
        }
        let last: Vec<Sentence<'_>> = sentences(&self.last).collect();
        if let Some(question) = last
            .iter()
            .rev()
            .take(3)
            .find(|sentence| sentence.text.ends_with('?') && sentence.text.len() < 200)
        {
            lines.push(format!("The agent last asked: {}", plain(question.text)));
        }
        lines
    }
}

const LONGEST_LOOKED_AT: usize = 6 * 1024;
const MOST_ASKED: usize = 14;
const WORDS_ASKED: usize = 105;
const MOST_ACCOUNTS: usize = 8;
/// Replies up to this many bytes are ignored.
const SHORT_REPLY: usize = 160;

/// Returns the summary without a title and a body: it says that there is nothing to tell.
fn nothing_to_tell() -> Summary {
    Summary {
        title: String::new(),
        description: String::new(),
        body: String::new(),
        tags: Vec::new(),
        evidence: Vec::new(),
        attrs: Vec::new(),
    }
}

/// Returns the request of a message: its first sentence that is a request, or that describes something to work on.
fn request(message: Message<'_>) -> Option<String> {
    let spoken: Vec<&str> = message.speech().map(|sentence| sentence.text).collect();
    let sentence = spoken
        .iter()
        .find(|sentence| asks(sentence))
        .or_else(|| spoken.iter().find(|sentence| tells(sentence)))?;
    let plain = plain(sentence);
    let written = finish(SentenceView::of(&plain).bare());
    Some(if sentence.ends_with('?') {
        format!("{}?", written.trim_end_matches('.'))
    } else {
        written
    })
}

/// Reports whether a sentence is a question, an order, a wish or a rule.
fn asks(sentence: &str) -> bool {
    let whole = SentenceView::of(sentence);
    let view = SentenceView::of(without_now(whole.bare()));
    let spaced = view.tongue.spaced;
    let opens = [view.tongue.asking, view.tongue.tasks, view.tongue.orders];
    view.size() >= 2
        && (whole.is_question()
            || opens.iter().any(|words| view.opens(*words))
            || !spaced && view.has(view.tongue.tasks)
            || form(sentence).is_some())
}

/// Reports whether a sentence is a statement about the work; short ones and those about the person are remarks.
fn tells(sentence: &str) -> bool {
    let view = SentenceView::of(without_now(SentenceView::of(sentence).bare()));
    view.size() >= SHORTEST_REPORT && !view.opens(MYSELF)
}

/// Removes an opening `now`.
fn without_now(text: &str) -> &str {
    match text.split_once(' ') {
        Some((first, rest)) if AT_ONCE.contains(&first.to_lowercase()) => rest,
        _ => text,
    }
}

const SHORTEST_REPORT: usize = 4;

/// Returns the informative sentences of a reply.
fn account(reply: &str) -> Option<String> {
    let mut told = String::new();
    for sentence in sentences(reply) {
        if matches!(sentence.place, TextPosition::Heading | TextPosition::Lead)
            || sentence.text.ends_with('?')
        {
            continue;
        }
        let folded = Folded::of(sentence.text);
        if folded.any(phrases!("let me|i'll|i will|want me|let me know"))
            || folded.word_count() < 4
            || is_unsafe(sentence.text)
        {
            continue;
        }
        let text = finish(&plain(sentence.text));
        if told.len() + text.len() > 260 {
            break;
        }
        if !told.is_empty() {
            told.push(' ');
        }
        told.push_str(&text);
    }
    (!told.is_empty()).then_some(told)
}

/// Adds a section with the lines that fit into `words`; adds nothing if none fits.
fn section(body: &mut String, name: &str, lines: &[String], words: usize) {
    let mut left = words;
    let mut kept = String::new();
    for line in lines {
        let length = line.split_whitespace().count() + 1;
        if length <= left {
            left -= length;
            kept.push_str("- ");
            kept.push_str(line);
            kept.push('\n');
        }
    }
    if kept.is_empty() {
        return;
    }
    if !body.is_empty() {
        body.push('\n');
    }
    body.push_str("## ");
    body.push_str(name);
    body.push('\n');
    body.push_str(&kept);
}

fn clip(text: &str, limit: usize) -> String {
    if text.len() <= limit {
        return text.to_owned();
    }
    let window = acreta_text::head(text, limit);
    let end = window.rfind(' ').unwrap_or(window.len());
    format!("{}…", window[..end].trim_end_matches([',', '.', ';', ':']))
}

/// Returns the last two components of a path.
fn tail(path: &str) -> &str {
    let mut slashes = path.rmatch_indices(['/', '\\']).map(|(at, _)| at);
    slashes.next();
    slashes.next().map_or(path, |at| &path[at + 1..])
}

/// Returns the head of a text, which need not be a statement, cut between words.
fn headline(text: &str) -> String {
    let whole = text.trim_end_matches(LOOSE_ENDS).trim_start();
    if whole.chars().count() <= LONGEST_HEADLINE {
        return whole.to_owned();
    }
    let mut words: Vec<&str> = Vec::new();
    let mut length = 0;
    for word in whole.split_whitespace() {
        length += word.chars().count() + 1;
        if length > LONGEST_HEADLINE {
            break;
        }
        words.push(word);
    }
    while words.len() > 3 && WEAK_ENDINGS.contains(&words[words.len() - 1].to_lowercase()) {
        words.pop();
    }
    let head = words.join(" ");
    let head = head.trim_end_matches(LOOSE_ENDS);
    acreta_text::head(if head.is_empty() { whole } else { head }, LONGEST_HEADLINE).to_owned()
}

/// Returns the title of a brief without `Plan:` and the like.
fn heading(text: &str) -> Option<String> {
    sentences(text)
        .find(|sentence| sentence.place == TextPosition::Heading)
        .map(|sentence| {
            let title = plain(sentence.text);
            let bare = title.split_once([':', '—']).filter(|(label, rest)| {
                !rest.trim().is_empty()
                    && Folded::of(label).any(phrases!("plan|task|goal|feature|fix"))
                    && label.len() < 24
            });
            bare.map_or(title.as_str(), |(_, rest)| rest.trim())
                .to_owned()
        })
}

const LONGEST_HEADLINE: usize = 80;

/// What a title does not end with.
const LOOSE_ENDS: &[char] = &[',', ';', ':', '-', '.', '\\', ' ', '\t', '\r', '\n'];

const WEAK_ENDINGS: Phrases = phrases!(
    "a|an|the|of|to|in|on|at|for|with|and|or|but|by|from|as|is|are|be|that|which|we|it|\
     its|not|no|so|than|then|into|if|when|while|because|since|via|per|can|will|should|\
     would|could|must|has|have|only|also|their|our|any|all|each|was|were|this|these|\
     first|between|both|either|whether|where|how|what|who|e.g|i.e",
);

#[cfg(test)]
mod tests {
    use super::given_title;

    #[test]
    fn a_given_title_counts_if_it_says_something() {
        let long = "word ".repeat(20);
        for (given, expected) in [
            ("Fix double booking race", Some("Fix double booking race")),
            (
                "stale calendar for berth A12.",
                Some("Stale calendar for berth A12"),
            ),
            ("New session - 2026-11-17T10:00:00.000Z", None),
            ("refactor", None),
            (long.as_str(), None),
            ("two\nlines of it", None),
            ("", None),
        ] {
            assert_eq!(given_title(given).as_deref(), expected, "{given}");
        }
    }
}
