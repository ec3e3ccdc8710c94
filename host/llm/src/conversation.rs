//! How a conversation with a model goes on: what is sent first, whether an answer can be used, what
//! is said to have it repaired, and what it is charged.

use acreta_text::count_tokens;

use crate::account::Taken;
use crate::exchange::{Answer, Exchange, Failed, Stop};
use crate::provider::Provider;
use crate::tokens::count_request;
use crate::{Code, LlmError, Message, ModelChoice, Request, RoleSettings, Schema, Speaker};

/// A request as any of its models is asked it: redacted, its schema read.
pub(crate) struct Prepared<'a> {
    pub(crate) request: &'a Request,
    pub(crate) role: &'a RoleSettings,
    pub(crate) schema: Option<Schema>,
    pub(crate) messages: Vec<Message>,
}

impl Prepared<'_> {
    pub(crate) fn exchange<'a>(
        &'a self,
        provider: &'a Provider,
        choice: &'a ModelChoice,
    ) -> Exchange<'a> {
        Exchange {
            provider: &choice.provider,
            address: &provider.address,
            model: &choice.model,
            purpose: self.request.purpose,
            messages: self.messages.clone(),
            schema: self.schema.as_ref(),
            max_output_tokens: self.request.max_output_tokens,
        }
    }
}

/// What becomes of an answer.
pub(crate) enum Verdict {
    /// The reply, without what stood around it.
    Accepted(String),
    /// Worth saying what is wrong.
    Unfit(Vec<String>),
    /// Asking again does not help.
    Unusable(LlmError),
}

pub(crate) fn judge(exchange: &Exchange<'_>, answer: &Answer) -> Verdict {
    if answer.stop == Stop::Refused {
        let error = LlmError::new(Code::Refused, "the model will not answer this request");
        let said = acreta_text::head(answer.content.trim(), SHOWN);
        return Verdict::Unusable(if said.is_empty() {
            error
        } else {
            error.because(acreta_text::visible(said))
        });
    }
    let Some(schema) = exchange.schema else {
        return if answer.content.trim().is_empty() {
            Verdict::Unusable(LlmError::new(Code::InvalidReply, "its reply is empty"))
        } else {
            Verdict::Accepted(answer.content.clone())
        };
    };
    match schema.check(&answer.content) {
        Ok(content) => Verdict::Accepted(content),
        Err(_) if answer.stop == Stop::Length => Verdict::Unusable(
            LlmError::new(
                Code::InvalidReply,
                format!(
                    "its reply is cut off after {} tokens",
                    exchange.max_output_tokens
                ),
            )
            .hint("allow a longer reply with `max-output-tokens`"),
        ),
        Err(problems) => Verdict::Unfit(problems),
    }
}

/// The same question with the answer that did not fit, and what is wrong with it.
pub(crate) fn repair<'a>(
    exchange: &Exchange<'a>,
    answer: &Answer,
    problems: &[String],
) -> Exchange<'a> {
    let mut repair = exchange.clone();
    let content = acreta_text::head(&answer.content, QUOTED);
    // Providers refuse a message without content.
    if !content.trim().is_empty() {
        let said = Message::new(Speaker::Assistant, content);
        repair.messages.push(said);
    }
    let problems = problems.join("\n- ");
    repair.messages.push(Message::new(
        Speaker::User,
        format!(
            "That reply does not fit the JSON schema:\n- {problems}\n\
             Give the whole reply again, as JSON that fits the schema, and nothing else."
        ),
    ));
    repair
}

/// What a call is charged, by what came of it.
pub(crate) fn taken(exchange: &Exchange<'_>, outcome: &Result<Answer, Failed>) -> Taken {
    match outcome {
        Ok(answer) => {
            let (input, output) = told(exchange, answer);
            Taken::Tokens { input, output }
        }
        Err(failed) => failed.taken,
    }
}

/// Input and output tokens: as the provider has them, or by our own count.
pub(crate) fn told(exchange: &Exchange<'_>, answer: &Answer) -> (u64, u64) {
    answer.tokens.unwrap_or_else(|| {
        (
            count_request(&exchange.messages, exchange.schema_text()),
            count_tokens(&answer.content) as u64,
        )
    })
}

const SHOWN: usize = 300;

/// A wrong answer is quoted up to here: its start shows the model what it did.
const QUOTED: usize = 16 * 1024;
