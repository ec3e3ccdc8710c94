//! Features of a sentence: the closed word classes that it contains, and small patterns that several rules use.

use crate::classes::*;
use crate::phrases::phrases;
use crate::view::SentenceView;
use crate::words::{ENGLISH, GERMAN, SPANISH};

/// The closed word classes that a sentence contains.
pub(super) struct Marks {
    pub(super) scope: bool,
    pub(super) wide: bool,
    pub(super) reason: bool,
    pub(super) contrast: bool,
    pub(super) forbids: bool,
    pub(super) must: bool,
    pub(super) troubled: bool,
    pub(super) orders: bool,
    pub(super) task: bool,
    pub(super) habit: bool,
    pub(super) conditional: bool,
    /// In languages other than English, an order need not come first.
    pub(super) inside: bool,
    pub(super) policy: bool,
}

impl Marks {
    pub(super) fn of(view: &SentenceView<'_>) -> Self {
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
            orders: !names
                && (view.opens(tongue.orders)
                    || view.opens(tongue.scope) && !view.opens(EACH_TIME))
                || orders_after_condition(view),
            task: !names && view.opens(tongue.tasks) && !view.opens(tongue.forbid),
            habit: is_habit(view),
            conditional: view.has(tongue.whenever),
            inside: !std::ptr::eq(tongue, &ENGLISH) && view.has(tongue.orders),
            policy: view.has(POLICY) || view.has(STANDS) && !view.opens(PERSONS),
        }
    }

    /// Reports whether the sentence states a norm.
    pub(super) fn is_norm(&self) -> bool {
        self.forbids
            || self.must
            || self.orders
            || self.task
            || self.habit
            || self.policy
            || self.inside && !self.troubled
    }

    /// `You should run it before you push`.
    pub(super) fn orders_person(&self, view: &SentenceView<'_>) -> bool {
        view.opens(phrases!(
            "you should|you must|you have to|du sollst|du musst|debes|tu dois"
        ))
    }
}

/// `No emojis in commits, our changelog tool dies of them`: the reason follows a comma.
pub(super) fn is_spliced(view: &SentenceView<'_>) -> bool {
    view.text
        .split_once([',', '，'])
        .map(|(_, rest)| SentenceView::of(rest))
        .is_some_and(|rest| rest.size() >= 3 && rest.tongue.spaced && rest.opens(SUBJECTS))
}

/// Reports whether a sentence refers to something outside it.
pub(super) fn points(view: &SentenceView<'_>) -> bool {
    let tongue = view.tongue;
    if view.opens(HERE) || is_it(view) {
        return false;
    }
    let points = view.opens(tongue.pointing) && !names_after_article(view.text);
    if points || view.has(tongue.hanging) && !explains_itself(view) {
        return true;
    }
    if !std::ptr::eq(tongue, &ENGLISH) {
        return false;
    }
    let words: Vec<&str> = view.words().collect();
    // `We talked about it and decided to …`, `I prefer it when you …`: what it is follows.
    let follows = view.has(tongue.decided) || view.has(phrases!("it when|it if"));
    let early = !follows
        && words
            .iter()
            .take(EARLY)
            .any(|word| matches!(*word, "it" | "them" | "they" | "he" | "she"));
    let main = main_clause(view);
    let last = main.words().last().unwrap_or("");
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

/// `Wir haben uns dafür entschieden, …`: what the word stands for follows.
fn explains_itself(view: &SentenceView<'_>) -> bool {
    view.has(DECIDED_FOR) && view.text.contains([',', ':'])
}

/// `Das Changelog`: an article in German, and no pronoun.
fn names_after_article(text: &str) -> bool {
    let mut words = text.split_whitespace();
    matches!(words.next(), Some("Das" | "das"))
        && words
            .next()
            .is_some_and(|noun| noun.starts_with(char::is_uppercase))
}

/// Reports whether a sentence names something temporary: a ticket, a commit, a numbered point, a URL.
pub(super) fn cites(text: &str) -> bool {
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

/// Reports whether a sentence forbids; after a subject, `don't` describes what a thing does not do.
pub(super) fn forbids(view: &SentenceView<'_>) -> bool {
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
        || clauses
            .any(|clause| SentenceView::of(SentenceView::of(clause).bare()).opens(NOT_DOING_OPENS))
}

/// `No force push anywhere`: a noun after `no`, without a verb that would make it a report.
pub(super) fn bans(view: &SentenceView<'_>) -> bool {
    if !view.opens(NONE_OF) {
        return false;
    }
    let reports = view.has(phrases!("is|are|was|were|have|has|seems|need|needs|idea|problem|worries|way|one|matter|reason|difference|point|longer|changes|issues|more questions|needed|required|i|i'll|i'm|you|ist|sind|problema|hay|est|sont"));
    !reports
        || view.has(phrases!(
            "is allowed|are allowed|is merged|are merged|needs to"
        ))
}

/// Reports whether the sentence assigns work for now: `you must`, `we need to fix`.
pub(super) fn addresses(view: &SentenceView<'_>) -> bool {
    view.opens(PERSONS) && !view.has(view.tongue.scope) && !view.has(view.tongue.forbid) && !view.has(view.tongue.reason)
        || view.opens(phrases!("we need|we have to|you need|you have to|i need|we should now|we should also|we should probably|we just need|we need to"))
}

/// Reports whether a sentence is a lasting demand: `must`, or a subject that stands for many.
pub(super) fn demands(view: &SentenceView<'_>) -> bool {
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

/// `We ship on Fridays only`: a person describes a habit.
pub(super) fn is_habit(view: &SentenceView<'_>) -> bool {
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
    let words: Vec<&str> = view.words().collect();
    let inverted = words
        .windows(2)
        .take(4)
        .any(|pair| pair[0].ends_with("en") && pair[1] == "wir");
    let done = words.last().is_some_and(|last| {
        last.starts_with("ge") && (last.ends_with('t') || last.ends_with("en"))
            || last.ends_with("iert")
    });
    let passive = done && words.iter().any(|word| matches!(*word, "wird" | "werden"))
        || words
            .windows(2)
            .any(|pair| pair[0] == "se" && (pair[1].ends_with("an") || pair[1].ends_with("en")));
    if std::ptr::eq(view.tongue, &GERMAN) && (inverted || passive)
        || std::ptr::eq(view.tongue, &SPANISH) && passive
    {
        return true;
    }
    match subject {
        "we" | "everyone" | "everybody" => {
            !verb.is_empty() && !verb.ends_with("ed") && !NO_HABIT.contains(verb)
        }
        "wir" | "мы" | "nous" | "on" | "nosotros" => !verb.is_empty(),
        _ => !view.tongue.spaced && view.has(phrases!("我们|我們|私たち|うちでは|当社")),
    }
}

/// Reports whether a verb in the present passive describes how things are done.
pub(super) fn is_passive(view: &SentenceView<'_>) -> bool {
    let words: Vec<&str> = view.words().collect();
    words.windows(2).any(|pair| {
        matches!(pair[0], "is" | "are" | "be" | "get" | "gets")
            && (pair[1].ends_with("ed") && !UNLASTING.contains(pair[1])
                || PARTICIPLES.contains(pair[1]))
    })
}

/// Reports whether a text is a contrast: `in the spec, not in the code`.
pub(super) fn is_against(text: &str) -> bool {
    let text = text.to_lowercase();
    [", no ", ", not ", "; no ", "; not ", ", never "]
        .iter()
        .any(|mark| text.contains(mark))
}

/// Reports whether a sentence opens with a noun that is also a verb: `commit messages should`.
pub(super) fn names_first(view: &SentenceView<'_>) -> bool {
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

/// `Keep functions short`: the order is about all of a kind.
pub(super) fn generic_object(view: &SentenceView<'_>) -> bool {
    let words: Vec<&str> = view.words().collect();
    let object = words.get(1).copied().unwrap_or("");
    let many = object.len() > 3 && object.ends_with('s') && !object.ends_with("ss");
    many && words.len() >= 4
        && !view.opens(view.tongue.tasks)
        && !words
            .iter()
            .any(|word| matches!(*word, "the" | "this" | "that" | "these" | "those" | "here"))
}

/// Reports whether an order follows its condition: `when you add a flag, document it`.
pub(super) fn orders_after_condition(view: &SentenceView<'_>) -> bool {
    let conditions = [view.tongue.whenever, SETTINGS, EACH_TIME];
    if !conditions.iter().any(|words| view.opens(*words)) {
        return false;
    }
    view.text
        .split_once([',', '，', '、'])
        .is_some_and(|(_, rest)| {
            let rest = SentenceView::of(rest);
            let order = SentenceView::of(rest.bare());
            order.opens(order.tongue.orders) || order.opens(order.tongue.tasks)
        })
}

/// Reports whether an order only names a task, without anything that makes it last.
pub(super) fn is_bare_task(view: &SentenceView<'_>) -> bool {
    view.opens(view.tongue.tasks) && !view.has(view.tongue.whenever) && !view.has(view.tongue.scope)
}

/// Reports whether the object is one known thing: tasks name one, rules seldom do.
pub(super) fn is_definite(view: &SentenceView<'_>) -> bool {
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

/// `Let's use X for Y`: the object is named with its purpose or alone.
pub(super) fn names_use(view: &SentenceView<'_>) -> bool {
    view.opens(phrases!("let's use|let's go with|let's stick|let's standardise|let's standardize|let's always|let's never|let's switch to|let's prefer|let us use|lets use|lets stick"))
        && !view.has(phrases!("option|approach|a|b|something|simple"))
        || !std::ptr::eq(view.tongue, &ENGLISH)
}

/// Reports whether a sentence has more than its verb.
pub(super) fn says_what(view: &SentenceView<'_>) -> bool {
    view.size() >= 3
        && !view.has(phrases!(
            "option|option 1|option a|the second option|both options"
        ))
}

/// Reports whether a label announces a decision: `Final answer on payments: Mollie replaces Stripe`.
pub(super) fn is_outcome(said: &str) -> bool {
    said.split_once(": ").is_some_and(|(label, rest)| {
        let label = SentenceView::of(label);
        label.size() <= 8 && label.has(OUTCOMES) && !rest.trim().is_empty()
    })
}

/// Returns a sentence without its reason, which may mention the past, trouble and the moment.
pub(super) fn main_clause<'a>(view: &SentenceView<'a>) -> SentenceView<'a> {
    let ends = view.tongue.clause.iter().take_while(|mark| **mark != ". ");
    let ends = ends
        .chain(&[", so ", "; ", ", not ", ", no ", ", never "])
        .filter_map(|mark| view.text.find(mark));
    let end = ends.filter(|at| *at >= SHORTEST_CLAUSE).min();
    SentenceView::of(&view.text[..end.unwrap_or(view.text.len())])
}

/// `LiveView it is`.
pub(super) fn is_it(view: &SentenceView<'_>) -> bool {
    let words: Vec<&str> = view.words().take(4).collect();
    let it_is = words
        .windows(2)
        .position(|pair| pair == ["it", "is"] || pair == ["it", "will"]);
    it_is.is_some_and(|at| at == 1 || at == 2) && !SUBJECTS.contains(words[0])
}

/// Minimum length of a clause.
const SHORTEST_CLAUSE: usize = 12;
/// Number of opening words within which a pronoun has no antecedent.
const EARLY: usize = 4;
