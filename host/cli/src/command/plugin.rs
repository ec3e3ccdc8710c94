//! `acreta plugin list|inspect`.

use std::sync::Arc;

use acreta_model::{Adapter, Description, Job, Limits, PluginLog, Role};
use acreta_sandbox::{Inspection, inspect};
use acreta_service::plugins::{self, Source};
use acreta_service::{Failure, Kind};
use camino::Utf8Path;
use serde::Serialize;

use crate::args::PluginCommand;
use crate::context::Context;
use crate::output::{json, line, table};

pub(crate) fn run(command: &PluginCommand, context: &Context) -> Result<(), Failure> {
    match command {
        PluginCommand::List => list(context),
        PluginCommand::Inspect { plugin } => show(context, plugin),
    }
}

fn list(context: &Context) -> Result<(), Failure> {
    #[derive(Serialize)]
    struct Row {
        id: String,
        role: Option<Role>,
        origin: String,
        bytes: usize,
        problem: Option<String>,
    }
    let rows: Vec<Row> = plugins::all(context)?
        .into_iter()
        .map(|source| {
            let inspected = inspect(&source.bytes);
            Row {
                role: inspected.as_ref().ok().map(|inspection| inspection.role),
                origin: source.origin(),
                bytes: source.bytes.len(),
                problem: inspected.err().map(|refused| refused.to_string()),
                id: source.id,
            }
        })
        .collect();
    if context.json {
        json(&serde_json::json!({ "plugins": rows }));
        return Ok(());
    }
    let cells: Vec<Vec<String>> = rows
        .into_iter()
        .map(|row| {
            let role = row.role.map_or("refused", Role::name).to_owned();
            let size = format!("{} kB", row.bytes / 1000);
            let last = match row.problem {
                Some(problem) => format!("{}: {problem}", row.origin),
                None => row.origin,
            };
            vec![row.id, role, size, last]
        })
        .collect();
    table(&cells);
    Ok(())
}

#[derive(Serialize)]
struct Details {
    id: String,
    origin: String,
    role: Role,
    wit: String,
    digest: String,
    bytes: usize,
    imports: Vec<String>,
    directories: &'static str,
    limits: Limits,
    #[serde(skip_serializing_if = "Option::is_none")]
    describes: Option<Description>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    prompts: Vec<Prompt>,
}

/// A text that a plugin sends to language models.
#[derive(Serialize)]
struct Prompt {
    name: String,
    /// The file that takes its place, if one does.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    text: String,
}

fn show(context: &Context, plugin: &str) -> Result<(), Failure> {
    let source = source(context, plugin)?;
    let sandbox = plugins::sandbox(context)?;
    let loaded = plugins::load(&context.config, &sandbox, &source)?;
    let Inspection {
        imports, prompts, ..
    } = loaded.inspection().clone();
    let info = loaded.info().clone();
    let limits = loaded.limits().clone();
    let describes = match info.role {
        Role::Adapter => Some(describe(loaded.into_adapter()?.as_ref())?),
        _ => None,
    };
    let mut files = context.config.prompts(&source.id);
    let mut prompts: Vec<Prompt> = prompts
        .into_iter()
        .map(|(name, text)| Prompt {
            file: files.remove(&name),
            name,
            text,
        })
        .collect();
    for prompt in &mut prompts {
        if let Some(file) = &prompt.file {
            prompt.text = plugins::prompt(file)?;
        }
    }
    let details = Details {
        origin: source.origin(),
        directories: directories(info.role),
        bytes: source.bytes.len(),
        id: info.id,
        role: info.role,
        wit: info.wit,
        digest: info.digest,
        imports,
        limits,
        describes,
        prompts,
    };
    if context.json {
        json(&details);
    } else {
        print(&details);
    }
    Ok(())
}

fn source(context: &Context, plugin: &str) -> Result<Source, Failure> {
    if plugin.ends_with(".wasm") {
        plugins::from_file(Utf8Path::new(plugin))
    } else {
        plugins::find(context, plugin)
    }
}

fn directories(role: Role) -> &'static str {
    match role {
        Role::Adapter => "its session roots, read-only",
        Role::Extractor => "none",
        Role::Explorer => "/memory, read-only",
        Role::MemoryWriter => "/draft, a fresh folder for each run",
    }
}

struct Quiet;

impl PluginLog for Quiet {
    fn write(&self, _plugin: &str, _level: &str, _message: &str) {}
}

fn describe(adapter: &dyn Adapter) -> Result<Description, Failure> {
    let job = Job {
        now_ms: 0,
        seed: 0,
        log: Arc::new(Quiet),
        models: None,
    };
    adapter
        .describe(&job)
        .result
        .map_err(|error| Failure::new(Kind::Failure, error.to_string()))
}

fn print(details: &Details) {
    let mut rows = vec![
        ("plugin", format!("{} ({})", details.id, details.origin)),
        ("role", format!("{} {}", details.role, details.wit)),
        ("digest", format!("sha256:{}", details.digest)),
        ("size", format!("{} bytes", details.bytes)),
        ("directories", details.directories.to_owned()),
    ];
    let limits = &details.limits;
    rows.push((
        "limits",
        format!(
            "{} MiB memory, {} s, {} handles, {} MiB per value",
            limits.memory_bytes / (1024 * 1024),
            limits.wall_ms / 1000,
            limits.handles,
            limits.value_bytes / (1024 * 1024)
        ),
    ));
    for root in details
        .describes
        .iter()
        .flat_map(|description| &description.roots)
    {
        rows.push((
            "asks for",
            format!("{} — {}", root.candidates.join(" or "), root.reason),
        ));
    }
    let cells: Vec<Vec<String>> = rows
        .into_iter()
        .map(|(name, value)| vec![name.to_owned(), value])
        .collect();
    table(&cells);
    line("imports");
    for import in &details.imports {
        line(&format!("  {import}"));
    }
    for prompt in &details.prompts {
        line(&match &prompt.file {
            Some(file) => format!("prompt {} (from {file})", prompt.name),
            None => format!("prompt {}", prompt.name),
        });
        for text in prompt.text.lines() {
            line(&format!("  {text}"));
        }
    }
}
