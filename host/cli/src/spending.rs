//! Prints the model usage of a run.

use acreta_service::learn::one_file::Total;
use acreta_service::overview::status::Spending;
use acreta_types::ModelUsage;

use crate::output::{count, line, talk, warn};

/// Prints which models were asked, what they used, and the fallback if they failed.
pub(crate) fn tell<'a>(usages: impl IntoIterator<Item = &'a ModelUsage>) {
    let mut all = ModelUsage {
        cost_dollars: Some(0.0),
        ..ModelUsage::default()
    };
    for usage in usages {
        all.calls += usage.calls;
        all.input_tokens += usage.input_tokens;
        all.output_tokens += usage.output_tokens;
        all.assumed_input_tokens += usage.assumed_input_tokens;
        all.assumed_output_tokens += usage.assumed_output_tokens;
        all.cached += usage.cached;
        let costs = all.cost_dollars.zip(usage.cost_dollars);
        all.cost_dollars = costs.map(|(sum, cost)| sum + cost);
        all.failed += usage.failed;
        all.problem = all.problem.or_else(|| usage.problem.clone());
    }
    tell_asked(&all);
    if let Some(problem) = &all.problem {
        warn(&format!(
            "{} not answered, so rules were used instead: {problem}",
            count(all.failed, "request was", "requests were")
        ));
    }
}

/// Prints the model usage of a maintenance, which asks about pairs that rules leave open.
pub(crate) fn tell_maintenance(usage: &ModelUsage) {
    tell_asked(usage);
    if let Some(problem) = &usage.problem {
        warn(&format!(
            "pairs that rules cannot decide stay open: {problem}"
        ));
    }
}

fn tell_asked(usage: &ModelUsage) {
    if usage.calls + usage.cached == 0 {
        return;
    }
    let cost = usage.cost_dollars.map(|cost| format!(", ${cost:.4}"));
    talk(&format!(
        "asked models {}, {} from the cache: {} tokens in, {} out{}{}",
        count(usage.calls, "time", "times"),
        usage.cached,
        usage.input_tokens,
        usage.output_tokens,
        cost.unwrap_or_default(),
        assumed(usage.assumed_input_tokens, usage.assumed_output_tokens),
    ));
}

/// Says how many of the tokens are an assumption, behind a sentence about all of them.
pub(crate) fn assumed(input_tokens: u64, output_tokens: u64) -> String {
    match input_tokens + output_tokens {
        0 => String::new(),
        _ => format!(
            "; of these, {input_tokens} in and {output_tokens} out are the most that failed calls could take"
        ),
    }
}

/// Formats what models used today, and their limits.
pub(crate) fn today(spending: &Spending) -> String {
    let of = |took: String, limit: Option<String>| match limit {
        Some(limit) => format!("{took} of {limit}"),
        None => took,
    };
    let number = |took: u64, limit: Option<u64>| of(took.to_string(), limit.map(|n| n.to_string()));
    let money = |dollars: f64| format!("${dollars:.2}");
    let dollars = of(money(spending.dollars), spending.dollars_limit.map(money));
    format!(
        "models today: {} calls, {} tokens, {dollars}",
        number(spending.calls, spending.calls_limit),
        number(spending.tokens, spending.tokens_limit),
    )
}

/// Prints what models would be asked, and what it would cost at most.
pub(crate) fn print_estimate(total: &Total) {
    if total.requests == 0 {
        return talk("no model would be asked (`acreta model list` shows which could read)");
    }
    let models: Vec<&str> = total.models.iter().map(String::as_str).collect();
    line(&format!("models        {}", models.join(", ")));
    line(&format!(
        "requests      {} ({} from the cache)",
        total.requests, total.cached
    ));
    line(&format!("input         {} tokens", total.input_tokens));
    line(&format!(
        "output        at most {} tokens",
        total.output_tokens
    ));
    line(&match total.cost {
        Some(cost) => format!("cost          at most {cost}"),
        None => "cost          unknown: `llm.prices` has no price for the model".to_owned(),
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_that_nobody_counted_are_told_apart() {
        assert_eq!(assumed(0, 0), "");
        assert_eq!(
            assumed(900, 4000),
            "; of these, 900 in and 4000 out are the most that failed calls could take"
        );
    }
}
