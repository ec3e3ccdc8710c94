//! A plugin's own share of a run's models: allowed purposes, calls and tokens.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use acreta_types::{
    Failure, ModelBudget, ModelReply, ModelRequest, ModelUsage, Models, SharedModels,
};

use crate::run::options::{GrantedModels, ModelShare};

/// Returns the models of a run as seen by each plugin that may ask them.
pub(crate) fn shared(
    granted: &GrantedModels,
    models: &SharedModels,
) -> BTreeMap<String, Arc<ObservedModels>> {
    let own = |share: &ModelShare| -> Arc<ObservedModels> {
        let models: SharedModels = match share {
            ModelShare::Whole => Arc::clone(models),
            ModelShare::Part {
                purposes,
                calls,
                tokens,
            } => Arc::new(LimitedModels {
                models: Arc::clone(models),
                purposes: purposes.iter().cloned().collect(),
                calls: AtomicU64::new(*calls),
                tokens: AtomicU64::new(*tokens),
                refused: AtomicU64::new(0),
            }),
        };
        Arc::new(ObservedModels::new(models))
    };
    let plugins = granted.plugins.iter();
    plugins
        .map(|(plugin, share)| (plugin.clone(), own(share)))
        .collect()
}

/// If a plugin has this many tokens left and asks nothing, it had nothing to ask.
const ROOMY_TOKENS: u64 = 200_000;

/// The models of one plugin. Observes whether the plugin could ask everything it wanted: a plugin that sees a low
/// budget may not ask at all.
pub(crate) struct ObservedModels {
    models: SharedModels,
    has_looked: AtomicBool,
    requests: AtomicU64,
    /// Tokens of the largest request.
    largest: AtomicU64,
    /// Replies that were empty or malformed.
    unusable: AtomicU64,
}

impl ObservedModels {
    fn new(models: SharedModels) -> Self {
        Self {
            models,
            has_looked: AtomicBool::new(false),
            requests: AtomicU64::new(0),
            largest: AtomicU64::new(0),
            unusable: AtomicU64::new(0),
        }
    }

    /// Returns the number of replies that were empty or not the requested JSON.
    pub(crate) fn unusable(&self) -> u64 {
        self.unusable.load(Ordering::SeqCst)
    }

    /// Reports whether the budget has no room for another request like the previous ones, or had none for the first.
    pub(crate) fn is_short(&self) -> bool {
        let left = self.models.left();
        let largest = self.largest.load(Ordering::SeqCst);
        match self.requests.load(Ordering::SeqCst) {
            0 => {
                let is_tight = left.calls == 0 || left.tokens < ROOMY_TOKENS;
                is_tight && self.has_looked.load(Ordering::SeqCst)
            }
            _ => left.calls == 0 || left.tokens < largest,
        }
    }
}

impl Models for ObservedModels {
    fn left(&self) -> ModelBudget {
        self.has_looked.store(true, Ordering::SeqCst);
        self.models.left()
    }

    fn complete_all(&self, requests: &[ModelRequest]) -> Vec<Result<ModelReply, Failure>> {
        let replies = self.models.complete_all(requests);
        self.requests
            .fetch_add(requests.len() as u64, Ordering::SeqCst);
        for (request, reply) in requests.iter().zip(&replies) {
            if let Ok(reply) = reply
                && !is_usable(request, &reply.content)
            {
                self.unusable.fetch_add(1, Ordering::SeqCst);
            }
            // A reply from the cache uses no budget.
            if let Ok(reply) = reply
                && !reply.cached
            {
                let tokens = reply.input_tokens + u64::from(request.max_output_tokens);
                self.largest.fetch_max(tokens, Ordering::SeqCst);
            }
        }
        replies
    }

    fn usage(&self) -> ModelUsage {
        self.models.usage()
    }
}

/// Reports whether a reply has the requested form. Text around a JSON object is tolerated.
fn is_usable(request: &ModelRequest, content: &str) -> bool {
    if request.json_schema.is_none() {
        return !content.trim().is_empty();
    }
    let is_json = |text: &str| serde_json::from_str::<serde::de::IgnoredAny>(text).is_ok();
    let object = content.find('{').zip(content.rfind('}'));
    is_json(content)
        || object.is_some_and(|(start, end)| start < end && is_json(&content[start..=end]))
}

const USED_UP: &str = "its share of the models is used up";

struct LimitedModels {
    models: SharedModels,
    purposes: Vec<String>,
    /// Remaining calls.
    calls: AtomicU64,
    tokens: AtomicU64,
    /// Requests that were refused because the share was too small.
    refused: AtomicU64,
}

impl LimitedModels {
    fn refusal(&self, request: &ModelRequest) -> Option<Failure> {
        let refused = |code: &str, message: String| {
            Some(Failure {
                code: code.to_owned(),
                message,
                retryable: false,
            })
        };
        if !self.purposes.contains(&request.purpose) {
            let message = format!("it is not allowed to ask models to `{}`", request.purpose);
            return refused("not-granted", message);
        }
        let asked = u64::from(request.max_output_tokens);
        if self.calls.load(Ordering::SeqCst) == 0 || self.tokens.load(Ordering::SeqCst) < asked {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return refused("budget", USED_UP.to_owned());
        }
        None
    }
}

impl Models for LimitedModels {
    fn left(&self) -> ModelBudget {
        let left = self.models.left();
        let calls = self.calls.load(Ordering::SeqCst);
        ModelBudget {
            calls: left.calls.min(u32::try_from(calls).unwrap_or(u32::MAX)),
            tokens: left.tokens.min(self.tokens.load(Ordering::SeqCst)),
        }
    }

    fn complete_all(&self, requests: &[ModelRequest]) -> Vec<Result<ModelReply, Failure>> {
        // Sequential: each request must see the usage of the previous one.
        requests
            .iter()
            .map(|request| {
                if let Some(refusal) = self.refusal(request) {
                    return Err(refusal);
                }
                self.calls.fetch_sub(1, Ordering::SeqCst);
                let mut replies = self.models.complete_all(std::slice::from_ref(request));
                let reply = replies.pop().unwrap_or_else(|| {
                    Err(Failure {
                        code: "provider".to_owned(),
                        message: "no reply".to_owned(),
                        retryable: true,
                    })
                });
                if let Ok(reply) = &reply {
                    let used = reply.input_tokens + reply.output_tokens;
                    let left = self.tokens.load(Ordering::SeqCst);
                    self.tokens
                        .store(left.saturating_sub(used), Ordering::SeqCst);
                }
                reply
            })
            .collect()
    }

    fn usage(&self) -> ModelUsage {
        let mut usage = self.models.usage();
        let refused = self.refused.load(Ordering::SeqCst);
        if refused > 0 && usage.failed == 0 {
            usage.problem = Some(USED_UP.to_owned());
            usage.problem_code = Some("budget".to_owned());
        }
        usage.failed += refused;
        usage
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    struct EchoModels(Mutex<u64>);

    impl Models for EchoModels {
        fn left(&self) -> ModelBudget {
            ModelBudget {
                calls: 100,
                tokens: 100_000,
            }
        }

        fn complete_all(&self, requests: &[ModelRequest]) -> Vec<Result<ModelReply, Failure>> {
            *self.0.lock().unwrap() += requests.len() as u64;
            let reply = || {
                Ok(ModelReply {
                    content: "{}".to_owned(),
                    input_tokens: 300,
                    output_tokens: 100,
                    cached: false,
                })
            };
            requests.iter().map(|_| reply()).collect()
        }

        fn usage(&self) -> ModelUsage {
            ModelUsage::default()
        }
    }

    #[test]
    fn a_plugin_that_dares_not_ask_is_noticed() {
        struct FixedBudgetModels(ModelBudget);

        impl Models for FixedBudgetModels {
            fn left(&self) -> ModelBudget {
                self.0
            }

            fn complete_all(&self, requests: &[ModelRequest]) -> Vec<Result<ModelReply, Failure>> {
                EchoModels(Mutex::new(0)).complete_all(requests)
            }

            fn usage(&self) -> ModelUsage {
                ModelUsage::default()
            }
        }

        // Columns: calls and tokens left, whether it reads the budget, number of requests (500 tokens each); expected
        // `is_short`.
        let table = [
            ((9, 9_000), false, 0, false),
            ((9, 9_000), true, 0, true),
            ((9, 900_000), true, 0, false),
            ((0, 900_000), true, 0, true),
            ((9, 9_000), true, 2, false),
            ((9, 499), true, 2, true),
            ((9, 500), true, 2, false),
            ((0, 9_000), true, 2, true),
        ];
        for ((calls, tokens), looks, asks, expected) in table {
            let watched =
                ObservedModels::new(Arc::new(FixedBudgetModels(ModelBudget { calls, tokens })));
            if looks {
                watched.left();
            }
            let request = ModelRequest {
                purpose: "extract".to_owned(),
                messages: Vec::new(),
                json_schema: None,
                max_output_tokens: 200,
            };
            watched.complete_all(&vec![request; asks]);
            assert_eq!(
                watched.is_short(),
                expected,
                "{calls} {tokens} {looks} {asks}"
            );
        }
    }

    #[test]
    fn a_plugin_has_its_part_and_no_more() {
        let echo = Arc::new(EchoModels(Mutex::new(0)));
        let part = LimitedModels {
            models: Arc::clone(&echo) as SharedModels,
            purposes: vec!["extract".to_owned()],
            calls: AtomicU64::new(3),
            tokens: AtomicU64::new(1_000),
            refused: AtomicU64::new(0),
        };
        let request = |purpose: &str| ModelRequest {
            purpose: purpose.to_owned(),
            messages: Vec::new(),
            json_schema: None,
            max_output_tokens: 200,
        };
        let codes = |requests: &[ModelRequest]| -> Vec<String> {
            let replies = part.complete_all(requests).into_iter();
            let code = |reply: Result<ModelReply, Failure>| match reply {
                Ok(_) => "ok".to_owned(),
                Err(failure) => failure.code,
            };
            replies.map(code).collect()
        };
        assert_eq!(codes(&[request("ask")]), ["not-granted"]);
        assert_eq!((part.left().calls, part.left().tokens), (3, 1_000));
        let three = [request("extract"), request("extract"), request("extract")];
        assert_eq!(codes(&three), ["ok", "ok", "ok"]);
        assert_eq!(part.usage().failed, 0);
        assert_eq!(codes(&[request("extract")]), ["budget"]);
        assert_eq!(part.usage().failed, 1, "the reading falls short");
        assert_eq!(*echo.0.lock().unwrap(), 3, "what is refused is not asked");
    }
}
