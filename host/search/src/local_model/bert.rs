//! A BERT encoder for sentence embeddings: attention and feed-forward blocks with residual connections and layer norm,
//! then mean pooling and L2 normalisation.

use super::config::ModelShape;
use super::layer_ops::{self, Attention, LayerNorm};
use super::linear::{Linear, QuantisedActivations};
use super::weights::ModelWeights;

pub(crate) struct Bert {
    shape: ModelShape,
    /// Position embeddings plus the embedding of token type 0.
    positions: Vec<f32>,
    norm: LayerNormWeights,
    layers: Vec<EncoderLayer>,
}

struct EncoderLayer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    wide: Linear,
    narrow: Linear,
    attended_norm: LayerNormWeights,
    norm: LayerNormWeights,
}

struct LayerNormWeights {
    weight: Vec<f32>,
    bias: Vec<f32>,
    epsilon: f32,
}

impl Bert {
    /// Takes the weights of its layers; the error describes a mismatch.
    pub(crate) fn new(shape: ModelShape, weights: &mut ModelWeights) -> Result<Self, String> {
        let hidden = shape.hidden;
        let table = |weights: &mut ModelWeights, name: &str| {
            let name = format!("embeddings.{name}_embeddings.weight");
            weights.take_table(&name, hidden)
        };
        let mut positions = table(weights, "position")?;
        let types = table(weights, "token_type")?;
        if positions.is_empty() || types.is_empty() {
            return Err("its position or token type embeddings are empty".to_owned());
        }
        for position in positions.chunks_exact_mut(hidden) {
            layer_ops::add(position, &types[..hidden]);
        }
        let norm = LayerNormWeights::take(weights, "embeddings.LayerNorm", shape)?;
        let layers = (0..shape.layers)
            .map(|number| EncoderLayer::take(weights, number, shape))
            .collect::<Result<_, _>>()?;
        Ok(Self {
            shape,
            positions,
            norm,
            layers,
        })
    }

    /// Returns the maximum number of tokens of a text.
    pub(crate) fn positions(&self) -> usize {
        self.positions.len() / self.shape.hidden
    }

    /// Returns a unit vector for each text. `words` are the token embeddings of all texts, concatenated; `lengths` are
    /// the token counts of the texts.
    pub(crate) fn vectors(&self, words: Vec<f32>, lengths: &[usize]) -> Vec<Vec<f32>> {
        let hidden = self.shape.hidden;
        let mut state = words;
        for text in texts(&mut state, lengths, hidden) {
            let of_text = text.len();
            layer_ops::add(text, &self.positions[..of_text]);
        }
        self.norm.apply(&mut state);
        for layer in &self.layers {
            state = layer.apply(&state, self.shape, lengths);
        }
        texts(&mut state, lengths, hidden)
            .map(|text| layer_ops::mean_pooled(text, hidden))
            .collect()
    }
}

impl EncoderLayer {
    fn take(weights: &mut ModelWeights, number: usize, shape: ModelShape) -> Result<Self, String> {
        let hidden = shape.hidden;
        let name = |part: &str| format!("encoder.layer.{number}.{part}");
        let wide = weights.length(&name("intermediate.dense.bias"));
        let mut linear = |part: &str, from: usize, to: usize| {
            let weight = weights.take_packed(&name(&format!("{part}.weight")), to, from)?;
            Linear::new(weight, weights.take(&name(&format!("{part}.bias")), &[to])?)
        };
        Ok(Self {
            query: linear("attention.self.query", hidden, hidden)?,
            key: linear("attention.self.key", hidden, hidden)?,
            value: linear("attention.self.value", hidden, hidden)?,
            attended: linear("attention.output.dense", hidden, hidden)?,
            wide: linear("intermediate.dense", hidden, wide)?,
            narrow: linear("output.dense", wide, hidden)?,
            attended_norm: LayerNormWeights::take(
                weights,
                &name("attention.output.LayerNorm"),
                shape,
            )?,
            norm: LayerNormWeights::take(weights, &name("output.LayerNorm"), shape)?,
        })
    }

    fn apply(&self, state: &[f32], shape: ModelShape, lengths: &[usize]) -> Vec<f32> {
        let hidden = shape.hidden;
        let rounded = QuantisedActivations::new(state, hidden);
        let [query, key, value] =
            [&self.query, &self.key, &self.value].map(|step| step.apply(&rounded));
        let mut attended = vec![0.0; state.len()];
        let mut start = 0;
        for attended in texts(&mut attended, lengths, hidden) {
            let text = start..start + attended.len();
            start = text.end;
            let attend = Attention {
                query: &query[text.clone()],
                key: &key[text.clone()],
                value: &value[text],
                attended,
                hidden,
                heads: shape.heads,
            };
            attend.run();
        }
        let mut attended = self
            .attended
            .apply(&QuantisedActivations::new(&attended, hidden));
        layer_ops::add(&mut attended, state);
        self.attended_norm.apply(&mut attended);
        let mut wide = self
            .wide
            .apply(&QuantisedActivations::new(&attended, hidden));
        layer_ops::gelu(&mut wide);
        let wide = QuantisedActivations::new(&wide, self.wide.outputs());
        let mut narrow = self.narrow.apply(&wide);
        layer_ops::add(&mut narrow, &attended);
        self.norm.apply(&mut narrow);
        narrow
    }
}

impl LayerNormWeights {
    fn take(weights: &mut ModelWeights, name: &str, shape: ModelShape) -> Result<Self, String> {
        let mut part = |part: &str| weights.take(&format!("{name}.{part}"), &[shape.hidden]);
        Ok(Self {
            weight: part("weight")?,
            bias: part("bias")?,
            epsilon: shape.epsilon,
        })
    }

    fn apply(&self, state: &mut [f32]) {
        let normalise = LayerNorm {
            rows: state,
            weight: &self.weight,
            bias: &self.bias,
            epsilon: self.epsilon,
        };
        normalise.run();
    }
}

/// Splits the rows by text.
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
