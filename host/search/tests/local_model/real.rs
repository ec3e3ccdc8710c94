//! A real model, if there is one: quantisation must not move its vectors.

use std::collections::BTreeMap;

use acreta_search::LocalModel;
use acreta_search::SentenceModel;
use camino::{Utf8Path, Utf8PathBuf};
use safetensors::SafeTensors;
use tokenizers::Tokenizer;

use crate::by_hand::{ByHand, product};

/// Topics of texts.
const ABOUT: [&str; 10] = [
    "the release branch",
    "a retry budget of three",
    "Müller's café in Zürich",
    "tokio::sync::Mutex",
    "the painting my sister gave me in 2021",
    "error E0502",
    "東京の天気",
    "https://example.com/a?b=c",
    "🎉 her birthday",
    "nothing in particular",
];

/// Statements and questions about them.
const SAID: [(&str, &str); 20] = [
    ("", ""),
    ("What did we decide about ", "?"),
    ("When is ", " due?"),
    ("Who knows about ", ", and since when?"),
    ("We no longer use ", " because it broke the build."),
    ("I never liked ", "."),
    ("NOTE: ", " must be checked twice!!!"),
    ("fn main() { let x = \"", "\"; println!(\"{x}\"); }"),
    ("- [ ] ", "\n- [x] everything else\n"),
    (
        "She said that ",
        " reminded her of last summer at the lake.",
    ),
    ("Always ask before changing ", ""),
    (
        "The tests fail when ",
        " is missing from the configuration.",
    ),
    ("# ", "\n\nA heading and a paragraph."),
    ("2026-01-03T10:00:00Z INFO ", " took 31 ms"),
    ("Why does ", " take so long on Windows?"),
    ("{\"key\": \"", "\", \"value\": null}"),
    ("Ich habe ", " gestern gesehen."),
    ("git commit -m '", "'"),
    (
        "Between you and me, ",
        " is overrated, but the team likes it and so it stays.",
    ),
    ("how to ", " how to"),
];

#[test]
fn vectors_stay_where_they_were() {
    let Some(folder) = folder() else {
        acreta_testing::skip(acreta_testing::MODEL, "no sentence model is named");
        return;
    };
    let by_hand = read(&folder);
    let mut tokenizer = Tokenizer::from_file(folder.join("tokenizer.json")).unwrap();
    tokenizer.with_padding(None);
    let texts: Vec<String> = SAID
        .iter()
        .flat_map(|(before, after)| ABOUT.map(|about| format!("{before}{about}{after}")))
        .collect();
    let model = LocalModel::new(&folder);
    let given: Vec<&str> = texts.iter().map(String::as_str).collect();
    let given = model.vectors(&given).unwrap();
    let mut cosines = Vec::new();
    for (text, vector) in texts.iter().zip(given) {
        let words = tokenizer.encode_fast(text.as_str(), true).unwrap();
        let ids: Vec<usize> = words.get_ids().iter().map(|id| *id as usize).collect();
        let vector: Vec<f64> = vector.into_iter().map(f64::from).collect();
        let cosine = product(&by_hand.vector(&ids), &vector);
        assert!(cosine >= 0.995, "{cosine} {text:?}");
        cosines.push(cosine);
    }
    let mean = cosines.iter().sum::<f64>() / cosines.len() as f64;
    let least = cosines.iter().copied().fold(1.0, f64::min);
    println!("{} texts: mean {mean:.5}, least {least:.5}", cosines.len());
    assert!(mean >= 0.998, "{mean}");
}

#[expect(
    clippy::disallowed_methods,
    reason = "only whoever runs the test knows where a model is"
)]
fn folder() -> Option<Utf8PathBuf> {
    std::env::var("ACRETA_MODEL").ok().map(Utf8PathBuf::from)
}

fn read(folder: &Utf8Path) -> ByHand {
    let bytes = std::fs::read(folder.join("model.safetensors")).unwrap();
    let config = std::fs::read(folder.join("config.json")).unwrap();
    let config: serde_json::Value = serde_json::from_slice(&config).unwrap();
    let count = |key: &str| config[key].as_u64().unwrap() as usize;
    let tensors = SafeTensors::deserialize(&bytes).unwrap();
    let tensors: BTreeMap<String, Vec<f64>> = tensors
        .iter()
        .filter(|(_, tensor)| tensor.dtype() == safetensors::Dtype::F32)
        .map(|(name, tensor)| {
            let (numbers, _) = tensor.data().as_chunks::<4>();
            let numbers = numbers.iter();
            let numbers = numbers.map(|number| f64::from(f32::from_le_bytes(*number)));
            (name.to_owned(), numbers.collect())
        })
        .collect();
    ByHand {
        tensors,
        hidden: count("hidden_size"),
        heads: count("num_attention_heads"),
    }
}
