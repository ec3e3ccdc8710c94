//! Draws the full-screen view and reads keys. The terminal's screen is always restored.

use std::fmt::Write;

use acreta_service::Failure;
use acreta_service::review::{self, ReviewDecision, ReviewEdit};
use anstyle::{AnsiColor, Style};
use console::Term;

use super::screen::{Screen, ScreenAction};
use super::view::{StyledLine, Tone};
use crate::command::memory::change::in_editor;
use crate::context::Context;

const OPEN: &str = "\x1b[?1049h\x1b[?25l";
const CLOSE: &str = "\x1b[?25h\x1b[?1049l";

/// Returns whether the terminal supports the full-screen view.
pub(super) fn can_draw(context: &Context) -> bool {
    let is_dumb = context
        .environment
        .get("TERM")
        .is_some_and(|term| term == "dumb");
    Term::stdout().is_term() && !is_dumb
}

pub(super) fn run(context: &Context) -> Result<(), Failure> {
    let mut opened = AlternateScreen::new(context)?;
    let mut screen = Screen::new(review::list(context)?);
    loop {
        if let Some(id) = screen.unread() {
            let detail = review::show(id, context);
            let problem = detail.as_ref().err().map(ToString::to_string);
            screen.read(detail.ok());
            if let Some(problem) = problem {
                screen.say(problem);
            }
        }
        opened.draw(&mut screen)?;
        let key = opened.term.read_key().map_err(lost)?;
        match screen.update(&key) {
            ScreenAction::Nothing => {}
            ScreenAction::Quit => return Ok(()),
            ScreenAction::Undo => {
                let message = match review::undo(context) {
                    Ok(undone) => {
                        let titles = undone.undone.iter().map(|one| one.title.as_str());
                        format!("undone: {}", titles.collect::<Vec<_>>().join(", "))
                    }
                    Err(failure) => failure.to_string(),
                };
                screen.renew(review::list(context)?, message);
            }
            ScreenAction::Edit(id) => {
                let edited = opened.aside(|| edited(&screen, context))?;
                match edited {
                    Ok(Some(edit)) => {
                        let decision = ReviewDecision {
                            edit: Some(edit),
                            ..super::decision(&id, review::ReviewAction::Edit)
                        };
                        decide(&mut screen, &[decision], context)?;
                    }
                    Ok(None) => screen.say("nothing was changed".to_owned()),
                    Err(failure) => screen.say(failure.to_string()),
                }
            }
            ScreenAction::Decide { ids, action, keep } => {
                let decisions = ids.iter().map(|id| ReviewDecision {
                    keep: keep.clone(),
                    ..super::decision(id, action)
                });
                decide(&mut screen, &decisions.collect::<Vec<_>>(), context)?;
            }
        }
    }
}

fn decide(
    screen: &mut Screen,
    decisions: &[ReviewDecision],
    context: &Context,
) -> Result<(), Failure> {
    let report = review::decide(decisions, false, context)?;
    let message = match report.decisions.as_slice() {
        [one] if one.effect.problem.is_some() => one.message.clone(),
        [one] => {
            let done = one.effect.summary.first().unwrap_or(&one.message);
            format!("{done} · u undoes it")
        }
        several => {
            let done = several.len() - report.failed();
            format!("{done} of {} done · u undoes them", several.len())
        }
    };
    screen.renew(review::list(context)?, message);
    Ok(())
}

/// Returns the item's text as edited by the person, or `None` if it is unchanged.
pub(super) fn edited(screen: &Screen, context: &Context) -> Result<Option<ReviewEdit>, Failure> {
    match screen.detail() {
        Some(detail) => edit_text(detail, context),
        None => Ok(None),
    }
}

/// Opens an item's text in the editor; for a proposal, the proposed text.
pub(super) fn edit_text(
    detail: &review::ReviewDetail,
    context: &Context,
) -> Result<Option<ReviewEdit>, Failure> {
    let memories = &detail.item.memories;
    let memory = match detail.item.kind {
        review::ReviewKind::Proposal => memories.last(),
        _ => memories.first(),
    };
    let Some(memory) = memory else {
        return Ok(None);
    };
    let text = format!("# {}\n\n{}\n", memory.title, memory.body.trim());
    let changed = in_editor("review.md", &text, context)?;
    if changed == text {
        return Ok(None);
    }
    let (title, body) = split(&changed);
    Ok(Some(ReviewEdit {
        title: (!title.is_empty()).then_some(title),
        body: Some(body),
        tags: None,
    }))
}

/// Splits a text into its heading and the rest.
fn split(text: &str) -> (String, String) {
    let text = text.trim();
    match text.strip_prefix("# ") {
        Some(rest) => {
            let (title, body) = rest.split_once('\n').unwrap_or((rest, ""));
            (title.trim().to_owned(), body.trim().to_owned())
        }
        None => (String::new(), text.to_owned()),
    }
}

/// A terminal with its alternate screen in use.
struct AlternateScreen {
    term: Term,
    has_colour: bool,
}

impl AlternateScreen {
    fn new(context: &Context) -> Result<Self, Failure> {
        let term = Term::stdout();
        term.write_str(OPEN).map_err(lost)?;
        Ok(Self {
            term,
            has_colour: !context.environment.contains_key("NO_COLOR"),
        })
    }

    fn draw(&mut self, screen: &mut Screen) -> Result<(), Failure> {
        let (rows, columns) = self.term.size();
        screen.resize(rows.into(), columns.into());
        let mut text = String::from("\x1b[H");
        for (number, row) in screen.lines().iter().enumerate() {
            if number > 0 {
                text.push_str("\r\n");
            }
            for line in row {
                self.paint(&mut text, line);
            }
            // Clears the rest of an earlier, longer line.
            text.push_str("\x1b[K");
        }
        text.push_str("\x1b[J");
        self.term.write_str(&text).map_err(lost)?;
        self.term.flush().map_err(lost)
    }

    fn paint(&self, text: &mut String, line: &StyledLine) {
        let style = match line.tone {
            Tone::Plain => Style::new(),
            Tone::Title | Tone::Heading => Style::new().bold(),
            Tone::Muted => Style::new().dimmed(),
            Tone::Quoted if self.has_colour => AnsiColor::Cyan.on_default(),
            Tone::Added if self.has_colour => AnsiColor::Green.on_default(),
            Tone::Removed if self.has_colour => AnsiColor::Red.on_default(),
            Tone::Quoted | Tone::Added | Tone::Removed => Style::new(),
        };
        // Writing into a string does not fail.
        let _ = write!(text, "{style}{}{style:#}", line.text);
    }

    /// Returns to the normal screen while another program runs.
    fn aside<T>(&self, run: impl FnOnce() -> T) -> Result<T, Failure> {
        self.term.write_str(CLOSE).map_err(lost)?;
        let result = run();
        self.term.write_str(OPEN).map_err(lost)?;
        Ok(result)
    }
}

impl Drop for AlternateScreen {
    fn drop(&mut self) {
        let _ = self.term.write_str(CLOSE);
    }
}

fn lost(error: std::io::Error) -> Failure {
    Failure::saying(format!("the terminal cannot be used: {error}"))
        .hint("`acreta review --plain` asks line by line")
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn an_edited_text_is_a_heading_and_a_body() {
        let table = [
            ("# A title\n\nbody\nmore\n", "A title", "body\nmore"),
            ("# A title", "A title", ""),
            ("no heading\nbody", "", "no heading\nbody"),
            ("", "", ""),
        ];
        for (text, title, body) in table {
            assert_eq!(split(text), (title.to_owned(), body.to_owned()), "{text:?}");
        }
    }
}
