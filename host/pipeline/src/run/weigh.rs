//! Weighs what was found in a session against memory, and takes the project's lock.
//!
//! Extractors and explorers may ask models and take minutes, so they work without the lock, and others may change
//! memory meanwhile. Everything that depends on memory is therefore a function of a snapshot ([`RunState::weigh`]) and
//! is computed again from the snapshot that the lock protects: the result is the same as if the other change had been
//! made before the run. Only explorers' opinions cannot be computed again under the lock. If a memory that they may have
//! looked at changed, the lock is released and they are asked again, [`ROUNDS`] times at most; after that, opinions
//! on changed memories are dropped, and those memories are compared by their words alone.

use std::collections::BTreeSet;
use std::ops::ControlFlow::{self, Break, Continue};
use std::sync::{Arc, Mutex};

use acreta_session_archive::{TraceFile, TraceStats};
use acreta_store::{ProjectLock, Snapshot};
use acreta_types::{MemoryType, ReadingStrength, Session};

use crate::decide::accepted::{AcceptedCandidate, note_id};
use crate::decide::contributor::{Contributor, ContributorVoice};
use crate::decide::gates::{GateResults, Judged};
use crate::decide::opinions::Opinions;
use crate::decide::precedence::{EarlierReading, Precedence, earlier, precedence, yielded};
use crate::error::RunError;
use crate::memory::ids::state_name;
use crate::people::pending::compare;
use crate::run::history::{first_read, has_contributed, taken_later};
use crate::run::report::ReadingReport;
use crate::run::state::RunState;

/// Maximum number of times that explorers are asked.
const ROUNDS: usize = 3;

/// Findings of a session, independent of memory.
pub(super) struct SessionFindings<'a> {
    pub(super) session: &'a Session,
    pub(super) stats: &'a TraceStats,
    pub(super) reader: &'a Arc<Mutex<TraceFile>>,
    pub(super) gates: GateResults,
    pub(super) has_summary: bool,
    pub(super) reading: ReadingReport,
}

/// Findings that memory has a use for.
pub(super) struct WeighedFindings {
    pub(super) contributor: Contributor,
    pub(super) kept: Vec<AcceptedCandidate>,
    /// The session's earlier summary stays.
    pub(super) keeps_summary: bool,
}

/// Memory under the project's lock, and what is to be done with it.
pub(super) struct LockedMemory {
    pub(super) lock: ProjectLock,
    pub(super) snapshot: Snapshot,
    pub(super) weighed: WeighedFindings,
    pub(super) opinions: Opinions,
}

impl RunState<'_> {
    /// Compares the findings with a state of memory. A break is the reason why memory stays as it is.
    pub(super) fn weigh(
        &mut self,
        snapshot: &Snapshot,
        found: &SessionFindings<'_>,
    ) -> Result<ControlFlow<String, WeighedFindings>, RunError> {
        let (session, stats) = (found.session, found.stats);
        if let Some(taken) = taken_later(&snapshot.memories, session, stats) {
            return Ok(Break(taken));
        }
        let mut contributor = self.contributor(session, stats, snapshot);
        let GateResults {
            mut judged,
            mut kept,
            pending,
            ..
        } = found.gates.clone();
        let options = self.options;
        let waiting = options.pending.as_ref().map(|one| one.seen(options.now_ms));
        let waiting = waiting.transpose().unwrap_or_else(|problem| {
            self.log
                .problem("extract", &format!("pending records left out: {problem}"));
            None
        });
        self.pending = compare(
            pending,
            &mut kept,
            &mut judged,
            &waiting.unwrap_or_default(),
            snapshot,
            &contributor,
            options.layout.base().as_str(),
        );
        self.pending.notes = notes(&judged, &kept);
        self.save_judged(judged)?;
        let earlier = earlier(&snapshot.memories, session);
        let mut reading = found.reading.clone();
        let precedence = precedence(earlier.as_ref(), &reading.reading, stats);
        // A model that finds nothing at all where something was found before has not read the session.
        let is_silent =
            self.metrics.candidates == 0 && reading.reading.strength == ReadingStrength::Model;
        if precedence == Precedence::Revises
            && is_silent
            && has_contributed(&snapshot.memories, &contributor)
        {
            reading.falls_short(
                "empty-reply",
                "the model found nothing in the whole session",
            );
        }
        let kept = match (precedence, &earlier) {
            (Precedence::Yields, Some(earlier)) => {
                return Ok(Break(self.yields(earlier, reading)));
            }
            (Precedence::Extends, Some(earlier)) => {
                Self::only_new(kept, earlier.events, found.reader)
            }
            _ => kept,
        };
        let is_whole = precedence == Precedence::Revises && reading.reading.complete;
        contributor.reading = Some(reading.reading.clone());
        contributor.precedence = precedence;
        self.reading = Some(reading);
        if !found.has_summary && earlier.is_none() && kept.is_empty() && self.pending.is_empty() {
            return Ok(Break("nothing in this session is worth keeping".to_owned()));
        }
        let is_by_model =
            |earlier: EarlierReading| earlier.reading.strength == ReadingStrength::Model;
        Ok(Continue(WeighedFindings {
            contributor,
            kept,
            keeps_summary: !found.has_summary || !is_whole && earlier.is_some_and(is_by_model),
        }))
    }

    /// Asks explorers without the lock, then takes it and weighs the findings against memory as it is by then.
    pub(super) fn explore_and_lock(
        &mut self,
        mut snapshot: Snapshot,
        mut weighed: WeighedFindings,
        found: &SessionFindings<'_>,
    ) -> Result<ControlFlow<String, LockedMemory>, RunError> {
        for round in 1.. {
            let findings = self.explore(&snapshot, &weighed.kept)?;
            let lock = self.store.lock(self.options.lock_wait)?;
            let now = self.open_memory(&lock)?;
            let again = match self.weigh(&now, found)? {
                Continue(again) => again,
                Break(why) => return Ok(Break(why)),
            };
            if round == ROUNDS || !is_to_be_explored((&snapshot, &weighed), (&now, &again)) {
                let mut opinions = Opinions::of(&findings, &snapshot, &now);
                for one in &again.kept {
                    opinions.replace(one, &now);
                }
                for note in &found.gates.taken_back {
                    opinions.take_back(note, &now);
                }
                return Ok(Continue(LockedMemory {
                    opinions,
                    lock,
                    snapshot: now,
                    weighed: again,
                }));
            }
            self.log
                .step("explore", "memory changed meanwhile: explored again");
            (snapshot, weighed) = (now, again);
            drop(lock);
            if self.progress.is_cancelled() {
                return Err(RunError::Cancelled);
            }
        }
        unreachable!("the last round returns")
    }

    /// Records that a stronger reading stays, and returns the reason.
    pub(super) fn yields(&mut self, earlier: &EarlierReading, reading: ReadingReport) -> String {
        let why = yielded(earlier, &reading.reading);
        self.reading = Some(ReadingReport {
            yields_to: Some(earlier.reading.clone()),
            ..reading
        });
        why
    }

    pub(super) fn contributor(
        &self,
        session: &Session,
        stats: &TraceStats,
        snapshot: &Snapshot,
    ) -> Contributor {
        let (agent, id) = (session.agent.as_str(), session.id.as_str());
        let started = session.started_ms;
        let created_ms = stats
            .first_ms
            .or(started.filter(|at| acreta_session_archive::is_plausible(*at)))
            // A session without any time keeps the time of its first reading.
            .or_else(|| first_read(&snapshot.memories, session))
            .unwrap_or(self.options.now_ms);
        Contributor {
            agent: agent.to_owned(),
            session_id: id.to_owned(),
            run_id: state_name(agent, id, stats.events, stats.last_ms, created_ms),
            events: stats.events,
            last_ms: stats.last_ms,
            voice: ContributorVoice::Derived,
            reading: None,
            precedence: Precedence::Revises,
            created_ms,
        }
    }
}

/// Returns what became of each note of the session. A finding of fact is proven if it is trusted.
fn notes(judged: &[Judged], kept: &[AcceptedCandidate]) -> Vec<(String, Result<(), String>)> {
    let outcome = |one: &Judged| {
        let kept = kept
            .iter()
            .find(|kept| kept.candidate.id == one.candidate.id);
        match kept {
            Some(kept) if !kept.untrusted => Ok(()),
            _ if one.is_settled => Ok(()),
            _ => Err(one.reason.clone()),
        }
    };
    let noted = judged.iter().filter_map(|one| {
        let id = note_id(&one.candidate).filter(|id| !id.is_empty())?;
        Some((id.to_owned(), outcome(one)))
    });
    noted.collect()
}

type Explored<'a> = (&'a Snapshot, &'a WeighedFindings);

/// Reports whether explorers could say something else now: about other candidates, or about other memories. Summaries
/// do not count, because nothing that is learnt replaces them.
fn is_to_be_explored(before: Explored<'_>, now: Explored<'_>) -> bool {
    fn seen<'a>((snapshot, weighed): Explored<'a>) -> (Vec<&'a str>, BTreeSet<[&'a str; 2]>) {
        let kept = weighed.kept.iter().map(|one| one.candidate.id.as_str());
        let memories = snapshot
            .iter()
            .filter(|memory| memory.memory_type != MemoryType::Summary && !memory.is_archived())
            .map(|memory| [memory.path.as_str(), memory.digest.as_str()]);
        (kept.collect(), memories.collect())
    }
    !now.1.kept.is_empty() && seen(before) != seen(now)
}
