//! Messages about readings that fell short of the configured model. The same sentence for every command, `doctor` and
//! the dashboard.

use acreta_config::Config;
use acreta_llm::{Program, Purpose};
use acreta_state::{Catalog, WaitingReadings};
use acreta_types::Shortfall;

use crate::process::clock::{shown, shown_time};
use crate::{Context, Failure, models::opened, plugins};

/// The extractor that asks no model.
const RULES: &str = "extractor-rules";

/// Returns whether a model is configured to read the sessions of a project with these settings.
pub fn by_model(context: &Context, config: &Config) -> Result<bool, Failure> {
    if !opened::is_configured(config, Purpose::Extract) {
        return Ok(false);
    }
    for id in plugins::extractors(context, config)? {
        let source = plugins::find(context, &id)?;
        let is_granted = match source.is_builtin() {
            true => id != RULES,
            false => plugins::given(context, &source)?.llm.is_some(),
        };
        if is_granted {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Describes why a model did not read, in a few words.
pub fn cause(shortfall: &Shortfall, now_ms: u64) -> String {
    let provider = match shortfall.model.split('/').next() {
        Some(provider) if !provider.is_empty() => provider,
        _ => "the model",
    };
    let cause = match shortfall.code.as_str() {
        "rate-limited" => format!("usage limit of {provider}"),
        "budget" => "the budget for models is used up".to_owned(),
        "logged-out" => format!("{provider} is not logged in"),
        "no-key" => format!("{provider} has no key, or does not accept it"),
        "timeout" => format!("{provider} did not answer in time"),
        _ => match shortfall.reason.trim_end_matches('.') {
            "" => format!("{provider} did not answer"),
            reason => reason.to_owned(),
        },
    };
    match shortfall.retry_at_ms.filter(|at| *at > now_ms) {
        Some(at) => format!("{cause} until {}", until(at, now_ms)),
        None => cause,
    }
}

/// Returns what a person can do about a shortfall, if there is something.
pub fn remedy(shortfall: &Shortfall) -> Option<String> {
    let provider = shortfall.model.split('/').next().unwrap_or_default();
    Some(match shortfall.code.as_str() {
        "logged-out" => match Program::named(provider) {
            Some(program) => format!("log in with `{}`", program.login_command()),
            None => "log in to the agent that answers for the model".to_owned(),
        },
        "no-key" => "set the key of the provider in the environment".to_owned(),
        "budget" => {
            "`llm.budget.*` has the limits; `acreta status` shows today's spending".to_owned()
        }
        "provider" | "timeout" => format!("check that {provider} runs and can be reached"),
        _ => return None,
    })
}

/// Returns the last line of a command whose sessions were not read by the model. `waiting` counts all sessions that
/// will be read later.
pub fn fallback(shortfall: &Shortfall, is_partial: bool, waiting: u64, now_ms: u64) -> String {
    let begin = match is_partial {
        true => "Read only in part by a model",
        false => "Read without a model",
    };
    let waits = match waiting {
        0 => String::new(),
        1 => " 1 session waits and will be read later.".to_owned(),
        number => format!(" {number} sessions wait and will be read later."),
    };
    format!("{begin}: {}.{waits}", cause(shortfall, now_ms))
}

/// Describes how many sessions wait for a model and why, one line for each reason.
pub fn waiting(lines: &[WaitingReadings], now_ms: u64) -> Vec<String> {
    let line = |line: &WaitingReadings| {
        let sessions = match line.sessions {
            1 => "1 session waits".to_owned(),
            number => format!("{number} sessions wait"),
        };
        let cause = cause(
            &Shortfall {
                retry_at_ms: None,
                ..line.shortfall.clone()
            },
            now_ms,
        );
        let retry = match line.shortfall.retry_at_ms.filter(|at| *at > now_ms) {
            Some(at) => format!("tried again from {}", until(at, now_ms)),
            None => "tried again by the next sync".to_owned(),
        };
        format!("{sessions} for a model: {cause}; {retry}")
    };
    lines.iter().map(line).collect()
}

/// Returns how many sessions wait for a model.
pub fn waiting_sessions(catalog: &Catalog) -> Result<u64, Failure> {
    let lines = catalog.waiting_readings()?;
    Ok(lines.iter().map(|line| line.sessions).sum())
}

/// Formats a time of today, or date and time.
fn until(at_ms: u64, now_ms: u64) -> String {
    const DAY_MS: u64 = 24 * 60 * 60 * 1000;
    let time = match at_ms / DAY_MS == now_ms / DAY_MS {
        true => shown_time(at_ms)[..5].to_owned(),
        false => shown(at_ms),
    };
    format!("{time} UTC")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 2030-03-17 12:00.
    const NOON: u64 = 1_899_979_200_000;
    const HOUR: u64 = 3_600_000;

    #[test]
    fn a_fallback_is_one_plain_line() {
        let table = [
            (
                ("rate-limited", Some(NOON + HOUR), 3),
                "Read without a model: usage limit of claude until 13:00 UTC. 3 sessions wait and will be read later.",
            ),
            (
                ("budget", Some(NOON + 12 * HOUR), 1),
                "Read without a model: the budget for models is used up until 2030-03-18 00:00 UTC. 1 session waits and will be read later.",
            ),
            (
                ("logged-out", Some(NOON - HOUR), 0),
                "Read without a model: claude is not logged in.",
            ),
            (
                ("invalid-reply", None, 0),
                "Read without a model: the reply is no JSON.",
            ),
        ];
        for ((code, retry_at_ms, waiting), expected) in table {
            let shortfall = Shortfall {
                code: code.to_owned(),
                reason: "the reply is no JSON.".to_owned(),
                model: "claude/haiku".to_owned(),
                retry_at_ms,
            };
            assert_eq!(fallback(&shortfall, false, waiting, NOON), expected);
        }
    }
}
