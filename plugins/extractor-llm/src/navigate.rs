//! Very long sessions, the recursive way: a model sees the outline, says which parts to read or what
//! to search for, gets told what was found, and says where to go on. Steps, windows and bytes are
//! bounded; no model ever sees the session whole.

use std::collections::{BTreeMap, BTreeSet};

use crate::batch::{Reserve, UNUSABLE, ask_one};
use crate::fence::fenced;
use crate::ports::Continue;
use crate::reply::{Directions, directions};
use crate::request;
use crate::script::{Lines, Script};
use crate::shorten::{one_line, plain};
use crate::study::Study;
use crate::transcript::{Line, voice};
use crate::windows::windows;
use crate::{Event, Failure};

/// Reads what a model chooses to read. `hints` are events in which the offline extractor found something.
pub(crate) fn navigate(
    study: &mut Study<'_>,
    script: &Script,
    hints: &BTreeMap<u64, String>,
) -> Result<(), Failure> {
    let mut journey = Journey::default();
    for step in 0..study.settings.most_steps {
        let windows_left = study
            .settings
            .most_windows
            .saturating_sub(study.tally.windows);
        if windows_left == 0 {
            break;
        }
        let steps_left = study.settings.most_steps - step;
        let state = journey.state(study, script, hints, steps_left, windows_left);
        let request = request::navigate(study.settings, &state);
        // Without a window after it, and a last look, a direction is of no use.
        let reserve = study.reserve();
        let reserve = Reserve {
            calls: reserve.calls + 1,
            tokens: reserve.tokens + study.settings.window_tokens as u64,
        };
        let reply = ask_one(&study.ports, request, reserve);
        let parsed =
            reply.and_then(|content| directions(&content).ok_or_else(|| UNUSABLE.to_owned()));
        let directions = match parsed {
            Ok(directions) => directions,
            Err(reason) => {
                study.trouble(&reason);
                break;
            }
        };
        let done = directions.done;
        let room = windows_left.min(WINDOWS_OF_A_STEP);
        let went_on = journey.follow(study, script, directions, room)?;
        if done || !went_on {
            break;
        }
    }
    Ok(())
}

/// How many windows one step may fill.
const WINDOWS_OF_A_STEP: usize = 4;
const MOST_RANGES: usize = 16;
const MOST_SEARCHES: usize = 4;
const MOST_HITS: u32 = 12;
const MOST_TITLES: usize = 40;

/// What was read and found so far.
#[derive(Debug, Default)]
struct Journey {
    /// First and last numbers, in order, without overlap.
    read: Vec<(u64, u64)>,
    /// What the last searches gave, a line for each hit.
    hits: Vec<String>,
}

/// A part of the session as it was asked for, with its lines.
struct Part {
    from: u64,
    to: u64,
    lines: Lines,
    is_full: bool,
}

impl Journey {
    fn state(
        &self,
        study: &Study<'_>,
        script: &Script,
        hints: &BTreeMap<u64, String>,
        steps_left: usize,
        windows_left: usize,
    ) -> String {
        let limit = study.settings.window_bytes();
        let numbers: Vec<String> = hints.keys().map(u64::to_string).collect();
        let read: Vec<String> = self
            .read
            .iter()
            .map(|(from, to)| format!("{from}-{to}"))
            .collect();
        let titles: Vec<String> = study
            .pool
            .items
            .iter()
            .rev()
            .take(MOST_TITLES)
            .map(|item| format!("- {} (event {})", item.title, item.first))
            .collect();
        let or_nothing = |text: String| {
            if text.is_empty() {
                "nothing".to_owned()
            } else {
                text
            }
        };
        let known = format!(
            "Hints at events: {}\nRead so far: {}\n",
            or_nothing(numbers.join(", ")),
            or_nothing(read.join(", ")),
        );
        let found = acreta_text::head(&titles.join("\n"), limit / 8).to_owned();
        let hits = acreta_text::head(&self.hits.join("\n"), limit / 4).to_owned();
        format!(
            "The session has {} events. Steps left with this one: {steps_left}. Windows of {} kB left: \
             {windows_left}, at most {WINDOWS_OF_A_STEP} in this step.\n{known}\n{}\n{}\n{}",
            script.events,
            limit / 1024,
            fenced("outline", &script.outline.render(limit / 2)),
            fenced("found so far", &or_nothing(found)),
            fenced("search results", &or_nothing(hits)),
        )
    }

    /// Serves what was asked for. Says whether there was anything.
    fn follow(
        &mut self,
        study: &mut Study<'_>,
        script: &Script,
        directions: Directions,
        most_windows: usize,
    ) -> Result<bool, Failure> {
        let limit = study.settings.window_bytes();
        // Overlap and what was asked before it take a part of each window.
        let room = most_windows.saturating_mul(limit / 4 * 3);
        let wanted = self.unread(&directions.read, script.events);
        let sought = searched(study, &directions.search)?;
        self.hits.clear();
        if wanted.is_empty() && sought.is_empty() {
            return Ok(false);
        }
        let parts = self.serve(study, &wanted, &sought, room)?;
        let mut lines: Vec<Line> = Vec::new();
        let mut left = room;
        for part in parts {
            // The first is always served, even when one line of it fills more than there is room for.
            let fits = part.lines.bytes <= left || lines.is_empty();
            if part.lines.kept.is_empty() || !fits {
                continue;
            }
            left = left.saturating_sub(part.lines.bytes);
            self.read.push((part.from, part.to));
            lines.extend(part.lines.kept);
        }
        self.read.sort_unstable();
        lines.sort_by_key(|line| line.number);
        study.show(&lines);
        let mut windows = windows(&lines, limit);
        windows.truncate(most_windows);
        if !windows.is_empty() {
            study.read(&windows)?;
        }
        Ok(true)
    }

    /// The parts of what was asked for that were not read yet, in the order they were asked for.
    fn unread(&self, asked: &[(u64, u64)], events: u64) -> Vec<(u64, u64)> {
        let mut taken = self.read.clone();
        let mut wanted = Vec::new();
        for (from, to) in asked.iter().take(MOST_RANGES) {
            let (from, to) = ((*from).max(1), (*to).min(events));
            for part in without(from, to, &taken) {
                wanted.push(part);
                taken.push(part);
            }
            taken.sort_unstable();
        }
        wanted.truncate(MOST_RANGES);
        wanted
    }

    /// One pass over the trace: the lines of the parts wanted, each at most `room` bytes, and the
    /// places of what was sought.
    fn serve(
        &mut self,
        study: &Study<'_>,
        wanted: &[(u64, u64)],
        sought: &[(String, String)],
        room: usize,
    ) -> Result<Vec<Part>, Failure> {
        let mut parts: Vec<Part> = wanted
            .iter()
            .map(|(from, to)| Part {
                from: *from,
                to: *to,
                lines: Lines::default(),
                is_full: false,
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

impl Part {
    fn take(&mut self, number: u64, event: &Event, room: usize) {
        if self.is_full || number < self.from || number > self.to {
            return;
        }
        let before = self.lines.bytes;
        self.lines.add(number, event);
        if self.lines.bytes > room {
            self.is_full = true;
            self.to = number.saturating_sub(1).max(self.from);
            if before > 0 {
                self.lines.kept.pop();
                self.lines.bytes = before;
            }
        }
    }
}

/// The parts of `from..=to` that are in none of `taken`, which are in order.
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

/// Events that hold one of the texts, by id, each with the words around the first place.
fn searched(study: &Study<'_>, texts: &[String]) -> Result<Vec<(String, String)>, Failure> {
    let mut found: Vec<(String, String)> = Vec::new();
    for text in texts.iter().take(MOST_SEARCHES) {
        let text = text.trim();
        if !(3..=80).contains(&text.len()) {
            continue;
        }
        for event in study.ports.trace.find(text, MOST_HITS)? {
            let is_known = found.iter().any(|(id, _)| *id == event.id);
            if !is_known && voice(&event).is_some() {
                let snippet = around(&event.text, text);
                found.push((event.id, snippet));
            }
        }
    }
    Ok(found)
}

/// The words around the first place of `wanted`.
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
            hits: Vec::new(),
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
