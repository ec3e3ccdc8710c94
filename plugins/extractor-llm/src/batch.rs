//! Sends requests within the budget: a request that does not fit is not sent, and a missing reply is a reason, never a
//! failure of the extractor.

use crate::request::worst_case;
use crate::{Budget, Failure, Ports, Request};

/// Budget reserved for later steps.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Reserve {
    pub(crate) calls: u32,
    pub(crate) tokens: u64,
}

/// Returns the indexes of the requests that the budget allows, in the order of `priority`; `costs` are in tokens.
pub(crate) fn affordable(
    left: Budget,
    costs: &[u64],
    priority: &[usize],
    reserve: Reserve,
) -> Vec<usize> {
    let mut calls = left.calls_left.saturating_sub(reserve.calls);
    let mut tokens = left.tokens_left.saturating_sub(reserve.tokens);
    let mut chosen = Vec::new();
    for index in priority {
        let Some(cost) = costs.get(*index) else {
            continue;
        };
        if calls > 0 && *cost <= tokens {
            calls -= 1;
            tokens -= cost;
            chosen.push(*index);
        }
    }
    chosen.sort_unstable();
    chosen
}

/// Sends requests at once; returns the contents of the replies in the same order.
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
    let costs = [worst_case(&request)];
    if affordable(ports.models.left(), &costs, &[0], reserve).is_empty() {
        return Err(NOTHING_LEFT.to_owned());
    }
    let mut replies = ask(ports, vec![request]);
    replies
        .pop()
        .unwrap_or_else(|| Err("no reply came".to_owned()))
}

/// Reason for not sending any requests.
pub(crate) const NOTHING_LEFT: &str =
    "nothing is left of the run's budget for models, or it was granted none";

/// Reason for a reply that cannot be used.
pub(crate) const UNUSABLE: &str = "invalid-reply: the reply is not the JSON that was asked for";

/// Reports whether the next request would fail for the same reason.
pub(crate) fn is_lasting(reason: &str) -> bool {
    const CODES: &[&str] = &[
        "not-granted",
        "no-provider",
        "no-key",
        "logged-out",
        "budget",
        "rate-limited",
    ];
    let code = reason.split(':').next().unwrap_or("");
    reason == NOTHING_LEFT || CODES.contains(&code)
}

fn reason(failure: &Failure) -> String {
    format!("{}: {}", failure.code, failure.message)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_budget_is_spent_by_priority_and_never_beyond() {
        let costs = [2_500, 7_000, 2_500, 2_500];
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
            let chosen = affordable(left, &costs, &[3, 1, 2, 0], reserve);
            assert_eq!(chosen, expected, "{calls_left} calls, {tokens_left} tokens");
        }
    }

    #[test]
    fn some_failures_last() {
        assert!(is_lasting("logged-out: log in first") && is_lasting(NOTHING_LEFT));
        assert!(!is_lasting("timeout: it took too long") && !is_lasting(UNUSABLE));
    }
}
