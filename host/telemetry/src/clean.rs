//! Cleans everything that is written or sent: secrets are redacted and texts are cut. Redaction comes before cutting,
//! because half a secret is not recognised.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

use acreta_redact::Redactor;
use acreta_text::head;
use serde_json::Map;

use crate::Row;
use crate::fields::{CAPTURED, FieldValue, Fields};
use crate::unclean::{InheritedIds, UncleanRow};

/// Maximum bytes of one text field in a row.
const FIELD: usize = 2 * 1024;

/// Bytes dropped before the point where a text was cut; no secret is longer than this.
const UNSURE: usize = 8 * 1024;

#[derive(Debug, Clone)]
pub(crate) struct Cleaner {
    redactor: Arc<Redactor>,
}

impl Cleaner {
    pub(crate) fn new(redactor: Arc<Redactor>) -> Self {
        Self { redactor }
    }

    /// Returns a redacted text of at most `limit` bytes. The field's name is redacted together with the value, because
    /// a name such as `password` marks any value as secret.
    pub(crate) fn text(&self, name: &str, text: &str, limit: usize) -> String {
        let labelled = format!("{name}={text}");
        let clean = self.redactor.redact(&labelled).text;
        let start = name.len() + 1;
        let clean = if clean.starts_with(&labelled[..start]) {
            &clean[start..]
        } else {
            &clean
        };
        let sure = if text.len() > CAPTURED {
            head(clean, clean.len().saturating_sub(UNSURE))
        } else {
            clean
        };
        if sure.len() == clean.len() && clean.len() <= limit {
            return clean.to_owned();
        }
        format!("{}…", head(sure, limit))
    }

    pub(crate) fn row(&self, said: UncleanRow) -> Row {
        let InheritedIds {
            run_id,
            request_id,
            job_id,
            project,
        } = said.ids;
        let clean = |name: &str, text: Option<String>| {
            text.map(|it| match is_own_id(&it) {
                true => it,
                false => self.text(name, &it, FIELD),
            })
        };
        let mut fields = self.fields(&said.fields);
        for (name, number) in [
            ("span", said.span),
            ("parent", said.parent),
            ("duration_ms", said.duration.map(milliseconds)),
        ] {
            if let Some(number) = number {
                fields.insert(name.to_owned(), number.into());
            }
        }
        Row {
            at_ms: said.at.duration_since(UNIX_EPOCH).map_or(0, milliseconds),
            level: said.level,
            kind: said.kind,
            name: said.name.to_owned(),
            run_id: clean("run_id", run_id),
            request_id: clean("request_id", request_id),
            job_id: clean("job_id", job_id),
            project: clean("project", project),
            fields,
        }
    }

    /// Returns all fields except the ids that every row has a column for.
    fn fields(&self, fields: &Fields) -> Map<String, serde_json::Value> {
        let own = |name: &&str| !InheritedIds::NAMES.contains(name);
        fields
            .iter()
            .filter(|(name, _)| own(name))
            .map(|(name, value)| {
                let value = match value {
                    FieldValue::Text(text) => self.text(name, text, FIELD).into(),
                    FieldValue::Signed(number) => (*number).into(),
                    FieldValue::Unsigned(number) => (*number).into(),
                    FieldValue::Float(number) => (*number).into(),
                    FieldValue::Bool(is) => (*is).into(),
                };
                (name.to_owned(), value)
            })
            .collect()
    }
}

/// Returns the time that passed, or zero if the clock was set back meanwhile.
pub(crate) fn between(started: SystemTime, ended: SystemTime) -> std::time::Duration {
    ended.duration_since(started).unwrap_or_default()
}

/// Reports whether an id has the form that this program gives to requests: sixteen hexadecimal digits, too short for a
/// secret. A command that logs nothing else then needs no rules of redaction.
fn is_own_id(id: &str) -> bool {
    id.len() == 16
        && id
            .bytes()
            .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

fn milliseconds(duration: std::time::Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
