//! The rules of a conversation with a model: the first request, checking the answer, the repair request, and the
//! charge.

use acreta_text::count_tokens;

use crate::account::CallUsage;
use crate::exchange::{Exchange, FailedCall, ModelAnswer, StopReason};
use crate::provider::Provider;
use crate::tokens::count_request;
use crate::{Code, LlmError, Message, ModelChoice, Request, RoleSettings, Schema, Speaker};

/// A request in the form that any of its models gets: redacted, with its schema parsed.
pub(crate) struct PreparedRequest<'a> {
    pub(crate) request: &'a Request,
    pub(crate) role: &'a RoleSettings,
    pub(crate) schema: Option<Schema>,
    pub(crate) messages: Vec<Message>,
}

impl PreparedRequest<'_> {
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

/// Assessment of an answer.
pub(crate) enum AnswerVerdict {
    /// The reply, without surrounding text.
    Accepted(String),
    /// Does not fit the schema; a repair request may help.
    Unfit(Vec<String>),
    /// Cannot be used; asking again does not help.
    Unusable(LlmError),
}

pub(crate) fn judge(exchange: &Exchange<'_>, answer: &ModelAnswer) -> AnswerVerdict {
    if answer.stop == StopReason::Refused {
        let error = LlmError::new(Code::Refused, "the model will not answer this request");
        let said = acreta_text::head(answer.content.trim(), SHOWN);
        return AnswerVerdict::Unusable(if said.is_empty() {
            error
        } else {
            error.because(acreta_text::visible(said))
        });
    }
    let Some(schema) = exchange.schema else {
        return if answer.content.trim().is_empty() {
            AnswerVerdict::Unusable(LlmError::new(Code::InvalidReply, "its reply is empty"))
        } else {
            AnswerVerdict::Accepted(answer.content.clone())
        };
    };
    match schema.check(&answer.content) {
        Ok(content) => AnswerVerdict::Accepted(content),
        Err(_) if answer.stop == StopReason::Length => AnswerVerdict::Unusable(
            LlmError::new(
                Code::InvalidReply,
                format!(
                    "its reply is cut off after {} tokens",
                    exchange.max_output_tokens
                ),
            )
            .hint("allow a longer reply with `max-output-tokens`"),
        ),
        Err(problems) => AnswerVerdict::Unfit(problems),
    }
}

/// Repeats the request with the answer that did not fit, and its problems.
pub(crate) fn repair<'a>(
    exchange: &Exchange<'a>,
    answer: &ModelAnswer,
    problems: &[String],
) -> Exchange<'a> {
    let mut repair = exchange.clone();
    let content = acreta_text::head(&answer.content, QUOTED);
    // Providers reject a message without content.
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

/// Returns the usage to charge for a call, by its outcome.
pub(crate) fn taken(
    exchange: &Exchange<'_>,
    outcome: &Result<ModelAnswer, FailedCall>,
) -> CallUsage {
    match outcome {
        Ok(answer) => {
            let (input, output) = told(exchange, answer);
            CallUsage::Tokens { input, output }
        }
        Err(failed) => failed.taken,
    }
}

/// Returns input and output tokens: the provider's count, or our own.
pub(crate) fn told(exchange: &Exchange<'_>, answer: &ModelAnswer) -> (u64, u64) {
    answer.tokens.unwrap_or_else(|| {
        (
            count_request(&exchange.messages, exchange.schema_text()),
            count_tokens(&answer.content) as u64,
        )
    })
}

const SHOWN: usize = 300;

/// Maximum length of a wrong answer in a repair request: its start shows the model its mistake.
const QUOTED: usize = 16 * 1024;
