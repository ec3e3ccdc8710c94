//! A command that fails: the session's cure is collected, and a later session that meets the failure is told of it.

use serde_json::Value;

use super::Trial;
use crate::script::TicketStep;

/// Fails until the other has run.
const CHECK: &str = "sh tools/check.sh";
const PREPARE: &str = "sh tools/prepare.sh";

const CHECK_SCRIPT: &str = "if test -f tools/ready; then echo 'checked 3 rows'; exit 0; fi\n\
     echo \"error: Cannot find module 'ledger-rows'\" >&2\nexit 2\n";
const PREPARE_SCRIPT: &str = "echo rows > tools/ready\necho 'prepared 3 rows'\n";
const READY: &str = "beta/tools/ready";

/// What acreta says before a cure.
const HEADING: &str = "An earlier session here met this failure";

impl Trial<'_> {
    pub(super) fn failure(&mut self) -> Result<(), String> {
        if !self.program.has_tools || !self.is_read {
            return Ok(());
        }
        self.scratch
            .write_project("beta/tools/check.sh", CHECK_SCRIPT)?;
        self.scratch
            .write_project("beta/tools/prepare.sh", PREPARE_SCRIPT)?;
        let steps = [CHECK, PREPARE, CHECK].map(TicketStep::Run);
        self.turn("cures", "beta", "beta", steps.into())?;
        self.sync()?;
        let beta = self.scratch.project("beta");
        let listed = self
            .scratch
            .acreta(&beta, &["sessions", "cures", "--json"])?;
        let listed: Value = serde_json::from_str(&listed.stdout).unwrap_or_default();
        let is_cure = |row: &Value| {
            let session = row["session"].as_str().unwrap_or_default();
            row["failed"] == CHECK
                && row["commands"][0] == PREPARE
                && session.starts_with(&format!("{}/", self.program.name))
        };
        let rows = listed["cures"].as_array().into_iter().flatten();
        if !rows.into_iter().any(is_cure) {
            self.fail("cures", format!("the cure was not collected: {listed}"));
        }
        if !self.is_known || !self.program.init.failure {
            return Ok(());
        }
        self.scratch.remove_from_project(READY)?;
        let number = self.turn("failure", "beta", "beta", vec![TicketStep::Run(CHECK)])?;
        let seen = self.script.seen(number);
        let last = seen.bodies.last().map_or("", String::as_str);
        match last.matches(HEADING).count() {
            1 if last.contains(PREPARE) => {}
            1 => self.fail("failure", "the cure is not the command that was run"),
            0 => self.fail("failure", "the cure did not reach the model"),
            _ => self.fail("failure", "the cure was told twice"),
        }
        Ok(())
    }
}
