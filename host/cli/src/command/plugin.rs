//! `acreta plugin …`: shows plugins. Creating, installing, updating and testing them is in the submodules.

mod dev;
mod install;
mod lifecycle;
mod make;
mod test;

use acreta_service::Failure;
use acreta_service::plugins::inspect::{self, ManifestPlace, PluginDetails};
use acreta_types::Role;

use crate::args::PluginCommand;
use crate::context::Context;
use crate::output::{json, line, table};

pub(crate) fn run(command: &PluginCommand, context: &Context) -> Result<(), Failure> {
    match command {
        PluginCommand::List => list(context),
        PluginCommand::Inspect { plugin } => {
            let details = inspect::inspect(context, plugin)?;
            match context.json {
                true => json(&details),
                false => print(&details),
            }
            Ok(())
        }
        PluginCommand::New(arguments) => make::new(arguments, context),
        PluginCommand::Check { plugin } => make::check(plugin, context),
        PluginCommand::Test(arguments) => test::test(arguments, context),
        PluginCommand::Install(arguments) => install::install(arguments, context),
        PluginCommand::Compile { id } => acreta_service::plugins::install::compile(id, context),
        PluginCommand::Build(arguments) => make::build(arguments, context),
        PluginCommand::Dev(arguments) => dev::dev(arguments, context),
        PluginCommand::Push(arguments) => make::push(arguments, context),
        PluginCommand::Search { words } => lifecycle::search(words, context),
        PluginCommand::Outdated => lifecycle::outdated(context),
        PluginCommand::Update(arguments) => lifecycle::update(arguments, context),
        PluginCommand::Rollback(arguments) => lifecycle::rollback(arguments, context),
        PluginCommand::Revoke(arguments) => lifecycle::revoke(arguments, context),
        PluginCommand::Verify(arguments) => lifecycle::verify(arguments, context),
        PluginCommand::Remove { id, yes } => install::remove(id, *yes, context),
        PluginCommand::Grant(arguments) => install::grant(arguments, context),
        PluginCommand::Lock { output, plugins } => {
            install::lock(plugins, output.as_deref(), context)
        }
    }
}

fn list(context: &Context) -> Result<(), Failure> {
    let listed = inspect::list(context)?;
    if context.json {
        json(&listed);
        return Ok(());
    }
    let head = [
        "plugin",
        "role",
        "size",
        "signature",
        "runs",
        "time",
        "memory",
        "failed",
        "from",
    ];
    let mut cells = vec![head.map(str::to_owned).to_vec()];
    cells.extend(listed.plugins.into_iter().map(|row| {
        let used = &row.used;
        let of_use = |text: String| match used.runs {
            0 => String::new(),
            _ => text,
        };
        vec![
            row.id,
            row.role.map_or("refused", Role::name).to_owned(),
            format!("{} kB", row.bytes / 1000),
            row.signature.unwrap_or_default().to_owned(),
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

fn print(details: &PluginDetails) {
    let mut rows = vec![
        ("plugin", format!("{} ({})", details.id, details.origin)),
        ("role", format!("{} {}", details.role, details.wit)),
        ("digest", format!("sha256:{}", details.digest)),
        ("size", format!("{} bytes", details.bytes)),
        ("directories", details.directories.to_owned()),
        (
            "manifest",
            match details.manifest {
                ManifestPlace::Inside => "inside the component",
                ManifestPlace::Beside => "beside the component",
                ManifestPlace::None => "none",
            }
            .to_owned(),
        ),
    ];
    let metadata = details.metadata.iter();
    rows.extend(metadata.map(|(name, text)| (*name, text.clone())));
    if let Some(signature) = &details.signature {
        rows.push(("signature", signature.message.clone()));
    }
    if let Some(missing) = &details.missing {
        rows.push(("granted", format!("no: {missing}")));
    }
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
    if let Some(packages) = &details.dependencies {
        line("built from");
        for package in packages.iter().filter(|package| !package.root) {
            line(&format!("  {package}"));
        }
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
