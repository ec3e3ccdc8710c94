//! What the layers of the toy compute, one number at a time.

use crate::toy::{HIDDEN, Tensors};

/// The same steps, one number at a time.
pub(crate) fn by_hand(tensors: &Tensors, ids: &[usize]) -> Vec<f32> {
    let of = |name: &str| &tensors[name].1;
    let layer = |part: &str| of(&format!("encoder.layer.0.{part}"));
    let linear = |name: &str, row: &[f32]| -> Vec<f32> {
        let (weight, bias) = (
            layer(&format!("{name}.weight")),
            layer(&format!("{name}.bias")),
        );
        let outputs = weight.chunks(row.len()).zip(bias);
        outputs
            .map(|(weights, bias)| {
                let products = weights.iter().zip(row).map(|(left, right)| left * right);
                products.sum::<f32>() + bias
            })
            .collect()
    };
    let norm = |weight: &[f32], bias: &[f32], row: Vec<f32>| -> Vec<f32> {
        let mean = row.iter().sum::<f32>() / HIDDEN as f32;
        let squares = row.iter().map(|value| (value - mean).powi(2));
        let deviation = (squares.sum::<f32>() / HIDDEN as f32 + 1e-12).sqrt();
        let values = row.iter().zip(weight).zip(bias);
        values
            .map(|((value, weight), bias)| (value - mean) / deviation * weight + bias)
            .collect()
    };
    let plus = |left: &[f32], right: &[f32]| -> Vec<f32> {
        left.iter()
            .zip(right)
            .map(|(left, right)| left + right)
            .collect()
    };
    let row = |name: &str, number: usize| {
        let table = of(&format!("embeddings.{name}_embeddings.weight"));
        &table[number * HIDDEN..(number + 1) * HIDDEN]
    };
    let state: Vec<Vec<f32>> = (0..)
        .zip(ids)
        .map(|(place, id)| {
            let sum = plus(row("word", *id), row("position", place));
            let sum = plus(&sum, row("token_type", 0));
            norm(
                of("embeddings.LayerNorm.weight"),
                of("embeddings.LayerNorm.bias"),
                sum,
            )
        })
        .collect();
    let part = |name: &str| -> Vec<Vec<f32>> {
        let name = format!("attention.self.{name}");
        state.iter().map(|row| linear(&name, row)).collect()
    };
    let (query, key, value) = (part("query"), part("key"), part("value"));
    let width = HIDDEN / 2;
    let mut sum = vec![0.0; HIDDEN];
    for (word, before) in state.iter().enumerate() {
        let mut attended = vec![0.0; HIDDEN];
        for head in 0..2 {
            let part = head * width..(head + 1) * width;
            let scores: Vec<f32> = key
                .iter()
                .map(|key| {
                    let products = query[word][part.clone()].iter().zip(&key[part.clone()]);
                    let score = products.map(|(left, right)| left * right).sum::<f32>();
                    (score / (width as f32).sqrt()).exp()
                })
                .collect();
            let total: f32 = scores.iter().sum();
            for (score, value) in scores.iter().zip(&value) {
                for place in part.clone() {
                    attended[place] += score / total * value[place];
                }
            }
        }
        let attended = plus(&linear("attention.output.dense", &attended), before);
        let (weight, bias) = (
            layer("attention.output.LayerNorm.weight"),
            layer("attention.output.LayerNorm.bias"),
        );
        let attended = norm(weight, bias, attended);
        let wide: Vec<f32> = linear("intermediate.dense", &attended)
            .into_iter()
            .map(|value| value * 0.5 * (1.0 + erf(value / 2f32.sqrt())))
            .collect();
        let narrow = plus(&linear("output.dense", &wide), &attended);
        let (weight, bias) = (
            layer("output.LayerNorm.weight"),
            layer("output.LayerNorm.bias"),
        );
        sum = plus(&sum, &norm(weight, bias, narrow));
    }
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    sum.iter().map(|value| value / length).collect()
}

/// By its series, which is exact enough near zero.
fn erf(x: f32) -> f32 {
    let (x, mut term, mut sum) = (f64::from(x), f64::from(x), f64::from(x));
    for n in 1..40 {
        let n = f64::from(n);
        term *= -x * x / n;
        sum += term / (2.0 * n + 1.0);
    }
    (sum * 2.0 / std::f64::consts::PI.sqrt()) as f32
}
