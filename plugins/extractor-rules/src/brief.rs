//! Written orders: a plan or task with headings that the person handed over. It is a decision once
//! the agent carried it out, and its firm constraints hold beyond it.

use crate::alone::stands_alone;
use crate::cues::{PASSING, REASON, TASK};
use crate::draft::{Category, Draft, Material, Source, quote};
use crate::names::names;
use crate::phrases::{Folded, Phrases, phrases};
use crate::polish::{Speaker, finish, plain, polish};
use crate::sentences::{Place, Sentence, sentences};
use crate::turn::{Prompt, Turn};
use crate::verbs::is_statement;
use crate::voice::Form;

/// What a turn's brief decides and demands.
pub(crate) fn drafts(turn: &Turn) -> Vec<Draft> {
    let mut found = Vec::new();
    for prompt in turn
        .prompts
        .iter()
        .filter(|prompt| prompt.form == Form::Brief)
    {
        if turn.edits > 0 && !turn.interrupted {
            found.extend(plan(prompt));
            found.extend(changes(prompt));
        }
        if turn.answered {
            found.extend(constraints(prompt));
        }
    }
    found
}

/// The title of a brief without `Plan:` and the like.
pub(crate) fn heading(text: &str) -> Option<String> {
    sentences(text)
        .find(|sentence| sentence.place == Place::Heading)
        .map(|sentence| {
            let title = plain(sentence.text);
            let bare = [
                "Plan: ",
                "Task: ",
                "Plan — ",
                "Implementation Plan: ",
                "Goal: ",
                "Feature: ",
                "Fix: ",
            ]
            .iter()
            .find_map(|mark| title.strip_prefix(mark));
            bare.unwrap_or(&title).to_owned()
        })
}

fn plan(prompt: &Prompt) -> Option<Draft> {
    let all: Vec<Sentence<'_>> = sentences(&prompt.text).collect();
    let title = heading(&prompt.text)?;
    if title.split_whitespace().count() < 3 {
        return None;
    }
    let under = |cues: Phrases, sentence: &Sentence<'_>| Folded::of(sentence.under).any(cues);
    let usable = |sentence: &&Sentence<'_>| {
        matches!(sentence.place, Place::Prose | Place::Lead)
            && sentence.text.len() < 240
            && sentence.text.split_whitespace().count() >= 6
    };
    let way = all
        .iter()
        .filter(usable)
        .find(|sentence| under(WAYS, sentence) && stands_alone(sentence.text));
    let why = all
        .iter()
        .filter(usable)
        .filter(|sentence| under(GROUNDS, sentence))
        .filter(|sentence| {
            stands_alone(sentence.text) && way.is_none_or(|way| way.text != sentence.text)
        })
        .max_by_key(|sentence| {
            let folded = Folded::of(sentence.text);
            let trouble = folded.any(TROUBLES);
            (
                usize::from(trouble || folded.any(REASON)),
                usize::MAX - sentence.block,
            )
        });
    let title = if Folded::of(&title).opens(EXPLORING) {
        String::new()
    } else {
        let written = sentence_case(&title, &prompt.text);
        if is_statement(&written) {
            written
        } else {
            format!("{} was implemented.", written.trim_end_matches('.'))
        }
    };
    let mut parts = Vec::new();
    let mut evidence = vec![];
    for sentence in [way, why].into_iter().flatten() {
        parts.push(finish(&plain(sentence.text)));
        evidence.push(quote(&prompt.event_id, sentence.text));
    }
    parts.first()?;
    Draft::new(Material {
        order: prompt.order,
        place: 0,
        category: Category::Decision,
        source: Source::Brief,
        title,
        sentences: parts,
        backing: String::new(),
        score: if why.is_some() { 0.64 } else { 0.56 },
        evidence,
    })
}

/// The changes of a plan that come with their reason, each under a heading of its own.
fn changes(prompt: &Prompt) -> Vec<Draft> {
    let all: Vec<Sentence<'_>> = sentences(&prompt.text).collect();
    let mut found = Vec::new();
    for (place, sentence) in all.iter().enumerate() {
        let heading = plain(sentence.text);
        let heading = heading.trim_start_matches(|mark: char| {
            mark.is_ascii_digit() || matches!(mark, '.' | ')' | ' ' | ':')
        });
        if sentence.place != Place::Heading || !Folded::of(heading).opens(CHANGES) {
            continue;
        }
        let reason = all[place + 1..]
            .iter()
            .take_while(|other| other.place != Place::Heading)
            .map(|other| (other, without_rationale(other.text)))
            .find(|(other, text)| {
                let folded = Folded::of(text);
                matches!(other.place, Place::Prose | Place::Item)
                    && (other.text.len() != text.len() || folded.any(REASON) || folded.any(ENOUGH))
                    && folded.word_count() >= 6
                    && is_statement(text)
                    && stands_alone(text)
            });
        let Some((other, text)) = reason else {
            continue;
        };
        found.extend(Draft::new(Material {
            order: prompt.order,
            place: 500 + place,
            category: Category::Decision,
            source: Source::Brief,
            title: sentence_case(heading, &prompt.text),
            sentences: vec![finish(&plain(text))],
            backing: String::new(),
            score: 0.6,
            evidence: vec![
                quote(&prompt.event_id, sentence.text),
                quote(&prompt.event_id, other.text),
            ],
        }));
    }
    found.truncate(MOST_CONSTRAINTS);
    found
}

/// A sentence without a leading `Rationale:`.
fn without_rationale(text: &str) -> &str {
    [
        "Rationale: ",
        "Reason: ",
        "Why: ",
        "**Rationale:** ",
        "**Why:** ",
        "**Reason:** ",
    ]
    .iter()
    .find_map(|mark| text.strip_prefix(mark))
    .unwrap_or(text)
}

/// Openings of a heading that decides something.
const CHANGES: Phrases = phrases!(
    "exclude|use|keep|move|replace|reorder|store|drop|remove|make|switch|restrict|skip|default|\
     disable|enable|separate|avoid|reduce|prefer|stop|limit|split|merge|rename|derive|require",
);

/// Words that say why it is enough or needed.
const ENOUGH: Phrases = phrases!("only|already|never|must|no longer|is needed|instead of");

/// A heading as a sentence: words that the text also spells small lose their capital.
fn sentence_case(heading: &str, text: &str) -> String {
    let mut words = heading.split(' ');
    let mut written = words.next().unwrap_or("").to_owned();
    for word in words {
        written.push(' ');
        let lower = word.to_lowercase();
        let capital = word.chars().skip(1).all(|letter| !letter.is_uppercase());
        let common =
            lower.len() <= 4 || text.contains(&format!(" {lower}")) || !is_named(word, text);
        written.push_str(if capital && common { &lower } else { word });
    }
    finish(&written)
}

/// Whether a text spells a word large in the middle of a sentence.
fn is_named(word: &str, text: &str) -> bool {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    let spelt = format!(" {word}");
    lines.into_iter().any(|line| {
        line.match_indices(&spelt)
            .any(|(at, _)| line[..at].ends_with(|before: char| before.is_lowercase()))
    })
}

/// Openings of a task whose outcome is not known from its heading.
const EXPLORING: Phrases = phrases!(
    "brainstorm|research|review|investigate|explore|plan|write|draft|analyse|analyze|evaluate|\
     audit|study|compare|discuss|think",
);

/// Headings over what is to be done.
const WAYS: Phrases =
    phrases!("approach|solution|design|summary|decision|target behavior|goal|overview");

/// Headings over why.
const GROUNDS: Phrases = phrases!("context|problem|background|why|motivation|goal|summary");

/// Words of something that is not as it should be.
const TROUBLES: Phrases = phrases!(
    "warnings|error|errors|fails|confusing|slow|missing|don't|doesn't|not|problem|\
     breaks|lost|never|only",
);

/// The sentences of a brief that hold beyond its task.
fn constraints(prompt: &Prompt) -> Vec<Draft> {
    let mut found: Vec<Draft> = Vec::new();
    for (place, sentence) in sentences(&prompt.text).enumerate() {
        if sentence.place == Place::Heading
            || sentence.text.len() > 280
            || !stands_alone(sentence.text)
        {
            continue;
        }
        let folded = Folded::of(sentence.text);
        let words = folded.word_count();
        if !(5..=44).contains(&words)
            || sentence.text.ends_with('?')
            || folded.any(PASSING)
            || folded.any(PROCESS)
        {
            continue;
        }
        let firm = folded.any(phrases!(
            "never|must not|must stay|must never|no|always|do not|don't",
        )) && (folded.any(phrases!("never|must|always"))
            || sentence.text.contains("NO ")
            || sentence.text.contains("NOT "));
        let cause = folded.any(phrases!(
            "because|required by|so that|otherwise|since|to avoid",
        ));
        let named = names(sentence.text).len();
        // What is told as today's state is what the brief is about to change.
        let told = Folded::of(sentence.under).any(phrases!(
            "context|problem|background|current|motivation|why|files|verification|testing|risks",
        ));
        if told && !sentence.text.contains("NO ") && !folded.any(phrases!("must|do not")) {
            continue;
        }
        let (score, category) = match (firm, cause, named) {
            (true, true, _) => (0.66, Category::Learning("convention")),
            (true, false, _)
                if folded.any(phrases!("never|must stay|must never"))
                    || sentence.text.contains("NO ") =>
            {
                (0.6, Category::Learning("convention"))
            }
            (false, true, 1..) if !folded.opens(TASK) => (0.57, Category::Learning("insight")),
            _ => continue,
        };
        found.extend(Draft::new(Material {
            order: prompt.order,
            place: place + 1,
            category,
            source: Source::Brief,
            title: String::new(),
            sentences: vec![polish(sentence.text, Speaker::Person)],
            backing: String::new(),
            score,
            evidence: vec![quote(&prompt.event_id, sentence.text)],
        }));
    }
    found.sort_by(|left, right| {
        right
            .score
            .total_cmp(&left.score)
            .then(left.place.cmp(&right.place))
    });
    found.truncate(MOST_CONSTRAINTS);
    found
}

const MOST_CONSTRAINTS: usize = 2;

/// Orders about how to carry out this one task.
const PROCESS: Phrases = phrases!(
    "commit|push|open a pr|draft pr|report|when done|final message|verify|run the|\
     read the|start with|your deliverable|in scope|out of scope|update the|unchanged|\
     existing tests|the test|the tests|should work|stdout|transcript at|plan mode|\
     full transcript|merge to main|worktree",
);
