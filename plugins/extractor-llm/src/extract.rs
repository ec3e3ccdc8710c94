//! Extraction: reads the session once, lets a model read windows of it in order, and has the findings verified at the
//! end. If no model could read anything, the offline extractor's result is used.

use crate::batch::NOTHING_LEFT;
use crate::findings::Finding;
use crate::navigate::navigate;
use crate::offline;
use crate::script::Script;
use crate::study::Study;
use crate::types::{Types, tags};
use crate::verify::{Verified, verify};
use crate::windows::windows;
use crate::{Candidate, Failure, MemoryType, Ports, Settings};

/// Extracts candidates. Fails only if the trace cannot be read.
pub fn extract(
    ports: Ports<'_>,
    settings: &Settings,
    registry: &[MemoryType],
) -> Result<Vec<Candidate>, Failure> {
    let mut script = Script::read(&ports, settings)?;
    if !script.is_worth_asking() {
        ports.info("no model was asked: the person said nothing to learn from");
        return Ok(Vec::new());
    }
    let types = Types::of(registry);
    if ports.models.left().calls_left == 0 {
        ports.warn(&format!("only the rules were asked: {NOTHING_LEFT}"));
        return offline::candidates(&ports, &types);
    }
    let mut study = Study::new(ports, settings, types);
    read(&mut study, &mut script)?;
    judged(study, &script)
}

/// Reads the session: window by window, or recursively if it has too many.
fn read(study: &mut Study<'_>, script: &mut Script) -> Result<(), Failure> {
    let limit = study.settings.window_bytes() - study.findings_bytes();
    if let Some(lines) = script.lines.take() {
        let windows = windows(&lines, limit);
        if windows.len() <= study.settings.most_windows {
            study.show(lines);
            return study.read(&windows, script.events);
        }
    }
    navigate(study, script)
}

/// Verifies the findings.
fn judged(mut study: Study<'_>, script: &Script) -> Result<Vec<Candidate>, Failure> {
    let ports = study.ports;
    let tally = &study.tally;
    ports.info(&format!(
        "{} of {} windows read: {} proposals, {} malformed, {} forged citations dropped, {} proposals without a good \
         citation dropped, {} merged",
        tally.read,
        tally.windows,
        tally.proposed,
        tally.malformed,
        tally.forged,
        tally.uncited,
        study.findings.merged
    ));
    if let Some(reason) = &tally.trouble {
        let unread = tally.windows - tally.read;
        ports.warn(&format!(
            "{unread} of {} windows were not read: {reason}",
            tally.windows
        ));
    }
    if tally.read == 0 {
        ports.warn("no window was read, the rules stand for the model");
        return offline::candidates(&ports, &study.types);
    }
    study.findings.sort();
    let Verified { kept, trouble } = if study.settings.verify && !study.findings.list.is_empty() {
        verify(&study, script)?
    } else {
        Verified {
            kept: std::mem::take(&mut study.findings.list),
            trouble: None,
        }
    };
    if let Some(reason) = trouble {
        ports.warn(&format!(
            "not everything could be verified, only the surest of the rest stays: {reason}"
        ));
    }
    let candidates: Vec<Candidate> = kept.into_iter().enumerate().map(finish).collect();
    ports.info(&format!("{} candidates by a model", candidates.len()));
    Ok(candidates)
}

fn finish((index, finding): (usize, Finding)) -> Candidate {
    let event = finding
        .evidence
        .first()
        .map_or("", |(_, one)| &one.event_id);
    Candidate {
        id: format!("{event}#m{index}"),
        tags: tags(&format!("{}. {}", finding.title, finding.body)),
        category: finding.category,
        kind: finding.kind,
        title: finding.title,
        body: finding.body,
        confidence: finding.confidence,
        evidence: finding.evidence.into_iter().map(|(_, one)| one).collect(),
        attrs: vec![("by".to_owned(), "model".to_owned())],
    }
}
