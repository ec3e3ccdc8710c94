//! Sentences of a person: whether they assert something, and what they deny.

use acreta_text::is_unspaced;

use super::lexicon::{
    ASKING, ASKING_UNSPACED, EXCEPTION_WORDS, HEDGING, INSTEAD_OF, NEGATOR_WORDS,
    NEGATORS_UNSPACED, ONCE, REPORTING, REQUESTING, RETRACTING, SUPPOSING, has_phrase,
    starts_with_phrase,
};
use super::terms::{Term, terms};

/// Sentences of a text: lines, cut after full stops, question and exclamation marks.
pub(super) fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let places: Vec<(usize, char)> = line.char_indices().collect();
        for (index, (place, character)) in places.iter().enumerate() {
            let next = places.get(index + 1).map(|(_, next)| *next);
            let ends = match character {
                '。' | '！' | '？' => next != Some('」'),
                '.' | '!' | '?' => {
                    next.is_none_or(char::is_whitespace) && !is_short_form(&line[start..*place])
                }
                ';' | '；' => next.is_none_or(char::is_whitespace) || *character == '；',
                _ => false,
            };
            if ends {
                let end = place + character.len_utf8();
                push(&mut found, &line[start..end]);
                start = end;
            }
        }
        push(&mut found, &line[start..]);
    }
    found
}

fn push(found: &mut Vec<String>, sentence: &str) {
    let sentence = sentence.trim();
    if sentence.chars().any(char::is_alphanumeric) {
        found.push(sentence.to_owned());
    }
}

/// `e.g`, `z.B`, `1`: what a full stop ends without ending a sentence.
fn is_short_form(before: &str) -> bool {
    let last = before
        .rsplit(char::is_whitespace)
        .next()
        .unwrap_or_default();
    let last = last.trim_start_matches(|edge: char| !edge.is_alphanumeric());
    let short = [
        "e.g", "i.e", "z.b", "bzw", "etc", "vs", "d.h", "p.ej", "ej", "ex", "т.е", "т.д", "z.b",
    ];
    short.contains(&last.to_lowercase().as_str())
        || !last.is_empty()
            && last.len() <= 2
            && last.chars().all(|one| one.is_ascii_digit())
            && before.trim().len() <= 2
}

/// The act of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    /// States or wants something.
    Asserted,
    /// Asks, supposes, gives an example, or tells what somebody else says.
    NotAsserted,
    /// Holds for one occasion only.
    Once,
    /// Takes back what was said before it.
    Retracts,
}

/// Tells it by its marks.
pub(super) fn stance(sentence: &str) -> Stance {
    let lower = sentence.to_lowercase();
    let text = lower.trim_start_matches(|edge: char| !edge.is_alphanumeric());
    if has_phrase(text, RETRACTING) {
        return Stance::Retracts;
    }
    let marks = [SUPPOSING, HEDGING, REPORTING, EXAMPLE, ABOUT_USER];
    if marks.iter().any(|marks| has_phrase(text, marks)) || is_joke(text, &lower) {
        return Stance::NotAsserted;
    }
    if is_question(text, &lower) {
        return Stance::NotAsserted;
    }
    if has_phrase(text, ONCE) {
        return Stance::Once;
    }
    Stance::Asserted
}

/// Reports whether a sentence laughs at what it says.
fn is_joke(text: &str, whole: &str) -> bool {
    let laughs = LAUGHING.split('|').any(|mark| whole.contains(mark))
        || has_phrase(text, "lol|lmao|rofl|xd|mdr|ptdr|jk|rsrs|kkk|kkkk");
    let is_order = has_phrase(text, super::ORDERING);
    whole.trim_end().ends_with("/s") || laughs && (!is_order || has_phrase(text, IRONIC))
}

const LAUGHING: &str =
    "haha|hehe|hihi|jaja|jeje|ahah|хаха|ахах|哈哈|嘿嘿|ㅋㅋ|ㅎㅎ|(笑)|（笑）|😂|🤣|😜|😝|🙃|😆";

/// Consent that laughter turns round.
const IRONIC: &str = "sure|yeah|yeah right|of course|obviously|totally|great idea|let's just|why not|next we|klar|na klar|sicher|genau|tolle idee|am besten|bien sûr|évidemment|bonne idée|pourquoi pas|carrément|claro|seguro|por supuesto|buena idea|boa ideia|com certeza|certo|certo che|ottima idea|tuurlijk|конечно|ага|давай|отличная идея|当然|干脆|不如|いっそ|もちろん|아예|그래|당연";

/// Tells of the person as programs do.
const ABOUT_USER: &str = "the user has enabled|the user has approved|the user has agreed|the user has accepted|the user has asked|the user has requested|the user has confirmed|the user has allowed|the user has granted|the user has authorized|the user wants|the user prefers|the user asked|the user asks|the user agreed|the user approved|the user requested|user prefers|\
    der nutzer hat|der nutzer will|der nutzer möchte|der nutzer bevorzugt|der benutzer hat|der benutzer will|der benutzer möchte|l'utilisateur a accepté|l'utilisateur a demandé|l'utilisateur a autorisé|l'utilisateur a approuvé|l'utilisateur veut|l'utilisateur souhaite|l'utilisateur préfère|l'utilisateur demande|\
    el usuario quiere|el usuario prefiere|el usuario pide|el usuario ha pedido|el usuario ha aceptado|el usuario ha aprobado|el usuario ha autorizado|o usuário quer|o usuário prefere|o usuário pediu|o usuário autorizou|o usuário aceitou|l'utente vuole|l'utente preferisce|l'utente ha chiesto|l'utente ha accettato|de gebruiker wil|\
    пользователь просит|пользователь хочет|пользователь разрешил|пользователь предпочитает|пользователь согласился|пользователь попросил|пользователь одобрил|użytkownik chce|用户希望|用户要求|用户已同意|用户同意|用户已授权|用户已批准|用户偏好|ユーザーの希望|ユーザーが許可|ユーザーは許可|ユーザーが承認|ユーザーは承認|ユーザーは同意|ユーザーが希望|ユーザーは希望|사용자가 요청|사용자가 허용|사용자가 승인|사용자가 원|사용자는 원|사용자가 동의";

const EXAMPLE: &str = "example of|examples of|beispiel für|beispiele für|exemple de|exemples de|ejemplo de|ejemplos de|exemplo de|exemplos de|esempio di|voorbeeld van|пример плох|пример того|举个例子|的例子|の例を|の例文|예시를|예를 들어 줘";

/// Where an example begins within a sentence; what follows is no statement.
pub(super) fn before_example(sentence: &str) -> &str {
    const MARKS: [&str; 14] = [
        "e.g.",
        "for example",
        "for instance",
        "z.b.",
        "z. b.",
        "zum beispiel",
        "par exemple",
        "p. ex.",
        "por ejemplo",
        "p. ej.",
        "por exemplo",
        "ad esempio",
        "например",
        "比如",
    ];
    let lower = sentence.to_lowercase();
    if lower.len() != sentence.len() {
        return sentence;
    }
    let place = MARKS.iter().filter_map(|mark| lower.find(mark)).min();
    place
        .and_then(|place| sentence.get(..place))
        .unwrap_or(sentence)
}

fn is_question(text: &str, whole: &str) -> bool {
    let is_request = starts_with_phrase(text, REQUESTING) || has_phrase(text, UNSPACED_REQUESTS);
    let marked = whole.trim_end().ends_with(['?', '？']);
    if is_request {
        return false;
    }
    let is_short = text.split_whitespace().count() < 12;
    let asks = starts_with_phrase(text, ASKING)
        && (marked || is_short && starts_with_phrase(text, SURELY_ASKING))
        || starts_with_phrase(text, AUXILIARIES)
        || text
            .rsplit_once(", ")
            .is_some_and(|(_, last)| starts_with_phrase(last, AUXILIARIES))
        || has_phrase(text, OR_ONLY)
        || ALTERNATIVES
            .split('|')
            .any(|end| text.trim_end().ends_with(end));
    asks || marked && !has_tag(text) || has_phrase(text, ASKING_UNSPACED)
}

const UNSPACED_REQUESTS: &str =
    "してもらえ|してくれ|してください|해줄래|해 줄래|해주세요|能不能请|麻烦";

/// Beginnings that ask even without a question mark.
const SURELY_ASKING: &str = "do we|does|did we|is it|is there|are we|should we|shall we|can we|could we|why|what|how|who|where|warum|wieso|sollen wir|sollten wir|\
    pourquoi|comment|est-ce|faut-il|por qué|cómo|qué|почему|зачем|стоит ли|нужно ли|czy";

/// Verbs before their subject, which ask however long the sentence is.
const AUXILIARIES: &str = "do we|do i|does it|does the|does this|does that|does our|does anyone|did we|did i|did you|do you|is it|is there|is that|is this|are we|are there|are you|were we|was it|should we|should i|shall we|shall i|have we|has anyone|has anybody|must we|must i|isn't it|isn't that|aren't we|don't we|didn't we|am i|are the|is the|wasn't|\
    sollen wir|sollten wir|soll ich|müssen wir|muss ich|dürfen wir|darf ich|haben wir|hatten wir|ist das|ist es|gibt es|machen wir|nutzen wir|verwenden wir|sind wir|war das|est-ce|faut-il|doit-on|peut-on|devons-nous|devrait-on|\
    moeten we|zullen we|нужно ли|надо ли|стоит ли|должны ли|можно ли|разве|czy";

/// Joins two answers of a question.
const OR_ONLY: &str = "or just on|or just in|or only on|or only in|or is that|or is it|oder nur|ou juste|ou seulement|o solo en|ou só|o solo|of alleen|или только|还是只|それとも|아니면";

/// Ends of a question that leaves the choice.
const ALTERNATIVES: &str = " or not| or no| oder nicht| oder nein| oder doch nicht| ou pas| ou non| o no| ou não| o meno| of niet| или нет| czy nie|还是不用|还是不";

/// Reports whether a line asks a question, also one without its mark, or asks for work on a text.
pub(super) fn is_asking(line: &str) -> bool {
    let lower = line.trim().to_lowercase();
    let text = lower.trim_start_matches(|edge: char| !edge.is_alphanumeric());
    lower.ends_with(['?', '？']) || is_question(text, &lower)
}

/// Reports whether all that is asked is consent to what was said (`…, ok?`).
fn has_tag(text: &str) -> bool {
    let text = text.trim_end_matches(['?', '？', ' ', '!']);
    let tag = text
        .rsplit([',', '，', '、', '.', '。'])
        .next()
        .unwrap_or_default()
        .trim();
    const TAGS: &str = "ok|okay|right|yes|please|alright|got it|deal|ja|oder|gell|klar|verstanden|d'accord|compris|hein|vale|de acuerdo|sí|entendido|né|tá|certo|combinado|\
        va bene|capito|хорошо|ладно|да|ок|понял|好吗|好嗎|好吧|行吗|可以吗|いい|ね|알겠지|알았지|오케이|그치";
    tag.len() < text.len() && TAGS.split('|').any(|one| one == tag)
}

/// Signs a term may have: asserted, denied, or either.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Signs {
    pub(super) asserted: bool,
    pub(super) denied: bool,
}

impl Signs {
    pub(super) fn join(self, other: Self) -> Self {
        Self {
            asserted: self.asserted || other.asserted,
            denied: self.denied || other.denied,
        }
    }

    /// Reports whether no reading of one agrees with a reading of the other.
    pub(super) fn opposes(self, other: Self) -> bool {
        !(self.asserted && other.asserted || self.denied && other.denied)
    }
}

/// Pieces of a clause that a conjunction joins.
pub(super) fn joined(clause: &str) -> Vec<String> {
    let mut text = format!(" {clause} ");
    for joint in JOINTS.split('|') {
        text = text.replace(&format!(" {joint} "), " \u{1f} ");
    }
    let pieces = text.split('\u{1f}').map(|piece| piece.trim().to_owned());
    pieces.filter(|piece| !piece.is_empty()).collect()
}

const JOINTS: &str = "and|und|et|y|e|ed|en|и|i|ve|및|plus|then|sowie|puis|luego|depois|poi|затем";

const ASSERTED: Signs = Signs {
    asserted: true,
    denied: false,
};
const DENIED: Signs = Signs {
    asserted: false,
    denied: true,
};
const EITHER: Signs = Signs {
    asserted: true,
    denied: true,
};

/// Clauses of a sentence: what stands between commas, dashes, colons and contrasting conjunctions.
pub(super) fn clauses(sentence: &str) -> Vec<String> {
    let mut text = format!(" {} ", sentence.replace(['\n', '\t'], " "));
    for joint in CONTRASTS.split('|') {
        text = text.replace(&format!(" {joint} "), " \u{1f} ");
    }
    let is_end = |place: usize, one: char| match one {
        '，' | '；' | '：' | '。' | '、' | '！' | '？' | '—' | '–' | '(' | ')' | '（' | '）'
        | '\u{1f}' => true,
        ',' | ';' | ':' | '!' | '?' => {
            text[place + one.len_utf8()..].starts_with(char::is_whitespace)
        }
        _ => false,
    };
    let mut found = Vec::new();
    let mut start = 0;
    for (place, one) in text.char_indices() {
        if is_end(place, one) {
            found.push(text[start..place].trim().to_owned());
            start = place + one.len_utf8();
        }
    }
    found.push(text[start..].trim().to_owned());
    found.retain(|clause| clause.chars().any(char::is_alphanumeric));
    found
}

const CONTRASTS: &str = "but|sondern|aber|mais|sino|pero|mas|senão|ma|bensì|maar|но|however|and never|and not|and don't|and do not|und nie|und nicht|und kein|und keine|y no|y nunca|et pas|et jamais|и не|e não|e non";

/// Terms of a clause with their signs.
pub(super) fn signed(clause: &str) -> Vec<(Term, Signs)> {
    let lower = clause.to_lowercase();
    let unspaced = lower.chars().any(is_unspaced);
    if unspaced {
        // A proposal in the form of a denial.
        let lower = lower.replace("ませんか", "").replace("ないか", "");
        let sign = match has_phrase(&lower, NEGATORS_UNSPACED) {
            true => DENIED,
            false => ASSERTED,
        };
        return terms(clause).into_iter().map(|term| (term, sign)).collect();
    }
    if let Some((before, after)) = cut_instead_of(&lower, clause) {
        let mut found = signed(before);
        for (index, term) in terms(after).into_iter().enumerate() {
            found.push((term, if index == 0 { DENIED } else { EITHER }));
        }
        return found;
    }
    let words: Vec<&str> = clause.split_whitespace().collect();
    let bare = |word: &str| {
        let word = word
            .trim_matches(|edge: char| !edge.is_alphanumeric())
            .to_lowercase();
        NEGATOR_WORDS.contains(word.as_str())
            || word
                .split('\'')
                .next()
                .is_some_and(|stem| NEGATOR_WORDS.contains(stem) && word.contains('\''))
    };
    let Some(place) = words.iter().position(|word| bare(word)) else {
        return terms(clause)
            .into_iter()
            .map(|term| (term, ASSERTED))
            .collect();
    };
    let (before, after) = (words[..place].join(" "), words[place..].join(" "));
    let after = terms(&after);
    let has_exception = words
        .iter()
        .any(|word| EXCEPTION_WORDS.contains(word.to_lowercase().as_str()))
        && words[place + 1..]
            .iter()
            .any(|word| bare(word) || EXCEPTION_WORDS.contains(word.to_lowercase().as_str()));
    let whole = after.is_empty()
        || words
            .iter()
            .any(|word| has_phrase(&word.to_lowercase(), WHOLE_CLAUSE));
    let bounds = words[place].to_lowercase();
    let earlier = match whole {
        true => DENIED,
        false if WITHOUT.split('|').any(|word| word == bounds) => ASSERTED,
        false => EITHER,
    };
    let mut found: Vec<(Term, Signs)> = terms(&before)
        .into_iter()
        .map(|term| (term, earlier))
        .collect();
    let count = after.len();
    for (index, term) in after.into_iter().enumerate() {
        let is_excepted = has_exception && index + 1 == count;
        found.push((term, if is_excepted { EITHER } else { DENIED }));
    }
    found
}

/// Words that deny what follows and leave what stands before them.
const WITHOUT: &str = "without|ohne|sans|sin|sem|senza|zonder|без|bez";

/// Words that deny the whole of their clause, wherever they stand.
const WHOLE_CLAUSE: &str = "forbidden|banned|prohibited|verboten|tabu|interdit|interdite|interdits|prohibido|prohibida|proibido|proibida|vietato|verboden|нельзя|запрещено|запрещены|zabronione|yasak";

fn cut_instead_of<'a>(lower: &str, clause: &'a str) -> Option<(&'a str, &'a str)> {
    if lower.len() != clause.len() {
        return None;
    }
    let (place, length) = INSTEAD_OF
        .split('|')
        .filter_map(|phrase| {
            super::lexicon::find_phrase(lower, phrase.trim())
                .map(|place| (place, phrase.trim().len()))
        })
        .min()?;
    Some((clause.get(..place)?, clause.get(place + length..)?))
}

/// Reports whether a text denies anything at all.
pub(super) fn denies(text: &str) -> bool {
    sentences(text)
        .iter()
        .flat_map(|sentence| clauses(sentence))
        .any(|clause| {
            let lower = clause.to_lowercase();
            lower.chars().any(is_unspaced) && has_phrase(&lower, NEGATORS_UNSPACED)
                || clause.split_whitespace().any(|word| {
                    let word = word
                        .trim_matches(|edge: char| !edge.is_alphanumeric())
                        .to_lowercase();
                    NEGATOR_WORDS.contains(word.as_str())
                })
                || has_phrase(&lower, INSTEAD_OF)
        })
}
