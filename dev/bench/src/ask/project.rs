//! A scratch project whose memories are files, queried through the command line. Files preserve each memory: an import
//! would merge similar ones.

use std::path::{Path, PathBuf};
use std::process::Command;

use acreta_types::MemoryType;
use serde_json::Value;

use super::set::{MemoryText, ProjectSet, Question};
use super::{AskedQuestion, QuestionVerdict};
use crate::Outcome;

/// Kinds of learnings; a set may have others.
const KINDS: [&str; 7] = [
    "insight",
    "procedure",
    "friction",
    "pitfall",
    "preference",
    "convention",
    "context",
];

pub(crate) struct Project {
    folder: tempfile::TempDir,
    binary: PathBuf,
    /// Ids of the set; a memory's own id is derived from its index.
    ids: Vec<String>,
}

impl Project {
    pub(crate) fn new(binary: &Path, set: &ProjectSet) -> Outcome<Self> {
        let project = Self {
            folder: tempfile::tempdir()?,
            binary: std::path::absolute(binary)?,
            ids: set
                .memories
                .iter()
                .map(|memory| memory.id.clone())
                .collect(),
        };
        std::fs::create_dir_all(project.folder.path().join("home"))?;
        std::fs::create_dir_all(project.folder.path().join("project/.git"))?;
        project.acreta(&["project", "add"])?;
        for (place, memory) in set.memories.iter().enumerate() {
            project.write(place, memory)?;
        }
        Ok(project)
    }

    /// Asks one question.
    pub(crate) fn ask(&self, project: usize, question: &Question) -> Outcome<AskedQuestion> {
        let said = self.acreta(&["ask", "--json", "--no-llm", "--", &question.text])?;
        let said: Value = serde_json::from_str(&said)?;
        let is_right = |row: &Value| {
            let id = row["id"].as_str().and_then(|id| self.id_of(id));
            id.is_some_and(|id| question.answers.iter().any(|answer| answer == id))
        };
        let rows = |name: &str| said[name].as_array().cloned().unwrap_or_default();
        let is_answerable = !question.answers.is_empty();
        let is_answered = said["answered"] == true;
        let is_cited = rows("sources").first().is_some_and(is_right);
        let outcome = match (is_answerable, is_answered) {
            (true, true) if is_cited => QuestionVerdict::Right,
            (true, true) => QuestionVerdict::Wrong,
            (true, false) => QuestionVerdict::Missed,
            (false, true) => QuestionVerdict::False,
            (false, false) => QuestionVerdict::Refused,
        };
        let text = |row: &Value| row["passage"].as_str().unwrap_or_default().to_owned();
        let mut shown = rows(if is_answered { "sources" } else { "nearest" });
        shown.retain(|row| !text(row).is_empty());
        let passages: Vec<String> = shown.iter().map(text).collect();
        let passages = passages.join(" | ");
        Ok(AskedQuestion {
            project,
            question: question.text.clone(),
            is_answerable,
            outcome,
            is_shown: shown.iter().any(is_right),
            shows_any: !shown.is_empty(),
            is_quoted: !question.quote.is_empty() && passages.contains(question.quote.trim()),
            sure: shown
                .first()
                .and_then(|row| row["sure"].as_u64())
                .unwrap_or(0),
            passages,
        })
    }

    fn id_of(&self, id: &str) -> Option<&str> {
        let place: usize = id.strip_prefix("01K")?.parse().ok()?;
        self.ids.get(place).map(String::as_str)
    }

    fn write(&self, place: usize, memory: &MemoryText) -> Outcome<()> {
        let Some(memory_type) = MemoryType::from_name(&memory.memory_type) else {
            let name = &memory.memory_type;
            return Err(format!("memory {}: there is no type `{name}`", memory.id).into());
        };
        let folder = memory_type.folder();
        let kind = memory.kind.as_deref().unwrap_or_default();
        let kind = match memory_type {
            MemoryType::Learning if KINDS.contains(&kind) => format!("kind: {kind}\n"),
            MemoryType::Learning => "kind: context\n".to_owned(),
            MemoryType::Decision | MemoryType::Summary => String::new(),
        };
        let title = serde_json::to_string(&memory.title)?;
        let text = format!(
            "---\nid: 01K{place:023}\ntitle: {title}\n{kind}created: 2026-06-01T10:00:00Z\nupdated: 2026-06-01T10:00:00Z\n\
             source: person\nconfidence: 0.8\ntags: []\nrelated: []\n---\n\n{}\n",
            memory.body
        );
        let folder = self
            .folder
            .path()
            .join("project/.acreta/memory")
            .join(folder);
        std::fs::create_dir_all(&folder)?;
        #[expect(clippy::disallowed_methods, reason = "a scratch file of the bench")]
        std::fs::write(folder.join(format!("20260601-memory-{place}.md")), text)?;
        Ok(())
    }

    /// Runs a command that must succeed, and returns its output.
    fn acreta(&self, arguments: &[&str]) -> Outcome<String> {
        let output = Command::new(&self.binary)
            .args(arguments)
            .current_dir(self.folder.path().join("project"))
            .env_clear()
            .env("HOME", self.folder.path())
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("ACRETA_HOME", self.folder.path().join("home"))
            .env("ACRETA_CACHE_DIR", self.folder.path().join("cache"))
            .output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr);
            return Err(format!("acreta {}: {said}", arguments.join(" ")).into());
        }
        Ok(String::from_utf8(output.stdout)?)
    }
}
