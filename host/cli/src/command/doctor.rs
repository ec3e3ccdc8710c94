//! `acreta doctor`. Exit code 0 if everything works, 3 with warnings, 1 if something is broken.

use acreta_service::overview::doctor::{Health, doctor};
use acreta_service::{Failure, Kind};

use crate::context::Context;
use crate::output::{count, json, line};

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
    let number = |health: Health| {
        let checks = checks.iter().filter(|check| check.health == health);
        checks.count() as u64
    };
    match checks.iter().map(|check| check.health).max() {
        Some(Health::Broken) => {
            let broken = count(number(Health::Broken), "problem", "problems");
            Err(Failure::saying(format!("doctor found {broken}")))
        }
        Some(Health::Warning) => {
            let warnings = count(number(Health::Warning), "warning", "warnings");
            Err(Failure::new(
                Kind::Partial,
                format!("doctor found {warnings}"),
            ))
        }
        _ => Ok(()),
    }
}
