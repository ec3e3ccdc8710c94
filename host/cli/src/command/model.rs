//! `acreta model list|use|test|off`, and the question that `acreta init` asks once. `embed` is in its own file.

use std::io::BufRead;

use acreta_service::models::choice::{
    self, ModelAccess, ModelList, ModelOption, Readiness, ReadingEstimate, TrialReading,
};
use acreta_service::overview::status::Spending;
use acreta_service::process::clock::shown;
use acreta_service::{Failure, Kind};

use crate::args::ModelCommand;
use crate::consent::is_terminal;
use crate::context::Context;
use crate::output::{count, json, line, table, talk};
use crate::progress::{QuietProgress, Terminal};

/// Number of recent sessions for an estimate.
const RECENT: usize = 5;

pub(crate) fn run(command: &ModelCommand, context: &Context) -> Result<(), Failure> {
    match command {
        ModelCommand::List => {
            let list = choice::list(context)?;
            match context.json {
                true => json(&list),
                false => print_list(&list),
            }
            Ok(())
        }
        ModelCommand::Use { name } => select(name, context),
        ModelCommand::Embed(command) => super::embed::run(command, context),
        ModelCommand::Test { file, model } => {
            let progress = Terminal::new();
            let trial = choice::trial(context, model.as_deref(), file.as_deref(), &progress);
            progress.done();
            let trial = trial?;
            match context.json {
                true => json(&trial),
                false => print_trial(&trial),
            }
            match trial.shortfall {
                Some(cause) => {
                    let message = format!("only part of the session was read: {cause}");
                    Err(Failure::new(Kind::Partial, message))
                }
                None => Ok(()),
            }
        }
        ModelCommand::Off => {
            choice::off(context)?;
            talk(
                "No model is used from now on. Rules alone find little of what is worth remembering.",
            );
            Ok(())
        }
    }
}

fn select(name: &str, context: &Context) -> Result<(), Failure> {
    if let Some(obstacle) = choice::select(context, name)? {
        return Err(obstacle);
    }
    talk(&format!(
        "{name} now reads your sessions; `acreta model test` tries it, `acreta model off` switches it off"
    ));
    Ok(())
}

/// Asks who should read sessions, unless that was answered before. `chosen` answers without a terminal.
pub(crate) fn ask(chosen: Option<&str>, may_ask: bool, context: &Context) -> Result<(), Failure> {
    match chosen {
        Some("none") => return answer_nobody(context),
        Some(name) => return select(name, context),
        None if choice::is_answered(context) => return Ok(()),
        None => {}
    }
    if !may_ask || !is_terminal() {
        talk(
            "No model reads your sessions, and rules alone find little: `acreta model list` shows the available ones.",
        );
        return Ok(());
    }
    talk("");
    talk("Who should read your sessions?");
    talk("Rules alone find little of what is worth remembering; a model finds most of it.");
    let list = choice::list(context)?;
    let choices = choices(&list.found);
    if choices.is_empty() {
        talk(
            "No agent program, local model server or API key was found. `acreta model list` looks again.",
        );
        return Ok(());
    }
    show_choices(&choices);
    show_outlook(&choices, &list.spending, context);
    let numbers = match choices.len() {
        1 => "1".to_owned(),
        most => format!("1–{most}"),
    };
    let _quiet = QuietProgress::new();
    loop {
        talk(&format!("Choose {numbers}, or press Enter for nobody:"));
        let mut answer = String::new();
        let read = std::io::stdin().lock().read_line(&mut answer);
        let answer = match read {
            Ok(_) => chosen_of(&answer, &choices),
            Err(_) => Some(None),
        };
        match answer {
            Some(Some(choice)) => return select(&choice.name, context),
            Some(None) => return answer_nobody(context),
            None => talk("That is none of them."),
        }
    }
}

/// Returns the choice that an answer names by number or name: `Some(None)` for nobody, `None` if it names none.
fn chosen_of<'c, 'a>(
    answer: &str,
    choices: &'c [ReaderChoice<'a>],
) -> Option<Option<&'c ReaderChoice<'a>>> {
    let answer = answer.trim().to_lowercase();
    if matches!(answer.as_str(), "" | "0" | "n" | "no" | "nobody" | "none") {
        return Some(None);
    }
    let number = answer.parse::<usize>().ok();
    let by_number = number.and_then(|number| choices.get(number.wrapping_sub(1)));
    let by_name = || {
        choices
            .iter()
            .find(|choice| choice.name.to_lowercase() == answer)
    };
    by_number.or_else(by_name).map(Some)
}

fn answer_nobody(context: &Context) -> Result<(), Failure> {
    choice::off(context)?;
    talk(
        "Only rules read your sessions, and they find little. `acreta model use NAME` changes that.",
    );
    Ok(())
}

/// One choice of the question: a provider with one of its models.
struct ReaderChoice<'a> {
    name: String,
    model: String,
    found: &'a ModelOption,
}

fn choices(found: &[ModelOption]) -> Vec<ReaderChoice<'_>> {
    let usable = found
        .iter()
        .filter(|found| found.readiness != Readiness::LoggedOut);
    usable
        .flat_map(|found| {
            let with = |model: &str| ReaderChoice {
                name: match model {
                    "" => found.provider.clone(),
                    model => format!("{}/{model}", found.provider),
                },
                model: model.to_owned(),
                found,
            };
            match found.models.is_empty() {
                true => vec![with("")],
                false => found.models.iter().map(|model| with(model)).collect(),
            }
        })
        .collect()
}

fn show_choices(choices: &[ReaderChoice<'_>]) {
    let mut rows: Vec<Vec<String>> = choices
        .iter()
        .enumerate()
        .map(|(index, choice)| {
            vec![
                format!("  {}", index + 1),
                choice.name.clone(),
                match choice.found.readiness {
                    Readiness::Unknown => format!("{} (login unknown)", choice.found.label),
                    _ => choice.found.label.clone(),
                },
                choice.found.destination.clone(),
            ]
        })
        .collect();
    rows.push(vec![
        "  0".to_owned(),
        "nobody".to_owned(),
        "rules alone".to_owned(),
        "nothing leaves this machine".to_owned(),
    ]);
    talk("");
    table(&rows);
    talk("");
}

fn show_outlook(choices: &[ReaderChoice<'_>], spending: &Spending, context: &Context) {
    talk("Looking at your last sessions (the first time takes a few seconds) …");
    match choice::outlook(context, RECENT) {
        Ok(outlook) if outlook.sessions > 0 => {
            talk(&outlook_line(&outlook));
            for choice in choices {
                if let Some(dollars) =
                    choice::list_price(&outlook, &choice.found.provider, &choice.model)
                    && dollars > 0.0
                {
                    talk(&format!("  with {}: at most ${dollars:.2}", choice.name));
                }
            }
        }
        Ok(_) => talk("No session was found yet, so there is no estimate."),
        Err(error) => talk(&format!("No estimate: {error}")),
    }
    talk(&limits_line(spending));
    if choices
        .iter()
        .any(|choice| choice.found.access == ModelAccess::Plan)
    {
        talk("Calls on a plan also count towards that plan's own limits.");
    }
    talk("The text of sessions is sent only to the one you choose, with secrets redacted.");
}

fn outlook_line(outlook: &ReadingEstimate) -> String {
    format!(
        "Your last {} would have taken {} and {} tokens.",
        count(outlook.sessions, "session", "sessions"),
        count(outlook.calls, "call", "calls"),
        thousands(outlook.input_tokens + outlook.output_tokens),
    )
}

fn limits_line(spending: &Spending) -> String {
    let of = |used: String, limit: Option<String>, what: &str| match limit {
        Some(limit) => format!("{used} of {limit} {what}"),
        None => format!("{used} {what}"),
    };
    let mut parts = vec![
        of(
            spending.calls.to_string(),
            spending.calls_limit.map(|calls| calls.to_string()),
            "calls",
        ),
        of(
            thousands(spending.tokens),
            spending.tokens_limit.map(thousands),
            "tokens",
        ),
    ];
    if spending.dollars > 0.0 || spending.dollars_limit.is_some() {
        parts.push(of(
            format!("${:.2}", spending.dollars),
            spending
                .dollars_limit
                .map(|dollars| format!("${dollars:.2}")),
            "billed",
        ));
    }
    if spending.list_dollars > 0.0 {
        parts.push(format!(
            "${:.2} at list price on plans",
            spending.list_dollars
        ));
    }
    let mut text = format!("Used today: {}.", parts.join(", "));
    for blocked in &spending.blocked {
        text.push_str(&format!(
            " {} accepts no calls before {} UTC: {}.",
            blocked.provider,
            shown(blocked.until_ms),
            blocked.reason
        ));
    }
    text
}

fn print_list(list: &ModelList) {
    match &list.current {
        Some(current) => talk(&format!("{current} reads your sessions.")),
        None => talk("Only rules read your sessions, and they find little."),
    }
    if list.found.is_empty() {
        talk("No agent program, local model server or API key was found.");
    } else {
        let head = ["name", "state", "what it is", "where text goes"];
        let mut rows = vec![head.map(str::to_owned).to_vec()];
        for found in &list.found {
            let names = match found.models.is_empty() {
                true => vec![found.provider.clone()],
                false => {
                    let name = |model: &String| format!("{}/{model}", found.provider);
                    found.models.iter().map(name).collect()
                }
            };
            for name in names {
                rows.push(vec![
                    name,
                    readiness(found),
                    found.label.clone(),
                    found.destination.clone(),
                ]);
            }
        }
        table(&rows);
    }
    talk(&limits_line(&list.spending));
    if list.current.is_none() && !list.found.is_empty() {
        talk(
            "`acreta model use NAME` chooses one, `acreta model test --model NAME` tries it on one session.",
        );
    }
}

fn readiness(found: &ModelOption) -> String {
    match (found.readiness, &found.remedy) {
        (Readiness::Ready, _) => "ready".to_owned(),
        (Readiness::LoggedOut, Some(remedy)) => format!("not logged in: {remedy}"),
        (Readiness::LoggedOut, None) => "not logged in".to_owned(),
        (Readiness::Unknown, _) => "login unknown".to_owned(),
    }
}

fn print_trial(trial: &TrialReading) {
    talk(&format!(
        "{} read {} of {} session {} in {:.1} s",
        trial.reader,
        count(trial.events, "event", "events"),
        trial.agent,
        trial.session,
        trial.total_ms as f64 / 1000.0
    ));
    for memory in &trial.found {
        let kind = match memory.kind.is_empty() {
            true => &memory.memory_type,
            false => &memory.kind,
        };
        line(&format!("{kind}: {}", memory.title));
        line(&format!("    {}", memory.body));
        for quote in &memory.quotes {
            line(&format!("    > {}", quote.replace('\n', " ")));
        }
    }
    if trial.found.is_empty() {
        talk("It found nothing worth remembering in this session.");
    }
    crate::spending::tell([&trial.usage]);
    talk("This was a trial: nothing was written.");
}

/// Formats `1234567` as `1,234,567`.
fn thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            shown.push(',');
        }
        shown.push(digit);
    }
    shown
}

#[cfg(test)]
mod tests {
    use acreta_service::models::choice::{ModelAccess, ModelOption, Readiness};

    use super::{choices, chosen_of, thousands};

    #[test]
    fn an_answer_names_a_reader_or_nobody_or_is_asked_for_again() {
        let option = ModelOption {
            provider: "claude".to_owned(),
            models: vec!["haiku".to_owned(), "Sonnet".to_owned()],
            label: String::new(),
            access: ModelAccess::Plan,
            readiness: Readiness::Ready,
            destination: String::new(),
            version: None,
            remedy: None,
        };
        let options = [option];
        let choices = choices(&options);
        let nobody = Some(None);
        for (answer, expected) in [
            ("1\n", Some(Some("claude/haiku"))),
            (" 2 \n", Some(Some("claude/Sonnet"))),
            ("claude/sonnet", Some(Some("claude/Sonnet"))),
            ("", nobody),
            ("\n", nobody),
            ("0", nobody),
            ("N", nobody),
            ("nobody", nobody),
            ("7", None),
            ("gpt", None),
        ] {
            let chosen = chosen_of(answer, &choices);
            let chosen = chosen.map(|one| one.map(|choice| choice.name.as_str()));
            assert_eq!(chosen, expected, "{answer:?}");
        }
    }

    #[test]
    fn numbers_are_grouped() {
        for (number, shown) in [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (1_234_567, "1,234,567"),
        ] {
            assert_eq!(thousands(number), shown);
        }
    }
}
