//! The settings of Codex, of Grok Build, which uses the same form, and of agents that list servers or hooks. An entry is text appended to the file: existing
//! text is never rewritten, and the result is parsed and compared before it is accepted.

use camino::Utf8Path;
use toml_edit::{Document, Item, TableLike, Value};

use crate::Problem;
use crate::command;
use crate::json_edit::Put;
use crate::moments::AgentHook;

const BYTE_ORDER_MARK: char = '\u{feff}';

/// Adds `[mcp_servers.acreta]`.
pub(crate) fn put_server(path: &Utf8Path, text: &str, binary: &str) -> Result<Put, Problem> {
    let document = parse(path, text)?;
    let servers = table_at(path, document.as_table(), "mcp_servers")?;
    if let Some(found) = servers.and_then(|servers| servers.get("acreta")) {
        return Ok(match is_server(found, binary) {
            true => Put::There,
            false => Put::Differs,
        });
    }
    let entry = format!(
        "[mcp_servers.acreta]\ncommand = {}\nargs = [\"mcp\"]\n",
        Value::from(binary)
    );
    let after = appended(text, &entry);
    let fits = Document::parse(unmarked(&after)).is_ok_and(|document| {
        let server = document
            .get("mcp_servers")
            .and_then(|servers| servers.get("acreta"));
        server.is_some_and(|server| is_server(server, binary))
    });
    added(path, "mcp_servers", after, fits)
}

/// Adds a server as `[[mcp_servers]]`, with its name among its keys.
pub(crate) fn put_listed_server(path: &Utf8Path, text: &str, binary: &str) -> Result<Put, Problem> {
    let key = "mcp_servers";
    let document = parse(path, text)?;
    let named = |document: &dyn TableLike| {
        let servers = tables(document.get(key));
        let own =
            |server: &&dyn TableLike| server.get("name").and_then(Item::as_str) == Some("acreta");
        let own = servers.into_iter().find(own);
        own.map(|server| server.get("command").and_then(Item::as_str) == Some(binary))
    };
    if let Some(is_ours) = named(document.as_table()) {
        return Ok(match is_ours {
            true => Put::There,
            false => Put::Differs,
        });
    }
    let entry = format!(
        "[[mcp_servers]]\nname = \"acreta\"\ntransport = \"stdio\"\ncommand = {}\nargs = [\"mcp\"]\n",
        Value::from(binary)
    );
    let after = appended(text, &entry);
    let fits = Document::parse(unmarked(&after))
        .is_ok_and(|document| named(document.as_table()) == Some(true));
    added(path, key, after, fits)
}

/// Adds a hook as `[[hooks.EVENT]]`.
pub(crate) fn put_hook(
    path: &Utf8Path,
    text: &str,
    moment: AgentHook,
    command: &str,
    timeout: u32,
) -> Result<Put, Problem> {
    let document = parse(path, text)?;
    let key = moment.key;
    let commands = hook_commands(document.as_table(), key);
    if let Some(put) = known(&commands, moment, command) {
        return Ok(put);
    }
    let tools = match moment.tools {
        Some(tools) => format!("matcher = {}\n", Value::from(tools)),
        None => String::new(),
    };
    let entry = format!(
        "[[hooks.{key}]]\n{tools}\n[[hooks.{key}.hooks]]\ntype = \"command\"\ncommand = {}\ntimeout = {timeout}\n",
        Value::from(command)
    );
    let after = appended(text, &entry);
    let fits = Document::parse(unmarked(&after))
        .is_ok_and(|document| hook_commands(document.as_table(), key).len() == commands.len() + 1);
    added(path, &format!("hooks.{key}"), after, fits)
}

/// Adds a hook as `[[hooks]]`, with its event among its keys.
pub(crate) fn put_listed_hook(
    path: &Utf8Path,
    text: &str,
    moment: AgentHook,
    command: &str,
    timeout: u32,
) -> Result<Put, Problem> {
    let document = parse(path, text)?;
    let commands = listed_commands(document.as_table(), moment.key);
    if let Some(put) = known(&commands, moment, command) {
        return Ok(put);
    }
    let entry = format!(
        "[[hooks]]\nevent = {}\ncommand = {}\ntimeout = {timeout}\n",
        Value::from(moment.key),
        Value::from(command)
    );
    let after = appended(text, &entry);
    let fits = Document::parse(unmarked(&after)).is_ok_and(|document| {
        listed_commands(document.as_table(), moment.key).len() == commands.len() + 1
    });
    added(path, "hooks", after, fits)
}

/// Returns the change to a hook that acreta wrote earlier.
fn known(commands: &[String], moment: AgentHook, command: &str) -> Option<Put> {
    if commands.iter().any(|found| found == command) {
        return Some(Put::There);
    }
    let mut commands = commands.iter();
    commands
        .any(|found| command::is_hook(found, moment.event))
        .then_some(Put::Differs)
}

/// Reports whether hooks are in these settings rather than in a separate file.
pub(crate) fn has_hooks(path: &Utf8Path, text: &str) -> Result<bool, Problem> {
    let document = parse(path, text)?;
    let hooks = table_at(path, document.as_table(), "hooks")?;
    // Codex records trusted hooks below `state`.
    Ok(hooks.is_some_and(|hooks| hooks.iter().any(|(key, _)| key != "state")))
}

/// Returns the commands of `hooks.SessionStart`, by group; none if the settings cannot be parsed.
pub(crate) fn start_commands(path: &Utf8Path, text: &str) -> Vec<Vec<String>> {
    let Ok(document) = parse(path, text) else {
        return Vec::new();
    };
    let groups = document
        .get("hooks")
        .and_then(|hooks| hooks.get("SessionStart"));
    let command = |hook: &dyn TableLike| {
        let command = hook.get("command").and_then(Item::as_str);
        command.unwrap_or_default().to_owned()
    };
    let groups = tables(groups).into_iter();
    groups
        .map(|group| {
            tables(group.get("hooks"))
                .into_iter()
                .map(command)
                .collect()
        })
        .collect()
}

/// Returns the keys of the hooks that Codex's person trusted and did not disable; `None` if the settings cannot be parsed.
pub(crate) fn trusted_hooks(path: &Utf8Path, text: &str) -> Option<Vec<String>> {
    let document = parse(path, text).ok()?;
    let states = document.get("hooks").and_then(|hooks| hooks.get("state"));
    let Some(states) = states.and_then(Item::as_table_like) else {
        return Some(Vec::new());
    };
    let is_trusted = |state: &Item| {
        let is_off = state.get("enabled").and_then(Item::as_bool) == Some(false);
        !is_off && state.get("trusted_hash").and_then(Item::as_str).is_some()
    };
    let trusted = states.iter().filter(|(_, state)| is_trusted(state));
    Some(trusted.map(|(key, _)| key.to_owned()).collect())
}

/// Appends an entry to a text, with the file's own line endings.
pub(crate) fn appended(text: &str, entry: &str) -> String {
    let newline = if text.contains("\r\n") { "\r\n" } else { "\n" };
    let entry = entry.replace('\n', newline);
    let bare = text.trim_start_matches(BYTE_ORDER_MARK);
    if bare.is_empty() {
        return format!("{text}{entry}");
    }
    if !bare.ends_with('\n') {
        // A file without a final line break stays without one.
        let entry = entry.trim_end_matches(['\r', '\n']);
        return format!("{text}{newline}{newline}{entry}");
    }
    let ends_blank = bare.ends_with(&format!("{newline}{newline}"));
    let gap = if ends_blank { "" } else { newline };
    format!("{text}{gap}{entry}")
}

fn added(path: &Utf8Path, key: &str, after: String, fits: bool) -> Result<Put, Problem> {
    match fits {
        true => Ok(Put::Added {
            text: after,
            made: 0,
        }),
        false => Err(Problem::Unfit {
            path: path.to_owned(),
            key: key.to_owned(),
        }),
    }
}

fn unmarked(text: &str) -> &str {
    text.strip_prefix(BYTE_ORDER_MARK).unwrap_or(text)
}

fn parse<'a>(path: &Utf8Path, text: &'a str) -> Result<Document<&'a str>, Problem> {
    let text = unmarked(text);
    Document::parse(text).map_err(|error| {
        let start = error.span().map_or(0, |span| span.start);
        let before = &text[..text.floor_char_boundary(start)];
        let line = before.rfind('\n').map_or(0, |newline| newline + 1);
        Problem::Syntax {
            path: path.to_owned(),
            line: before.matches('\n').count() + 1,
            column: before[line..].chars().count() + 1,
            message: error.message().trim_end().replace('\n', ", "),
        }
    })
}

fn table_at<'t>(
    path: &Utf8Path,
    table: &'t dyn TableLike,
    key: &str,
) -> Result<Option<&'t dyn TableLike>, Problem> {
    match table.get(key) {
        None => Ok(None),
        Some(item) => item
            .as_table_like()
            .map(Some)
            .ok_or_else(|| Problem::Unfit {
                path: path.to_owned(),
                key: key.to_owned(),
            }),
    }
}

fn is_server(item: &Item, binary: &str) -> bool {
    let Some(table) = item.as_table_like() else {
        return false;
    };
    let arguments: Vec<Option<&str>> = table
        .get("args")
        .and_then(Item::as_array)
        .map(|array| array.iter().map(Value::as_str).collect())
        .unwrap_or_default();
    table.len() == 2
        && table.get("command").and_then(Item::as_str) == Some(binary)
        && arguments == [Some("mcp")]
}

/// Returns every command of an event's hooks.
fn hook_commands(document: &dyn TableLike, key: &str) -> Vec<String> {
    let groups = document.get("hooks").and_then(|hooks| hooks.get(key));
    tables(groups)
        .into_iter()
        .flat_map(|group| tables(group.get("hooks")))
        .filter_map(|hook| hook.get("command")?.as_str().map(str::to_owned))
        .collect()
}

/// Returns every command of an event in a list of all hooks.
fn listed_commands(document: &dyn TableLike, event: &str) -> Vec<String> {
    tables(document.get("hooks"))
        .into_iter()
        .filter(|hook| hook.get("event").and_then(Item::as_str) == Some(event))
        .filter_map(|hook| hook.get("command")?.as_str().map(str::to_owned))
        .collect()
}

/// Returns the tables of a list, in either notation.
fn tables(item: Option<&Item>) -> Vec<&dyn TableLike> {
    match item {
        Some(Item::ArrayOfTables(tables)) => {
            tables.iter().map(|table| table as &dyn TableLike).collect()
        }
        Some(Item::Value(Value::Array(array))) => array
            .iter()
            .filter_map(|value| value.as_inline_table())
            .map(|table| table as &dyn TableLike)
            .collect(),
        _ => Vec::new(),
    }
}
