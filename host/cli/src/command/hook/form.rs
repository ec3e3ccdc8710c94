//! How each agent wants to be told something at the start of a session.

use serde_json::json;

/// What is printed around a brief.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The text itself.
    Text,
    /// An object with the text in it.
    Object,
    /// The same, where silence is an object, too.
    Cursor,
}

impl Form {
    pub(super) fn of(agent: Option<&str>) -> Self {
        match agent {
            Some("codex" | "gemini" | "qwen" | "copilot" | "vscode") => Form::Object,
            Some("cursor") => Form::Cursor,
            _ => Form::Text,
        }
    }

    /// A brief as the agent reads it; nothing to tell is an empty one.
    pub(super) fn of_brief(self, text: &str) -> String {
        match self {
            Form::Text => text.to_owned(),
            Form::Object if text.is_empty() => String::new(),
            Form::Cursor if text.is_empty() => object(json!({})),
            // Copilot's command line reads the key at the top, the others the one within.
            Form::Object => object(json!({
                "additionalContext": text,
                "hookSpecificOutput": {
                    "hookEventName": "SessionStart",
                    "additionalContext": text,
                },
            })),
            Form::Cursor => object(json!({ "additional_context": text })),
        }
    }
}

fn object(value: serde_json::Value) -> String {
    format!("{value}\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_agent_is_told_in_its_own_form() {
        let table = [
            (None, "hello", "hello"),
            (Some("claude"), "hello", "hello"),
            (Some("opencode"), "", ""),
            (Some("gemini"), "", ""),
            (Some("cursor"), "", "{}\n"),
            (
                Some("cursor"),
                "a \"b\"",
                "{\"additional_context\":\"a \\\"b\\\"\"}\n",
            ),
        ];
        for (agent, text, expected) in table {
            assert_eq!(Form::of(agent).of_brief(text), expected, "{agent:?}");
        }
        for agent in ["codex", "gemini", "qwen", "copilot", "vscode"] {
            let told = Form::of(Some(agent)).of_brief("hello");
            let told: serde_json::Value = serde_json::from_str(&told).unwrap();
            assert_eq!(told["hookSpecificOutput"]["additionalContext"], "hello");
            assert_eq!(told["hookSpecificOutput"]["hookEventName"], "SessionStart");
        }
    }
}
