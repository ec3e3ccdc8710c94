//! `acreta ask`: answers from memory with sources, or shows the passages nearest to the question. Writes nothing.

use acreta_service::Failure;
use acreta_service::find::answer::{Answered, FoundPassage, ask};
use serde::Serialize;

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
    passage: &'a str,
    sure: u8,
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
            explain(&answered);
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
        value["compared"] = serde_json::json!(sources(&answered.compared));
    }
    json(&value);
}

fn sources(found: &[FoundPassage]) -> Vec<AnswerSourceRow<'_>> {
    let numbered = found.iter().zip(1..);
    numbered
        .map(|(one, number)| AnswerSourceRow {
            number,
            id: &one.found.hit.id,
            scope: &one.found.scope,
            title: &one.found.hit.title,
            path: one.found.hit.path.as_str(),
            trust: one.found.hit.trust.name(),
            passage: &one.passage,
            sure: one.sure,
        })
        .collect()
}

fn print(answered: &Answered) {
    let trust = |source: &AnswerSourceRow<'_>| match source.trust {
        "untrusted" => ", untrusted",
        _ => "",
    };
    if !answered.is_answered() {
        let nearest = sources(&answered.nearest);
        let (near, far): (Vec<_>, Vec<_>) = nearest.iter().partition(|one| !one.passage.is_empty());
        line(match near.is_empty() {
            true => "Nothing in memory answers this.",
            false => "Nothing in memory surely answers this.",
        });
        let has_near = !near.is_empty();
        for source in near {
            let (id, trust) = (answered.short_ids.of(source.id), trust(source));
            line("");
            line(&format!("Perhaps ({} %): {}", source.sure, source.passage));
            line(&format!(
                "  {id}  {} ({}{trust})",
                source.path, source.scope
            ));
        }
        if !has_near && !far.is_empty() {
            line("The nearest memories:");
            for source in far {
                let (id, trust) = (answered.short_ids.of(source.id), trust(source));
                line(&format!(
                    "  {id}  {} ({}{trust})",
                    source.title, source.scope
                ));
            }
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

fn explain(answered: &Answered) {
    line("");
    for one in sources(&answered.compared) {
        let id = answered.short_ids.of(one.id);
        line(&format!("{:>3} %  {id}  {}", one.sure, one.title));
    }
}
