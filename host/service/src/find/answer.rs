//! Answers a question from memory with sources, or shows the passages that are nearest to it, and what earlier sessions say
//! about it. Changes nothing in memory.

use acreta_llm::{Message, Purpose, Request, Speaker};
use acreta_types::Trust;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::find::ask::{Answer, Passage, Question, QuotedPassage};
use crate::find::cited_sessions::{CitedSessions, SessionSource, cited};
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

/// A question to memory.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskRequest {
    #[schemars(length(min = 1, max = 4000))]
    pub question: String,
    /// Maximum number of memories that an answer uses.
    #[serde(default = "sources")]
    #[schemars(range(min = 1, max = 50))]
    pub limit: usize,
    /// Also show how sure it is of each memory.
    #[serde(default)]
    pub explain: bool,
    /// Sessions that may be cited if memory does not answer.
    #[serde(skip)]
    pub sessions: CitedSessions,
}

/// Number of memories that an answer uses if the caller names none.
pub const SOURCES: usize = 8;

fn sources() -> usize {
    SOURCES
}

/// An answer with its sources, or the nearest memories.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "AskAnswer")]
pub struct Answered {
    pub question: String,
    /// False if memory does not surely answer the question.
    pub answered: bool,
    /// One or two passages of memory, or sentences of a model with a source each; empty if the question is not answered.
    #[serde(rename = "answer")]
    pub text: String,
    /// In the order of their numbers: the text refers to the first one as [1].
    pub sources: Vec<AnswerSource>,
    /// The nearest memories, if the question is not answered.
    pub nearest: Vec<AnswerSource>,
    /// What was said about it in earlier sessions, if the question is not answered. Nobody checked it, and nothing was learnt
    /// from it.
    pub sessions: Vec<SessionSource>,
    /// `passages` or `model`.
    pub by: &'static str,
    /// How sure it is of each memory, best first, if that was asked for; absent if a model answered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub compared: Vec<AnswerSource>,
    /// Short ids of all memories in the scopes that commands use.
    #[serde(skip)]
    pub short_ids: ShortIds,
}

/// A memory, and its passage that is nearest to the question.
#[derive(Clone, Serialize, JsonSchema)]
#[schemars(rename = "AskSource")]
pub struct AnswerSource {
    /// Number by which the answer refers to it.
    pub number: usize,
    pub id: String,
    pub scope: String,
    pub title: String,
    pub path: String,
    pub trust: Trust,
    /// Whole sentences that perhaps answer; empty if none is near, or if a model answered.
    pub passage: String,
    /// How sure it is that the passage answers, in percent: the share of the question's words that it has, weighed by
    /// how rare they are. 0 if a model answered.
    pub sure: u8,
    #[serde(skip)]
    pub(crate) found: FoundHit,
}

impl AnswerSource {
    fn new(number: usize, found: &FoundHit, passage: String, sure: u8) -> Self {
        Self {
            number,
            id: found.hit.id.clone(),
            scope: found.scope.clone(),
            title: found.hit.title.clone(),
            path: found.hit.path.to_string(),
            trust: found.hit.trust,
            passage,
            sure,
            found: found.clone(),
        }
    }
}

/// Answers a question from memory.
pub fn ask(
    request: &AskRequest,
    wanted: &MemoryFilter,
    context: &Context,
) -> Result<Answered, Failure> {
    let (question, limit) = (request.question.as_str(), request.limit);
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
            let of = |(number, place): (usize, usize)| {
                AnswerSource::new(number, &found[place], String::new(), 0)
            };
            let nearest = match answer.text.is_empty() {
                true => (1..).zip(0..found.len()).take(SHOWN).map(of).collect(),
                false => Vec::new(),
            };
            let sessions = match answer.text.is_empty() {
                true => cited(&request.question, request.sessions, wanted, context),
                false => Vec::new(),
            };
            let sources = answer.sources.iter().copied();
            return Ok(Answered {
                question: question.to_owned(),
                answered: !answer.text.is_empty(),
                sources: (1..).zip(sources).map(of).collect(),
                nearest,
                sessions,
                text: answer.text,
                by: "model",
                compared: Vec::new(),
                short_ids,
            });
        }
        Some(Err(reason)) => context.warn(&format!("answered without the model: {reason}")),
        None => {}
    }
    let asked = Question::new(question);
    let vocabulary = vocabulary(&asked, context)?;
    let quoted = asked.nearest(given, &vocabulary);
    let of = |(number, one): (usize, &QuotedPassage)| {
        let passage = match one.is_near() {
            true => one.quote.clone(),
            false => String::new(),
        };
        AnswerSource::new(number, &found[one.passage], passage, one.percent())
    };
    let mut answer = Answer::default();
    let answering = quoted.iter().take_while(|one| one.answers());
    let answering: Vec<&QuotedPassage> = answering.take(SHOWN).collect();
    for one in &answering {
        answer.add(&one.quote, &[one.passage]);
    }
    let nearest = match answering.is_empty() {
        true => (1..).zip(&quoted).take(SHOWN).map(of).collect(),
        false => Vec::new(),
    };
    let sessions = match answering.is_empty() {
        true => cited(&request.question, request.sessions, wanted, context),
        false => Vec::new(),
    };
    Ok(Answered {
        question: question.to_owned(),
        answered: !answer.text.is_empty(),
        sources: (1..).zip(answering).map(of).collect(),
        nearest,
        sessions,
        text: answer.text,
        by: "passages",
        compared: match request.explain {
            true => (1..).zip(&quoted).map(of).collect(),
            false => Vec::new(),
        },
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
