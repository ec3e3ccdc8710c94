//! What is known of a memory besides its text, in two JSON files per memory: where it comes from,
//! and how it stands. Written in one order, so that the same value is always the same bytes, and with one
//! contribution or one key per line, so that git merges them line by line.

use acreta_model::{MemoryType, Reading, Status, Trust};
use serde::{Deserialize, Serialize};

/// `meta/evidence/<id>.json`: what each session contributed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct EvidenceFile {
    pub id: String,
    pub contributions: Vec<Contribution>,
}

/// What one session contributed to a memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Contribution {
    pub agent: String,
    pub session_id: String,
    /// Names the state of the session that gave it; the name of the run for what no session said.
    pub run_id: String,
    /// How many events the session had when it was read.
    pub events: u64,
    /// Time of the session's newest event.
    pub last_ms: Option<u64>,
    /// Time of the newest evidence.
    pub newest_ms: u64,
    pub created_ms: u64,
    /// The reading that gave it; absent for people's words, and where nothing is known of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
    pub candidate: ContributedCandidate,
    pub evidence: Vec<QuotedEvent>,
}

/// What was proposed, as it was proposed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ContributedCandidate {
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    pub kind: String,
    pub title: String,
    pub body: String,
    pub confidence: f32,
    pub tags: Vec<String>,
}

/// A quote and where it stands in the agent's own data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuotedEvent {
    pub event_id: String,
    pub record: String,
    pub start: u64,
    pub end: u64,
    pub role: String,
    pub at_ms: Option<u64>,
    pub quote: String,
}

/// `meta/state/<id>.json`: how a memory stands.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StateFile {
    pub id: String,
    pub status: Status,
    pub supersedes: Vec<String>,
    pub superseded_by: Option<String>,
    /// Whether something it names is gone from the repository.
    pub stale: bool,
    /// What is gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Files and symbols it names that were there when it was last verified.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verified: Vec<String>,
    /// The day it was last compared with the repository.
    pub last_verified: Option<String>,
    pub rejected: bool,
    /// Who put it into the archive; none for what lies elsewhere.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived_by: Option<ArchivedBy>,
    /// Digest of the text acreta wrote; the file was edited when it differs.
    pub written: String,
    /// Digests of other texts that acreta wrote, where git merged two states. Writing clears it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_written: Vec<String>,
    pub proposals: Vec<Proposal>,
    /// Digests of proposals that a person did not want: they are not made again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dismissed: Vec<String>,
}

/// A change that a run would have made to something a person holds.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    pub run_id: String,
    pub operation: ProposalOperation,
    pub title: String,
    pub body: String,
    pub kind: String,
    pub tags: Vec<String>,
    pub confidence: f32,
    pub reason: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalOperation {
    Update,
    Archive,
}

/// Why a memory lies in the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ArchivedBy {
    Person,
    /// The session that said it no longer does.
    Withdrawal,
    /// Nobody asked for it for long.
    Decay,
    /// Another memory says it all.
    Merge,
    /// An agent asked for it.
    Agent,
}

impl EvidenceFile {
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            contributions: Vec::new(),
        }
    }

    /// What the evidence gives: as much as the best of its contributions.
    pub fn trust(&self) -> Trust {
        let contributions = self.contributions.iter();
        let trust = contributions.map(Contribution::trust).max();
        trust.unwrap_or(Trust::Untrusted)
    }

    /// As it lies on disk.
    pub fn to_json(&self) -> Vec<u8> {
        let contributions = self.contributions.iter().map(compact).collect::<Vec<_>>();
        let contributions = match contributions.as_slice() {
            [] => "[]".to_owned(),
            some => format!("[\n{}\n]", some.join(",\n")),
        };
        let id = compact(&self.id);
        format!("{{\n\"id\": {id},\n\"contributions\": {contributions}\n}}\n").into_bytes()
    }
}

impl Contribution {
    /// By evidence time; session and words break ties.
    pub fn order(&self) -> (u64, &str, &str, &str, &str) {
        (
            self.newest_ms,
            &self.agent,
            &self.session_id,
            &self.candidate.title,
            &self.candidate.body,
        )
    }

    /// Reports whether both are the same session's word for the same thing.
    pub fn says_as_much(&self, other: &Contribution) -> bool {
        (&self.agent, &self.session_id) == (&other.agent, &other.session_id)
            && self.candidate == other.candidate
    }

    /// One word of a person or the agent is enough; tool output alone is not.
    pub fn trust(&self) -> Trust {
        let is_spoken = |quoted: &QuotedEvent| matches!(quoted.role.as_str(), "user" | "assistant");
        match self.evidence.iter().any(is_spoken) {
            true => Trust::Grounded,
            false => Trust::Untrusted,
        }
    }
}

impl StateFile {
    /// The state of a memory just written.
    pub fn new(id: impl Into<String>, written: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            status: Status::Active,
            supersedes: Vec::new(),
            superseded_by: None,
            stale: false,
            missing: Vec::new(),
            verified: Vec::new(),
            last_verified: None,
            rejected: false,
            archived_by: None,
            written: written.into(),
            also_written: Vec::new(),
            proposals: Vec::new(),
            dismissed: Vec::new(),
        }
    }

    /// Reports whether acreta wrote this text.
    pub fn wrote(&self, digest: &str) -> bool {
        self.written == digest || self.also_written.iter().any(|other| other == digest)
    }

    /// As it lies on disk.
    pub fn to_json(&self) -> Vec<u8> {
        let mut lines = vec![
            line("id", &self.id),
            line("status", &self.status),
            line("supersedes", &self.supersedes),
            line("superseded_by", &self.superseded_by),
            line("stale", &self.stale),
        ];
        let if_any = |lines: &mut Vec<String>, key: &str, texts: &[String]| {
            if !texts.is_empty() {
                lines.push(line(key, texts));
            }
        };
        if_any(&mut lines, "missing", &self.missing);
        if_any(&mut lines, "verified", &self.verified);
        lines.push(line("last_verified", &self.last_verified));
        lines.push(line("rejected", &self.rejected));
        lines.extend(self.archived_by.map(|by| line("archived_by", &by)));
        lines.push(line("written", &self.written));
        if_any(&mut lines, "also_written", &self.also_written);
        lines.push(line("proposals", &self.proposals));
        if_any(&mut lines, "dismissed", &self.dismissed);
        format!("{{\n{}\n}}\n", lines.join(",\n")).into_bytes()
    }
}

impl Proposal {
    /// What it proposes, whoever proposed it when.
    pub fn digest(&self) -> String {
        let operation = match self.operation {
            ProposalOperation::Update => "update",
            ProposalOperation::Archive => "archive",
        };
        crate::digest(format!("{operation}\n{}\n{}", self.title, self.body))
    }
}

/// A value on one line.
fn compact(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("sidecars have string keys and plain values")
}

fn line(key: &str, value: &(impl Serialize + ?Sized)) -> String {
    format!("\"{key}\": {}", compact(value))
}
