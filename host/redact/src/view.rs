//! Decoded text, with the bytes of the original that each part came from. A range of a view maps to the smallest range
//! of the original that contains it.

use std::ops::Range;

/// Receives the range of each secret that a rule finds.
pub(crate) type RangeSink<'a> = &'a mut dyn FnMut(Range<usize>);

/// Decoded text over its source. Segments are in order and cover the whole text.
#[derive(Debug, Default)]
pub(crate) struct View {
    pub(crate) text: String,
    segments: Vec<Segment>,
}

#[derive(Debug, Clone)]
struct Segment {
    /// Its start in the view.
    at: usize,
    source: Range<usize>,
    unit: Unit,
}

/// Mapping between the bytes of a view and of its source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Bytes of the view and of the source correspond one to one.
    Ratio(usize, usize),
    /// The segment corresponds to its source as a whole.
    Whole,
}

impl View {
    pub(crate) fn with_capacity(bytes: usize) -> Self {
        Self {
            text: String::with_capacity(bytes),
            segments: Vec::new(),
        }
    }

    /// Appends text that is unchanged in the source.
    pub(crate) fn copy(&mut self, text: &str, from: usize) {
        self.add(text, from..from + text.len(), Unit::Ratio(1, 1));
    }

    /// Appends text that replaces `source`; empty text drops it.
    pub(crate) fn add(&mut self, text: &str, source: Range<usize>, unit: Unit) {
        if text.is_empty() {
            return;
        }
        self.segments.push(Segment {
            at: self.text.len(),
            source,
            unit,
        });
        self.text.push_str(text);
    }

    /// Returns the bytes of the source that `range` of the view came from.
    pub(crate) fn source(&self, range: Range<usize>) -> Range<usize> {
        if range.is_empty() {
            let at = self.segment(range.start).map_or(0, |it| it.source.start);
            return at..at;
        }
        let start = self.segment(range.start).map_or(0, |segment| {
            let offset = range.start - segment.at;
            match segment.unit {
                Unit::Ratio(view, source) => segment.source.start + offset / view * source,
                Unit::Whole => segment.source.start,
            }
        });
        let end = self.segment(range.end - 1).map_or(0, |segment| {
            let offset = range.end - segment.at;
            match segment.unit {
                Unit::Ratio(view, source) => {
                    (segment.source.start + offset.div_ceil(view) * source).min(segment.source.end)
                }
                Unit::Whole => segment.source.end,
            }
        });
        start..end.max(start)
    }

    fn segment(&self, at: usize) -> Option<&Segment> {
        let after = self.segments.partition_point(|segment| segment.at <= at);
        self.segments.get(after.checked_sub(1)?)
    }
}
