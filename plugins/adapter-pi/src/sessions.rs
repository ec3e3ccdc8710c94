//! Identifies the session of a file from its header, its first entries and its last.

use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::objects::{ScannedKind, Stop, Typed};
use acreta_sdk::adapter::time::milliseconds;
use acreta_sdk::adapter::{Failure, Session, attr, file_probe, path};

/// The header is the first record; a damaged line or two may precede it.
const STRANGERS: usize = 4;

/// Returns the session in a file; empty if the file is not Pi's.
pub fn sessions(path: &str) -> Result<Vec<Session>, Failure> {
    let mut file = file_probe::open(path)?;
    let size = file_probe::size(&mut file)?;
    let mut file_probe = FileProbe::default();
    let is_all = file_probe::head::<Typed>(&mut file, size, |found| {
        match found.what {
            ScannedKind::Record(record) => file_probe.see(*record),
            ScannedKind::Damage(..) => file_probe.strangers += 1,
            ScannedKind::Unfinished => {}
        }
        if file_probe.knows_enough() {
            Err(Stop::Enough)
        } else {
            Ok(())
        }
    })?;
    if file_probe.id.is_none() {
        return Ok(Vec::new());
    }
    if !is_all {
        file_probe::tail::<Typed>(&mut file, size, |found| {
            if let ScannedKind::Record(record) = found.what {
                file_probe.see(*record);
            }
            Ok(())
        })?;
    }
    let revision = file_probe::revision(&mut file, size)?;
    let session = file_probe.session(path, revision, is_all);
    Ok(session.into_iter().collect())
}

/// Returns the session whose first entries are these, in a store of many; `None` if none of them is a header.
pub fn of_entries<'a>(
    path: &str,
    revision: String,
    entries: impl IntoIterator<Item = Value<'a>>,
) -> Option<Session> {
    let mut file_probe = FileProbe::default();
    entries
        .into_iter()
        .for_each(|record| file_probe.see(record));
    file_probe.session(path, revision, true)
}

/// Properties found in a file.
#[derive(Default)]
struct FileProbe {
    id: Option<String>,
    strangers: usize,
    has_conversation: bool,
    directory: Option<String>,
    parent: Option<String>,
    model: Option<String>,
    title: Option<String>,
    started_ms: Option<u64>,
    updated_ms: Option<u64>,
}

impl FileProbe {
    fn see(&mut self, record: Value<'_>) {
        let text = |name: &str| {
            let text = record.text_of(name).map(Text::lossy);
            text.filter(|text| !text.is_empty()).map(String::from)
        };
        let kind = text("type").unwrap_or_default();
        if self.id.is_none() {
            if kind != "session" || record.text_of("cwd").is_none() {
                self.strangers += 1;
                // Oh My Pi writes the title before the header.
                self.title = text("title").filter(|_| kind == "title");
                return;
            }
            self.id = text("id");
            self.directory = text("cwd");
            self.model = text("modelId");
            self.title = text("title").or(self.title.take());
            self.parent = text("parentSession").or_else(|| text("branchedFrom"));
        }
        let time = record.text_of("timestamp");
        let time = time.and_then(|time| milliseconds(time.raw));
        self.started_ms = self.started_ms.or(time);
        // Entries that a fork took over are older than its header.
        self.updated_ms = self.updated_ms.max(time);
        match &*kind {
            "message" => {
                self.has_conversation = true;
                let message = record.field("message").filter(|_| self.model.is_none());
                let model = message.and_then(|message| message.text_of("model"));
                self.model = model
                    .map(|model| model.lossy().into())
                    .or(self.model.take());
            }
            "model_change" if self.model.is_none() => {
                self.model = text("modelId").or_else(|| text("model"));
            }
            "session_info" => self.title = text("name").or(self.title.take()),
            _ => {}
        }
    }

    fn knows_enough(&self) -> bool {
        let is_foreign = self.id.is_none() && self.strangers >= STRANGERS;
        is_foreign || (self.has_conversation && self.model.is_some())
    }

    fn session(self, path: &str, revision: String, is_all: bool) -> Option<Session> {
        let mut attrs = Vec::new();
        // Oh My Pi keeps subagents in a folder beside their parent, named like its file.
        let folder = path::folders(path).next();
        let relation = self.parent.as_deref().map(|parent| match folder {
            Some(folder) if folder == path::stem(name_of(parent)) => "subagent",
            _ => "fork",
        });
        attrs.extend(relation.map(|relation| attr("relation", relation)));
        attrs.extend(self.title.map(|title| attr("title", title)));
        attrs.extend(self.model.map(|model| attr("model", model)));
        if is_all && !self.has_conversation {
            attrs.push(attr("empty", "true"));
        }
        Some(Session {
            id: self.id?,
            agent: crate::AGENT.to_owned(),
            path: path.to_owned(),
            project_dir: self.directory,
            parent: self.parent.map(|parent| id_of(&parent).to_owned()),
            started_ms: self.started_ms,
            updated_ms: self.updated_ms,
            revision,
            attrs,
        })
    }
}

/// Returns the id of the session in a file named `<time>_<id>.jsonl` or `<id>`.
fn id_of(file: &str) -> &str {
    let stem = path::stem(name_of(file));
    stem.rsplit_once('_').map_or(stem, |(_, id)| id)
}

fn name_of(file: &str) -> &str {
    file.rsplit(['/', '\\']).next().unwrap_or(file)
}
