//! Scope of a stance: over the clauses of a run-on sentence, and over the sentences of a message.

use super::lexicon::{HEDGING, REPORTING, SUPPOSING, has_phrase, starts_with_phrase};
use super::stance::{Stance, clauses, is_asking, stance};
use crate::grounds::unit::TypedSentence;

/// Length from which a sentence is several, joined by commas and conjunctions; half as long without blanks.
pub(super) const RUN_ON: usize = 160;

/// Splits a dictated run-on sentence into clauses, each with its own stance. A report or a supposition extends to the
/// next digression.
pub(super) fn parts(sentence: &str, run_on: usize) -> Option<Vec<TypedSentence>> {
    let length = sentence.chars().count();
    let unspaced = sentence
        .chars()
        .filter(|one| acreta_text::is_unspaced(*one))
        .count();
    if length + unspaced <= run_on {
        return None;
    }
    let mut found = Vec::new();
    let mut is_foreign = false;
    for text in clauses(sentence).iter().flat_map(|clause| strung(clause)) {
        let lower = text.to_lowercase();
        is_foreign &= !has_phrase(&lower, DIGRESSING);
        is_foreign |= has_phrase(&lower, REPORTING) || has_phrase(&lower, SUPPOSING);
        let stance = match is_foreign {
            true => Stance::NotAsserted,
            false => stance(&text),
        };
        let example = String::new();
        found.push(TypedSentence {
            whole: text.clone(),
            text,
            example,
            stance,
        });
    }
    Some(found)
}

/// Splits main clauses that are strung together as in speech.
pub(super) fn strung(clause: &str) -> Vec<String> {
    let mut text = format!(" {clause} ");
    for joint in STRINGING.split('|') {
        text = text.replace(&format!(" {joint} "), &format!(" \u{1f}{joint} "));
    }
    for end in KOREAN_ENDS.split('|') {
        text = text.replace(&format!("{end} "), &format!("{end} \u{1f}"));
    }
    let pieces = text.split('\u{1f}').map(|piece| piece.trim().to_owned());
    pieces.filter(|piece| !piece.is_empty()).collect()
}

/// Endings of Korean main clauses.
const KOREAN_ENDS: &str = "야 돼|야 해|야 한다|거든|니다|세요|하자|해줘|맞다|않아";

const STRINGING: &str = "because|weil|parce que|porque|perché|omdat|потому что|ponieważ|çünkü|and then|and yeah|and also|so maybe|so|but|und dann|und außerdem|und ja|et puis|et donc|et sinon|y luego|y bueno|y también|y además|e depois|e também|e poi|e anche|en dan|а ещё|и ещё|и потом|아 그리고|아 맞다|그리고|그래서|그런데|근데|아니면";

/// Phrases that change the subject.
pub(super) const DIGRESSING: &str = "the other thing|another thing|one more thing|one other thing|other than that|by the way|btw|anyway|anyways|while i'm at it|while we're at it|oh and|separately|\
    übrigens|ach ja|ach und|noch was|noch etwas|andere sache|nebenbei|wo ich schon dabei bin|jedenfalls|pendant que j'y suis|au fait|autre chose|d'ailleurs|sinon|\
    por cierto|otra cosa|ah y|ya que estamos|de paso|aliás|outra coisa|a propósito|ah e|a proposito|un'altra cosa|già che ci sono|trouwens|nog iets|\
    кстати|и ещё|да и ещё|ещё момент|przy okazji|bu arada|对了|對了|还有一点|还有一件|另外|顺便|ところで|ちなみに|あと、|それから|그리고 참|아 그리고|참고로|그건 그렇고";

/// Extends a supposition that opens a message over its sentences, up to one that ends it. In a message that asks for
/// work on a text nothing is asserted.
pub(super) fn spread(units: &mut [TypedSentence]) {
    if units.len() > 1 && units.iter().any(|unit| is_text_work(&unit.text)) {
        for unit in units.iter_mut() {
            unit.stance = Stance::NotAsserted;
        }
    }
    let opens = units.first().is_some_and(|unit| {
        let lower = unit.text.to_lowercase();
        unit.stance == Stance::NotAsserted
            && has_phrase(&lower, SUPPOSING)
            && !has_phrase(&lower, HEDGING)
    });
    if !opens {
        return;
    }
    for unit in units.iter_mut().skip(1) {
        let lower = unit.text.to_lowercase();
        if starts_with_phrase(&lower, RETURNING) || has_phrase(&lower, DIGRESSING) {
            return;
        }
        unit.stance = Stance::NotAsserted;
    }
}

/// Reports whether a sentence asks to translate, reword or summarise.
fn is_text_work(sentence: &str) -> bool {
    let lower = sentence.to_lowercase();
    let text = lower.trim_start_matches(|edge: char| !edge.is_alphanumeric());
    let asks = is_asking(sentence);
    let mut stems = TEXT_WORK.split('|');
    stems.any(|stem| text.starts_with(stem) || asks && text.contains(stem))
}

/// Word beginnings for work on a text.
const TEXT_WORK: &str = "translate|rephras|reword|reformul|proofread|summari|paraphras|how do you say|übersetz|umformulier|fass zusammen|fasse|wie sagt man|tradu|résum|resum|comment dit-on|comment on dit|cómo se dice|como se diz|come si dice|riassum|vertaal|\
    перевед|перефраз|как сказать|przetłumacz|çevir|翻译|翻譯|润色|改写|总结|總結|怎么说|訳して|英訳|和訳|要約|言い換え|번역|요약|어떻게 말";

/// Words that end a supposition.
const RETURNING: &str = "but|however|in reality|actually|seriously|for real|aber|jedoch|in wirklichkeit|im ernst|tatsächlich|mais|en réalité|sérieusement|pero|en realidad|en serio|mas|na verdade|ma|in realtà|maar|но|однако|на самом деле|серьёзно|ale|ama|但|不过|其实|でも|しかし|実際|하지만|그런데|실제로|근데";
