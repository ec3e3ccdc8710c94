//! Offers to sessions and their outcome, in the state database. They are not in memory files or git.
//!
//! An offer was used if somebody asked for that memory afterwards (`memory show`, the tool `memory_get`), if its short
//! id is in a later command of that session, or if the quoted command was run. It was dismissed if a person rejected
//! the memory.

use acreta_state::{Catalog, NewOffers, OfferTotals, SessionKey};
use acreta_store::{SHORT_ID, telling_part};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

use crate::process::clock::now_ms;
use crate::{Context, Failure, LentCatalog, process::state};

/// Maximum time between an offer and a request for the memory that counts as its use.
const USED_WITHIN_MS: u64 = 12 * 3_600_000;

/// Virtual offers without effect: a single use or dismissal is not yet significant.
const UNDECIDED: f64 = 3.0;

/// Counts for `status`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OfferCounts {
    pub offered: u64,
    pub used: u64,
    pub dismissed: u64,
}

/// The offers of one session.
pub(crate) struct Offers<'a> {
    session: &'a SessionKey,
    project: &'a str,
    catalog: Option<LentCatalog>,
    known: BTreeSet<String>,
}

impl<'a> Offers<'a> {
    /// Returns the offers of a session. A session without an id has none, and every moment is its first.
    pub(crate) fn of(session: &'a SessionKey, context: &'a Context) -> Result<Self, Failure> {
        let project = context.project.as_str();
        if session.id.is_empty() {
            return Ok(Self {
                session,
                project,
                catalog: None,
                known: BTreeSet::new(),
            });
        }
        let catalogs = &context.process.kept.catalogs;
        let catalog = catalogs.lend(&state::location(context)?)?;
        Ok(Self {
            known: catalog.offered(session)?,
            catalog: Some(catalog),
            session,
            project,
        })
    }

    pub(crate) fn has(&self, subject: &str) -> bool {
        self.known.contains(subject)
    }

    /// Records offers before they are made, and returns those that may be made. An offer that cannot be recorded is not
    /// made, because it could be repeated endlessly.
    pub(crate) fn note(
        &self,
        moment: &str,
        subjects: &[&str],
    ) -> Result<BTreeSet<String>, Failure> {
        let Some(catalog) = &self.catalog else {
            return Ok(subjects.iter().map(|&subject| subject.to_owned()).collect());
        };
        Ok(catalog.note_offers(&NewOffers {
            session: self.session,
            project: self.project,
            moment,
            subjects,
            now_ms: now_ms(),
        })?)
    }

    /// Returns how far offering these memories helped before, in any session, from −1 to 1.
    pub(crate) fn helped(&self, ids: &[&str]) -> Result<BTreeMap<String, f64>, Failure> {
        let Some(catalog) = &self.catalog else {
            return Ok(BTreeMap::new());
        };
        let totals = catalog.offers_of(ids)?.into_iter();
        Ok(totals.map(|(id, totals)| (id, balance(totals))).collect())
    }

    /// Records that this session ran commands.
    pub(crate) fn note_commands(&self, commands: &[&str]) -> Result<(), Failure> {
        let Some(catalog) = self.catalog.as_ref().filter(|_| !self.known.is_empty()) else {
            return Ok(());
        };
        let ran: BTreeSet<String> = commands.iter().copied().map(subject_of).collect();
        let cited = |subject: &str| {
            let short = telling_part(subject).get(..SHORT_ID);
            short.is_some_and(|short| commands.iter().any(|command| command.contains(short)))
        };
        let used = self.known.iter().map(String::as_str);
        let used: Vec<&str> = used
            .filter(|subject| ran.contains(*subject) || cited(subject))
            .collect();
        match used.is_empty() {
            true => Ok(()),
            false => Ok(catalog.note_used(&used, Some(self.session), 0)?),
        }
    }
}

/// Records that memories were asked for: offers of them within the last hours count as used.
pub(crate) fn note_asked_for(catalog: &Catalog, ids: &[&str]) -> Result<(), Failure> {
    Ok(catalog.note_used(ids, None, now_ms().saturating_sub(USED_WITHIN_MS))?)
}

/// Records that a session ran commands: cited memories and offered cures count as used.
pub fn note_commands(
    session: &SessionKey,
    commands: &[&str],
    context: &Context,
) -> Result<(), Failure> {
    Offers::of(session, context)?.note_commands(commands)
}

/// Returns the subject of an offered command, as a digest: commands of a session stay out of the state database.
pub(crate) fn subject_of(command: &str) -> String {
    format!("command:{}", acreta_store::digest(command.trim()))
}

/// Returns totals by moment.
pub fn totals(catalog: &Catalog) -> Result<BTreeMap<String, OfferCounts>, Failure> {
    let totals = catalog.offer_totals()?.into_iter();
    Ok(totals
        .map(|(moment, totals)| {
            let OfferTotals {
                offered,
                used,
                dismissed,
            } = totals;
            let totals = OfferCounts {
                offered,
                used,
                dismissed,
            };
            (moment, totals)
        })
        .collect())
}

/// Returns how far offering each memory helped, from −1 to 1.
pub(crate) fn helped(catalog: &Catalog) -> Result<BTreeMap<String, f32>, Failure> {
    let subjects = catalog.offers_by_subject()?.into_iter();
    Ok(subjects
        .map(|(subject, totals)| (subject, balance(totals) as f32))
        .filter(|(_, helped)| *helped != 0.0)
        .collect())
}

fn balance(totals: OfferTotals) -> f64 {
    let balance = totals.used as f64 - totals.dismissed as f64;
    balance / (totals.offered as f64 + UNDECIDED)
}
