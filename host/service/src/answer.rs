//! Answers a question from memory with sources, or reports that memory does not answer it. Writes nothing.

use acreta_llm::{Message, Purpose, Request, Speaker};

use crate::ask::{Answer, JudgedPassage, Passage, judge, quote};
use crate::find::{Finder, FoundHit, MemoryFilter, memory_of, query};
use crate::models;
use crate::short_ids::ShortIds;
use crate::{Context, Failure};

/// Maximum number of tokens of an answer.
const ANSWER_TOKENS: u32 = 600;

/// Number of memories used to determine which words of a question are rare.
const LOOKED_AT: usize = 16;

/// Number of nearest memories named if none answers.
const NEAREST: usize = 2;

/// An answer with its sources, or the nearest memories.
pub struct Answered {
    /// Empty if memory does not answer.
    pub text: String,
    /// In the order of their numbers: the text refers to the first one as [1].
    pub sources: Vec<FoundHit>,
    /// The nearest memories, if the question is not answered.
    pub nearest: Vec<FoundHit>,
    /// `passages` or `model`.
    pub by: &'static str,
    /// Judgement of each memory, best first; empty if a model answered.
    pub judged: Vec<JudgedMemory>,
    /// Short ids of all memories in the scopes that commands use.
    pub short_ids: ShortIds,
}

impl Answered {
    pub fn is_answered(&self) -> bool {
        !self.text.is_empty()
    }
}

/// Judgement of a memory.
pub struct JudgedMemory {
    pub id: String,
    pub title: String,
    pub judged: JudgedPassage,
}

/// Answers a question from at most `limit` memories.
pub fn ask(
    question: &str,
    limit: usize,
    wanted: &MemoryFilter,
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

struct ChosenAnswer {
    answer: Answer,
    by: &'static str,
    judged: Vec<JudgedPassage>,
}

/// Returns the model's answer if there is one with valid sources, and otherwise sentences of memory.
fn decide(
    context: &Context,
    question: &str,
    passages: &[Passage],
    limit: usize,
) -> Result<ChosenAnswer, Failure> {
    let given = &passages[..limit.min(passages.len())];
    if !given.is_empty() {
        match ask_model(context, question, given)? {
            Some(Ok(answer)) => {
                return Ok(ChosenAnswer {
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
    Ok(ChosenAnswer {
        answer: quote(&judged),
        by: "passages",
        judged,
    })
}

/// Returns `None` if no model is configured.
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
