//! OpenCode's description of a whole session, in exports and in the tree of files.

use acreta_sdk::adapter::json::{Text, Value};
use acreta_sdk::adapter::{Attrs, Session, attr};

use crate::AGENT;

/// Reports whether this describes a session of OpenCode.
pub(crate) fn is_session(info: Value<'_>) -> bool {
    let has = |name| info.text_of(name).is_some_and(|text| !text.raw.is_empty());
    let created = info.field("time").and_then(|time| time.field("created"));
    has("id")
        && has("projectID")
        && info.text_of("directory").is_some()
        && created.and_then(Value::number).is_some()
}

/// Builds the session that `info` describes; `None` if it has no id.
pub(crate) fn session(
    path: &str,
    info: Value<'_>,
    revision: String,
    is_empty: bool,
) -> Option<Session> {
    let text = |name| info.text_of(name).map(|text| text.lossy().into_owned());
    let time = |name| {
        info.field("time")
            .and_then(|time| time.field(name)?.number())
    };
    let model = info.field("model").and_then(|model| model.text_of("id"));
    Some(Session {
        id: text("id")?,
        agent: AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: text("directory").filter(|directory| !directory.is_empty()),
        parent: text("parentID"),
        started_ms: time("created"),
        updated_ms: time("updated"),
        revision,
        attrs: attrs(SessionDetails {
            is_child: info.text_of("parentID").is_some(),
            title: text("title"),
            version: text("version"),
            model: model.map(Text::lossy).map(Into::into),
            is_empty,
        }),
    })
}

/// Properties in addition to those that every session has.
#[derive(Default)]
pub(crate) struct SessionDetails {
    pub(crate) is_child: bool,
    pub(crate) title: Option<String>,
    pub(crate) version: Option<String>,
    pub(crate) model: Option<String>,
    pub(crate) is_empty: bool,
}

pub(crate) fn attrs(known: SessionDetails) -> Attrs {
    let mut attrs = Attrs::new();
    // A fork has no parent here: only sessions that an agent started have one.
    attrs.extend(known.is_child.then(|| attr("relation", "subagent")));
    attrs.extend(known.title.map(|title| attr("title", title)));
    attrs.extend(known.version.map(|version| attr("version", version)));
    attrs.extend(known.model.map(|model| attr("model", model)));
    attrs.extend(known.is_empty.then(|| attr("empty", "true")));
    attrs
}
