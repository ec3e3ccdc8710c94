//! Recursive reading of very long sessions: a model sees the outline, the findings so far and the lines it requested,
//! adds findings, and chooses what to read, search or outline next, until it is done. Steps and bytes are bounded; no
//! request contains the whole session. The log shows what was read.

use std::collections::{BTreeMap, BTreeSet};

use crate::batch::{Reserve, UNUSABLE, ask_one};
use crate::digest::Digest;
use crate::ports::Continue;
use crate::reply::{Action, actions, changes};
use crate::request::{self, or_nothing};
use crate::script::Script;
use crate::shorten::{one_line, plain, size};
use crate::study::Study;
use crate::transcript::{TranscriptLine, voice};
use crate::{Event, Failure};
use acreta_text::fenced;

/// Reads the parts that a model chooses.
pub(crate) fn navigate(study: &mut Study<'_>, script: &Script) -> Result<(), Failure> {
    let mut journey = Journey::default();
    let steps = study.settings.most_steps.min(study.settings.most_windows);
    for step in 1..=steps {
        let state = journey.state(study, script, step, steps);
        let request = request::navigate(study.settings, &study.types, &state);
        // The outline alone is useless without a step after it.
        let mut reserve = study.reserve();
        if step == 1 {
            reserve = Reserve {
                calls: reserve.calls + 1,
                tokens: reserve.tokens + study.settings.window_tokens as u64,
            };
        }
        study.tally.windows += 1;
        let content = match ask_one(&study.ports, request, reserve) {
            Ok(content) => content,
            Err(reason) => {
                study.trouble(&reason);
                break;
            }
        };
        let Some(changes) = changes(&content) else {
            study.trouble(UNUSABLE);
            break;
        };
        study.take(&format!("step {step} of {steps}"), changes)?;
        let (actions, done) = actions(&content);
        if done || step == steps || !journey.follow(study, script, &actions)? {
            break;
        }
    }
    Ok(())
}

const MOST_ACTIONS: usize = 16;
const MOST_HITS: u32 = 12;

/// State of the reading, and the content of the next request.
#[derive(Debug, Default)]
struct Journey {
    /// First and last numbers, in order, without overlap.
    read: Vec<(u64, u64)>,
    record: String,
    /// A line for each hit of the last searches.
    hits: Vec<String>,
    /// Requested parts of the outline.
    outlines: String,
}

/// A requested part of the session, with its lines.
struct RequestedPart {
    from: u64,
    to: u64,
    digest: Digest,
    lines: Vec<TranscriptLine>,
    bytes: usize,
}

impl Journey {
    fn state(&self, study: &Study<'_>, script: &Script, step: usize, steps: usize) -> String {
        let limit = study.settings.window_bytes();
        let read: Vec<String> = self
            .read
            .iter()
            .map(|(from, to)| format!("{from}-{to}"))
            .collect();
        // The first request has only the outline.
        let outline = if self.read.is_empty() && self.hits.is_empty() {
            limit / 2
        } else {
            limit / 6
        };
        let mut state = format!(
            "The session has {} events. Step {step} of {steps}; a step shows about {} of lines.\nRead so far: {}\n{}{}",
            script.events,
            size(room(limit)),
            or_nothing(&read.join(", ")),
            fenced("outline", &script.outline.render(outline)),
            fenced(
                "findings so far",
                or_nothing(&study.findings.render(study.findings_bytes()))
            ),
        );
        if !self.outlines.is_empty() {
            state.push_str(&fenced("outline of parts", &self.outlines));
        }
        if !self.hits.is_empty() {
            let hits = acreta_text::head(&self.hits.join("\n"), limit / 12).to_owned();
            state.push_str(&fenced("search results", &hits));
        }
        state.push_str(&fenced("record", or_nothing(&self.record)));
        state
    }

    /// Serves the model's request; if it has nothing new, serves the lines after the first part that was read. Returns
    /// `false` once everything was read.
    fn follow(
        &mut self,
        study: &mut Study<'_>,
        script: &Script,
        actions: &[Action],
    ) -> Result<bool, Failure> {
        let limit = study.settings.window_bytes();
        self.outlines.clear();
        self.hits.clear();
        let (mut ranges, mut texts) = (Vec::new(), Vec::new());
        for action in actions.iter().take(MOST_ACTIONS) {
            match action {
                Action::Read(from, to) => ranges.push((*from, *to)),
                Action::Search(text) => texts.push(text.trim().to_owned()),
                Action::Outline(from, to) => {
                    let to = if *to == 0 { script.events } else { *to };
                    study.ports.info(&format!("outline of events {from}-{to}"));
                    let left = (limit / 6).saturating_sub(self.outlines.len());
                    self.outlines
                        .push_str(&script.outline.render_part(*from, to, left));
                }
            }
        }
        let mut wanted = self.unread(&ranges, script.events);
        let sought = searched(study, &texts)?;
        if wanted.is_empty() && sought.is_empty() && self.outlines.is_empty() {
            wanted = self.unread(&[(1, script.events)], script.events);
            wanted.truncate(1);
            if wanted.is_empty() {
                return Ok(false);
            }
        }
        let parts = self.serve(study, &wanted, &sought, room(limit))?;
        self.take(study, parts, room(limit));
        Ok(true)
    }

    /// Adds the lines of parts to the next request, as many as fit.
    fn take(&mut self, study: &mut Study<'_>, parts: Vec<RequestedPart>, room: usize) {
        let mut shown: BTreeMap<u64, (TranscriptLine, String)> = BTreeMap::new();
        let mut left = room;
        for mut part in parts {
            if left == 0 {
                break;
            }
            part.lines.extend(std::mem::take(&mut part.digest).finish());
            let (mut lines, mut bytes) = (0, 0);
            for line in part.lines {
                if line.text.len() + 1 > left {
                    // The first line is always served, even if it exceeds the room.
                    if shown.is_empty() {
                        let piece = line.pieces(room).swap_remove(0);
                        (lines, bytes, left) = (1, piece.len(), 0);
                        part.to = line.number;
                        shown.insert(line.number, (line, piece));
                    } else {
                        part.to = line.number.saturating_sub(1);
                        left = 0;
                    }
                    break;
                }
                left -= line.text.len() + 1;
                lines += 1;
                bytes += line.text.len();
                let text = line.text.clone();
                shown.insert(line.number, (line, text));
            }
            if part.to < part.from {
                continue;
            }
            study.ports.info(&format!(
                "read events {}-{}: {lines} lines, {}",
                part.from,
                part.to,
                size(bytes)
            ));
            self.read.push((part.from, part.to));
        }
        self.read.sort_unstable();
        let texts: Vec<&str> = shown.values().map(|(_, text)| text.as_str()).collect();
        self.record = texts.join("\n");
        study.show(shown.into_values().map(|(line, _)| line).collect());
    }

    /// Returns the requested parts that were not read yet, in the order of the request.
    fn unread(&self, asked: &[(u64, u64)], events: u64) -> Vec<(u64, u64)> {
        let mut taken = self.read.clone();
        let mut wanted = Vec::new();
        for (from, to) in asked {
            let (from, to) = ((*from).max(1), (*to).min(events));
            for part in without(from, to, &taken) {
                wanted.push(part);
                taken.push(part);
            }
            taken.sort_unstable();
        }
        wanted.truncate(MOST_ACTIONS);
        wanted
    }

    /// Makes one pass over the trace: collects the lines of the requested parts, each about `room` bytes at most, and
    /// the positions of the searched events.
    fn serve(
        &mut self,
        study: &Study<'_>,
        wanted: &[(u64, u64)],
        sought: &[(String, String)],
        room: usize,
    ) -> Result<Vec<RequestedPart>, Failure> {
        let mut parts: Vec<RequestedPart> = wanted
            .iter()
            .map(|(from, to)| RequestedPart {
                from: *from,
                to: *to,
                digest: Digest::default(),
                lines: Vec::new(),
                bytes: 0,
            })
            .collect();
        let last = wanted.iter().map(|(_, to)| *to).max().unwrap_or(0);
        let mut left: BTreeSet<&str> = sought.iter().map(|(id, _)| id.as_str()).collect();
        study.ports.each(|number, event| {
            for part in &mut parts {
                part.take(number, event, room);
            }
            if left.remove(event.id.as_str()) {
                let snippet = sought.iter().find(|(id, _)| *id == event.id);
                let snippet = snippet.map_or("", |(_, snippet)| snippet.as_str());
                self.hits.push(format!("{number}: {snippet}"));
            }
            if number >= last && left.is_empty() {
                Continue::Enough
            } else {
                Continue::On
            }
        })?;
        Ok(parts)
    }
}

/// Returns the bytes for lines in a request: outline, findings and search results need the rest.
fn room(limit: usize) -> usize {
    limit / 2
}

impl RequestedPart {
    fn take(&mut self, number: u64, event: &Event, room: usize) {
        // Lines that do not fit are dropped; the part is cut there.
        if self.bytes > room || number < self.from || number > self.to {
            return;
        }
        self.digest.take(number, event);
        let ready = self.digest.ready();
        self.bytes += ready.iter().map(|line| line.text.len() + 1).sum::<usize>();
        self.lines.extend(ready);
        if self.bytes > room {
            self.to = number;
        }
    }
}

/// Returns the parts of `from..=to` that are not in `taken`, which is sorted.
fn without(from: u64, to: u64, taken: &[(u64, u64)]) -> Vec<(u64, u64)> {
    let mut parts = Vec::new();
    let mut start = from;
    for (first, last) in taken {
        if *last < start {
            continue;
        }
        if *first > to {
            break;
        }
        if start < *first {
            parts.push((start, *first - 1));
        }
        start = last.saturating_add(1);
    }
    if start <= to {
        parts.push((start, to));
    }
    parts
}

/// Returns events that contain one of the texts, by id, each with the words around the first match.
fn searched(study: &Study<'_>, texts: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let mut found: Vec<(String, String)> = Vec::new();
    for text in texts {
        // Two Chinese characters carry as much as six letters.
        if !(3..=80).contains(&text.len()) {
            continue;
        }
        let before = found.len();
        for event in study.ports.trace.find(text, MOST_HITS)? {
            let is_known = found.iter().any(|(id, _)| *id == event.id);
            if !is_known && voice(&event).is_some() {
                let snippet = around(&event.text, text);
                found.push((event.id, snippet));
            }
        }
        let hits = found.len() - before;
        study.ports.info(&format!("search `{text}`: {hits} hits"));
    }
    Ok(found)
}

/// Returns the words around the first match of `wanted`.
fn around(text: &str, wanted: &str) -> String {
    let at = text
        .to_lowercase()
        .find(&wanted.to_lowercase())
        .unwrap_or(0);
    let start = text.floor_char_boundary(at.saturating_sub(80).min(text.len()));
    one_line(&plain(&text[start..]), 240)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_read_twice() {
        let journey = Journey {
            read: vec![(10, 20), (30, 40)],
            ..Journey::default()
        };
        type Ranges<'a> = &'a [(u64, u64)];
        let cases: [(Ranges<'_>, Ranges<'_>); 6] = [
            (&[(1, 5)], &[(1, 5)]),
            (&[(15, 35)], &[(21, 29)]),
            (&[(0, 1_000)], &[(1, 9), (21, 29), (41, 50)]),
            (&[(12, 18)], &[]),
            (&[(48, 49), (45, 50)], &[(48, 49), (45, 47), (50, 50)]),
            (&[(9, 2), (60, 70)], &[]),
        ];
        for (asked, expected) in cases {
            assert_eq!(journey.unread(asked, 50), expected, "{asked:?}");
        }
    }

    #[test]
    fn a_hit_shows_what_is_around_it() {
        let text = format!("{} The RETRY budget is three.", "word ".repeat(100));
        assert!(around(&text, "retry budget").contains("RETRY budget is three."));
        assert_eq!(around("İstanbul", "STAN"), "İstanbul");
    }
}
