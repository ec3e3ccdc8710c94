//! Input of agents on stdin. No agent sends all fields, each names them differently, and all of it is untrusted.

use std::io::{IsTerminal, Read};

use camino::Utf8PathBuf;
use serde_json::Value;

/// Maximum bytes of input.
const SAID_BYTES: u64 = 1024 * 1024;

/// Parts of the names of tools that take a path and change nothing.
const READERS: [&str; 7] = ["read", "view", "grep", "glob", "list", "search", "fetch"];

#[derive(Debug, Default)]
pub(super) struct HookInput {
    pub(super) session_id: String,
    pub(super) transcript_path: String,
    pub(super) cwd: String,
    pub(super) hook_event_name: String,
    /// Why a session starts: it is new, resumed or cleared, or it was compacted.
    source: String,
    /// Only Cursor sends its version.
    pub(super) is_cursor: bool,
    prompt: Value,
    tool_name: String,
    tool_input: Value,
    tool_response: Value,
    error: Value,
}

impl HookInput {
    /// Reads stdin; input that is cut off or not JSON gives the default.
    pub(super) fn from_stdin() -> Self {
        let stdin = std::io::stdin();
        if stdin.is_terminal() {
            return Self::default();
        }
        let mut text = String::new();
        let _ = stdin.lock().take(SAID_BYTES).read_to_string(&mut text);
        Self::parse(&text)
    }

    fn parse(text: &str) -> Self {
        let said: Value = serde_json::from_str(text).unwrap_or_default();
        let first = |names: &[&str]| {
            let mut values = names.iter().map(|name| &said[*name]);
            values
                .find(|value| !value.is_null())
                .cloned()
                .unwrap_or_default()
        };
        let text = |names: &[&str]| text_of(&first(names)).unwrap_or_default();
        Self {
            session_id: text(&["session_id", "sessionId", "conversation_id"]),
            transcript_path: text(&["transcript_path", "transcriptPath"]),
            cwd: text(&["cwd", "workspace_root"]),
            hook_event_name: text(&["hook_event_name", "hookEventName"]),
            source: text(&["source"]),
            is_cursor: !said["cursor_version"].is_null(),
            prompt: first(&["prompt", "user_prompt", "userPrompt", "message"]),
            tool_name: text(&["tool_name", "toolName"]),
            tool_input: first(&["tool_input", "toolInput", "toolArgs", "tool_args"]),
            tool_response: first(&[
                "tool_response",
                "toolResponse",
                "tool_result",
                "toolResult",
                "tool_output",
            ]),
            error: first(&["error"]),
        }
    }

    /// Returns the person's prompt. Some agents send it as a list of parts.
    pub(super) fn prompt(&self) -> String {
        match &self.prompt {
            Value::Array(parts) => {
                let texts = parts.iter().filter_map(|part| part["text"].as_str());
                texts.collect::<Vec<_>>().join("\n")
            }
            other => text_of(other).unwrap_or_default(),
        }
    }

    /// Returns whether the session starts again after a compaction.
    pub(super) fn is_compacted(&self) -> bool {
        self.source == "compact"
    }

    /// Returns the command of a shell tool.
    pub(super) fn command(&self) -> Option<String> {
        let input = self.input();
        let command = ["command", "cmd", "script"].iter();
        command
            .map(|key| match &input[*key] {
                // Codex sends words: `bash -lc COMMAND`.
                Value::Array(words) => words.last().and_then(text_of),
                other => text_of(other),
            })
            .find_map(|command| command.filter(|command| !command.trim().is_empty()))
    }

    /// Returns the file that is about to be edited; the first one if a patch changes several. Copilot calls the hook
    /// before every tool.
    pub(super) fn file(&self) -> Option<Utf8PathBuf> {
        let tool = self.tool_name.to_ascii_lowercase();
        if READERS.iter().any(|reader| tool.contains(reader)) {
            return None;
        }
        let input = self.input();
        let keys = [
            "file_path",
            "filePath",
            "path",
            "absolute_path",
            "notebook_path",
            "target_file",
            "file",
        ];
        let named = keys.iter().find_map(|key| text_of(&input[*key]));
        let patch = ["patch", "input", "command", "diff"];
        let patched = || {
            let patch = patch.iter().find_map(|key| text_of(&input[*key]));
            patch
                .or_else(|| text_of(&input))
                .and_then(|patch| patched(&patch))
        };
        let file = named.or_else(patched)?;
        (!file.trim().is_empty()).then(|| Utf8PathBuf::from(file))
    }

    /// Returns the output of a command, or the error in its place.
    pub(super) fn output(&self) -> String {
        let error = match &self.error {
            Value::Object(error) => error.get("message").and_then(text_of),
            other => text_of(other),
        };
        let error = error.filter(|error| !error.is_empty());
        error.unwrap_or_else(|| output_of(&self.response()))
    }

    /// Returns whether a command failed, or `None` if the agent only sends its output.
    pub(super) fn has_failed(&self) -> Option<bool> {
        let response = self.response();
        let is_told = |value: &Value| match value {
            Value::String(text) => !text.is_empty(),
            other => other.is_object(),
        };
        let is_flagged = self.hook_event_name.ends_with("Failure")
            || is_told(&self.error)
            || is_told(&response["error"])
            || ["is_error", "isError"]
                .iter()
                .any(|key| response[*key] == Value::Bool(true))
            || response["success"] == Value::Bool(false)
            || response["resultType"] == "failure";
        let status = ["exit_code", "exitCode", "exit_status", "code"];
        let status = status.iter().find_map(|key| response[*key].as_i64());
        match is_flagged {
            true => Some(true),
            false => status.map(|status| status != 0),
        }
    }

    fn response(&self) -> Value {
        json_within(&self.tool_response)
    }

    /// Returns the arguments; Copilot sends them as JSON within a string.
    fn input(&self) -> Value {
        json_within(&self.tool_input)
    }
}

fn json_within(value: &Value) -> Value {
    match value {
        Value::String(text) if text.trim_start().starts_with('{') => {
            serde_json::from_str(text).unwrap_or_else(|_| value.clone())
        }
        other => other.clone(),
    }
}

fn text_of(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// Returns the printed text of a tool's answer, under any of its known keys.
fn output_of(response: &Value) -> String {
    let keys = [
        "stderr",
        "stdout",
        "output",
        "aggregated_output",
        "llmContent",
        "textResultForLlm",
        "content",
        "result",
        "error",
        "message",
    ];
    match response {
        Value::String(text) => text.clone(),
        Value::Array(parts) => match bytes_of(parts) {
            Some(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            None => parts.iter().map(output_of).collect::<Vec<_>>().join("\n"),
        },
        Value::Object(map) => {
            let texts = keys.iter().filter_map(|key| map.get(*key));
            let texts = texts.chain(map.get("text")).map(output_of);
            let texts: Vec<String> = texts.filter(|text| !text.is_empty()).collect();
            texts.join("\n")
        }
        _ => String::new(),
    }
}

/// Returns the bytes of a list of numbers, as which Grok Build sends an output.
fn bytes_of(parts: &[Value]) -> Option<Vec<u8>> {
    let byte = |part: &Value| part.as_u64().and_then(|number| u8::try_from(number).ok());
    let bytes: Option<Vec<u8>> = parts.iter().map(byte).collect();
    bytes.filter(|bytes| !bytes.is_empty())
}

/// Returns the first file that a patch changes, in the format of Codex or git.
fn patched(patch: &str) -> Option<String> {
    let marks = [
        "*** Update File: ",
        "*** Add File: ",
        "*** Delete File: ",
        "+++ b/",
    ];
    patch.lines().find_map(|line| {
        let name = marks.iter().find_map(|mark| line.strip_prefix(mark))?;
        Some(name.trim().to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_agents_words_are_understood() {
        let prompts = [
            (r#"{"prompt":"a b"}"#, "a b"),
            (r#"{"user_prompt":"a"}"#, "a"),
            (r#"{"user_prompt":"a","prompt":"b","userPrompt":"c"}"#, "b"),
            (
                r#"{"prompt":[{"type":"text","text":"a"},{"type":"image"},{"text":"b"}]}"#,
                "a\nb",
            ),
            (r#"{"prompt":7}"#, ""),
            ("[1]", ""),
        ];
        for (said, prompt) in prompts {
            assert_eq!(HookInput::parse(said).prompt(), prompt, "{said}");
        }
        let files = [
            (r#"{"tool_input":{"file_path":"/p/a.rs"}}"#, Some("/p/a.rs")),
            (r#"{"tool_input":{"filePath":"a.rs"}}"#, Some("a.rs")),
            (r#"{"toolArgs":"{\"path\":\"/p/a.rs\"}"}"#, Some("/p/a.rs")),
            (
                r#"{"tool_input":{"command":"*** Begin Patch\n*** Update File: src/a.rs\n@@"}}"#,
                Some("src/a.rs"),
            ),
            (r#"{"tool_input":{"command":"ls"}}"#, None),
            (
                r#"{"toolName":"view","toolArgs":"{\"path\":\"/p/a.rs\"}"}"#,
                None,
            ),
            (r#"{"tool_input":null}"#, None),
        ];
        for (said, file) in files {
            let found = HookInput::parse(said).file();
            assert_eq!(found.as_deref().map(|file| file.as_str()), file, "{said}");
        }
    }

    #[test]
    fn failures_are_told_from_successes() {
        // Columns: what an agent says, whether the command failed, its output.
        let table = [
            (
                r#"{"hook_event_name":"PostToolUseFailure","error":"Exit code 2\nno"}"#,
                Some(true),
                "Exit code 2\nno",
            ),
            (
                r#"{"tool_response":{"exit_code":1,"stderr":"no such file"}}"#,
                Some(true),
                "no such file",
            ),
            (
                r#"{"tool_response":{"exit_code":0,"stdout":"fine"}}"#,
                Some(false),
                "fine",
            ),
            // Codex: the output alone.
            (
                r#"{"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"sh check.sh"},"tool_response":"error: Cannot find module 'rows'\n"}"#,
                None,
                "error: Cannot find module 'rows'\n",
            ),
            // Gemini CLI.
            (
                r#"{"hook_event_name":"AfterTool","tool_response":{"llmContent":"<untrusted_context>\nOutput: x\nExit Code: 3\n</untrusted_context>","returnDisplay":"x"}}"#,
                None,
                "<untrusted_context>\nOutput: x\nExit Code: 3\n</untrusted_context>",
            ),
            // Copilot CLI says success of a command that failed.
            (
                r#"{"toolName":"bash","toolResult":{"resultType":"success","textResultForLlm":"no\n<shellId: 0 completed with exit code 2>"}}"#,
                None,
                "no\n<shellId: 0 completed with exit code 2>",
            ),
            (
                r#"{"toolResult":{"resultType":"failure","textResultForLlm":"no"}}"#,
                Some(true),
                "no",
            ),
            // Grok Build: bytes.
            (
                r#"{"tool_response":{"type":"Bash","output":[110,111,10],"output_for_prompt":"exit: 2\nno\n","exit_code":2,"signal":null}}"#,
                Some(true),
                "no\n",
            ),
            (
                r#"{"tool_response":{"is_error":true,"content":[{"type":"text","text":"no"}]}}"#,
                Some(true),
                "no",
            ),
            ("{}", None, ""),
        ];
        for (said, has_failed, output) in table {
            let said_by = HookInput::parse(said);
            assert_eq!(said_by.has_failed(), has_failed, "{said}");
            assert_eq!(said_by.output(), output, "{said}");
        }
        let commands = [
            (
                r#"{"tool_input":{"command":"cargo test"}}"#,
                Some("cargo test"),
            ),
            (
                r#"{"tool_input":{"command":["bash","-lc","cargo test"]}}"#,
                Some("cargo test"),
            ),
            (r#"{"tool_input":{"file_path":"a"}}"#, None),
        ];
        for (said, expected) in commands {
            assert_eq!(
                HookInput::parse(said).command().as_deref(),
                expected,
                "{said}"
            );
        }
    }
}
