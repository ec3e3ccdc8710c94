//! A first look at a session file whose records are JSON objects: finds its agent, session id, directory and times.
//!
//! Examines records at the beginning and at the end, so a long file costs little more than a short one.

use crate::adapter::file_probe::{self, DAMAGED, STRANGERS};
use crate::adapter::json::Value;
use crate::adapter::objects::{Records, ScannedKind, Stop};
use crate::adapter::record_span::attr;
use crate::adapter::time::instant;
use crate::adapter::{Attrs, Failure, Session, path as place};

/// Names of the fields that describe the whole session. Of several names, the first that a record has counts.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fields<'a> {
    /// The session's own id. A session without one is named after its file.
    pub id: &'a [&'a str],
    /// Time at which a record was written: text, or a number of seconds or milliseconds.
    pub time: &'a [&'a str],
    /// The agent's working directory: a path or a `file://` URL.
    pub directory: &'a [&'a str],
}

/// Evidence that a record gives about its file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sign {
    /// None: any agent may have written it.
    Nothing,
    /// This agent wrote the file.
    Own,
    /// A part of the conversation, if the file is this agent's.
    Said,
    /// This agent wrote the file, and the record is a part of the conversation.
    OwnSaid,
}

/// Properties of a session found by [`overview()`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overview {
    pub id: Option<String>,
    pub directory: Option<String>,
    pub started_ms: Option<u64>,
    pub updated_ms: Option<u64>,
    /// Changes whenever the file changes.
    pub revision: String,
    /// The session contains no conversation.
    pub is_empty: bool,
}

impl Overview {
    /// Builds the session; takes missing properties from the file's name.
    pub fn session(self, agent: &str, path: &str) -> Session {
        let id = self.id.filter(|id| !id.trim().is_empty());
        let mut attrs = Attrs::new();
        if self.is_empty {
            attrs.push(attr("empty", "true"));
        }
        Session {
            id: id.unwrap_or_else(|| place::stem(path).to_owned()),
            agent: agent.to_owned(),
            path: path.to_owned(),
            project_dir: self.directory,
            parent: None,
            started_ms: self.started_ms,
            updated_ms: self.updated_ms,
            revision: self.revision,
            attrs,
        }
    }
}

/// Examines the file; returns `None` if no record at its beginning identifies this agent.
pub fn overview<R>(
    path: &str,
    fields: &Fields<'_>,
    sign: impl FnMut(Value<'_>) -> Sign,
) -> Result<Option<Overview>, Failure>
where
    R: for<'a> Records<Record<'a> = Value<'a>>,
{
    let mut file = file_probe::open(path)?;
    let size = file_probe::size(&mut file)?;
    let mut look = FileExamination {
        fields,
        sign,
        seen: Overview::default(),
        is_own: false,
        has_said: false,
        records: 0,
        damaged: 0,
    };
    let is_all = file_probe::head::<R>(&mut file, size, |found| {
        match found.what {
            ScannedKind::Record(record) => look.see(*record),
            ScannedKind::Damage(..) => look.damaged += 1,
            ScannedKind::Unfinished => {}
        }
        look.goes_on()
    })?;
    if !look.is_own {
        return Ok(None);
    }
    if !is_all {
        look.seen.updated_ms = None;
        file_probe::tail::<R>(&mut file, size, |found| {
            if let ScannedKind::Record(record) = found.what {
                look.see(*record);
            }
            Ok(())
        })?;
    }
    look.seen.is_empty = is_all && !look.has_said;
    look.seen.revision = file_probe::revision(&mut file, size)?;
    Ok(Some(look.seen))
}

/// An examination in progress.
struct FileExamination<'a, F> {
    fields: &'a Fields<'a>,
    sign: F,
    seen: Overview,
    is_own: bool,
    has_said: bool,
    records: usize,
    damaged: usize,
}

impl<F: FnMut(Value<'_>) -> Sign> FileExamination<'_, F> {
    fn see(&mut self, record: Value<'_>) {
        self.records += 1;
        let sign = (self.sign)(record);
        self.is_own |= matches!(sign, Sign::Own | Sign::OwnSaid);
        self.has_said |= matches!(sign, Sign::Said | Sign::OwnSaid);
        let text = |names: &[&str]| {
            let found = names.iter().find_map(|name| record.text_of(name))?;
            Some(found.lossy().into_owned()).filter(|text| !text.is_empty())
        };
        let seen = &mut self.seen;
        seen.id = seen.id.take().or_else(|| text(self.fields.id));
        seen.directory = seen.directory.take().or_else(|| {
            let directory = text(self.fields.directory)?;
            Some(place::of_address(&directory).unwrap_or(directory))
        });
        let mut times = self.fields.time.iter();
        let time = times.find_map(|name| record.field(name).and_then(instant));
        seen.started_ms = seen.started_ms.or(time);
        seen.updated_ms = time.or(seen.updated_ms);
    }

    fn goes_on(&self) -> Result<(), Stop> {
        let is_foreign = !self.is_own && self.records >= STRANGERS;
        let knows_all = self.is_own
            && self.has_said
            && self.seen.id.is_some()
            && self.seen.directory.is_some()
            && self.seen.started_ms.is_some();
        if is_foreign || knows_all || self.damaged >= DAMAGED {
            Err(Stop::Enough)
        } else {
            Ok(())
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;
    use crate::adapter::objects::Typed;

    const FIELDS: Fields<'_> = Fields {
        id: &["session", "id"],
        time: &["time"],
        directory: &["cwd"],
    };

    fn look(text: &str) -> Option<Overview> {
        let mut file = tempfile::Builder::new()
            .suffix("-talk.jsonl")
            .tempfile()
            .unwrap();
        file.write_all(text.as_bytes()).unwrap();
        let path = file.path().to_string_lossy().into_owned();
        overview::<Typed>(&path, &FIELDS, |record| match record.text_of("type") {
            Some(kind) if kind.is("own") => Sign::Own,
            Some(kind) if kind.is("said") => Sign::Said,
            Some(kind) if kind.is("both") => Sign::OwnSaid,
            _ => Sign::Nothing,
        })
        .unwrap()
    }

    #[test]
    fn a_file_is_known_by_its_records() {
        let stranger = "{\"type\":\"other\"}\n";
        let own = "{\"type\":\"own\"}\n";
        let table = [
            (String::new(), false),
            ("not JSON at all\n".to_owned(), false),
            ("{\"type\":\"said\"}\n".to_owned(), false),
            (own.to_owned(), true),
            ("{\"type\":\"both\"}\n".to_owned(), true),
            (format!("damage\n{own}"), true),
            (format!("{}{own}", stranger.repeat(STRANGERS - 1)), true),
            (format!("{}{own}", stranger.repeat(STRANGERS)), false),
        ];
        for (text, is_own) in table {
            assert_eq!(look(&text).is_some(), is_own, "{text:?}");
        }
    }

    #[test]
    fn the_first_that_is_said_of_a_session_counts_and_the_last_time() {
        let seen = look(concat!(
            r#"{"type":"own","id":"s1","time":"2026-03-01T10:00:00Z"}"#,
            "\n",
            r#"{"type":"said","session":"s2","cwd":"file:///home/mira/a%20b","time":1772359230}"#,
            "\n",
        ));
        let seen = seen.unwrap();
        assert_eq!(seen.id.as_deref(), Some("s1"));
        assert_eq!(seen.directory.as_deref(), Some("/home/mira/a b"));
        assert_eq!(seen.started_ms, Some(1_772_359_200_000));
        assert_eq!(seen.updated_ms, Some(1_772_359_230_000));
        assert!(!seen.is_empty);
    }

    #[test]
    fn a_long_file_is_looked_at_from_both_ends() {
        let said = |second: u64| format!("{{\"type\":\"said\",\"time\":{second}}}\n");
        let mut text = "{\"type\":\"own\",\"id\":\"s1\",\"cwd\":\"/boat\"}\n".to_owned();
        for second in 0..60_000 {
            text.push_str(&said(1_772_359_200 + second));
        }
        let seen = look(&text).unwrap();
        assert_eq!(seen.started_ms, Some(1_772_359_200_000));
        assert_eq!(seen.updated_ms, Some(1_772_419_199_000));
        let again = look(&format!("{text}{}", said(1))).unwrap();
        assert_ne!(again.revision, seen.revision);
    }

    #[test]
    fn a_rewrite_of_the_same_length_is_noticed() {
        let said = "{\"type\":\"said\",\"text\":\"tabs\"}\n";
        let text = format!("{{\"type\":\"own\"}}\n{said}{}", " \n".repeat(4000));
        let seen = look(&text).unwrap();
        let again = look(&text.replace("tabs", "dots")).unwrap();
        assert!(!seen.is_empty && seen.revision != again.revision);
    }

    #[test]
    fn a_session_without_an_id_is_called_like_its_file() {
        let session = look("{\"type\":\"own\"}\n")
            .unwrap()
            .session("parrot", "/sessions/a.b.jsonl");
        assert_eq!((&*session.id, &*session.agent), ("a.b", "parrot"));
        assert_eq!(session.attrs, [attr("empty", "true")]);
    }
}
