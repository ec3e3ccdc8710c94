//! Vectors and identity of a model.

use acreta_search::LocalModel;
use acreta_search::SentenceModel;
#[cfg(unix)]
use camino::Utf8Path;

use safetensors::Dtype;

use crate::toy::{CONFIG, HIDDEN, Toy, by_hand, file, file_of, tensors, tokenizer, uneven};

fn vectors(model: &LocalModel, texts: &[&str]) -> Vec<Vec<f32>> {
    model.vectors(texts).unwrap()
}

/// Returns the largest difference between two vectors.
fn apart(left: &[f32], right: &[f64]) -> f64 {
    assert_eq!(left.len(), right.len());
    let pairs = left.iter().zip(right);
    pairs
        .map(|(left, right)| (f64::from(*left) - right).abs())
        .fold(0.0, f64::max)
}

const CASES: [(&str, &[usize]); 6] = [
    ("heron", &[2, 4, 3]),
    ("Heron, fishes", &[2, 4, 1, 5, 6, 3]),
    ("zebra owl", &[2, 1, 7, 3]),
    ("", &[2, 3]),
    ("owl\u{0} owl", &[2, 7, 7, 3]),
    // Cut to the tokenizer's limit.
    ("heron owl fish heron owl fish", &[2, 4, 7, 5, 4, 3]),
];

#[test]
fn vectors_are_what_the_layers_compute() {
    let toy = Toy::new();
    let model = toy.model();
    let by_hand = by_hand(&tensors(""));
    let texts = CASES.map(|(text, _)| text);
    // In a batch and alone: texts must not influence each other.
    let together = vectors(&model, &texts);
    for ((text, ids), vector) in CASES.iter().zip(&together) {
        let expected = by_hand.vector(ids);
        assert!(apart(vector, &expected) < 2e-4, "{vector:?} {expected:?}");
        assert_eq!(&vectors(&model, &[text])[0], vector, "{text:?}");
    }
    assert_eq!(vectors(&model, &[]).len(), 0);
    assert_eq!(model.identity().unwrap().dimensions, HIDDEN);
    let endless = "heron ".repeat(1 << 18);
    assert_eq!(vectors(&model, &[&endless])[0].len(), HIDDEN);
}

#[test]
fn weights_that_rounding_changes_give_nearly_the_same() {
    let uneven = uneven();
    let toy = Toy::with("model.safetensors", file(&uneven));
    let (model, by_hand) = (toy.model(), by_hand(&uneven));
    for (text, ids) in CASES {
        let vector = &vectors(&model, &[text])[0];
        let far = apart(vector, &by_hand.vector(ids));
        assert!((1e-6..2e-2).contains(&far), "{text:?}: {far}");
    }
}

#[test]
fn many_texts_come_back_in_their_order() {
    let toy = Toy::new();
    let model = toy.model();
    let texts: Vec<&str> = (0..700).map(|number| CASES[number % 6].0).collect();
    let alone = CASES.map(|(text, _)| vectors(&model, &[text]).remove(0));
    for (number, vector) in vectors(&model, &texts).iter().enumerate() {
        assert_eq!(vector, &alone[number % 6], "{number}");
    }
}

#[test]
fn shorter_numbers_are_read() {
    let mut short = tensors("");
    for (_, values) in short.values_mut() {
        // Values that are exact in both formats.
        values
            .iter_mut()
            .for_each(|value| *value = (*value * 64.0).round() / 64.0);
    }
    let brain = |value: f32| (value.to_bits() >> 16).to_le_bytes()[..2].to_vec();
    let half = |value: f32| {
        let bits = value.to_bits();
        let sign = (bits >> 16 & 0x8000) as u16;
        let size = (bits >> 13 & 0x3_ffff) as u16;
        let size = if value == 0.0 {
            0
        } else {
            size.wrapping_sub(112 << 10)
        };
        (sign | size).to_le_bytes().to_vec()
    };
    let toy = Toy::with("model.safetensors", file(&short));
    let expected = vectors(&toy.model(), &["heron owl"]);
    for file in [
        file_of(&short, Dtype::BF16, brain),
        file_of(&short, Dtype::F16, half),
    ] {
        let toy = Toy::with("model.safetensors", file);
        assert_eq!(vectors(&toy.model(), &["heron owl"]), expected);
    }
}

#[test]
fn names_with_a_prefix_and_no_config_are_understood() {
    let plain = Toy::new();
    let prefixed = Toy::with("model.safetensors", file(&tensors("bert.")));
    let expected = vectors(&plain.model(), &["heron fish"]);
    assert_eq!(vectors(&prefixed.model(), &["heron fish"]), expected);
    // Without a config twelve heads are assumed, which do not divide eight units.
    prefixed.remove("config.json");
    let error = prefixed.model().check().unwrap_err().to_string();
    assert!(error.contains("12 heads"), "{error}");
}

#[test]
fn another_model_has_another_identity() {
    let identity = |toy: &Toy| toy.model().identity().unwrap();
    let first = identity(&Toy::new());
    assert_eq!(identity(&Toy::new()), first);
    let mut changed = tensors("");
    changed.get_mut("pooler.dense.bias").unwrap().1[0] += 1.0;
    let others = [
        Toy::with("model.safetensors", file(&changed)),
        Toy::with("config.json", CONFIG.replace("1e-12", "1e-11")),
        Toy::with("tokenizer.json", tokenizer().replace("zebra", "") + " "),
    ];
    for other in &others {
        assert_ne!(identity(other), first, "{}", other.folder);
    }
}

#[cfg(unix)]
#[test]
fn a_folder_of_links_is_a_model() {
    let toy = Toy::new();
    let links = tempfile::tempdir().unwrap();
    for name in ["config.json", "tokenizer.json", "model.safetensors"] {
        std::os::unix::fs::symlink(toy.folder.join(name), links.path().join(name)).unwrap();
    }
    let model = LocalModel::new(Utf8Path::from_path(links.path()).unwrap());
    assert_eq!(vectors(&model, &["owl"]), vectors(&toy.model(), &["owl"]));
}
