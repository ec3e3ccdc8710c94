//! `acreta plugin new|check`: the beginning of a plugin, and a look at one that runs nothing.

use acreta_fs::{Directory, NoFaults};
use acreta_model::Role;
use acreta_plugins::{Inspection, WIT_VERSION, host_interfaces, inspect};
use acreta_service::{Failure, Kind, plugins};
use acreta_templates::{Language, stamp};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::json as value;

use crate::args::{LanguageName, NewArguments};
use crate::context::Context;
use crate::output::{count, json, line, talk};

pub(super) fn new(arguments: &NewArguments, context: &Context) -> Result<(), Failure> {
    let role = Role::ALL
        .into_iter()
        .find(|role| role.name() == arguments.role)
        .ok_or_else(|| {
            let message = format!("`{}` is no role", arguments.role);
            let roles = Role::ALL.map(Role::name).join(", ");
            Failure::new(Kind::Usage, message).hint(format!("there are {roles}"))
        })?;
    let language = match arguments.lang {
        LanguageName::Rust => Language::Rust,
        LanguageName::Js => Language::Js,
        LanguageName::Python => Language::Python,
    };
    let files = stamp(role, &arguments.name, language).map_err(|error| {
        let hint = error.hint();
        Failure::new(Kind::Usage, error.to_string()).hint(hint)
    })?;
    let here = super::here()?;
    let folder = here.join(&arguments.name);
    if folder.exists() {
        let message = format!("`{folder}` is there already");
        return Err(Failure::new(Kind::Usage, message).hint("take another name"));
    }
    let directory = Directory::open_or_create(&folder, NoFaults::shared())?;
    for file in &files {
        let path = Utf8Path::new(&file.path);
        if let Some(parent) = path.parent().filter(|parent| !parent.as_str().is_empty()) {
            directory.create_dir_all(parent)?;
        }
        directory.replace_unsynced(path, &file.bytes)?;
    }
    if context.json {
        let paths: Vec<&str> = files.iter().map(|file| file.path.as_str()).collect();
        json(&value!({ "folder": folder, "files": paths, "build": language.build_command() }));
        return Ok(());
    }
    line(folder.as_str());
    talk(&format!(
        "{} written; build it there with `{}`, then `acreta plugin test`",
        count(files.len() as u64, "file", "files"),
        language.build_command()
    ));
    Ok(())
}

pub(super) fn check(plugin: &Utf8Path, context: &Context) -> Result<(), Failure> {
    let file: Utf8PathBuf = super::component_of(plugin)?;
    let source = plugins::from_file(&file)?;
    let inspection = inspect(&source.bytes).map_err(|refused| {
        Failure::new(Kind::Refused, format!("`{file}`: {refused}")).hint(refused.hint())
    })?;
    let mut problems = Vec::new();
    if let Some(manifest) = &source.manifest {
        if manifest.role != inspection.role {
            problems.push(format!(
                "`plugin.toml` says {}, the component is a {}",
                manifest.role, inspection.role
            ));
        }
        if manifest
            .digest
            .is_some_and(|digest| digest.hex() != source.digest)
        {
            problems.push(format!(
                "the digest in `plugin.toml` is not the component's: sha256:{}",
                source.digest
            ));
        }
        if inspection.role == Role::Adapter && problems.is_empty() {
            let description = super::describe_file(context, &source)?;
            problems.extend(manifest.differences(&description));
        }
    }
    print(&file, &source, &inspection, &problems, context);
    match problems.first() {
        None => Ok(()),
        Some(first) => Err(Failure::new(Kind::Refused, format!("`{file}`: {first}"))
            .hint("`plugin.toml` and the component must say the same")),
    }
}

fn print(
    file: &Utf8Path,
    source: &plugins::Source,
    inspection: &Inspection,
    problems: &[String],
    context: &Context,
) {
    let wishes = source
        .manifest
        .iter()
        .flat_map(|manifest| manifest.wishes());
    let wishes: Vec<(String, String)> = wishes
        .map(|wish| (wish.what.to_string(), wish.reason))
        .collect();
    if context.json {
        let wishes: Vec<_> = wishes
            .iter()
            .map(|(what, reason)| value!({ "what": what, "reason": reason }))
            .collect();
        return json(&value!({
            "file": file,
            "id": source.id,
            "role": inspection.role.name(),
            "wit": inspection.wit,
            "sha256": source.digest,
            "bytes": inspection.bytes,
            "imports": inspection.imports,
            "wishes": wishes,
            "manifest": source.manifest.is_some(),
            "problems": problems,
        }));
    }
    line(&format!(
        "{} ({} {})",
        source.id, inspection.role, inspection.wit
    ));
    line(&format!(
        "  {} bytes, sha256:{}",
        inspection.bytes, source.digest
    ));
    let used = |import: &&String| import.starts_with("acreta:");
    let own: Vec<&str> = inspection
        .imports
        .iter()
        .filter(used)
        .map(String::as_str)
        .collect();
    line(&format!(
        "  imports {} of acreta, {} of WASI; its role has {}",
        own.len(),
        inspection.imports.len() - own.len(),
        host_interfaces(inspection.role).join(", ")
    ));
    if source.manifest.is_none() {
        talk(&format!(
            "there is no `plugin.toml` for it: it can be tried with `acreta run FILE --plugin {file}`, not installed"
        ));
    }
    for (what, reason) in &wishes {
        line(&format!("  asks for {what}: {reason}"));
    }
    for problem in problems {
        line(&format!("  wrong: {problem}"));
    }
    if problems.is_empty() {
        talk(&format!("it keeps the contract {WIT_VERSION}"));
    }
}
