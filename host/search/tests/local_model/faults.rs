//! Unusable model folders: errors name the file and the problem; nothing panics.

use acreta_search::SentenceModel;
use acreta_search::{LocalModel, ModelError};
use camino::Utf8Path;

use crate::toy::{CONFIG, HIDDEN, Toy, file, tensors};

#[test]
fn what_cannot_be_used_is_said_with_its_path() {
    let whole = file(&tensors(""));
    let mut flipped = whole.clone();
    flipped[20] ^= 0xff;
    let without = |name: &str| {
        let mut tensors = tensors("");
        tensors.remove(name).unwrap();
        file(&tensors)
    };
    let reshaped = |name: &str, shape: &[usize]| {
        let mut tensors = tensors("");
        let values = vec![0.1; shape.iter().product()];
        tensors.insert(name.to_owned(), (shape.to_vec(), values));
        file(&tensors)
    };
    let query = "encoder.layer.0.attention.self.query.weight";
    let words = "embeddings.word_embeddings.weight";
    let header = |length: u64| length.to_le_bytes().to_vec();
    let config = |from: &str, to: &str| CONFIG.replace(from, to).into_bytes();
    let cases: Vec<(&str, Vec<u8>, &str)> = vec![
        ("model.safetensors", Vec::new(), "damaged"),
        ("model.safetensors", whole[..4].to_vec(), "damaged"),
        (
            "model.safetensors",
            whole[..whole.len() - 1].to_vec(),
            "length differs",
        ),
        (
            "model.safetensors",
            [whole.clone(), vec![0]].concat(),
            "length differs",
        ),
        ("model.safetensors", flipped, "damaged"),
        ("model.safetensors", header(u64::MAX), "header"),
        ("model.safetensors", vec![b'x'; 4096], "header"),
        ("model.safetensors", without(query), "have 0"),
        (
            "model.safetensors",
            without(words),
            "no two-dimensional tensor",
        ),
        (
            "model.safetensors",
            without("encoder.layer.0.output.dense.bias"),
            "output.dense.bias",
        ),
        (
            "model.safetensors",
            reshaped(query, &[HIDDEN, HIDDEN - 1]),
            "has the shape",
        ),
        (
            "model.safetensors",
            reshaped(words, &[HIDDEN]),
            "no two-dimensional tensor",
        ),
        (
            "model.safetensors",
            reshaped("embeddings.position_embeddings.weight", &[2, HIDDEN]),
            "2 tokens",
        ),
        (
            "model.safetensors",
            reshaped("embeddings.token_type_embeddings.weight", &[0, HIDDEN]),
            "cannot be run",
        ),
        ("tokenizer.json", b"{}".to_vec(), "damaged"),
        ("tokenizer.json", b"\xff\xfe".to_vec(), "damaged"),
        ("tokenizer.json", Vec::new(), "damaged"),
        ("config.json", b"[".to_vec(), "damaged"),
        (
            "config.json",
            config("gelu", "tanh"),
            "activation is `tanh`",
        ),
        ("config.json", config("\"bert\"", "\"t5\""), "type is `t5`"),
        (
            "config.json",
            config("\"hidden_size\":8", "\"hidden_size\":9"),
            "9 hidden units",
        ),
        (
            "config.json",
            config("layers\":1", "layers\":7"),
            "7 layers",
        ),
        ("config.json", config("heads\":2", "heads\":0"), "0 heads"),
        ("config.json", config("1e-12", "-1"), "layer_norm_eps"),
        ("config.json", vec![b' '; 2 << 20], "larger than"),
    ];
    for (name, bytes, expected) in cases {
        let toy = Toy::with(name, bytes);
        let model = toy.model();
        let error = model.check().unwrap_err();
        let told = error.to_string();
        assert!(told.contains(expected), "{name}: {told}");
        assert!(told.contains(toy.folder.as_str()), "{name}: {told}");
        assert!(!error.hint().is_empty());
        assert!(model.vectors(&["heron"]).is_err());
    }
}

#[test]
fn what_is_missing_is_said() {
    for name in ["model.safetensors", "tokenizer.json"] {
        let toy = Toy::new();
        toy.remove(name);
        let error = toy.model().check().unwrap_err();
        assert!(matches!(&*error, ModelError::Missing { path } if *path == toy.folder.join(name)));
        assert!(error.hint().contains("model.safetensors"));
    }
    let nowhere = LocalModel::new(Utf8Path::new("/nowhere/at/all"));
    let failure = nowhere.vectors(&["heron"]).unwrap_err();
    assert_eq!(
        failure.to_string(),
        "`/nowhere/at/all/tokenizer.json` does not exist"
    );
}

#[test]
fn weights_that_are_no_numbers_give_no_vectors() {
    let mut tensors = tensors("");
    tensors
        .get_mut("encoder.layer.0.output.dense.bias")
        .unwrap()
        .1[3] = f32::NAN;
    let toy = Toy::with("model.safetensors", file(&tensors));
    let model = toy.model();
    model.check().unwrap();
    let failure = model.vectors(&["heron"]).unwrap_err().to_string();
    assert!(failure.contains("NaN"), "{failure}");
}
