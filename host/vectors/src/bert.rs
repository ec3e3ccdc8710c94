//! The layers of a BERT encoder, as sentence models have them: attention and two linear steps, each
//! added to what went in and normalised; then the mean over the words of a text, of length one.

use candle_core::{Device, Tensor};
use candle_nn::ops::{layer_norm, softmax_last_dim};

use crate::config::Shape;
use crate::weights::Weights;

pub(crate) struct Bert {
    shape: Shape,
    /// What each position adds, with what every word of a first sentence adds.
    positions: Tensor,
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
    bias: Tensor,
}

struct Norm {
    weight: Tensor,
    bias: Tensor,
    epsilon: f32,
}

/// What weighs nothing after softmax.
const MASKED: f32 = -1e9;

impl Bert {
    /// Takes the weights of its layers; the sentence says what does not fit.
    pub(crate) fn new(shape: Shape, weights: &mut Weights) -> Result<Self, String> {
        let hidden = shape.hidden;
        let positions = weights.take_table("embeddings.position_embeddings.weight", hidden)?;
        let types = weights.take_table("embeddings.token_type_embeddings.weight", hidden)?;
        let positions = types
            .narrow(0, 0, 1)
            .and_then(|first| positions.broadcast_add(&first))
            .map_err(|cause| cause.to_string())?;
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
        self.positions.dims()[0]
    }

    /// A vector of length one for each text. `words` are the rows of all texts' words below each other,
    /// every text filled up to the longest; `lengths` says how many of each are its own.
    pub(crate) fn vectors(
        &self,
        words: &Tensor,
        lengths: &[usize],
    ) -> candle_core::Result<Vec<Vec<f32>>> {
        let (texts, hidden) = (lengths.len(), self.shape.hidden);
        let longest = lengths.iter().copied().max().unwrap_or_default();
        let positions = self.positions.narrow(0, 0, longest)?;
        let mut state = words
            .reshape((texts, longest, hidden))?
            .broadcast_add(&positions)?
            .reshape((texts * longest, hidden))?;
        state = self.norm.apply(&state)?;
        let mask = mask(lengths, longest)?;
        for layer in &self.layers {
            state = layer.apply(&state, self.shape, texts, mask.as_ref())?;
        }
        let rows = state.to_vec2::<f32>()?;
        let texts = rows.chunks(longest.max(1)).zip(lengths);
        Ok(texts
            .map(|(rows, length)| mean(&rows[..*length], hidden))
            .collect())
    }
}

impl Layer {
    fn take(weights: &mut Weights, number: usize, shape: Shape) -> Result<Self, String> {
        let hidden = shape.hidden;
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let parts = ["query", "key", "value"].map(|part| {
            Linear::take(
                weights,
                &name(&format!("attention.self.{part}")),
                hidden,
                hidden,
            )
        });
        let [query, key, value] = parts;
        let attention =
            Linear::beside(&[query?, key?, value?]).map_err(|cause| cause.to_string())?;
        let wide = weights.length(&name("intermediate.dense.bias"));
        Ok(Self {
            attention,
            attended: Linear::take(weights, &name("attention.output.dense"), hidden, hidden)?,
            attended_norm: Norm::take(weights, &name("attention.output.LayerNorm"), shape)?,
            wide: Linear::take(weights, &name("intermediate.dense"), hidden, wide)?,
            narrow: Linear::take(weights, &name("output.dense"), wide, hidden)?,
            norm: Norm::take(weights, &name("output.LayerNorm"), shape)?,
        })
    }

    fn apply(
        &self,
        state: &Tensor,
        shape: Shape,
        texts: usize,
        mask: Option<&Tensor>,
    ) -> candle_core::Result<Tensor> {
        let (rows, hidden) = state.dims2()?;
        let (words, width) = (rows / texts, hidden / shape.heads);
        let mixed = self.attention.apply(state)?;
        // Text, head, word, width.
        let part = |number: usize| {
            mixed
                .narrow(1, number * hidden, hidden)?
                .reshape((texts, words, shape.heads, width))?
                .transpose(1, 2)?
                .contiguous()
        };
        let (query, key, value) = (part(0)?, part(1)?, part(2)?);
        let query = (query * (1.0 / (width as f64).sqrt()))?;
        let mut scores = query.matmul(&key.t()?)?;
        if let Some(mask) = mask {
            scores = scores.broadcast_add(mask)?;
        }
        let attended = softmax_last_dim(&scores)?
            .matmul(&value)?
            .transpose(1, 2)?
            .reshape((rows, hidden))?;
        let attended = (self.attended.apply(&attended)? + state)?;
        let attended = self.attended_norm.apply(&attended)?;
        let wide = self.wide.apply(&attended)?.gelu_erf()?;
        self.norm.apply(&(self.narrow.apply(&wide)? + attended)?)
    }
}

impl Linear {
    fn take(weights: &mut Weights, name: &str, from: usize, to: usize) -> Result<Self, String> {
        Ok(Self {
            weight: weights.take(&format!("{name}.weight"), &[to, from])?,
            bias: weights.take(&format!("{name}.bias"), &[to])?,
        })
    }

    fn beside(parts: &[Linear]) -> candle_core::Result<Self> {
        let weights: Vec<&Tensor> = parts.iter().map(|part| &part.weight).collect();
        let biases: Vec<&Tensor> = parts.iter().map(|part| &part.bias).collect();
        Ok(Self {
            weight: Tensor::cat(&weights, 0)?,
            bias: Tensor::cat(&biases, 0)?,
        })
    }

    fn apply(&self, state: &Tensor) -> candle_core::Result<Tensor> {
        // The weights on the left: with few words, as a question has, that is faster by a third.
        let turned = self.weight.matmul(&state.t()?)?;
        turned.t()?.broadcast_add(&self.bias)
    }
}

impl Norm {
    fn take(weights: &mut Weights, name: &str, shape: Shape) -> Result<Self, String> {
        Ok(Self {
            weight: weights.take(&format!("{name}.weight"), &[shape.hidden])?,
            bias: weights.take(&format!("{name}.bias"), &[shape.hidden])?,
            epsilon: shape.epsilon,
        })
    }

    fn apply(&self, state: &Tensor) -> candle_core::Result<Tensor> {
        layer_norm(state, &self.weight, &self.bias, self.epsilon)
    }
}

/// What is added to the scores so that no word looks at what texts were filled up with; none where all
/// are as long as the longest.
fn mask(lengths: &[usize], longest: usize) -> candle_core::Result<Option<Tensor>> {
    if lengths.iter().all(|length| *length == longest) {
        return Ok(None);
    }
    let values: Vec<f32> = lengths
        .iter()
        .flat_map(|length| (0..longest).map(move |word| if word < *length { 0.0 } else { MASKED }))
        .collect();
    let shape = (lengths.len(), 1, 1, longest);
    Tensor::from_vec(values, shape, &Device::Cpu).map(Some)
}

/// The mean of rows, made as long as one.
fn mean(rows: &[Vec<f32>], width: usize) -> Vec<f32> {
    let mut sum = vec![0.0f32; width];
    for row in rows {
        for (sum, value) in sum.iter_mut().zip(row) {
            *sum += value;
        }
    }
    let length = sum.iter().map(|value| value * value).sum::<f32>().sqrt();
    if length > 0.0 {
        sum.iter_mut().for_each(|value| *value /= length);
    }
    sum
}
