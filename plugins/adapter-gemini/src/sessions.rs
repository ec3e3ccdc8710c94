//! Identifies the session of a file from its first and last records. A file is Gemini CLI's by its content, never by
//! its name.

use acreta_sdk::adapter::file_probe::{DAMAGED, STRANGERS};
use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::objects::{ScannedKind, Stop};
use acreta_sdk::adapter::outline::Outline;
use acreta_sdk::adapter::time::milliseconds;
use acreta_sdk::adapter::{Failure, Session, attr, document, file_probe, path};

use crate::index::{MESSAGES, is_document};
use crate::record::{Lines, Record};
use crate::{AGENT, project};

/// Lists the sessions in a file: one, or none if the file is not Gemini CLI's.
pub(crate) fn sessions(file: &str) -> Result<Vec<Session>, Failure> {
    let head = file_probe::beginning(file)?;
    let (seen, revision) = if is_document(&head) {
        document(file, &head)?
    } else {
        lines(file)?
    };
    let session = seen.is_gemini.then(|| seen.session(file, revision));
    Ok(session.into_iter().collect())
}

/// Examines a document. The order of its fields is not fixed, so it is read whole if its beginning looks right.
fn document(file: &str, head: &[u8]) -> Result<(FileProbe, String), Failure> {
    let mut seen = FileProbe::default();
    let has = |outline: &Outline<'_>, names: &[&str]| {
        let mut names = names.iter();
        names.all(|name| outline.text(name).is_some())
    };
    let own = ["sessionId", "projectHash"];
    let may_be = Outline::of(head, MESSAGES).is_some_and(|outline| {
        has(&outline, &own) || (outline.fault.is_some() && has(&outline, &["lastUpdated"]))
    });
    if !may_be {
        return Ok((seen, String::new()));
    }
    let bytes = document::load(file)?;
    if let Some(outline) = Outline::of(&bytes, MESSAGES).filter(|outline| has(outline, &own)) {
        seen.document(&outline);
    }
    Ok((seen, document::revision(&bytes)))
}

/// Examines the first records of a file and its last.
fn lines(file: &str) -> Result<(FileProbe, String), Failure> {
    let mut file = file_probe::open(file)?;
    let size = file_probe::size(&mut file)?;
    let mut seen = FileProbe::default();
    seen.is_all = file_probe::head::<Lines>(&mut file, size, |found| {
        match found.what {
            ScannedKind::Record(record) => seen.record(*record),
            ScannedKind::Damage(..) => seen.damaged += 1,
            ScannedKind::Unfinished => {}
        }
        if seen.knows_enough() {
            Err(Stop::Enough)
        } else {
            Ok(())
        }
    })?;
    if seen.is_gemini && !seen.is_all {
        file_probe::tail::<Lines>(&mut file, size, |found| {
            if let ScannedKind::Record(record) = found.what {
                seen.record(*record);
            }
            Ok(())
        })?;
    }
    let revision = file_probe::revision(&mut file, size)?;
    Ok((seen, revision))
}

/// Properties found in a file.
#[derive(Default)]
struct FileProbe {
    is_gemini: bool,
    is_all: bool,
    records: usize,
    damaged: usize,
    has_messages: bool,
    id: Option<String>,
    digest: Option<String>,
    kind: Option<String>,
    title: Option<String>,
    model: Option<String>,
    directory: Option<String>,
    started_ms: Option<u64>,
    updated_ms: Option<u64>,
}

impl FileProbe {
    fn knows_enough(&self) -> bool {
        self.damaged >= DAMAGED
            || (!self.is_gemini && self.records >= STRANGERS)
            || (self.is_gemini && self.has_messages && self.id.is_some() && self.model.is_some())
    }

    fn record(&mut self, record: Value<'_>) {
        self.records += 1;
        match Record::of(record) {
            Record::Head => {
                self.is_gemini |= record.text_of("projectHash").is_some();
                self.about(record);
            }
            Record::Update(update) => {
                self.is_gemini |= update.text_of("lastUpdated").is_some();
                self.about(update);
            }
            Record::Message(_) => self.message(record),
            Record::Rewind(_) | Record::Other => {}
        }
    }

    fn document(&mut self, outline: &Outline<'_>) {
        self.is_gemini = true;
        self.is_all = outline.fault.is_none();
        self.keep(|name| outline.field(name));
        for item in outline.items.iter().flatten() {
            self.message(item.value);
        }
    }

    fn message(&mut self, message: Value<'_>) {
        let text = |name| message.text_of(name);
        let is_own = text("type").is_some_and(|kind| kind.is("gemini"));
        self.is_gemini |= is_own && text("timestamp").is_some();
        self.has_messages = true;
        let time = text("timestamp").and_then(|time| milliseconds(time.raw));
        self.started_ms = self.started_ms.or(time);
        self.updated_ms = self.updated_ms.max(time);
        if let Some(model) = text("model") {
            self.model = Some(model.lossy().into_owned());
        }
    }

    fn about(&mut self, record: Value<'_>) {
        let messages = record.field("messages").map(Value::elements);
        for message in messages.into_iter().flatten() {
            self.message(message);
        }
        self.keep(|name| record.field(name));
    }

    /// Takes the properties of the session from a record: the last one counts.
    fn keep<'a>(&mut self, field: impl Fn(&str) -> Option<Value<'a>>) {
        let text = |name: &str| field(name).and_then(Value::text);
        let time = |name: &str| text(name).and_then(|time| milliseconds(time.raw));
        let last = |kept: &mut Option<String>, text: Option<Text<'_>>| {
            if let Some(text) = text.map(Text::lossy).filter(|text| !text.is_empty()) {
                *kept = Some(text.into_owned());
            }
        };
        last(&mut self.id, text("sessionId"));
        last(&mut self.digest, text("projectHash"));
        last(&mut self.kind, text("kind"));
        last(&mut self.title, text("summary"));
        let directories = field("directories")
            .map(Value::elements)
            .unwrap_or_default();
        last(
            &mut self.directory,
            directories.first().and_then(|value| value.text()),
        );
        self.started_ms = time("startTime").or(self.started_ms);
        self.updated_ms = self.updated_ms.max(time("lastUpdated"));
    }

    fn session(self, file: &str, revision: String) -> Session {
        let is_subagent = self.kind.as_deref() == Some("subagent");
        let parent = project::parent(file).filter(|_| is_subagent);
        // A subagent lists its working directory; others list added directories.
        let listed = self.directory.filter(|_| is_subagent);
        let project_dir = project::directory(file).or(listed);
        let digest = self.digest.filter(|_| project_dir.is_none());

        let mut attrs = Vec::new();
        attrs.extend(is_subagent.then(|| attr("relation", "subagent")));
        attrs.extend(self.title.map(|title| attr("title", title)));
        attrs.extend(self.model.map(|model| attr("model", model)));
        attrs.extend(digest.map(|digest| attr("project_digest", digest)));
        if self.is_all && !self.has_messages {
            attrs.push(attr("empty", "true"));
        }
        Session {
            id: self.id.unwrap_or_else(|| path::stem(file).to_owned()),
            agent: AGENT.to_owned(),
            path: file.to_owned(),
            project_dir,
            parent,
            started_ms: self.started_ms,
            updated_ms: self.updated_ms,
            revision,
            attrs,
        }
    }
}
