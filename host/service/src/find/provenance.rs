//! History of one memory: its evidence in the conversation, its earlier texts, and how often agents got and used it.
//! The dashboard shows it beside the text.

use acreta_store::{Contribution, Memory};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::process::clock::{moment, now_ms};
use crate::projects::scopes::{self, MemoryScope};
use crate::recall::brief::GivenBriefs;
use crate::remember::diff::diff;
use crate::review::{ReviewEvidence, quotes_in_context};
use crate::{Context, Failure};

/// Maximum number of quotes shown in context, the newest.
const QUOTES: usize = 12;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryProvenance {
    /// Newest first.
    pub evidence: Vec<ReviewEvidence>,
    /// Total number of quotes; `evidence` has the newest of them.
    pub quotes: u64,
    /// Its texts, newest first.
    pub versions: Vec<MemoryVersion>,
    pub used: MemoryUse,
}

/// A text of the memory, as given by a session or a person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryVersion {
    pub at_ms: u64,
    /// `person`, `import` or the agent whose session said it.
    pub agent: String,
    /// Empty if it is not from a session.
    pub session_id: String,
    pub title: String,
    /// Differences to the previous text: lines with `+`, `-` or a blank. Empty for the first text.
    pub diff: String,
}

/// Number of times agents got a memory within the last half year, and the outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct MemoryUse {
    /// Number of briefs with it at the start of a session, among those that are stored.
    pub briefs: u64,
    /// Number of sessions that were offered it at any moment.
    pub offered: u64,
    pub used: u64,
    pub dismissed: u64,
}

/// Returns the history of one memory of these scopes, by id or unique prefix.
pub fn provenance(
    id: &str,
    scopes: &[MemoryScope],
    context: &Context,
) -> Result<MemoryProvenance, Failure> {
    let held = scopes::find_in(context, scopes, id)?;
    let memory = &held.memory;
    let contributions = contributions(memory);
    let quotes = contributions.iter().map(|one| one.evidence.len() as u64);
    let mut used = MemoryUse {
        briefs: GivenBriefs::of(&held.layout, context)
            .read()
            .iter()
            .filter(|brief| brief.lines.iter().any(|line| line.id == memory.id))
            .count() as u64,
        ..MemoryUse::default()
    };
    if let Some(catalog) = scopes::catalog(context)? {
        let totals = catalog.offers_of(&[&memory.id])?.remove(&memory.id);
        let totals = totals.unwrap_or_default();
        used.offered = totals.offered;
        used.used = totals.used;
        used.dismissed = totals.dismissed;
    }
    Ok(MemoryProvenance {
        quotes: quotes.sum(),
        evidence: quotes_in_context(contributions, QUOTES, context),
        versions: versions(memory),
        used,
    })
}

fn contributions(memory: &Memory) -> &[Contribution] {
    let evidence = memory.evidence.as_ref();
    evidence.map_or(&[], |evidence| &evidence.contributions)
}

/// Returns every text that differs from the previous one, newest first.
fn versions(memory: &Memory) -> Vec<MemoryVersion> {
    let mut said: Vec<&Contribution> = contributions(memory).iter().collect();
    said.sort_by(|left, right| left.order().cmp(&right.order()));
    let mut versions: Vec<MemoryVersion> = Vec::new();
    let mut before: Option<String> = None;
    let mut add = |text: String, version: MemoryVersion| {
        let known = before.replace(text.clone());
        if known.as_ref() == Some(&text) {
            return;
        }
        let diff = known.map(|known| diff(&known, &text)).unwrap_or_default();
        versions.push(MemoryVersion { diff, ..version });
    };
    for one in said {
        let candidate = &one.candidate;
        let is_session = !matches!(one.agent.as_str(), "person" | "import" | "client");
        let version = MemoryVersion {
            at_ms: one.newest_ms,
            agent: one.agent.clone(),
            session_id: if is_session {
                one.session_id.clone()
            } else {
                String::new()
            },
            title: candidate.title.clone(),
            diff: String::new(),
        };
        add(plain(&candidate.title, &candidate.body), version);
    }
    // A person's own text is only in the file.
    if memory.edited() || memory.evidence.is_none() {
        let front_matter = &memory.front_matter;
        let updated = front_matter.updated.as_deref();
        let at_ms = updated.and_then(|time| moment(time, now_ms()).ok());
        let version = MemoryVersion {
            at_ms: at_ms.unwrap_or(0),
            agent: "person".to_owned(),
            session_id: String::new(),
            title: memory.title().to_owned(),
            diff: String::new(),
        };
        add(plain(memory.title(), memory.body()), version);
    }
    versions.reverse();
    versions
}

/// Returns title and text as lines, with or without a repeated heading in the text.
fn plain(title: &str, body: &str) -> String {
    let body = body.trim();
    let heading = format!("# {title}");
    let rest = body.strip_prefix(heading.as_str()).unwrap_or(body).trim();
    format!("{title}\n\n{rest}\n")
}

#[cfg(test)]
mod tests {
    use acreta_store::{ContributedCandidate, EvidenceFile, StateFile};
    use acreta_types::MemoryType;

    use super::*;

    fn said(agent: &str, at_ms: u64, body: &str) -> Contribution {
        Contribution {
            agent: agent.to_owned(),
            session_id: format!("s{at_ms}"),
            run_id: "run".to_owned(),
            events: 1,
            last_ms: Some(at_ms),
            newest_ms: at_ms,
            created_ms: at_ms,
            found_by: Vec::new(),
            reading: None,
            candidate: ContributedCandidate {
                memory_type: MemoryType::Decision,
                kind: String::new(),
                title: "The queue".to_owned(),
                body: body.to_owned(),
                confidence: 0.8,
                tags: Vec::new(),
            },
            evidence: Vec::new(),
        }
    }

    fn memory(body: &str, contributions: Vec<Contribution>, is_edited: bool) -> Memory {
        let text = format!(
            "---\nid: a\ntitle: The queue\ncreated: 2026-01-01T00:00:00Z\nupdated: 2026-01-02T00:00:00Z\n---\n\n# The queue\n\n{body}\n"
        );
        let parsed = Memory::parse(MemoryType::Decision, "decisions/a.md".into(), text);
        let mut memory = parsed.unwrap();
        let written = if is_edited { "other" } else { &memory.digest };
        memory.state = Some(StateFile::new("a", written));
        memory.evidence = Some(EvidenceFile {
            id: "a".to_owned(),
            contributions,
        });
        memory
    }

    #[test]
    fn each_text_that_differs_is_a_version_with_its_difference() {
        let both = || {
            vec![
                said("codex", 20, "In SQLite."),
                said("claude", 10, "In Redis."),
            ]
        };
        let table: [(Memory, &[(&str, &str)]); 4] = [
            (
                memory("In SQLite.", both(), false),
                &[
                    ("codex", " The queue\n \n-In Redis.\n+In SQLite.\n"),
                    ("claude", ""),
                ],
            ),
            (
                memory("In files.", both(), true),
                &[
                    ("person", " The queue\n \n-In SQLite.\n+In files.\n"),
                    ("codex", " The queue\n \n-In Redis.\n+In SQLite.\n"),
                    ("claude", ""),
                ],
            ),
            (
                memory(
                    "In Redis.",
                    vec![
                        said("claude", 10, "In Redis."),
                        said("codex", 20, "In Redis."),
                    ],
                    false,
                ),
                &[("claude", "")],
            ),
            (
                memory("In Redis.", vec![said("person", 10, "In Redis.")], true),
                &[("person", "")],
            ),
        ];
        for (memory, expected) in table {
            let found = versions(&memory);
            let found: Vec<(&str, &str)> = found
                .iter()
                .map(|version| (version.agent.as_str(), version.diff.as_str()))
                .collect();
            assert_eq!(found, expected);
        }
    }
}
