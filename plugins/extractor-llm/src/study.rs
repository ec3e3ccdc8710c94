//! A session being read: windows are read in order, each with the list of findings so far, and each reply adds to the
//! list, corrects it or withdraws from it once its citations are verified. A window that fails leaves the list
//! unchanged.

use std::collections::BTreeMap;

use crate::batch::{NOTHING_LEFT, Reserve, UNUSABLE, affordable, ask_one, is_lasting};
use crate::cite::check;
use crate::findings::{Finding, Findings};
use crate::reply::{Changes, Proposal, changes};
use crate::request::{self, VERIFY_OUTPUT, worst_case};
use crate::transcript::TranscriptLine;
use crate::types::Types;
use crate::windows::Window;
use crate::wording::fit_text;
use crate::{Failure, Ports, Settings};

/// The lines that a model was shown, and its findings.
pub(crate) struct Study<'a> {
    pub(crate) ports: Ports<'a>,
    pub(crate) settings: &'a Settings,
    pub(crate) types: Types<'a>,
    pub(crate) findings: Findings,
    pub(crate) tally: Tally,
    /// The shown lines, by number.
    pub(crate) shown: BTreeMap<u64, TranscriptLine>,
}

/// Figures for the log.
#[derive(Debug, Default)]
pub(crate) struct Tally {
    pub(crate) windows: usize,
    pub(crate) read: usize,
    pub(crate) proposed: usize,
    pub(crate) forged: usize,
    /// Proposals without a valid citation.
    pub(crate) uncited: usize,
    pub(crate) malformed: usize,
    /// The first reason why a window was not read.
    pub(crate) trouble: Option<String>,
}

impl<'a> Study<'a> {
    pub(crate) fn new(ports: Ports<'a>, settings: &'a Settings, types: Types<'a>) -> Self {
        Self {
            ports,
            settings,
            types,
            findings: Findings::default(),
            tally: Tally::default(),
            shown: BTreeMap::new(),
        }
    }

    /// Allows lines to be cited.
    pub(crate) fn show(&mut self, lines: Vec<TranscriptLine>) {
        self.shown
            .extend(lines.into_iter().map(|line| (line.number, line)));
    }

    /// Returns the budget for the final verification.
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

    /// Returns the bytes for the list of findings in a request.
    pub(crate) fn findings_bytes(&self) -> usize {
        self.settings.window_bytes() / FINDINGS_SHARE
    }

    /// Reads windows in order, as many as the budget allows: those with most words of the person.
    pub(crate) fn read(&mut self, windows: &[Window], events: u64) -> Result<(), Failure> {
        self.tally.windows += windows.len();
        let chosen = self.chosen(windows, events);
        if chosen.len() < windows.len() {
            self.trouble(NOTHING_LEFT);
        }
        let mut failed = 0;
        for (at, index) in chosen.iter().enumerate() {
            let window = &windows[*index];
            let request = self.request(windows.len(), *index, window, events);
            let reply = ask_one(&self.ports, request, self.reserve());
            let parsed =
                reply.and_then(|content| changes(&content).ok_or_else(|| UNUSABLE.to_owned()));
            let place = format!(
                "window {} of {} (events {}-{})",
                index + 1,
                windows.len(),
                window.first,
                window.last
            );
            match parsed {
                Ok(changes) => {
                    failed = 0;
                    self.take(&place, changes)?;
                }
                Err(reason) => {
                    failed += 1;
                    self.ports.warn(&format!("{place} was not read: {reason}"));
                    self.trouble(&reason);
                    let rest = chosen.len() - at - 1;
                    if rest > 0 && (is_lasting(&reason) || failed == MOST_FAILED) {
                        self.ports
                            .warn(&format!("{rest} more windows were not asked for"));
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    /// Selects the windows that the budget allows, in order.
    fn chosen(&self, windows: &[Window], events: u64) -> Vec<usize> {
        // The list grows: every request may contain a full one.
        let list = (self.findings_bytes() / 2) as u64;
        let costs: Vec<u64> = windows
            .iter()
            .enumerate()
            .map(|(index, window)| {
                worst_case(&self.request(windows.len(), index, window, events)) + list
            })
            .collect();
        let mut priority: Vec<usize> = (0..windows.len()).collect();
        priority.sort_by_key(|index| (std::cmp::Reverse(windows[*index].voice), *index));
        affordable(self.ports.models.left(), &costs, &priority, self.reserve())
    }

    fn request(
        &self,
        windows: usize,
        index: usize,
        window: &Window,
        events: u64,
    ) -> crate::Request {
        let place = format!(
            "Part {} of {windows}: events {} to {} of {events}.",
            index + 1,
            window.first,
            window.last
        );
        let findings = self.findings.render(self.findings_bytes());
        request::extract(self.settings, &self.types, &place, &findings, &window.text)
    }

    pub(crate) fn trouble(&mut self, reason: &str) {
        self.tally.trouble.get_or_insert_with(|| reason.to_owned());
    }

    /// Applies a reply to the list, and logs it.
    pub(crate) fn take(&mut self, place: &str, changes: Changes) -> Result<(), Failure> {
        self.tally.read += 1;
        self.tally.malformed += changes.malformed;
        self.tally.proposed += changes.add.len();
        let (mut added, mut changed, mut withdrawn) = (0, 0, 0);
        // Withdraws first, so that a correction is not merged with the finding it replaces.
        for (id, reason) in changes.withdraw {
            let title = self.findings.get(id).map(|one| one.title.clone());
            if let Some(title) = title
                && self.findings.withdraw(id)
            {
                withdrawn += 1;
                self.ports.info(&format!("withdrawn: {title} ({reason})"));
            }
        }
        for (id, proposal) in changes.change {
            let Some(before) = self.findings.get(id).cloned() else {
                self.tally.malformed += 1;
                continue;
            };
            if let Some(finding) = self.checked(&proposal, Some(&before))?
                && self.findings.change(id, finding)
            {
                changed += 1;
            }
        }
        let mut proposals = changes.add;
        proposals.sort_by(|left, right| right.confidence.total_cmp(&left.confidence));
        proposals.truncate(MOST_OF_A_WINDOW);
        for proposal in proposals {
            if let Some(finding) = self.checked(&proposal, None)? {
                self.findings.add(finding);
                added += 1;
            }
        }
        self.ports.info(&format!(
            "{place}: {added} added, {changed} changed, {withdrawn} withdrawn"
        ));
        Ok(())
    }

    /// Checks form and citations of a proposal. A correction may rely on the existing evidence.
    fn checked(
        &mut self,
        proposal: &Proposal,
        corrects: Option<&Finding>,
    ) -> Result<Option<Finding>, Failure> {
        let category = proposal.category.trim();
        let kind = self.types.fit(category, proposal.kind.trim());
        // A correction may leave a part of the text unchanged.
        let or_before = |new: &str, before: fn(&Finding) -> &str| match corrects {
            Some(finding) if new.trim().is_empty() => before(finding).to_owned(),
            _ => new.to_owned(),
        };
        let text = fit_text(
            &or_before(&proposal.title, |one| &one.title),
            &or_before(&proposal.body, |one| &one.body),
        );
        let (Some(kind), Some((title, body))) = (kind, text) else {
            self.tally.malformed += 1;
            return Ok(None);
        };
        let statement = format!("{title} {body}");
        let citations = proposal.citations();
        let found = check(&self.ports, &self.shown, &citations, &statement)?;
        self.tally.forged += found.forged;
        if found.evidence.is_empty() && corrects.is_none() {
            self.tally.uncited += 1;
            return Ok(None);
        }
        let mut finding = Finding {
            id: 0,
            category: category.to_owned(),
            kind: kind.to_owned(),
            title,
            body,
            confidence: sure(proposal.confidence),
            evidence: Vec::new(),
        };
        finding.cite(found.evidence);
        Ok(Some(finding))
    }
}

/// Clamps a confidence to 0 to 0.97 and rounds it; a model is never quite certain.
pub(crate) fn sure(confidence: f32) -> f32 {
    if confidence.is_finite() {
        (confidence.clamp(0.0, 0.97) * 100.0).round() / 100.0
    } else {
        0.0
    }
}

/// The list of findings takes 1/`FINDINGS_SHARE` of a window.
const FINDINGS_SHARE: usize = 8;
const MOST_OF_A_WINDOW: usize = 16;
/// Reading stops after this many consecutive failed windows.
const MOST_FAILED: usize = 2;
/// A dozen proposals with their context, and the reply.
const VERIFY_TOKENS: u64 = 12_000 + VERIFY_OUTPUT as u64;
