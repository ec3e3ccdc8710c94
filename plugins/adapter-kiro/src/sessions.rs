//! Identifies the sessions of a file. A file is Kiro's by its content; the description next to a journal has directory
//! and title.

use acreta_sdk::adapter::database::MAGIC;
use acreta_sdk::adapter::file_probe::{STRANGERS, filled};
use acreta_sdk::adapter::json::{Scanner, Value};
use acreta_sdk::adapter::objects::{ScannedKind, Stop};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{
    Attrs, Failure, Session, attr, document as kit, file_probe, path as place,
};

use crate::line::{self, Lines};
use crate::{document, store};

/// Kinds of files, determined from their beginning.
pub(crate) enum Shape {
    Database,
    /// One object with the whole history.
    Document,
    /// A record per line, or not a file of Kiro's.
    Journal,
}

/// Determines the kind of a file from its beginning.
pub(crate) fn shape(path: &str) -> Result<Shape, Failure> {
    let beginning = file_probe::beginning(path)?;
    if beginning.starts_with(MAGIC) {
        return Ok(Shape::Database);
    }
    let mut is_document = false;
    // A long document is cut inside the examined bytes; its id comes before its history.
    let _cut = Scanner::new(&beginning).each_field(|scanner, key| {
        is_document |= key == b"conversation_id";
        scanner.value().map(|_| ())
    });
    Ok(if is_document {
        Shape::Document
    } else {
        Shape::Journal
    })
}

/// Lists the sessions in a file; empty if the file is not Kiro's.
pub(crate) fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    match shape(path)? {
        Shape::Database => store::sessions(path),
        Shape::Document => document::sessions(path),
        Shape::Journal => journal(path),
    }
}

fn journal(path: &str) -> Result<Vec<Session>, Failure> {
    let mut file = file_probe::open(path)?;
    let size = file_probe::size(&mut file)?;
    let mut file_probe = FileProbe::default();
    let is_all = file_probe::head::<Lines>(&mut file, size, |found| {
        if let ScannedKind::Record(record) = found.what {
            file_probe.see(*record);
        }
        file_probe.seen += 1;
        let is_foreign = !file_probe.is_kiro && file_probe.seen >= STRANGERS;
        if is_foreign || file_probe.model.is_some() {
            Err(Stop::Enough)
        } else {
            Ok(())
        }
    })?;
    if !file_probe.is_kiro {
        return Ok(Vec::new());
    }
    if !is_all {
        file_probe::tail::<Lines>(&mut file, size, |found| {
            if let ScannedKind::Record(record) = found.what {
                file_probe.see(*record);
            }
            Ok(())
        })?;
    }
    let revision = file_probe::revision(&mut file, size)?;
    Ok(vec![file_probe.session(path, revision)])
}

/// Properties found in a journal.
#[derive(Default)]
struct FileProbe {
    is_kiro: bool,
    seen: usize,
    model: Option<String>,
    started_ms: Option<u64>,
    updated_ms: Option<u64>,
}

impl FileProbe {
    fn see(&mut self, record: Value<'_>) {
        self.is_kiro |= line::is_own(record);
        if !self.is_kiro {
            return;
        }
        let time = line::time(record);
        self.started_ms = self.started_ms.or(time);
        self.updated_ms = time.or(self.updated_ms);
        if self.model.is_none() {
            self.model = line::model(record);
        }
    }

    fn session(self, path: &str, revision: String) -> Session {
        let beside = format!("{}/{}.json", place::parent(path), place::stem(path));
        let beside = Beside::load(&beside).unwrap_or_default();
        let mut attrs = beside.attrs;
        attrs.extend(self.model.map(|model| attr("model", model)));
        let updated_ms = beside.updated_ms.max(self.updated_ms);
        Session {
            id: place::stem(path).to_owned(),
            agent: crate::AGENT.to_owned(),
            path: path.to_owned(),
            project_dir: beside.directory,
            parent: beside.parent,
            started_ms: beside.started_ms.or(self.started_ms),
            updated_ms,
            revision,
            attrs,
        }
    }
}

/// Content of the description next to a journal.
#[derive(Default)]
struct Beside {
    directory: Option<String>,
    parent: Option<String>,
    started_ms: Option<u64>,
    updated_ms: Option<u64>,
    attrs: Attrs,
}

impl Beside {
    /// Returns `None` if the file does not exist or is not an object.
    fn load(path: &str) -> Option<Self> {
        let bytes = kit::load(path).ok()?;
        let described = Scanner::new(&bytes).object().ok()?;
        let text = |name: &str| filled(described.text_of(name));
        let time = |name: &str| described.field(name).and_then(instant);
        let mut attrs = Attrs::new();
        // A session may have been made from another for other reasons than these.
        let relation = text("session_created_reason");
        let relation = relation.filter(|reason| reason == "subagent" || reason == "fork");
        attrs.extend(relation.map(|relation| attr("relation", relation)));
        attrs.extend(text("title").map(|title| attr("title", title)));
        Some(Self {
            directory: text("cwd"),
            parent: text("parent_session_id"),
            started_ms: time("created_at"),
            updated_ms: time("updated_at"),
            attrs,
        })
    }
}
