//! Messages in the person's role that a program filled in: templates of commands, summaries of earlier sessions.

use super::lexicon::{has_phrase, starts_with_phrase};
use crate::grounds::unit::GAP;

/// Reports whether a program filled in the message from a prompt file.
pub(super) fn is_template(text: &str) -> bool {
    let text = text.trim_start();
    let lower = text[..text.floor_char_boundary(400)].to_lowercase();
    let is_long = text.chars().count() > 80;
    text.starts_with("---\n")
        || text.contains("<command-name>")
        || text.contains("<command-message>")
        || text.contains("<local-command-")
        || text.contains("$ARGUMENTS")
        || text.lines().any(|line| line.starts_with("ARGUMENTS:"))
        || lower.starts_with("base directory for this skill")
        || text.contains("{{")
        || text.starts_with("# ") && text.lines().count() > 2
        || text.lines().any(|line| line.starts_with("# ")) && text.lines().count() > 4
        || is_long && starts_with_phrase(&lower, PERSONAS)
}

/// Beginnings of prompt files.
const PERSONAS: &str = "caveat: the messages below|you are the|you are a|you are an|your task is|your role is|act as|du bist der|du bist die|du bist ein|du bist eine|deine aufgabe|tu es un|tu es une|tu es le|vous êtes|ta tâche|\
    eres un|eres una|eres el|tu tarea|você é um|você é uma|você é o|sua tarefa|sei un|il tuo compito|je bent|ты —|ты - |вы —|твоя задача|jesteś|sen bir|你是一个|你是一名|你是|你的任务|あなたは|当エージェント|당신은|너는";

/// Reports whether a program filled in the message from an earlier session.
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

/// Reports whether a message is a slash command as a program records it; the next message is its template.
pub(super) fn is_command(text: &str) -> bool {
    let text = text.trim_start();
    text.starts_with("<command-name>") || text.starts_with("<command-message>")
}

/// Cuts everything from the first paragraph that a program labels as its own.
pub(super) fn without_program_text(lines: Vec<String>, cut: &mut String) -> Vec<String> {
    let Some(start) = lines.iter().position(|line| is_program_label(line.trim())) else {
        return lines;
    };
    let mut kept = lines;
    for line in kept.drain(start..) {
        cut.push_str(&line.replace(GAP, ""));
        cut.push('\n');
    }
    kept
}

/// Reports whether a line is like `[hook] …`, `System reminder: …`, `Note to the assistant: …`, `PostToolUse …: …`.
fn is_program_label(line: &str) -> bool {
    let inside = line
        .strip_prefix(['[', '【', '('])
        .and_then(|rest| rest.split_once([']', '】', ')']));
    if let Some((inside, after)) = inside {
        let letters = inside.chars().filter(|one| one.is_alphabetic()).count();
        let lower = inside.to_lowercase();
        let is_named = !line.starts_with('(') || PROGRAMS.split('|').any(|mark| lower == mark);
        return letters >= 2 && is_named && !after.starts_with('(');
    }
    let Some((label, _)) = line.split_once([':', '：']) else {
        return false;
    };
    if label.chars().count() > 60 {
        return false;
    }
    let lower = label.to_lowercase();
    let has = |marks: &str| marks.split('|').any(|mark| lower.contains(mark));
    let is_event = label
        .split(|one: char| !one.is_ascii_alphanumeric())
        .any(|word| EVENTS.split('|').any(|known| known == word));
    is_event
        || has(PROGRAMS) && has(NOTICES)
        || PROGRAMS.split('|').any(|mark| lower.trim() == mark)
        || starts_with_phrase(
            &lower,
            "caveat|skill|plugin|subagent|slash command|habilidad|compétence|スキル|技能|스킬",
        )
}

/// Events at which agents run hooks.
const EVENTS: &str = "UserPromptSubmit|PreToolUse|PostToolUse|SessionStart|SessionEnd|SubagentStop|PreCompact|Notification";

/// Word parts that name a program as opposed to the person.
const PROGRAMS: &str = "사용자|用户|ユーザー|hook|system|système|sistem|систем|хук|skill|plugin|плагин|assistant|assistent|asistente|assistente|ассистент|agent|агент|copilot|claude|codex|harness|command|befehl|commande|comando|команд|\
    gancho|template|vorlage|modèle de prompt|plantilla|automat|автомат|フック|システム|スキル|プラグイン|エージェント|アシスタント|コマンド|自動|系统|系統|钩子|鉤子|技能|插件|助手|代理|命令|自动|훅|시스템|스킬|플러그인|에이전트|어시스턴트|명령|자동|bot|ki-";

/// Word parts that name a notice.
const NOTICES: &str = "승인|同意|授权|承認|许可|許可|approved|remind|note|notice|message|hint|feedback|output|instruction|context|report|said|says|info|warning|prompt|erinnerung|hinweis|meldung|nachricht|ausgabe|anweisung|kontext|rückmeldung|meldet|rappel|avis|sortie|consigne|contexte|retour|\
    recordatorio|aviso|mensaje|salida|nota|instruc|contexto|lembrete|mensagem|saída|promemoria|avviso|messaggio|istruzion|uscita|herinnering|melding|bericht|uitvoer|напомин|сообщ|вывод|заметк|инструкц|контекст|уведомл|\
    przypomnienie|komunikat|hatırlatma|bildirim|提醒|提示|消息|输出|輸出|通知|说明|指令|反馈|上下文|リマインダ|出力|メッセージ|注意|お知らせ|指示|알림|메시지|출력|안내|지시|지침|리마인더|피드백";
