//! Passages that the person announces as somebody else's, or asks about.

use super::lexicon::{REPORTING, has_phrase, starts_with_phrase};
use super::lines::is_bullet;
use crate::grounds::unit::GAP;

/// Cuts text that a line announces as somebody else's, and text above a question about it.
pub(super) fn without_announced(lines: Vec<String>, cut: &mut String) -> Vec<String> {
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
            || !announces(
                &lines[*index],
                &lines[next],
                order == 0,
                rest,
                next - index > 1,
            )
        {
            continue;
        }
        let end = quotation_end(&lines[next..]).map_or(lines.len(), |length| next + length);
        let mut kept = lines;
        for line in kept.splice(index + 1..end, [GAP.to_string()]) {
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
            || is_copied(&text)
            || text.trim_end().ends_with(['?', '？']) && has_phrase(&text, POINTING);
        if (is_apart || above > ABOVE) && asks && text.chars().count() < SHORT_LINE {
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

/// Returns how many lines a quotation takes that opens the first of them, up to the line that its closing mark ends.
fn quotation_end(lines: &[String]) -> Option<usize> {
    let opened = lines.first()?.trim_start().chars().next()?;
    let close = match opened {
        '"' => '"',
        '“' | '„' => '”',
        '«' => '»',
        '「' => '」',
        '『' => '』',
        _ => return None,
    };
    let ends = |line: &String| {
        let line = line.trim();
        line.chars().count() > 1 && line.ends_with(close)
    };
    lines.iter().position(ends).map(|last| last + 1)
}

/// Cuts the text after `the page says:` within a paragraph.
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
                || has_phrase(&head, PROCESSING)
                || starts_with_phrase(&head, WRITING)
                    && !starts_with_phrase(&head, NOTING)
                    && !has_phrase(&head, OWN_LISTS)
                || is_copied(&head);
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

/// Reports whether a line says that the following text was written by somebody else or is to be processed.
fn announces(line: &str, next: &str, is_first: bool, rest: usize, is_apart: bool) -> bool {
    let text = line.trim().to_lowercase();
    if text.chars().count() > SHORT_LINE {
        return false;
    }
    let processes = has_phrase(&text, PROCESSING) || is_copied(&text);
    let ends_open = text.ends_with([':', '：']);
    let points =
        has_phrase(&text, POINTING) || has_phrase(&text, SOURCES) || has_phrase(&text, REPORTING);
    let asks = text.ends_with(['?', '？']) && points;
    let is_own = has_phrase(&text, OWN_LISTS);
    // List items may be the person's own; other lines below an open one are somebody's text.
    let is_list = is_bullet(next.trim());
    ends_open && (processes || !is_own && (points || !is_list || is_apart && rest >= 80))
        || is_first && (processes || asks) && (rest >= 80 || is_apart || rest >= 40)
}

/// Reports whether a line says that a text was copied from a picture or a page, or names a language to translate it
/// into.
fn is_copied(text: &str) -> bool {
    has_phrase(text, COPIED) || has_phrase(text, INTO_LANGUAGE)
}

/// Texts taken from elsewhere.
const COPIED: &str = "screenshot|screenshots|screen shot|screengrab|screencap|ocr|transcript|transcription|transcribed|copied from|copied text|pasted|copy-pasted|typed off|the picture|the image|whiteboard|from the wiki|from the docs|from the readme|from the page|from the site|from slack|\
    bildschirmfoto|abgetippt|abgeschrieben|abschrift|kopiert|vom bild|auf dem bild|folie|aus dem wiki|aus der doku|capture|capture d'écran|retranscri|copié|collé|de l'image|diapo|captura|pantallazo|transcripción|transcrito|copiado|pegado|de la imagen|diapositiva|\
    print da tela|transcrição|colado|da imagem|schermata|trascrizione|copiato|incollato|dall'immagine|schermafbeelding|overgetypt|gekopieerd|скриншот|скриншота|скриншоте|скрин|скрина|скрине|с картинки|распознанный текст|скопировал|скопировано|zrzut ekranu|zrzutu ekranu|przepisane|ekran görüntüsü|\
    截图|截屏|截圖|图片里|图片上|图上|照片|识别出|抄下来|复制的|粘贴|スクショ|スクリーンショット|画面の文字|画像の|書き起こし|文字起こし|写真|コピペ|貼り付け|캡처|캡쳐|스크린샷|화면에|화면 내용|옮겨 적|사진|이미지|복사한|붙여넣";

/// Tasks whose text follows a colon.
const WRITING: &str = "add|write|create|insert|put|print|show|generate|render|füge|schreib|schreibe|erstelle|ergänze|zeige|ajoute|écris|crée|insère|affiche|añade|agrega|escribe|crea|muestra|adiciona|acrescenta|escreve|escreva|cria|crie|mostra|aggiungi|scrivi|mostra|voeg|schrijf|maak|добавь|напиши|создай|вставь|покажи|dodaj|napisz|utwórz|ekle|yaz|oluştur|添加|加一个|写一个|写一条|新建|追加して|書いて|作って|추가해|작성해|써줘|만들어";

/// Orders to remember what follows.
const NOTING: &str = "write down|write this|write that|put down|put this|schreib dir|schreib auf|schreib dir auf|écris-toi|escríbete|escreve aí|scriviti|schrijf op|напиши себе";

/// Languages that a text is to be put into.
const INTO_LANGUAGE: &str = "to english|into english|in english|to german|into german|to spanish|into spanish|to french|into french|to japanese|into japanese|to chinese|into chinese|to portuguese|to italian|to korean|to russian|to polish|to dutch|auf englisch|ins englische|auf deutsch|ins deutsche|auf französisch|ins französische|auf spanisch|ins spanische|\
    en anglais|en allemand|en espagnol|en japonais|al inglés|en inglés|al alemán|al francés|em inglês|para inglês|para o inglês|in inglese|in tedesco|in het engels|naar het engels|на английский|по-английски|на немецкий|на русский|po angielsku|na angielski|ingilizceye|\
    成英文|成英语|成中文|成日语|成日文|用英语怎么说|英語に|英語で|英訳|日本語に|和訳|中国語に|영어로|영문으로|한국어로|일본어로|중국어로";

/// Words that announce a list of the person's own.
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

/// Sources of other people's texts.
const SOURCES: &str = "forum|thread|reddit|tweet|guide|tutorial|handbook|manual|stackoverflow|stack overflow|foro|hilo|guía|lo que pone|lo que dice|was da steht|handbuch|leitfaden|anleitung|ce que dit|guia|fórum|форум|инструкция|论坛|教程|帖子|掲示板|記事|マニュアル|포럼|게시글|가이드|error|errors|log|logs|output|trace|stack trace|readme|doc|docs|documentation|page|site|website|wiki|ticket|issue|email|e-mail|mail|message|slack|comment|comments|article|post|blog|response|reply|answer|got this|\
    received|found|pasted|copied|forwarded|from the|fehler|ausgabe|seite|antwort|nachricht|bekommen|erhalten|gefunden|artikel|erreur|sortie|réponse|reçu|trouvé|salida|respuesta|recibí|llegó|encontré|artículo|erro|saída|resposta|recebi|\
    errore|risposta|ricevuto|ошибка|лог|вывод|ответ|письмо|пришло|статья|błąd|odpowiedź|hata|cevap|报错|日志|输出|文档|网页|邮件|回复|消息|收到|エラー|ログ|出力|ドキュメント|ページ|メール|返信|오류|에러|로그|출력|문서|메일|답장";
