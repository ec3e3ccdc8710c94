//! Recognises a session in which the person asked that it be forgotten: its agent called `session_forget`, and the call succeeded.
//! The call is in the session itself, so that no agent can have another's session forgotten.

use acreta_session_archive::PendingTrace;
use acreta_types::{Event, TraceReader as _};

use crate::error::RunError;

/// The tool of acreta's MCP server.
const TOOL: &str = "session_forget";

/// Bytes of a trace that are read at a time.
const PAGE_BYTES: u32 = 1024 * 1024;

pub(super) fn is_unwanted(trace: &PendingTrace) -> Result<bool, RunError> {
    let mut trace = trace.open()?;
    // Nearly no session names the tool, and looking at events costs much more.
    if !trace.mentions(TOOL)? {
        return Ok(false);
    }
    // The last such call without a result.
    let mut open: Option<String> = None;
    loop {
        let Ok(events) = trace.next(PAGE_BYTES) else {
            return Ok(false);
        };
        if events.is_empty() {
            return Ok(false);
        }
        for event in events {
            let call = event.attrs.get("call_id").unwrap_or_default();
            match event.kind.as_str() {
                "tool-call" if forgets(&event) => open = Some(call.to_owned()),
                // Results of acreta's own tools are injected text.
                "tool-result" | "injected"
                    if event.role == "tool" && open.as_deref() == Some(call) =>
                {
                    if event.attrs.get("is_error") != Some("true") && event.text.contains(CONFIRMED)
                    {
                        return Ok(true);
                    }
                    open = None;
                }
                _ => {}
            }
        }
    }
}

/// Part of the tool's answer; a client that refuses the call answers something else.
pub const CONFIRMED: &str = "will not be kept";

fn forgets(event: &Event) -> bool {
    let tool = event.attrs.get("tool").unwrap_or_default();
    let is_tool = |name: &str| {
        let server = name.strip_suffix(TOOL);
        server.is_some_and(|server| server.is_empty() || server.contains("acreta"))
    };
    if is_tool(tool) {
        return true;
    }
    // A tool that calls others by name.
    let fields = match event.text.contains(TOOL) && event.text.len() < PAGE_BYTES as usize {
        true => serde_json::from_str::<serde_json::Value>(&event.text).ok(),
        false => None,
    };
    let names = ["tool_name", "toolName", "name", "tool"];
    let named = fields
        .iter()
        .flat_map(|fields| names.map(|name| fields.get(name)));
    named
        .flatten()
        .filter_map(|name| name.as_str())
        .any(is_tool)
}

#[cfg(test)]
mod tests {
    use acreta_types::{Attrs, Origin};

    use super::*;

    #[test]
    fn only_the_tool_forgets() {
        let table = [
            ("mcp__acreta__session_forget", "{}", true),
            ("acreta_session_forget", "{}", true),
            ("session_forget", "{}", true),
            (
                "use_mcp_tool",
                r#"{"server_name":"acreta","tool_name":"session_forget"}"#,
                true,
            ),
            ("mcp__other__session_forget", "{}", false),
            ("Bash", r#"{"command":"echo session_forget"}"#, false),
            ("Read", r#"{"file_path":"session_forget"}"#, false),
        ];
        for (tool, text, expected) in table {
            let event = Event {
                id: "e".to_owned(),
                origin: Origin::default(),
                role: "assistant".to_owned(),
                kind: "tool-call".to_owned(),
                at_ms: None,
                text: text.to_owned(),
                attrs: Attrs(vec![("tool".to_owned(), tool.to_owned())]),
            };
            assert_eq!(forgets(&event), expected, "{tool} {text}");
        }
    }
}
