//! Answering a question from memory, with sources, or saying that memory does not answer it. Writes nothing.

use acreta_llm::{Message, Purpose, Request, Speaker};

use crate::ask::{Answer, Judged, Passage, judge, quote};
use crate::find::{Finder, FoundHit, Wanted, memory_of, query};
use crate::models;
use crate::short_ids::ShortIds;
use crate::{Context, Failure};

/// Most that an answer may take.
const ANSWER_TOKENS: u32 = 600;

/// Memories that are looked at to see which words of a question are rare.
const LOOKED_AT: usize = 16;

/// Memories that are named when none answers.
const NEAREST: usize = 2;

/// An answer and what it rests on, or where to look instead.
pub struct Answered {
    /// Empty when memory does not answer.
    pub text: String,
    /// In the order of their numbers: the text calls the first one [1].
    pub sources: Vec<FoundHit>,
    /// The memories nearest to a question that is not answered.
    pub nearest: Vec<FoundHit>,
    /// `passages` or `model`.
    pub by: &'static str,
    /// How each memory was judged, the one that fits best first; empty if a model answered.
    pub judged: Vec<JudgedMemory>,
    /// Of all memories in the scopes that commands look at.
    pub short_ids: ShortIds,
}

impl Answered {
    pub fn is_answered(&self) -> bool {
        !self.text.is_empty()
    }
}

/// How a memory was judged.
pub struct JudgedMemory {
    pub id: String,
    pub title: String,
    pub judged: Judged,
}

/// What memory says to a question, from at most so many memories.
pub fn ask(
    question: &str,
    limit: usize,
    wanted: &Wanted,
    context: &Context,
) -> Result<Answered, Failure> {
    let query = query(question.to_owned(), limit.max(LOOKED_AT), wanted, context)?;
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
    let decided = decide(context, question, &passages, limit)?;
    let nearest: Vec<usize> = match (decided.answer.text.is_empty(), decided.judged.is_empty()) {
        (false, _) => Vec::new(),
        (true, true) => (0..found.len()).take(NEAREST).collect(),
        (true, false) => {
            let judged = decided.judged.iter().take(NEAREST);
            judged.map(|one| one.passage).collect()
        }
    };
    let of = |passage: &usize| found[*passage].clone();
    Ok(Answered {
        sources: decided.answer.sources.iter().map(of).collect(),
        nearest: nearest.iter().map(of).collect(),
        judged: decided
            .judged
            .into_iter()
            .map(|judged| JudgedMemory {
                id: passages[judged.passage].id.clone(),
                title: passages[judged.passage].title.clone(),
                judged,
            })
            .collect(),
        text: decided.answer.text,
        by: decided.by,
        short_ids: ShortIds::known(context)?,
    })
}

struct Decided {
    answer: Answer,
    by: &'static str,
    judged: Vec<Judged>,
}

/// The model's answer where there is one and its sources are real; what memory says itself, otherwise.
fn decide(
    context: &Context,
    question: &str,
    passages: &[Passage],
    limit: usize,
) -> Result<Decided, Failure> {
    let given = &passages[..limit.min(passages.len())];
    if !given.is_empty() {
        match ask_model(context, question, given)? {
            Some(Ok(answer)) => {
                return Ok(Decided {
                    answer,
                    by: "model",
                    judged: Vec::new(),
                });
            }
            Some(Err(reason)) => context.warn(&format!("answered without the model: {reason}")),
            None => {}
        }
    }
    let judged = judge(question, passages, limit);
    Ok(Decided {
        answer: quote(&judged),
        by: "passages",
        judged,
    })
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
