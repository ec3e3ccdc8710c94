//! A call that notes something, however the agent's program spells it: a tool of acreta's MCP server
//! (`mcp__acreta__memory_note`, `acreta_memory_note`, …), a tool that calls others by name, or `acreta memory note` in a
//! shell.

use acreta_sdk::extractor::Event;
use serde_json::{Map, Value};

/// The arguments of a note.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NoteCall {
    pub title: String,
    /// Empty for a decision.
    pub kind: String,
    pub quotes: Vec<String>,
    pub about: Option<String>,
    pub files: Vec<String>,
    /// Id of the memory that it replaces.
    pub replaces: Option<String>,
}

const TOOL: &str = "memory_note";

/// Returns the note that a tool call makes.
pub fn note_call(event: &Event) -> Option<NoteCall> {
    // Cheap for all other calls.
    let tool = event.attrs.iter().find(|(name, _)| name == "tool");
    let tool = tool.map_or("", |(_, tool)| tool.as_str());
    let text = event.text.as_str();
    if !tool.ends_with(TOOL) && !text.contains("acreta") && !text.contains(TOOL) {
        return None;
    }
    let Ok(Value::Object(arguments)) = serde_json::from_str(&event.text) else {
        return None;
    };
    if is_note_tool(tool) {
        return NoteCall::of(&arguments);
    }
    let named = ["tool_name", "toolName", "name", "tool"];
    let named = named.iter().find_map(|name| arguments.get(*name)?.as_str());
    if named.is_some_and(is_note_tool) {
        let inner = ["arguments", "args", "input", "parameters", "tool_input"];
        return match inner.iter().find_map(|name| arguments.get(*name))? {
            Value::Object(inner) => NoteCall::of(inner),
            Value::String(text) => {
                NoteCall::of(serde_json::from_str::<Value>(text).ok()?.as_object()?)
            }
            _ => None,
        };
    }
    let commands = ["command", "cmd", "commands"];
    match commands.iter().find_map(|name| arguments.get(*name))? {
        Value::String(line) => of_command(&shlex::split(line)?),
        // The words of one, `["bash", "-lc", "acreta memory note …"]`, or several lines, as Cline has them.
        Value::Array(words) => {
            let words = words.iter().filter_map(Value::as_str).map(str::to_owned);
            let words: Vec<String> = words.collect();
            let of_line = |line: &String| of_command(&shlex::split(line)?);
            of_command(&words).or_else(|| words.iter().find_map(of_line))
        }
        _ => None,
    }
}

/// Reports whether a tool is the one that notes: `memory_note` alone, or with acreta as its server.
fn is_note_tool(tool: &str) -> bool {
    let server = tool.strip_suffix(TOOL);
    server.is_some_and(|server| server.is_empty() || server.contains("acreta"))
}

impl NoteCall {
    fn of(arguments: &Map<String, Value>) -> Option<Self> {
        let text = |name: &str| {
            let text = arguments.get(name).and_then(Value::as_str);
            text.map(str::trim).filter(|text| !text.is_empty())
        };
        let texts = |name: &str| match arguments.get(name) {
            Some(Value::Array(texts)) => {
                let texts = texts.iter().filter_map(Value::as_str);
                texts.map(str::to_owned).collect()
            }
            Some(Value::String(text)) => vec![text.clone()],
            _ => Vec::new(),
        };
        Self {
            title: text("title")?.to_owned(),
            kind: text("kind").unwrap_or_default().to_owned(),
            quotes: texts("quote"),
            about: text("about").map(str::to_owned),
            files: texts("files"),
            replaces: text("replaces").map(str::to_owned),
        }
        .checked()
    }

    fn checked(mut self) -> Option<Self> {
        self.quotes.retain(|quote| !quote.trim().is_empty());
        if self.kind == "decision" {
            self.kind.clear();
        }
        (!self.title.is_empty()).then_some(self)
    }

    /// Reports whether later agents would follow it.
    pub fn instructs(&self) -> bool {
        matches!(
            self.kind.as_str(),
            "" | "convention" | "preference" | "procedure"
        )
    }
}

/// Reads `acreta memory note TITLE --quote …` in the words of a command line.
fn of_command(words: &[String]) -> Option<NoteCall> {
    let is_program = |word: &str| {
        let name = word.rsplit(['/', '\\']).next().unwrap_or(word);
        name == "acreta" || name == "acreta.exe"
    };
    let start = words
        .windows(3)
        .position(|three| is_program(&three[0]) && three[1] == "memory" && three[2] == "note")?;
    let mut note = NoteCall::default();
    let mut rest = words[start + 3..].iter();
    while let Some(word) = rest.next() {
        if matches!(word.as_str(), "&&" | "||" | ";" | "|" | "&") {
            break;
        }
        let Some(option) = word.strip_prefix("--") else {
            if note.title.is_empty() {
                word.clone_into(&mut note.title);
            }
            continue;
        };
        let (name, value) = match option.split_once('=') {
            Some((name, value)) => (name, Some(value.to_owned())),
            None if option == "json" => continue,
            None => (option, rest.next().cloned()),
        };
        let value = value?;
        match name {
            "quote" => note.quotes.push(value),
            "about" => note.about = Some(value),
            "kind" => note.kind = value,
            "file" => note.files.push(value),
            "replaces" => note.replaces = Some(value),
            _ => {}
        }
    }
    note.checked()
}
