//! The shape of a model: what `config.json` says of it, or without one what its weights tell.

use serde::Deserialize;

/// As far as it concerns running a model. Whatever else the file says does not.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Config {
    pub(crate) model_type: Option<String>,
    pub(crate) hidden_act: Option<String>,
    pub(crate) position_embedding_type: Option<String>,
    pub(crate) hidden_size: Option<usize>,
    pub(crate) num_hidden_layers: Option<usize>,
    pub(crate) num_attention_heads: Option<usize>,
    pub(crate) layer_norm_eps: Option<f64>,
}

/// What a model computes with.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Shape {
    pub(crate) hidden: usize,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    pub(crate) epsilon: f32,
}

/// Larger models take seconds for a question.
const MOST_HIDDEN: usize = 4096;
const MOST_LAYERS: usize = 48;

/// Heads of a model that does not say: nearly all of the family have twelve.
const HEADS: usize = 12;

/// As BERT was published.
const EPSILON: f64 = 1e-12;

impl Config {
    /// Puts together what is said and what the weights have; the sentence says what does not fit.
    pub(crate) fn shape(&self, hidden: usize, layers: usize) -> Result<Shape, String> {
        let only = |name: &str, said: &Option<String>, known: &str| match said {
            Some(said) if said != known => Err(format!("its {name} is `{said}`, not `{known}`")),
            _ => Ok(()),
        };
        only("type", &self.model_type, "bert")?;
        only("activation", &self.hidden_act, "gelu")?;
        only("position type", &self.position_embedding_type, "absolute")?;
        let same = |name: &str, said: Option<usize>, is: usize| match said {
            Some(said) if said != is => Err(format!("it says {said} {name} and has {is}")),
            _ => Ok(()),
        };
        same("hidden units", self.hidden_size, hidden)?;
        same("layers", self.num_hidden_layers, layers)?;
        if !(1..=MOST_HIDDEN).contains(&hidden) || !(1..=MOST_LAYERS).contains(&layers) {
            return Err(format!("it has {layers} layers of {hidden} units"));
        }
        let heads = self.num_attention_heads.unwrap_or(HEADS);
        if heads == 0 || !hidden.is_multiple_of(heads) {
            return Err(format!("{hidden} units do not divide among {heads} heads"));
        }
        let epsilon = self.layer_norm_eps.unwrap_or(EPSILON);
        if !(0.0..=1.0).contains(&epsilon) {
            return Err(format!("its layers are normalised with {epsilon}"));
        }
        Ok(Shape {
            hidden,
            layers,
            heads,
            epsilon: epsilon as f32,
        })
    }
}
