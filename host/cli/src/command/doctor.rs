//! `acreta doctor`. Exit code 0 when all is well, 3 with warnings, 1 when something is broken.

use acreta_service::doctor::{Health, doctor};
use acreta_service::{Failure, Kind};

use crate::context::Context;
use crate::output::{json, line};

pub(crate) fn run(context: &Context) -> Result<(), Failure> {
    let checks = doctor(context)?;
    if context.json {
        json(&checks);
    } else {
        for check in &checks {
            let sign = match check.health {
                Health::Fine => "ok  ",
                Health::Warning => "warn",
                Health::Broken => "FAIL",
            };
            line(&format!("{sign}  {:10} {}", check.name, check.message));
            if let Some(hint) = &check.hint {
                line(&format!("      {:10} {hint}", ""));
            }
        }
    }
    match checks.iter().map(|check| check.health).max() {
        Some(Health::Broken) => Err(Failure::saying("something is broken")),
        Some(Health::Warning) => Err(Failure::new(Kind::Partial, "there are warnings")),
        _ => Ok(()),
    }
}
