//! The form of a sentence: whether its grammar makes it a rule, a decision or a preference that
//! outlives the session. Only closed classes of words count (modals, negation, scope, reason), never
//! its subject. What is only likely is told apart from what is sure.

use crate::classes::*;
use crate::phrases::phrases;
use crate::view::View;
use crate::words::ENGLISH;

/// What a sentence lays down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Decision,
    Convention,
    Preference,
    Pitfall,
}

/// A sentence that lays something down.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Form {
    pub(crate) kind: Kind,
    /// Its grammar leaves no doubt that it is meant to last.
    pub(crate) sure: bool,
    /// It says in so many words that it lays something down; otherwise it may only back what stands before it.
    pub(crate) explicit: bool,
}

/// The form of a sentence.
pub(crate) fn form(said: &str) -> Option<Form> {
    core(said).1
}

/// The part of a sentence that lays something down, with its form: what a polite question asks for, what is
/// to be kept in mind, what stands behind the colon.
pub(crate) fn core(said: &str) -> (&str, Option<Form>) {
    if let Some(asked) = requested(said) {
        return (asked, form_of(asked));
    }
    let form = form_of(said);
    if form.is_some_and(|form| form.sure) || is_reported(said) {
        return (said, form);
    }
    if let Some(kept) = kept_in_mind(said) {
        return (kept, form_of(kept).or(Some(RULE)));
    }
    if let Some((lead, rest)) = said.split_once([':', '：'])
        && rest.starts_with([' ', '\u{3000}'])
        && View::of(lead).size() <= LONGEST_LEAD
        && !View::of(lead).opens(View::of(lead).tongue.tasks)
        && View::of(rest).size() >= 4
        && !rest.trim_start().starts_with(['"', '“', '«', '„', '\''])
    {
        // `You mixed them up: business accounts see net`: whoever corrects says how it is.
        let corrects = View::of(lead).opens(YOU) && stands(rest);
        let form = form_of(rest).filter(|form| form.sure);
        if let Some(form) = form.or(corrects.then_some(RULE)) {
            return (rest.trim_start(), Some(form));
        }
    }
    (said, form)
}

const RULE: Form = Form {
    kind: Kind::Convention,
    sure: true,
    explicit: true,
};

/// What is to be kept in mind, said on the way: `fix it, and keep in mind that the runner has no network`.
fn kept_in_mind(said: &str) -> Option<&str> {
    const MARKS: [&str; 4] = [
        "keep in mind that ",
        "bear in mind that ",
        "remember that ",
        "don't forget that ",
    ];
    let at = MARKS
        .iter()
        .find_map(|mark| said.find(mark).map(|at| at + mark.len()))?;
    (View::of(&said[at..]).size() >= 4 && !View::of(said).is_question()).then(|| &said[at..])
}

/// The form of a sentence as it stands, without the words that open it and say nothing.
fn form_of(said: &str) -> Option<Form> {
    let whole = View::of(said);
    let bare = whole.bare();
    let view = View::of(bare);
    let tongue = whole.tongue;
    let at_once = whole.opens(AT_ONCE) && !whole.has(tongue.scope);
    if whole.has(tongue.hedge) || at_once || view.has(VAGUE) || is_reported(said) {
        return None;
    }
    let may_last = may_last(&whole, &view);
    let explicit = may_last.then(|| explicit(&whole, &view)).flatten();
    let implicit = || may_last.then(|| implicit(&view)).flatten();
    let wanted = || names_language(&view).then_some((Kind::Preference, true));
    let (kind, sure) = explicit
        .filter(|(_, sure)| *sure)
        .or_else(wanted)
        .or(explicit)
        .or_else(implicit)?;
    // `We go with X, because it runs in the same transaction`: what follows may speak of the moment.
    let clause = View::of(said.split([',', ';', '，', '；']).next().unwrap_or(said));
    let strong = [tongue.decided, tongue.prefer, tongue.consent];
    let lays = strong.iter().any(|words| clause.has(*words));
    let passing = whole.has(tongue.passing) && (clause.has(tongue.passing) || !lays);
    let lasting = view.has(tongue.scope) || view.has(tongue.decided) || view.has(tongue.consent);
    if passing && !lasting {
        return None;
    }
    Some(Form {
        kind,
        sure: sure && !passing,
        explicit: explicit.is_some(),
    })
}

/// A sentence that says how things are and neither asks nor orders: it can back another one.
pub(crate) fn is_statement(said: &str) -> bool {
    let whole = View::of(said);
    let view = View::of(whole.bare());
    let tongue = view.tongue;
    let orders = if tongue.spaced {
        view.opens(tongue.tasks) && !names_first(&view) || is_imperative(&view)
    } else {
        view.has(tongue.tasks)
    };
    let orders = orders || view.opens(LETS) || whole.opens(AT_ONCE);
    view.size() >= 2
        && !orders
        && !whole.is_question()
        && !whole.has(PLEASE)
        && !said.ends_with([':', '：', '…'])
        && !view.opens(tongue.asking)
}

/// A statement that could be a title: of something named, true beyond the moment, no complaint.
pub(crate) fn stands(said: &str) -> bool {
    let whole = View::of(said);
    let view = View::of(whole.bare());
    let main = main_clause(&view);
    let tongue = view.tongue;
    is_statement(said)
        && tongue.spaced
        && may_last(&whole, &view)
        && !is_reported(said)
        && (has_subject(&view) || view.has(tongue.reason))
        && view.size() >= 4
        && !view.opens(PERSONS)
        && !view.opens(CONDITIONS)
        && !view.opens(tongue.orders)
        && !view.has(ASKED_WITHIN)
        && !orders_besides(&view)
        && !whole.has(tongue.hedge)
        && !view.has(VAGUE)
        && ![tongue.status, tongue.passing, MOMENT, DENIALS]
            .iter()
            .any(|words| main.has(*words))
}

/// `The page looks old, polish it`: a clause further on tells what to do.
fn orders_besides(view: &View<'_>) -> bool {
    let mut clauses = view.text.split([',', ';', '，', '；']).skip(1);
    clauses.any(|clause| {
        let clause = View::of(View::of(clause).bare());
        clause.opens(clause.tongue.tasks) && !names_first(&clause)
    })
}

/// `Sketch the writer`: a word that is no subject, and what is to be done to it.
fn is_imperative(view: &View<'_>) -> bool {
    let mut words = view.words();
    let (first, second) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    std::ptr::eq(view.tongue, &ENGLISH)
        && OBJECTS.contains(second)
        && !SUBJECTS.contains(first)
        && !first.ends_with("ing")
        && !first.ends_with('s')
        && !first.ends_with("ed")
}

/// Reports whether a sentence opens with what it speaks of.
fn has_subject(view: &View<'_>) -> bool {
    let words: Vec<&str> = view.words().take(5).collect();
    let english = std::ptr::eq(view.tongue, &ENGLISH);
    let is_subject = |first: &&str| {
        SUBJECTS.contains(first) || english && first.len() > 3 && first.ends_with('s')
    };
    let opens = words.first().is_some_and(is_subject);
    let is_verb =
        |word: &&str| VERBS.contains(word) || english && word.len() > 3 && word.ends_with('s');
    opens || words.iter().skip(1).any(is_verb)
}

/// A sentence up to its reason, which may speak of the past, of trouble and of the moment.
fn main_clause<'a>(view: &View<'a>) -> View<'a> {
    let ends = view.tongue.clause.iter().take_while(|mark| **mark != ". ");
    let ends = ends
        .chain(&[", so ", "; ", ", not ", ", no ", ", never "])
        .filter_map(|mark| view.text.find(mark));
    let end = ends.filter(|at| *at >= SHORTEST_CLAUSE).min();
    View::of(&view.text[..end.unwrap_or(view.text.len())])
}

/// Reports whether a sentence gives a reason or sets one thing against another.
pub(crate) fn argues(said: &str) -> bool {
    let view = View::of(said);
    view.has(view.tongue.reason)
        || view.has(view.tongue.contrast)
        || is_against(said)
        || said.contains(", so ")
}

/// Reports whether a sentence tells what makes a fault go away.
pub(crate) fn cures(said: &str) -> bool {
    let view = View::of(said);
    view.has(view.tongue.cures)
        && !view.is_question()
        && !view.has(view.tongue.hedge)
        && !view.has(view.tongue.passing)
        && !view.has(MOMENT)
}

/// Somebody else's words: `a tester wrote: we never do`.
fn is_reported(said: &str) -> bool {
    said.split_once([':', '：'])
        .is_some_and(|(before, _)| View::of(before).has(SAYING))
}

/// A rule put as a polite question: `Could you always run the linter before you push?`
pub(crate) fn requested(said: &str) -> Option<&str> {
    let view = View::of(said);
    let rest = said.split_once(" you ")?.1.trim_end_matches(['?', ' ']);
    let asks = view.opens(phrases!("could you|can you|would you|will you"));
    (asks && view.has(view.tongue.scope) && view.has(view.tongue.whenever)).then_some(rest)
}

/// A wish for a language: `answer in German`, `用中文回复`.
fn names_language(view: &View<'_>) -> bool {
    view.size() <= LONGEST_WISH
        && !view.is_question()
        && view.has(LANGUAGES)
        && view.has(WRITING)
        && !view.has(TRANSLATING)
        && !view.has(view.tongue.passing)
        && !view.has(view.tongue.hedge)
}

const LONGEST_WISH: usize = 12;

/// Reports whether nothing in a sentence speaks against keeping it.
fn may_last(whole: &View<'_>, view: &View<'_>) -> bool {
    let tongue = view.tongue;
    let least = if tongue.spaced { 3 } else { 4 };
    (least..=LONGEST).contains(&view.size())
        && !whole.is_question()
        && !whole.text.ends_with([':', '：', '…'])
        && !whole.text.ends_with("...")
        && !view.opens(tongue.asking)
        && !view.opens(tongue.must)
        && !view.opens(phrases!("no longer|be able|wondering|nicht mehr"))
        && !view.text.starts_with(|first: char| first.is_ascii_digit())
        && !points(view)
        && !cites(view.text)
}

/// What is laid down in so many words. The first that holds decides.
fn explicit(whole: &View<'_>, view: &View<'_>) -> Option<(Kind, bool)> {
    let tongue = view.tongue;
    let marks = Marks::of(view);
    let decided = view.has(tongue.decided) || is_outcome(whole.text) || is_it(view);
    if decided && says_what(view) {
        let backed = marks.reason || marks.contrast;
        return Some((Kind::Decision, !marks.troubled || backed));
    }
    if view.has(tongue.consent)
        && (marks.forbids || marks.orders || marks.task || marks.must || view.has(NEGATION))
    {
        return Some((Kind::Preference, true));
    }
    if let Some((kind, sure)) = wishes(view) {
        return Some((kind, sure));
    }
    let talk = view.opens(TALKING) && view.has(IN_SOME_WAY) && !is_definite(view);
    if marks.orders && (view.has(YOUR_WORDS) || talk && view.size() >= 4) {
        return Some((Kind::Preference, true));
    }
    if view.opens(MYSELF) && !whole.has(whole.tongue.remember) {
        return None;
    }
    // A task with its place is a task.
    let placed = marks.task
        && !marks.forbids
        && !marks.must
        && view.has(PLACES)
        && !view.has(phrases!("always|never|every|from now on"));
    if marks.scope && marks.is_norm() && !placed {
        // `create a branch and always push` is still a task.
        let tasked = marks.task && !view.opens(tongue.scope) && view.has(phrases!("always|never"));
        let sound = !marks.troubled || marks.must || marks.forbids || marks.orders;
        return Some((Kind::Convention, sound && !tasked));
    }
    if whole.has(whole.tongue.remember) && !marks.task {
        return Some((Kind::Convention, !marks.troubled && view.size() >= 4));
    }
    if view.has(BANNED) && !view.opens(PERSONS) {
        return Some((Kind::Convention, true));
    }
    if marks.must && !marks.task && !view.has(SOMEBODY) {
        return must(view, &marks);
    }
    if marks.troubled && !marks.forbids {
        return None;
    }
    if view.opens(ONLY) && view.size() >= 5 {
        return Some((Kind::Convention, true));
    }
    let settled = view.has(tongue.settled) && !view.opens(PERSONS) && !marks.orders;
    if settled && !marks.task || lets(view) {
        return Some((Kind::Decision, !marks.troubled));
    }
    (marks.forbids && !marks.task).then(|| {
        let banned = bans(view) && view.size() >= 4 && !marks.troubled;
        let wide = if view.opens(NONE_OF) {
            banned
        } else {
            marks.wide
        };
        let general = (wide || marks.conditional) && !is_definite(view);
        let backed = marks.reason || marks.contrast || view.has(tongue.belong);
        (Kind::Convention, backed || general)
    })
}

/// `LiveView it is`.
fn is_it(view: &View<'_>) -> bool {
    let words: Vec<&str> = view.words().take(4).collect();
    let it_is = words
        .windows(2)
        .position(|pair| pair == ["it", "is"] || pair == ["it", "will"]);
    it_is.is_some_and(|at| at == 1 || at == 2) && !SUBJECTS.contains(words[0])
}

/// `Let Caddy serve the files`: a thing named is to do something.
fn lets(view: &View<'_>) -> bool {
    let mut words = view.words();
    words.next() == Some("let") && words.next().is_some_and(|second| !OBJECTS.contains(second))
}

/// How a thing has to be: `The footer should show the branch`.
fn must(view: &View<'_>, marks: &Marks) -> Option<(Kind, bool)> {
    if addresses(view) && !(marks.conditional && marks.orders_person(view)) {
        return None;
    }
    let backed = marks.wide || marks.reason || marks.contrast || marks.forbids || marks.conditional;
    if view.has(NEEDS) && !backed {
        return None;
    }
    let sure = (!marks.troubled || backed)
        && view.size() >= 4
        && !view.opens(CONDITIONS)
        && !view.opens(PERSONS);
    let kind = if marks.wide || marks.forbids || demands(view) {
        Kind::Convention
    } else {
        Kind::Decision
    };
    Some((kind, sure))
}

/// What is a rule by the way it is put. The first that holds decides.
fn implicit(view: &View<'_>) -> Option<(Kind, bool)> {
    let tongue = view.tongue;
    let marks = Marks::of(view);
    if view.opens(MYSELF) || marks.troubled && !marks.must && !marks.forbids && !marks.orders {
        return None;
    }
    if !marks.troubled {
        let said_of_all = is_passive(view) || marks.contrast || marks.reason;
        if view.opens(ALL_OF) && said_of_all && view.size() >= 5 {
            return Some((Kind::Convention, true));
        }
        let belongs = view.has(tongue.belong) && !view.opens(tongue.belong);
        if belongs && !marks.task && !view.opens(PERSONS) && view.size() >= 4 {
            return Some((Kind::Convention, true));
        }
        let told = marks.contrast || marks.wide || marks.forbids;
        if marks.habit && (told || marks.reason) && view.size() >= 4 {
            return Some((Kind::Convention, told));
        }
        if view.has(MEANS) && !view.opens(PERSONS) && !marks.orders && view.size() >= 4 {
            return Some((Kind::Convention, true));
        }
        if is_general(view, &marks) {
            return Some((Kind::Convention, true));
        }
    }
    ordered(view, &marks)
}

/// A sentence that tells how to work.
fn ordered(view: &View<'_>, marks: &Marks) -> Option<(Kind, bool)> {
    let definite = is_definite(view);
    // `For headings use Inter`: a thing for its purpose.
    if view.opens(PURPOSES) && view.has(USING) && view.size() >= 4 {
        return Some((Kind::Decision, true));
    }
    let label = view
        .words()
        .last()
        .is_some_and(|last| last.len() == 1 && last.is_ascii());
    if view.has(view.tongue.propose) && says_what(view) && view.size() >= 4 && !label {
        // With a contrast both sides are named, so `the` does not point elsewhere.
        let backed = marks.contrast || marks.wide || !definite && (marks.reason || names_use(view));
        return Some((Kind::Decision, backed));
    }
    if !marks.orders || is_bare_task(view) {
        return None;
    }
    if marks.contrast || generic_object(view) {
        return Some((Kind::Convention, !definite));
    }
    if marks.reason && (marks.wide || view.opens(KEEPING)) {
        return Some((Kind::Convention, true));
    }
    if (marks.reason || marks.conditional || marks.wide) && !definite {
        return Some((Kind::Convention, marks.conditional));
    }
    None
}

/// The closed classes of words that a sentence has.
struct Marks {
    scope: bool,
    wide: bool,
    reason: bool,
    contrast: bool,
    forbids: bool,
    must: bool,
    troubled: bool,
    orders: bool,
    task: bool,
    habit: bool,
    conditional: bool,
    /// Elsewhere than in English an order need not come first.
    inside: bool,
    policy: bool,
}

impl Marks {
    fn of(view: &View<'_>) -> Self {
        let tongue = view.tongue;
        let must = view.has(tongue.must);
        let names = must && names_first(view);
        Self {
            scope: view.has(tongue.scope),
            wide: view.has(tongue.wide),
            reason: view.has(tongue.reason) || is_spliced(view),
            contrast: view.has(tongue.contrast) || is_against(view.text),
            forbids: forbids(view) || bans(view),
            must,
            troubled: view.has(tongue.status),
            orders: !names && (view.opens(tongue.orders) || view.opens(tongue.scope))
                || orders_after_condition(view),
            task: !names && view.opens(tongue.tasks) && !view.opens(tongue.forbid),
            habit: is_habit(view),
            conditional: view.has(tongue.whenever),
            inside: !std::ptr::eq(tongue, &ENGLISH) && view.has(tongue.orders),
            policy: view.has(POLICY) || view.has(STANDS) && !view.opens(PERSONS),
        }
    }

    /// Reports whether the sentence says what ought to be.
    fn is_norm(&self) -> bool {
        self.forbids
            || self.must
            || self.orders
            || self.task
            || self.habit
            || self.policy
            || self.inside && !self.troubled
    }

    /// `You should run it before you push`.
    fn orders_person(&self, view: &View<'_>) -> bool {
        view.opens(phrases!(
            "you should|you must|you have to|du sollst|du musst|debes|tu dois"
        ))
    }
}

/// `No emojis in commits, our changelog tool dies of them`: the reason behind a comma.
fn is_spliced(view: &View<'_>) -> bool {
    view.text
        .split_once([',', '，'])
        .map(|(_, rest)| View::of(rest))
        .is_some_and(|rest| rest.size() >= 3 && rest.tongue.spaced && rest.opens(SUBJECTS))
}

/// A wish about how things are done: `I prefer`, `I want messages to be short`.
fn wishes(view: &View<'_>) -> Option<(Kind, bool)> {
    if !says_what(view) {
        return None;
    }
    let words: Vec<&str> = view.words().take(4).collect();
    let object = match words.as_slice() {
        ["i" | "we", "want" | "like", object, ..] | ["i'd" | "we'd", "like", object, ..] => *object,
        _ => "",
    };
    let says_how = view.has(phrases!(
        "to be|to have|to go|to use|to stay|in|without|with|not"
    ));
    let ours = words
        .iter()
        .any(|word| matches!(*word, "we" | "we'd" | "wir" | "мы" | "nous"));
    let kind = if ours {
        Kind::Decision
    } else {
        Kind::Preference
    };
    if view.has(view.tongue.prefer) {
        return Some((kind, true));
    }
    // `I want the whole thing in Go`: perhaps only the task of the day.
    let wants = !object.is_empty() && !WANTED_NOW.contains(object);
    let article = matches!(object, "the" | "a" | "an" | "it");
    (says_how && (wants || article)).then_some((kind, wants))
}

/// Reports whether a sentence points at something outside it.
fn points(view: &View<'_>) -> bool {
    let tongue = view.tongue;
    if view.opens(HERE) || is_it(view) {
        return false;
    }
    if view.opens(tongue.pointing) || view.has(tongue.hanging) {
        return true;
    }
    if !std::ptr::eq(tongue, &ENGLISH) {
        return false;
    }
    let words: Vec<&str> = view.words().collect();
    let early = words
        .iter()
        .take(EARLY)
        .any(|word| matches!(*word, "it" | "them" | "they" | "he" | "she"));
    let last = words.last().copied().unwrap_or("");
    let short = words.len() < 7;
    let shows = words.windows(2).any(|pair| {
        matches!(pair[0], "this" | "these" | "those")
            && !OURS.contains(pair[1])
            && !GOES_ON.contains(pair[1])
            || pair[0] == "that"
                && matches!(
                    pair[1],
                    "one"
                        | "thing"
                        | "part"
                        | "way"
                        | "file"
                        | "code"
                        | "function"
                        | "test"
                        | "line"
                        | "change"
                )
    });
    early
        || shows
        || matches!(last, "this" | "that" | "these" | "those" | "so" | "there")
        || short && matches!(last, "it" | "them" | "too")
}

/// Reports whether a sentence names what only the moment knows: a ticket, a commit, a numbered point, an address.
fn cites(text: &str) -> bool {
    ["://", "/Users/", "/home/", ":\\"]
        .iter()
        .any(|mark| text.contains(mark))
        || text.split_whitespace().any(|word| {
            let bare = word
                .trim_matches(|character: char| !character.is_alphanumeric() && character != '#');
            let digits = bare.bytes().filter(u8::is_ascii_digit).count();
            let hex = bare.len() >= 7
                && bare.len() <= 40
                && digits >= 2
                && bare.bytes().all(|byte| byte.is_ascii_hexdigit());
            let numbered = bare.strip_prefix('#').is_some_and(|rest| {
                !rest.is_empty() && rest.bytes().all(|byte| byte.is_ascii_hexdigit())
            });
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

/// A prohibition; after a subject `don't` tells what a thing does not do.
fn forbids(view: &View<'_>) -> bool {
    let mut words = view.words();
    if words.next() == Some("stop") && words.next().is_some_and(|second| second.ends_with("ing")) {
        return true;
    }
    if !view.has(view.tongue.forbid) {
        return false;
    }
    let clauses = view.text.split([',', ';', ':', '—', '–']);
    let mut clauses =
        clauses.flat_map(|clause| clause.split(" and ").flat_map(|part| part.split(" but ")));
    !view.has(NOT_DOING)
        || view.has(FORBIDDING)
        || clauses.any(|clause| View::of(View::of(clause).bare()).opens(NOT_DOING_OPENS))
}

/// `No force push anywhere`: a noun under `no`, and no verb that would make it a report.
fn bans(view: &View<'_>) -> bool {
    if !view.opens(NONE_OF) {
        return false;
    }
    let reports = view.has(phrases!("is|are|was|were|have|has|seems|need|needs|idea|problem|worries|way|one|matter|reason|difference|point|longer|changes|issues|more questions|needed|required|i|i'll|i'm|you|ist|sind|problema|hay|est|sont"));
    !reports
        || view.has(phrases!(
            "is allowed|are allowed|is merged|are merged|needs to"
        ))
}

/// Reports whether the sentence tells the agent what is to be done now: `you must`, `we need to fix`.
fn addresses(view: &View<'_>) -> bool {
    view.opens(PERSONS) && !view.has(view.tongue.scope) && !view.has(view.tongue.forbid) && !view.has(view.tongue.reason)
        || view.opens(phrases!("we need|we have to|you need|you have to|i need|we should now|we should also|we should probably|we just need|we need to"))
}

/// A demand that is none of the moment: `must`, or a subject that stands for many.
fn demands(view: &View<'_>) -> bool {
    let first = view.words().next().unwrap_or("");
    let plural = first.len() > 3
        && first.ends_with('s')
        && !first.ends_with("ss")
        && !OPENING_S.contains(first);
    let ours = view.opens(phrases!(
        "our|the project|the api|the cli|the app|the code|users|all|every|each"
    ));
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
    if matches!(verb, "don't" | "do") {
        let verb = words.find(|word| *word != "not").unwrap_or("");
        return subject == "we" && !verb.is_empty() && !STATIVE.contains(verb);
    }
    match subject {
        "we" | "everyone" | "everybody" => {
            !verb.is_empty() && !verb.ends_with("ed") && !NO_HABIT.contains(verb)
        }
        "wir" | "мы" | "nous" | "on" | "nosotros" => !verb.is_empty(),
        _ => !view.tongue.spaced && view.has(phrases!("我们|我們|私たち|うちでは|当社")),
    }
}

/// Reports whether a verb in the present passive says what is done with things.
fn is_passive(view: &View<'_>) -> bool {
    let words: Vec<&str> = view.words().collect();
    words.windows(2).any(|pair| {
        matches!(pair[0], "is" | "are" | "be" | "get" | "gets")
            && (pair[1].ends_with("ed") && !UNLASTING.contains(pair[1])
                || PARTICIPLES.contains(pair[1]))
    })
}

/// How things are as a rule: many of a kind, or what is ours, put without doubt.
fn is_general(view: &View<'_>, marks: &Marks) -> bool {
    let words: Vec<&str> = view.words().collect();
    let Some(first) = words.first() else {
        return false;
    };
    if words.len() < 5
        || view.opens(PERSONS)
        || view.opens(view.tongue.tasks) && !names_first(view)
        || view.opens(view.tongue.orders)
        || main_clause(view).has(phrases!("now|currently|still|just|was|were|been|will"))
    {
        return false;
    }
    let plural = first.len() > 3
        && first.ends_with('s')
        && !first.ends_with("ss")
        && !OPENING_S.contains(first)
        || words.get(1).is_some_and(|second| {
            second.len() > 3
                && second.ends_with('s')
                && !matches!(*first, "the" | "these" | "those")
        });
    let ours = matches!(*first, "our") && words.iter().any(|word| matches!(*word, "is" | "are"));
    let clause = view.text.split([',', ';']).next().unwrap_or("");
    let only = View::of(clause).has(phrases!("only"));
    let never = view.has(phrases!("never"));
    let passive = is_passive(view);
    let against = is_against(view.text);
    ours || plural && (only || never || passive && (marks.reason || against)) || passive && against
}

/// One thing and not another: `in the spec, not in the code`.
fn is_against(text: &str) -> bool {
    let text = text.to_lowercase();
    [", no ", ", not ", "; no ", "; not ", ", never "]
        .iter()
        .any(|mark| text.contains(mark))
}

/// A noun that is also a verb opens the sentence: `commit messages should`.
fn names_first(view: &View<'_>) -> bool {
    let words: Vec<&str> = view.words().take(6).collect();
    let object = words
        .get(1)
        .is_some_and(|second| !ARTICLES.contains(second));
    object
        && words.iter().skip(1).take(4).any(|word| {
            matches!(
                *word,
                "must"
                    | "should"
                    | "shall"
                    | "need"
                    | "needs"
                    | "has"
                    | "have"
                    | "may"
                    | "shouldn't"
                    | "cannot"
            )
        })
}

/// `Keep functions short`: what is ordered is about all of a kind.
fn generic_object(view: &View<'_>) -> bool {
    let words: Vec<&str> = view.words().collect();
    let object = words.get(1).copied().unwrap_or("");
    let many = object.len() > 3 && object.ends_with('s') && !object.ends_with("ss");
    many && words.len() >= 4
        && !view.opens(view.tongue.tasks)
        && !words
            .iter()
            .any(|word| matches!(*word, "the" | "this" | "that" | "these" | "those" | "here"))
}

/// An order behind the condition that it hangs on: `when you add a flag, document it`.
fn orders_after_condition(view: &View<'_>) -> bool {
    if !view.opens(view.tongue.whenever) && !view.opens(SETTINGS) {
        return false;
    }
    view.text
        .split_once([',', '，', '、'])
        .is_some_and(|(_, rest)| {
            let rest = View::of(rest);
            let order = View::of(rest.bare());
            order.opens(order.tongue.orders) || order.opens(order.tongue.tasks)
        })
}

/// An order whose verb says what to do now and nothing in it makes it last.
fn is_bare_task(view: &View<'_>) -> bool {
    view.opens(view.tongue.tasks) && !view.has(view.tongue.whenever) && !view.has(view.tongue.scope)
}

/// Reports whether what is spoken of is one known thing: a task names it, a rule seldom does.
fn is_definite(view: &View<'_>) -> bool {
    let words: Vec<&str> = view.words().take(4).collect();
    let named = view
        .text
        .split_whitespace()
        .take(4)
        .any(|word| word.starts_with('`') && (word.contains('(') || word.contains("::")));
    named
        || words
            .iter()
            .skip(1)
            .take(2)
            .any(|word| matches!(*word, "the" | "that" | "this" | "those" | "these" | "my"))
}

/// `Let's use X for Y`: what is used is named with its purpose or alone.
fn names_use(view: &View<'_>) -> bool {
    view.opens(phrases!("let's use|let's go with|let's stick|let's standardise|let's standardize|let's always|let's never|let's switch to|let's prefer|let us use|lets use|lets stick"))
        && !view.has(phrases!("option|approach|a|b|something|simple"))
        || !std::ptr::eq(view.tongue, &ENGLISH)
}

/// Reports whether there is more to a sentence than its verb.
fn says_what(view: &View<'_>) -> bool {
    view.size() >= 3
        && !view.has(phrases!(
            "option|option 1|option a|the second option|both options"
        ))
}

/// A decision that its label announces: `Final answer on payments: Mollie replaces Stripe`.
fn is_outcome(said: &str) -> bool {
    said.split_once(": ").is_some_and(|(label, rest)| {
        let label = View::of(label);
        label.size() <= 8 && label.has(OUTCOMES) && !rest.trim().is_empty()
    })
}

/// Less than this is no clause.
const SHORTEST_CLAUSE: usize = 12;
const LONGEST: usize = 60;
/// Words of what leads in a rule.
const LONGEST_LEAD: usize = 9;
/// Words within which a pronoun has nothing to stand for.
const EARLY: usize = 4;

#[cfg(test)]
mod tests {
    use super::*;

    /// What a sentence is taken for: `!` in front when it is sure.
    fn taken(said: &str) -> &'static str {
        match form(said) {
            None => "",
            Some(Form { sure: false, .. }) => "pending",
            Some(Form {
                kind: Kind::Decision,
                ..
            }) => "!decision",
            Some(Form {
                kind: Kind::Convention,
                ..
            }) => "!convention",
            Some(Form {
                kind: Kind::Preference,
                ..
            }) => "!preference",
            Some(Form {
                kind: Kind::Pitfall,
                ..
            }) => "!pitfall",
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
