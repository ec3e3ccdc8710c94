//! Answers a question from memory with sources, or shows the passages that are nearest to it. Writes nothing.

use acreta_llm::{Message, Purpose, Request, Speaker};

use crate::find::ask::{Answer, Passage, Question, QuotedPassage};
use crate::find::query::{Finder, FoundHit, MemoryFilter, memory_of, query};
use crate::find::short_ids::ShortIds;
use crate::models::opened;
use crate::projects::scopes::MemoryScope;
use crate::recall::Vocabulary;
use crate::{Context, Failure};

/// Maximum number of tokens of an answer.
const ANSWER_TOKENS: u32 = 600;

/// Number of memories that are compared with a question.
const LOOKED_AT: usize = 16;

/// Number of passages shown.
const SHOWN: usize = 2;

/// An answer with its sources, or the nearest memories.
pub struct Answered {
    /// Empty if memory does not answer.
    pub text: String,
    /// In the order of their numbers: the text refers to the first one as [1].
    pub sources: Vec<FoundPassage>,
    /// The nearest memories, if the question is not answered.
    pub nearest: Vec<FoundPassage>,
    /// `passages` or `model`.
    pub by: &'static str,
    /// How sure it is of each memory, best first; empty if a model answered.
    pub compared: Vec<FoundPassage>,
    /// Short ids of all memories in the scopes that commands use.
    pub short_ids: ShortIds,
}

impl Answered {
    pub fn is_answered(&self) -> bool {
        !self.text.is_empty()
    }
}

/// A memory, and its passage that is nearest to the question.
#[derive(Clone)]
pub struct FoundPassage {
    pub found: FoundHit,
    /// Whole sentences that perhaps answer; empty if none is near, or if a model answered.
    pub passage: String,
    /// How sure it is that the passage answers, in percent: the share of the question's words that it has, weighed by
    /// how rare they are. 0 if a model answered.
    pub sure: u8,
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
            title: found.hit.title.clone(),
            body: memory.map_or_else(String::new, |memory| memory.body().to_owned()),
            score: found.hit.score,
            closeness: found.hit.closeness,
        });
    }
    let short_ids = ShortIds::known(context)?;
    let given = &passages[..limit.min(passages.len())];
    let by_model = if given.is_empty() {
        None
    } else {
        ask_model(context, question, given)?
    };
    match by_model {
        Some(Ok(answer)) => {
            let of = |place: usize| FoundPassage {
                found: found[place].clone(),
                passage: String::new(),
                sure: 0,
            };
            let nearest = match answer.text.is_empty() {
                true => (0..found.len()).take(SHOWN).map(of).collect(),
                false => Vec::new(),
            };
            return Ok(Answered {
                sources: answer.sources.iter().map(|place| of(*place)).collect(),
                nearest,
                text: answer.text,
                by: "model",
                compared: Vec::new(),
                short_ids,
            });
        }
        Some(Err(reason)) => context.warn(&format!("answered without the model: {reason}")),
        None => {}
    }
    let question = Question::new(question);
    let vocabulary = vocabulary(&question, context)?;
    let quoted = question.nearest(given, &vocabulary);
    let of = |one: &QuotedPassage| FoundPassage {
        found: found[one.passage].clone(),
        passage: match one.is_near() {
            true => one.quote.clone(),
            false => String::new(),
        },
        sure: one.percent(),
    };
    let mut answer = Answer::default();
    let answering = quoted.iter().take_while(|one| one.answers());
    let answering: Vec<&QuotedPassage> = answering.take(SHOWN).collect();
    for one in &answering {
        answer.add(&one.quote, &[one.passage]);
    }
    let nearest = match answering.is_empty() {
        true => quoted.iter().take(SHOWN).map(of).collect(),
        false => Vec::new(),
    };
    Ok(Answered {
        sources: answering.into_iter().map(of).collect(),
        nearest,
        text: answer.text,
        by: "passages",
        compared: quoted.iter().map(of).collect(),
        short_ids,
    })
}

/// Counts how many memories of the project and the global scope have each word of a question.
fn vocabulary(question: &Question, context: &Context) -> Result<Vocabulary, Failure> {
    let mut vocabulary = Vocabulary::default();
    for scope in [MemoryScope::project(context), MemoryScope::global(context)] {
        let index = scope.index(context);
        vocabulary.memories += index.ids()?.len() as u64;
        for (word, count) in index.frequencies(question.words())? {
            *vocabulary.frequencies.entry(word).or_default() += count;
        }
    }
    Ok(vocabulary)
}

/// Returns `None` if no model is configured.
fn ask_model(
    context: &Context,
    question: &str,
    passages: &[Passage],
) -> Result<Option<Result<Answer, String>>, Failure> {
    let Some(session) = opened::session(context, Purpose::Ask)? else {
        return Ok(None);
    };
    let (rules, asked) = crate::find::ask::prompt(question, passages);
    let reply = session.complete(&Request {
        purpose: Purpose::Ask,
        messages: vec![
            Message::new(Speaker::System, rules),
            Message::new(Speaker::User, asked),
        ],
        json_schema: Some(crate::find::ask::SCHEMA.to_owned()),
        max_output_tokens: ANSWER_TOKENS,
    });
    let answer = match reply {
        Ok(reply) => crate::find::ask::check(&reply.content, passages),
        Err(error) => Err(error.to_string()),
    };
    Ok(Some(answer))
}
