//! `acreta ask`: an answer from memory, with sources. Writes nothing.

use acreta_service::Failure;
use acreta_service::answer::{Answered, ask};
use serde::Serialize;

use crate::args::AskArguments;
use crate::context::Context;
use crate::output::{json, line, talk};

#[derive(Serialize)]
struct Source<'a> {
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
    print(&question, &answered, context);
    Ok(())
}

fn print(question: &str, answered: &Answered, context: &Context) {
    let sources = answered.sources.iter().map(|(number, found)| Source {
        number: *number,
        id: &found.hit.id,
        scope: &found.scope,
        title: &found.hit.title,
        path: found.hit.path.as_str(),
        trust: found.hit.trust.name(),
    });
    if context.json {
        return json(&serde_json::json!({
            "question": question,
            "answer": answered.text,
            "sources": sources.collect::<Vec<_>>(),
            "by": answered.by,
        }));
    }
    if answered.text.is_empty() {
        return talk("memory does not say");
    }
    line(&answered.text);
    line("");
    for source in sources {
        let trust = match source.trust {
            "untrusted" => ", untrusted",
            _ => "",
        };
        line(&format!(
            "[{}] {} {} ({}{trust})",
            source.number,
            answered.short_ids.of(source.id),
            source.path,
            source.scope
        ));
    }
}
