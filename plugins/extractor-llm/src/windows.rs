//! Splits lines into windows: as many lines as fit, in order, each window with the last lines of the one before it and
//! the person's last request. A window preferably ends before the person speaks. No line is split unless it alone is
//! longer than a window.

use crate::transcript::TranscriptLine;

/// A range of lines for one request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Window {
    /// Numbers of its first and last new line.
    pub(crate) first: u64,
    pub(crate) last: u64,
    pub(crate) text: String,
    /// Bytes of the person's own words that no earlier window had.
    pub(crate) voice: usize,
}

/// Splits lines into windows of at most `limit` bytes.
pub(crate) fn windows(lines: &[TranscriptLine], limit: usize) -> Vec<Window> {
    let pieces: Vec<LinePiece> = lines
        .iter()
        .flat_map(|line| {
            line.pieces(limit.saturating_sub(1))
                .into_iter()
                .map(|text| LinePiece {
                    number: line.number,
                    is_person: line.voice.is_person(),
                    text,
                })
        })
        .collect();
    let limit = even(&pieces, limit);
    let mut windows = Vec::new();
    let mut start = 0;
    while start < pieces.len() {
        let (window, end) = window(&pieces, start, limit);
        windows.push(window);
        start = end;
    }
    windows
}

/// Returns a limit at which windows are about equally long: a last window of a few lines is of little use.
fn even(pieces: &[LinePiece], limit: usize) -> usize {
    let total: usize = pieces.iter().map(LinePiece::bytes).sum();
    let count = total.div_ceil((limit - limit / 10).max(1)).max(1);
    (total / count + limit / 10).min(limit)
}

struct LinePiece {
    number: u64,
    is_person: bool,
    text: String,
}

impl LinePiece {
    /// Size including the newline.
    fn bytes(&self) -> usize {
        self.text.len() + 1
    }
}

/// Returns the window whose first new piece is `start`, and the first piece after it.
fn window(pieces: &[LinePiece], start: usize, limit: usize) -> (Window, usize) {
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
        // The person's next message opens the next window, if this one is nearly full anyway.
        let is_nearly_full = text.len() > limit - limit / NEARLY_FULL;
        if end > start && is_nearly_full && piece.is_person {
            break;
        }
        text.push_str(&piece.text);
        text.push('\n');
        voice += if piece.is_person { piece.bytes() } else { 0 };
        end += 1;
    }
    let window = Window {
        first: pieces[start].number,
        last: pieces[end - 1].number,
        text,
        voice,
    };
    (window, end)
}

/// Returns the repeated part of a window: the index at which its overlap begins, and the person's last request before
/// that.
fn before(
    pieces: &[LinePiece],
    start: usize,
    room: usize,
    limit: usize,
) -> (usize, Option<String>) {
    let most = (limit / OVERLAP).min(room);
    let mut overlap = start;
    let mut used = 0;
    while overlap > 0
        && start - overlap < OVERLAP_LINES
        && used + pieces[overlap - 1].bytes() <= most
    {
        overlap -= 1;
        used += pieces[overlap].bytes();
    }
    if pieces[overlap].is_person {
        return (overlap, None);
    }
    let asked = pieces[..overlap].iter().rev().find(|piece| piece.is_person);
    // A long request is shown by its beginning.
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

/// A window repeats this many lines of the one before it, up to 1/`OVERLAP` of a window.
const OVERLAP_LINES: usize = 3;
const OVERLAP: usize = 24;
/// The repeated request takes at most 1/`LONGEST_CONTEXT` of a window.
const LONGEST_CONTEXT: usize = 12;
/// A window is nearly full if less than 1/`NEARLY_FULL` of it is left.
const NEARLY_FULL: usize = 6;
/// Minimum length of a repeated request.
const LEAST_CONTEXT: usize = 40;

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::transcript::Voice;

    fn lines(given: &[(bool, usize)]) -> Vec<TranscriptLine> {
        let line = |(index, (is_person, length)): (usize, &(bool, usize))| TranscriptLine {
            number: index as u64 + 1,
            event_ids: vec![format!("e{index}")],
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
            // A line that fits is whole in some window; a longer one is there piece by piece.
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
        fn a_window_repeats_a_few_lines_and_knows_what_was_asked(
            given in prop::collection::vec((any::<bool>(), 0_usize..30), 1..200),
            limit in 1_500_usize..2_500,
        ) {
            let lines = lines(&given);
            let windows = windows(&lines, limit);
            let numbers = |window: &Window| -> Vec<u64> {
                let digits = |line: &str| line[1..].split(' ').next()?.parse().ok();
                window.text.lines().filter_map(digits).collect()
            };
            let is_person = |number: u64| given[number as usize - 1].0;
            for pair in windows.windows(2) {
                prop_assert_eq!(pair[0].last + 1, pair[1].first);
                let shown = numbers(&pair[1]);
                let fresh = shown.iter().position(|number| *number == pair[1].first).unwrap();
                let repeated = &shown[..fresh];
                prop_assert!(repeated.len() <= OVERLAP_LINES + 1, "{repeated:?}");
                // The window contains its request, unless it opens with one.
                let before = (1..pair[1].first).rev().find(|number| is_person(*number));
                if let Some(asked) = before && !is_person(shown[0]) {
                    prop_assert!(shown.contains(&asked), "{asked} in {shown:?}");
                }
                for next in shown[fresh..].windows(2) {
                    prop_assert_eq!(next[0] + 1, next[1]);
                }
            }
            prop_assert_eq!(windows.last().map(|window| window.last), Some(lines.len() as u64));
        }
    }

    #[test]
    fn windows_are_about_equally_long() {
        let lines = lines(&[(false, 40); 130]);
        let lengths: Vec<usize> = windows(&lines, 6_000)
            .iter()
            .map(|window| window.text.len())
            .collect();
        assert_eq!(lengths.len(), 3, "{lengths:?}");
        assert!(lengths.iter().all(|length| *length > 3_000), "{lengths:?}");
    }

    #[test]
    fn no_lines_no_windows() {
        assert_eq!(windows(&[], 100), []);
    }
}
