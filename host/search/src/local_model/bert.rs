//! The layers of a BERT encoder, as sentence models have them: attention and two linear steps, each
//! added to what went in and normalised; then the mean over the words of a text, of length one.

use super::config::Shape;
use super::linear::{Linear, Rounded};
use super::rows::{self, Attend, Normalise};
use super::weights::Weights;

pub(crate) struct Bert {
    shape: Shape,
    /// What each position adds, with what every word of a first sentence adds.
    positions: Vec<f32>,
    norm: Norm,
    layers: Vec<Layer>,
}

struct Layer {
    query: Linear,
    key: Linear,
    value: Linear,
    attended: Linear,
    wide: Linear,
    narrow: Linear,
    attended_norm: Norm,
    norm: Norm,
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
            weights.take_table(&name, hidden)
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
    pub(crate) fn vectors(&self, words: Vec<f32>, lengths: &[usize]) -> Vec<Vec<f32>> {
        let hidden = self.shape.hidden;
        let mut state = words;
        for text in texts(&mut state, lengths, hidden) {
            let of_text = text.len();
            rows::add(text, &self.positions[..of_text]);
        }
        self.norm.apply(&mut state);
        for layer in &self.layers {
            state = layer.apply(&state, self.shape, lengths);
        }
        texts(&mut state, lengths, hidden)
            .map(|text| rows::direction(text, hidden))
            .collect()
    }
}

impl Layer {
    fn take(weights: &mut Weights, number: usize, shape: Shape) -> Result<Self, String> {
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
            attended_norm: Norm::take(weights, &name("attention.output.LayerNorm"), shape)?,
            norm: Norm::take(weights, &name("output.LayerNorm"), shape)?,
        })
    }

    fn apply(&self, state: &[f32], shape: Shape, lengths: &[usize]) -> Vec<f32> {
        let hidden = shape.hidden;
        let rounded = Rounded::new(state, hidden);
        let [query, key, value] =
            [&self.query, &self.key, &self.value].map(|step| step.apply(&rounded));
        let mut attended = vec![0.0; state.len()];
        let mut start = 0;
        for attended in texts(&mut attended, lengths, hidden) {
            let text = start..start + attended.len();
            start = text.end;
            let attend = Attend {
                query: &query[text.clone()],
                key: &key[text.clone()],
                value: &value[text],
                attended,
                hidden,
                heads: shape.heads,
            };
            attend.run();
        }
        let mut attended = self.attended.apply(&Rounded::new(&attended, hidden));
        rows::add(&mut attended, state);
        self.attended_norm.apply(&mut attended);
        let mut wide = self.wide.apply(&Rounded::new(&attended, hidden));
        rows::gelu(&mut wide);
        let wide = Rounded::new(&wide, self.wide.outputs());
        let mut narrow = self.narrow.apply(&wide);
        rows::add(&mut narrow, &attended);
        self.norm.apply(&mut narrow);
        narrow
    }
}

impl Norm {
    fn take(weights: &mut Weights, name: &str, shape: Shape) -> Result<Self, String> {
        let mut part = |part: &str| weights.take(&format!("{name}.{part}"), &[shape.hidden]);
        Ok(Self {
            weight: part("weight")?,
            bias: part("bias")?,
            epsilon: shape.epsilon,
        })
    }

    fn apply(&self, state: &mut [f32]) {
        let normalise = Normalise {
            rows: state,
            weight: &self.weight,
            bias: &self.bias,
            epsilon: self.epsilon,
        };
        normalise.run();
    }
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
