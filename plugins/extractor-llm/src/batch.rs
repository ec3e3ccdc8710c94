//! Asking within the budget: what does not fit is not sent, and a reply that did not come is a
//! reason, never a failure of the extractor.

use crate::request::worst_case;
use crate::{Budget, Failure, Ports, Request};

/// What later steps need and earlier ones leave to them.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Reserve {
    pub(crate) calls: u32,
    pub(crate) tokens: u64,
}

/// Which of the requests the budget allows, in the order of `priority`, as indexes.
pub(crate) fn affordable(
    left: Budget,
    requests: &[Request],
    priority: &[usize],
    reserve: Reserve,
) -> Vec<usize> {
    let mut calls = left.calls_left.saturating_sub(reserve.calls);
    let mut tokens = left.tokens_left.saturating_sub(reserve.tokens);
    let mut chosen = Vec::new();
    for index in priority {
        let Some(request) = requests.get(*index) else {
            continue;
        };
        let cost = worst_case(request);
        if calls > 0 && cost <= tokens {
            calls -= 1;
            tokens -= cost;
            chosen.push(*index);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Sends requests at once; the contents of the replies in the same order.
pub(crate) fn ask(ports: &Ports<'_>, requests: Vec<Request>) -> Vec<Result<String, String>> {
    let wanted = requests.len();
    if wanted == 0 {
        return Vec::new();
    }
    let mut replies: Vec<Result<String, String>> = ports
        .models
        .complete_all(requests)
        .into_iter()
        .map(|reply| {
            reply
                .map(|reply| reply.content)
                .map_err(|failure| reason(&failure))
        })
        .collect();
    replies.resize_with(wanted, || Err("no reply came".to_owned()));
    replies
}

/// Sends one request, if the budget allows it.
pub(crate) fn ask_one(
    ports: &Ports<'_>,
    request: Request,
    reserve: Reserve,
) -> Result<String, String> {
    let requests = [request];
    if affordable(ports.models.left(), &requests, &[0], reserve).is_empty() {
        return Err(NOTHING_LEFT.to_owned());
    }
    let mut replies = ask(ports, requests.into());
    replies
        .pop()
        .unwrap_or_else(|| Err("no reply came".to_owned()))
}

/// Why requests are not sent at all.
pub(crate) const NOTHING_LEFT: &str =
    "nothing is left of the run's budget for models, or it was granted none";

/// A reply came and says nothing that can be used.
pub(crate) const UNUSABLE: &str = "invalid-reply: the reply is not the JSON that was asked for";

fn reason(failure: &Failure) -> String {
    format!("{}: {}", failure.code, failure.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(bytes: usize) -> Request {
        Request {
            purpose: "extract".to_owned(),
            messages: vec![crate::Message {
                role: "user".to_owned(),
                content: "x".repeat(bytes),
            }],
            json_schema: None,
            max_output_tokens: 900,
            attrs: Vec::new(),
        }
    }

    #[test]
    fn the_budget_is_spent_by_priority_and_never_beyond() {
        // Each costs 2,500 tokens, the large one 7,000.
        let requests = [
            request(1_000),
            request(10_000),
            request(1_000),
            request(1_000),
        ];
        let cases: [(u32, u64, u32, &[usize]); 6] = [
            (10, 100_000, 0, &[0, 1, 2, 3]),
            (2, 100_000, 0, &[1, 3]),
            (3, 100_000, 1, &[1, 3]),
            (10, 5_100, 0, &[2, 3]),
            (10, 2_499, 0, &[]),
            (0, 100_000, 1, &[]),
        ];
        for (calls_left, tokens_left, calls, expected) in cases {
            let left = Budget {
                calls_left,
                tokens_left,
            };
            let reserve = Reserve { calls, tokens: 0 };
            let chosen = affordable(left, &requests, &[3, 1, 2, 0], reserve);
            assert_eq!(chosen, expected, "{calls_left} calls, {tokens_left} tokens");
        }
    }
}
