//! The form of a sentence: whether its grammar makes it a rule, a decision or a preference that
//! outlives the session. Only closed classes of words count (modals, negation, scope, reason), never
//! its subject. What is only likely is told apart from what is sure.

use crate::phrases::{Phrases, phrases};
use crate::view::View;
use crate::words::ENGLISH;

/// What a sentence lays down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Decision,
    Convention,
    Preference,
}

/// A sentence that lays something down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) kind: Kind,
    /// Its grammar leaves no doubt that it is meant to last.
    pub(crate) sure: bool,
}

/// The form of a sentence, without the words that open it and say nothing; `said` is the whole of it.
pub(crate) fn form(said: &str) -> Option<Form> {
    let whole = View::of(said);
    let bare = whole.bare();
    let view = View::of(bare);
    if !may_last(&whole, &view) {
        return None;
    }
    let (kind, sure) = laid_down(&whole, &view)?;
    let tongue = whole.tongue;
    let lasting = view.has(tongue.scope) || view.has(tongue.decided) || view.has(tongue.consent);
    let passing = whole.has(tongue.passing);
    if whole.has(tongue.hedge) || (passing && !lasting) {
        return None;
    }
    Some(Form {
        kind,
        sure: sure && !passing,
    })
}

/// Whether nothing in a sentence speaks against keeping it.
fn may_last(whole: &View<'_>, view: &View<'_>) -> bool {
    let tongue = view.tongue;
    let least = if tongue.spaced { 3 } else { 4 };
    (least..=LONGEST).contains(&view.size())
        && !whole.is_question()
        && !whole.text.ends_with([':', '：', '…'])
        && !whole.text.ends_with("...")
        && !view.opens(tongue.asking)
        && !(view.opens(tongue.must) || view.opens(phrases!("no longer|be able|wondering|nicht mehr")))
        && !points(view)
        && !cites(view.text)
}

/// Kind and certainty by grammar. The first that holds decides.
fn laid_down(whole: &View<'_>, view: &View<'_>) -> Option<(Kind, bool)> {
    let tongue = view.tongue;
    let scope = view.has(tongue.scope);
    let wide = view.has(tongue.wide);
    let reason = view.has(tongue.reason);
    let contrast = view.has(tongue.contrast);
    let forbids = view.has(tongue.forbid) || bans(view);
    let must = view.has(tongue.must);
    let troubled = view.has(tongue.status);
    let orders = view.opens(tongue.orders) || view.opens(tongue.scope) || orders_after_condition(view);
    let task = view.opens(tongue.tasks);
    let habit = is_habit(view);
    let prefers = view.has(tongue.prefer);
    let asks = view.has(tongue.consent);
    let belongs = view.has(tongue.belong);
    let conditional = view.has(tongue.whenever);
    // Elsewhere than in English an order need not come first.
    let inside = !std::ptr::eq(tongue, &ENGLISH) && view.has(tongue.orders);
    let norm = forbids || must || orders || task || habit || inside && !troubled;
    if view.has(tongue.decided) && says_what(view) {
        return Some((Kind::Decision, !troubled || reason || contrast));
    }
    if asks && (forbids || orders || task || must) {
        return Some((Kind::Preference, true));
    }
    if prefers && says_what(view) {
        let ours = view.words().any(|word| matches!(word, "we" | "we'd" | "wir" | "мы" | "nous"));
        let kind = if ours { Kind::Decision } else { Kind::Preference };
        return Some((kind, !troubled || reason));
    }
    if scope && norm {
        return Some((Kind::Convention, !troubled || must || forbids || orders));
    }
    if whole.has(whole.tongue.remember) {
        return Some((Kind::Convention, !troubled && view.size() >= 4));
    }
    if troubled && !must && !forbids && !orders {
        return None;
    }
    if must && !task && !addresses(view) {
        let firm = forbids || reason || contrast || !troubled && ((wide && !orders) || demands(view));
        return Some((Kind::Convention, firm && view.size() >= 4 && !view.opens(phrases!("if|wenn|si|если|如果"))));
    }
    if forbids && !task {
        return Some((Kind::Convention, (wide || reason || conditional || bans(view)) && !is_definite(view)));
    }
    if view.has(tongue.propose) && says_what(view) && view.size() >= 4 {
        return Some((Kind::Decision, (contrast || reason || names_use(view)) && !is_definite(view)));
    }
    if orders && !is_bare_task(view) && contrast {
        return Some((Kind::Convention, !is_definite(view)));
    }
    if orders && !is_bare_task(view) && (reason || conditional || wide) && !is_definite(view) {
        return Some((Kind::Convention, conditional));
    }
    if states_and_orders(view) {
        return Some((Kind::Convention, true));
    }
    if belongs && !view.opens(PERSONS) && view.size() >= 4 {
        return Some((Kind::Convention, true));
    }
    if habit && (contrast || reason || wide) && view.size() >= 5 {
        return Some((Kind::Convention, contrast || wide));
    }
    None
}

/// Whether a sentence points at something outside it.
fn points(view: &View<'_>) -> bool {
    let tongue = view.tongue;
    if view.opens(HERE) {
        return false;
    }
    if view.opens(tongue.pointing) || view.has(tongue.hanging) {
        return true;
    }
    if !std::ptr::eq(tongue, &ENGLISH) {
        return false;
    }
    let words: Vec<&str> = view.words().collect();
    let early = words.iter().take(EARLY).any(|word| matches!(*word, "it" | "them" | "they" | "he" | "she"));
    let last = words.last().copied().unwrap_or("");
    let shows = words.windows(2).any(|pair| {
        matches!(pair[0], "this" | "these" | "those") && !OURS.contains(pair[1]) && !GOES_ON.contains(pair[1])
            || pair[0] == "that" && matches!(pair[1], "one" | "thing" | "part" | "way" | "file" | "code" | "function" | "test" | "line" | "change")
    });
    early || shows || matches!(last, "this" | "that" | "these" | "those" | "it" | "them" | "so" | "too" | "there")
}

/// Whether a sentence names what only the moment knows: a ticket, a commit, a numbered point, an address.
fn cites(text: &str) -> bool {
    text.contains("://")
        || text.split_whitespace().any(|word| {
            let bare = word.trim_matches(|character: char| !character.is_alphanumeric() && character != '#');
            let digits = bare.bytes().filter(u8::is_ascii_digit).count();
            let hex = bare.len() >= 7 && bare.len() <= 40 && digits >= 2 && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
            let numbered = bare.strip_prefix('#').is_some_and(|rest| !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_hexdigit()));
            let ticket = bare.split_once('-').is_some_and(|(before, after)| {
                (2..=6).contains(&before.len())
                    && before.bytes().all(|byte| byte.is_ascii_uppercase())
                    && !after.is_empty()
                    && after.bytes().all(|byte| byte.is_ascii_digit())
                    && !matches!(before, "UTF" | "ISO" | "SHA" | "RFC" | "AES" | "PEP" | "MD")
            });
            hex || numbered || ticket
        })
}

/// `No force push anywhere`: a noun under `no`, and no verb that would make it a report.
fn bans(view: &View<'_>) -> bool {
    if !view.opens(NONE_OF) {
        return false;
    }
    let reports = view.has(phrases!("is|are|was|were|have|has|seems|need|needs|idea|problem|worries|way|one|matter|reason|difference|point|longer|changes|issues|more questions|ist|sind|problema|hay|est|sont"));
    !reports || view.has(phrases!("is allowed|are allowed|is merged|are merged|needs to"))
}

/// Whether the sentence tells the agent what is to be done now: `you must`, `we need to fix`.
fn addresses(view: &View<'_>) -> bool {
    view.opens(PERSONS) && !view.has(view.tongue.scope) && !view.has(view.tongue.forbid) && !view.has(view.tongue.reason)
        || view.opens(phrases!("we need|we have to|you need|you have to|i need|we should now|we should also|we should probably|we just need|we need to"))
}

/// A demand that is none of the moment: `must`, or a subject that stands for many.
fn demands(view: &View<'_>) -> bool {
    let first = view.words().next().unwrap_or("");
    let plural = first.len() > 3 && first.ends_with('s') && !first.ends_with("ss") && !OPENING_S.contains(first);
    let ours = view.opens(phrases!("our|the project|the api|the cli|the app|the code|users|all|every|each"));
    let firm = view.has(phrases!("must|has to|have to|is required|are required|is mandatory|are mandatory|needs to|muss|müssen|debe|deben|doit|doivent|должен|должна|должно|должны|обязательно|обязан|必须|必須|務必|务必"));
    (plural || ours || firm) && view.size() >= 5
}

/// `We ship on Fridays only`: a person speaks of what they do as a rule.
fn is_habit(view: &View<'_>) -> bool {
    let mut words = view.words();
    let subject = words.next().unwrap_or("");
    let mut verb = words.next().unwrap_or("");
    if matches!(verb, "always" | "never" | "only" | "usually" | "generally") {
        verb = words.next().unwrap_or("");
    }
    match subject {
        "we" | "everyone" | "everybody" | "nobody" => !verb.is_empty() && !verb.ends_with("ed") && !NO_HABIT.contains(verb),
        "wir" | "мы" | "nous" | "on" | "nosotros" => !verb.is_empty(),
        _ => !view.tongue.spaced && view.has(phrases!("我们|我們|私たち|うちでは|当社")),
    }
}

/// A fact and the order that follows from it: `the replica is stale, so read from the primary`.
fn states_and_orders(view: &View<'_>) -> bool {
    let cut = [", so ", ", ", " so ", "; ", " — ", " - ", ": ", "，", "、"].iter().find_map(|mark| {
        let (fact, order) = view.text.split_once(mark)?;
        Some((View::of(fact), View::of(order)))
    });
    let Some((fact, order)) = cut else {
        return false;
    };
    let states = fact.has(phrases!("is|are|has|have|does not|doesn't|cannot|can't|only|lives|live|ist|sind|hat|es|son|está|están|tiene|est|sont|a|ont|只|是|は"))
        && fact.size() >= 3
        && !fact.opens(PERSONS);
    let rest = order.bare();
    let order = View::of(rest);
    states && order.size() >= 2 && order.opens(order.tongue.orders) && !order.opens(order.tongue.tasks) && !is_definite(&order)
}

/// An order behind the condition that it hangs on: `when you add a flag, document it`.
fn orders_after_condition(view: &View<'_>) -> bool {
    if !view.opens(view.tongue.whenever) && !view.opens(SETTINGS) {
        return false;
    }
    view.text.split_once([',', '，', '、']).is_some_and(|(_, rest)| {
        let rest = View::of(rest);
        let order = View::of(rest.bare());
        order.opens(order.tongue.orders) || order.opens(order.tongue.tasks)
    })
}

/// An order whose verb says what to do now and nothing in it makes it last.
fn is_bare_task(view: &View<'_>) -> bool {
    view.opens(view.tongue.tasks) && !view.has(view.tongue.whenever) && !view.has(view.tongue.scope)
}

/// Whether what is spoken of is one known thing: a task names it, a rule seldom does.
fn is_definite(view: &View<'_>) -> bool {
    let words: Vec<&str> = view.words().take(4).collect();
    let named = view.text.split_whitespace().take(4).any(|word| word.starts_with('`') && (word.contains('(') || word.contains("::")));
    named || words.iter().skip(1).take(2).any(|word| matches!(*word, "the" | "that" | "this" | "those" | "these" | "my"))
}

/// `Let's use X for Y`: what is used is named with its purpose or alone.
fn names_use(view: &View<'_>) -> bool {
    view.opens(phrases!("let's use|let's go with|let's stick|let's standardise|let's standardize|let's always|let's never|let's switch to|let's prefer|let us use|lets use|lets stick"))
        && !view.has(phrases!("option|approach|a|b|something|simple"))
        || !std::ptr::eq(view.tongue, &ENGLISH)
}

/// Whether there is more to a sentence than its verb.
fn says_what(view: &View<'_>) -> bool {
    let last = view.words().last().unwrap_or("");
    view.size() >= 3 && (last.len() > 1 || !last.is_ascii()) && !view.has(phrases!("option|option 1|option a|the second option|both options"))
}

const LONGEST: usize = 60;
/// Words within which a pronoun has nothing to stand for.
const EARLY: usize = 4;

const PERSONS: Phrases = phrases!("i|we|you|it|they|i'm|we're|you're|he|she|ich|wir|du|yo|je|tu|я|ты|мы|он|она|они");
const HERE: Phrases = phrases!("this project|this repo|this repository|this codebase|this team|this app|here we|there must|there should|there is no|diese codebase|dieses projekt|dieses repo|este proyecto|este repositorio|ce projet|ce dépôt|этот проект|这个项目|這個專案|このプロジェクト|このリポジトリ");
const OURS: Phrases = phrases!("project|repo|repository|codebase|team|app|service|org|organisation|organization|product|company|crate|package|library|monorepo|code");
/// Behind `this` a verb: a clause that goes on about what was just said.
const GOES_ON: Phrases = phrases!("will|makes|is|aligns|would|means|keeps|helps|avoids|lets|allows|prevents");
const NONE_OF: Phrases = phrases!("no|keine|kein|keinen|ningún|ninguna|pas de|aucun|aucune|никаких|никакие");
const SETTINGS: Phrases = phrases!("for|in|on|with|under|during|für|bei|in der|para|en|pour|dans|для|в|при");
const OPENING_S: Phrases = phrases!("this|always|yes|thanks|tests|has|does|was|its|perhaps|sometimes|us|is|as");
const NO_HABIT: Phrases = phrases!(
    "need|want|should|could|can|might|may|have|had|are|were|was|will|would|must|did|do|think|know|got|went|saw|see|made|found|thought|\
     don't|didn't|can't|couldn't|haven't|just|still|already|also|actually|now|then|already|merged|lost|got|came|ran|wrote|said|left|put|had|shall|forgot|broke",
);

#[cfg(test)]
mod tests {
    use super::*;

    /// What a sentence is taken for: `!` in front when it is sure.
    fn taken(said: &str) -> &'static str {
        match form(said) {
            None => "",
            Some(Form { sure: false, .. }) => "pending",
            Some(Form { kind: Kind::Decision, .. }) => "!decision",
            Some(Form { kind: Kind::Convention, .. }) => "!convention",
            Some(Form { kind: Kind::Preference, .. }) => "!preference",
        }
    }

    fn check(cases: &[(&str, &str)]) {
        let wrong: Vec<String> = cases
            .iter()
            .filter(|(said, expected)| taken(said) != *expected)
            .map(|(said, expected)| format!("{said:?}: {:?}, not {expected:?}", taken(said)))
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    include!("form_cases.rs");
}
