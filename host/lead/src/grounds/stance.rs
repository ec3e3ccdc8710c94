//! Splits a person's text into sentences and clauses, and determines whether they assert something.

use acreta_text::aligned_lowercase;

use super::lexicon::{
    ASKING, ASKING_UNSPACED, HEDGING, IRONY, JOKING, ONCE, REPORTING, REQUESTING, RETRACTING,
    SERIOUS, SUPPOSING, has_phrase, starts_with_phrase,
};

/// Splits a text into sentences: lines, cut after full stops, question and exclamation marks.
pub(super) fn sentences(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let mut start = 0;
        let places: Vec<(usize, char)> = line.char_indices().collect();
        for (index, (place, character)) in places.iter().enumerate() {
            let next = places.get(index + 1).map(|(_, next)| *next);
            let ends = match character {
                '。' | '！' | '？' | '؟' | '।' => next != Some('」'),
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

/// Reports whether a full stop ends an abbreviation or a number, not a sentence: `e.g`, `z.B`, `1`.
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

/// Speech act of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stance {
    /// States or wants something.
    Asserted,
    /// Asks, supposes, gives an example, or reports what somebody else says.
    NotAsserted,
    /// Holds for one occasion only.
    Once,
    /// Retracts what was said before it.
    Retracts,
}

/// Determines the stance of a sentence by its marker words.
pub(super) fn stance(sentence: &str) -> Stance {
    let lower = sentence.to_lowercase();
    let text = lower.trim_start_matches(|edge: char| !edge.is_alphanumeric());
    let is_unmeant = has_phrase(text, JOKING) && !has_phrase(text, SERIOUS);
    if has_phrase(text, RETRACTING) || is_unmeant {
        return Stance::Retracts;
    }
    // `tell me`, in languages whose imperative looks like a report.
    let text = &text.replace("diz-me", "").replace("diz-nos", "");
    let marks = [SUPPOSING, HEDGING, REPORTING, EXAMPLE, ABOUT_USER, IRONY];
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

/// Reports whether a sentence is a joke.
fn is_joke(text: &str, whole: &str) -> bool {
    let laughs = LAUGHING.split('|').any(|mark| whole.contains(mark))
        || has_phrase(text, "lol|lmao|rofl|xd|mdr|ptdr|jk|rsrs|kkk|kkkk");
    let is_order = has_phrase(text, super::ORDERING);
    whole.trim_end().ends_with("/s")
        || laughs && !has_phrase(text, SERIOUS) && (!is_order || has_phrase(text, IRONIC))
}

const LAUGHING: &str =
    "haha|hehe|hihi|jaja|jeje|ahah|хаха|ахах|哈哈|嘿嘿|ㅋㅋ|ㅎㅎ|(笑)|（笑）|😂|🤣|😜|😝|🙃|😆";

/// Agreement that laughter inverts.
const IRONIC: &str = "sure|yeah|yeah right|of course|obviously|totally|great idea|let's just|why not|next we|klar|na klar|sicher|genau|tolle idee|am besten|bien sûr|évidemment|bonne idée|pourquoi pas|carrément|claro|seguro|por supuesto|buena idea|boa ideia|com certeza|certo|certo che|ottima idea|tuurlijk|конечно|ага|давай|отличная идея|当然|干脆|不如|いっそ|もちろん|아예|그래|당연";

/// Phrases in which programs speak about the person.
const ABOUT_USER: &str = "the user has enabled|the user has approved|the user has agreed|the user has accepted|the user has asked|the user has requested|the user has confirmed|the user has allowed|the user has granted|the user has authorized|the user wants|the user prefers|the user asked|the user asks|the user agreed|the user approved|the user requested|user prefers|\
    der nutzer hat|der nutzer will|der nutzer möchte|der nutzer bevorzugt|der benutzer hat|der benutzer will|der benutzer möchte|l'utilisateur a accepté|l'utilisateur a demandé|l'utilisateur a autorisé|l'utilisateur a approuvé|l'utilisateur veut|l'utilisateur souhaite|l'utilisateur préfère|l'utilisateur demande|\
    el usuario quiere|el usuario prefiere|el usuario pide|el usuario ha pedido|el usuario ha aceptado|el usuario ha aprobado|el usuario ha autorizado|o usuário quer|o usuário prefere|o usuário pediu|o usuário autorizou|o usuário aceitou|l'utente vuole|l'utente preferisce|l'utente ha chiesto|l'utente ha accettato|de gebruiker wil|\
    пользователь просит|пользователь хочет|пользователь разрешил|пользователь предпочитает|пользователь согласился|пользователь попросил|пользователь одобрил|użytkownik chce|用户希望|用户要求|用户已同意|用户同意|用户已授权|用户已批准|用户偏好|ユーザーの希望|ユーザーが許可|ユーザーは許可|ユーザーが承認|ユーザーは承認|ユーザーは同意|ユーザーが希望|ユーザーは希望|사용자가 요청|사용자가 허용|사용자가 승인|사용자가 원|사용자는 원|사용자가 동의";

const EXAMPLE: &str = "example of|examples of|beispiel für|beispiele für|exemple de|exemples de|ejemplo de|ejemplos de|exemplo de|exemplos de|esempio di|voorbeeld van|пример плох|пример того|举个例子|的例子|の例を|の例文|예시를|예를 들어 줘";

/// Returns the sentence up to an example in it; the example states nothing.
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
    let lower = aligned_lowercase(sentence);
    let place = MARKS.iter().filter_map(|mark| lower.find(mark)).min();
    place
        .and_then(|place| sentence.get(..place))
        .unwrap_or(sentence)
}

fn is_question(text: &str, whole: &str) -> bool {
    let is_request = starts_with_phrase(text, REQUESTING) || has_phrase(text, UNSPACED_REQUESTS);
    let marked = whole.trim_end().ends_with(['?', '？', '؟']);
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
    asks || marked && !has_tag(text)
        || has_phrase(text, ASKING_UNSPACED)
        || is_a_not_a(text)
        || asks_by_ending(text)
        || has_phrase(text, TURKISH_ASKING)
        || text.contains(['ı', 'ğ', 'ş']) && has_phrase(text, "mi|mu")
        || SURELY_ASKING_UNLISTED
            .split('|')
            .any(|start| text.starts_with(start))
        || text.starts_with("có ") && text.ends_with(" không")
}

/// Reports whether a text has a Chinese verb with its negation: `该不该`, `是不是`.
fn is_a_not_a(text: &str) -> bool {
    let letters: Vec<char> = text.chars().collect();
    let mut threes = letters.windows(3);
    threes.any(|three| three[0] == three[2] && matches!(three[1], '不' | '没'))
}

/// Reports whether a text ends like a Japanese or Korean question.
fn asks_by_ending(text: &str) -> bool {
    let text = text.trim_end_matches(|edge: char| !edge.is_alphanumeric());
    let ends = |endings: &str| endings.split('|').any(|ending| text.ends_with(ending));
    ends(
        "かな|かね|だろうか|でしょうか|ですか|ますか|のか|るか|ないか|맞나|되나|하나요|을까|할까|볼까|될까|일까|건가|는가|은가|인가|던가|려나|하니|되니|맞니|냐",
    )
}

/// The particle of a Turkish question, and its forms.
const TURKISH_ASKING: &str = "mı|mü|mıyız|miyiz|muyuz|müyüz|mıyım|miyim|mısın|misin|mıdır|midir";

/// Beginnings of questions in languages that are seldom marked otherwise.
const SURELY_ASKING_UNLISTED: &str = "هل |क्या |apakah |чи |ska vi |borde vi |máme ";

const UNSPACED_REQUESTS: &str =
    "してもらえ|してくれ|してください|해줄래|해 줄래|해주세요|能不能请|麻烦";

/// Beginnings that ask even without a question mark.
const SURELY_ASKING: &str = "do we|does|did we|is it|is there|are we|should we|shall we|can we|could we|why|what|how|who|where|warum|wieso|sollen wir|sollten wir|\
    pourquoi|comment|est-ce|faut-il|por qué|cómo|qué|почему|зачем|стоит ли|нужно ли|czy|o que quer dizer|o que significa|que significa|qué significa|que veut dire|was bedeutet|was heißt|cosa significa|что значит|was soll|wozu|à quoi";

/// Verb before subject: a question however long the sentence is.
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
    lower.ends_with(['?', '？', '؟']) || is_question(text, &lower)
}

/// Reports whether it only asks for consent to what was said (`…, ok?`).
fn has_tag(text: &str) -> bool {
    let text = text.trim_end_matches(['?', '？', ' ', '!']);
    let tag = text
        .rsplit([',', '，', '、', '.', '。'])
        .next()
        .unwrap_or_default()
        .trim();
    const TAGS: &str = "ok|okay|right|yes|please|alright|got it|deal|ja|oder|gell|klar|verstanden|d'accord|compris|hein|vale|de acuerdo|sí|entendido|né|tá|certo|combinado|\
        va bene|capito|capisce|beleza|blz|valeu|falou|fechou|pode ser|cool|deal|bene|goed|oké|dobra|dobrze|tamam|olur|好不好|行不行|хорошо|ладно|да|ок|понял|好吗|好嗎|好吧|行吗|可以吗|いい|ね|알겠지|알았지|오케이|그치";
    tag.len() < text.len() && TAGS.split('|').any(|one| one == tag)
}

/// Splits a clause at conjunctions.
pub(super) fn joined(clause: &str) -> Vec<String> {
    let mut text = format!(" {clause} ");
    for joint in JOINTS.split('|') {
        text = text.replace(&format!(" {joint} "), " \u{1f} ");
    }
    let pieces = text.split('\u{1f}').map(|piece| piece.trim().to_owned());
    pieces.filter(|piece| !piece.is_empty()).collect()
}

pub(super) const JOINTS: &str =
    "and|und|et|y|e|ed|en|и|i|ve|및|plus|then|sowie|puis|luego|depois|poi|затем";

/// Splits a sentence into clauses, at commas, dashes, colons and contrasting conjunctions.
pub(super) fn clauses(sentence: &str) -> Vec<String> {
    let mut text = format!(" {} ", sentence.replace(['\n', '\t'], " "));
    // The comma before a German infinitive does not end a denial.
    text = text.replace("ör auf, ", "ör auf ");
    for joint in CONTRASTS.split('|') {
        // `and never`: the denial belongs to what follows.
        let denial = joint.split_once(' ').map_or("", |(_, denial)| denial);
        text = text.replace(&format!(" {joint} "), &format!(" \u{1f} {denial} "));
    }
    let is_end = |place: usize, one: char| match one {
        '，'
        | '；'
        | '：'
        | '。'
        | '、'
        | '！'
        | '？'
        | '—'
        | '–'
        | '('
        | ')'
        | '（'
        | '）'
        | '\u{1f}'
        | '\u{1f300}'..='\u{1faff}' => true,
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
