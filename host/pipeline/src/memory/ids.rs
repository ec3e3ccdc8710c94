//! Ids of new memories. The id of what a session says is derived from its type and title, so that all machines and all
//! sessions that say it give it the same id, in whatever order they are learnt. The id of a note is made of a time and
//! random numbers, which are passed in. No id is assigned twice.

use std::collections::HashSet;

use acreta_store::{Contribution, Snapshot};
use sha2::{Digest, Sha256};

use crate::memory::workspace::{instant, short_id};

/// Generates ids that are not taken.
pub(crate) struct IdGenerator {
    now_ms: u64,
    state: u64,
    taken: HashSet<String>,
}

impl IdGenerator {
    pub(crate) fn new(now_ms: u64, seed: u64, snapshot: &Snapshot) -> Self {
        let removed = snapshot.removed.iter();
        let taken = snapshot.iter().map(|memory| memory.id.clone());
        Self {
            now_ms,
            state: seed,
            taken: taken
                .chain(removed.map(|removed| removed.evidence.id.clone()))
                .collect(),
        }
    }

    /// Returns a ULID from the time and random numbers.
    pub(crate) fn next(&mut self) -> String {
        loop {
            let random = u128::from(self.word()) << 64 | u128::from(self.word());
            let id = ulid::Ulid::from_parts(self.now_ms, random).to_string();
            if self.taken.insert(id.clone()) {
                return id;
            }
        }
    }

    /// Returns the id of the memory that starts with a contribution.
    pub(crate) fn founded_by(&mut self, contribution: &Contribution) -> String {
        self.first_free(|attempt| of_statement(contribution, attempt))
    }

    /// Returns the id of a session's summary.
    pub(crate) fn of_summary(&mut self, agent: &str, session: &str, created_ms: u64) -> String {
        self.first_free(|attempt| derived(created_ms, &["summary", agent, session], attempt))
    }

    fn first_free(&mut self, id: impl Fn(u64) -> String) -> String {
        let mut attempt = 0;
        loop {
            let id = id(attempt);
            if self.taken.insert(id.clone()) {
                return id;
            }
            attempt += 1;
        }
    }

    fn word(&mut self) -> u64 {
        self.state = self
            .state
            .wrapping_mul(0x5851_f42d_4c95_7f2d)
            .wrapping_add(0x1405_7b7e_f767_814f);
        (self.state ^ (self.state >> 31)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }
}

/// Returns the earliest contribution that a memory's id is derived from; `None` for random ids, and if the contribution
/// was withdrawn.
pub(crate) fn founder<'a>(id: &str, contributions: &'a [Contribution]) -> Option<&'a Contribution> {
    // The second attempt is for what is said again after a person removed it; a third does not happen.
    let founds = |one: &&Contribution| (0..2).any(|attempt| of_statement(one, attempt) == id);
    let founders = contributions.iter().filter(founds);
    founders.min_by_key(|one| one.order())
}

/// Names the state in which a session was read. Every machine that reads this state assigns the same name, so
/// committed files contain it instead of a run id.
pub(crate) fn state_name(
    agent: &str,
    session: &str,
    events: u64,
    last_ms: Option<u64>,
    created_ms: u64,
) -> String {
    let time = instant(last_ms.unwrap_or(created_ms)).strftime("%Y%m%d-%H%M%S");
    let seed = hash(&["state", agent, session, &events.to_string()], 0);
    let short = short_id(u64::from_le_bytes(
        seed[..8].try_into().expect("a digest has eight bytes"),
    ));
    format!("session-{time}-{short}")
}

/// Returns the id of what a contribution says. It has no time: the same words are the same memory on any day.
fn of_statement(contribution: &Contribution, attempt: u64) -> String {
    let candidate = &contribution.candidate;
    let parts = ["said", candidate.memory_type.name(), candidate.title.trim()];
    derived(0, &parts, attempt)
}

fn derived(at_ms: u64, parts: &[&str], attempt: u64) -> String {
    let digest = hash(parts, attempt);
    let random = digest[..16].try_into().expect("a digest has 32 bytes");
    ulid::Ulid::from_parts(at_ms, u128::from_be_bytes(random)).to_string()
}

fn hash(parts: &[&str], attempt: u64) -> [u8; 32] {
    let mut hasher = Sha256::new();
    for part in parts {
        // Length-prefixed, so that different lists of parts cannot collide.
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    if attempt > 0 {
        hasher.update(attempt.to_le_bytes());
    }
    hasher.finalize().into()
}
