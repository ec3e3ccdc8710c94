//! `acreta usage`.

use acreta_service::Failure;
use acreta_service::sessions::usage::{
    self, UsageBy, UsageFigures, UsageReport, UsageRequest, UsageRow,
};

use crate::args::{UsageArguments, UsageGroups};
use crate::context::Context;
use crate::output::{count, json, line, raw, table, talk, warn};

/// What stands for a figure that nobody recorded.
const UNKNOWN: &str = "?";

pub(crate) fn run(arguments: &UsageArguments, context: &Context) -> Result<(), Failure> {
    let by = match arguments.by {
        UsageGroups::Day => UsageBy::Day,
        UsageGroups::Project => UsageBy::Project,
        UsageGroups::Agent => UsageBy::Agent,
        UsageGroups::Model => UsageBy::Model,
    };
    let request = UsageRequest {
        by,
        agent: arguments.agent.clone(),
        project: arguments.this_project.then(|| context.project.clone()),
        since: Some(arguments.since.clone()),
        until: arguments.until.clone(),
    };
    let report = usage::usage(&request, context)?;
    for unreadable in &report.unreadable {
        let session = format!("{}/{}", unreadable.agent, unreadable.session);
        warn(&format!("{session} was not counted: {}", unreadable.cause));
    }
    if context.json {
        json(&report);
    } else if arguments.csv {
        raw(&csv(&report));
    } else {
        print(&report);
    }
    Ok(())
}

/// Prints today's figures on one line.
pub(crate) fn statusline(context: &Context) {
    let Some(today) = usage::today(context).filter(|today| today.sessions > 0) else {
        return line("acreta: nothing counted today");
    };
    let dollars = today.estimated_dollars.map(|it| format!(", ~${it:.2}"));
    line(&format!(
        "today: {}, {} tokens in, {} out{}",
        count(today.sessions, "session", "sessions"),
        short(today.input_tokens),
        short(today.output_tokens),
        dollars.unwrap_or_default()
    ));
}

fn print(report: &UsageReport) {
    if report.rows.is_empty() {
        return talk("no session in this time; `acreta sync` finds those of your agents");
    }
    let first = match report.by {
        UsageBy::Day => "day",
        UsageBy::Project => "project",
        UsageBy::Agent => "agent",
        UsageBy::Model => "model",
    };
    let head = [
        first, "sessions", "prompts", "calls", "failed", "time", "in", "cached", "out", "dollars",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let named = report.rows.iter();
    rows.extend(named.map(|row| cells(row.name.as_deref().unwrap_or(UNKNOWN), &row.figures)));
    if report.rows.len() > 1 {
        rows.push(cells("all", &report.total));
    }
    table(&rows);
    let total = &report.total;
    if total.sessions_without_tokens > 0 {
        let sessions = count(total.sessions_without_tokens, "session", "sessions");
        talk(&format!("{sessions} recorded no tokens"));
    }
    if total.unpriced_tokens > 0 {
        let tokens = short(Some(total.unpriced_tokens));
        talk(&format!(
            "{tokens} tokens have no estimate: their model is not in the price list, or not all of them are recorded"
        ));
    }
    if let Some(dollars) = total.recorded_dollars {
        talk(&format!(
            "agents themselves reckoned ${dollars:.2} for some of it"
        ));
    }
    if total.estimated_dollars.is_some() {
        talk(&format!(
            "dollars are estimates at the list prices of {}",
            report.prices_as_of
        ));
    }
}

fn cells(name: &str, figures: &UsageFigures) -> Vec<String> {
    let is_partial = figures.sessions_without_tokens > 0;
    let tokens = |count: Option<u64>| match count {
        Some(_) if is_partial => format!("{}+", short(count)),
        count => short(count),
    };
    let known = |count: Option<u64>| count.map_or_else(unknown, |count| count.to_string());
    let time = figures.active_minutes;
    let time = time.map_or_else(unknown, |it| format!("{}:{:02} h", it / 60, it % 60));
    let is_cheap = is_partial || figures.unpriced_tokens > 0;
    let dollars = figures.estimated_dollars.map(|dollars| match is_cheap {
        true => format!("~{dollars:.2}+"),
        false => format!("~{dollars:.2}"),
    });
    vec![
        name.to_owned(),
        figures.sessions.to_string(),
        figures.prompts.to_string(),
        figures.tool_calls.to_string(),
        known(figures.failed_calls),
        time,
        tokens(figures.input_tokens),
        tokens(figures.cache_read_tokens),
        tokens(figures.output_tokens),
        dollars.unwrap_or_else(unknown),
    ]
}

fn unknown() -> String {
    UNKNOWN.to_owned()
}

/// Formats a number with three digits or so: `987`, `12.3k`, `4.5M`.
fn short(count: Option<u64>) -> String {
    let Some(count) = count else {
        return unknown();
    };
    let units = [(1_000_000_000, "G"), (1_000_000, "M"), (1_000, "k")];
    match units.into_iter().find(|(unit, _)| count >= *unit) {
        None => count.to_string(),
        Some((unit, name)) => {
            let tenths = count / (unit / 10);
            format!("{}.{}{name}", tenths / 10, tenths % 10)
        }
    }
}

fn csv(report: &UsageReport) -> String {
    let mut text = String::from(
        "name,sessions,sessions_without_tokens,prompts,tool_calls,failed_calls,active_minutes,input_tokens,\
         output_tokens,cache_read_tokens,cache_write_tokens,recorded_dollars,estimated_dollars,unpriced_tokens\n",
    );
    for UsageRow { name, figures } in &report.rows {
        let known = |count: Option<u64>| count.map(|count| count.to_string()).unwrap_or_default();
        let dollars = |it: Option<f64>| it.map(|it| format!("{it:.6}")).unwrap_or_default();
        let cells = [
            quoted(name.as_deref().unwrap_or_default()),
            figures.sessions.to_string(),
            figures.sessions_without_tokens.to_string(),
            figures.prompts.to_string(),
            figures.tool_calls.to_string(),
            known(figures.failed_calls),
            known(figures.active_minutes),
            known(figures.input_tokens),
            known(figures.output_tokens),
            known(figures.cache_read_tokens),
            known(figures.cache_write_tokens),
            dollars(figures.recorded_dollars),
            dollars(figures.estimated_dollars),
            figures.unpriced_tokens.to_string(),
        ];
        text.push_str(&cells.join(","));
        text.push('\n');
    }
    text
}

/// Quotes a value of a CSV file, if it needs to be. A spreadsheet takes one that begins with such a sign for a formula.
fn quoted(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@']);
    let text = match is_formula {
        true => format!("'{text}"),
        false => text.to_owned(),
    };
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")),
        false => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let table = [
            (None, "?"),
            (Some(0), "0"),
            (Some(999), "999"),
            (Some(1_000), "1.0k"),
            (Some(12_345), "12.3k"),
            (Some(4_560_000), "4.5M"),
            (Some(2_000_000_000), "2.0G"),
        ];
        for (count, expected) in table {
            assert_eq!(short(count), expected);
        }
    }

    #[test]
    fn a_value_of_csv_is_one_value() {
        let table = [
            ("gpt-5", "gpt-5"),
            ("a,b", "\"a,b\""),
            ("a\"b", "\"a\"\"b\""),
            ("=1+1", "'=1+1"),
        ];
        for (text, expected) in table {
            assert_eq!(quoted(text), expected);
        }
    }
}
