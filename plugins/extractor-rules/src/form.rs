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
    let said = requested(said).unwrap_or(said);
    let whole = View::of(said);
    let bare = whole.bare();
    let view = View::of(bare);
    let laid_down = may_last(&whole, &view).then(|| laid_down(&whole, &view));
    let wanted = || names_language(&view).then_some((Kind::Preference, true));
    let (kind, sure) = laid_down
        .flatten()
        .filter(|(_, sure)| *sure)
        .or_else(wanted)
        .or(laid_down.flatten())?;
    let tongue = whole.tongue;
    let lasting = view.has(tongue.scope) || view.has(tongue.decided) || view.has(tongue.consent);
    let passing = whole.has(tongue.passing);
    if whole.has(tongue.hedge) || (passing && !lasting) {
        return None;
    }
    // `We go with X, because it runs in the same transaction`: the reason may speak of the moment.
    let clause = said.split([',', ';', '，', '；']).next().unwrap_or(said);
    let clause = View::of(clause);
    let passing = passing && (clause.has(tongue.passing) || !clause.has(tongue.decided));
    Some(Form {
        kind,
        sure: sure && !passing,
    })
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
const LANGUAGES: Phrases = phrases!(
    "in english|in german|in french|in spanish|in portuguese|in italian|in russian|in japanese|in chinese|in korean|auf deutsch|auf englisch|\
     en español|en inglés|en castellano|en français|en anglais|на русском|на английском|по русски|по английски|中文|英文|繁中|简中|簡中|繁體|简体|日本語|英語",
);
const WRITING: Phrases = phrases!(
    "answer|answers|respond|reply|replies|speak|talk|write|output|comments|messages|docs|documentation|antworte|antworten|schreibe|schreib|sprich|kommentare|\
     responde|escribe|respuestas|comentarios|réponds|répondre|écris|commentaires|отвечай|отвечайте|пиши|пишите|комментарии|回答|回复|回覆|输出|輸出|注释|註解|\
     出力|コメント|返答|答えて|回答して|書いて|返信",
);
const TRANSLATING: Phrases = phrases!(
    "translate|translation|translations|übersetze|übersetzung|traduce|traducción|traduis|traduction|переведи|перевод|翻译|翻譯|翻訳"
);

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
        && !points(view)
        && !cites(view.text)
}

/// Kind and certainty by grammar. The first that holds decides.
fn laid_down(whole: &View<'_>, view: &View<'_>) -> Option<(Kind, bool)> {
    let tongue = view.tongue;
    let marks = Marks::of(view);
    if view.has(tongue.decided) && says_what(view) {
        return Some((
            Kind::Decision,
            !marks.troubled || marks.reason || marks.contrast,
        ));
    }
    if view.has(tongue.consent)
        && (marks.forbids || marks.orders || marks.task || marks.must || view.has(NEGATION))
    {
        return Some((Kind::Preference, true));
    }
    if let Some(kind) = wishes(view) {
        return Some((kind, true));
    }
    if marks.orders && view.has(YOUR_WORDS) {
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
    if whole.has(whole.tongue.remember) {
        return Some((Kind::Convention, !marks.troubled && view.size() >= 4));
    }
    if marks.troubled && !marks.must && !marks.forbids && !marks.orders {
        return None;
    }
    if states_and_orders(view) {
        return Some((Kind::Convention, true));
    }
    ruled(view, &marks).or_else(|| ordered(view, &marks))
}

/// A sentence that says how things have to be, or how they are as a rule.
fn ruled(view: &View<'_>, marks: &Marks) -> Option<(Kind, bool)> {
    let tongue = view.tongue;
    if view.has(BANNED) && !view.opens(PERSONS) {
        return Some((Kind::Convention, true));
    }
    if marks.must
        && !marks.task
        && (!addresses(view) || marks.conditional && marks.orders_person(view))
    {
        let wide = marks.wide && !marks.orders || demands(view) || marks.conditional;
        let firm = marks.forbids || marks.reason || marks.contrast || !marks.troubled && wide;
        return Some((
            Kind::Convention,
            firm && view.size() >= 4 && !view.opens(CONDITIONS),
        ));
    }
    if marks.troubled {
        return None;
    }
    if view.opens(ALL_OF) && (is_passive(view) || marks.contrast) && view.size() >= 5 {
        return Some((Kind::Convention, true));
    }
    if view.has(tongue.belong) && !view.opens(PERSONS) && view.size() >= 4 {
        return Some((Kind::Convention, true));
    }
    if marks.habit
        && (marks.contrast || marks.reason || marks.wide || marks.forbids)
        && view.size() >= 4
    {
        return Some((
            Kind::Convention,
            marks.contrast || marks.wide || marks.forbids,
        ));
    }
    if is_general(view, marks) {
        return Some((Kind::Convention, true));
    }
    // `The plan is in the documents, not in the code`: said to correct, perhaps only for now.
    let states = view.has(phrases!("is|are|lives|live|ist|sind|es|son|est|sont"));
    (states && is_against(view.text) && !view.opens(PERSONS) && view.size() >= 7)
        .then_some((Kind::Convention, false))
}

/// A sentence that tells how to work.
fn ordered(view: &View<'_>, marks: &Marks) -> Option<(Kind, bool)> {
    let definite = is_definite(view);
    if marks.forbids && !marks.task {
        let backed = marks.wide || marks.reason || marks.conditional || bans(view);
        return Some((Kind::Convention, backed && !definite));
    }
    let label = view
        .words()
        .last()
        .is_some_and(|last| last.len() == 1 && last.is_ascii());
    if view.has(view.tongue.propose) && says_what(view) && view.size() >= 4 && !label {
        // With a contrast both sides are named, so `the` does not point elsewhere.
        let backed = marks.contrast || !definite && (marks.reason || names_use(view));
        return Some((Kind::Decision, backed));
    }
    if !marks.orders || is_bare_task(view) {
        return None;
    }
    if view.opens(TALKING)
        && view.size() >= 4
        && !definite
        && view.has(phrases!(
            "in|auf|en|по|briefly|short|concise|concisely|kurz|用|で"
        ))
    {
        return Some((Kind::Preference, true));
    }
    if marks.contrast || generic_object(view) {
        return Some((Kind::Convention, !definite));
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
            reason: view.has(tongue.reason),
            contrast: view.has(tongue.contrast) || is_against(view.text),
            forbids: view.has(tongue.forbid) || bans(view),
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

/// A wish about how things are done: `I prefer`, `I want messages to be short`.
fn wishes(view: &View<'_>) -> Option<Kind> {
    if !says_what(view) {
        return None;
    }
    let words: Vec<&str> = view.words().take(4).collect();
    let wants = match words.as_slice() {
        ["i" | "we", "want" | "like", object, ..] => !WANTED_NOW.contains(object),
        ["i'd" | "we'd", "like", object, ..] => !WANTED_NOW.contains(object),
        _ => false,
    };
    let says_how = view.has(phrases!(
        "to be|to have|to go|to use|to stay|in|without|with|not"
    ));
    let wishes = view.has(view.tongue.prefer) || (wants && says_how);
    if !wishes {
        return None;
    }
    let ours = words
        .iter()
        .any(|word| matches!(*word, "we" | "we'd" | "wir" | "мы" | "nous"));
    Some(if ours {
        Kind::Decision
    } else {
        Kind::Preference
    })
}

/// Reports whether a sentence points at something outside it.
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
    text.contains("://")
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

/// `No force push anywhere`: a noun under `no`, and no verb that would make it a report.
fn bans(view: &View<'_>) -> bool {
    if !view.opens(NONE_OF) {
        return false;
    }
    let reports = view.has(phrases!("is|are|was|were|have|has|seems|need|needs|idea|problem|worries|way|one|matter|reason|difference|point|longer|changes|issues|more questions|ist|sind|problema|hay|est|sont"));
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
        "we" | "everyone" | "everybody" | "nobody" => {
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
        || view.has(phrases!("now|currently|still|just|was|were|been|will"))
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

/// A fact and the order that follows from it: `the replica is stale, so read from the primary`.
fn states_and_orders(view: &View<'_>) -> bool {
    let cut = [", so ", ", ", " so ", "; ", " — ", " - ", ": ", "，", "、"]
        .iter()
        .find_map(|mark| {
            let (fact, order) = view.text.split_once(mark)?;
            Some((View::of(fact), View::of(order)))
        });
    let Some((fact, order)) = cut else {
        return false;
    };
    let states = fact.has(phrases!("is|are|has|have|lives|takes|needs|does not|doesn't|cannot|can't|only|lives|live|ist|sind|hat|es|son|está|están|tiene|est|sont|a|ont|只|是|は"))
        && fact.size() >= 3
        && !fact.opens(PERSONS);
    let rest = order.bare();
    let order = View::of(rest);
    states
        && order.size() >= 2
        && (order.opens(order.tongue.orders) || order.opens(order.tongue.forbid))
        && !order.opens(order.tongue.tasks)
        && !is_definite(&order)
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

const NEGATION: Phrases = phrases!("not|don't|nicht|no|ne|не|不|别|別|ない");
/// What the agent says to the person.
const YOUR_WORDS: Phrases = phrases!(
    "your answers|your replies|your responses|your messages|your explanations|your summaries|deine antworten|tus respuestas|tes réponses|свои ответы"
);
const MYSELF: Phrases = phrases!("i|i've|i'm|i'd|ich|yo|je|j'ai|я");
const PLACES: Phrases = phrases!(
    "in this project|in this repo|in this repository|in this codebase|for this project|for this repo|across the repo|across the codebase|everywhere|anywhere|in all|in every|for all|for each|for every|im projekt|en este proyecto|dans ce projet|в этом проекте|в проекте"
);
const CONDITIONS: Phrases = phrases!("if|wenn|falls|si|если|如果|もし");
const ALL_OF: Phrases = phrases!(
    "all|every|each|alle|jede|jeder|jedes|todos|todas|cada|tous|toutes|chaque|все|каждый|каждая|所有|每个|すべて|全て"
);
/// Said of a thing: it may not be touched.
const BANNED: Phrases = phrases!(
    "is off limits|are off limits|is not allowed|are not allowed|isn't allowed|aren't allowed|is forbidden|are forbidden|is banned|are banned|is prohibited|are prohibited|     is read only|are read only|is frozen|are frozen|ist tabu|sind tabu|ist verboten|sind verboten|está prohibido|están prohibidos|est interdit|sont interdits|запрещено|запрещены",
);
const POLICY: Phrases = phrases!(
    "our policy|our rule|our convention|the rule is|the convention is|house rule|our standard|the policy is|unsere regel|unsere konvention|nuestra regla|notre règle|наше правило"
);
/// How things always are.
const STANDS: Phrases = phrases!(
    "is always|are always|is never|are never|always is|always are|always goes|always go|ist immer|sind immer|ist nie|sind nie|es siempre|son siempre|est toujours|sont toujours|n'est jamais|всегда в|总是|永远是|常に"
);
/// Orders about how to speak with the person.
const TALKING: Phrases = phrases!(
    "answer|respond|reply|speak|address|antworte|responde|réponds|отвечай|回答|用中文|日本語で"
);
const ARTICLES: Phrases = phrases!(
    "the|a|an|all|every|each|my|our|any|new|it|this|that|to|up|some|your|more|out|in|on|sure|me|us"
);
/// Behind `I want` these ask for something now.
const WANTED_NOW: Phrases = phrases!(
    "to|you|a|an|the|this|it|that|one|another|some|see|more|what|something|us|me|how|two|three"
);
const STATIVE: Phrases = phrases!(
    "have|know|see|think|care|get|seem|remember|understand|need|want|like|mind|really|actually|yet|even|currently"
);
const PARTICIPLES: Phrases = phrases!(
    "written|kept|done|cut|built|sent|set|run|put|read|made|held|spelt|sorted|bought|taken|given|shown|hidden|left|chosen|split|frozen"
);
const UNLASTING: Phrases = phrases!(
    "failed|fixed|finished|merged|pushed|broken|closed|resolved|updated|added|changed|installed|related|outdated|confused|supposed|needed|used|passed|crashed|blocked|stopped|completed"
);
const LONGEST: usize = 60;
/// Words within which a pronoun has nothing to stand for.
const EARLY: usize = 4;

const PERSONS: Phrases =
    phrases!("i|we|you|it|they|i'm|we're|you're|he|she|ich|wir|du|yo|je|tu|я|ты|мы|он|она|они");
const HERE: Phrases = phrases!(
    "it was decided|it is decided|it has been decided|this project|this repo|this repository|this codebase|this team|this app|here we|there must|there should|there is no|diese codebase|dieses projekt|dieses repo|este proyecto|este repositorio|ce projet|ce dépôt|этот проект|这个项目|這個專案|このプロジェクト|このリポジトリ"
);
const OURS: Phrases = phrases!(
    "project|repo|repository|codebase|team|app|service|org|organisation|organization|product|company|crate|package|library|monorepo|code"
);
/// Behind `this` a verb: a clause that goes on about what was just said.
const GOES_ON: Phrases =
    phrases!("will|makes|is|aligns|would|means|keeps|helps|avoids|lets|allows|prevents");
const NONE_OF: Phrases =
    phrases!("no|keine|kein|keinen|ningún|ninguna|pas de|aucun|aucune|никаких|никакие");
const SETTINGS: Phrases =
    phrases!("for|in|on|with|under|during|für|bei|in der|para|en|pour|dans|для|в|при");
const OPENING_S: Phrases =
    phrases!("this|always|yes|thanks|tests|has|does|was|its|perhaps|sometimes|us|is|as");
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
