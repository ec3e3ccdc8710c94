//! Recall within a session: memories that are relevant to a prompt, or name a file that is about to be written, reach
//! the model although the brief had no room for them.

use super::{PromptPlan, Trial};
use crate::script::TicketStep;

/// Number of conventions and of decisions that fill the brief, so that nothing else of this project fits.
const FILLERS: usize = 16;

/// What acreta says before a memory that is relevant to a prompt, and before one that names a file. The brief says
/// neither, and a mark alone may also be the name of a file that an agent lists.
const PROMPT_HEADING: &str = "maybe of use here. Recalled data";
const EDIT_HEADING: &str = "names what is being edited. Recalled data";

/// Mark in the memory relevant to the prompt, and in no prompt.
const PROMPTED: &str = "note-8842";

/// Mark in the memory that names the file, and in no prompt.
const EDITED: &str = "note-9953";

const ABOUT: &str = " It is about the quarterly rollover of the zebra ledger.";

impl Trial<'_> {
    pub(super) fn recall(&mut self) -> Result<(), String> {
        let init = self.program.init;
        if !init.prompt && !init.edit {
            return Ok(());
        }
        let beta = self.scratch.project("beta");
        let file = format!("NOTES-call-{}-1.md", self.next + 1);
        let mut notes: Vec<(&str, String, String)> = (0..FILLERS)
            .flat_map(|number| {
                let convention = format!(
                    "Report number {number} is signed by two people from different offices before it is filed"
                );
                let archive = format!("The archive of office {number} turns away whatever has fewer names.");
                let decision = format!(
                    "Shipment number {number} leaves from the northern harbour because the southern crane is too short"
                );
                let crane = format!("The crane of pier {number} would have to be raised by four metres.");
                [("convention", convention, archive), ("", decision, crane)]
            })
            .collect();
        notes.push((
            "context",
            format!("The zebra ledger has its quarterly rollover on the second Tuesday, as {PROMPTED} says"),
            "Until then both quarters are open, and whatever is booked counts for the earlier one unless it names the later."
                .to_owned(),
        ));
        notes.push((
            "pitfall",
            format!("`{file}` is parsed by the nightly importer, as {EDITED} says, which stops at tabs"),
            "It names neither line nor column when it stops, and the whole night of imports is lost until somebody looks."
                .to_owned(),
        ));
        for (kind, title, body) in &notes {
            let kind = match *kind {
                "" => ["--type", "decision"],
                kind => ["--kind", kind],
            };
            let add = [&["memory", "add", title, "--body", body], &kind[..]].concat();
            let ran = self.scratch.acreta(&beta, &add)?;
            if !ran.succeeded {
                return Err(format!("acreta memory add: {}", ran.last_line()));
            }
        }
        let ticket = self.ask(PromptPlan {
            check: "prompt",
            directory: beta,
            project: "beta",
            steps: vec![TicketStep::Write],
            arguments: self.program.fresh,
            session: String::new(),
            input_tokens: 120,
            about: ABOUT,
        })?;
        let seen = self.script.seen(ticket);
        let first = seen
            .bodies
            .first()
            .is_some_and(|body| body.contains(PROMPTED) && body.contains(PROMPT_HEADING));
        if init.prompt && !first {
            self.fail("prompt", "the memory did not reach the model");
        }
        let is_told_twice = |body: &String| body.matches(PROMPTED).count() > 1;
        if init.prompt && seen.bodies.iter().any(is_told_twice) {
            self.fail("prompt", "the memory was injected twice");
        }
        let is_told = |body: &String| body.contains(EDITED) && body.contains(EDIT_HEADING);
        if init.edit && !seen.bodies.iter().any(is_told) {
            self.fail("edit", "the memory did not reach the model");
        }
        Ok(())
    }
}
