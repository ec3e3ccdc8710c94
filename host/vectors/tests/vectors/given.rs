//! The vectors a model gives, and which model it is.

use acreta_search::SentenceModel;
use acreta_vectors::LocalModel;
use camino::Utf8Path;

use crate::by_hand::by_hand;
use crate::toy::{CONFIG, HIDDEN, Toy, file, tensors, tokenizer};

fn vectors(model: &LocalModel, texts: &[&str]) -> Vec<Vec<f32>> {
    model.vectors(texts).unwrap()
}

fn close(left: &[f32], right: &[f32]) -> bool {
    left.len() == right.len()
        && left
            .iter()
            .zip(right)
            .all(|(left, right)| (left - right).abs() < 1e-4)
}

#[test]
fn vectors_are_what_the_layers_compute() {
    let toy = Toy::new();
    let model = toy.model();
    let cases: [(&str, &[usize]); 6] = [
        ("heron", &[2, 4, 3]),
        ("Heron, fishes", &[2, 4, 1, 5, 6, 3]),
        ("zebra owl", &[2, 1, 7, 3]),
        ("", &[2, 3]),
        ("owl\u{0} owl", &[2, 7, 7, 3]),
        // Cut to what the tokenizer says.
        ("heron owl fish heron owl fish", &[2, 4, 7, 5, 4, 3]),
    ];
    let tensors = tensors("");
    let texts = cases.map(|(text, _)| text);
    // Together and alone: texts must not look at each other.
    let together = vectors(&model, &texts);
    for ((text, ids), vector) in cases.iter().zip(&together) {
        let expected = by_hand(&tensors, ids);
        assert!(
            close(vector, &expected),
            "{text:?}: {vector:?} {expected:?}"
        );
        assert!(close(&vectors(&model, &[text])[0], &expected), "{text:?}");
    }
    assert_eq!(vectors(&model, &[]).len(), 0);
    assert_eq!(model.identity().unwrap().dimensions, HIDDEN);
    let endless = "heron ".repeat(1 << 18);
    assert_eq!(vectors(&model, &[&endless])[0].len(), HIDDEN);
}

#[test]
fn names_with_a_prefix_and_no_config_are_understood() {
    let plain = Toy::new();
    let prefixed = Toy::with("model.safetensors", file(&tensors("bert.")));
    let expected = vectors(&plain.model(), &["heron fish"]);
    assert_eq!(vectors(&prefixed.model(), &["heron fish"]), expected);
    // Without a config twelve heads are assumed, among which eight units do not divide.
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
