//! Identifies the conversation of a file from its first steps.

use std::io::{Read, Seek};

use acreta_sdk::adapter::file_probe::STRANGERS;
use acreta_sdk::adapter::json::Text;
use acreta_sdk::adapter::objects::{ScannedKind, Stop};
use acreta_sdk::adapter::{Failure, Session, attr, file_probe, path};

use crate::step::{Step, Steps};

/// Returns the session in a file; empty if the file is not Windsurf's. Its id is the file's name, which is Cascade's id
/// of the conversation.
pub(crate) fn sessions(path: &str, mut file: impl Read + Seek) -> Result<Vec<Session>, Failure> {
    let size = file_probe::size(&mut file)?;
    let mut file_probe = FileProbe::default();
    let is_all = file_probe::head::<Steps>(&mut file, size, |found| {
        match found.what {
            ScannedKind::Record(record) => file_probe.see(Step::of(*record)),
            ScannedKind::Damage(..) => file_probe.strangers += 1,
            ScannedKind::Unfinished => {}
        }
        if file_probe.knows_enough() {
            Err(Stop::Enough)
        } else {
            Ok(())
        }
    })?;
    if !file_probe.is_windsurf {
        return Ok(Vec::new());
    }
    let mut attrs = Vec::new();
    if is_all && !file_probe.has_conversation {
        attrs.push(attr("empty", "true"));
    }
    let revision = file_probe::revision(&mut file, size)?;
    Ok(vec![Session {
        id: path::stem(path).to_owned(),
        agent: crate::AGENT.to_owned(),
        path: path.to_owned(),
        project_dir: file_probe.directory,
        parent: None,
        started_ms: None,
        updated_ms: None,
        revision,
        attrs,
    }])
}

/// Properties found in a file.
#[derive(Default)]
struct FileProbe {
    is_windsurf: bool,
    strangers: usize,
    has_conversation: bool,
    directory: Option<String>,
}

impl FileProbe {
    fn see(&mut self, step: Option<Step<'_>>) {
        let Some(step) = step.filter(|step| step.details.is_some()) else {
            self.strangers += 1;
            return;
        };
        self.is_windsurf = true;
        self.has_conversation |= step.kind.is("user_input") || step.kind.is("planner_response");
        if self.directory.is_none() {
            let directory = step.text_of("cwd").map(Text::lossy);
            self.directory = directory.filter(|text| !text.is_empty()).map(Into::into);
        }
    }

    fn knows_enough(&self) -> bool {
        let is_foreign = !self.is_windsurf && self.strangers >= STRANGERS;
        is_foreign || (self.has_conversation && self.directory.is_some())
    }
}
