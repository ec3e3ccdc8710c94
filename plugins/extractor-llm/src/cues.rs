//! Words that distinguish a statement of cause or decision from narration. They only affect how much of the agent's
//! text between two tool calls is shown, so a missed word costs only a few words of context.

/// Reports whether a text between tool calls states a cause, a finding or a choice.
pub(crate) fn concludes(text: &str) -> bool {
    if text.len() < LEAST {
        return false;
    }
    let text = text.to_lowercase();
    MARKS.iter().any(|mark| text.contains(mark))
}

const LEAST: usize = 60;

const MARKS: &[&str] = &[
    "root cause",
    "because",
    "turns out",
    "the problem",
    "the issue",
    "the reason",
    "the culprit",
    "the bug",
    "found it",
    "found the",
    "i found",
    "actually",
    "decid",
    "instead of",
    "workaround",
    "work around",
    "doesn't support",
    "does not support",
    "not supported",
    "must ",
    "only works",
    "explains",
    "that's why",
    "which means",
    "the fix",
    "key insight",
    "important",
    "limitation",
    "incompatib",
    "you're right",
    "you are right",
    "absolutely right",
    "good point",
    "good catch",
    "my mistake",
    "requires",
    "needs to",
    "won't work",
    "can't ",
    "cannot ",
    "fails",
    "原因",
    "问题",
    "因为",
    "决定",
    "必须",
    "不支持",
    "причин",
    "потому",
    "решен",
    "проблем",
    "нельзя",
    "원인",
    "때문",
    "문제",
    "결정",
    "ため",
    "問題",
    "決定",
    "ursache",
    "weil ",
    "entschied",
    "porque",
    "causa",
    "problema",
    "parce que",
    "cause ",
    "problème",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn causes_are_told_from_narration() {
        for (text, expected) in [
            (
                "Now let me look at the next file and see what is in there, then go on.",
                false,
            ),
            (
                "It fails only in CI, and the root cause is that both jobs write the same cache.",
                true,
            ),
            (
                "原因是两个任务同时写入同一个缓存文件，所以只有在持续集成里才会出错。",
                true,
            ),
            ("because", false),
        ] {
            assert_eq!(concludes(text), expected, "{text}");
        }
    }
}
