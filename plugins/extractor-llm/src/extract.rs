//! What is worth keeping: read the session once, have a model read windows of it, pool what it finds
//! with what the offline extractor found, and have all of it looked at once more. At each step that a
//! model cannot take, the offline extractor's word stands.

use std::collections::{BTreeMap, BTreeSet};

use crate::batch::NOTHING_LEFT;
use crate::navigate::navigate;
use crate::pool::{By, Item, Types, tags};
use crate::ports::Continue;
use crate::script::Script;
use crate::study::Study;
use crate::verify::{Verified, verify};
use crate::windows::windows;
use crate::{Candidate, Failure, MemoryType, Ports, Settings};

/// What a session gives. Fails only when the trace cannot be read.
pub fn extract(
    ports: Ports<'_>,
    settings: &Settings,
    registry: &[MemoryType],
) -> Result<Vec<Candidate>, Failure> {
    let script = Script::read(&ports, settings)?;
    if !script.is_worth_asking() {
        ports.info("no model was asked: the person said nothing to learn from");
        return Ok(Vec::new());
    }
    let types = Types::of(registry);
    let rules: Vec<Candidate> = script
        .rules
        .candidates
        .iter()
        .filter(|one| types.fit(&one.category, &one.kind) == Some(one.kind.as_str()))
        .cloned()
        .collect();
    if ports.models.left().calls_left == 0 {
        ports.warn(&format!("only the rules were asked: {NOTHING_LEFT}"));
        return Ok(rules.into_iter().map(by_rules).collect());
    }
    let places = places(&ports, &script, &rules)?;
    let mut study = Study::new(ports, settings, types);
    read(&mut study, &script, &places)?;
    judged(study, &script, rules, &places)
}

/// Has windows read, all of them or those that a model asks for.
fn read(
    study: &mut Study<'_>,
    script: &Script,
    places: &BTreeMap<u64, String>,
) -> Result<(), Failure> {
    let whole = script.lines.as_ref().and_then(|lines| {
        let windows = windows(lines, study.settings.window_bytes());
        (windows.len() <= study.settings.most_windows).then_some((lines, windows))
    });
    match whole {
        Some((lines, windows)) => {
            study.show(lines);
            study.read(&windows)
        }
        None => navigate(study, script, places),
    }
}

/// The result of reading, looked at once more.
fn judged(
    mut study: Study<'_>,
    script: &Script,
    rules: Vec<Candidate>,
    places: &BTreeMap<u64, String>,
) -> Result<Vec<Candidate>, Failure> {
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
        study.pool.merged
    ));
    if let Some(reason) = &tally.trouble {
        let unread = tally.windows - tally.read;
        ports.warn(&format!(
            "{unread} of {} windows were not read, the rules stand for them: {reason}",
            tally.windows
        ));
    }
    if tally.read == 0 {
        return Ok(rules.into_iter().map(by_rules).collect());
    }
    let number_of: BTreeMap<&str, u64> = places
        .iter()
        .map(|(number, id)| (id.as_str(), *number))
        .collect();
    for candidate in rules {
        let numbers = || {
            let ids = candidate.evidence.iter();
            ids.filter_map(|one| number_of.get(one.event_id.as_str()).copied())
        };
        let (first, last) = (numbers().min().unwrap_or(0), numbers().max().unwrap_or(0));
        study.pool.add(Item::of_rules(candidate, first, last));
    }
    study.pool.sort();
    let verified = if study.settings.verify && !study.pool.items.is_empty() {
        verify(&study, script)?
    } else {
        Verified {
            kept: std::mem::take(&mut study.pool),
            ..Verified::default()
        }
    };
    if let Some(reason) = &verified.trouble {
        ports.warn(&format!(
            "not everything could be verified, the rules stand for the rest: {reason}"
        ));
    }
    Ok(finished(&ports, verified))
}

fn finished(ports: &Ports<'_>, verified: Verified) -> Vec<Candidate> {
    let Verified {
        mut kept, unjudged, ..
    } = verified;
    kept.sort();
    let mut candidates: Vec<Candidate> = kept
        .items
        .into_iter()
        .enumerate()
        .map(|(index, item)| finish(index, item))
        .collect();
    candidates.extend(unjudged.into_iter().map(by_rules));
    let mut ids = BTreeSet::new();
    candidates.retain(|one| ids.insert(one.id.clone()));
    let of_rules = candidates.iter().filter(|one| is_by_rules(one)).count();
    ports.info(&format!(
        "{} candidates: {} by a model, {of_rules} by the rules",
        candidates.len(),
        candidates.len() - of_rules
    ));
    candidates
}

fn finish(index: usize, item: Item) -> Candidate {
    let mut rules = item.rules.into_iter();
    if item.by == By::Rules
        && let Some(candidate) = rules.next()
    {
        return by_rules(Candidate {
            category: item.category,
            kind: item.kind,
            confidence: item.confidence,
            evidence: item.evidence,
            ..candidate
        });
    }
    let event = item.evidence.first().map_or("", |one| &one.event_id);
    Candidate {
        id: format!("{event}#m{index}"),
        tags: tags(&format!("{}. {}", item.title, item.body)),
        category: item.category,
        kind: item.kind,
        title: item.title,
        body: item.body,
        confidence: item.confidence,
        evidence: item.evidence,
        attrs: vec![("by".to_owned(), By::Model.name().to_owned())],
    }
}

fn by_rules(mut candidate: Candidate) -> Candidate {
    candidate
        .attrs
        .push(("by".to_owned(), By::Rules.name().to_owned()));
    candidate
}

fn is_by_rules(candidate: &Candidate) -> bool {
    let mut attrs = candidate.attrs.iter();
    attrs.any(|(key, value)| key == "by" && value == By::Rules.name())
}

/// Where in the trace the offline extractor found its evidence: ids by number.
fn places(
    ports: &Ports<'_>,
    script: &Script,
    rules: &[Candidate],
) -> Result<BTreeMap<u64, String>, Failure> {
    let cited: BTreeSet<&str> = rules
        .iter()
        .flat_map(|one| &one.evidence)
        .map(|one| one.event_id.as_str())
        .collect();
    let mut places = BTreeMap::new();
    if cited.is_empty() {
        return Ok(places);
    }
    if script.lines.is_some() {
        let numbers = script.numbers().into_iter();
        places.extend(numbers.filter(|(_, id)| cited.contains(id.as_str())));
        return Ok(places);
    }
    ports.each(|number, event| {
        if cited.contains(event.id.as_str()) {
            places.insert(number, event.id.clone());
        }
        if places.len() == cited.len() {
            Continue::Enough
        } else {
            Continue::On
        }
    })?;
    Ok(places)
}
