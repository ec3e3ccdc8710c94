//! Search by words and meaning: the effect of a model, and that nothing depends on it.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use acreta_fs::{Directory, NoFaults};
use acreta_search::{
    Filter, MemoryIndex, ModelFailure, ModelIdentity, Query, RefreshOutcome, SentenceModel,
};
use acreta_types::MemoryType;

use crate::support::{MINUTE, MemorySpec, NOW, Project, ids, ids_of};

const VECTORS: &str = ".acreta/index/vectors";

/// A fake model that knows some words, each on one of a few topics.
struct FakeModel {
    version: u8,
    dimensions: usize,
    fails: AtomicBool,
    asked: Mutex<Vec<String>>,
    given: AtomicUsize,
}

const WORDS: [(&str, usize); 9] = [
    ("heron", 0),
    ("egret", 0),
    ("fish", 0),
    ("wren", 1),
    ("song", 1),
    ("owl", 2),
    ("midnight", 2),
    ("zebra", 3),
    ("memory", 4),
];

impl FakeModel {
    fn new(version: u8, dimensions: usize) -> Arc<Self> {
        Arc::new(Self {
            version,
            dimensions,
            fails: AtomicBool::new(false),
            asked: Mutex::default(),
            given: AtomicUsize::new(0),
        })
    }

    /// Returns the number of texts embedded since the last call.
    fn given(&self) -> usize {
        self.given.swap(0, Ordering::SeqCst)
    }
}

impl SentenceModel for FakeModel {
    fn identity(&self) -> Result<ModelIdentity, ModelFailure> {
        if self.fails.load(Ordering::SeqCst) {
            return Err(ModelFailure {
                hint: "feed it".to_owned(),
                cause: "the model is asleep".into(),
            });
        }
        Ok(ModelIdentity {
            digest: [self.version; 32],
            dimensions: self.dimensions,
        })
    }

    fn vectors(&self, texts: &[&str]) -> Result<Vec<Vec<f32>>, ModelFailure> {
        let mut asked = self.asked.lock().unwrap();
        asked.extend(texts.iter().map(|text| (*text).to_owned()));
        self.given.fetch_add(texts.len(), Ordering::SeqCst);
        let vector = |text: &&str| {
            let mut vector = vec![0.0f32; self.dimensions];
            for word in text
                .to_lowercase()
                .split(|letter: char| !letter.is_alphabetic())
            {
                for (_, thing) in WORDS.iter().filter(|(known, _)| *known == word) {
                    vector[*thing] += 1.0;
                }
            }
            let length = vector.iter().map(|value| value * value).sum::<f32>().sqrt();
            vector
                .iter()
                .map(|value| value / length.max(1e-6))
                .collect()
        };
        Ok(texts.iter().map(vector).collect())
    }
}

fn things() -> Arc<FakeModel> {
    FakeModel::new(1, 8)
}

fn index(project: &Project, model: &Arc<FakeModel>) -> MemoryIndex {
    MemoryIndex::with_model(project.layout(), Arc::new(NoFaults), Arc::clone(model) as _)
}

fn made<'a>(id: &'a str, title: &'a str, body: &'a str) -> MemorySpec<'a> {
    MemorySpec {
        id,
        title,
        body,
        ..MemorySpec::default()
    }
}

fn birds() -> Project {
    let long = "The heron stood there and waited for a fish to come by. ".repeat(30);
    Project::with(&[
        made("heron", "Heron", &long),
        made("wren", "Wren", "A small bird with a loud song."),
        made("owl", "Owl", "A bird that is seen at midnight."),
    ])
}

#[test]
fn meaning_finds_what_words_do_not() {
    let project = birds();
    let index = index(&project, &things());
    let cases: [(&str, &[&str]); 7] = [
        ("egret", &["heron"]),
        ("egret bird", &["heron", "owl", "wren"]),
        ("midnight", &["owl"]),
        ("zebra", &[]),
        ("nothing known", &[]),
        ("", &[]),
        // Quoted text must occur literally.
        ("\"egret\"", &[]),
    ];
    for (text, expected) in cases {
        let found = index.search(&Query::new(text), NOW).unwrap();
        let mut ids = ids_of(&found);
        ids.sort();
        assert_eq!(ids, expected, "{text}");
        assert_eq!(found.warning, None);
    }
    assert_eq!(ids(&project.index(), "egret", NOW), [""; 0]);
    let decisions = Filter {
        types: [MemoryType::Decision].into(),
        ..Filter::default()
    };
    let query = Query {
        filter: decisions,
        ..Query::new("egret")
    };
    assert_eq!(index.search(&query, NOW).unwrap().hits.len(), 0);
}

#[test]
fn where_words_are_equal_meaning_decides() {
    let bodies = [
        "A bird with an owl.",
        "A bird with a fish.",
        "A bird with a wren.",
    ];
    let project = Project::new();
    for (id, body) in ["one", "two", "three"].into_iter().zip(bodies) {
        project.add(&made(id, "Note", body));
    }
    let index = index(&project, &things());
    for (text, best) in [
        ("egret bird", "two"),
        ("song bird", "three"),
        ("midnight bird", "one"),
    ] {
        let found = ids(&index, text, NOW);
        assert_eq!((found.len(), found[0].as_str()), (3, best), "{text}");
    }
}

#[test]
fn a_score_is_the_sum_of_its_parts() {
    let project = birds();
    let index = index(&project, &things());
    let query = Query {
        explain: true,
        ..Query::new("egret bird")
    };
    let found = index.search(&query, NOW).unwrap();
    for hit in &found.hits {
        let parts = hit.explanation.as_ref().unwrap();
        assert_eq!(parts.meaning > 0.0, hit.id == "heron", "{parts:?}");
        let sum = parts.memory + parts.passage + parts.next + parts.meaning;
        let product = sum * parts.recency * parts.confidence * parts.access;
        assert!((product - hit.score).abs() < 1e-4, "{parts:?}");
    }
}

#[test]
fn a_model_that_fails_is_told_about_and_done_without() {
    let project = birds();
    let model = things();
    model.fails.store(true, Ordering::SeqCst);
    let (with, without) = (index(&project, &model), project.index());
    for text in ["heron", "bird song", "egret"] {
        let query = Query::new(text);
        let found = with.search(&query, NOW).unwrap();
        assert_eq!(found.hits, without.search(&query, NOW).unwrap().hits);
        assert_eq!(
            found.warning.as_deref(),
            Some("searched by words only: the model is asleep (feed it)")
        );
    }
    let refreshed = with.refresh(NOW).unwrap();
    assert_eq!(refreshed.outcome, RefreshOutcome::Current);
    assert!(refreshed.embedded.waiting > 0 && refreshed.embedded.warning.is_some());
    model.fails.store(false, Ordering::SeqCst);
    assert_eq!(with.refresh(NOW).unwrap().embedded.waiting, 0);
    assert_eq!(ids(&with, "egret", NOW), ["heron"]);
}

#[test]
fn a_passage_gets_its_vector_once() {
    let project = birds();
    let model = things();
    let first = index(&project, &model).refresh(NOW).unwrap().embedded;
    assert_eq!((first.done, first.waiting), (model.given(), 0));
    // Neither another process nor a rebuilt index embeds it again.
    assert_eq!(
        index(&project, &model).refresh(NOW).unwrap().embedded.done,
        0
    );
    project.remove(".acreta/index/memory");
    let rebuilt = index(&project, &model).refresh(NOW).unwrap();
    assert_eq!(
        (rebuilt.outcome, rebuilt.embedded.done),
        (RefreshOutcome::Rebuilt, 0)
    );
    assert_eq!(model.given(), 0);
    // Only changed passages.
    project.add(&made("owl", "Owl", "Now about an egret."));
    assert_eq!(
        index(&project, &model)
            .refresh(NOW + 1)
            .unwrap()
            .embedded
            .done,
        1
    );
    assert_eq!(model.given(), 1);
    project.remove(".acreta/index");
    assert_eq!(
        index(&project, &model)
            .refresh(NOW + 2)
            .unwrap()
            .embedded
            .done,
        first.done
    );
}

#[test]
fn vectors_of_another_model_are_not_used() {
    let project = birds();
    let first = index(&project, &things()).refresh(NOW).unwrap().embedded;
    for other in [
        FakeModel::new(2, 8),
        FakeModel::new(2, 12),
        FakeModel::new(1, 12),
    ] {
        let index = index(&project, &other);
        assert_eq!(index.refresh(NOW).unwrap().embedded.done, first.done);
        assert_eq!(ids(&index, "egret", NOW), ["heron"]);
    }
}

#[test]
fn giving_vectors_is_bounded() {
    let project = Project::new();
    for number in 0..300 {
        let (id, body) = (format!("m{number}"), format!("memory number {number}"));
        project.add(&made(&id, "Memory", &body));
    }
    let model = things();
    let index = index(&project, &model);
    // A search in between: a few passages and the question itself.
    assert_eq!(ids(&index, "299", NOW), ["m299"]);
    assert!(model.given() <= 9);
    let refreshed = index.refresh(NOW).unwrap().embedded;
    assert_eq!((refreshed.done, refreshed.waiting), (256, 36));
    let embedded = index.embed(30, NOW).unwrap();
    assert_eq!((embedded.done, embedded.waiting), (30, 6));
    let embedded = index.embed(usize::MAX, NOW).unwrap();
    assert_eq!((embedded.done, embedded.waiting), (6, 0));
}

#[test]
fn the_file_of_vectors_does_not_grow_for_ever() {
    let project = Project::new();
    let (model, size) = (things(), |project: &Project| {
        project.root.join(VECTORS).metadata().unwrap().len()
    });
    let index = index(&project, &model);
    for round in 0..8 {
        for number in 0..20 {
            let (id, body) = (format!("m{number}"), format!("memory {number}, {round}"));
            project.add(&made(&id, "Memory", &body));
        }
        assert_eq!(index.refresh(NOW + round).unwrap().embedded.done, 20);
    }
    let row = 8 + 16;
    assert!(
        size(&project) <= 48 + row * (2 * 20 + 32),
        "{}",
        size(&project)
    );
}

#[test]
fn any_file_may_be_damaged_or_gone_with_vectors_too() {
    let project = birds();
    let model = things();
    let rows = index(&project, &model).refresh(NOW).unwrap().embedded.done;
    let whole = project.files(".acreta/index");
    assert!(whole.contains_key(&project.root.join(VECTORS)));
    for (path, bytes) in &whole {
        let relative = path.strip_prefix(&project.root).unwrap().as_str();
        let changed = |place: usize| {
            let mut bytes = bytes.clone();
            if let Some(byte) = bytes.get_mut(place) {
                *byte ^= 0x55;
            }
            Some(bytes)
        };
        let cut = |length: usize| Some(bytes[..length.min(bytes.len())].to_vec());
        let longer = Some([bytes.as_slice(), &[7; 5]].concat());
        let mut damages: Vec<Option<Vec<u8>>> = vec![None, changed(bytes.len() / 2)];
        // Other kinds of damage are tested without a model.
        if relative.starts_with(VECTORS) {
            damages.extend([
                cut(0),
                cut(bytes.len() / 2),
                cut(bytes.len().saturating_sub(3)),
                changed(2),
                changed(bytes.len().saturating_sub(1)),
                longer,
            ]);
        }
        for (number, damage) in damages.into_iter().enumerate() {
            project.remove(".acreta/index");
            for (path, bytes) in &whole {
                project.put(path.strip_prefix(&project.root).unwrap().as_str(), bytes);
            }
            match damage {
                Some(damage) => project.put(relative, damage),
                None => project.remove(relative),
            }
            let case = format!("{relative} {number}");
            let index = index(&project, &model);
            assert_eq!(ids(&index, "loud song", NOW + 1)[0], "wren", "{case}");
            let embedded = index.refresh(NOW + 2).unwrap().embedded;
            assert!(embedded.waiting == 0 && embedded.done <= rows, "{case}");
            assert_eq!(ids(&index, "egret", NOW + 3), ["heron"], "{case}");
            // It is complete again for the next process.
            model.given();
            let again = self::index(&project, &model).refresh(NOW + 4).unwrap();
            assert_eq!((again.embedded.done, model.given()), (0, 0), "{case}");
        }
    }
}

#[test]
fn a_folder_or_a_link_in_the_way_is_no_hindrance() {
    let project = birds();
    let model = things();
    project.put(&format!("{VECTORS}/in/the/way"), "x");
    let index = index(&project, &model);
    assert_eq!(index.refresh(NOW).unwrap().embedded.waiting, 0);
    assert_eq!(ids(&index, "egret", NOW), ["heron"]);
    assert!(project.root.join(VECTORS).is_file());
}

#[test]
fn whoever_cannot_write_vectors_reads_them() {
    let project = birds();
    let model = things();
    let index = index(&project, &model);
    index.refresh(NOW).unwrap();
    let base = Directory::open(&project.root.join(".acreta"), NoFaults::shared()).unwrap();
    let lock = base
        .lock("index/vectors.lock", std::time::Duration::ZERO)
        .unwrap();
    project.add(&made("jay", "Jay", "It sees an egret."));
    let other = self::index(&project, &model);
    let refreshed = other.refresh(NOW + 1).unwrap();
    assert_eq!((refreshed.added, refreshed.embedded.waiting), (1, 1));
    // Found by its words, and the others by their meaning.
    assert_eq!(ids(&other, "jay", NOW + 1), ["jay"]);
    assert_eq!(ids(&other, "fish", NOW + 1), ["heron"]);
    drop(lock);
    // Vectors written by another process are loaded at once.
    assert_eq!(index.refresh(NOW + 2).unwrap().embedded.done, 1);
    let mut found = ids(&other, "fish", NOW + 3);
    found.sort();
    assert_eq!(found, ["heron", "jay"]);
}

#[test]
fn several_at_once_give_vectors_and_ask() {
    let project = birds();
    let model = things();
    std::thread::scope(|scope| {
        for worker in 0..4 {
            let (project, model) = (&project, &model);
            scope.spawn(move || {
                let index = index(project, model);
                for round in 0..6 {
                    let now = NOW + round * MINUTE;
                    let (id, body) = (format!("w{worker}"), format!("a zebra, {worker} {round}"));
                    project.add(&made(&id, "Stripes", &body));
                    index.refresh(now).unwrap();
                    assert_eq!(ids(&index, "loud song", now)[0], "wren");
                }
            });
        }
    });
    let index = index(&project, &model);
    assert_eq!(
        index.refresh(NOW + 10 * MINUTE).unwrap().embedded.waiting,
        0
    );
    assert_eq!(ids(&index, "zebra", NOW + 10 * MINUTE).len(), 4);
    assert_eq!(ids(&index, "egret", NOW + 10 * MINUTE), ["heron"]);
}
