//! Shape of a model, from `config.json` and the weights.

use serde::Deserialize;

/// The fields of `config.json` needed to run a model.
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

/// Dimensions of a model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct ModelShape {
    pub(crate) hidden: usize,
    pub(crate) layers: usize,
    pub(crate) heads: usize,
    pub(crate) epsilon: f32,
}

/// Larger models take seconds per question.
const MOST_HIDDEN: usize = 4096;
const MOST_LAYERS: usize = 48;

/// Default number of heads: nearly all models of this family have twelve.
const HEADS: usize = 12;

/// The default of BERT.
const EPSILON: f64 = 1e-12;

impl Config {
    /// Combines the configuration with the actual weights; the error describes a mismatch.
    pub(crate) fn shape(&self, hidden: usize, layers: usize) -> Result<ModelShape, String> {
        let only = |name: &str, said: &Option<String>, known: &str| match said {
            Some(said) if said != known => {
                Err(format!("its {name} is `{said}` (expected `{known}`)"))
            }
            _ => Ok(()),
        };
        only("type", &self.model_type, "bert")?;
        only("activation", &self.hidden_act, "gelu")?;
        only("position type", &self.position_embedding_type, "absolute")?;
        let same = |name: &str, said: Option<usize>, is: usize| match said {
            Some(said) if said != is => Err(format!(
                "`config.json` says {said} {name}, but the weights have {is}"
            )),
            _ => Ok(()),
        };
        same("hidden units", self.hidden_size, hidden)?;
        same("layers", self.num_hidden_layers, layers)?;
        if !(1..=MOST_HIDDEN).contains(&hidden) || !(1..=MOST_LAYERS).contains(&layers) {
            return Err(format!(
                "it has {layers} layers of {hidden} units (limits: {MOST_LAYERS} and {MOST_HIDDEN})"
            ));
        }
        let heads = self.num_attention_heads.unwrap_or(HEADS);
        if heads == 0 || !hidden.is_multiple_of(heads) {
            return Err(format!(
                "{hidden} units cannot be divided among {heads} heads"
            ));
        }
        let epsilon = self.layer_norm_eps.unwrap_or(EPSILON);
        if !(0.0..=1.0).contains(&epsilon) {
            return Err(format!("`layer_norm_eps` is {epsilon} (expected 0 to 1)"));
        }
        Ok(ModelShape {
            hidden,
            layers,
            heads,
            epsilon: epsilon as f32,
        })
    }
}
