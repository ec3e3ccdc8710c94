//! Figures for one kind of text, for people and as JSON: each system compared with BM25, over all questions and in
//! slices by the length of the answers.

use serde_json::{Map, Value, json};

use crate::measures::Measures;
use crate::systems::{Level, Scores, Shape};

/// Slices with fewer questions are shown but not counted.
const COUNTED: usize = 20;

type Slice = (&'static str, fn(&Shape) -> bool);

const SLICES: [Slice; 9] = [
    ("1-25 words", |shape| shape.words <= 25),
    ("26-100 words", |shape| (26..=100).contains(&shape.words)),
    ("101-400 words", |shape| (101..=400).contains(&shape.words)),
    ("401-1600 words", |shape| {
        (401..=1600).contains(&shape.words)
    }),
    ("more words", |shape| shape.words > 1600),
    ("1 part", |shape| shape.parts == 1),
    ("2-4 parts", |shape| (2..=4).contains(&shape.parts)),
    ("5-20 parts", |shape| (5..=20).contains(&shape.parts)),
    ("more parts", |shape| shape.parts > 20),
];

pub(crate) fn kind(name: &str, scores: &Scores) {
    for (what, level) in levels(scores) {
        println!("\n{name}: {what}, {} questions", level.questions.len());
        print!("{:<16} {:>5}", "", "n");
        for system in &level.systems {
            print!("  {:^30}", system.name);
        }
        print!("\n{:<22}", "");
        for _ in &level.systems {
            print!("  recall@10   ndcg@10     hit@1 ");
        }
        println!();
        let all: Vec<usize> = (0..level.questions.len()).collect();
        row("all", level, &all);
        for (name, places) in slices(level) {
            row(name, level, &places);
        }
    }
}

/// Returns the means of each system, and the worst ratio to BM25 of any counted slice.
pub(crate) fn json(scores: &Scores) -> Value {
    let mut figures = Map::new();
    for (what, level) in levels(scores) {
        let mut of_level = Map::new();
        for system in &level.systems {
            of_level.insert(system.name.to_owned(), system.all().json());
        }
        for system in level.systems.iter().skip(1) {
            let ratio = |places: &[usize]| {
                let plain = level.systems[0].of(places);
                let ours = system.of(places);
                (ours.recall_10 / plain.recall_10).min(ours.ndcg_10 / plain.ndcg_10)
            };
            let worst = slices(level)
                .into_iter()
                .filter(|(_, places)| places.len() >= COUNTED)
                .map(|(name, places)| (ratio(&places), name))
                .min_by(|left, right| left.0.total_cmp(&right.0));
            if let Some((ratio, slice)) = worst {
                let worst = json!({"slice": slice, "ratio": (ratio * 1e3).round() / 1e3});
                of_level.insert(format!("worst slice, {}", system.name), worst);
            }
        }
        figures.insert(what.to_owned(), of_level.into());
    }
    figures.into()
}

fn levels(scores: &Scores) -> impl Iterator<Item = (&'static str, &Level)> {
    [("parts", &scores.parts), ("entries", &scores.entries)]
        .into_iter()
        .filter(|(_, level)| !level.questions.is_empty())
}

fn slices(level: &Level) -> Vec<(&'static str, Vec<usize>)> {
    SLICES
        .iter()
        .map(|(name, is_in)| {
            let places = (0..level.questions.len()).filter(|place| is_in(&level.questions[*place]));
            (*name, places.collect::<Vec<usize>>())
        })
        .filter(|(_, places)| !places.is_empty())
        .collect()
}

fn row(name: &str, level: &Level, places: &[usize]) {
    print!("{name:<16} {:>5}", places.len());
    let plain = level.systems[0].of(places);
    for (number, system) in level.systems.iter().enumerate() {
        let ours = system.of(places);
        for part in [
            |measures: &Measures| measures.recall_10,
            |measures: &Measures| measures.ndcg_10,
            |measures: &Measures| measures.hit_1,
        ] {
            match number {
                0 => print!("     {:.3}", part(&ours)),
                _ => print!("  {:.3}×{:<4.2}", part(&ours), part(&ours) / part(&plain)),
            }
        }
        print!("  ");
    }
    println!();
}
