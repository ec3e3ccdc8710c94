//! Windows read by a model: every window that the budget allows is asked for, and what comes back
//! goes into the pool once its citations are checked.

use std::collections::BTreeMap;

use crate::batch::{NOTHING_LEFT, Reserve, UNUSABLE, affordable, ask};
use crate::cite::check;
use crate::pool::{By, Item, Pool, Types, fit_text};
use crate::reply::{Proposal, proposals};
use crate::request::{self, VERIFY_OUTPUT};
use crate::transcript::Line;
use crate::windows::Window;
use crate::{Failure, Ports, Settings};

/// What a model was shown and what it made of it.
pub(crate) struct Study<'a> {
    pub(crate) ports: Ports<'a>,
    pub(crate) settings: &'a Settings,
    pub(crate) types: Types<'a>,
    pub(crate) pool: Pool,
    pub(crate) tally: Tally,
    /// The events that were shown, by number.
    numbers: BTreeMap<u64, String>,
}

/// Figures for the log.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) windows: usize,
    pub(crate) read: usize,
    pub(crate) proposed: usize,
    pub(crate) forged: usize,
    /// Proposals without a single good citation.
    pub(crate) uncited: usize,
    pub(crate) malformed: usize,
    /// Why windows were not read, the first reason.
    pub(crate) trouble: Option<String>,
}

impl<'a> Study<'a> {
    pub(crate) fn new(ports: Ports<'a>, settings: &'a Settings, types: Types<'a>) -> Self {
        Self {
            ports,
            settings,
            types,
            pool: Pool::default(),
            tally: Tally::default(),
            numbers: BTreeMap::new(),
        }
    }

    /// Lets lines be cited.
    pub(crate) fn show(&mut self, lines: &[Line]) {
        let shown = lines
            .iter()
            .map(|line| (line.number, line.event_id.clone()));
        self.numbers.extend(shown);
    }

    /// What the last look needs.
    pub(crate) fn reserve(&self) -> Reserve {
        if self.settings.verify {
            Reserve {
                calls: 1,
                tokens: VERIFY_TOKENS,
            }
        } else {
            Reserve::default()
        }
    }

    /// Asks for all windows at once, or for as many as the budget allows: those first in which the
    /// person says most.
    pub(crate) fn read(&mut self, windows: &[Window]) -> Result<(), Failure> {
        self.tally.windows += windows.len();
        let requests: Vec<_> = windows
            .iter()
            .map(|window| request::extract(self.settings, &self.types, window))
            .collect();
        let mut priority: Vec<usize> = (0..windows.len()).collect();
        priority.sort_by_key(|index| (std::cmp::Reverse(windows[*index].voice), *index));
        let left = self.ports.models.left();
        let chosen = affordable(left, &requests, &priority, self.reserve());
        if chosen.len() < windows.len() {
            self.trouble(NOTHING_LEFT);
        }
        let requests = requests.into_iter().enumerate();
        let sent = requests.filter(|(index, _)| chosen.binary_search(index).is_ok());
        let sent: Vec<_> = sent.map(|(_, request)| request).collect();
        for reply in ask(&self.ports, sent) {
            match reply {
                Ok(content) => match proposals(&content) {
                    Some(found) => {
                        self.tally.read += 1;
                        self.tally.malformed += found.malformed;
                        self.take(found.good)?;
                    }
                    None => self.trouble(UNUSABLE),
                },
                Err(reason) => self.trouble(&reason),
            }
        }
        Ok(())
    }

    pub(crate) fn trouble(&mut self, reason: &str) {
        self.tally.trouble.get_or_insert_with(|| reason.to_owned());
    }

    fn take(&mut self, mut found: Vec<Proposal>) -> Result<(), Failure> {
        self.tally.proposed += found.len();
        found.sort_by(|left, right| right.confidence.total_cmp(&left.confidence));
        found.truncate(MOST_OF_A_WINDOW);
        for proposal in found {
            if let Some(item) = self.checked(&proposal)? {
                self.pool.add(item);
            }
        }
        Ok(())
    }

    fn checked(&mut self, proposal: &Proposal) -> Result<Option<Item>, Failure> {
        let category = proposal.category.trim();
        let kind = self.types.fit(category, proposal.kind.trim());
        let text = fit_text(&proposal.title, &proposal.body);
        let (Some(kind), Some((title, body))) = (kind, text) else {
            self.tally.malformed += 1;
            return Ok(None);
        };
        let statement = format!("{title} {body}");
        let citations = proposal.citations();
        let found = check(&self.ports, &self.numbers, &citations, &statement)?;
        self.tally.forged += found.forged;
        let numbers = || found.evidence.iter().map(|(number, _)| *number);
        let (Some(first), Some(last)) = (numbers().min(), numbers().max()) else {
            self.tally.uncited += 1;
            return Ok(None);
        };
        let mut item = Item {
            category: category.to_owned(),
            kind: kind.to_owned(),
            title,
            body,
            confidence: sure(proposal.confidence),
            evidence: Vec::new(),
            first,
            last,
            by: By::Model,
            rules: Vec::new(),
        };
        item.cite(found.evidence.into_iter().map(|(_, one)| one).collect());
        Ok(Some(item))
    }
}

/// A confidence that can be one. Nobody is ever quite sure.
pub(crate) fn sure(confidence: f32) -> f32 {
    if confidence.is_finite() {
        (confidence.clamp(0.0, 0.97) * 100.0).round() / 100.0
    } else {
        0.0
    }
}

const MOST_OF_A_WINDOW: usize = 8;
/// A dozen proposals with their quotes, and the reply.
const VERIFY_TOKENS: u64 = 8_000 + VERIFY_OUTPUT as u64;
