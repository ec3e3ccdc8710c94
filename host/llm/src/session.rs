//! The requests of one run. A request is redacted, looked up in the cache, sent to its model with retries, checked
//! against its schema, repaired once, and sent to the fallback if all that failed. Every call is reserved from the
//! run's budget before it is made.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use acreta_types::{Threads, with_causes};

use crate::account::{RunAccount, WorstCase};
use crate::blocked;
use crate::clock::PseudoRandom;
use crate::conversation::{AnswerVerdict, PreparedRequest, judge, repair, taken, told};
use crate::exchange::{Exchange, FailedCall, ModelAnswer, RetryAdvice, StopReason};
use crate::http::MOST_BYTES;
use crate::provider::{Caller, Provider};
use crate::shared::{ReplySource, SharedModelState};
use crate::spans;
use crate::tokens::{count_request, worst_case};
use crate::{
    Code, Estimate, LlmError, Message, ModelChoice, RemainingBudget, Reply, Request, Run, Schema,
    Usage,
};

/// The models for one run. May be shared between threads.
pub struct LlmSession {
    shared: Arc<SharedModelState>,
    run: Run,
    account: RunAccount,
    chance: PseudoRandom,
    cancelled: AtomicBool,
}

impl LlmSession {
    pub(crate) fn new(
        shared: Arc<SharedModelState>,
        run: Run,
        account: RunAccount,
        chance: PseudoRandom,
    ) -> Self {
        Self {
            shared,
            run,
            account,
            chance,
            cancelled: AtomicBool::new(false),
        }
    }

    /// Sends a request and waits for the reply.
    pub fn complete(&self, request: &Request) -> Result<Reply, LlmError> {
        let prepared = self.prepare(request)?;
        let error = match self.ask_model(&prepared, &prepared.role.main) {
            Err(error) if error.code().falls_back() => error,
            ended => return ended,
        };
        let Some(fallback) = &prepared.role.fallback else {
            return Err(error);
        };
        self.account.note(|usage| usage.fallbacks += 1);
        self.ask_model(&prepared, fallback).map_err(|second| {
            let first = format!("it is the fallback, because {}", with_causes(&error));
            second.also(&first)
        })
    }

    /// Sends several requests at once; returns replies in the order of the requests.
    pub fn complete_all(&self, requests: &[Request]) -> Vec<Result<Reply, LlmError>> {
        let workers = self.parallel(requests);
        let around = tracing::Span::current();
        Threads::at_most(workers).map(requests, |request| {
            let _inside = around.enter();
            self.complete(request)
        })
    }

    /// Estimates the cost of a request. Nothing is sent.
    pub fn estimate(&self, request: &Request) -> Result<Estimate, LlmError> {
        let prepared = self.prepare(request)?;
        let choice = &prepared.role.main;
        let provider = self.provider(choice)?;
        let exchange = prepared.exchange(provider, choice);
        let input_tokens = count_request(&exchange.messages, exchange.schema_text());
        let max_output_tokens = u64::from(request.max_output_tokens);
        let price = self.shared.settings.price(&choice.provider, &choice.model);
        Ok(Estimate {
            provider: choice.provider.clone(),
            model: choice.model.clone(),
            input_tokens,
            max_output_tokens,
            cost: price.map(|price| price.of(input_tokens, max_output_tokens)),
            cached: self.cached(&exchange).is_some(),
        })
    }

    /// Returns the remaining budget.
    pub fn left(&self) -> RemainingBudget {
        self.account.left()
    }

    pub fn usage(&self) -> Usage {
        self.account.usage()
    }

    /// Ends the session from another thread: new calls fail, commands are stopped, and calls in progress to a server
    /// are awaited until their timeout.
    pub fn cancel(&self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }

    fn is_cancelled(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
    }

    /// Prepares the parts of a request that do not depend on the model.
    fn prepare<'a>(&'a self, request: &'a Request) -> Result<PreparedRequest<'a>, LlmError> {
        let purpose = request.purpose;
        if matches!(self.shared.source, ReplySource::Off) {
            return Err(LlmError::new(
                Code::NoProvider,
                "language models are switched off",
            ));
        }
        let role = self.shared.settings.roles.get(&purpose);
        let role = role.ok_or_else(|| {
            LlmError::new(
                Code::NoProvider,
                format!("no model is configured for `{purpose}`"),
            )
            .hint(format!(
                "set `llm.roles.{purpose}.provider` and `llm.roles.{purpose}.model`"
            ))
        })?;
        let clean = |text: &str| self.shared.scrubber.clean(text);
        let schema = request.json_schema.as_deref().map(clean);
        let schema = schema.as_deref().map(Schema::parse).transpose();
        let schema = schema.map_err(|cause| {
            LlmError::new(Code::Refused, "the request is invalid").because(cause.to_string())
        })?;
        let messages = request.messages.iter();
        let messages = messages.map(|one| Message::new(one.role, clean(&one.content)));
        Ok(PreparedRequest {
            request,
            role,
            schema,
            messages: messages.collect(),
        })
    }

    fn provider(&self, choice: &ModelChoice) -> Result<&Provider, LlmError> {
        self.shared.providers.get(&choice.provider).ok_or_else(|| {
            LlmError::new(Code::NoProvider, "the provider is not configured")
                .at(&choice.provider, &choice.model)
                .hint(format!("configure `llm.providers.{}`", choice.provider))
        })
    }

    fn ask_model(
        &self,
        prepared: &PreparedRequest<'_>,
        choice: &ModelChoice,
    ) -> Result<Reply, LlmError> {
        let provider = self.provider(choice)?;
        let exchange = prepared.exchange(provider, choice);
        let price = self.shared.settings.price(&choice.provider, &choice.model);
        spans::asked(&self.run, &exchange, price, || {
            self.ask(provider, &exchange, choice)
        })
    }

    fn ask(
        &self,
        provider: &Provider,
        exchange: &Exchange<'_>,
        choice: &ModelChoice,
    ) -> Result<Reply, LlmError> {
        if let Some(reply) = self.cached(exchange) {
            self.account.note(|usage| usage.cached += 1);
            let answer = ModelAnswer {
                content: reply.content.clone(),
                tokens: Some((reply.input_tokens, reply.output_tokens)),
                stop: StopReason::Done,
                list_price: None,
            };
            self.record(exchange, &Ok(answer))?;
            return Ok(reply);
        }
        self.converse(provider, exchange)
            .map_err(|error| error.at(&choice.provider, &choice.model))
    }

    /// Asks, and asks once more if the reply does not fit its schema.
    fn converse(&self, provider: &Provider, first: &Exchange<'_>) -> Result<Reply, LlmError> {
        let answer = self.attempts(provider, first)?;
        let mut tokens = told(first, &answer);
        let content = match judge(first, &answer) {
            AnswerVerdict::Accepted(content) => content,
            AnswerVerdict::Unusable(error) => return Err(error),
            AnswerVerdict::Unfit(problems) => {
                let second = repair(first, &answer, &problems);
                let answer = self.attempts(provider, &second)?;
                let (input, output) = told(&second, &answer);
                tokens = (
                    tokens.0.saturating_add(input),
                    tokens.1.saturating_add(output),
                );
                match judge(&second, &answer) {
                    AnswerVerdict::Accepted(content) => content,
                    AnswerVerdict::Unusable(error) => return Err(error),
                    AnswerVerdict::Unfit(problems) => return Err(self.never_fits(&problems)),
                }
            }
        };
        if self.uses_cache() {
            self.shared.cache.put(&first.digest(), &content, tokens);
        }
        Ok(Reply {
            content,
            input_tokens: tokens.0,
            output_tokens: tokens.1,
            cached: false,
        })
    }

    fn never_fits(&self, problems: &[String]) -> LlmError {
        LlmError::new(
            Code::InvalidReply,
            "its reply does not fit the schema, nor does the repaired one",
        )
        .because(self.shared.scrubber.excerpt(&problems.join("; ")))
        .hint("a larger model follows a schema more often")
    }

    /// Makes a call, and retries after a pause if that may help.
    fn attempts(
        &self,
        provider: &Provider,
        exchange: &Exchange<'_>,
    ) -> Result<ModelAnswer, LlmError> {
        let worst = self.worst_case(provider, exchange)?;
        let mut attempt = 1;
        loop {
            if self.is_cancelled() {
                return Err(cancelled());
            }
            let outcome = self.call(provider, exchange, worst)?;
            match outcome {
                Err(failed)
                    if failed.again != RetryAdvice::No && attempt < provider.settings.attempts =>
                {
                    spans::again(attempt, &failed.error);
                    self.pause(provider, failed.again, attempt);
                    attempt += 1;
                }
                outcome => {
                    self.record(exchange, &outcome)?;
                    return outcome.map_err(|failed| failed.error);
                }
            }
        }
    }

    /// Makes one call, with its reservation and settlement. The outer error is a call that was not made.
    fn call(
        &self,
        provider: &Provider,
        exchange: &Exchange<'_>,
        worst: WorstCase,
    ) -> Result<Result<ModelAnswer, FailedCall>, LlmError> {
        let is_live = !matches!(self.shared.source, ReplySource::Tape(_));
        if is_live {
            let now_ms = self.shared.clock.now_ms();
            blocked::check(&self.shared.limits, exchange.provider, now_ms)?;
            provider.check(&self.shared.environment)?;
        }
        // The permit outlives the reservation: there are never more reservations than calls that may run.
        let permit = is_live.then(|| provider.pace.enter(self.shared.clock.as_ref()));
        if self.is_cancelled() {
            return Err(cancelled());
        }
        let reservation = self.account.reserve(worst)?;
        let outcome = match &self.shared.source {
            ReplySource::Tape(player) => player.play(exchange),
            ReplySource::Off | ReplySource::Providers(_) => provider.ask(
                exchange,
                &Caller {
                    run: &self.run,
                    environment: &self.shared.environment,
                    scrubber: &self.shared.scrubber,
                    clock: self.shared.clock.as_ref(),
                    programs: &self.shared.programs,
                    is_cancelled: &|| self.is_cancelled(),
                },
            ),
        };
        if is_live {
            self.note_limit(exchange.provider, &outcome);
        }
        let list_price = outcome.as_ref().ok().and_then(|answer| answer.list_price);
        reservation.settle(taken(exchange, &outcome), list_price);
        drop(permit);
        Ok(outcome.map(|answer| ModelAnswer {
            content: self.shared.scrubber.clean(&answer.content),
            ..answer
        }))
    }

    /// Records, for all processes, until when a provider accepts no calls.
    fn note_limit(&self, provider: &str, outcome: &Result<ModelAnswer, FailedCall>) {
        let limits = &self.shared.limits;
        match outcome {
            Ok(_) => blocked::clear(limits, provider),
            Err(failed) if failed.again == RetryAdvice::No => {
                if let Some(until_ms) = failed.error.retry_at_ms() {
                    let reason = with_causes(&failed.error);
                    blocked::block(limits, provider, until_ms, &reason);
                }
            }
            Err(_) => {}
        }
    }

    fn worst_case(
        &self,
        provider: &Provider,
        exchange: &Exchange<'_>,
    ) -> Result<WorstCase, LlmError> {
        let schema = exchange.schema_text();
        let bytes: usize = exchange.messages.iter().map(|one| one.content.len()).sum();
        if bytes as u64 > MOST_BYTES {
            return Err(LlmError::new(
                Code::TooLarge,
                format!("the request has more than {MOST_BYTES} bytes"),
            ));
        }
        let counted = count_request(&exchange.messages, schema);
        Ok(WorstCase {
            input_tokens: worst_case(counted, &exchange.messages, schema),
            output_tokens: u64::from(exchange.max_output_tokens),
            price: self
                .shared
                .settings
                .price(exchange.provider, exchange.model),
            longest: provider.settings.timeout,
        })
    }

    fn pause(&self, provider: &Provider, again: RetryAdvice, attempt: u32) {
        let clock = self.shared.clock.as_ref();
        match again {
            // Applies to all callers of this provider.
            RetryAdvice::After(pause) => provider.pace.hold(pause, clock),
            RetryAdvice::Soon | RetryAdvice::No => {
                let longest = FIRST_PAUSE * 2_u32.saturating_pow(attempt - 1);
                clock.sleep(longest.mul_f64(0.5 + self.chance.fraction() / 2.0));
            }
        }
    }

    fn uses_cache(&self) -> bool {
        matches!(self.shared.source, ReplySource::Providers(_))
    }

    /// Returns a cached reply that still fits.
    fn cached(&self, exchange: &Exchange<'_>) -> Option<Reply> {
        if !self.uses_cache() {
            return None;
        }
        let cached = self.shared.cache.get(&exchange.digest())?;
        let fits = exchange
            .schema
            .is_none_or(|schema| schema.check(&cached.content).is_ok());
        fits.then_some(Reply {
            content: cached.content,
            input_tokens: cached.input_tokens,
            output_tokens: cached.output_tokens,
            cached: true,
        })
    }

    fn record(
        &self,
        exchange: &Exchange<'_>,
        outcome: &Result<ModelAnswer, FailedCall>,
    ) -> Result<(), LlmError> {
        match &self.shared.source {
            ReplySource::Providers(Some(recorder)) => recorder.write(exchange, outcome),
            _ => Ok(()),
        }
    }

    /// Returns how many of the requests can run at once.
    fn parallel(&self, requests: &[Request]) -> usize {
        let roles = requests
            .iter()
            .filter_map(|request| self.shared.settings.roles.get(&request.purpose));
        let most = roles
            .filter_map(|role| self.shared.settings.providers.get(&role.main.provider))
            .map(|provider| provider.max_parallel)
            .max();
        most.unwrap_or(1).clamp(1, MOST_WORKERS).min(requests.len())
    }
}

const FIRST_PAUSE: Duration = Duration::from_millis(500);
const MOST_WORKERS: usize = 32;

fn cancelled() -> LlmError {
    LlmError::new(Code::Cancelled, "the run was cancelled")
}
