//! What the person lays down in their own words: sentences whose form makes them last, each with the
//! sentence after it where that belongs to it.

use crate::draft::{Draft, body, quote, title};
use crate::form::{Form, form};
use crate::phrases::{Phrases, phrases};
use crate::plain::is_unsafe;
use crate::sentences::{Place, Sentence, sentences};
use crate::view::View;
use crate::voice::{self, Message};
use crate::words::{RETRACTIONS, RETRACTIONS_UNSPACED};

/// Who lays it down, and where.
pub(crate) struct Source<'a> {
    pub(crate) event_id: &'a str,
    pub(crate) order: u64,
    /// The person asked for it to be remembered by saying it where notes are taken.
    pub(crate) noted: bool,
}

/// The drafts of a message.
pub(crate) fn drafts(source: &Source<'_>, message: Message<'_>) -> Vec<Draft> {
    let strict = message.form != voice::Form::Speech;
    let spoken: Vec<Sentence<'_>> = if message.form == voice::Form::Brief {
        demands(message.text)
    } else {
        message.speech().collect()
    };
    let mut found = of_sentences(source, &spoken, strict);
    if strict {
        found.truncate(MOST_OF_A_BRIEF);
    }
    found
}

/// The sentences of a written order that stand under a heading for what holds beyond it.
fn demands(text: &str) -> Vec<Sentence<'_>> {
    let mut under = false;
    sentences(text)
        .filter(|sentence| {
            if sentence.place == Place::Heading {
                under = View::of(sentence.text).has(LASTING_HEADINGS);
            }
            under && sentence.place != Place::Heading && !voice::looks_pasted(sentence.text)
        })
        .collect()
}

/// The drafts of sentences; of a written order only what cannot be meant for it alone.
pub(crate) fn of_sentences(
    source: &Source<'_>,
    spoken: &[Sentence<'_>],
    strict: bool,
) -> Vec<Draft> {
    let mut found: Vec<Draft> = Vec::new();
    for (place, sentence) in spoken.iter().enumerate() {
        let Some(form) = laid_down(source, sentence.text) else {
            continue;
        };
        if strict && !form.sure {
            continue;
        }
        // A short rule right behind another one completes it: `Cents are integers. Never floats.`
        let before = place.checked_sub(1).and_then(|at| spoken.get(at));
        let follows = before.is_some_and(|before| before.block == sentence.block);
        if let Some(last) = found.last_mut()
            && follows
            && form.sure
            && last.place + 1 == place
            && View::of(sentence.text).size() <= SHORT_RULE
            && is_own(sentence.text)
            && last.append(sentence.text, quote(source.event_id, sentence.text))
        {
            continue;
        }
        let near = |at: Option<usize>| {
            at.and_then(|at| spoken.get(at))
                .filter(|other| other.block == sentence.block)
                .map(|other| other.text)
        };
        let Some(title) = title(sentence.text) else {
            continue;
        };
        let after = near(Some(place + 1))
            .filter(|after| !crate::form::form(after).is_some_and(|other| other.sure));
        let draft = Draft {
            order: source.order,
            place,
            kind: form.kind.name(),
            title,
            body: body(sentence.text, near(place.checked_sub(1)), after),
            pending: !form.sure,
            confidence: if form.sure { SURE } else { LIKELY },
            evidence: vec![quote(source.event_id, sentence.text)],
        };
        if draft.reads_well() && is_own(sentence.text) {
            found.push(draft);
        }
    }
    found
}

fn laid_down(source: &Source<'_>, text: &str) -> Option<Form> {
    let found = form(text);
    if source.noted
        && found.is_none()
        && View::of(text).size() >= 3
        && !View::of(text).is_question()
    {
        return Some(Form {
            kind: crate::form::Kind::Convention,
            sure: true,
        });
    }
    found.map(|form| Form {
        sure: form.sure || source.noted,
        ..form
    })
}

/// Reports whether a message takes back the one before it.
pub(crate) fn retracts(text: &str) -> bool {
    let view = View::of(acreta_text::head(text, 400));
    if view.tongue.spaced {
        view.has(RETRACTIONS)
    } else {
        view.size() < 12 && view.has(RETRACTIONS_UNSPACED)
    }
}

/// Reports whether a sentence is the person's and not a quotation, an example or something unfit to keep.
fn is_own(text: &str) -> bool {
    let quoted = text.starts_with(['"', '“', '\'', '«', '「']) || text.starts_with("you wrote");
    !quoted && !is_unsafe(text) && !text.contains(['→', '|', '\t'])
}

/// Headings under which a written order says what holds beyond it.
const LASTING_HEADINGS: Phrases = phrases!(
    "constraints|constraint|conventions|convention|rules|rule|guidelines|principles|decisions|decision|standards|policies|policy|non goals|regeln|konventionen|entscheidungen|reglas|convenciones|decisiones|règles|conventions|décisions|правила|решения|约定|规则|决定|規則|規約|方針|決定事項",
);

const MOST_OF_A_BRIEF: usize = 3;
/// Words of a rule that hardly stands alone.
const SHORT_RULE: usize = 6;
const SURE: f32 = 0.8;
const LIKELY: f32 = 0.6;
