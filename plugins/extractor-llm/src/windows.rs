//! Windows: lines in order, as many as fit, each window with the end of the one before it and what
//! the person last asked. No line is cut in two unless it alone is longer than a window.

use crate::transcript::{Line, Voice};

/// A stretch of lines for one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) text: String,
    /// Bytes of the person's own words that no window before it had.
    pub(crate) voice: usize,
}

/// Cuts lines into windows of at most `limit` bytes.
pub(crate) fn windows(lines: &[Line], limit: usize) -> Vec<Window> {
    let pieces: Vec<Piece> = lines
        .iter()
        .flat_map(|line| {
            line.pieces(limit.saturating_sub(1))
                .into_iter()
                .map(|text| Piece {
                    is_person: matches!(line.voice, Voice::Person | Voice::Answer),
                    text,
                })
        })
        .collect();
    let mut windows = Vec::new();
    let mut start = 0;
    while start < pieces.len() {
        let (window, end) = window(&pieces, start, limit);
        windows.push(window);
        start = end;
    }
    windows
}

struct Piece {
    is_person: bool,
    text: String,
}

impl Piece {
    /// With its newline.
    fn bytes(&self) -> usize {
        self.text.len() + 1
    }
}

/// The window whose first new piece is `start`, and the first piece after it.
fn window(pieces: &[Piece], start: usize, limit: usize) -> (Window, usize) {
    let room = limit.saturating_sub(pieces[start].bytes());
    let (overlap, context) = before(pieces, start, room, limit);
    let mut text = String::new();
    if let Some(context) = context {
        text.push_str(&context);
        text.push('\n');
    }
    for piece in &pieces[overlap..start] {
        text.push_str(&piece.text);
        text.push('\n');
    }
    let mut voice = 0;
    let mut end = start;
    while let Some(piece) = pieces.get(end)
        && (end == start || text.len() + piece.bytes() <= limit)
    {
        text.push_str(&piece.text);
        text.push('\n');
        voice += if piece.is_person { piece.bytes() } else { 0 };
        end += 1;
    }
    (Window { text, voice }, end)
}

/// What a window repeats: the index its overlap begins with, and what the person asked before that.
fn before(pieces: &[Piece], start: usize, room: usize, limit: usize) -> (usize, Option<String>) {
    let most = (limit / OVERLAP).min(room);
    let mut overlap = start;
    let mut used = 0;
    while overlap > 0 && used + pieces[overlap - 1].bytes() <= most {
        overlap -= 1;
        used += pieces[overlap].bytes();
    }
    if pieces[overlap].is_person {
        return (overlap, None);
    }
    let asked = pieces[..overlap].iter().rev().find(|piece| piece.is_person);
    // A long request is known by its beginning.
    let longest = (limit / LONGEST_CONTEXT).min(room - used);
    let context = asked
        .map(|piece| {
            (
                piece,
                acreta_text::head(&piece.text, longest.saturating_sub(1)),
            )
        })
        .filter(|(piece, text)| text.len() == piece.text.len() || text.len() >= LEAST_CONTEXT)
        .map(|(_, text)| text.to_owned());
    (overlap, context)
}

/// A tenth of a window is what the one before it ended with.
const OVERLAP: usize = 10;
/// At most a quarter of a window is the request it belongs to.
const LONGEST_CONTEXT: usize = 4;
/// Less of it says nothing.
const LEAST_CONTEXT: usize = 40;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines(given: &[(bool, usize)]) -> Vec<Line> {
        let line = |(index, (is_person, length)): (usize, &(bool, usize))| Line {
            number: index as u64 + 1,
            event_id: format!("e{index}"),
            voice: if *is_person {
                Voice::Person
            } else {
                Voice::Agent
            },
            text: format!(
                "[{} {}] {}",
                index + 1,
                if *is_person { "person" } else { "agent" },
                "é".repeat(*length)
            ),
        };
        given.iter().enumerate().map(line).collect()
    }

    proptest! {
        #[test]
        fn every_line_is_in_a_window_and_no_window_is_too_long(
            given in prop::collection::vec((any::<bool>(), 0_usize..400), 0..60),
            limit in 100_usize..1_000,
        ) {
            let lines = lines(&given);
            let windows = windows(&lines, limit);
            for window in &windows {
                prop_assert!(window.text.len() <= limit, "{} > {limit}", window.text.len());
            }
            // A line that fits is whole in some window; one that does not is there piece by piece.
            let together: String = windows.iter().map(|window| window.text.as_str()).collect();
            for line in &lines {
                if line.text.len() < limit {
                    let whole = format!("{}\n", line.text);
                    prop_assert!(windows.iter().any(|window| window.text.contains(&whole)));
                } else {
                    let head = format!("[{} ", line.number);
                    let shown = together.lines().filter(|shown| shown.starts_with(&head));
                    let letters: usize = shown.map(|shown| shown.matches('é').count()).sum();
                    prop_assert!(letters >= line.text.matches('é').count());
                }
            }
            // The person's words are counted once.
            let spoken: usize = windows.iter().map(|window| window.voice).sum();
            let whole = lines.iter().filter(|line| line.voice == Voice::Person && line.text.len() < limit);
            prop_assert!(spoken >= whole.map(|line| line.text.len() + 1).sum::<usize>());
        }

        #[test]
        fn windows_overlap_by_a_tenth_and_know_what_was_asked(
            given in prop::collection::vec((any::<bool>(), 0_usize..30), 1..80),
            limit in 400_usize..900,
        ) {
            let lines = lines(&given);
            let windows = windows(&lines, limit);
            let numbers = |window: &Window| -> Vec<usize> {
                let digits = |line: &str| line[1..].split(' ').next()?.parse().ok();
                window.text.lines().filter_map(digits).collect()
            };
            for pair in windows.windows(2) {
                let (before, after) = (numbers(&pair[0]), numbers(&pair[1]));
                let last = *before.last().unwrap();
                // First the request, if it is not in the overlap; then the overlap; then new lines.
                let fresh = after.iter().position(|number| *number == last + 1).unwrap();
                let mut repeated = &after[..fresh];
                let weigh = |numbers: &[usize]| -> usize {
                    numbers.iter().map(|number| lines[number - 1].text.len() + 1).sum()
                };
                let stands_apart = repeated.windows(2).any(|pair| pair[0] + 1 != pair[1])
                    || repeated.last().is_some_and(|number| *number != last);
                let context = stands_apart || weigh(repeated) > limit / 10;
                if context {
                    prop_assert!(given[repeated[0] - 1].0, "only a request comes on top");
                    repeated = &repeated[1..];
                }
                let bytes = weigh(repeated);
                prop_assert!(bytes <= limit / 10);
                // One more would have been too much.
                let first = *repeated.first().unwrap_or(&(last + 1));
                if first > 1 && !(context && after[0] == first - 1) {
                    prop_assert!(bytes + lines[first - 2].text.len() + 1 > limit / 10);
                }
                // What was asked before the window is in it.
                if let Some(asked) = (1..first).rev().find(|number| given[number - 1].0)
                    && !given[first - 1].0
                {
                    prop_assert!(after.contains(&asked), "{asked} in {after:?}");
                }
                for next in after[fresh..].windows(2) {
                    prop_assert_eq!(next[0] + 1, next[1]);
                }
            }
            let ends = numbers(windows.last().unwrap());
            prop_assert_eq!(ends.last(), Some(&lines.len()));
        }
    }

    #[test]
    fn no_lines_no_windows() {
        assert_eq!(windows(&[], 100), []);
    }
}
