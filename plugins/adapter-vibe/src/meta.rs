//! The document beside a session: directory, title, parent, model.

use acreta_sdk::adapter::json::{Scanner, Text, Value};
use acreta_sdk::adapter::time::instant;
use acreta_sdk::adapter::{Session, attr, document, path as place};

/// Properties of a session.
#[derive(Default)]
pub(crate) struct Meta {
    pub(crate) id: Option<String>,
    directory: Option<String>,
    branch: Option<String>,
    parent: Option<String>,
    title: Option<String>,
    model: Option<String>,
    started_ms: Option<u64>,
    updated_ms: Option<u64>,
}

impl Meta {
    /// Reads the document in the folder of a file.
    pub(crate) fn beside(file: &str) -> Self {
        let bytes = document::load(&format!("{}/meta.json", place::parent(file)));
        let Ok(bytes) = bytes else {
            return Self::default();
        };
        let Ok(meta) = Scanner::new(&bytes).object() else {
            return Self::default();
        };
        let text = |of: Option<Value<'_>>, name: &str| {
            let text = of?.text_of(name).map(Text::lossy)?;
            (!text.is_empty()).then(|| text.into_owned())
        };
        let own = |name: &str| text(Some(meta), name);
        let config = meta.field("config");
        Self {
            id: own("session_id"),
            directory: text(meta.field("environment"), "working_directory")
                .or_else(|| own("origin_directory")),
            branch: own("git_branch"),
            parent: own("parent_session_id"),
            title: own("title"),
            model: text(config, "model_name").or_else(|| text(config, "active_model")),
            started_ms: meta.field("start_time").and_then(instant),
            updated_ms: meta.field("end_time").and_then(instant),
        }
    }

    /// Completes a session by what the document says. The parent of a session is the one whose subagent it is.
    pub(crate) fn complete(self, session: &mut Session) {
        session.project_dir = self.directory;
        session.started_ms = self.started_ms.or(session.started_ms);
        session.updated_ms = self.updated_ms.max(session.updated_ms);
        let relation = self.parent.is_some().then_some("subagent");
        let known = [
            ("relation", relation.map(str::to_owned)),
            ("title", self.title),
            ("branch", self.branch),
            ("model", self.model),
        ];
        for (key, value) in known {
            session.attrs.extend(value.map(|value| attr(key, value)));
        }
        session.parent = self.parent;
    }
}
