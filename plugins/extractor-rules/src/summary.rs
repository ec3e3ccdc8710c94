//! The episodic summary: what was asked, done, decided and left open, from evidence only. The person's and the agent's
//! words are told as such; tool output and pasted text are not told. A session in which nothing was asked or done has an
//! empty summary.

use std::collections::BTreeSet;
use std::ops::Range;

use acreta_sdk::extractor::{Candidate, Event, Evidence, Summary};

use crate::activity::Activity;
use crate::draft::quote;
use crate::text::{
    LONGEST_TITLE, capital, finish, headline, is_question, is_unsafe, plain, size, tags,
};

/// Returns the title that the agent or the person gave a session, if it says what the session is about.
pub fn given_title(given: &str) -> Option<String> {
    let title = capital(given);
    let lower = title.to_lowercase();
    let is_default = DEFAULT_TITLES.iter().any(|name| lower.starts_with(name));
    let is_said = (2..=LONGEST_GIVEN).contains(&size(&title))
        && title.chars().count() <= LONGEST_TITLE
        && !title.contains('\n');
    (is_said && !is_default && !is_unsafe(&title)).then_some(title)
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
    /// The person's requests, as told and as evidence.
    asked: Vec<(String, Evidence)>,
    prompts: usize,
    /// What the agent said last before each prompt and at the end.
    accounts: Vec<String>,
    last: String,
    last_event: String,
}

impl Story {
    pub(crate) fn heard(&mut self, event: &Event, typed: &[Range<usize>]) {
        self.settle();
        self.prompts += usize::from(!typed.is_empty());
        let said = typed.iter().map(|range| &event.text[range.clone()]);
        let said = || said.clone().filter(|sentence| !is_unsafe(sentence));
        // A sentence of a few words is a greeting or a remark, if there is a longer one.
        let request = said()
            .find(|sentence| size(sentence) >= REQUEST)
            .or_else(|| said().find(|sentence| size(sentence) >= 2));
        if let Some(request) = request {
            if self.asked.len() >= MOST_ASKED {
                self.asked.remove(MOST_ASKED / 2);
            }
            let told = clip(&finish(&plain(request)));
            let evidence = quote(&event.id, acreta_text::head(request, LONGEST_EVIDENCE));
            self.asked.push((told, evidence));
        }
    }

    pub(crate) fn said(&mut self, event: &Event) {
        acreta_text::head(&event.text, LONGEST_LOOKED_AT).clone_into(&mut self.last);
        self.last_event.clone_from(&event.id);
    }

    fn settle(&mut self) {
        if let Some(account) = account(&std::mem::take(&mut self.last)) {
            if self.accounts.len() >= MOST_ACCOUNTS {
                self.accounts.remove(1);
            }
            self.accounts.push(account);
        }
    }

    pub(crate) fn tell(mut self, activity: &Activity, candidates: &[Candidate]) -> Summary {
        let last = self.last.clone();
        self.settle();
        let Some(title) = self.title(activity) else {
            return nothing_to_tell();
        };
        let description = self.description(activity, &title);
        let mut evidence: Vec<Evidence> = self.asked.iter().map(|(_, one)| one.clone()).collect();
        evidence.truncate(3);
        // A short exchange without any work.
        let is_trivial = candidates.is_empty()
            && activity.commands + activity.edits == 0
            && self.prompts <= 2
            && last.len() < SHORT_REPLY
            && activity.interrupted + activity.refused == 0;
        let mut body = String::new();
        if is_trivial {
            body = format!("{description}\n");
        } else {
            let titles = |category: &str| -> Vec<String> {
                let chosen = candidates.iter().filter(|one| one.category == category);
                chosen.map(|one| finish(&one.title)).take(6).collect()
            };
            // Word limits of the sections; the total stays below 300.
            section(&mut body, "Asked", &self.asked_lines(), WORDS_ASKED);
            section(&mut body, "Decided", &titles("decision"), 50);
            section(&mut body, "Done", &self.done_lines(activity), 100);
            section(&mut body, "Learned", &titles("learning"), 25);
            // What nobody answered: the agent's question, or the person's last words.
            let open = match last.is_empty() {
                true => self.asked.last().map(|(_, one)| one.quote.as_str()),
                false => closing_question(&last),
            };
            let open: Vec<String> = open
                .filter(|open| !open.contains('\n') && !is_unsafe(open))
                .map(str::to_owned)
                .into_iter()
                .collect();
            section(&mut body, "Open", &open, 18);
            let first = acreta_text::sentences(&last).into_iter().next();
            evidence.extend(first.map(|range| {
                let said = acreta_text::head(&last[range], LONGEST_EVIDENCE);
                quote(&self.last_event, said)
            }));
        }
        Summary {
            tags: self.tags(&title, activity, candidates),
            description,
            title,
            body,
            evidence,
            attrs: Vec::new(),
        }
    }

    fn tags(&self, title: &str, activity: &Activity, candidates: &[Candidate]) -> Vec<String> {
        let mut found = tags(title);
        found.extend(
            candidates
                .iter()
                .filter_map(|one| one.tags.first().cloned()),
        );
        let files = activity.files.keys().take(3);
        found.extend(files.map(|file| {
            file.rsplit(['/', '\\'])
                .next()
                .unwrap_or(file)
                .to_lowercase()
        }));
        let mut seen = BTreeSet::new();
        found.retain(|tag| tag.len() <= 24 && seen.insert(tag.clone()));
        found.truncate(6);
        found
    }

    /// Returns what was asked, or else what the agent says it did, or the files it edited.
    fn title(&self, activity: &Activity) -> Option<String> {
        let asked = || self.asked.iter().take(3).map(|(asked, _)| asked);
        let telling = asked().find(|asked| size(asked) >= REQUEST);
        let account = self.accounts.last().map(|told| {
            let first = acreta_text::sentences(told).into_iter().next();
            first.map_or("", |range| &told[range])
        });
        if let Some(text) = telling.or(asked().next()).map(String::as_str).or(account) {
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
        let all = || self.asked.iter().map(|(asked, _)| asked.clone());
        let mut lines: Vec<String> = all().filter(|asked| size(asked) >= REQUEST).collect();
        if lines.is_empty() {
            lines = all().collect();
        }
        lines.dedup();
        let words = |lines: &[String]| lines.iter().map(|line| line_words(line)).sum::<usize>();
        // The beginning and the end of a session say more than its middle.
        while lines.len() > 2 && words(&lines) > WORDS_ASKED {
            lines.remove(lines.len() / 2);
        }
        if lines.is_empty() {
            lines.push("Nothing was asked.".to_owned());
        }
        lines
    }

    fn done_lines(&self, activity: &Activity) -> Vec<String> {
        let mut lines: Vec<String> = self.accounts.iter().rev().take(3).rev().cloned().collect();
        let mut files: Vec<(&String, &u32)> = activity.files.iter().collect();
        files.sort_by(|left, right| right.1.cmp(left.1).then(left.0.cmp(right.0)));
        let shown = files.iter().take(SHOWN).map(|(file, _)| tail(file));
        let more = files.len().saturating_sub(SHOWN);
        if let Some(shown) = listed(shown) {
            let more = match more {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            lines.push(format!("Edited {shown}{more}."));
        }
        let notable = activity.notable.iter().map(String::as_str);
        if let Some(shown) = listed(notable.filter(|line| !is_unsafe(line)).take(SHOWN)) {
            lines.push(format!("Ran {shown}."));
        }
        let happened = [
            (
                activity.interrupted > 0,
                "The person interrupted the agent.",
            ),
            (activity.refused > 0, "The person rejected a tool call."),
            (activity.last_failed, "The last command failed."),
        ];
        let happened = happened.iter().filter(|(is_so, _)| *is_so);
        lines.extend(happened.map(|(_, told)| (*told).to_owned()));
        if lines.is_empty() {
            lines.push("No answer was given and nothing was changed.".to_owned());
        }
        lines
    }
}

fn listed<'a>(names: impl Iterator<Item = &'a str>) -> Option<String> {
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Returns the question with which the agent's last text ends, verbatim: the host looks for whoever said it.
fn closing_question(last: &str) -> Option<&str> {
    let sentences = acreta_text::sentences(last);
    let mut closing = sentences
        .iter()
        .rev()
        .take(3)
        .map(|range| &last[range.clone()]);
    closing.find(|sentence| is_question(sentence) && sentence.len() < 200)
}

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

/// Returns the first statements of a reply.
fn account(reply: &str) -> Option<String> {
    let mut told = String::new();
    for range in acreta_text::sentences(reply) {
        let is_heading = reply[..range.start].ends_with("# ");
        let sentence = &reply[range];
        let is_lead = sentence.ends_with([':', '：']) || sentence.starts_with(['|', '`']);
        if is_heading
            || is_lead
            || is_question(sentence)
            || size(sentence) < REQUEST
            || is_unsafe(sentence)
        {
            continue;
        }
        let text = finish(&plain(sentence));
        if told.len() + text.len() > LONGEST_ACCOUNT {
            break;
        }
        if !told.is_empty() {
            told.push(' ');
        }
        told.push_str(&text);
    }
    (!told.is_empty()).then_some(told)
}

fn line_words(line: &str) -> usize {
    line.split_whitespace().count() + 1
}

/// Adds a section with the lines that fit into `words`; adds nothing if none fits.
fn section(body: &mut String, name: &str, lines: &[String], words: usize) {
    let mut left = words;
    let mut kept = String::new();
    for line in lines {
        if let Some(rest) = left.checked_sub(line_words(line)) {
            left = rest;
            kept.push_str(&format!("- {line}\n"));
        }
    }
    if !kept.is_empty() {
        let gap = if body.is_empty() { "" } else { "\n" };
        body.push_str(&format!("{gap}## {name}\n{kept}"));
    }
}

fn clip(text: &str) -> String {
    if text.len() <= LONGEST_REQUEST {
        return text.to_owned();
    }
    let window = acreta_text::head(text, LONGEST_REQUEST);
    let end = window.rfind(' ').unwrap_or(window.len());
    format!("{}…", window[..end].trim_end_matches([',', '.', ';', ':']))
}

/// Returns the last two components of a path.
fn tail(path: &str) -> &str {
    let mut slashes = path.rmatch_indices(['/', '\\']).map(|(at, _)| at);
    slashes.next();
    slashes.next().map_or(path, |at| &path[at + 1..])
}

const LONGEST_LOOKED_AT: usize = 6 * 1024;
const LONGEST_EVIDENCE: usize = 290;
const LONGEST_REQUEST: usize = 120;
const LONGEST_ACCOUNT: usize = 260;
/// Minimum number of words of a sentence that says something.
const REQUEST: usize = 4;
const MOST_ASKED: usize = 14;
const WORDS_ASKED: usize = 105;
const MOST_ACCOUNTS: usize = 8;
/// Names shown in a line.
const SHOWN: usize = 6;
/// Replies up to this many bytes are ignored.
const SHORT_REPLY: usize = 160;
