//! Models as plugins use them: converts the types of the WIT interface, and keeps errors for the run's report.

use std::sync::{Arc, Mutex, PoisonError};

use acreta_types::{
    Failure, ModelBudget, ModelReply, ModelRequest, ModelSource, ModelUsage, Models, SharedModels,
    with_causes,
};
use camino::Utf8Path;

use crate::{Code, Llm, LlmError, LlmSession, Message, Request, Run};

/// The models of one run.
struct PluginModels {
    session: LlmSession,
    failed: Mutex<FailedRequests>,
}

#[derive(Default)]
struct FailedRequests {
    requests: u64,
    first: Option<FirstFailure>,
}

struct FirstFailure {
    message: String,
    code: Code,
    retry_at_ms: Option<u64>,
}

impl ModelSource for Llm {
    fn session(&self, run_id: &str, folder: &Utf8Path) -> SharedModels {
        Arc::new(PluginModels {
            session: Llm::session(self, Run::new(run_id, folder)),
            failed: Mutex::default(),
        })
    }

    fn model(&self, purpose: &str) -> Option<String> {
        let choice = self.choice(purpose.parse().ok()?)?;
        Some(format!("{}/{}", choice.provider, choice.model))
    }
}

impl Models for PluginModels {
    fn left(&self) -> ModelBudget {
        budget(&self.session)
    }

    fn complete_all(&self, requests: &[ModelRequest]) -> Vec<Result<ModelReply, Failure>> {
        let read: Vec<Result<Request, LlmError>> = requests.iter().map(read).collect();
        let understood: Vec<Request> = read.iter().flatten().cloned().collect();
        let mut replies = self.session.complete_all(&understood).into_iter();
        read.into_iter()
            .map(|request| {
                let reply = match request {
                    Ok(_) => replies.next().unwrap_or_else(|| Err(unanswered())),
                    Err(error) => Err(error),
                };
                match reply {
                    Ok(reply) => Ok(ModelReply {
                        content: reply.content,
                        input_tokens: reply.input_tokens,
                        output_tokens: reply.output_tokens,
                        cached: reply.cached,
                    }),
                    Err(error) => Err(self.note(&error)),
                }
            })
            .collect()
    }

    fn usage(&self) -> ModelUsage {
        let usage = self.session.usage();
        let failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        ModelUsage {
            calls: usage.calls,
            input_tokens: usage.input_tokens,
            output_tokens: usage.output_tokens,
            assumed_input_tokens: usage.assumed_input_tokens,
            assumed_output_tokens: usage.assumed_output_tokens,
            cached: usage.cached,
            cost_dollars: (usage.unpriced_calls == 0).then(|| usage.cost.dollars()),
            failed: failed.requests,
            problem: failed.first.as_ref().map(|first| first.message.clone()),
            problem_code: failed
                .first
                .as_ref()
                .map(|first| first.code.name().to_owned()),
            retry_at_ms: failed.first.as_ref().and_then(|first| first.retry_at_ms),
        }
    }
}

impl PluginModels {
    fn note(&self, error: &LlmError) -> Failure {
        let mut failed = self.failed.lock().unwrap_or_else(PoisonError::into_inner);
        failed.requests += 1;
        if failed.first.is_none() {
            failed.first = Some(FirstFailure {
                message: with_causes(error),
                code: error.code(),
                retry_at_ms: error.retry_at_ms(),
            });
        }
        error.to_failure()
    }
}

/// Returns the remaining budget; the largest number means no limit.
pub(crate) fn budget(session: &LlmSession) -> ModelBudget {
    let left = session.left();
    ModelBudget {
        calls: left
            .calls
            .map_or(u32::MAX, |calls| u32::try_from(calls).unwrap_or(u32::MAX)),
        tokens: left.tokens.unwrap_or(u64::MAX),
    }
}

/// Converts a plugin's request.
pub(crate) fn read(request: &ModelRequest) -> Result<Request, LlmError> {
    let unknown = |error: crate::UnknownWord| {
        LlmError::new(Code::Refused, "the request is invalid").because(error.to_string())
    };
    let messages = request.messages.iter().map(|message| {
        let role = message.role.parse().map_err(unknown)?;
        Ok(Message::new(role, message.content.as_str()))
    });
    Ok(Request {
        purpose: request.purpose.parse().map_err(unknown)?,
        messages: messages.collect::<Result<_, LlmError>>()?,
        json_schema: request.json_schema.clone(),
        max_output_tokens: request.max_output_tokens,
    })
}

fn unanswered() -> LlmError {
    LlmError::new(Code::Provider, "a request was not answered")
}
