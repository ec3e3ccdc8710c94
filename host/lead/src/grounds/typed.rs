//! The part of a person's message that they typed. Fences, quotes, logs, templates, announced and
//! pasted passages are cut out; the gate treats them like tool output.

use super::lexicon::{LOG_LEVELS, REPORTING, has_phrase, starts_with_phrase};
use super::stance::{Stance, before_example, clauses, sentences, stance};
use super::terms::{language, plain};

/// A sentence that the person typed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Unit {
    pub(super) text: String,
    pub(super) stance: Stance,
}

#[derive(Debug, Default, Clone)]
pub(super) struct Typed {
    pub(super) units: Vec<Unit>,
    /// All that was cut out.
    pub(super) cut: String,
}

/// How the person writes elsewhere in the session.
#[derive(Debug, Default, Clone)]
pub(super) struct Habits {
    lengths: Vec<usize>,
    languages: Vec<&'static str>,
    lower_case: usize,
}

impl Habits {
    /// Takes note of one more message.
    pub(super) fn add(&mut self, text: &str) {
        let length = text.chars().count();
        self.lengths.push(length);
        if length <= LONG {
            self.languages.extend(language(text));
        }
        let first = text.chars().find(|one| one.is_alphabetic());
        self.lower_case += usize::from(first.is_some_and(char::is_lowercase));
    }

    fn median(&self) -> Option<usize> {
        let mut lengths = self.lengths.clone();
        lengths.sort_unstable();
        lengths.get(lengths.len() / 2).copied()
    }
}

/// Characters from which a passage can be a paste by its form alone.
const LONG: usize = 300;

/// Bytes of a message that are looked at. Nobody types more.
const MOST_BYTES: usize = 64 * 1024;

/// `others`: habits without this message. `after_command`: the message follows a slash command at once.
pub(super) fn typed(text: &str, others: &Habits, after_command: bool) -> Typed {
    let (text, rest) = text.split_at(text.floor_char_boundary(MOST_BYTES));
    let text = plain(text);
    let mut cut = rest.to_owned();
    if after_command || is_template(&text) || is_continuation(&text) {
        cut.push_str(&text);
        return Typed {
            units: Vec::new(),
            cut,
        };
    }
    let text = without_regions(&text, &mut cut);
    let lines = without_lines(&text, &mut cut);
    let lines = without_announced(lines, &mut cut);
    let kept: String = lines
        .iter()
        .map(|line| line.replace(GAP, "") + "\n")
        .collect();
    if is_unlike(&kept, others) {
        cut.push_str(&kept);
        return Typed {
            units: Vec::new(),
            cut,
        };
    }
    let mut units: Vec<Unit> = Vec::new();
    for sentence in sentences(&kept) {
        let stance = match is_quotation(&sentence) {
            true => Stance::NotAsserted,
            false => stance(&sentence),
        };
        if stance == Stance::Retracts {
            for unit in &mut units {
                unit.stance = Stance::NotAsserted;
            }
        }
        let own = without_quoted_orders(before_example(&sentence));
        if stance == Stance::NotAsserted && sentence.chars().count() > RUN_ON {
            units.extend(parts(&own));
        } else {
            units.push(Unit { text: own, stance });
        }
    }
    Typed { units, cut }
}

/// Characters from which a sentence is several that commas separate.
const RUN_ON: usize = 160;

/// Clauses of a long sentence, each with a stance of its own, up to the first that tells what others say.
fn parts(sentence: &str) -> Vec<Unit> {
    let clauses = clauses(sentence).into_iter();
    let own = clauses.take_while(|clause| !has_phrase(&clause.to_lowercase(), REPORTING));
    own.map(|text| {
        let stance = stance(&text);
        Unit { text, stance }
    })
    .collect()
}

/// Stands where something was cut out.
const GAP: char = '\u{0}';

/// Cuts comments, tagged regions and fenced blocks.
fn without_regions(text: &str, cut: &mut String) -> String {
    let text = without_between(text, "<!--", "-->", cut);
    let text = without_tags(&text, cut);
    let mut kept = String::new();
    let mut fence: Option<String> = None;
    for line in text.lines() {
        let marks = line.trim_start();
        let is_mark = marks.starts_with("```") || marks.starts_with("~~~");
        match &fence {
            None if is_mark && marks.matches("```").count() != 2 => {
                fence = Some(marks[..3].to_owned());
                kept.push(GAP);
                kept.push('\n');
            }
            None => {
                kept.push_str(line);
                kept.push('\n');
            }
            Some(open) => {
                if marks.starts_with(open.as_str()) {
                    fence = None;
                } else {
                    cut.push_str(line);
                    cut.push('\n');
                }
            }
        }
    }
    without_between(&kept, "```", "```", cut)
}

fn without_between(text: &str, open: &str, close: &str, cut: &mut String) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find(open) {
        kept.push_str(&rest[..start]);
        kept.push(GAP);
        let inner = &rest[start + open.len()..];
        let (inside, after) = match inner.find(close) {
            Some(end) => (&inner[..end], &inner[end + close.len()..]),
            None => (inner, ""),
        };
        cut.push_str(inside);
        cut.push('\n');
        rest = after;
    }
    kept.push_str(rest);
    kept
}

/// Cuts every region between a tag and its end tag, and what follows an unclosed tag of an agent program.
fn without_tags(text: &str, cut: &mut String) -> String {
    let mut kept = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        let inner = &rest[start + 1..];
        let length = inner
            .find(|one: char| !one.is_ascii_alphanumeric() && one != '-' && one != '_')
            .unwrap_or(inner.len());
        let name = &inner[..length];
        let close = format!("</{name}>");
        let is_tag = name.starts_with(|one: char| one.is_ascii_alphabetic());
        let end = is_tag.then(|| inner.find(&close)).flatten();
        kept.push_str(&rest[..start]);
        match end {
            Some(end) => {
                kept.push(GAP);
                cut.push_str(inner.get(length..end).unwrap_or_default());
                cut.push('\n');
                rest = &inner[end + close.len()..];
            }
            None if is_tag && PROGRAM_TAGS.split('|').any(|tag| name.starts_with(tag)) => {
                cut.push_str(inner);
                rest = "";
            }
            None => {
                kept.push('<');
                rest = inner;
            }
        }
    }
    kept.push_str(rest);
    kept
}

const PROGRAM_TAGS: &str = "system-|command-|local-command|user-prompt|task-notification|environment_|user_instructions|INSTRUCTIONS|bash-";

/// Cuts quoted, tabular, indented and log-like lines, and the output after a prompt.
fn without_lines(text: &str, cut: &mut String) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    let mut in_output = false;
    let mut in_mail = false;
    for line in text.lines() {
        let trimmed = line.trim();
        if trimmed.is_empty() {
            in_output = false;
        }
        in_mail |= is_header(trimmed);
        let is_code = (line.starts_with("    ") || line.starts_with('\t')) && !is_bullet(trimmed);
        let is_quote = trimmed.starts_with(['>', '|']);
        in_output |= is_log(trimmed);
        if !trimmed.is_empty() && (in_mail || in_output || is_code || is_quote || is_chat(trimmed))
        {
            cut.push_str(line);
            cut.push('\n');
            kept.push(GAP.to_string());
        } else {
            kept.push(line.to_owned());
        }
    }
    kept
}

fn is_bullet(line: &str) -> bool {
    let mark = line.starts_with(['-', '*', '•', '·', '–', '✅', '❌'])
        && line[line.chars().next().map_or(0, char::len_utf8)..].starts_with(' ');
    let digits = line.chars().take_while(char::is_ascii_digit).count();
    mark || digits > 0 && digits < 3 && line[digits..].starts_with(['.', ')'])
}

/// The first line of a mail or letter.
fn is_header(line: &str) -> bool {
    const HEADERS: &str = "from|to|cc|subject|date|re|fwd|betreff|von|an|asunto|objet|assunto|oggetto|onderwerp|тема|от|发件人|收件人|主题|件名|差出人|제목|보낸 사람";
    let Some((head, rest)) = line.split_once([':', '：']) else {
        return false;
    };
    let head = head.trim().trim_matches('*').to_lowercase();
    // `re:` and `an:` are rare in prose at the start of a line; a header goes on after the colon.
    HEADERS.split('|').any(|known| known == head)
        && !rest.trim().is_empty()
        && line.chars().next().is_some_and(|one| !one.is_lowercase())
}

/// `[10:32] anna: …`, `anna (10:32): …`, `<anna> …`.
fn is_chat(line: &str) -> bool {
    let Some((head, _)) = line.split_once(": ") else {
        return line.starts_with('<') && line.find('>').is_some_and(|end| end < 24 && end > 1);
    };
    head.chars().count() < 40 && has_clock(head)
}

fn has_clock(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(4).any(|four| {
        four[0].is_ascii_digit()
            && four[1] == b':'
            && four[2].is_ascii_digit()
            && four[3].is_ascii_digit()
    })
}

/// `10:22:01`.
fn has_seconds(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.windows(8).any(|eight| {
        eight.iter().enumerate().all(|(index, byte)| match index {
            2 | 5 => *byte == b':',
            _ => byte.is_ascii_digit(),
        })
    })
}

/// Whether a program printed the line.
fn is_log(line: &str) -> bool {
    let first = line.split_whitespace().next().unwrap_or_default();
    let lower = line.to_lowercase();
    let starts = |marks: &[&str]| marks.iter().any(|mark| line.starts_with(mark));
    let is_date = |text: &str| {
        let digits = text.chars().filter(char::is_ascii_digit).count();
        digits >= 6
            && text
                .chars()
                .all(|one| one.is_ascii_digit() || "-/:.,TZ[]+".contains(one))
            && text.contains([':', '-', '/'])
    };
    let has_level = line.split_whitespace().take(4).any(|word| {
        let level = word.trim_matches(|edge: char| !edge.is_alphanumeric());
        level.len() < word.len()
            && word.ends_with([':', ']', '|'])
            && LOG_LEVELS.split(' ').any(|known| known == level)
    });
    let is_numbered = {
        let digits = line.chars().take_while(char::is_ascii_digit).count();
        digits > 0 && line[digits..].starts_with(['→', '\t', '|'])
            || digits > 0
                && line[digits..].starts_with(':')
                && line[digits + 1..]
                    .starts_with(|one: char| one.is_ascii_digit() || one == '\t' || one == ' ')
    };
    is_date(first)
        || line.starts_with('[')
            && line
                .find(']')
                .is_some_and(|end| line[..end].chars().any(|one| one.is_ascii_digit()))
        || has_level
        || has_seconds(acreta_text::head(line, 32))
        || is_numbered
        || starts(&[
            "$ ",
            "% ",
            ">>> ",
            "PS ",
            "C:\\",
            "+++ ",
            "--- a/",
            "@@ ",
            "diff --git",
            "at ",
            "Traceback",
            "File \"",
            "Caused by",
            "panicked at",
            "thread '",
            "error[",
            "npm ERR!",
            "remote: ",
            "fatal: ",
            "make: ",
            "make[",
            "goroutine ",
            "Exception in",
            "E   ",
            "✖ ",
            "FAILED ",
        ]) && (!line.starts_with("at ") || line.contains('(') || line.contains("::"))
        || ["warning: ", "error: ", "debug: ", "fatal: "]
            .iter()
            .any(|mark| lower.starts_with(mark))
        || is_exception(first)
        || is_place(first)
        || is_shell_prompt(line)
        || is_data(line)
}

/// `ConnError:`, `java.lang.IllegalStateException:`.
fn is_exception(word: &str) -> bool {
    let name = word.trim_end_matches(':');
    name.len() < word.len()
        && (name.ends_with("Error") || name.ends_with("Exception") || name.ends_with("Warning"))
}

/// `core/net.cpp:210:5:`.
fn is_place(word: &str) -> bool {
    let mut parts = word.split(':');
    parts.next().is_some_and(|path| path.contains('.'))
        && parts
            .next()
            .is_some_and(|line| !line.is_empty() && line.chars().all(|one| one.is_ascii_digit()))
}

fn is_shell_prompt(line: &str) -> bool {
    let head = line.split_once("$ ").map_or("", |(head, _)| head);
    head.contains('@') && head.contains(':') && !head.contains(' ')
}

/// A line of JSON or of braces alone.
fn is_data(line: &str) -> bool {
    line.starts_with('"') && line.contains("\":")
        || line.starts_with(['{', '}', '[', ']']) && line.ends_with(['{', '}', '[', ']', ','])
}

/// Cuts what a line announces as somebody else's, and what stands above a question about it.
fn without_announced(lines: Vec<String>, cut: &mut String) -> Vec<String> {
    let lines = without_inline(lines, cut);
    let is_gap = |line: &str| line.contains(GAP);
    let filled: Vec<usize> = (0..lines.len())
        .filter(|index| !lines[*index].trim().is_empty())
        .collect();
    for (order, index) in filled.iter().enumerate() {
        let next = filled.get(order + 1).copied();
        let rest: usize = lines[index + 1..]
            .iter()
            .map(|line| line.trim().chars().count())
            .sum();
        let Some(next) = next else { break };
        if is_gap(&lines[*index])
            || is_gap(&lines[next])
            || !announces(&lines[*index], order == 0, rest, next - index > 1)
        {
            continue;
        }
        let mut kept = lines;
        for line in kept.drain(index + 1..) {
            cut.push_str(&line);
            cut.push('\n');
        }
        return kept;
    }
    // A long passage, a blank line, and a question about it.
    if let Some(last) = filled.last().copied() {
        let above: usize = lines[..last]
            .iter()
            .map(|line| line.trim().chars().count())
            .sum();
        let is_apart = last > 0 && lines[last - 1].trim().is_empty();
        let text = lines[last].to_lowercase();
        let asks = has_phrase(&text, PROCESSING)
            || text.trim_end().ends_with(['?', '？']) && has_phrase(&text, POINTING);
        if is_apart && above > ABOVE && asks && text.chars().count() < SHORT_LINE {
            let mut kept = lines;
            for line in kept.drain(..last) {
                cut.push_str(&line);
                cut.push('\n');
            }
            return kept;
        }
    }
    lines
}

/// Cuts what follows `the page says:` within a paragraph.
fn without_inline(lines: Vec<String>, cut: &mut String) -> Vec<String> {
    let mut kept = Vec::new();
    let mut in_report = false;
    for line in lines {
        if line.trim().is_empty() || line.contains(GAP) {
            in_report = false;
        }
        if in_report {
            cut.push_str(&line);
            cut.push('\n');
            continue;
        }
        let colon = line.find([':', '：']).filter(|place| {
            let (head, rest) = line.split_at(*place);
            let rest = rest.trim_start_matches([':', '：']);
            let is_open = rest.starts_with(char::is_whitespace) || line[*place..].starts_with('：');
            let head = head.to_lowercase();
            let quotes = has_phrase(&head, REPORTING)
                || has_phrase(&format!("{head}:"), REPORTING)
                || has_phrase(&head, PROCESSING);
            is_open && !rest.trim().is_empty() && head.chars().count() < SHORT_LINE && quotes
        });
        match colon {
            Some(place) => {
                cut.push_str(&line[place..]);
                cut.push('\n');
                kept.push(line[..place].to_owned());
                in_report = true;
            }
            None => kept.push(line),
        }
    }
    kept
}

const ABOVE: usize = 100;
const SHORT_LINE: usize = 120;

/// Whether a line says that what follows was written by somebody else or is to be worked on.
fn announces(line: &str, is_first: bool, rest: usize, is_apart: bool) -> bool {
    let text = line.trim().to_lowercase();
    if text.chars().count() > SHORT_LINE {
        return false;
    }
    let processes = has_phrase(&text, PROCESSING);
    let ends_open = text.ends_with([':', '：']);
    let points =
        has_phrase(&text, POINTING) || has_phrase(&text, SOURCES) || has_phrase(&text, REPORTING);
    let asks = text.ends_with(['?', '？']) && points;
    let is_own = has_phrase(&text, OWN_LISTS);
    ends_open && (processes || points) && !is_own
        || is_first && (processes || asks) && (rest >= 80 || is_apart && rest >= 40)
}

/// What announces a list of the person's own.
const OWN_LISTS: &str = "rule|rules|convention|conventions|guidelines|please|remember|always|never|from now on|i want|we want|we agreed|we decided|decided|regel|regeln|konventionen|bitte|merk dir|ab jetzt|wir haben entschieden|\
    règle|règles|conventions|retiens|désormais|on a décidé|regla|reglas|convenciones|recuerda|a partir de ahora|decidimos|regra|regras|convenções|lembra|a partir de agora|regola|regole|regels|afspraken|\
    правила|запомни|договорились|решили|zasady|kurallar|规则|約定|约定|规范|记住|以后|决定|ルール|規約|今後|覚えて|決まり|규칙|앞으로|기억";

/// Work on a text.
const PROCESSING: &str = "summarize|summarise|summary|translate|translation|explain this|explain that|explain the|what does this|what does that|what is this|what's this|what does it|mean|proofread|rephrase|tl;dr|tldr|\
    thoughts|what do you think|opinion|review this|fass|zusammenfassen|zusammenfassung|übersetz|übersetze|erklär mir|erkläre|was heißt|was bedeutet|was hältst|\
    traduis|traduire|résume|résumer|explique|que veut dire|qu'en penses|t'en penses|tu en penses|traduce|traducir|resume|resumir|explica|qué significa|que significa|qué opinas|qué te parece|\
    traduz|traduza|resuma|resumo|o que significa|o que acha|traduci|riassumi|spiega|cosa significa|che ne pensi|vertaal|samenvatten|vat samen|wat betekent|\
    переведи|перевод|перескажи|кратко|объясни|что значит|что думаешь|przetłumacz|streść|wyjaśnij|çevir|özetle|ne demek|\
    翻译|翻譯|总结|總結|概括|解释|解釋|什么意思|怎么看|要約|まとめて|訳して|翻訳|説明して|どういう意味|どう思|번역|요약|설명|무슨 뜻|어떻게 생각";

/// Words that point at a text.
const POINTING: &str = "this|that|these|above|below|following|here|dies|das|diese|dieses|hier|folgende|folgendes|unten|oben|ceci|ça|cela|ci-dessous|voici|esto|eso|este|aquí|abajo|isso|isto|esse|aqui|abaixo|\
    questo|qui|sotto|dit|hieronder|это|вот|ниже|этот|to|poniżej|bu|şu|aşağıda|这|這|那|以下|如下|下面|これ|この|以下|下記|이거|이것|이 |아래|다음";

/// Where texts of others come from.
const SOURCES: &str = "error|errors|log|logs|output|trace|stack trace|readme|doc|docs|documentation|page|site|website|wiki|ticket|issue|email|e-mail|mail|message|slack|comment|comments|article|post|blog|response|reply|answer|got this|\
    received|found|pasted|copied|forwarded|from the|fehler|ausgabe|seite|antwort|nachricht|bekommen|erhalten|gefunden|artikel|erreur|sortie|réponse|reçu|trouvé|salida|respuesta|recibí|llegó|encontré|artículo|erro|saída|resposta|recebi|\
    errore|risposta|ricevuto|ошибка|лог|вывод|ответ|письмо|пришло|статья|błąd|odpowiedź|hata|cevap|报错|日志|输出|文档|网页|邮件|回复|消息|收到|エラー|ログ|出力|ドキュメント|ページ|メール|返信|오류|에러|로그|출력|문서|메일|답장";

/// Whether a long text has the form of a document and not that of the person's typing.
fn is_unlike(text: &str, others: &Habits) -> bool {
    let length = text.trim().chars().count();
    let unspaced = text
        .chars()
        .filter(|one| acreta_text::is_unspaced(*one))
        .count();
    let long = if unspaced * 2 > length {
        LONG / 2
    } else {
        LONG
    };
    if length < long {
        return false;
    }
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| !line.is_empty())
        .collect();
    let is_heading = |line: &&&str| {
        line.starts_with('#')
            || line.starts_with("**")
            || line.chars().count() < 60 && line.ends_with([':', '：'])
            || line.chars().count() < 40
                && !line.ends_with(['.', '!', '?', '。', ',', '，', ';'])
                && line.chars().next().is_some_and(char::is_uppercase)
                && lines.len() > 4
    };
    let headings = lines.iter().filter(is_heading).count();
    let bullets = lines.iter().filter(|line| is_bullet(line)).count();
    let typography = text.contains(['—', '“', '”', '•', '·', '…', '™', '✅', '→', '\u{2022}']);
    let proper = sentences(text).iter().all(|sentence| {
        let start = sentence.trim_start_matches(|edge: char| !edge.is_alphanumeric());
        start.chars().next().is_some_and(|one| !one.is_lowercase())
    });
    let others_lower = !others.lengths.is_empty() && others.lower_case * 2 > others.lengths.len();
    let other_language = language(text)
        .is_some_and(|own| !others.languages.is_empty() && !others.languages.contains(&own));
    let longer = others
        .median()
        .is_some_and(|median| length > 6 * median.max(20));
    let signs = [
        headings >= 2,
        bullets >= 3,
        typography,
        proper && others_lower,
        longer,
    ];
    let count = signs.iter().filter(|sign| **sign).count() + 2 * usize::from(other_language);
    count >= 3 || longer && count >= 2
}

/// A sentence without orders that stand in quotation marks.
fn without_quoted_orders(sentence: &str) -> String {
    let mut kept = sentence.to_owned();
    for (open, close) in [
        ("\"", "\""),
        ("“", "”"),
        ("„", "“"),
        ("«", "»"),
        ("「", "」"),
        ("'", "'"),
    ] {
        let Some(start) = kept.find(open) else {
            continue;
        };
        let inner = start + open.len();
        let Some(end) = kept[inner..].find(close).map(|end| inner + end) else {
            continue;
        };
        let quoted = kept[inner..end].to_lowercase();
        let is_long = quoted.split_whitespace().count() > 2
            || quoted
                .chars()
                .filter(|one| acreta_text::is_unspaced(*one))
                .count()
                > 5;
        if is_long && has_phrase(&quoted, super::ORDERING) {
            kept.replace_range(start..end + close.len(), " ");
        }
    }
    kept
}

/// Whether a sentence is a quotation and hardly anything else.
fn is_quotation(sentence: &str) -> bool {
    let mut inside = 0;
    let mut all = 0;
    let mut close: Option<char> = None;
    for character in sentence.chars() {
        match close {
            Some(end) if character == end => close = None,
            Some(_) => inside += usize::from(character.is_alphanumeric()),
            None => {
                close = match character {
                    '"' => Some('"'),
                    '“' | '„' => Some('”'),
                    '«' => Some('»'),
                    '「' => Some('」'),
                    '『' => Some('』'),
                    _ => None,
                };
            }
        }
        all += usize::from(character.is_alphanumeric());
    }
    inside >= 12 && inside * 10 >= all * 6 || inside >= 6 && inside == all
}

/// Whether a program filled the message in from a prompt file.
fn is_template(text: &str) -> bool {
    let text = text.trim_start();
    let lower = text[..text.floor_char_boundary(400)].to_lowercase();
    let is_long = text.chars().count() > 80;
    text.starts_with("---\n")
        || text.contains("$ARGUMENTS")
        || text.contains("{{")
        || text.starts_with("# ") && text.lines().count() > 2
        || is_long && starts_with_phrase(&lower, PERSONAS)
}

/// How prompt files begin.
const PERSONAS: &str = "caveat: the messages below|you are the|you are a|you are an|your task is|your role is|act as|du bist der|du bist die|du bist ein|du bist eine|deine aufgabe|tu es un|tu es une|tu es le|vous êtes|ta tâche|\
    eres un|eres una|eres el|tu tarea|você é um|você é uma|você é o|sua tarefa|sei un|il tuo compito|je bent|ты —|ты - |вы —|твоя задача|jesteś|sen bir|你是一个|你是一名|你是|你的任务|あなたは|当エージェント|당신은|너는";

/// Whether a program filled the message in from what went before.
fn is_continuation(text: &str) -> bool {
    let lower = text.to_lowercase();
    let lines = text.lines().filter(|line| !line.trim().is_empty()).count();
    let lists_user = || {
        lower.lines().any(|line| {
            let Some((head, _)) = line.split_once([':', '：']) else {
                return false;
            };
            head.chars().count() < 60 && has_phrase(head, THE_USER)
        })
    };
    let start = acreta_text::head(&lower, 600);
    let has = |marks: &str| marks.split('|').any(|mark| start.contains(mark));
    let continues = has(TALKS) && has(EARLIER) && has(CONTINUED);
    continues && (lines >= 2 || text.chars().count() > 120) || lines >= 3 && lists_user()
}

const THE_USER: &str = "the user|user's|user messages|user said|user preferences|user instructions|user requests|l'utilisateur|de l'utilisateur|utilisateur|nutzer|nutzers|benutzer|benutzers|usuario|usuário|utente|gebruiker|\
    пользователя|пользователь|użytkownika|kullanıcı|用户|用戶|ユーザー|利用者|사용자";

const TALKS: &str = "session|conversation|chat|sitzung|gespräch|unterhaltung|sesión|conversación|conversa|sessão|conversazione|sessione|gesprek|разговор|бесед|сесси|диалог|rozmow|sesj|konuşma|oturum|会话|对话|對話|会話|セッション|대화|세션";
const EARLIER: &str = "previous|earlier|prior|vorherig|früher|vorig|bisherig|précédent|antérieur|anterior|previa|prévia|precedent|предыдущ|прошл|ранее|poprzedni|önceki|之前|先前|上次|上一|此前|前の|以前|前回|これまで|이전|지난|앞선";
const CONTINUED: &str = "context|summary|summari|compact|continue|kontext|zusammenfassung|fortgesetzt|fortsetz|setzt|contexte|résumé|reprend|reprise|contexto|resumen|resumo|continúa|continua|continuación|retoma|contesto|riassunto|контекст|сводк|резюме|итог|продолж|содержание|kontekst|podsumowanie|özet|bağlam|上下文|摘要|总结|总結|接续|接續|继续|要約|コンテキスト|続き|続け|引き継|요약|컨텍스트|이어|문맥|맥락";

/// Whether a message is a slash command as a program writes it down; the next message is its template.
pub(super) fn is_command(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("<command-name>") || text.starts_with("<command-message>")
}
