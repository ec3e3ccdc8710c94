//! Recognises sessions that leave nothing behind: a greeting, or a question that was answered by looking. It decides by
//! what happened (messages, calls, commands), not by what was said, and holds for every extractor.

use acreta_types::{Event, TraceReader};

/// A person who writes more often than this discusses something, which a summary tells even if nothing was changed.
const MOST_MESSAGES: usize = 2;

/// Maximum size of the texts of one page of events.
const PAGE_BYTES: u32 = 1024 * 1024;

/// Reports whether a session is short and no call of it may have changed anything. In doubt it did.
pub(super) fn changed_nothing(trace: &mut dyn TraceReader) -> bool {
    trace.rewind();
    let mut messages = 0;
    loop {
        let Ok(events) = trace.next(PAGE_BYTES) else {
            return false;
        };
        if events.is_empty() {
            return true;
        }
        // Copies of another session's events belong to that session.
        let own = |event: &&Event| event.attrs.get("copied_from").is_none();
        for event in events.iter().filter(own) {
            messages += usize::from(is_message(event));
            if messages > MOST_MESSAGES || acreta_cures::may_have_changed(event) {
                return false;
            }
        }
    }
}

/// Reports whether a person wrote it to the agent itself. A subagent's instructions are the agent's.
fn is_message(event: &Event) -> bool {
    let is_of_subagent =
        event.attrs.get("sidechain") == Some("true") || event.attrs.get("agent_id").is_some();
    (event.role.as_str(), event.kind.as_str()) == ("user", "text") && !is_of_subagent
}
