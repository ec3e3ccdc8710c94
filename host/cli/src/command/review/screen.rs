//! The full-screen view without a terminal: keys change its state, and it returns lines to draw.

use std::collections::BTreeSet;

use acreta_service::review::{ReviewAction, ReviewDetail, ReviewQueue};
use acreta_service::visible;
use console::{Key, measure_text_width, truncate_str};

use super::in_words;
use super::view::{self, StyledLine, Tone};

/// Minimum columns for showing the list beside the item.
const BESIDE: usize = 96;

/// Columns of the list beside the item.
const LIST: usize = 36;

/// The driver's next step after a key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ScreenAction {
    Nothing,
    Quit,
    Undo,
    /// Open the item in an editor.
    Edit(String),
    Decide {
        ids: Vec<String>,
        action: ReviewAction,
        keep: Option<String>,
    },
}

pub(super) struct Screen {
    queue: ReviewQueue,
    /// Detail of the current item, once it is read.
    detail: Option<ReviewDetail>,
    at: usize,
    marked: BTreeSet<String>,
    scroll: usize,
    message: String,
    choosing: Option<ReviewAction>,
    rows: usize,
    columns: usize,
}

impl Screen {
    pub(super) fn new(queue: ReviewQueue) -> Self {
        Self {
            queue,
            detail: None,
            at: 0,
            marked: BTreeSet::new(),
            scroll: 0,
            message: String::new(),
            choosing: None,
            rows: 24,
            columns: 80,
        }
    }

    pub(super) fn resize(&mut self, rows: usize, columns: usize) {
        self.rows = rows.max(8);
        self.columns = columns.max(30);
    }

    /// Returns the current item's id if its detail is not read yet.
    pub(super) fn unread(&self) -> Option<&str> {
        let item = self.queue.items.get(self.at)?;
        let known = self
            .detail
            .as_ref()
            .is_some_and(|detail| detail.item.id == item.id);
        (!known).then_some(item.id.as_str())
    }

    pub(super) fn read(&mut self, detail: Option<ReviewDetail>) {
        self.detail = detail;
        self.scroll = 0;
    }

    pub(super) fn detail(&self) -> Option<&ReviewDetail> {
        self.detail.as_ref()
    }

    /// Replaces the queue after a decision; the position stays.
    pub(super) fn renew(&mut self, queue: ReviewQueue, message: String) {
        self.queue = queue;
        self.detail = None;
        self.marked.clear();
        self.at = self.at.min(self.queue.items.len().saturating_sub(1));
        self.scroll = 0;
        self.message = message;
    }

    pub(super) fn say(&mut self, message: String) {
        self.message = message;
    }

    /// Handles a key.
    pub(super) fn update(&mut self, key: &Key) -> ScreenAction {
        if let Some(action) = self.choosing.take() {
            return self.choose(action, key);
        }
        self.message.clear();
        match key {
            Key::Char('q') | Key::Escape | Key::CtrlC => return ScreenAction::Quit,
            Key::Char('j') | Key::ArrowDown => self.step(1),
            Key::Char('k') | Key::ArrowUp => self.step(-1),
            Key::Home => self.step(isize::MIN),
            Key::End => self.step(isize::MAX),
            Key::Char(' ' | 'J') | Key::PageDown => self.scroll += self.rows / 2,
            Key::Char('K') | Key::PageUp => {
                self.scroll = self.scroll.saturating_sub(self.rows / 2);
            }
            Key::Char('x') => self.mark(),
            Key::Char('u') => return ScreenAction::Undo,
            Key::Char('a') => return self.decide(ReviewAction::Accept),
            Key::Char('r') => return self.decide(ReviewAction::Reject),
            Key::Char('m') => return self.decide(ReviewAction::Merge),
            Key::Char('s') => return self.decide(ReviewAction::Supersede),
            Key::Char('e') => return self.decide(ReviewAction::Edit),
            _ => {}
        }
        ScreenAction::Nothing
    }

    fn step(&mut self, by: isize) {
        let last = self.queue.items.len().saturating_sub(1);
        self.at = self.at.saturating_add_signed(by).min(last);
        self.scroll = 0;
    }

    fn mark(&mut self) {
        if let Some(item) = self.queue.items.get(self.at) {
            if !self.marked.remove(&item.id) {
                self.marked.insert(item.id.clone());
            }
            self.step(1);
        }
    }

    /// Decides on the marked items together, or on the current one.
    fn decide(&mut self, action: ReviewAction) -> ScreenAction {
        let Some(item) = self.queue.items.get(self.at) else {
            return ScreenAction::Nothing;
        };
        let is_batch = matches!(action, ReviewAction::Accept | ReviewAction::Reject);
        if is_batch && !self.marked.is_empty() {
            let marked = self
                .queue
                .items
                .iter()
                .filter(|item| self.marked.contains(&item.id));
            return ScreenAction::Decide {
                ids: marked.map(|item| item.id.clone()).collect(),
                action,
                keep: None,
            };
        }
        let Some(offered) = item.actions.iter().find(|one| one.action == action) else {
            self.message = format!(
                "{} is not possible for a {} item",
                action.name(),
                item.kind.name()
            );
            return ScreenAction::Nothing;
        };
        if action == ReviewAction::Edit {
            return ScreenAction::Edit(item.id.clone());
        }
        if !offered.needs_keep {
            return ScreenAction::Decide {
                ids: vec![item.id.clone()],
                action,
                keep: None,
            };
        }
        let alike = self.detail.as_ref().map_or(&[][..], |detail| &detail.alike);
        if alike.is_empty() {
            self.message = "no similar memory".to_owned();
            return ScreenAction::Nothing;
        }
        self.choosing = Some(action);
        ScreenAction::Nothing
    }

    /// Handles the number of the memory that remains; any other key cancels.
    fn choose(&mut self, action: ReviewAction, key: &Key) -> ScreenAction {
        let alike = self.detail.as_ref().map_or(&[][..], |detail| &detail.alike);
        let number = match key {
            Key::Char(digit) => digit.to_digit(10).map_or(0, |digit| digit as usize),
            _ => 0,
        };
        let (Some(kept), Some(item)) = (
            number.checked_sub(1).and_then(|at| alike.get(at)),
            self.queue.items.get(self.at),
        ) else {
            self.message = "nothing was changed".to_owned();
            return ScreenAction::Nothing;
        };
        ScreenAction::Decide {
            ids: vec![item.id.clone()],
            action,
            keep: Some(kept.id.clone()),
        }
    }

    /// Returns the whole screen, one line for each row.
    pub(super) fn lines(&self) -> Vec<Vec<StyledLine>> {
        let body = self.rows - 4;
        let mut rows = vec![vec![self.head()], Vec::new()];
        let detail = self.detail_lines();
        if self.columns >= BESIDE {
            let list = self.list(body, LIST);
            let shown: Vec<StyledLine> = detail.into_iter().skip(self.scroll).take(body).collect();
            for row in 0..body {
                let left = list.get(row).cloned().unwrap_or_else(|| blank(LIST));
                let right = shown.get(row).cloned().unwrap_or_else(|| blank(0));
                let edge = StyledLine {
                    text: " │ ".to_owned(),
                    tone: Tone::Muted,
                };
                rows.push(vec![left, edge, right]);
            }
        } else {
            let above = (body / 3).max(3).min(self.queue.items.len().max(1));
            let list = self.list(above, self.columns);
            rows.extend(list.into_iter().map(|line| vec![line]));
            rows.push(vec![StyledLine {
                text: "─".repeat(self.columns),
                tone: Tone::Muted,
            }]);
            let below = body.saturating_sub(above + 1);
            let shown = detail.into_iter().skip(self.scroll).take(below);
            rows.extend(shown.map(|line| vec![line]));
        }
        rows.resize(self.rows - 2, Vec::new());
        rows.extend(self.foot().into_iter().map(|line| vec![line]));
        rows
    }

    fn head(&self) -> StyledLine {
        let text = match self.queue.items.is_empty() {
            true => "acreta review · nothing waits for you".to_owned(),
            false => format!("acreta review · {}", in_words(&self.queue)),
        };
        StyledLine {
            text: truncate_str(&text, self.columns, "…").into_owned(),
            tone: Tone::Title,
        }
    }

    fn list(&self, rows: usize, columns: usize) -> Vec<StyledLine> {
        let from = self.at.saturating_sub(rows.saturating_sub(1));
        let items = self.queue.items.iter().enumerate().skip(from).take(rows);
        items
            .map(|(number, item)| {
                let is_here = number == self.at;
                let here = if is_here { "▸" } else { " " };
                let mark = if self.marked.contains(&item.id) {
                    "●"
                } else {
                    " "
                };
                let kind = &item.kind.name()[..1];
                let text = format!("{here}{mark} {kind}  {}", visible(&item.title));
                let text = truncate_str(&text, columns, "…").into_owned();
                let spare = columns.saturating_sub(measure_text_width(&text));
                StyledLine {
                    text: format!("{text}{}", " ".repeat(spare)),
                    tone: if is_here { Tone::Heading } else { Tone::Plain },
                }
            })
            .collect()
    }

    fn detail_lines(&self) -> Vec<StyledLine> {
        let width = match self.columns >= BESIDE {
            true => self.columns - LIST - 3,
            false => self.columns,
        };
        let mut lines = self
            .detail
            .as_ref()
            .map_or_else(Vec::new, |detail| view::detail(detail, width));
        if let Some(action) = self.choosing {
            let alike = self.detail.as_ref().map_or(&[][..], |detail| &detail.alike);
            let mut asked = vec![StyledLine {
                text: format!("{}: which memory remains?", action.name()),
                tone: Tone::Title,
            }];
            asked.extend(alike.iter().enumerate().map(|(number, one)| {
                let text = format!("  {}  {}", number + 1, visible(&one.title));
                StyledLine {
                    text: truncate_str(&text, width, "…").into_owned(),
                    tone: Tone::Plain,
                }
            }));
            asked.push(blank(0));
            lines.splice(0..0, asked);
        }
        lines
    }

    fn foot(&self) -> [StyledLine; 2] {
        let keys = match self.choosing {
            Some(_) => "1-9 choose · any other key: back",
            None => {
                "j k move · a accept · e edit · r reject · m merge · s supersede · u undo · x mark · space scroll · q quit"
            }
        };
        [
            (&self.message, Tone::Heading),
            (&keys.to_owned(), Tone::Muted),
        ]
        .map(|(text, tone)| StyledLine {
            text: truncate_str(&visible(text), self.columns, "…").into_owned(),
            tone,
        })
    }
}

fn blank(columns: usize) -> StyledLine {
    StyledLine {
        text: " ".repeat(columns),
        tone: Tone::Plain,
    }
}

#[cfg(test)]
#[path = "screen_tests.rs"]
mod tests;
