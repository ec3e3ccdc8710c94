//! A session in the reading: windows are read in order, each with the list of findings so far, and
//! each reply adds to the list, corrects it or withdraws from it once its citations are checked. A
//! window that fails leaves the list as it was.

use std::collections::BTreeMap;

use crate::batch::{NOTHING_LEFT, Reserve, UNUSABLE, affordable, ask_one, is_lasting};
use crate::cite::check;
use crate::findings::{Finding, Findings};
use crate::reply::{Changes, Proposal, changes};
use crate::request::{self, VERIFY_OUTPUT, worst_case};
use crate::transcript::Line;
use crate::types::Types;
use crate::windows::Window;
use crate::wording::fit_text;
use crate::{Failure, Ports, Settings};

/// What a model was shown and what it made of it.
pub(crate) struct Study<'a> {
    pub(crate) ports: Ports<'a>,
    pub(crate) settings: &'a Settings,
    pub(crate) types: Types<'a>,
    pub(crate) findings: Findings,
    pub(crate) tally: Tally,
    /// The lines that were shown, by number.
    pub(crate) shown: BTreeMap<u64, Line>,
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
            findings: Findings::default(),
            tally: Tally::default(),
            shown: BTreeMap::new(),
        }
    }

    /// Lets lines be cited.
    pub(crate) fn show(&mut self, lines: Vec<Line>) {
        self.shown
            .extend(lines.into_iter().map(|line| (line.number, line)));
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

    /// Bytes of the list of findings in a request.
    pub(crate) fn findings_bytes(&self) -> usize {
        self.settings.window_bytes() / FINDINGS_SHARE
    }

    /// Reads windows in order, as many as the budget allows: those in which the person says most.
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

    /// The windows that the budget allows, in order.
    fn chosen(&self, windows: &[Window], events: u64) -> Vec<usize> {
        // The list grows on the way: every request may have it full.
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

    /// Takes what a reply does to the list, and logs it.
    pub(crate) fn take(&mut self, place: &str, changes: Changes) -> Result<(), Failure> {
        self.tally.read += 1;
        self.tally.malformed += changes.malformed;
        self.tally.proposed += changes.add.len();
        let (mut added, mut changed, mut withdrawn) = (0, 0, 0);
        // Withdrawn first, so that a correction in its place is not taken for a twin of it.
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

    /// A proposal whose form and citations hold. One that corrects a finding may rest on the evidence
    /// that is there already.
    fn checked(
        &mut self,
        proposal: &Proposal,
        corrects: Option<&Finding>,
    ) -> Result<Option<Finding>, Failure> {
        let category = proposal.category.trim();
        let kind = self.types.fit(category, proposal.kind.trim());
        // A correction may leave a part of the text as it is.
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

/// A confidence that can be one. Nobody is ever quite sure.
pub(crate) fn sure(confidence: f32) -> f32 {
    if confidence.is_finite() {
        (confidence.clamp(0.0, 0.97) * 100.0).round() / 100.0
    } else {
        0.0
    }
}

/// The list of findings takes this part of a window.
const FINDINGS_SHARE: usize = 8;
const MOST_OF_A_WINDOW: usize = 16;
/// Windows that fail in a row before no more are asked for.
const MOST_FAILED: usize = 2;
/// A dozen proposals with their surroundings, and the reply.
const VERIFY_TOKENS: u64 = 12_000 + VERIFY_OUTPUT as u64;
