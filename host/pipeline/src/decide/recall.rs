//! Turns in which an agent only read acreta's memory. Their text is about memory or comes from it: learning from it
//! would turn memory into evidence of itself.

use std::collections::HashSet;

use acreta_text::words;
use acreta_types::{Candidate, Event};
use serde_json::Value;

use crate::attribution;
use crate::decide::accepted::ResolvedCitation;

/// The read-only tools of acreta.
const READING_TOOLS: [&str; 8] = [
    "memory_search",
    "memory_get",
    "memory_feedback",
    "context_explore",
    "context_delta",
    "session_search",
    "session_read",
    "ask",
];

/// Commands that only filter the output of another.
const FILTERS: [&str; 9] = [
    "cd", "cat", "echo", "grep", "head", "jq", "sort", "tail", "wc",
];

/// Words that refer to memory.
const MEMORY_WORDS: [&str; 6] = [
    "acreta",
    "memory",
    "memories",
    "remember",
    "recall",
    "recollect",
];

/// Collects the cited events of such turns, by id. Consumes a trace event by event.
#[derive(Debug, Default)]
pub(crate) struct Recalls {
    cited: HashSet<String>,
    recalled: HashSet<String>,
    turn: RecallTurn,
}

impl Recalls {
    pub(crate) fn new(candidates: &[Candidate]) -> Self {
        let evidence = candidates.iter().flat_map(|candidate| &candidate.evidence);
        Self {
            cited: evidence.map(|evidence| evidence.event_id.clone()).collect(),
            ..Self::default()
        }
    }

    /// Consumes the next event of the trace.
    pub(crate) fn see(&mut self, event: &Event) {
        if event.role == "user" && event.kind == "text" {
            self.end();
        }
        if event.kind == "tool-call" {
            self.turn.call(event);
        }
        if self.cited.contains(&event.id) {
            self.turn.events.push(event.id.clone());
        }
    }

    /// Ends the current turn; call it once more at the end of the trace.
    pub(crate) fn end(&mut self) {
        let turn = std::mem::take(&mut self.turn);
        if turn.recalls && !turn.works {
            self.recalled.extend(turn.events);
        }
    }

    /// Reports whether all citations were said while memory was read. Other words of a person, not about memory, count
    /// as usual.
    pub(crate) fn hold(&self, citations: &[ResolvedCitation]) -> bool {
        let is_recall = |cited: &ResolvedCitation| {
            self.recalled.contains(&cited.event.id)
                && (!attribution::is_persons(cited) || speaks_of_memory(&cited.quote))
        };
        !citations.is_empty() && citations.iter().all(is_recall)
    }
}

/// The events from one prompt to the next.
#[derive(Debug, Default)]
struct RecallTurn {
    /// Cited events.
    events: Vec<String>,
    /// A reading tool of acreta was called.
    recalls: bool,
    /// Any other tool was called.
    works: bool,
}

impl RecallTurn {
    fn call(&mut self, event: &Event) {
        let is_recall =
            event.attrs.get("tool").is_some_and(reads_memory) || carries_recall(&event.text);
        self.recalls |= is_recall;
        self.works |= !is_recall;
    }
}

/// Reports whether a tool is one of acreta's reading tools, under the names that agents use: `memory_search`,
/// `mcp__acreta__memory_search`, `acreta-memory_search`. A short name counts only with `acreta` in it.
fn reads_memory(tool: &str) -> bool {
    READING_TOOLS.iter().any(|name| {
        let Some(server) = tool.strip_suffix(name) else {
            return false;
        };
        let is_acretas = server.contains("acreta");
        is_acretas || (server.is_empty() && name.contains('_'))
    })
}

/// Reports whether the arguments of a call read memory: through a tool that calls others by name, or through the
/// command line.
fn carries_recall(arguments: &str) -> bool {
    if !arguments.contains("acreta") {
        return false;
    }
    let Ok(Value::Object(fields)) = serde_json::from_str(arguments) else {
        return false;
    };
    let text = |name: &str| fields.get(name).and_then(Value::as_str);
    if let Some(tool) = text("tool_name") {
        return reads_memory(tool);
    }
    let command = ["command", "cmd"].into_iter().find_map(text);
    command.is_some_and(only_reads_memory)
}

/// Reports whether a shell command only asks acreta and filters the answer.
fn only_reads_memory(command: &str) -> bool {
    let mut asks = false;
    for part in command.split(['|', ';', '&', '\n']) {
        let mut words = part.split_whitespace();
        match (words.next(), words.next(), words.next()) {
            (None, ..) => {}
            (Some("acreta"), Some("ask" | "context"), _)
            | (Some("acreta"), Some("memory"), Some("search" | "list" | "show" | "get"))
            | (
                Some("acreta"),
                Some("sessions"),
                Some("search" | "list" | "show" | "files" | "blame" | "how"),
            ) => asks = true,
            (Some(filter), ..) if FILTERS.contains(&filter) => {}
            _ => return false,
        }
    }
    asks
}

fn speaks_of_memory(quote: &str) -> bool {
    words(quote).any(|word| MEMORY_WORDS.contains(&word.as_str()))
}

#[cfg(test)]
mod tests {
    use acreta_types::{Attrs, Evidence, Origin};

    use super::*;

    fn event(id: &str, role: &str, kind: &str, text: &str) -> Event {
        Event {
            id: id.to_owned(),
            origin: Origin::default(),
            role: role.to_owned(),
            kind: kind.to_owned(),
            at_ms: None,
            text: text.to_owned(),
            attrs: Attrs::default(),
        }
    }

    #[test]
    fn memory_is_read_through_other_tools_too() {
        let table = [
            (
                r#"{"tool_name":"acreta__memory_search","tool_input":{"query":"x"}}"#,
                true,
            ),
            (
                r#"{"tool_name":"acreta__memory_add","tool_input":{}}"#,
                false,
            ),
            (
                r#"{"command":"acreta memory search 'release rules' | head -5"}"#,
                true,
            ),
            (
                r#"{"command":"cd /w && acreta ask \"how do we release?\""}"#,
                true,
            ),
            (r#"{"cmd":"acreta memory list"}"#, true),
            (r#"{"cmd":"acreta sessions search deploy"}"#, true),
            (r#"{"cmd":"acreta sessions forget 1"}"#, false),
            (
                r#"{"tool_name":"acreta__session_read","tool_input":{}}"#,
                true,
            ),
            (r#"{"command":"acreta memory add 'x'"}"#, false),
            (
                r#"{"command":"acreta memory search x; cargo publish"}"#,
                false,
            ),
            (r#"{"command":"cargo test -p acreta"}"#, false),
            ("acreta memory search", false),
        ];
        for (arguments, expected) in table {
            assert_eq!(carries_recall(arguments), expected, "{arguments}");
        }
    }

    #[test]
    fn a_turn_that_only_looks_into_memory_teaches_nothing() {
        const LOOK: &str = "Look into the project memory for the release rules.";
        const RULE: &str = "Releases are tagged by hand from now on.";
        // Columns: the person's words, the tools that are called, and whether prompt and reply are left out.
        let table: [(&str, &[&str], bool, bool); 10] = [
            (LOOK, &["mcp__acreta__session_search"], true, true),
            (LOOK, &["mcp__acreta__memory_search"], true, true),
            (
                LOOK,
                &["acreta_memory_search", "acreta_memory_get"],
                true,
                true,
            ),
            (LOOK, &["memory_search"], true, true),
            (LOOK, &["acreta-ask"], true, true),
            (RULE, &["mcp__acreta__memory_search"], false, true),
            (LOOK, &["mcp__acreta__memory_search", "Edit"], false, false),
            (LOOK, &["mcp__acreta__memory_add"], false, false),
            (LOOK, &["task", "ask"], false, false),
            (LOOK, &[], false, false),
        ];
        let evidence = |id: &str| Evidence {
            event_id: id.to_owned(),
            quote: String::new(),
        };
        let candidate = Candidate {
            id: "c1".to_owned(),
            category: "learning".to_owned(),
            kind: "insight".to_owned(),
            title: String::new(),
            body: String::new(),
            confidence: 0.9,
            tags: Vec::new(),
            evidence: ["u0", "u1", "a1", "u2"].map(evidence).into(),
            attrs: Attrs::default(),
        };
        for (prompt, tools, prompt_left_out, reply_left_out) in table {
            let mut events = vec![
                event("u0", "user", "text", LOOK),
                event("u1", "user", "text", prompt),
            ];
            for (number, tool) in tools.iter().enumerate() {
                let mut call = event(&format!("t{number}"), "assistant", "tool-call", "{}");
                call.attrs.push("tool", *tool);
                events.push(call);
            }
            events.push(event("a1", "assistant", "text", "Memory says: by hand."));
            events.push(event("u2", "user", "text", LOOK));
            let cited = |id: &str| {
                let event = events.iter().find(|event| event.id == id).cloned().unwrap();
                let quote = event.text.clone();
                ResolvedCitation { event, quote }
            };
            let mut recalls = Recalls::new(std::slice::from_ref(&candidate));
            events.iter().for_each(|event| recalls.see(event));
            recalls.end();
            let held =
                |ids: &[&str]| recalls.hold(&ids.iter().map(|id| cited(id)).collect::<Vec<_>>());
            assert_eq!(held(&["u1"]), prompt_left_out, "{prompt} {tools:?}");
            assert_eq!(held(&["a1"]), reply_left_out, "{prompt} {tools:?}");
            assert!(!held(&["u0"]) && !held(&["u2"]) && !held(&["a1", "u2"]));
            assert!(!held(&[]));
        }
    }
}
