//! Whether a text is a statement or an order, told by its verbs. Code is no verb, and what the tables
//! do not know is none.

use crate::cues::TASK;
use crate::phrases::{Folded, Phrases, phrases};

/// Whether a text says something with a verb in its own words, code aside.
pub(crate) fn is_statement(text: &str) -> bool {
    let spoken: String = text
        .split('`')
        .step_by(2)
        .collect::<Vec<_>>()
        .join(" name ");
    let folded = Folded::of(&spoken);
    let words = folded.word_count();
    words >= 3
        && (folded.any(FINITE)
            || acts(&folded)
            || is_order(&spoken)
            || folded.opens(phrases!("no")))
}

/// Whether something is done to something: `the server caches the prefix`.
fn acts(folded: &Folded) -> bool {
    let words: Vec<&str> = folded.words().skip(1).collect();
    words.windows(2).any(|pair| {
        pair[0].len() > 3
            && pair[0].ends_with('s')
            && matches!(
                pair[1],
                "the" | "a" | "an" | "its" | "all" | "any" | "every" | "each"
            )
    })
}

/// Whether a text opens with the verb of an order.
pub(crate) fn is_order(text: &str) -> bool {
    let folded = Folded::of(text);
    folded.opens(TASK) || folded.opens(ORDERS)
}

/// Whether a text opens with a verb as a statement has it.
pub(crate) fn opens_finite(folded: &Folded) -> bool {
    folded.opens(FINITE)
}

/// Whether a word is a verb as a statement has it.
pub(crate) fn is_finite(word: &str) -> bool {
    FINITE.contains(word)
}

/// Verbs in a form that makes a statement.
const FINITE: Phrases = phrases!(
    "is|are|was|were|be|has|have|had|do|does|did|can|cannot|can't|could|couldn't|should|\
     shouldn't|must|mustn't|will|won't|would|wouldn't|may|might|isn't|aren't|wasn't|\
     weren't|doesn't|don't|didn't|hasn't|haven't|need|needs|want|wants|use|uses|keep|\
     keeps|store|stores|read|reads|write|writes|return|returns|fails|fail|failed|break|\
     breaks|broke|drop|drops|dropped|contain|contains|create|creates|take|takes|make|\
     makes|get|gets|give|gives|go|goes|live|lives|work|works|require|requires|ignore|\
     ignores|ignored|skip|skips|pick|picks|send|sends|load|loads|reject|rejects|expect|\
     expects|allow|allows|block|blocks|hold|holds|mean|means|defaults|depend|depends|\
     happen|happens|collapse|collapses|iterate|iterates|follow|follows|followed|prefer|\
     prefers|override|overrides|exclude|excludes|include|includes|treat|treats|resolve|\
     resolves|stay|stays|become|becomes|add|adds|remove|removes|show|shows|run|runs|\
     call|calls|build|builds|never|always|support|supports|carry|carries|pass|passes|\
     start|starts|stop|stops|cause|causes|caused|come|comes|came|look|looks|let|lets|\
     hides|swallows|strips|truncates|intercepts|filters|points|serves|backs|owns|belong|\
     belongs|wins|beats|avoids|prevents|ensures|handles|handle|accepts|accept|deletes|\
     leaves|misses|matches|match|covers|publishes|triggers|rewrites|reformats|expires|\
     hangs|crashes|crash|waits|wait|says|like|likes|dislikes|hates|knows|trust|trusts",
);

/// Verbs that open an order, beside those of a task.
const ORDERS: Phrases = phrases!(
    "avoid|prefer|never|always|don't|do not|do|store|put|call|name|treat|ignore|skip|pass|\
     let|rely|handle|serve|ship|mark|log|require|allow|reject|retire|redact|exclude|\
     reduce|reorder|clear|default|derive|detect|determine|restrict|limit|encode|cache|\
     compare|disable|enable|expose|follow|force|hide|ignore|isolate|leave|persist|pin|\
     place|preserve|prefix|print|reuse|replace|select|share|strip|surface|tag|target|\
     wrap|quote|escape|assume|only|profile|measure|inspect|trace|sign|serve|record|reproduce|\
     restart|import|export|preview|view|sample|reset",
);
