//! `acreta plugin …`: looking at plugins. Making, installing and testing them lies in the modules below.

mod install;
mod make;
mod test;

use std::sync::Arc;

use acreta_model::{Adapter, Description, Job, Limits, PluginLog, Role};
use acreta_plugins::{Inspection, MANIFEST, Manifest, inspect};
use acreta_service::plugins::{self, Source};
use acreta_service::{Failure, Kind, scopes, usage};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::args::PluginCommand;
use crate::context::Context;
use crate::output::{json, line, table};

pub(crate) fn run(command: &PluginCommand, context: &Context) -> Result<(), Failure> {
    match command {
        PluginCommand::List => list(context),
        PluginCommand::Inspect { plugin } => show(context, plugin),
        PluginCommand::New(arguments) => make::new(arguments, context),
        PluginCommand::Check { plugin } => make::check(plugin, context),
        PluginCommand::Test(arguments) => test::test(arguments, context),
        PluginCommand::Install(arguments) => install::install(arguments, context),
        PluginCommand::Remove { id } => install::remove(id, context),
        PluginCommand::Grant(arguments) => install::grant(arguments, context),
        PluginCommand::Lock { output, plugins } => {
            install::lock(plugins, output.as_deref(), context)
        }
    }
}

#[derive(Serialize)]
struct Row {
    id: String,
    role: Option<Role>,
    origin: String,
    bytes: usize,
    granted: bool,
    #[serde(rename = "use")]
    used: usage::PluginUse,
    problem: Option<String>,
}

fn list(context: &Context) -> Result<(), Failure> {
    let mut used = match scopes::catalog(context)? {
        Some(catalog) => usage::plugins(&catalog)?,
        None => Default::default(),
    };
    let mut rows = Vec::new();
    for (id, source) in plugins::all(context)? {
        let used = used.remove(&id).unwrap_or_default();
        rows.push(match source {
            Ok(source) => {
                let granted = plugins::given(context, &source);
                let role = inspect(&source.bytes).map(|inspection| inspection.role);
                Row {
                    role: role.ok(),
                    origin: source.origin(),
                    bytes: source.bytes.len(),
                    granted: granted.is_ok()
                        && context.grants.get(&id).is_none_or(|grant| grant.granted),
                    used,
                    problem: granted.err().map(|error| error.to_string()),
                    id,
                }
            }
            Err(error) => Row {
                role: None,
                origin: plugins::folder(context).join(&id).into_string(),
                bytes: 0,
                granted: false,
                used,
                problem: Some(error.to_string()),
                id,
            },
        });
    }
    if context.json {
        json(&serde_json::json!({ "plugins": rows }));
        return Ok(());
    }
    let head = [
        "plugin", "role", "size", "runs", "time", "memory", "failed", "from",
    ];
    let mut cells = vec![head.map(str::to_owned).to_vec()];
    cells.extend(rows.into_iter().map(|row| {
        let used = &row.used;
        let of_use = |text: String| match used.runs {
            0 => String::new(),
            _ => text,
        };
        vec![
            row.id,
            row.role.map_or("refused", Role::name).to_owned(),
            format!("{} kB", row.bytes / 1000),
            of_use(used.runs.to_string()),
            of_use(format!("{} ms", used.guest_ms)),
            of_use(format!("{:.1} MB", used.peak_memory_bytes as f64 / 1e6)),
            of_use(used.failures.to_string()),
            match row.problem {
                Some(problem) => format!("{}: {problem}", row.origin),
                None => row.origin,
            },
        ]
    }));
    table(&cells);
    Ok(())
}

/// The component that a file or a folder with a manifest means.
pub(super) fn component_of(path: &Utf8Path) -> Result<Utf8PathBuf, Failure> {
    if !path.is_dir() {
        return Ok(path.to_owned());
    }
    let file = path.join(MANIFEST);
    let directory = acreta_fs::Directory::open(path, acreta_fs::NoFaults::shared())?;
    if !directory.exists(MANIFEST)? {
        let message = format!("there is no `{MANIFEST}` in `{path}`");
        return Err(Failure::new(Kind::Missing, message)
            .hint("name a `.wasm` file, or the folder of a plugin"));
    }
    let text = directory.read_to_string(MANIFEST, 256 * 1024)?;
    let manifest = Manifest::parse(&file, &text)
        .map_err(|error| Failure::from(acreta_plugins::Refused::from(error)))?;
    let component = path.join(&manifest.component);
    if !component.is_file() {
        let message = format!("`{component}` is not built yet");
        return Err(Failure::new(Kind::Missing, message).hint("the README in its folder says how"));
    }
    Ok(component)
}

pub(super) fn here() -> Result<Utf8PathBuf, Failure> {
    crate::context::current_directory()
}

/// What the adapter in a file describes, in a sandbox that grants nothing.
pub(super) fn describe_file(context: &Context, source: &Source) -> Result<Description, Failure> {
    let sandbox = plugins::sandbox(context)?;
    let loaded = plugins::load(context, &context.config, &sandbox, source)?;
    describe(loaded.into_adapter()?.as_ref())
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
    let loaded = plugins::load(context, &context.config, &sandbox, &source)?;
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
