//! Recall within a session: memories that are relevant to a prompt, or name a file that is about to be written, reach
//! the model although the brief had no room for them.

use super::{PromptPlan, Trial};
use crate::script::TicketStep;

/// Number of conventions that fill the brief, so that nothing else of this project fits.
const FILLERS: usize = 16;

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
            .map(|number| {
                let title = format!(
                    "Report number {number} is signed by two people from different offices before it is filed"
                );
                let body = format!("The archive of office {number} turns away whatever has fewer names.");
                ("convention", title, body)
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
            let add = ["memory", "add", title, "--body", body, "--kind", kind];
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
            .is_some_and(|body| body.contains(PROMPTED));
        if init.prompt && !first {
            self.fail("prompt", "the memory did not reach the model");
        }
        let is_told_twice = |body: &String| body.matches(PROMPTED).count() > 1;
        if init.prompt && seen.bodies.iter().any(is_told_twice) {
            self.fail("prompt", "the memory was injected twice");
        }
        if init.edit && !seen.bodies.iter().any(|body| body.contains(EDITED)) {
            self.fail("edit", "the memory did not reach the model");
        }
        Ok(())
    }
}
