//! How each agent wants to be told something at the start of a session.

use serde_json::json;

/// What is printed around a brief.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// The text itself.
    Text,
    /// An object with `hookSpecificOutput` and nothing beside it: Codex refuses any other key.
    Nested,
    /// An object with the text at the top for Copilot's command line, and within for VS Code, which runs
    /// Copilot's hooks.
    Copilot,
    /// An object with the text in Cursor's key; silence is an object, too.
    Cursor,
}

impl Form {
    pub(super) fn of(agent: Option<&str>) -> Self {
        match agent {
            Some("codex" | "gemini" | "qwen" | "vscode") => Form::Nested,
            Some("copilot") => Form::Copilot,
            Some("cursor") => Form::Cursor,
            _ => Form::Text,
        }
    }

    /// A brief as the agent reads it; nothing to tell is an empty one.
    pub(super) fn of_brief(self, text: &str) -> String {
        match self {
            Form::Text => text.to_owned(),
            Form::Nested | Form::Copilot if text.is_empty() => String::new(),
            Form::Cursor if text.is_empty() => object(json!({})),
            Form::Nested => object(json!({ "hookSpecificOutput": nested(text) })),
            Form::Copilot => object(json!({
                "additionalContext": text,
                "hookSpecificOutput": nested(text),
            })),
            Form::Cursor => object(json!({ "additional_context": text })),
        }
    }
}

fn nested(text: &str) -> serde_json::Value {
    json!({ "hookEventName": "SessionStart", "additionalContext": text })
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
            let beside = told.get("additionalContext").is_some();
            assert_eq!(beside, agent == "copilot", "{agent}");
        }
    }
}
