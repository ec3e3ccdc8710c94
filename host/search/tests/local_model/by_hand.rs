//! Reference implementation of the model's layers in f64, without vectorisation.

use std::collections::BTreeMap;

/// The unquantised weights of a model, and its number of heads.
pub(crate) struct ByHand {
    pub(crate) tensors: BTreeMap<String, Vec<f64>>,
    pub(crate) hidden: usize,
    pub(crate) heads: usize,
}

type Rows = Vec<Vec<f64>>;

impl ByHand {
    /// Returns the vector of a text with these tokens.
    pub(crate) fn vector(&self, ids: &[usize]) -> Vec<f64> {
        let places = (0..).zip(ids);
        let mut state: Rows = places
            .map(|(place, id)| {
                let sum = plus(self.row("word", *id), self.row("position", place));
                let sum = plus(&sum, self.row("token_type", 0));
                self.norm("embeddings", &sum)
            })
            .collect();
        let layers = (0..).map(|number| format!("encoder.layer.{number}"));
        for layer in layers.take_while(|layer| self.has(layer)) {
            state = self.layer(&layer, &state);
        }
        let sum = state.iter().fold(vec![0.0; self.hidden], |sum, row| {
            plus(&sum, row.as_slice())
        });
        let length = product(&sum, &sum).sqrt();
        sum.iter().map(|value| value / length).collect()
    }

    fn layer(&self, layer: &str, state: &Rows) -> Rows {
        let part = |name: &str| -> Rows {
            let name = format!("{layer}.attention.self.{name}");
            state.iter().map(|row| self.linear(&name, row)).collect()
        };
        let (query, key, value) = (part("query"), part("key"), part("value"));
        let rows = query.iter().zip(state);
        rows.map(|(query, before)| {
            let attended = self.attended(query, &key, &value);
            let attended = self.linear(&format!("{layer}.attention.output.dense"), &attended);
            let attended = self.norm(
                &format!("{layer}.attention.output"),
                &plus(&attended, before),
            );
            let wide: Vec<f64> = self
                .linear(&format!("{layer}.intermediate.dense"), &attended)
                .into_iter()
                .map(|value| value * 0.5 * (1.0 + erf(value / 2f64.sqrt())))
                .collect();
            let narrow = self.linear(&format!("{layer}.output.dense"), &wide);
            self.norm(&format!("{layer}.output"), &plus(&narrow, &attended))
        })
        .collect()
    }

    /// Computes attention for one token.
    fn attended(&self, query: &[f64], key: &Rows, value: &Rows) -> Vec<f64> {
        let width = self.hidden / self.heads;
        let mut attended = vec![0.0; self.hidden];
        for start in (0..self.hidden).step_by(width) {
            let part = start..start + width;
            let scores: Vec<f64> = key
                .iter()
                .map(|key| {
                    let score = product(&query[part.clone()], &key[part.clone()]);
                    (score / (width as f64).sqrt()).exp()
                })
                .collect();
            let total: f64 = scores.iter().sum();
            for (score, value) in scores.iter().zip(value) {
                for place in part.clone() {
                    attended[place] += score / total * value[place];
                }
            }
        }
        attended
    }

    fn linear(&self, name: &str, row: &[f64]) -> Vec<f64> {
        let weight = &self.tensors[&format!("{name}.weight")];
        let outputs = weight
            .chunks(row.len())
            .zip(&self.tensors[&format!("{name}.bias")]);
        outputs
            .map(|(weights, bias)| product(weights, row) + bias)
            .collect()
    }

    fn norm(&self, name: &str, row: &[f64]) -> Vec<f64> {
        let count = row.len() as f64;
        let mean = row.iter().sum::<f64>() / count;
        let squares = row.iter().map(|value| (value - mean).powi(2));
        let deviation = (squares.sum::<f64>() / count + 1e-12).sqrt();
        let weight = &self.tensors[&format!("{name}.LayerNorm.weight")];
        let values = row
            .iter()
            .zip(weight)
            .zip(&self.tensors[&format!("{name}.LayerNorm.bias")]);
        values
            .map(|((value, weight), bias)| (value - mean) / deviation * weight + bias)
            .collect()
    }

    fn row(&self, table: &str, number: usize) -> &[f64] {
        let table = &self.tensors[&format!("embeddings.{table}_embeddings.weight")];
        &table[number * self.hidden..(number + 1) * self.hidden]
    }

    fn has(&self, layer: &str) -> bool {
        let name = format!("{layer}.output.dense.bias");
        self.tensors.contains_key(&name)
    }
}

pub(crate) fn product(left: &[f64], right: &[f64]) -> f64 {
    let pairs = left.iter().zip(right);
    pairs.map(|(left, right)| left * right).sum()
}

fn plus(left: &[f64], right: &[f64]) -> Vec<f64> {
    let pairs = left.iter().zip(right);
    pairs.map(|(left, right)| left + right).collect()
}

/// Computed by its series, which is accurate near zero; far from zero the result is constant.
fn erf(x: f64) -> f64 {
    if x.abs() > 4.0 {
        return x.signum();
    }
    let (mut term, mut sum) = (x, x);
    for n in 1..80 {
        let n = f64::from(n);
        term *= -x * x / n;
        sum += term / (2.0 * n + 1.0);
    }
    sum * 2.0 / std::f64::consts::PI.sqrt()
}
