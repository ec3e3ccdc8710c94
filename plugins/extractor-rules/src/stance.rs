//! How a sentence of the person stands to the work: does it lay something down that holds beyond the
//! turn, or is it a task, a question, a tweak, a report? Pure, from the words alone.

use crate::alone::opens_with_pointer;
use crate::cues::{
    CHOICE, CONTRAST, PASSING, PREFERENCE, PROPOSAL, QUESTION, QUESTION_IF_MARKED, REASON,
    RULE_OPENINGS, RULES, STANDING, TASK, TWEAK, UNTIL,
};
use crate::draft::Category;
use crate::names::names;
use crate::phrases::{Folded, Phrases, phrases};
use crate::polish::{Speaker, core};

/// How a sentence of the person stands to the work.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Stance {
    pub(crate) category: Category,
    pub(crate) score: f32,
    /// Whether it only asks; a proposal put as a question does not.
    pub(crate) asks: bool,
    /// Whether it is put as a rule or a preference, which holds without anybody's consent.
    pub(crate) firm: bool,
}

/// What a sentence of the person lays down, if anything.
pub(crate) fn stance(text: &str) -> Option<Stance> {
    let folded = Folded::of(text);
    let bare = core(text, Speaker::Person);
    let opening = Folded::of(&bare);
    if folded.any(phrases!("don't know|do not know|not sure|no idea|unsure"))
        || opening.opens(phrases!("rather than|instead of"))
        || !(4..=64).contains(&opening.word_count())
    {
        return None;
    }
    let standing = folded.any(STANDING);
    let preference = folded.any(PREFERENCE);
    let rule = (opening.opens(RULE_OPENINGS) || folded.any(RULES)) && !folded.any(UNTIL);
    // "use X, no Y": an order that sets one thing against another for good.
    let ruling = (opening.opens(phrases!("use|keep|prefer|call|put"))
        && folded.any(phrases!("no|not|never|instead of|rather than")))
        || (opening.opens(phrases!("do not|don't"))
            && !opening.opens(HOLDING)
            && !folded.any(UNTIL)
            && folded.any(phrases!(
                "if|when|unless|because|since|whenever|so that|otherwise"
            )));
    let choice = folded.any(CHOICE) || ruling;
    let proposal = folded.any(PROPOSAL);
    let trouble = folded.any(TROUBLE_IS);
    let finding = !opening.opens(phrases!("if"))
        && (trouble && folded.any(phrases!("not"))
            || folded.any(REASON) && (trouble || folded.any(FINDING) && !names(text).is_empty()));
    let marked = text.trim_end().ends_with('?');
    let questioned = opening.opens(QUESTION) || (marked && opening.opens(QUESTION_IF_MARKED));
    let asks = questioned || folded.opens(phrases!("can we|could we"));
    if !(rule || standing || preference || choice || proposal || finding)
        || (questioned && !(choice || proposal))
    {
        return None;
    }
    let reason = folded.any(REASON);
    let contrast = folded.any(CONTRAST);
    let named = names(text).len();
    let mut score: f32 = 0.30;
    for (holds, base) in [
        (finding, 0.27),
        (choice, 0.38),
        (standing, 0.48),
        (preference, 0.5),
        (rule, 0.56),
    ] {
        if holds {
            score = base;
        }
    }
    let shouted = text.contains('!')
        || text
            .split_whitespace()
            .any(|word| SHOUTS.contains(word.trim_matches(|edge: char| !edge.is_alphabetic())));
    let tasked = opening.opens(TASK) && !ruling && !rule;
    for (holds, gain) in [
        (reason, 0.12),
        (contrast, 0.07),
        (acreta_text::tokens(&bare).len() >= 7, 0.05),
        (shouted, 0.08),
        (questioned && !proposal, -0.3),
        (
            tasked,
            if (choice || standing) && contrast && reason {
                -0.08
            } else {
                -0.3
            },
        ),
        (marked, -0.05),
        ((folded.any(TWEAK) && !standing) || has_colour(text), -0.25),
        (folded.any(phrases!("something")), -0.08),
        (folded.any(UNSURE), -0.15),
        (
            folded.any(phrases!("i thought we had|i thought you|i thought i")),
            -0.25,
        ),
        (folded.any(phrases!("them")) && named == 0, -0.1),
        (folded.any(PASSING) && !rule, -0.22),
        (folded.any(UNTIL) && (standing || preference), -0.12),
        (opens_with_pointer(&opening), -0.2),
        (opening.opens(NARRATION), -0.3),
        (
            opening
                .words()
                .next()
                .is_some_and(|word| word.len() > 4 && word.ends_with("ed")),
            -0.2,
        ),
    ] {
        if holds {
            score += gain;
        }
    }
    score += [0.0, 0.05, 0.09][named.min(2)];
    Some(Stance {
        category: if finding && !(rule || standing || preference || choice) {
            Category::Learning("insight")
        } else {
            category(&folded, standing || rule, preference, choice)
        },
        score,
        asks,
        firm: rule || standing || preference,
    })
}

fn category(folded: &Folded, standing: bool, preference: bool, choice: bool) -> Category {
    let about_work = folded.any(phrases!(
        "me|ask|asking|you should|you must|tell me|show me"
    ));
    let of_product = folded.any(phrases!(
        "direction|option|design|version|appearance|approach|tools",
    ));
    if preference && of_product && !folded.any(phrases!("you|ask")) {
        Category::Decision
    } else if preference || (standing && about_work) {
        Category::Learning("preference")
    } else if standing && !(choice && folded.any(phrases!("instead of|rather than"))) {
        Category::Learning("convention")
    } else {
        Category::Decision
    }
}

/// Whether a text names a colour by its number.
fn has_colour(text: &str) -> bool {
    text.split('#').skip(1).any(|after| {
        let digits = after.bytes().take_while(u8::is_ascii_hexdigit).count();
        digits == 3 || digits == 6 || digits == 8
    })
}

const SHOUTS: Phrases = phrases!("NEVER|ALWAYS|NO|NOT|MUST|DON'T");

/// Orders that hold the agent back for the moment.
const HOLDING: Phrases = phrases!(
    "do not commit|don't commit|do not push|don't push|do not change|don't change|do not touch|\
     don't touch|do not worry|don't worry|do not run|don't run|do not merge|don't merge|\
     do not start|don't start|do not stop|don't stop|do not forget|don't forget|do not edit|\
     don't edit|do not write|don't write|do not do|don't do|don't know|don't think|don't see|\
     don't understand|do not implement|don't implement|do not make|don't make|don't want you",
);

/// Words of someone who thinks aloud.
const UNSURE: Phrases = phrases!(
    "potentially|tricky|perhaps|i wonder|might|not familiar|would be nice|at some point|\
     eventually|what if|or so|hopefully|i suppose|i guess",
);

/// A person's own finding of how things are.
const FINDING: Phrases = phrases!("can't|cannot|doesn't|haven't|isn't");
const TROUBLE_IS: Phrases = phrases!("the issue is|the problem is|the reason is|the thing is");

/// Openings of someone who tells what they did.
const NARRATION: Phrases = phrases!(
    "i undid|i removed|i've|i just|i did|i added|i tried|i noticed|i saw|i got|i'm|\
     i was|i selected|i don't understand|i understand|i see|i don't see|we merged|\
     we removed|i have|i merged|i ran",
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_preferences_and_choices_weigh_more_than_tasks() {
        let cases: &[(&str, bool)] = &[
            (
                "never commit the generated files, they are rebuilt in CI",
                true,
            ),
            ("always run the linter before you push", true),
            (
                "I prefer small commits over one large one, because reviews go faster",
                true,
            ),
            (
                "let's use SQLite instead of Postgres because there is only one machine",
                true,
            ),
            ("a broken plugin must NEVER stop the server", true),
            (
                "we don't need a second cache, this will only make the upload slower",
                true,
            ),
            ("add a test for the parser", false),
            ("can you push to the PR?", false),
            ("what does the worker do?", false),
            ("make the button a little wider", false),
            ("ok", false),
            ("commit and push", false),
            ("i removed the file myself", false),
            ("From now on use pnpm for every package", true),
            ("please don't commit yet", false),
            ("don't use mocks in the integration tests", true),
            ("the build always fails on my machine", false),
            ("why does it never finish?", false),
        ];
        for (text, kept) in cases {
            let score = stance(text).map_or(0.0, |stance| stance.score);
            assert_eq!(score >= 0.55, *kept, "{text}: {score}");
        }
    }
}
