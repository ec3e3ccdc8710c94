//! Messages on the person's line that a program filled in: templates of commands, summaries of earlier sessions.

use super::lexicon::{has_phrase, starts_with_phrase};

/// Whether a program filled the message in from a prompt file.
pub(super) fn is_template(text: &str) -> bool {
    let text = text.trim_start();
    let lower = text[..text.floor_char_boundary(400)].to_lowercase();
    let is_long = text.chars().count() > 80;
    text.starts_with("---\n")
        || text.contains("$ARGUMENTS")
        || text.lines().any(|line| line.starts_with("ARGUMENTS:"))
        || lower.starts_with("base directory for this skill")
        || text.contains("{{")
        || text.starts_with("# ") && text.lines().count() > 2
        || text.lines().any(|line| line.starts_with("# ")) && text.lines().count() > 4
        || is_long && starts_with_phrase(&lower, PERSONAS)
}

/// How prompt files begin.
const PERSONAS: &str = "caveat: the messages below|you are the|you are a|you are an|your task is|your role is|act as|du bist der|du bist die|du bist ein|du bist eine|deine aufgabe|tu es un|tu es une|tu es le|vous êtes|ta tâche|\
    eres un|eres una|eres el|tu tarea|você é um|você é uma|você é o|sua tarefa|sei un|il tuo compito|je bent|ты —|ты - |вы —|твоя задача|jesteś|sen bir|你是一个|你是一名|你是|你的任务|あなたは|当エージェント|당신은|너는";

/// Whether a program filled the message in from what went before.
pub(super) fn is_continuation(text: &str) -> bool {
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
