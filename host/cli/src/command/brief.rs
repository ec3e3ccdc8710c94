//! `acreta brief show`: briefs that agents got, and why. Writes nothing.

use acreta_service::recall::told::{GivenBrief, GivenRequest, given};
use acreta_service::{Failure, counted, process::clock};

use crate::args::BriefCommand;
use crate::context::Context;
use crate::output::{json, line, talk};

pub(crate) fn run(command: &BriefCommand, context: &Context) -> Result<(), Failure> {
    let BriefCommand::Show { last, session } = command;
    let request = GivenRequest {
        limit: if session.is_some() { usize::MAX } else { *last },
        session: session.clone(),
    };
    let given = given(&request, context)?;
    if context.json {
        json(&given);
        return Ok(());
    }
    let briefs = given.briefs;
    if briefs.is_empty() {
        talk("no agent got a brief in this project yet");
    }
    for (at, brief) in briefs.iter().enumerate() {
        if at > 0 {
            line("");
        }
        print(brief);
    }
    Ok(())
}

fn print(brief: &GivenBrief) {
    let at = clock::shown(u64::try_from(brief.at_ms).unwrap_or_default());
    let agent = brief.agent.as_deref().unwrap_or("agent");
    let session = brief.session.as_deref().unwrap_or("-");
    line(&format!(
        "{at} UTC  {agent}/{session}  {}",
        counted(brief.tokens, "token", "tokens")
    ));
    if !brief.directory.is_empty() {
        line(&format!("directory  {}", brief.directory));
    }
    if let Some(branch) = &brief.branch {
        let base = brief.base.as_deref();
        let changed = counted(brief.changed, "file", "files");
        let since = base.map_or_else(String::new, |base| {
            format!(", {changed} changed since {base}")
        });
        line(&format!("branch     {branch}{since}"));
    }
    for open in &brief.open {
        line(&format!("left open  {open}"));
    }
    for told in &brief.lines {
        line(&told.text);
        line(&format!("    because: {}", told.reason));
    }
    let left = &brief.left_out;
    line(&format!(
        "left out   {} for space, {} weak or faded, {} untrusted or stale",
        left.space, left.weak, left.doubtful
    ));
}
