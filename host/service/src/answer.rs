//! Answering a question from memory, with sources. Writes nothing.

use crate::ask::{Answer, Passage, extract};
use acreta_llm::{Message, Purpose, Request, Speaker};

use crate::find::{Finder, FoundHit, Wanted, memory_of, query};
use crate::models;
use crate::short_ids::ShortIds;
use crate::{Context, Failure};

/// Most that an answer may take.
const ANSWER_TOKENS: u32 = 600;

/// An answer and what it rests on.
pub struct Answered {
    /// Empty when memory does not say.
    pub text: String,
    /// With the numbers that the text names them by.
    pub sources: Vec<(usize, FoundHit)>,
    /// `passages` or `model`.
    pub by: &'static str,
    /// Of all memories in the scopes that commands look at.
    pub short_ids: ShortIds,
}

/// What memory says to a question, from at most so many memories.
pub fn ask(
    question: &str,
    limit: usize,
    wanted: &Wanted,
    context: &Context,
) -> Result<Answered, Failure> {
    let query = query(question.to_owned(), limit, wanted, context)?;
    let found = Finder::new(context, wanted).find(&query)?;
    let mut passages = Vec::new();
    for found in &found {
        let memory = memory_of(found)?;
        passages.push(Passage {
            id: found.hit.id.clone(),
            title: found.hit.title.clone(),
            body: memory.map_or_else(String::new, |memory| memory.body().to_owned()),
            score: found.hit.score,
        });
    }
    let (answer, by) = answer(context, question, &passages)?;
    let used = |index: &usize| answer.sources.contains(index);
    let sources = found.into_iter().enumerate();
    Ok(Answered {
        sources: sources
            .filter(|(index, _)| used(index))
            .map(|(index, found)| (index + 1, found))
            .collect(),
        text: answer.text,
        by,
        short_ids: ShortIds::known(context)?,
    })
}

/// The model's answer where there is one and its sources are real; what memory says itself, otherwise.
fn answer(
    context: &Context,
    question: &str,
    passages: &[Passage],
) -> Result<(Answer, &'static str), Failure> {
    if !passages.is_empty() {
        match ask_model(context, question, passages)? {
            Some(Ok(answer)) => return Ok((answer, "model")),
            Some(Err(reason)) => context.warn(&format!("answered without the model: {reason}")),
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
) -> Result<Option<Result<Answer, String>>, Failure> {
    let Some(session) = models::session(context, Purpose::Ask)? else {
        return Ok(None);
    };
    let (rules, asked) = crate::ask::prompt(question, passages);
    let reply = session.complete(&Request {
        purpose: Purpose::Ask,
        messages: vec![
            Message::new(Speaker::System, rules),
            Message::new(Speaker::User, asked),
        ],
        json_schema: Some(crate::ask::SCHEMA.to_owned()),
        max_output_tokens: ANSWER_TOKENS,
    });
    let answer = match reply {
        Ok(reply) => crate::ask::check(&reply.content, passages),
        Err(error) => Err(error.to_string()),
    };
    Ok(Some(answer))
}
