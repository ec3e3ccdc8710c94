//! Estimates the cost of a run without asking any model: every request is counted and answered with the smallest reply
//! that fits its schema, so that the plugin goes on to its next one.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use acreta_types::{
    Failure, ModelBudget, ModelReply, ModelRequest, ModelSource, ModelUsage, Models, SharedModels,
};
use camino::Utf8Path;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::plugins::{budget, read};
use crate::{Llm, LlmSession, Money, Run};

/// Counts the requests of all runs that use its models. Clones share the counts.
#[derive(Clone)]
pub struct Estimates {
    llm: Llm,
    total: Arc<Mutex<Total>>,
}

/// Estimated total of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Total {
    /// `PROVIDER/MODEL`.
    pub models: BTreeSet<String>,
    pub requests: u64,
    /// Number of requests that the cache answers at no cost.
    pub cached: u64,
    pub input_tokens: u64,
    /// Assumes the longest allowed replies.
    pub output_tokens: u64,
    /// Upper bound; absent if a model's price is not known.
    #[serde(serialize_with = "in_dollars", rename = "cost_dollars")]
    pub cost: Option<Money>,
}

impl Estimates {
    pub fn new(llm: Llm) -> Self {
        let total = Total {
            cost: Some(Money::default()),
            ..Total::default()
        };
        Self {
            llm,
            total: Arc::new(Mutex::new(total)),
        }
    }

    pub fn total(&self) -> Total {
        let total = self.total.lock().unwrap_or_else(PoisonError::into_inner);
        total.clone()
    }
}

impl ModelSource for Estimates {
    fn session(&self, run_id: &str, folder: &Utf8Path) -> SharedModels {
        Arc::new(CountingModels {
            session: Llm::session(&self.llm, Run::new(run_id, folder)),
            total: Arc::clone(&self.total),
        })
    }
}

struct CountingModels {
    session: LlmSession,
    total: Arc<Mutex<Total>>,
}

impl Models for CountingModels {
    fn left(&self) -> ModelBudget {
        budget(&self.session)
    }

    fn complete_all(&self, requests: &[ModelRequest]) -> Vec<Result<ModelReply, Failure>> {
        let answer = |asked: &ModelRequest| {
            let request = read(asked)?;
            let estimate = self.session.estimate(&request)?;
            let mut total = self.total.lock().unwrap_or_else(PoisonError::into_inner);
            total.requests += 1;
            let model = format!("{}/{}", estimate.provider, estimate.model);
            total.models.insert(model);
            if estimate.cached {
                total.cached += 1;
            } else {
                total.input_tokens += estimate.input_tokens;
                total.output_tokens += estimate.max_output_tokens;
                total.cost = total
                    .cost
                    .zip(estimate.cost)
                    .map(|(sum, cost)| sum.plus(cost));
            }
            let schema = asked.json_schema.as_deref();
            let schema = schema.and_then(|schema| serde_json::from_str(schema).ok());
            Ok(ModelReply {
                content: schema.map_or_else(String::new, |schema| smallest(&schema).to_string()),
                input_tokens: 0,
                output_tokens: 0,
                cached: true,
            })
        };
        let answers = requests.iter().map(answer);
        answers
            .map(|answer: Result<_, crate::LlmError>| answer.map_err(|error| error.to_failure()))
            .collect()
    }

    fn usage(&self) -> ModelUsage {
        ModelUsage::default()
    }
}

/// Returns the smallest value that fits a schema.
fn smallest(schema: &Value) -> Value {
    if let Some(first) = schema["enum"]
        .as_array()
        .and_then(|allowed| allowed.first())
    {
        return first.clone();
    }
    let name = match &schema["type"] {
        Value::Array(names) => names.first().and_then(Value::as_str),
        name => name.as_str(),
    };
    match name {
        Some("object") => {
            let required = schema["required"].as_array().into_iter().flatten();
            let fields = required.filter_map(Value::as_str);
            let fields = fields.map(|field| {
                let value = smallest(&schema["properties"][field]);
                (field.to_owned(), value)
            });
            Value::Object(fields.collect::<Map<_, _>>())
        }
        Some("array") => {
            let least = schema["minItems"].as_u64().unwrap_or(0).min(MOST_ITEMS);
            (0..least).map(|_| smallest(&schema["items"])).collect()
        }
        Some("string") => {
            let least = schema["minLength"].as_u64().unwrap_or(0).min(MOST_ITEMS);
            Value::String("x".repeat(least as usize))
        }
        Some("integer" | "number") => match &schema["minimum"] {
            Value::Null => Value::from(0),
            least => least.clone(),
        },
        Some("boolean") => Value::Bool(true),
        _ => Value::Null,
    }
}

const MOST_ITEMS: u64 = 1_000;

fn in_dollars<S: serde::Serializer>(cost: &Option<Money>, to: S) -> Result<S::Ok, S::Error> {
    cost.map(Money::dollars).serialize(to)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Schema;

    #[test]
    fn the_smallest_value_fits_its_schema() {
        let schemas = [
            r#"{"type":"object","required":["a","b"],"properties":{"a":{"type":"array","items":{"type":"string"},"minItems":2},"b":{"type":"string","enum":["x","y"]},"c":{"type":"number"}},"additionalProperties":false}"#,
            r#"{"type":"array","items":{"type":"integer","minimum":3},"minItems":1}"#,
            r#"{"type":"string","minLength":4}"#,
            r#"{"type":"boolean"}"#,
            r#"{"type":"number","minimum":0.5}"#,
        ];
        for text in schemas {
            let schema = Schema::parse(text).unwrap();
            let value = smallest(&serde_json::from_str(text).unwrap());
            assert!(schema.check(&value.to_string()).is_ok(), "{text}: {value}");
        }
    }
}
