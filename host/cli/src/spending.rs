//! What models were asked in a run, told to a person.

use acreta_model::ModelUsage;

use crate::output::{count, talk, warn};

/// Says what models were asked, what it took, and who did their work where they did not.
pub(crate) fn tell<'a>(usages: impl IntoIterator<Item = &'a ModelUsage>) {
    let mut all = ModelUsage {
        cost_dollars: Some(0.0),
        ..ModelUsage::default()
    };
    for usage in usages {
        all.calls += usage.calls;
        all.input_tokens += usage.input_tokens;
        all.output_tokens += usage.output_tokens;
        all.cached += usage.cached;
        let costs = all.cost_dollars.zip(usage.cost_dollars);
        all.cost_dollars = costs.map(|(sum, cost)| sum + cost);
        all.failed += usage.failed;
        all.problem = all.problem.or_else(|| usage.problem.clone());
    }
    if all.calls + all.cached > 0 {
        let cost = all.cost_dollars.map(|cost| format!(", ${cost:.4}"));
        talk(&format!(
            "asked models {}, {} from the cache: {} tokens in, {} out{}",
            count(all.calls, "time", "times"),
            all.cached,
            all.input_tokens,
            all.output_tokens,
            cost.unwrap_or_default()
        ));
    }
    if let Some(problem) = &all.problem {
        warn(&format!(
            "{} not answered, and rules took over: {problem}",
            count(all.failed, "request was", "requests were")
        ));
    }
}
