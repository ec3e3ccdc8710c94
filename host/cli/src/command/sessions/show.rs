//! `acreta sessions show`: prompts as chapters, a line for each tool call, the differences of edits.

use acreta_service::process::clock;
use acreta_service::sessions::reader::{self, FileEdit, OpenSession, ReaderRow, RowBody, RowKind};
use acreta_service::sessions::{self, SessionCopy, SessionRow};
use acreta_service::{Failure, Kind};
use anstyle::{AnsiColor, Style};
use serde_json::json as value;

use super::share::only_session;
use super::{ONE_LINE, key, one_line};
use crate::args::ShowSessionArguments;
use crate::context::Context;
use crate::output::{Pages, json};

/// Number of events that are shown around one.
const AROUND: u64 = 20;

/// Number of lines of an edit that are shown without `--full`.
const EDIT_LINES: usize = 12;

const PLAIN: Style = Style::new();
const MUTED: Style = Style::new().dimmed();
const CHAPTER: Style = AnsiColor::Cyan.on_default().bold();
const SPEAKER: Style = Style::new().bold();
const TOOL: Style = AnsiColor::Blue.on_default();
const FAILED: Style = AnsiColor::Red.on_default();
const ADDED: Style = AnsiColor::Green.on_default();
const REMOVED: Style = AnsiColor::Red.on_default();

/// Shows a session, or the one in which a commit was made.
pub(super) fn show(arguments: &ShowSessionArguments, context: &Context) -> Result<(), Failure> {
    match show_session(&arguments.id, arguments, context) {
        Err(failure) if failure.kind == Kind::Missing => {
            let Some(found) = sessions::of_commit(&arguments.id, context)? else {
                return Err(failure);
            };
            match only_session(&found, context) {
                Some(session) => show_session(session, arguments, context),
                None => Ok(()),
            }
        }
        done => done,
    }
}

fn show_session(
    id: &str,
    arguments: &ShowSessionArguments,
    context: &Context,
) -> Result<(), Failure> {
    // Around an event, a screen of them.
    let around = arguments.around.as_deref();
    let limit = arguments
        .limit
        .unwrap_or(if around.is_some() { AROUND } else { u64::MAX });
    if context.json {
        let mut conversation = sessions::open(id, context)?;
        let page = conversation.page(arguments.offset, limit, around)?;
        json(
            &value!({ "session": conversation.session, "total": page.total, "offset": page.offset, "events": page.events }),
        );
        return Ok(());
    }
    let session = reader::read(id, context)?;
    let offset = match around {
        Some(event) => {
            let row = &session.rows()[session.place(event)?];
            row.number.saturating_sub(limit / 2)
        }
        None => arguments.offset,
    };
    let end = offset.saturating_add(limit);
    let view = View {
        role: arguments.role.as_deref(),
        is_full: arguments.full,
        pages: Pages::open(&context.environment),
        prompts: session.outline().prompts,
        session,
    };
    view.print(|row| (offset..end).contains(&row.number))
}

/// A session on its way to the terminal.
struct View<'a> {
    role: Option<&'a str>,
    is_full: bool,
    pages: Pages,
    /// Number of prompts of the session.
    prompts: u64,
    session: OpenSession,
}

impl View<'_> {
    fn print(mut self, is_wanted: impl Fn(&ReaderRow) -> bool) -> Result<(), Failure> {
        self.head();
        let mut chapter = 0;
        for place in 0..self.session.rows().len() {
            let row = self.session.rows()[place].clone();
            chapter += u64::from(row.kind == RowKind::Prompt);
            if self.pages.is_closed() {
                break;
            }
            if is_wanted(&row) && self.has_role(&row) {
                self.row(&row, chapter)?;
            }
        }
        self.pages.close();
        Ok(())
    }

    fn has_role(&self, row: &ReaderRow) -> bool {
        match self.role {
            None => true,
            // A result is shown with its call.
            Some("tool") => row.result.is_some() || row.role == "tool",
            Some(role) => row.role == role,
        }
    }

    fn head(&mut self) {
        let session = self.session.session();
        let outline = self.session.outline();
        let mut lines = vec![format!("session   {}", key(session))];
        if let Some(title) = &session.title {
            lines.push(format!("title     {}", one_line(title, ONE_LINE)));
        }
        if let Some(project) = &session.project {
            lines.push(format!("project   {project}"));
        }
        if let Some((relation, parent)) = session.relation.zip(session.parent.as_ref()) {
            lines.push(format!("{relation:<9} of {parent}"));
        }
        for child in &outline.subagents {
            lines.push(format!("subagent  {}/{}", child.agent, child.id));
        }
        let times = [session.started_ms, session.updated_ms].map(|time| time.map(clock::shown));
        if let [Some(start), Some(end)] = &times {
            lines.push(format!("time      {start} to {end} UTC"));
        }
        lines.push(format!("copy      {}", copy_text(session)));
        lines.push(format!(
            "events    {}: {} prompts, {} calls, {} failed",
            outline.events, outline.prompts, outline.calls, outline.failed
        ));
        for line in lines {
            self.pages.line(PLAIN, &line);
        }
    }

    fn row(&mut self, row: &ReaderRow, chapter: u64) -> Result<(), Failure> {
        let time = row.at_ms.map(clock::shown).unwrap_or_default();
        match row.kind {
            RowKind::Prompt => {
                let head = format!("── {} {time}", row.role);
                let count = self.prompts;
                self.block(
                    CHAPTER,
                    &format!("{} ({chapter} of {count})", head.trim_end()),
                    row,
                )
            }
            RowKind::Text => {
                let by = match &row.subagent {
                    Some(_) => format!("{} (subagent)", row.role),
                    None => row.role.clone(),
                };
                self.block(SPEAKER, format!("── {by} {time}").trim_end(), row)
            }
            RowKind::Call => self.call(row),
            RowKind::Attachment => {
                self.pages.line(MUTED, &format!("  {}", row.text));
                Ok(())
            }
            kind => {
                let name = match kind {
                    RowKind::Thinking => "thinking",
                    RowKind::Injected => "injected",
                    RowKind::Compaction => "compacted here",
                    _ => "note",
                };
                if self.is_full || self.role.is_some() {
                    let head = format!("── {} ({name}) {time}", row.role);
                    return self.block(MUTED, head.trim_end(), row);
                }
                let text = one_line(&row.text, ONE_LINE);
                self.pages.line(MUTED, &format!("  · {name}: {text}"));
                Ok(())
            }
        }
    }

    fn block(&mut self, style: Style, head: &str, row: &ReaderRow) -> Result<(), Failure> {
        let text = match row.truncated {
            true => self.body(row)?.text,
            false => row.text.clone(),
        };
        self.pages.line(PLAIN, "");
        self.pages.line(style, head);
        self.pages.line(PLAIN, text.trim_end());
        Ok(())
    }

    fn call(&mut self, row: &ReaderRow) -> Result<(), Failure> {
        let tool = one_line(row.tool.as_deref().unwrap_or("tool"), ONE_LINE);
        let mut line = format!("  > {tool}  {}", one_line(&row.text, ONE_LINE));
        if row.added + row.removed > 0 {
            line.push_str(&format!("  +{} -{}", row.added, row.removed));
        }
        let style = match row.failed {
            Some(true) => {
                line.push_str("  failed");
                FAILED
            }
            Some(false) => TOOL,
            None => {
                line.push_str("  no result");
                TOOL
            }
        };
        self.pages.line(style, &line);
        if let Some(child) = &row.session {
            self.pages.line(MUTED, &format!("    subagent {child}"));
        }
        let is_whole = self.is_full || self.role == Some("tool");
        let is_edit = row.added + row.removed > 0;
        if !is_whole && !is_edit {
            return Ok(());
        }
        let body = self.body(row)?;
        // A difference that a result shows is in the output, too.
        for change in body.changes.iter().filter(|_| is_edit) {
            self.edit(change, if is_whole { usize::MAX } else { EDIT_LINES });
        }
        if is_whole {
            if !is_edit {
                self.indented(&body.text, body.truncated);
            }
            if let Some(output) = &body.output {
                let head = if row.failed == Some(true) {
                    "  < failed"
                } else {
                    "  <"
                };
                self.pages.line(MUTED, head);
                self.indented(output, body.output_truncated);
            }
        }
        Ok(())
    }

    fn edit(&mut self, change: &FileEdit, most: usize) {
        let lines = change.diff.lines();
        let left = lines.clone().count().saturating_sub(most);
        for line in lines.take(most) {
            let style = match line.as_bytes().first() {
                Some(b'+') => ADDED,
                Some(b'-') => REMOVED,
                Some(b'@') => MUTED,
                _ => PLAIN,
            };
            self.pages.line(style, &format!("    {line}"));
        }
        if left > 0 {
            self.pages.line(
                MUTED,
                &format!("    … {left} more lines; `--full` shows them"),
            );
        }
    }

    fn indented(&mut self, text: &str, is_cut: bool) {
        for line in text.trim_end().lines() {
            self.pages.line(PLAIN, &format!("    {line}"));
        }
        if is_cut {
            self.pages.line(MUTED, "    […]");
        }
    }

    fn body(&mut self, row: &ReaderRow) -> Result<RowBody, Failure> {
        self.session.body(&row.id)
    }
}

fn copy_text(session: &SessionRow) -> String {
    let file = &session.file;
    match session.copy {
        SessionCopy::AgentOnly => format!("not archived yet; {file}"),
        SessionCopy::Archived => format!("archived; the original is {file}"),
        SessionCopy::Rescued => format!("rescued; its agent has deleted {file}"),
        SessionCopy::PromptsOnly => format!("prompts only, recovered from {file}"),
        SessionCopy::Lost => format!("lost; {file} was deleted before it was archived"),
    }
}
