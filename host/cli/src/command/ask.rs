//! `acreta ask`: an answer from memory, with sources. Writes nothing.

use acreta_ask::{Answer, Passage, extract};
use acreta_llm::{Message, Purpose, Request, Speaker};
use serde::Serialize;

use super::memory::{Finder, query};
use crate::args::AskArguments;
use crate::context::Context;
use crate::failure::CliError;
use crate::models;
use crate::output::{json, line, talk, warn};

/// Most that an answer may take.
const ANSWER_TOKENS: u32 = 600;

#[derive(Serialize)]
struct Source<'a> {
    number: usize,
    id: &'a str,
    scope: &'a str,
    title: &'a str,
    path: &'a str,
    trust: &'static str,
}

pub(crate) fn run(arguments: &AskArguments, context: &Context) -> Result<(), CliError> {
    let question = arguments.question.join(" ");
    let query = query(
        question.clone(),
        arguments.limit,
        &arguments.filter,
        context,
    )?;
    let found = Finder::new(context, &arguments.filter).find(&query)?;
    let mut passages = Vec::new();
    for found in &found {
        let memory = super::memory::memory_of(found)?;
        passages.push(Passage {
            id: found.hit.id.clone(),
            title: found.hit.title.clone(),
            body: memory.map_or_else(String::new, |memory| memory.body().to_owned()),
            score: found.hit.score,
        });
    }
    let (answer, by) = answer(context, &question, &passages)?;
    let sources: Vec<Source<'_>> = answer
        .sources
        .iter()
        .map(|index| {
            let found = &found[*index];
            Source {
                number: index + 1,
                id: &found.hit.id,
                scope: &found.scope,
                title: &found.hit.title,
                path: found.hit.path.as_str(),
                trust: found.hit.trust.name(),
            }
        })
        .collect();
    print(&question, &answer, by, &sources, context);
    Ok(())
}

/// The model's answer where there is one and its sources are real; what memory says itself, otherwise.
fn answer(
    context: &Context,
    question: &str,
    passages: &[Passage],
) -> Result<(Answer, &'static str), CliError> {
    if !passages.is_empty() {
        match ask_model(context, question, passages)? {
            Some(Ok(answer)) => return Ok((answer, "model")),
            Some(Err(reason)) => warn(&format!("answered without the model: {reason}")),
            None => {}
        }
    }
    Ok((extract(question, passages), "passages"))
}

/// None when no model is configured.
fn ask_model(
    context: &Context,
    question: &str,
    passages: &[Passage],
) -> Result<Option<Result<Answer, String>>, CliError> {
    let Some(session) = models::session(context, Purpose::Ask)? else {
        return Ok(None);
    };
    let (rules, asked) = acreta_ask::prompt(question, passages);
    let reply = session.complete(&Request {
        purpose: Purpose::Ask,
        messages: vec![
            Message::new(Speaker::System, rules),
            Message::new(Speaker::User, asked),
        ],
        json_schema: Some(acreta_ask::SCHEMA.to_owned()),
        max_output_tokens: ANSWER_TOKENS,
    });
    let answer = match reply {
        Ok(reply) => acreta_ask::check(&reply.content, passages),
        Err(error) => Err(error.to_string()),
    };
    Ok(Some(answer))
}

fn print(
    question: &str,
    answer: &Answer,
    by: &'static str,
    sources: &[Source<'_>],
    context: &Context,
) {
    if context.json {
        return json(&serde_json::json!({
            "question": question,
            "answer": answer.text,
            "sources": sources,
            "by": by,
        }));
    }
    if answer.text.is_empty() {
        return talk("memory does not say");
    }
    line(&answer.text);
    line("");
    for source in sources {
        let trust = match source.trust {
            "untrusted" => ", untrusted",
            _ => "",
        };
        line(&format!(
            "[{}] {} {} ({}{trust})",
            source.number, source.id, source.path, source.scope
        ));
    }
}
