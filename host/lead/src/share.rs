//! A plugin's own part of the models of a run: what it may ask them for, and how often.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use acreta_model::{
    Failure, ModelBudget, ModelReply, ModelRequest, ModelUsage, Models, SharedModels,
};

use crate::options::{GrantedModels, ModelShare};

/// The models of a run as each plugin that may ask them sees them.
pub(crate) fn shared(
    granted: &GrantedModels,
    models: &SharedModels,
) -> BTreeMap<String, SharedModels> {
    let own = |share: &ModelShare| -> SharedModels {
        match share {
            ModelShare::Whole => Arc::clone(models),
            ModelShare::Part {
                purposes,
                calls,
                tokens,
            } => Arc::new(Part {
                models: Arc::clone(models),
                purposes: purposes.iter().cloned().collect(),
                calls: AtomicU64::new(*calls),
                tokens: AtomicU64::new(*tokens),
            }),
        }
    };
    let plugins = granted.plugins.iter();
    plugins
        .map(|(plugin, share)| (plugin.clone(), own(share)))
        .collect()
}

struct Part {
    models: SharedModels,
    purposes: Vec<String>,
    /// Left.
    calls: AtomicU64,
    tokens: AtomicU64,
}

impl Part {
    fn refusal(&self, request: &ModelRequest) -> Option<Failure> {
        let refused = |code: &str, message: String| {
            Some(Failure {
                code: code.to_owned(),
                message,
                retryable: false,
            })
        };
        if !self.purposes.contains(&request.purpose) {
            let message = format!("it may not ask models to `{}`", request.purpose);
            return refused("not-granted", message);
        }
        let asked = u64::from(request.max_output_tokens);
        if self.calls.load(Ordering::SeqCst) == 0 || self.tokens.load(Ordering::SeqCst) < asked {
            return refused("budget", "its part of the models is used up".to_owned());
        }
        None
    }
}

impl Models for Part {
    fn left(&self) -> ModelBudget {
        let left = self.models.left();
        let calls = self.calls.load(Ordering::SeqCst);
        ModelBudget {
            calls: left.calls.min(u32::try_from(calls).unwrap_or(u32::MAX)),
            tokens: left.tokens.min(self.tokens.load(Ordering::SeqCst)),
        }
    }

    fn complete_all(&self, requests: &[ModelRequest]) -> Vec<Result<ModelReply, Failure>> {
        // One after the other: each must see what the one before it used.
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
                        message: "nobody answered".to_owned(),
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
        self.models.usage()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::*;

    struct Echo(Mutex<u64>);

    impl Models for Echo {
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
    fn a_plugin_has_its_part_and_no_more() {
        let echo = Arc::new(Echo(Mutex::new(0)));
        let part = Part {
            models: Arc::clone(&echo) as SharedModels,
            purposes: vec!["extract".to_owned()],
            calls: AtomicU64::new(3),
            tokens: AtomicU64::new(1_000),
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
        assert_eq!(codes(&[request("extract")]), ["budget"]);
        assert_eq!(*echo.0.lock().unwrap(), 3, "what is refused is not asked");
    }
}
