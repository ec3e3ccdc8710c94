//! The table of checks, in the order in which they run.

use super::super::CheckEntry;
use super::{Subject, damage, described, growth, reading, strangers};

/// Returns every check of the suite. Names never change.
pub fn checks<S: Subject>() -> Vec<CheckEntry<S, S::Error>> {
    vec![
        CheckEntry {
            name: "describe",
            promise: "it describes itself without any grant",
            mend: "let `describe` return constants; it has neither files nor a host",
            run: described::answers,
        },
        CheckEntry {
            name: "describe-stable",
            promise: "its description is the same every time",
            mend: "do not let `describe` depend on a clock, random numbers or hash map order",
            run: described::stable,
        },
        CheckEntry {
            name: "agent-name",
            promise: "the agent has a short name",
            mend: "name the agent with 1 to 64 lower-case letters, digits and hyphens",
            run: described::agent_name,
        },
        CheckEntry {
            name: "root-names",
            promise: "roots have unique names, locations and patterns",
            mend: "give every root a plain name of its own, candidates as `~/…`, `$VARIABLE/…`, `<config>/…` or \
                   `<data>/…`, and relative patterns",
            run: described::root_names,
        },
        CheckEntry {
            name: "root-reasons",
            promise: "every root has a reason a person can decide by",
            mend: "say in one plain sentence why the folder is read",
            run: described::root_reasons,
        },
        CheckEntry {
            name: "foreign-file",
            promise: "a file of somebody else has no session",
            mend: "check the content, and return an empty list if it is not this agent's",
            run: strangers::foreign,
        },
        CheckEntry {
            name: "empty-file",
            promise: "an empty file has no session",
            mend: "return an empty list",
            run: strangers::empty,
        },
        CheckEntry {
            name: "binary-file",
            promise: "a binary file does not break it",
            mend: "read bytes, not text, and return an empty list or a failure",
            run: strangers::binary,
        },
        CheckEntry {
            name: "huge-line",
            promise: "a line of 32 MiB does not break it",
            mend: "read lines up to a limit and skip the rest",
            run: strangers::huge_line,
        },
        CheckEntry {
            name: "missing-file",
            promise: "a missing file does not break it",
            mend: "return a failure with code `io`, or an empty list",
            run: strangers::missing,
        },
        CheckEntry {
            name: "finds-sessions",
            promise: "a case's files have at least one session",
            mend: "check that `sessions` knows the format of the case, and that the case holds a real session",
            run: reading::finds_sessions,
        },
        CheckEntry {
            name: "session-fields",
            promise: "sessions have a unique id, the agent's name, a path under the root and a revision",
            mend: "take the id from the data, the path from the argument, and a revision that changes with the file",
            run: reading::session_fields,
        },
        CheckEntry {
            name: "sessions-stable",
            promise: "the same file has the same sessions every time",
            mend: "take ids and times from the data: no clock, no random numbers, no hash map order",
            run: reading::sessions_stable,
        },
        CheckEntry {
            name: "event-fields",
            promise: "events have a unique id, a known role and a known kind",
            mend: "make ids from the agent's own record ids, and use the roles and kinds of `acreta:types`",
            run: reading::event_fields,
        },
        CheckEntry {
            name: "tells-something",
            promise: "a session has events, or a reason for having none",
            mend: "emit events, diagnose what cannot be read, or mark the session with the attribute `empty`",
            run: reading::tells_something,
        },
        CheckEntry {
            name: "origins",
            promise: "every event points at its record in the file",
            mend: "count bytes, not characters, from the start of the file, and end where the record ends",
            run: reading::origins,
        },
        CheckEntry {
            name: "read-stable",
            promise: "reading twice gives the same events",
            mend: "let events and cursor depend only on the file",
            run: reading::read_stable,
        },
        CheckEntry {
            name: "cursor-at-end",
            promise: "reading from the end gives no more events",
            mend: "start at the cursor's offset, and return the same cursor if nothing is new",
            run: reading::cursor_at_end,
        },
        CheckEntry {
            name: "cursor-forward",
            promise: "the cursor of a growing file never goes back",
            mend: "return the end of the last complete record that was emitted",
            run: growth::forward,
        },
        CheckEntry {
            name: "grows",
            promise: "reading a growing file in steps gives the same events as reading it at once",
            mend: "leave an unfinished line for the next read, and store in the cursor's state what later lines need",
            run: growth::steps,
        },
        CheckEntry {
            name: "shrunken-file",
            promise: "a cursor behind the end of the file is noticed",
            mend: "compare the cursor with the file, and fail with code `invalid-cursor`",
            run: growth::shrunken,
        },
        CheckEntry {
            name: "rewritten-file",
            promise: "a session with any change has another revision",
            mend: "take the revision from the whole content, not from size and time",
            run: growth::rewritten,
        },
        CheckEntry {
            name: "damaged-line",
            promise: "a damaged line costs that line and a diagnostic",
            mend: "diagnose an unreadable line, with its span, and continue with the next",
            run: damage::line,
        },
        CheckEntry {
            name: "damaged-bytes",
            promise: "wrong bytes anywhere in a file do not break it",
            mend: "expect any byte anywhere: check every index, slice and conversion",
            run: damage::bytes,
        },
        CheckEntry {
            name: "within-limits",
            promise: "no call uses more than it may",
            mend: "read in chunks and emit in batches instead of holding the file in memory",
            run: S::within_limits,
        },
        CheckEntry {
            name: "keeps-to-its-roots",
            promise: "it accesses nothing outside of its roots",
            mend: "open only the given path and files next to it, and no network",
            run: S::keeps_to_its_roots,
        },
    ]
}
