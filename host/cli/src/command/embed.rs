//! `acreta model embed show|get|off`, and the offer that `acreta init` prints.

use acreta_service::Failure;
use acreta_service::find::sentence_model::{self, MODELS, NamedModel};
use camino::Utf8Path;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde_json::json as value;

use crate::args::EmbedCommand;
use crate::consent::{Preset, agrees, is_terminal};
use crate::context::Context;
use crate::output::{json, line, talk};

pub(crate) fn run(command: &EmbedCommand, context: &Context) -> Result<(), Failure> {
    match command {
        EmbedCommand::Show => show(context),
        EmbedCommand::Get { model, yes } => get(model, *yes, context)?,
        EmbedCommand::Off => {
            sentence_model::off(context)?;
            talk("Search now uses words only.");
        }
    }
    Ok(())
}

/// Prints at the end of `init` how search could be improved, and the size of the download. It does not ask, because
/// `init` asks one question already.
pub(crate) fn offer(context: &Context) {
    if sentence_model::report(context).folder.is_some() {
        return;
    }
    let model = &MODELS[0];
    talk(&format!(
        "Search uses words only: `acreta model embed get {}` downloads a sentence model ({}) that also finds paraphrases.",
        model.name,
        megabytes(model.bytes())
    ));
}

fn show(context: &Context) {
    let report = sentence_model::report(context);
    if context.json {
        json(&report);
        return;
    }
    match &report.folder {
        Some(folder) => line(&format!("in use: {folder}")),
        None => line("in use: none; search uses words only"),
    }
    for model in report.known {
        line(&described(model, context));
    }
}

fn get(model: &str, yes: bool, context: &Context) -> Result<(), Failure> {
    let path = Utf8Path::new(model);
    if model.contains(['/', '\\']) || path.is_dir() {
        let folder = sentence_model::use_folder(context, path)?;
        return done(&folder, context);
    }
    let model = sentence_model::named(model)?;
    talk(&described(model, context));
    match agrees("fetch it?", Preset::Yes, yes)? {
        true => fetch(model, context),
        false => {
            talk("nothing was downloaded");
            Ok(())
        }
    }
}

fn fetch(model: &NamedModel, context: &Context) -> Result<(), Failure> {
    let bar = ProgressBar::new(model.bytes());
    if !is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {eta}") {
        bar.set_style(style);
    }
    let fetched = sentence_model::fetch(context, model, &mut |bytes| bar.set_position(bytes));
    bar.finish_and_clear();
    done(&fetched?, context)
}

fn done(folder: &Utf8Path, context: &Context) -> Result<(), Failure> {
    if context.json {
        json(&value!({ "folder": folder }));
        return Ok(());
    }
    talk(&format!(
        "Search now uses words and meaning, with the model in {folder}. Memories are embedded in the background; `acreta model embed off` switches it off."
    ));
    Ok(())
}

fn described(model: &NamedModel, context: &Context) -> String {
    format!(
        "{}  {}  {}, {}, from {}/{}",
        model.name,
        megabytes(model.bytes()),
        model.about,
        model.licence,
        context.config.text("search.hub").trim_end_matches('/'),
        model.repository
    )
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes.div_ceil(1_000_000))
}
