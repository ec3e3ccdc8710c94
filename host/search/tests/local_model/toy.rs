//! A toy model: one layer, eight words.

use std::collections::BTreeMap;

use acreta_search::LocalModel;
use camino::Utf8PathBuf;
use safetensors::Dtype;
use safetensors::tensor::TensorView;

use crate::by_hand::ByHand;

pub(crate) const HIDDEN: usize = 8;
const WIDE: usize = 16;
pub(crate) const WORDS: [&str; 8] = [
    "[PAD]", "[UNK]", "[CLS]", "[SEP]", "heron", "fish", "##es", "owl",
];
pub(crate) const CONFIG: &str = r#"{"model_type":"bert","hidden_act":"gelu","hidden_size":8,
    "num_hidden_layers":1,"num_attention_heads":2,"layer_norm_eps":1e-12,"vocab_size":8}"#;

pub(crate) struct Toy {
    _scratch: tempfile::TempDir,
    pub(crate) folder: Utf8PathBuf,
}

pub(crate) type Tensors = BTreeMap<String, (Vec<usize>, Vec<f32>)>;

impl Toy {
    pub(crate) fn new() -> Self {
        let scratch = tempfile::tempdir().unwrap();
        let folder = Utf8PathBuf::from_path_buf(scratch.path().to_owned()).unwrap();
        let toy = Self {
            _scratch: scratch,
            folder,
        };
        toy.put("config.json", CONFIG);
        toy.put("tokenizer.json", tokenizer());
        toy.put("model.safetensors", file(&tensors("")));
        toy
    }

    pub(crate) fn with(name: &str, bytes: impl AsRef<[u8]>) -> Self {
        let toy = Self::new();
        toy.put(name, bytes);
        toy
    }

    #[expect(clippy::disallowed_methods, reason = "a person puts the model there")]
    pub(crate) fn put(&self, name: &str, bytes: impl AsRef<[u8]>) {
        std::fs::write(self.folder.join(name), bytes).unwrap();
    }

    #[expect(clippy::disallowed_methods, reason = "a person takes the model away")]
    pub(crate) fn remove(&self, name: &str) {
        std::fs::remove_file(self.folder.join(name)).unwrap();
    }

    /// Returns a model with its cache in the same folder.
    pub(crate) fn cached(&self) -> LocalModel {
        LocalModel::with_cache(&self.folder, &self.folder.join("cache"), now_ms)
    }

    pub(crate) fn model(&self) -> LocalModel {
        LocalModel::new(&self.folder)
    }
}

#[expect(clippy::disallowed_methods, reason = "a binary of its own")]
fn now_ms() -> u64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.unwrap().as_millis() as u64
}

pub(crate) fn tokenizer() -> String {
    let vocabulary: Vec<String> = (0..)
        .zip(WORDS)
        .map(|(number, word)| format!("\"{word}\":{number}"))
        .collect();
    format!(
        r#"{{"version":"1.0","truncation":{{"max_length":6,"strategy":"LongestFirst","stride":0}},
        "padding":null,"added_tokens":[],"normalizer":{{"type":"BertNormalizer","clean_text":true,
        "handle_chinese_chars":true,"strip_accents":null,"lowercase":true}},
        "pre_tokenizer":{{"type":"BertPreTokenizer"}},
        "post_processor":{{"type":"BertProcessing","sep":["[SEP]",3],"cls":["[CLS]",2]}},
        "decoder":null,"model":{{"type":"WordPiece","unk_token":"[UNK]",
        "continuing_subword_prefix":"\u0023\u0023","max_input_chars_per_word":100,
        "vocab":{{{}}}}}}}"#,
        vocabulary.join(",")
    )
}

/// Returns pseudo-random weights. Those of the layers are exact in int8, so that everything else must be right to the
/// last digits.
pub(crate) fn tensors(prefix: &str) -> Tensors {
    let mut seed = 1u32;
    let mut number = || {
        seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (seed >> 8) as f32 / (1 << 24) as f32 - 0.5
    };
    let mut tensors = Tensors::new();
    let mut add = |name: String, shape: &[usize]| {
        let count = shape.iter().product();
        let mut values: Vec<f32> = (0..count).map(|_| number()).collect();
        if let (true, [_, inputs]) = (name.starts_with("encoder."), shape) {
            for row in values.chunks_mut(*inputs) {
                row.iter_mut()
                    .for_each(|value| *value = (*value * 254.0).round() / 254.0);
                row[0] = 0.5;
            }
        }
        tensors.insert(format!("{prefix}{name}"), (shape.to_vec(), values));
    };
    let table = |name: &str| format!("embeddings.{name}_embeddings.weight");
    add(table("word"), &[WORDS.len(), HIDDEN]);
    add(table("position"), &[10, HIDDEN]);
    add(table("token_type"), &[2, HIDDEN]);
    let layer = |part: &str| format!("encoder.layer.0.{part}");
    for (name, from, to) in [
        ("attention.self.query", HIDDEN, HIDDEN),
        ("attention.self.key", HIDDEN, HIDDEN),
        ("attention.self.value", HIDDEN, HIDDEN),
        ("attention.output.dense", HIDDEN, HIDDEN),
        ("intermediate.dense", HIDDEN, WIDE),
        ("output.dense", WIDE, HIDDEN),
    ] {
        add(layer(&format!("{name}.weight")), &[to, from]);
        add(layer(&format!("{name}.bias")), &[to]);
    }
    for name in [
        "embeddings.LayerNorm".to_owned(),
        layer("attention.output.LayerNorm"),
        layer("output.LayerNorm"),
    ] {
        add(format!("{name}.weight"), &[HIDDEN]);
        add(format!("{name}.bias"), &[HIDDEN]);
    }
    add("pooler.dense.bias".to_owned(), &[HIDDEN]);
    tensors
}

/// Like [`tensors`], with weights that quantisation changes.
pub(crate) fn uneven() -> Tensors {
    let mut tensors = tensors("");
    for (name, (shape, values)) in &mut tensors {
        if name.starts_with("encoder.") && shape.len() == 2 {
            for (place, value) in (0..).zip(values) {
                *value *= 1.0 + (place % 7) as f32 / 50.0;
            }
        }
    }
    tensors
}

/// Returns the reference implementation with these weights.
pub(crate) fn by_hand(tensors: &Tensors) -> ByHand {
    let tensors = tensors.iter().map(|(name, (_, values))| {
        let values = values.iter().map(|value| f64::from(*value)).collect();
        (name.clone(), values)
    });
    ByHand {
        tensors: tensors.collect(),
        hidden: HIDDEN,
        heads: 2,
    }
}

pub(crate) fn file(tensors: &Tensors) -> Vec<u8> {
    file_of(tensors, Dtype::F32, |value| value.to_le_bytes().to_vec())
}

/// Encodes tensors in another float format.
pub(crate) fn file_of(tensors: &Tensors, kind: Dtype, encoded: impl Fn(f32) -> Vec<u8>) -> Vec<u8> {
    let bytes: Vec<(&String, &Vec<usize>, Vec<u8>)> = tensors
        .iter()
        .map(|(name, (shape, values))| {
            let bytes = values.iter().flat_map(|value| encoded(*value));
            (name, shape, bytes.collect())
        })
        .collect();
    let views = bytes.iter().map(|(name, shape, bytes)| {
        let view = TensorView::new(kind, (*shape).clone(), bytes).unwrap();
        (*name, view)
    });
    safetensors::serialize(views, None).unwrap()
}
