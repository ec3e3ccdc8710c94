//! Rules in the person's own words: sentences whose form makes them last, each with the following sentence if that
//! belongs to it.

use crate::blocks::TextPosition;
use crate::classes::MYSELF;
use crate::draft::{Draft, body, quote, title};
use crate::form::{
    SentenceForm, StatementKind, argues, cures, form, is_statement, requested, stands,
};
use crate::phrases::{Phrases, phrases};
use crate::plain::is_unsafe;
use crate::sentences::{Sentence, sentences};
use crate::view::{SentenceView, is_question};
use crate::voice::{self, Message};
use crate::words::{RETRACTIONS, RETRACTIONS_UNSPACED};

/// Author and position of a message.
pub(crate) struct MessageSource<'a> {
    pub(crate) event_id: &'a str,
    pub(crate) order: u64,
    /// The person used a note-taking command, and so asked for it to be remembered.
    pub(crate) noted: bool,
}

/// Drafts a message; if it answers a question, only the rules that it states besides.
pub(crate) fn drafts(
    source: &MessageSource<'_>,
    message: Message<'_>,
    answers: bool,
) -> Vec<Draft> {
    let strict = answers || message.form != voice::MessageForm::Speech;
    let spoken: Vec<Sentence<'_>> = if message.form == voice::MessageForm::Brief {
        demands(message.text)
    } else {
        message.speech().collect()
    };
    let mut found = of_sentences(source, &spoken, strict);
    found.retain(|draft| !answers || draft.place > 0);
    if strict {
        found.truncate(MOST_OF_A_BRIEF);
    }
    found
}

/// Returns the sentences of a brief under a heading for lasting rules.
fn demands(text: &str) -> Vec<Sentence<'_>> {
    let mut under = false;
    sentences(text)
        .filter(|sentence| {
            if sentence.place == TextPosition::Heading {
                under = SentenceView::of(sentence.text).has(LASTING_HEADINGS);
            }
            under && sentence.place != TextPosition::Heading && !voice::looks_pasted(sentence.text)
        })
        .collect()
}

/// Drafts sentences; of a brief, only those that cannot be meant for it alone.
pub(crate) fn of_sentences(
    source: &MessageSource<'_>,
    spoken: &[Sentence<'_>],
    strict: bool,
) -> Vec<Draft> {
    let asks = spoken
        .iter()
        .any(|sentence| is_question(sentence.text) && requested(sentence.text).is_none());
    let mut found: Vec<Draft> = Vec::new();
    let mut first = 0;
    for paragraph in spoken.chunk_by(|left, right| left.block == right.block) {
        let said: Vec<&str> = paragraph.iter().map(|sentence| sentence.text).collect();
        let mut forms: Vec<Option<SentenceForm>> =
            said.iter().map(|text| laid_down(source, text)).collect();
        let backs: Vec<bool> = said
            .iter()
            .zip(&forms)
            .map(|(text, form)| form.is_some() || is_statement(text))
            .collect();
        if !strict && !asks && said.len() <= LONGEST_ARGUMENT {
            argued(&said, &mut forms);
        }
        joined(&said, &mut forms);
        for (at, form) in forms.iter().enumerate() {
            let Some(form) = form.filter(|form| form.sure || !strict) else {
                continue;
            };
            let cured = usize::from(form.kind == StatementKind::Pitfall);
            let backing = cured
                + forms[at + 1 + cured..]
                    .iter()
                    .zip(&backs[at + 1 + cured..])
                    .take_while(|(other, backs)| other.is_none() && **backs)
                    .count();
            found.extend(drafted(source, form, &said, at, backing, first));
        }
        first += said.len();
    }
    found
}

/// Drafts one sentence with the sentences around it that support it.
fn drafted(
    source: &MessageSource<'_>,
    form: SentenceForm,
    said: &[&str],
    at: usize,
    backing: usize,
    first: usize,
) -> Option<Draft> {
    let text = said[at];
    let draft = Draft {
        order: source.order,
        place: first + at,
        kind: form.kind.name(),
        title: title(text)?,
        body: body(
            text,
            at.checked_sub(1).map(|before| said[before]),
            &said[at + 1..at + 1 + backing],
        ),
        pending: !form.sure,
        spoken: true,
        confidence: if form.sure { SURE } else { LIKELY },
        evidence: vec![quote(source.event_id, text)],
    };
    (draft.reads_well() && is_own(text)).then_some(draft)
}

/// Classifies a paragraph as a whole: a fault and its cure are a pitfall; a likely rule becomes certain if the
/// following sentences support it; and if no rule is explicit, a statement with its reason counts, or with another one
/// behind it that is no guess and no request.
fn argued(said: &[&str], forms: &mut [Option<SentenceForm>]) {
    for at in 1..said.len() {
        let fault = said[at - 1];
        if cures(said[at]) && is_statement(fault) && forms[at - 1].is_none_or(|form| !form.explicit)
        {
            forms[at - 1] = Some(SentenceForm {
                kind: StatementKind::Pitfall,
                sure: true,
                explicit: true,
            });
            forms[at] = None;
        }
        let order = SentenceView::of(said[at]).opens(SentenceView::of(said[at]).tongue.orders);
        let follows = is_statement(said[at]) && !order || forms[at].is_some_and(|form| form.sure);
        if let Some(form) = &mut forms[at - 1]
            && form.explicit
            && follows
        {
            form.sure = true;
        }
    }
    // `Migrations are append only. Never edit one`: the subject of a rule is in the sentence before it.
    if let Some(at) = (1..said.len()).find(|at| forms[*at].is_some_and(|form| form.sure))
        && forms[..at].iter().all(Option::is_none)
        && stands(said[at - 1])
    {
        forms.swap(at - 1, at);
    }
    if forms.iter().flatten().any(|form| form.sure) {
        return;
    }
    let backs = |next: &&str| {
        let view = SentenceView::of(next);
        is_statement(next) && !view.opens(MYSELF) && !view.has(view.tongue.hedge)
    };
    let backed = |at: usize| argues(said[at]) || said.get(at + 1).is_some_and(backs);
    if !SentenceView::of(&said.join(" ")).is_sure_of_language() {
        return;
    }
    // Sentences after an order support the order.
    let told = said
        .iter()
        .take_while(|text| is_statement(text) || SentenceView::of(text).size() < 3);
    let told = 0..told.count();
    let reasoned = told
        .clone()
        .find(|at| stands(said[*at]) && argues(said[*at]));
    let at = reasoned.or_else(|| told.clone().find(|at| stands(said[*at]) && backed(*at)));
    if let Some(at) = at {
        forms[at] = Some(SentenceForm {
            kind: StatementKind::Decision,
            // Without a reason, and before an order, it may only describe a fault.
            sure: reasoned.is_some() || told.end == said.len(),
            explicit: false,
        });
    }
}

/// A sentence after a rule that is not an explicit rule itself, or is very short, belongs to the rule.
fn joined(said: &[&str], forms: &mut [Option<SentenceForm>]) {
    let mut ruled = false;
    for (text, form) in said.iter().zip(forms) {
        let short = SentenceView::of(text).size() <= SHORT_RULE;
        if ruled && form.is_some_and(|form| !form.explicit || short) {
            *form = None;
        } else if form.is_some_and(|form| form.sure) {
            ruled = true;
        } else if form.is_none() && !is_statement(text) {
            ruled = false;
        }
    }
}

fn laid_down(source: &MessageSource<'_>, text: &str) -> Option<SentenceForm> {
    let found = form(text);
    if source.noted
        && found.is_none()
        && SentenceView::of(text).size() >= 3
        && !SentenceView::of(text).is_question()
    {
        return Some(SentenceForm {
            kind: StatementKind::Convention,
            sure: true,
            explicit: true,
        });
    }
    found.map(|form| SentenceForm {
        sure: form.sure || source.noted,
        ..form
    })
}

/// Reports whether a message retracts the one before it.
pub(crate) fn retracts(text: &str) -> bool {
    let view = SentenceView::of(acreta_text::head(text, 400));
    if view.tongue.spaced {
        view.has(RETRACTIONS)
    } else {
        view.size() < 12 && view.has(RETRACTIONS_UNSPACED)
    }
}

/// Reports whether a sentence is the person's and not a quotation, an example or unsafe to store.
fn is_own(text: &str) -> bool {
    let quoted = text.starts_with(['"', '“', '\'', '«', '「']) || text.starts_with("you wrote");
    !quoted && !is_unsafe(text) && !text.contains(['→', '|', '\t'])
}

/// Headings in a brief for rules that outlast it.
const LASTING_HEADINGS: Phrases = phrases!(
    "constraints|constraint|conventions|convention|rules|rule|guidelines|principles|decisions|decision|standards|policies|policy|non goals|regeln|konventionen|entscheidungen|reglas|convenciones|decisiones|règles|conventions|décisions|правила|решения|约定|规则|决定|規則|規約|方針|決定事項",
);

const MOST_OF_A_BRIEF: usize = 3;
/// Maximum number of words of a rule that hardly stands alone.
const SHORT_RULE: usize = 6;
/// Maximum number of sentences in a paragraph that makes and supports one statement.
const LONGEST_ARGUMENT: usize = 4;
const SURE: f32 = 0.8;
const LIKELY: f32 = 0.6;
