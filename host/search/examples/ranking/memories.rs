//! Memories of several projects with questions: the file that `bench ask` reads. Questions without an answer are
//! skipped.

use std::path::Path;

use acreta_search::IndexEntry;
use acreta_store::Memory;
use acreta_types::{MEMORY_TYPES, MemoryType};
use serde_json::Value;

use crate::Outcome;
use crate::corpus::{Corpus, Question, Text};

pub(crate) fn read(file: &Path) -> Outcome<impl Iterator<Item = Outcome<Corpus>>> {
    let data: Value = serde_json::from_slice(&std::fs::read(file)?)?;
    let projects = data["projects"].as_array().cloned().unwrap_or_default();
    Ok(projects.into_iter().map(|project| corpus(&project)))
}

fn corpus(project: &Value) -> Outcome<Corpus> {
    let rows = |name: &str| project[name].as_array().into_iter().flatten();
    let ids: Vec<&str> = rows("memories")
        .filter_map(|row| row["id"].as_str())
        .collect();
    let texts = rows("memories")
        .enumerate()
        .map(|(place, row)| {
            let text = |key: &str| row[key].as_str().unwrap_or_default();
            let of = MEMORY_TYPES
                .iter()
                .find(|of| of.memory_type.name() == text("type"));
            let memory_type = of.map_or(MemoryType::Learning, |of| of.memory_type);
            memory(
                place,
                memory_type,
                text("kind"),
                text("title"),
                text("body"),
            )
        })
        .collect::<Outcome<_>>()?;
    let questions = rows("questions").filter_map(|row| {
        let answers = row["answer"].as_array()?.iter().filter_map(Value::as_str);
        let entries: Vec<usize> = answers
            .filter_map(|answer| ids.iter().position(|id| *id == answer))
            .collect();
        (!entries.is_empty()).then(|| Question {
            text: row["q"].as_str().unwrap_or_default().to_owned(),
            entries,
            parts: Vec::new(),
        })
    });
    Ok(Corpus {
        questions: questions.collect(),
        texts,
    })
}

/// Parses a memory like its file. JSON strings are valid YAML.
pub(crate) fn memory(
    place: usize,
    memory_type: MemoryType,
    kind: &str,
    title: &str,
    body: &str,
) -> Outcome<Text> {
    let kind = match kind {
        "" => String::new(),
        kind => format!("kind: {}\n", Value::from(kind)),
    };
    let text = format!(
        "---\nid: \"{place}\"\ntitle: {}\n{kind}---\n{body}\n",
        Value::from(title)
    );
    let memory = Memory::parse(memory_type, format!("{place}.md").into(), text)?;
    Ok(Text {
        entry: IndexEntry::from(&memory),
        parts: vec![format!("{title}\n{body}")],
    })
}
