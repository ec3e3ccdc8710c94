//! `acreta self check|update`: how this program was installed, and a newer one in its place.

use acreta_service::installation::{self, Installation, Replaced};
use acreta_service::{Environment, Failure};
use camino::Utf8Path;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use crate::args::SelfCommand;
use crate::command::serve::{program, restart};
use crate::consent::is_terminal;
use crate::environment::environment;
use crate::output::{json, line, talk, warn};

pub(crate) fn run(command: &SelfCommand, as_json: bool) -> Result<(), Failure> {
    let (environment, program) = (environment(), program()?);
    match command {
        SelfCommand::Check { online } => {
            let found = installation::check(&environment, &program, *online)?;
            match as_json {
                true => json(&found),
                false => show(&found),
            }
            Ok(())
        }
        SelfCommand::Update { allow_downgrade } => {
            let replaced = update(&environment, &program, *allow_downgrade)?;
            if replaced.replaced {
                // The program is new already, whatever becomes of the daemon.
                if let Err(failure) = restart(&replaced.program, &replaced.home) {
                    warn(&format!("the daemon could not be started anew: {failure}"));
                }
            }
            match as_json {
                true => json(&replaced),
                false => told(&replaced),
            }
            Ok(())
        }
    }
}

fn update(environment: &Environment, program: &Utf8Path, older: bool) -> Result<Replaced, Failure> {
    let bar = ProgressBar::new(0);
    if !is_terminal() {
        bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    if let Ok(style) = ProgressStyle::with_template("{bar:30} {bytes}/{total_bytes} {eta}") {
        bar.set_style(style);
    }
    let replaced = installation::update(environment, program, older, &mut |bytes, all| {
        bar.set_length(all);
        bar.set_position(bytes);
    });
    bar.finish_and_clear();
    replaced
}

fn show(found: &Installation) {
    line(&format!("acreta {} for {}", found.version, found.target));
    line(&format!("program       {}", found.program));
    line(&format!("installed by  {}", found.installed_by));
    line(&format!("to update     {}", found.update));
    if let Some(url) = &found.url {
        line(&format!("releases      {url}"));
    }
    if let Some(newest) = &found.newest {
        let note = match newest == found.version {
            true => " (this one)",
            false => "",
        };
        line(&format!("newest        {newest}{note}"));
    }
}

fn told(replaced: &Replaced) {
    let Replaced { from, to, .. } = replaced;
    match replaced.replaced {
        true => {
            talk(&format!(
                "replaced acreta {from} with {to}: {}",
                replaced.program
            ));
            talk(&format!("  from {}", replaced.source));
        }
        false => talk(&format!(
            "acreta {from} is the newest version at {}",
            replaced.source
        )),
    }
}
