//! Qualifiers of the person's words. A candidate that leaves one out says something else: it drops the condition, the
//! time, the bound or the subject of the person's statement.

use acreta_text::is_unspaced;

use super::carrier::Carrier;
use super::echo::distinct;
use super::lexicon::{RULING, RULING_UNSPACED, has_phrase, starts_with_phrase};
use super::lines::is_bullet;
use super::polarity::denies;
use super::spread::{DIGRESSING, strung};
use super::stance::clauses;
use super::terms::{ContentTerm, is_near_neutral, terms};

/// Maximum fraction of a quoted sentence's words that a candidate may leave out: reasons and asides, but not its
/// subject or its governing verb.
const LEFT_OUT: f64 = 0.34;

/// Like [`LEFT_OUT`], for words that the quote leaves out as well. A fragment may say anything.
const LEFT_UNQUOTED: f64 = 0.2;

/// Reports whether a candidate leaves out so much of the sentence it quotes that it may say something else.
pub(super) fn is_excerpt(sentence: &str, quote: &str, candidate: &str) -> bool {
    let (mut own, mut quoted) = (Carrier::default(), Carrier::default());
    own.add(candidate);
    quoted.add(quote);
    let clauses = clauses(without_mark(sentence));
    let mut pieces: Vec<String> = clauses.iter().flat_map(|clause| strung(clause)).collect();
    let is_governed = |piece: &String| starts_with_phrase(&piece.to_lowercase(), SUBORDINATING);
    if !pieces.iter().any(is_governed) {
        let is_used = |piece: &String| terms(piece).iter().any(|term| own.has(term));
        pieces.retain(|piece| is_used(piece) || !is_aside(piece));
    }
    let all: Vec<ContentTerm> = pieces.iter().flat_map(|piece| terms(piece)).collect();
    let is_left_out = |term: &&ContentTerm| {
        let is_said = own.has(term) || own.has_inflected(term) || own.misspelt(term).is_some();
        !is_said && !is_filler(&term.word)
    };
    let left_out: Vec<ContentTerm> = all.iter().filter(is_left_out).cloned().collect();
    let unquoted: Vec<ContentTerm> = left_out
        .iter()
        .filter(|term| !quoted.has(term))
        .cloned()
        .collect();
    // Pairs of characters overlap: two of them are about a word.
    let count = |terms: &[ContentTerm]| {
        let keys = distinct(terms);
        let pairs = keys.iter().filter(|key| key.chars().any(is_unspaced));
        keys.len() - pairs.count() / 2
    };
    let share = |share: f64| (count(&all) as f64 * share).floor() as usize;
    count(&left_out) > share(LEFT_OUT).max(1) || count(&unquoted) > share(LEFT_UNQUOTED)
}

/// Reports whether a clause is independent: another rule, a reason, or a digression.
fn is_aside(clause: &str) -> bool {
    let lower = clause.to_lowercase();
    let marks = [RULING, RULING_UNSPACED, COMPLAINING, DIGRESSING];
    marks.iter().any(|marks| has_phrase(&lower, marks)) || starts_with_phrase(&lower, REASONING)
}

/// Beginnings of a reason.
const REASONING: &str = "because|since|so that|otherwise|weil|denn|damit|sonst|parce que|car|puisque|sinon|porque|ya que|pues|pois|senão|perché|poiché|altrimenti|omdat|want|anders|потому что|так как|иначе|ponieważ|bo|inaczej|çünkü|yoksa|因为|不然|否则|なぜなら|そうしないと|왜냐하면|안 그러면";

/// Beginnings of a clause that another one governs.
const SUBORDINATING: &str =
    "that|whether|to|dass|ob|que|qu|si|che|se|dat|of|что|чтобы|чтоб|будто|że|żeby|aby|czy|щоб|що";

/// Reports whether a word is a filler, even with a typo.
pub(super) fn is_filler(word: &str) -> bool {
    is_address(word) || is_near_neutral(word)
}

/// Reports whether a word is one of address, haste or politeness.
pub(super) fn is_address(word: &str) -> bool {
    FILLERS.split_whitespace().any(|filler| filler == word)
}

/// Words of address, haste and politeness.
const FILLERS: &str = "please pls plz plis ok okay lol btw hey bro dude man guys mate honestly frankly basically actually really literally well anyway anyways hmm um uh like yeah nah yep imo fyi thx thanks here general also just simply \
    bitte mal halt eben einfach doch also jo jau alter digga du ey hey übrigens ehrlich eigentlich kurz mach \
    stp svp bon ben franchement enfin bref par contre quand même mec info alors \
    porfa porfavor xfa oye mira tío bueno pues vale tqm anda aquí ojo \
    mano cara olha então vc vcs tá né aí gente pf pfv por favor galera aqui \
    dai senti allora comunque beh ragazzi qui \
    слушай слуш короче плиз пж ну вот просто вообще давай \
    아니 걍 그냥 글고 좀 음 어 아 그리고 그러니까 ㅇㅇ 진짜 일단 근데 참 회의에서 정했는데 정했어 talked discussed";

/// Returns the qualifier of the typed sentences that a candidate leaves out.
pub(super) fn lost_qualifier(typed: &[&str], candidate: &str) -> Option<&'static str> {
    let mut own = Carrier::default();
    own.add(candidate);
    let lower = candidate.to_lowercase();
    let cited = typed.iter().filter(|sentence| is_used(sentence, &own));
    cited
        .flat_map(|sentence| {
            [
                lost_mark(sentence, &lower),
                lost_name(sentence, &own),
                lost_permission(sentence, &own),
            ]
        })
        .flatten()
        .next()
        .or_else(|| is_substituted(typed, candidate).then_some("its subject"))
}

/// Reports whether a candidate contains words of a sentence.
fn is_used(sentence: &str, own: &Carrier) -> bool {
    let all = terms(sentence);
    let shared = all.iter().filter(|term| own.has(term)).count();
    shared >= 2 || shared * 2 > all.len()
}

fn lost_mark(sentence: &str, candidate: &str) -> Option<&'static str> {
    let sentence = sentence.to_lowercase();
    let drops = |marks: &str| has_phrase(&sentence, marks) && !has_phrase(candidate, marks);
    if drops(PAST) {
        return Some("that it is past");
    }
    if has_phrase(&sentence, COMPLAINING) && !denies(candidate) {
        return Some("the complaint");
    }
    let is_conditional = clauses(&sentence)
        .iter()
        .any(|clause| starts_with_phrase(clause, CONDITION));
    let keeps = has_phrase(candidate, CONDITION) || has_phrase(candidate, RELATING);
    if is_conditional && !keeps {
        return Some("its condition");
    }
    is_bound_turned(&sentence, candidate).then_some("its bound")
}

/// Detects a lost word of a permission: a permission covers only what it names.
fn lost_permission(sentence: &str, own: &Carrier) -> Option<&'static str> {
    let clauses = clauses(sentence);
    let mut permitting = clauses
        .iter()
        .flat_map(|clause| strung(clause))
        .filter(|clause| has_phrase(&clause.to_lowercase(), PERMITTING));
    let lost = permitting.any(|clause| {
        let all = terms(&clause);
        let shared = all.iter().filter(|term| own.has(term)).count();
        shared >= 2 && shared < all.len() && shared * 2 > all.len()
    });
    lost.then_some("a word of the permission")
}

/// Detects a lost name in a clause that the candidate mostly contains.
fn lost_name(sentence: &str, own: &Carrier) -> Option<&'static str> {
    let lost = clauses(sentence).iter().any(|clause| {
        let all = terms(without_mark(clause));
        let shared = all.iter().filter(|term| own.has(term)).count();
        shared * 2 > all.len() && all.iter().any(|term| term.is_name && !own.has(term))
    });
    lost.then_some("a name")
}

/// Returns a list item without its number.
fn without_mark(clause: &str) -> &str {
    match is_bullet(clause) {
        true => clause.split_once(' ').map_or(clause, |(_, rest)| rest),
        false => clause,
    }
}

/// Reports whether one text gives an upper bound where the other gives a lower one.
fn is_bound_turned(sentence: &str, candidate: &str) -> bool {
    let bound = |text: &str| {
        let (upper, lower) = (has_phrase(text, AT_MOST), has_phrase(text, AT_LEAST));
        (upper != lower).then(|| upper != denies(text))
    };
    let counts = |text: &str| text.chars().any(|one| one.is_ascii_digit());
    match (bound(sentence), bound(candidate)) {
        (Some(said), Some(own)) => said != own && counts(sentence) && counts(candidate),
        _ => false,
    }
}

/// Reports whether a clause of the candidate is a typed clause with a word replaced by one from another sentence.
fn is_substituted(typed: &[&str], candidate: &str) -> bool {
    let said: Vec<(usize, Vec<ContentTerm>)> = typed
        .iter()
        .enumerate()
        .flat_map(|(index, sentence)| clauses(sentence).into_iter().map(move |one| (index, one)))
        .map(|(index, clause)| (index, terms(&clause)))
        .collect();
    let has = |terms: &[ContentTerm], key: &str| terms.iter().any(|term| term.key == key);
    let own = candidate.lines().flat_map(clauses);
    own.map(|clause| terms(&clause)).any(|own| {
        let shared = |one: &[ContentTerm]| one.iter().filter(|term| has(&own, &term.key)).count();
        let Some((place, base)) = said.iter().max_by_key(|(_, clause)| shared(clause)) else {
            return false;
        };
        let mut new = own.iter().filter(|term| !has(base, &term.key));
        let is_told = |term: &ContentTerm| {
            let mut others = said.iter();
            let has_it =
                |index: &usize, clause: &[ContentTerm]| has(clause, &term.key) && index != place;
            others.any(|(index, clause)| has_it(index, clause))
                && !said
                    .iter()
                    .any(|(index, clause)| index == place && has(clause, &term.key))
        };
        shared(base) >= 2
            && shared(base) + 1 == base.len()
            && new.next().is_some_and(is_told)
            && new.next().is_none()
    })
}

/// Words that give permission.
const PERMITTING: &str = "you can|you may|can be|may be|are allowed|is allowed|it's ok to|it's fine to|ok to|fine to|feel free|du kannst|du darfst|darfst du|kannst du|können sie|darf|dürfen|tu peux|vous pouvez|on peut|peut être|peuvent|puedes|se puede|se pueden|podéis|podes|pode-se|você pode|puoi|si può|si possono|je mag|je kunt|mogen|можно|можешь|разрешено|możesz|można|wolno|yapabilirsin|olabilir|可以|允许|てもいい|て構わない|ても構わない|해도 돼|해도 된|해도 좋";

/// Words for something that used to be so.
const PAST: &str = "used to|back then|back when|in the old days|früher|damals|autrefois|à l'époque|solíamos|solía|antaño|antigamente|costumávamos|una volta|un tempo|vroeger|destijds|раньше|когда-то|kiedyś|dawniej|eskiden|曾经|过去我们|かつて|昔は|예전에|옛날에";

/// Words that call something a nuisance.
const COMPLAINING: &str = "drives me crazy|drives me nuts|i hate it|annoys me|so annoying|sick of|tired of|nervt|regt mich auf|m'énerve|m'agace|j'en ai marre|me molesta|me saca de quicio|estoy harto|estoy harta|me irrita|estou farto|estou farta|mi dà fastidio|sono stufo|sono stufa|gek van|irritant|бесит|надоело|достало|wkurza|sinir oluyorum|bıktım|烦死|受不了|うんざり|腹が立つ|짜증|지겨";

/// Beginnings of a condition.
const CONDITION: &str = "if|unless|in case|provided|falls|sofern|wenn|es sei denn|au cas où|à condition|sauf si|a menos que|siempre que|caso|a menos|qualora|a meno che|indien|mocht|если|в случае|jeśli|jeżeli|gdyby|chyba że|eğer|se il|se la|se i|se o|se a|se os|se as|si el|si la|si los|si las|si le|si les|si on|si un|si une|如果|要是|万一|除非|假如|もし|場合|만약|만일|경우";

/// Words with which a rewording keeps a condition.
const RELATING: &str = "when|whenever|for|that|which|who|once|with|on|in|beyond|without|after|before|bei|für|die|der|das|ohne|nach|vor|quand|lorsque|pour|qui|que|dès|sans|cuando|para|con|sin|quando|com|sem|che|per|con|senza|bij|voor|als|zonder|при|когда|для|без|который|które|gdy|dla|przy|bez|için|时|時|后|的|は|には|では|때|시|에는";

const AT_MOST: &str = "at most|maximum|max|no more than|not more than|under|below|less than|fewer than|höchstens|maximal|unter|weniger als|au plus|moins de|máximo|como mucho|menos de|no máximo|al massimo|meno di|hoogstens|minder dan|не более|не больше|максимум|меньше|najwyżej|maksymalnie|en fazla|最多|不超过|以内|以下|最大|이하|최대|미만";

const AT_LEAST: &str = "at least|minimum|no less than|not less than|over|above|more than|mindestens|über|mehr als|au moins|plus de|mínimo|al menos|por lo menos|más de|no mínimo|pelo menos|mais de|almeno|più di|minstens|meer dan|не менее|не меньше|минимум|больше|co najmniej|en az|至少|不少于|以上|最小|이상|최소|초과";
