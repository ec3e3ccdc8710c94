//! `acreta ask`: answers from memory with sources, or suggests where to look. Writes nothing.

use acreta_service::Failure;
use acreta_service::answer::{Answered, JudgedMemory, ask};
use acreta_service::ask::{FIGURE_NAMES, asks_for};
use acreta_service::find::FoundHit;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::args::AskArguments;
use crate::context::Context;
use crate::output::{json, line};

#[derive(Serialize)]
struct AnswerSourceRow<'a> {
    number: usize,
    id: &'a str,
    scope: &'a str,
    title: &'a str,
    path: &'a str,
    trust: &'static str,
}

pub(crate) fn run(arguments: &AskArguments, context: &Context) -> Result<(), Failure> {
    let question = arguments.question.join(" ");
    let wanted = arguments.filter.wanted();
    let answered = ask(&question, arguments.limit, &wanted, context)?;
    if context.json {
        print_json(&question, &answered, arguments.explain);
    } else {
        print(&answered);
        if arguments.explain {
            explain(&question, &answered);
        }
    }
    Ok(())
}

fn print_json(question: &str, answered: &Answered, explain: bool) {
    let mut value = serde_json::json!({
        "question": question,
        "answered": answered.is_answered(),
        "answer": answered.text,
        "sources": sources(&answered.sources),
        "nearest": sources(&answered.nearest),
        "by": answered.by,
    });
    if explain {
        let judged: Vec<Value> = answered.judged.iter().map(judged).collect();
        value["asks_for"] = asks_for(question).into();
        value["judged"] = judged.into();
    }
    json(&value);
}

fn judged(memory: &JudgedMemory) -> Value {
    let judged = &memory.judged;
    let figures = FIGURE_NAMES.iter().zip(judged.figures);
    let figures: Map<String, Value> = figures
        .map(|(name, figure)| ((*name).to_owned(), figure.into()))
        .collect();
    serde_json::json!({
        "id": memory.id,
        "title": memory.title,
        "quote": judged.quote,
        "probability": judged.probability,
        "figures": figures,
    })
}

fn sources(found: &[FoundHit]) -> Vec<AnswerSourceRow<'_>> {
    let numbered = found.iter().zip(1..);
    numbered
        .map(|(found, number)| AnswerSourceRow {
            number,
            id: &found.hit.id,
            scope: &found.scope,
            title: &found.hit.title,
            path: found.hit.path.as_str(),
            trust: found.hit.trust.name(),
        })
        .collect()
}

fn print(answered: &Answered) {
    let trust = |source: &AnswerSourceRow<'_>| match source.trust {
        "untrusted" => ", untrusted",
        _ => "",
    };
    if !answered.is_answered() {
        line("Nothing in memory answers this.");
        if !answered.nearest.is_empty() {
            line("The nearest memories:");
        }
        for source in sources(&answered.nearest) {
            let (id, trust) = (answered.short_ids.of(source.id), trust(&source));
            line(&format!(
                "  {id}  {} ({}{trust})",
                source.title, source.scope
            ));
        }
        return;
    }
    line(&answered.text);
    line("");
    for source in sources(&answered.sources) {
        line(&format!(
            "[{}] {} {} ({}{})",
            source.number,
            answered.short_ids.of(source.id),
            source.path,
            source.scope,
            trust(&source)
        ));
    }
}

fn explain(question: &str, answered: &Answered) {
    line("");
    line(&format!("asks for: {}", asks_for(question)));
    for memory in &answered.judged {
        let judged = &memory.judged;
        let id = answered.short_ids.of(&memory.id);
        line(&format!(
            "{:.2}  {id}  {}",
            judged.probability,
            judged.quote.join(" ")
        ));
        let figures = FIGURE_NAMES.iter().zip(judged.figures);
        let figures: Vec<String> = figures
            .map(|(name, figure)| format!("{name} {figure:.2}"))
            .collect();
        line(&format!("      {}", figures.join(", ")));
    }
}
