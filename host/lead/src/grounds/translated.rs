//! Judges translations by their original: the person's words in a language other than the candidate's.

use acreta_model::Candidate;

use super::echo::distinct;
use super::lexicon::{STANDING, STANDING_UNSPACED, has_phrase};
use super::polarity::denies;
use super::record::{SessionIndex, statements};
use super::stance::clauses;
use super::terms::{is_unlisted, language, plain, terms};
use crate::decide::accepted::ResolvedCitation;
use crate::grounds::ground::{Ground, OFFERED_BY_TOOL};

/// Judges a translation by its original: the quote must be typed, whole and standing, all names must be typed, and no
/// tool output may say it in the candidate's own language.
pub(super) fn translated(
    record: &SessionIndex,
    candidate: &Candidate,
    citations: &[&ResolvedCitation],
    ground: &Ground,
    reason: String,
) -> Result<(), String> {
    let text = format!("{}. {}", candidate.title, candidate.body);
    let mut original = String::new();
    let mut is_standing = false;
    for cited in citations {
        let Some(index) = record.message(&cited.event.id) else {
            continue;
        };
        let quote = letters(&cited.quote);
        for unit in record.messages[index].asserted() {
            let whole = clauses(unit).iter().any(|clause| {
                let clause = letters(clause);
                clause.chars().count() >= 4 && quote.contains(&clause)
            });
            if whole && !has_phrase(&unit.to_lowercase(), DEFERRING) {
                original.push_str(unit);
                original.push('\n');
                let unit = unit.to_lowercase();
                is_standing |= has_phrase(&unit, STANDING) || has_phrase(&unit, STANDING_UNSPACED);
            }
        }
    }
    let quotes: Vec<&str> = citations.iter().map(|cited| cited.quote.as_str()).collect();
    if !is_other_language(&text, &quotes.join("\n")) {
        return Err(reason);
    }
    if is_unlisted(&original) {
        return Err("marks of its quote's language are not known".to_owned());
    }
    if original.is_empty() || !is_standing {
        return Err("its quote is no whole standing statement that the person typed".to_owned());
    }
    let own = terms(&text);
    if let Some(name) = own
        .iter()
        .find(|term| term.is_name && !ground.typed.has(term))
    {
        return Err(format!("the person did not type `{}`", name.key));
    }
    let count = |text: &str| {
        let found = distinct(&terms(text));
        let pairs = found
            .iter()
            .filter(|key| key.chars().any(acreta_text::is_unspaced))
            .count();
        found.len() - pairs + pairs.div_ceil(2)
    };
    let longest = statements(candidate)
        .iter()
        .map(|one| count(one))
        .max()
        .unwrap_or(0);
    if longest > 2 * count(&original) + 2 {
        return Err("it says more than its quote".to_owned());
    }
    if denies(&original) && !denies(&text) {
        return Err("the person said the opposite".to_owned());
    }
    let told = statements(candidate).iter().any(|sentence| {
        record
            .echo
            .hits(sentence)
            .iter()
            .any(|hit| hit.share >= OFFERED_BY_TOOL)
    });
    match told {
        true => Err("tool output says it, and the person in another language only".to_owned()),
        false => Ok(()),
    }
}

/// Instructions to follow some other text.
pub(super) const DEFERRING: &str = "as described|as documented|as it says|as in the|like in the|like the doc|like the page|follow the doc|follow the guide|follow the readme|wie dort|wie im|wie in der|wie beschrieben|laut|gemäß|comme dans|comme indiqué|comme décrit|suis le|\
    como dice|como pone|como en el|como no|como diz|como descrito|come nel|come scritto|zoals in|как в|как написано|как описано|по инструкции|照文档|按文档|按照文档|照着|照做|按说明|按这个|按那个|通りに|とおりに|に従って|대로 해|대로 하|문서대로";

pub(super) fn letters(text: &str) -> String {
    let plain = plain(text).to_lowercase();
    plain.chars().filter(|one| one.is_alphanumeric()).collect()
}

pub(super) fn is_other_language(left: &str, right: &str) -> bool {
    let script = |text: &str| {
        let all = text
            .chars()
            .filter(|one| one.is_alphabetic())
            .count()
            .max(1);
        let latin = text
            .chars()
            .filter(|one| one.is_alphabetic() && (*one as u32) < 0x250)
            .count();
        latin * 2 > all
    };
    match (language(left), language(right)) {
        (Some(left), Some(right)) => left != right,
        _ => script(left) != script(right),
    }
}
