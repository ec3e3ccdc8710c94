//! Metadata of a memory besides its text: its state and its evidence, in one JSON file. Written in a fixed order, so that
//! the same value always gives the same bytes, and with one contribution or one key per line, so that git merges it line
//! by line. Keys of the state that have their default have no line.

use acreta_types::{MemoryType, Reading, Status, Trust};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// `meta/memories/<id>.json`, or `meta/summaries/<id>.json` for a summary.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Sidecar {
    pub id: String,
    /// `None` if the memory is a person's own.
    pub state: Option<StateFile>,
    pub evidence: Option<EvidenceFile>,
}

/// The contributions of each session to a memory.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvidenceFile {
    pub id: String,
    pub contributions: Vec<Contribution>,
}

/// The contribution of one session to a memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Contribution {
    pub agent: String,
    pub session_id: String,
    /// Identifies the state of the session that it comes from; for text that no session said, the name of the run.
    pub run_id: String,
    /// Number of events that the session had when it was read.
    pub events: u64,
    /// Time of the session's newest event.
    pub last_ms: Option<u64>,
    /// Time of the newest evidence.
    pub newest_ms: u64,
    pub created_ms: u64,
    /// The extractors that found it, where several were asked.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found_by: Vec<String>,
    /// The reading that it comes from; absent for a person's own words, and if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<Reading>,
    pub candidate: ContributedCandidate,
    pub evidence: Vec<QuotedEvent>,
}

/// The candidate as it was proposed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ContributedCandidate {
    #[serde(rename = "type")]
    pub memory_type: MemoryType,
    pub kind: String,
    pub title: String,
    pub body: String,
    pub confidence: f32,
    pub tags: Vec<String>,
}

/// A quote and its position in the agent's own data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct QuotedEvent {
    pub event_id: String,
    pub record: String,
    pub start: u64,
    pub end: u64,
    pub role: String,
    pub at_ms: Option<u64>,
    pub quote: String,
}

/// The state of a memory.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct StateFile {
    pub id: String,
    #[serde(default = "active")]
    pub status: Status,
    #[serde(default)]
    pub supersedes: Vec<String>,
    #[serde(default)]
    pub superseded_by: Option<String>,
    /// True if something that it names is gone from the repository.
    #[serde(default)]
    pub stale: bool,
    /// The names that are gone.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub missing: Vec<String>,
    /// Files and symbols that it names and that existed when it was last verified.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub verified: Vec<String>,
    /// The day it was last compared with the repository.
    #[serde(default)]
    pub last_verified: Option<String>,
    #[serde(default)]
    pub rejected: bool,
    /// Who archived it; `None` if it is not archived.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub archived_by: Option<ArchivedBy>,
    /// Digest of the text that acreta wrote; if it differs, the file was edited.
    pub written: String,
    /// Digests of other texts that acreta wrote, if git merged two states. Writing clears it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub also_written: Vec<String>,
    #[serde(default)]
    pub proposals: Vec<Proposal>,
    /// Digests of proposals that a person dismissed: they are not made again.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub dismissed: Vec<String>,
}

/// A change that a run would have made to a memory that is protected because a person holds it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
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

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ProposalOperation {
    Update,
    Archive,
}

/// Reason why a memory is in the archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ArchivedBy {
    Person,
    /// The session that said it no longer does.
    Withdrawal,
    /// It was not accessed for a long time.
    Decay,
    /// Another memory contains all of it.
    Merge,
    /// An agent asked for it.
    Agent,
}

impl Sidecar {
    /// Serialises it in the on-disk format.
    pub fn to_json(&self) -> Vec<u8> {
        let mut lines = vec![line("id", &self.id)];
        lines.extend(self.state.iter().flat_map(StateFile::lines));
        lines.extend(self.evidence.as_ref().map(EvidenceFile::line));
        format!("{{\n{}\n}}\n", lines.join(",\n")).into_bytes()
    }
}

impl EvidenceFile {
    pub fn new(id: impl Into<String>) -> Self {
        Self {
            id: id.into(),
            contributions: Vec::new(),
        }
    }

    /// Returns the trust from the evidence: the highest of its contributions.
    pub fn trust(&self) -> Trust {
        let contributions = self.contributions.iter();
        let trust = contributions.map(Contribution::trust).max();
        trust.unwrap_or(Trust::Untrusted)
    }

    /// Serialises it in the on-disk format of a sidecar without a state.
    pub fn to_json(&self) -> Vec<u8> {
        let evidence = Some(self.clone());
        let id = self.id.clone();
        Sidecar {
            id,
            state: None,
            evidence,
        }
        .to_json()
    }

    fn line(&self) -> String {
        let contributions = self.contributions.iter().map(compact).collect::<Vec<_>>();
        match contributions.as_slice() {
            [] => "\"contributions\": []".to_owned(),
            some => format!("\"contributions\": [\n{}\n]", some.join(",\n")),
        }
    }
}

impl Contribution {
    /// Sort key: time of the evidence, then session and text.
    pub fn order(&self) -> (u64, &str, &str, &str, &str) {
        (
            self.newest_ms,
            &self.agent,
            &self.session_id,
            &self.candidate.title,
            &self.candidate.body,
        )
    }

    /// Returns the digest of the contribution with its evidence.
    pub fn digest(&self) -> String {
        crate::digest(compact(self))
    }

    /// Reports whether both are the same candidate from the same session.
    pub fn says_as_much(&self, other: &Contribution) -> bool {
        (&self.agent, &self.session_id) == (&other.agent, &other.session_id)
            && self.candidate == other.candidate
    }

    /// Returns `Grounded` if a person or the agent is quoted; tool output alone is `Untrusted`.
    ///
    /// The account of a session is never grounded: it tells what was done, and nobody vouches for all of it.
    pub fn trust(&self) -> Trust {
        if self.candidate.memory_type == MemoryType::Summary {
            return Trust::Untrusted;
        }
        let is_spoken = |quoted: &QuotedEvent| matches!(quoted.role.as_str(), "user" | "assistant");
        match self.evidence.iter().any(is_spoken) {
            true => Trust::Grounded,
            false => Trust::Untrusted,
        }
    }
}

impl StateFile {
    /// Creates the state of a memory that was just written.
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

    /// Serialises it in the on-disk format of a sidecar without evidence.
    pub fn to_json(&self) -> Vec<u8> {
        Sidecar {
            id: self.id.clone(),
            state: Some(self.clone()),
            evidence: None,
        }
        .to_json()
    }

    /// Returns a line for each key that does not have its default.
    fn lines(&self) -> Vec<String> {
        fn add<T: Serialize + PartialEq>(
            lines: &mut Vec<String>,
            key: &str,
            value: &T,
            default: T,
        ) {
            if *value != default {
                lines.push(line(key, value));
            }
        }
        let mut lines = Vec::new();
        add(&mut lines, "status", &self.status, active());
        add(&mut lines, "supersedes", &self.supersedes, Vec::new());
        add(&mut lines, "superseded_by", &self.superseded_by, None);
        add(&mut lines, "stale", &self.stale, false);
        add(&mut lines, "missing", &self.missing, Vec::new());
        add(&mut lines, "verified", &self.verified, Vec::new());
        add(&mut lines, "last_verified", &self.last_verified, None);
        add(&mut lines, "rejected", &self.rejected, false);
        add(&mut lines, "archived_by", &self.archived_by, None);
        lines.push(line("written", &self.written));
        add(&mut lines, "also_written", &self.also_written, Vec::new());
        add(&mut lines, "proposals", &self.proposals, Vec::new());
        add(&mut lines, "dismissed", &self.dismissed, Vec::new());
        lines
    }
}

impl Proposal {
    /// Returns the digest of the proposed content, independent of who proposed it and when.
    pub fn digest(&self) -> String {
        let operation = match self.operation {
            ProposalOperation::Update => "update",
            ProposalOperation::Archive => "archive",
        };
        crate::digest(format!("{operation}\n{}\n{}", self.title, self.body))
    }
}

fn active() -> Status {
    Status::Active
}

/// Serialises a value on one line.
fn compact(value: &(impl Serialize + ?Sized)) -> String {
    serde_json::to_string(value).expect("sidecars have string keys and plain values")
}

fn line(key: &str, value: &(impl Serialize + ?Sized)) -> String {
    format!("\"{key}\": {}", compact(value))
}
