//! The layers of a BERT encoder, as sentence models have them: attention and two linear steps, each
//! added to what went in and normalised; then the mean over the words of a text, of length one. The
//! products of matrices, which are nearly all of the work, are candle's; what lies between them is
//! written out, since a question is so short that the calls would take longer than the work.

use candle_core::{Device, Tensor};

use crate::config::Shape;
use crate::rows;
use crate::weights::Weights;

pub(crate) struct Bert {
    shape: Shape,
    /// What each position adds, with what every word of a first sentence adds.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    /// Query, key and value beside each other: one step instead of three.
    attention: Linear,
    attended: Linear,
    attended_norm: Norm,
    wide: Linear,
    narrow: Linear,
    norm: Norm,
}

struct Linear {
    /// Outputs by inputs, as files have it.
    weight: Tensor,
    bias: Vec<f32>,
}

struct Norm {
    weight: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

impl Bert {
    /// Takes the weights of its layers; the sentence says what does not fit.
    pub(crate) fn new(shape: Shape, weights: &mut Weights) -> Result<Self, String> {
        let hidden = shape.hidden;
        let table = |weights: &mut Weights, name: &str| {
            let name = format!("embeddings.{name}_embeddings.weight");
            weights
                .take_table(&name, hidden)
                .and_then(|table| numbers(&table))
        };
        let mut positions = table(weights, "position")?;
        let types = table(weights, "token_type")?;
        if positions.is_empty() || types.is_empty() {
            return Err("it has no positions or no types of words".to_owned());
        }
        for position in positions.chunks_exact_mut(hidden) {
            rows::add(position, &types[..hidden]);
        }
        let norm = Norm::take(weights, "embeddings.LayerNorm", shape)?;
        let layers = (0..shape.layers)
            .map(|number| Layer::take(weights, number, shape))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            shape,
            positions,
            norm,
            layers,
        })
    }

    /// The longest text it has positions for.
    pub(crate) fn positions(&self) -> usize {
        self.positions.len() / self.shape.hidden
    }

    /// A vector of length one for each text. `words` are the rows of all texts' words below each other;
    /// `lengths` says how many are of which.
    pub(crate) fn vectors(
        &self,
        words: &Tensor,
        lengths: &[usize],
    ) -> candle_core::Result<Vec<Vec<f32>>> {
        let hidden = self.shape.hidden;
        let mut state: Vec<f32> = words.flatten_all()?.to_vec1()?;
        for text in texts(&mut state, lengths, hidden) {
            let of_text = text.len();
            rows::add(text, &self.positions[..of_text]);
        }
        self.norm.apply(&mut state);
        for layer in &self.layers {
            state = layer.apply(&state, self.shape, lengths)?;
        }
        Ok(texts(&mut state, lengths, hidden)
            .map(|text| rows::direction(text, hidden))
            .collect())
    }
}

impl Layer {
    fn take(weights: &mut Weights, number: usize, shape: Shape) -> Result<Self, String> {
        let hidden = shape.hidden;
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let [query, key, value] = ["query", "key", "value"].map(|part| {
            let name = name(&format!("attention.self.{part}"));
            Linear::take(weights, &name, hidden, hidden)
        });
        let wide = weights.length(&name("intermediate.dense.bias"));
        Ok(Self {
            attention: Linear::beside([query?, key?, value?])?,
            attended: Linear::take(weights, &name("attention.output.dense"), hidden, hidden)?,
            attended_norm: Norm::take(weights, &name("attention.output.LayerNorm"), shape)?,
            wide: Linear::take(weights, &name("intermediate.dense"), hidden, wide)?,
            narrow: Linear::take(weights, &name("output.dense"), wide, hidden)?,
            norm: Norm::take(weights, &name("output.LayerNorm"), shape)?,
        })
    }

    fn apply(
        &self,
        state: &[f32],
        shape: Shape,
        lengths: &[usize],
    ) -> candle_core::Result<Vec<f32>> {
        let hidden = shape.hidden;
        let mut mixed = self.attention.apply(state)?;
        let mut attended = vec![0.0; state.len()];
        let mixed = texts(&mut mixed, lengths, 3 * hidden);
        for (mixed, attended) in mixed.zip(texts(&mut attended, lengths, hidden)) {
            rows::attend(mixed, attended, hidden, shape.heads);
        }
        let mut attended = self.attended.apply(&attended)?;
        rows::add(&mut attended, state);
        self.attended_norm.apply(&mut attended);
        let mut wide = self.wide.apply(&attended)?;
        rows::gelu(&mut wide);
        let mut narrow = self.narrow.apply(&wide)?;
        rows::add(&mut narrow, &attended);
        self.norm.apply(&mut narrow);
        Ok(narrow)
    }
}

impl Linear {
    fn take(weights: &mut Weights, name: &str, from: usize, to: usize) -> Result<Self, String> {
        Ok(Self {
            weight: weights.take(&format!("{name}.weight"), &[to, from])?,
            bias: numbers(&weights.take(&format!("{name}.bias"), &[to])?)?,
        })
    }

    fn beside(parts: [Linear; 3]) -> Result<Self, String> {
        let weights: Vec<&Tensor> = parts.iter().map(|part| &part.weight).collect();
        Ok(Self {
            weight: Tensor::cat(&weights, 0).map_err(|cause| cause.to_string())?,
            bias: parts.iter().flat_map(|part| part.bias.clone()).collect(),
        })
    }

    fn apply(&self, state: &[f32]) -> candle_core::Result<Vec<f32>> {
        let (outputs, inputs) = self.weight.dims2()?;
        let words = state.len() / inputs;
        // The weights on the left: with few words, as a question has, that is faster by a third.
        let state = Tensor::from_slice(state, (words, inputs), &Device::Cpu)?;
        let turned = self.weight.matmul(&state.t()?)?.flatten_all()?;
        let turned: Vec<f32> = turned.to_vec1()?;
        Ok(rows::turned(&turned, outputs, &self.bias))
    }
}

impl Norm {
    fn take(weights: &mut Weights, name: &str, shape: Shape) -> Result<Self, String> {
        let mut part = |part: &str| {
            let tensor = weights.take(&format!("{name}.{part}"), &[shape.hidden])?;
            numbers(&tensor)
        };
        Ok(Self {
            weight: part("weight")?,
            bias: part("bias")?,
            epsilon: shape.epsilon,
        })
    }

    fn apply(&self, state: &mut [f32]) {
        rows::normalise(state, &self.weight, &self.bias, self.epsilon);
    }
}

fn numbers(tensor: &Tensor) -> Result<Vec<f32>, String> {
    let numbers = tensor.flatten_all().and_then(|flat| flat.to_vec1());
    numbers.map_err(|cause| cause.to_string())
}

/// The rows of each text, one text after the other.
fn texts<'a>(
    mut state: &'a mut [f32],
    lengths: &'a [usize],
    width: usize,
) -> impl Iterator<Item = &'a mut [f32]> {
    lengths.iter().map(move |length| {
        let (text, rest) = std::mem::take(&mut state).split_at_mut(length * width);
        state = rest;
        text
    })
}
