//! One line of a transcript: `{"type": T, "status": S, T: {…}}`, its fields in any order.

use acreta_sdk::adapter::json::{Fault, Scanner, Text, Value};
use acreta_sdk::adapter::objects::Records;

/// The lines of a transcript.
pub(crate) struct Steps;

impl Records for Steps {
    type Record<'a> = Value<'a>;

    // Fields are sorted by name, so a line begins with its details or with its status.
    const BEGINNINGS: &'static [&'static [u8]] = &[
        b"{\"status\":",
        b"{\"planner_response\":",
        b"{\"code_action\":",
        b"{\"run_command\":",
        b"{\"type\":",
    ];

    fn scan<'a>(scanner: &mut Scanner<'a>) -> Result<Value<'a>, Fault> {
        scanner.object()
    }

    fn is_whole(record: &Value<'_>) -> bool {
        Step::of(*record).is_some_and(|step| step.details.is_some())
    }
}

/// A step and its details.
#[derive(Clone, Copy)]
pub(crate) struct Step<'a> {
    pub(crate) kind: Text<'a>,
    pub(crate) status: Text<'a>,
    /// The object under the name of the type; an interrupted step may lack it.
    pub(crate) details: Option<Value<'a>>,
}

impl<'a> Step<'a> {
    /// Returns `None` if the record is not a step.
    pub(crate) fn of(record: Value<'a>) -> Option<Self> {
        let kind = record.text_of("type")?;
        let status = record.text_of("status")?;
        let details = record.field(&kind.lossy());
        Some(Self {
            kind,
            status,
            details: details.filter(|details| matches!(details, Value::Object(_))),
        })
    }

    pub(crate) fn text_of(&self, name: &str) -> Option<Text<'a>> {
        self.details?.text_of(name)
    }

    /// Reports whether the step is over, successful or not.
    pub(crate) fn is_over(&self) -> bool {
        const GOING_ON: [&str; 5] = ["pending", "running", "generating", "waiting", "in_progress"];
        !GOING_ON.iter().any(|status| self.status.is(status))
    }
}
