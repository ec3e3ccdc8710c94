//! Whether a sentence is understood without what stood around it: no word in it points outside.

use crate::phrases::{Folded, Phrases, opens_in_any_case, phrases};

/// Whether a sentence is understood without what stood around it.
pub(crate) fn stands_alone(sentence: &str) -> bool {
    let folded = Folded::of(sentence);
    !opens_with_pointer(&folded) && !folded.any(POINTERS) && !hangs(sentence)
}

/// Whether a bare `this` or `that` closes a clause: it points at something outside.
fn hangs(sentence: &str) -> bool {
    sentence.match_indices(' ').any(|(at, _)| {
        [" this", " that", " these", " those"].iter().any(|word| {
            opens_in_any_case(&sentence[at..], word) && {
                let after = &sentence[at + word.len()..];
                after.is_empty() || after.starts_with([',', '.', ';', ')', '?', '!', ':'])
            }
        })
    })
}

/// Whether a sentence opens with a word that points at another one.
pub(crate) fn opens_with_pointer(folded: &Folded) -> bool {
    folded.opens(OPENING_POINTERS)
}

const OPENING_POINTERS: Phrases = phrases!(
    "it|it's|its|this|that|that's|these|those|they|he|she|they're|both|either|neither|\
     the former|the latter|such|same|which|there|here|the first|the second|the third|\
     the other|one of|each of|none of|all of|this is|his|her|their|them|like that|\
     as such|similarly|likewise|otherwise|instead|another|what|who|where|why|how|the issue|\
     the problem|the bug|the fix|the cause|the root cause|the reason|the change|the changes|\
     the result|the answer|the question|the idea|the point|the solution|the plan|the practical answer|the short answer|the key",
);

const POINTERS: Phrases = phrases!(
    "this file|this case|this one|that one|above|below|the following|as follows|\
     earlier|i'll|let me|this session|the agent will|the agent's|the previous|\
     this change|that change|these changes|here's|here is|this approach|that approach|\
     this plan|next step|this is|you asked|as discussed|as mentioned|the user said|\
     this issue|this fix|this test|this branch|those changes|this pr|this way|\
     this means|the current turn|what i|this bug",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pointing_sentences_do_not_stand_alone() {
        for (sentence, alone) in [
            ("It breaks the build.", false),
            ("The queue is in SQLite.", true),
            ("See the table above.", false),
            ("Let me fix the queue.", false),
            ("The issue is in the loader.", false),
        ] {
            assert_eq!(stands_alone(sentence), alone, "{sentence}");
        }
    }
}
