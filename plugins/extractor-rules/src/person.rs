//! First and second person named: what `I` and `you` said becomes what the user and the agent do.
//! Code is left as it is spelt.

use crate::phrases::{Phrases, phrases};
use crate::polish::Speaker;

/// `I` becomes the user (or stays out), `you` becomes the agent or the user, oaths go.
pub(crate) fn third_person(text: &str, speaker: Speaker) -> String {
    let (first, second) = match speaker {
        Speaker::Person => ("the user", "the agent"),
        Speaker::Agent => ("the agent", "the user"),
    };
    let mut written = String::with_capacity(text.len() + 24);
    let mut verb_next = false;
    let mut in_code = false;
    let mut previous = String::new();
    for token in text.split(' ') {
        let ticks = token.matches('`').count();
        let quoted = in_code || ticks > 0;
        if ticks % 2 == 1 {
            in_code = !in_code;
        }
        if !written.is_empty() {
            written.push(' ');
        }
        if quoted {
            written.push_str(token);
            verb_next = false;
            continue;
        }
        let end = token
            .trim_end_matches(|character: char| !character.is_alphanumeric())
            .len();
        let start = token.len()
            - token
                .trim_start_matches(|character: char| !character.is_alphanumeric())
                .len();
        if start >= end {
            written.push_str(token);
            continue;
        }
        let (open, word, close) = (&token[..start], &token[start..end], &token[end..]);
        let lower = word.to_lowercase();
        if OATHS.contains(&lower) {
            if written.ends_with(' ') {
                written.pop();
            }
            written.push_str(close);
            verb_next = false;
            continue;
        }
        let replaced = match lower.as_str() {
            "i" => Some(first.to_owned()),
            "i'd" => Some(format!("{first} would")),
            "i'll" => Some(format!("{first} will")),
            "i've" => Some(format!("{first} has")),
            "i'm" | "im" => Some(format!("{first} is")),
            "me" => Some(first.to_owned()),
            "myself" => Some(format!("as {first}")),
            "my" => Some(format!("{first}'s")),
            "you" => Some(second.to_owned()),
            "yourself" => Some(format!("as {second}")),
            "your" => Some(format!("{second}'s")),
            "you're" => Some(format!("{second} is")),
            "you'd" => Some(format!("{second} would")),
            "you'll" => Some(format!("{second} will")),
            "you've" => Some(format!("{second} has")),
            _ => None,
        };
        written.push_str(open);
        match replaced {
            Some(text) => {
                written.push_str(&text);
                verb_next = matches!(lower.as_str(), "i" | "you")
                    && close.is_empty()
                    && !INVERTING.contains(&previous);
            }
            None if verb_next => {
                let (verb, again) = agreeing(word, &lower);
                written.push_str(&verb);
                verb_next = again && close.is_empty();
            }
            None => written.push_str(word),
        }
        written.push_str(close);
        previous = lower;
    }
    written
}

/// Words after which the verb comes without its ending: `can you go`, `to let you go`.
const INVERTING: Phrases = phrases!(
    "can|could|will|would|should|do|does|did|may|might|must|let|make|makes|to|for|with|\
     of|from|by|don't|doesn't",
);

const OATHS: Phrases =
    phrases!("fucking|fuckin|fuck|fucked|shit|damn|goddamn|omfg|wtf|motherfucker|shitty");

/// A verb put into the third person, and whether the verb is still to come.
fn agreeing(word: &str, lower: &str) -> (String, bool) {
    const ADVERBS: Phrases = phrases!(
        "now|then|first|always|never|also|actually|really|just|only|still|usually|\
         explicitly|mostly|often",
    );
    const FIXED: Phrases = phrases!(
        "will|would|can|could|should|may|might|must|did|had|was|were|went|saw|said|\
         made|got|undid|wrote|found|left|put|set|cut|can't|cannot|won't|wouldn't|\
         couldn't|shouldn't|didn't|wasn't|thought|to|in|on|and|or|for|at|with|if|as|is|\
         has|does|that|not|when|before|because|so|but|from|about|the|a|of|doing|being|\
         using",
    );
    if ADVERBS.contains(lower) || (lower.ends_with("ly") && lower.len() > 4) {
        return (word.to_owned(), true);
    }
    if FIXED.contains(lower) || lower.ends_with("ed") || lower.ends_with("ing") {
        return (word.to_owned(), false);
    }
    let verb = match lower {
        "have" => "has".to_owned(),
        "meant" | "knew" | "felt" | "kept" | "ran" | "came" | "gave" | "took" => word.to_owned(),
        "do" => "does".to_owned(),
        "don't" => "doesn't".to_owned(),
        "haven't" => "hasn't".to_owned(),
        "am" | "are" => "is".to_owned(),
        "aren't" => "isn't".to_owned(),
        _ if lower.ends_with(['s', 'x', 'o']) || lower.ends_with("sh") || lower.ends_with("ch") => {
            format!("{word}es")
        }
        _ if lower.ends_with('y')
            && !lower.ends_with(['a', 'e', 'o', 'u'])
            && !lower.ends_with("ay")
            && !lower.ends_with("ey")
            && !lower.ends_with("oy") =>
        {
            format!("{}ies", &word[..word.len() - 1])
        }
        _ => format!("{word}s"),
    };
    (verb, false)
}
