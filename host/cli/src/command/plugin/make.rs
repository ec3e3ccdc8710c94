//! `acreta plugin new|build|check|push`.

use acreta_service::plugins::inspect::ManifestPlace;
use acreta_service::plugins::publish::{self, Build, Built, Dependency, DependencyKind};
use acreta_service::plugins::scaffold::{self, Language, PluginCheck, WIT_VERSION};
use acreta_service::{Failure, Kind};
use camino::Utf8Path;

use crate::args::{BuildArguments, LanguageName, NewArguments, PushArguments};
use crate::context::{Context, current_directory};
use crate::output::{count, json, line, talk};

pub(super) fn new(arguments: &NewArguments, context: &Context) -> Result<(), Failure> {
    let language = match arguments.lang {
        LanguageName::Rust => Language::Rust,
        LanguageName::Js => Language::Js,
        LanguageName::Python => Language::Python,
    };
    let here = current_directory()?;
    let begun = scaffold::begin(&arguments.role, &arguments.name, language, &here)?;
    if context.json {
        json(&begun);
        return Ok(());
    }
    line(begun.folder.as_str());
    talk(&format!(
        "{} written; build it there with `{}`, then `acreta plugin test`",
        count(begun.files.len() as u64, "file", "files"),
        begun.build
    ));
    Ok(())
}

pub(super) fn build(arguments: &BuildArguments, context: &Context) -> Result<(), Failure> {
    let built = publish::build(&Build {
        folder: arguments.folder.clone(),
        revision: arguments.revision.clone(),
        runs_script: !arguments.no_script,
        has_lines: false,
    })?;
    if context.json {
        json(&built);
        return Ok(());
    }
    print_built(&built);
    talk("its manifest is in it; sign and publish this one file");
    Ok(())
}

pub(super) fn print_built(built: &Built) {
    line(&format!("{} {} {}", built.file, built.id, built.version));
    line(&format!("  {} bytes, sha256:{}", built.bytes, built.sha256));
    for (name, text) in &built.metadata {
        line(&format!("  {name}: {text}"));
    }
    built_from(&built.dependencies);
}

pub(super) fn push(arguments: &PushArguments, context: &Context) -> Result<(), Failure> {
    let PushArguments {
        plugin,
        reference,
        replace,
    } = arguments;
    let pushed = publish::push(plugin, reference, *replace, context)?;
    if context.json {
        json(&pushed);
        return Ok(());
    }
    line(&pushed.pinned);
    talk(&match pushed.unchanged {
        true => format!("{} has it already", pushed.reference),
        false => format!("pushed as {}", pushed.reference),
    });
    Ok(())
}

pub(super) fn check(plugin: &Utf8Path, context: &Context) -> Result<(), Failure> {
    let checked = scaffold::check(plugin, context)?;
    match context.json {
        true => json(&checked),
        false => print(&checked),
    }
    match checked.problems.first() {
        None => Ok(()),
        Some(first) => Err(
            Failure::new(Kind::Refused, format!("`{}`: {first}", checked.file))
                .hint("`plugin.toml` and the component must agree"),
        ),
    }
}

/// Prints how many packages are in a component; `inspect` and the JSON name them.
fn built_from(dependencies: &[Dependency]) {
    let mut others = dependencies.iter().filter(|one| !one.root).peekable();
    if others.peek().is_none() {
        return;
    }
    let (inside, building): (Vec<_>, Vec<_>) =
        others.partition(|one| one.kind == DependencyKind::Runtime);
    line(&format!(
        "  built from: {}, and {} to build it",
        count(inside.len() as u64, "package", "packages"),
        building.len()
    ));
}

fn print(checked: &PluginCheck) {
    line(&format!(
        "{} ({} {})",
        checked.id, checked.role, checked.wit
    ));
    line(&format!(
        "  {} bytes, sha256:{}",
        checked.bytes, checked.sha256
    ));
    let imports = checked.imports.iter();
    let own = imports.filter(|import| import.starts_with("acreta:"));
    let own = own.count();
    line(&format!(
        "  imports {own} of acreta, {} of WASI; its role has {}",
        checked.imports.len() - own,
        checked.interfaces.join(", ")
    ));
    for (name, text) in &checked.metadata {
        line(&format!("  {name}: {text}"));
    }
    built_from(checked.dependencies.as_deref().unwrap_or_default());
    if let Some(signature) = &checked.signature {
        line(&format!("  signature: {}", signature.message));
    }
    match checked.manifest {
        ManifestPlace::Inside => line("  its manifest is inside"),
        ManifestPlace::Beside => {
            line("  its manifest is beside it; `acreta plugin build` puts it inside");
        }
        ManifestPlace::None => {}
    }
    if checked.manifest == ManifestPlace::None {
        talk(&format!(
            "it has no `plugin.toml`: it can be tried with `acreta run FILE --plugin {}`, but not installed",
            checked.file
        ));
    }
    for wish in &checked.wishes {
        line(&format!("  asks for {}: {}", wish.what, wish.reason));
    }
    for problem in &checked.problems {
        line(&format!("  wrong: {problem}"));
    }
    if checked.problems.is_empty() {
        talk(&format!("it conforms to the contract {WIT_VERSION}"));
    }
}
