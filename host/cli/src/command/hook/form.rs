//! The output format that each agent expects.

use serde_json::json;

use crate::args::HookCommand;

/// Returns whether an agent shows a hook's message to its person at the start of a session.
pub(super) fn shows_messages(agent: Option<&str>) -> bool {
    matches!(agent, Some("claude" | "codex" | "gemini"))
}

/// Returns whether an agent gets its brief at this moment of a session, the first time that it comes: nobody waits for its
/// hook at the start.
pub(super) fn is_briefed_at(command: &HookCommand, agent: Option<&str>) -> bool {
    match command {
        HookCommand::Prompt(_) => matches!(agent, Some("kimi" | "cline")),
        // It runs this hook after every tool, and shows the model no output of any before.
        HookCommand::Failure(_) => agent == Some("grok"),
        _ => false,
    }
}

/// The frame that an agent expects around a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum HookFormat {
    /// The text itself.
    Text,
    /// An object with `hookSpecificOutput`: Codex refuses keys that it does not know.
    Nested,
    /// An object with the text at the top level for Copilot's command line, and nested for VS Code, which runs
    /// Copilot's hooks.
    Copilot,
    /// An object with the text in Cursor's key; an empty answer is an object, too.
    Cursor,
    /// The text at the start of a session, and an object as for [`HookFormat::Nested`] in the middle of one.
    Claude,
}

impl HookFormat {
    pub(super) fn of(agent: Option<&str>) -> Self {
        match agent {
            Some("claude" | "grok") => HookFormat::Claude,
            Some("codex" | "gemini" | "qwen" | "vscode") => HookFormat::Nested,
            Some("copilot") => HookFormat::Copilot,
            Some("cursor") => HookFormat::Cursor,
            _ => HookFormat::Text,
        }
    }

    /// Formats a brief for the agent; the text is empty if there is nothing to print.
    pub(super) fn of_brief(self, text: &str) -> String {
        match self {
            HookFormat::Text | HookFormat::Claude => text.to_owned(),
            HookFormat::Nested | HookFormat::Copilot if text.is_empty() => String::new(),
            HookFormat::Cursor if text.is_empty() => object(json!({})),
            _ => self.around("SessionStart", text),
        }
    }

    /// Formats a brief, and a message that the person sees and the model does not.
    pub(super) fn of_start(self, text: &str, message: Option<&str>) -> String {
        let Some(message) = message else {
            return self.of_brief(text);
        };
        let mut told = json!({ "systemMessage": message });
        if !text.is_empty() {
            told["hookSpecificOutput"] =
                json!({ "hookEventName": "SessionStart", "additionalContext": text });
        }
        object(told)
    }

    /// Formats a text in the middle of a session. `event` is the agent's own name for the moment, if it gave one.
    pub(super) fn of_moment(self, command: &HookCommand, event: &str, text: &str) -> String {
        let usual = match command {
            HookCommand::Failure(_) => "PostToolUse",
            HookCommand::Edit(_) => "PreToolUse",
            _ => "UserPromptSubmit",
        };
        let is_name = !event.is_empty() && event.bytes().all(|byte| byte.is_ascii_alphanumeric());
        match text.is_empty() {
            true if self == HookFormat::Cursor => object(json!({})),
            true => String::new(),
            false => self.around(if is_name { event } else { usual }, text),
        }
    }

    fn around(self, event: &str, text: &str) -> String {
        let nested = json!({ "hookEventName": event, "additionalContext": text });
        match self {
            HookFormat::Text => text.to_owned(),
            HookFormat::Nested | HookFormat::Claude => {
                object(json!({ "hookSpecificOutput": nested }))
            }
            HookFormat::Copilot => object(json!({
                "additionalContext": text,
                "hookSpecificOutput": nested,
            })),
            HookFormat::Cursor => object(json!({ "additional_context": text })),
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
    fn a_message_is_for_the_person_and_the_brief_for_the_agent() {
        for agent in ["claude", "codex", "gemini"] {
            assert!(shows_messages(Some(agent)));
            let form = HookFormat::of(Some(agent));
            let told: serde_json::Value =
                serde_json::from_str(&form.of_start("a brief", Some("a message"))).unwrap();
            assert_eq!(told["systemMessage"], "a message", "{agent}");
            assert_eq!(told["hookSpecificOutput"]["additionalContext"], "a brief");
            assert_eq!(told["hookSpecificOutput"]["hookEventName"], "SessionStart");
            let alone = form.of_start("", Some("a message"));
            assert_eq!(alone, "{\"systemMessage\":\"a message\"}\n");
            assert_eq!(form.of_start("a brief", None), form.of_brief("a brief"));
        }
        for agent in [None, Some("cursor"), Some("copilot"), Some("opencode")] {
            assert!(!shows_messages(agent), "{agent:?}");
        }
    }

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
            assert_eq!(HookFormat::of(agent).of_brief(text), expected, "{agent:?}");
        }
        let own = || crate::args::HookArguments {
            agent: None,
            rest: Vec::new(),
        };
        let (prompt, failure) = (HookCommand::Prompt(own()), HookCommand::Failure(own()));
        let moments = [
            (None, &prompt, "", "a", "a"),
            (Some("kilo"), &failure, "", "a", "a"),
            (Some("claude"), &prompt, "", "", ""),
            (Some("cursor"), &failure, "", "", "{}\n"),
            (
                Some("claude"),
                &failure,
                "PostToolUseFailure",
                "a",
                "{\"hookSpecificOutput\":{\"hookEventName\":\"PostToolUseFailure\",\"additionalContext\":\"a\"}}\n",
            ),
            (
                Some("codex"),
                &prompt,
                "not a \"name\"",
                "a",
                "{\"hookSpecificOutput\":{\"hookEventName\":\"UserPromptSubmit\",\"additionalContext\":\"a\"}}\n",
            ),
        ];
        for (agent, command, event, text, expected) in moments {
            let told = HookFormat::of(agent).of_moment(command, event, text);
            assert_eq!(told, expected, "{agent:?}");
        }
        for agent in ["codex", "gemini", "qwen", "copilot", "vscode"] {
            let told = HookFormat::of(Some(agent)).of_brief("hello");
            let told: serde_json::Value = serde_json::from_str(&told).unwrap();
            assert_eq!(told["hookSpecificOutput"]["additionalContext"], "hello");
            assert_eq!(told["hookSpecificOutput"]["hookEventName"], "SessionStart");
            let beside = told.get("additionalContext").is_some();
            assert_eq!(beside, agent == "copilot", "{agent}");
        }
    }
}
