//! Short replies, bound to what they answer by structure: the label of an option, its place, its own words, or the number
//! of a question. Words of consent are not looked for: what the person said is quoted beside what it answers.

use std::ops::Range;

use acreta_sdk::extractor::Event;

use crate::draft::{Certainty, Draft, LONGEST_QUOTE, quote};
use crate::options::{Label, LabelledItem, items, name, row};
use crate::text::{LONGEST_TITLE, capital, ended, is_balanced, is_question, plain, size, title};

/// The agent's last text.
#[derive(Debug, Clone, Default)]
pub(crate) struct AgentReply {
    pub(crate) event_id: String,
    pub(crate) text: String,
}

/// A person's message after an agent's text.
pub(crate) struct Answer<'a> {
    pub(crate) reply: &'a AgentReply,
    pub(crate) event: &'a Event,
    pub(crate) order: u64,
    /// The typed sentences.
    pub(crate) typed: &'a [Range<usize>],
}

/// A verbatim passage of the agent that an answer is about, and a title for both.
struct Bound<'a> {
    about: &'a str,
    question: String,
    option: String,
}

impl<'a> Answer<'a> {
    /// Drafts what the message answers.
    pub(crate) fn drafts(&self) -> Vec<Draft> {
        let numbered = self.numbered();
        if !numbered.is_empty() {
            return numbered;
        }
        self.chosen().or_else(|| self.asked()).into_iter().collect()
    }

    fn said(&self, place: usize) -> &'a str {
        self.typed
            .get(place)
            .map_or("", |range| &self.event.text[range.clone()])
    }

    /// Drafts the option that the first sentence chooses.
    fn chosen(&self) -> Option<Draft> {
        let text = &self.reply.text;
        let items = items(text);
        let (letters, numbers) = (row(&items, true), row(&items, false));
        if letters.is_empty() && numbers.is_empty() {
            return None;
        }
        let first = self.said(0);
        // A list mark is the label of an option here: `2) nobody needs an account`.
        let whole = self.event.text.trim_start();
        let is_short = whole.len() <= LONGEST_ANSWER;
        let asks = question(text).is_some();
        let all = if letters.is_empty() {
            &numbers
        } else {
            &letters
        };
        let by_label =
            labelled(if is_short { whole } else { first }).and_then(|(label, is_bare)| {
                let row = match label {
                    Label::Letter(_) => &letters,
                    Label::Number(_) if asks => &numbers,
                    Label::Number(_) => return None,
                };
                let certainty = if is_bare {
                    Certainty::Sure
                } else {
                    Certainty::Pending
                };
                Some((
                    row.iter().find(|item| item.label == label)?,
                    is_bare,
                    certainty,
                ))
            });
        let by_place = || {
            let place = ordinal(first, all.len()).filter(|_| asks)?;
            Some((all.get(place)?, true, Certainty::Sure))
        };
        let by_words = || Some((by_words(first, all, asks)?, false, Certainty::Sure));
        let (option, is_bare, certainty) = by_label.or_else(by_place).or_else(by_words)?;
        if is_question(first) {
            return None;
        }
        let listed = all.first()?.line.as_ptr() as usize - text.as_ptr() as usize;
        let bound = Bound {
            about: within(option.line),
            question: question(&text[..listed])
                .or_else(|| question(text))
                .filter(|question| !is_loose(question))
                .unwrap_or_default(),
            option: if is_bare {
                name(option.text)
            } else {
                String::new()
            },
        };
        self.draft(&bound, self.words(0)?, certainty, 0)
    }

    /// Drafts the answers to numbered questions: `1. yes, daily`, `1a, 2b`.
    fn numbered(&self) -> Vec<Draft> {
        let items = items(&self.reply.text);
        let mut drafts = Vec::new();
        for (number, letter, words) in self.segments() {
            let mut asked = items
                .iter()
                .enumerate()
                .filter(|(_, item)| item.label == Label::Number(number));
            let Some((at, item)) = asked.next_back() else {
                continue;
            };
            let below = items[at + 1..]
                .iter()
                .take_while(|one| matches!(one.label, Label::Letter(_)));
            let option = letter.and_then(|letter| below.clone().find(|one| one.label == letter));
            if option.is_none() && (letter.is_some() || !is_question(item.line))
                || is_question(words)
            {
                continue;
            }
            let bound = Bound {
                about: within(option.map_or(item.line, |option| option.line)),
                question: plain(item.text),
                option: option.map_or_else(|| plain(words), |option| name(option.text)),
            };
            drafts.extend(self.draft(&bound, words, Certainty::Sure, number));
        }
        drafts
    }

    /// Returns number, letter and words of each answer in a list of answers.
    fn segments(&self) -> Vec<(usize, Option<Label>, &'a str)> {
        let text = &self.event.text;
        let mut found: Vec<(usize, Option<Label>, &'a str)> = Vec::new();
        for (at, range) in self.typed.iter().enumerate() {
            let words = &text[range.clone()];
            let start = text[..range.start].rfind('\n').map_or(0, |at| at + 1);
            let mark = text[start..range.start].trim();
            let number = mark.trim_end_matches([')', '.', '、']);
            if let Ok(number @ 1..=20) = number.parse::<usize>() {
                found.push((number - 1, None, words));
            } else if at == 0 {
                let compact = compact(words);
                found.extend(
                    compact
                        .into_iter()
                        .map(|(number, letter)| (number, Some(letter), words)),
                );
            }
        }
        found
    }

    /// Drafts a reply to the agent's only question. It may be an answer; a question about the agent's next step, or about
    /// something that it does not name, is none that lasts.
    fn asked(&self) -> Option<Draft> {
        let text = &self.reply.text;
        let sentences = acreta_text::sentences(text);
        let last = sentences.len().saturating_sub(CLOSING);
        let asked = sentences[last..].iter().map(|range| &text[range.clone()]);
        let question = asked.clone().rfind(|one| is_question(one))?;
        if asked.filter(|one| is_question(one)).count() > 1 || self.typed.len() > CLOSING {
            return None;
        }
        let words = self.words(0)?;
        let is_asked = (SHORTEST_ASKED..=LONGEST_ASKED).contains(&size(question));
        if is_question(words) || size(words) < SHORTEST_REPLY || is_loose(question) || !is_asked {
            return None;
        }
        let bound = Bound {
            about: question,
            question: plain(question),
            option: plain(words),
        };
        self.draft(&bound, words, Certainty::Pending, 0)
    }

    /// Returns the sentence at a place, with those behind it in its paragraph that are no questions and fit.
    fn words(&self, place: usize) -> Option<&'a str> {
        let text = &self.event.text;
        let first = self.typed.get(place)?;
        let mut end = first.end;
        for next in &self.typed[place + 1..] {
            let between = &text[end..next.start];
            let fits = text[first.start..next.end].chars().count() <= LONGEST_QUOTE;
            if between.contains("\n\n")
                || !between.trim().is_empty()
                || !fits
                || is_question(&text[next.clone()])
            {
                break;
            }
            end = next.end;
        }
        let words = &text[first.start..end];
        (words.chars().count() <= LONGEST_QUOTE).then_some(words)
    }

    fn draft(
        &self,
        bound: &Bound<'_>,
        words: &str,
        certainty: Certainty,
        place: usize,
    ) -> Option<Draft> {
        let option = ended(&bound.option);
        let fits = |told: &String| told.chars().count() <= LONGEST_TITLE && is_balanced(told);
        let tails = [": ", ", "].map(|mark| bound.question.rsplit(mark).next().unwrap_or(""));
        let asked = std::iter::once(bound.question.as_str()).chain(tails);
        let mut joined = asked
            .filter(|asked| !option.is_empty() && size(asked) > SHORTEST_ASKED)
            .map(|asked| format!("{} → {option}", capital(asked)))
            .filter(fits);
        let stands = |text: &str| title(text, "").filter(|title| size(title) >= SHORTEST_STATEMENT);
        let title = joined
            .next()
            .or_else(|| stands(option).filter(|title| !title.starts_with('`')))
            .or_else(|| stands(words))?;
        let about = Some(quote(&self.reply.event_id, bound.about));
        let words = quote(&self.event.id, words);
        Draft::quoted(
            (self.order, ANSWER_PLACE + place),
            "",
            title,
            certainty,
            words,
            about,
        )
    }
}

/// Returns the last question of a text.
fn question(text: &str) -> Option<String> {
    let sentences = acreta_text::sentences(text);
    let asked = sentences.iter().rev().map(|range| &text[range.clone()]);
    asked
        .filter(|sentence| size(sentence) <= LONGEST_ASKED)
        .find(|sentence| is_question(sentence))
        .map(plain)
}

/// Returns a line as far as it may be quoted, at the end of a sentence.
fn within(line: &str) -> &str {
    if line.chars().count() <= LONGEST_QUOTE {
        return line;
    }
    let ends = acreta_text::sentences(line)
        .into_iter()
        .map(|range| range.end);
    let end = ends
        .take_while(|end| line[..*end].chars().count() <= LONGEST_QUOTE)
        .last();
    end.map_or("", |end| &line[..end])
}

/// Reports whether a question is about the agent's next step, or about something that it does not name.
fn is_loose(question: &str) -> bool {
    acreta_text::words(question).any(|word| LOOSE.contains(&word.as_str()))
}

/// Returns the label that an answer names in its first clause, and whether it says no more there: `B`, `go with B`.
fn labelled(answer: &str) -> Option<(Label, bool)> {
    let answer =
        answer.trim_start_matches(|one: char| one.is_whitespace() || "(\"*`".contains(one));
    let first = answer.chars().next()?;
    let rest = &answer[first.len_utf8()..];
    if let Some(label) = Label::of(first)
        && !rest.starts_with(|next: char| next.is_alphanumeric() || next == '\'')
    {
        let is_marked = rest.trim().is_empty()
            || rest.starts_with(['.', ')', ',', ':', ';', '!', '\n', '。', '，'])
            || [" -", " –", " —"].iter().any(|mark| rest.starts_with(mark));
        return is_marked.then_some((label, true));
    }
    let opening = clause(answer);
    let next =
        clause(answer[opening.len()..].trim_start_matches(|one: char| !one.is_alphanumeric()));
    // `yes, take B`
    let said = if size(opening) == 1 { next } else { opening };
    let words: Vec<&str> = said.split_whitespace().collect();
    let is_letter =
        |word: &str| word.len() == 1 && word.starts_with(|one: char| one.is_uppercase());
    // `3` may count something.
    let is_number = |at: usize| {
        let named = at > 0 && NAMING.contains(&words[at - 1].to_lowercase().as_str());
        named && words[at].len() == 1 && words[at].starts_with(|one: char| one.is_ascii_digit())
    };
    let at = (0..words.len()).find(|at| *at > 0 && is_letter(words[*at]) || is_number(*at))?;
    let is_bare = at + 1 == words.len() && words.len() <= LONGEST_PICK;
    Some((Label::of(words[at].chars().next()?)?, is_bare))
}

/// Returns the text before the first mark that ends a clause.
fn clause(answer: &str) -> &str {
    let ends = [
        '.', ',', ';', ':', '!', '\n', '，', '。', '；', '：', '—', '–', '(',
    ];
    answer.split(ends).next().unwrap_or("").trim()
}

/// Returns the place that the first clause names: `the second one`.
fn ordinal(answer: &str, offered: usize) -> Option<usize> {
    let clause = clause(answer);
    if size(clause) > LONGEST_PICK {
        return None;
    }
    let words: Vec<String> = acreta_text::words(clause).collect();
    let place = ORDINALS
        .iter()
        .position(|name| words.iter().any(|word| word == name))?;
    (place < offered).then_some(place)
}

/// Returns the option whose name the sentence holds; of several the first named one. One name alone is a choice only
/// after a question: steps and findings have labels, too.
fn by_words<'r, 'a>(
    sentence: &str,
    row: &'r [LabelledItem<'a>],
    asks: bool,
) -> Option<&'r LabelledItem<'a>> {
    let said: Vec<String> = acreta_text::words(sentence).collect();
    let mut named: Vec<(usize, &LabelledItem<'a>)> = Vec::new();
    for item in row {
        let wanted: Vec<String> = acreta_text::content_words(&name(item.text)).collect();
        let places: Option<Vec<usize>> = wanted
            .iter()
            .map(|word| said.iter().position(|one| one == word))
            .collect();
        let is_name = wanted.len() > 1 || wanted.len() == 1 && said.len() <= LONGEST_PICK;
        if let Some(first) = places
            .filter(|_| is_name)
            .and_then(|places| places.into_iter().min())
        {
            named.push((first, item));
        }
    }
    let is_choice = named.len() > 1 || asks;
    let first = named
        .into_iter()
        .min_by_key(|(at, _)| *at)
        .filter(|_| is_choice)?;
    Some(first.1)
}

/// Returns number and letter of each choice: at least two, `1a, 2b` or `1: a 2: b`.
fn compact(answer: &str) -> Vec<(usize, Label)> {
    let letter = |word: &str| {
        let mut letters = word.chars();
        let label = Label::of(letters.next()?).filter(|label| matches!(label, Label::Letter(_)))?;
        letters.next().is_none().then_some(label)
    };
    let mut found: Vec<(usize, Label)> = Vec::new();
    let words = answer.split(|one: char| one.is_whitespace() || ",;.:)-=".contains(one));
    let mut words = words.filter(|word| !word.is_empty()).peekable();
    while let Some(word) = words.next() {
        let digits = word.bytes().take_while(u8::is_ascii_digit).count();
        let Ok(number @ 1..=20) = word[..digits].parse::<usize>() else {
            continue;
        };
        let label = match &word[digits..] {
            "" => words.peek().copied().and_then(letter),
            rest => letter(rest),
        };
        if let Some(label) = label {
            found.push((number - 1, label));
        }
    }
    if found.len() < 2 { Vec::new() } else { found }
}

/// Words before the number of an option.
const NAMING: [&str; 3] = ["option", "number", "choice"];
/// Words of a question about the agent's next step, or about something that is not named.
const LOOSE: [&str; 7] = ["i", "me", "this", "that", "these", "those", "it"];
const ORDINALS: [&str; 3] = ["first", "second", "third"];
/// Sentences at the end of a reply that may hold its question.
const CLOSING: usize = 3;
const SHORTEST_ASKED: usize = 4;
const LONGEST_ASKED: usize = 40;
const SHORTEST_REPLY: usize = 3;
const LONGEST_ANSWER: usize = 400;
/// Maximum number of words of a clause that names an option.
const LONGEST_PICK: usize = 6;
/// Minimum number of words of a title that is not a question with its answer.
const SHORTEST_STATEMENT: usize = 3;
/// Sorts after all sentences of the same message.
const ANSWER_PLACE: usize = 1000;
