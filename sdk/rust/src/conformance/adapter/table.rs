//! The table of checks, in the order in which they run.

use super::super::Entry;
use super::{Subject, damage, described, growth, reading, strangers};

/// Every check of the suite. Names stay the same for good.
pub fn checks<S: Subject>() -> Vec<Entry<S, S::Error>> {
    vec![
        Entry {
            name: "describe",
            promise: "it says what it reads without any grant",
            mend: "let `describe` return constants; it has no files and no host to ask",
            run: described::answers,
        },
        Entry {
            name: "describe-stable",
            promise: "it says the same every time",
            mend: "let `describe` depend on nothing: no clock, no chance, no hash map order",
            run: described::stable,
        },
        Entry {
            name: "agent-name",
            promise: "the agent has a short name",
            mend: "name the agent in 1 to 64 small letters, digits and hyphens",
            run: described::agent_name,
        },
        Entry {
            name: "root-names",
            promise: "roots have names of their own, places and patterns",
            mend: "give every root a plain name of its own, candidates as `~/…`, `$VARIABLE/…`, `<config>/…` or \
                   `<data>/…`, and relative patterns",
            run: described::root_names,
        },
        Entry {
            name: "root-reasons",
            promise: "every root has a reason a person can decide by",
            mend: "say in one plain sentence why the folder is read",
            run: described::root_reasons,
        },
        Entry {
            name: "foreign-file",
            promise: "a file of somebody else has no session",
            mend: "look at the content, and answer an empty list when it is not this agent's",
            run: strangers::foreign,
        },
        Entry {
            name: "empty-file",
            promise: "an empty file has no session",
            mend: "answer an empty list",
            run: strangers::empty,
        },
        Entry {
            name: "binary-file",
            promise: "a file that is no text is no disaster",
            mend: "read bytes, not text, and answer an empty list or a failure",
            run: strangers::binary,
        },
        Entry {
            name: "huge-line",
            promise: "a line of 32 MiB is no disaster",
            mend: "read lines up to a bound and pass over the rest",
            run: strangers::huge_line,
        },
        Entry {
            name: "missing-file",
            promise: "a file that is gone is no disaster",
            mend: "answer a failure with code `io`, or an empty list",
            run: strangers::missing,
        },
        Entry {
            name: "finds-sessions",
            promise: "a case's files have at least one session",
            mend: "see that `sessions` knows the format of the case, and that the case holds a real session",
            run: reading::finds_sessions,
        },
        Entry {
            name: "session-fields",
            promise: "sessions have an id of their own, the agent's name, a path under the root and a revision",
            mend: "take the id from the data, the path from the argument, and a revision that changes with the file",
            run: reading::session_fields,
        },
        Entry {
            name: "sessions-stable",
            promise: "the same file has the same sessions every time",
            mend: "take ids and times from the data: no clock, no chance, no hash map order",
            run: reading::sessions_stable,
        },
        Entry {
            name: "event-fields",
            promise: "events have an id of their own, a known role and a known kind",
            mend: "make ids from the agent's own record ids, and use the roles and kinds of `acreta:types`",
            run: reading::event_fields,
        },
        Entry {
            name: "tells-something",
            promise: "a session has events, or says why not",
            mend: "emit events, diagnose what cannot be read, or mark the session with the attribute `empty`",
            run: reading::tells_something,
        },
        Entry {
            name: "origins",
            promise: "every event points at its record in the file",
            mend: "count bytes, not characters, from the start of the file, and end where the record ends",
            run: reading::origins,
        },
        Entry {
            name: "read-stable",
            promise: "reading twice tells the same",
            mend: "let events and cursor depend on the file alone",
            run: reading::read_stable,
        },
        Entry {
            name: "cursor-at-end",
            promise: "reading on from the end tells nothing more",
            mend: "start at the cursor's offset, and return the same cursor when nothing is new",
            run: reading::cursor_at_end,
        },
        Entry {
            name: "cursor-forward",
            promise: "the cursor of a growing file never goes back",
            mend: "return the end of the last whole record that was told",
            run: growth::forward,
        },
        Entry {
            name: "grows",
            promise: "reading a file in steps as it grows tells what reading it at once tells",
            mend: "leave a line without its end for the next read, and keep in the cursor's state what later lines need",
            run: growth::steps,
        },
        Entry {
            name: "shrunken-file",
            promise: "a cursor behind the end of the file is noticed",
            mend: "compare the cursor with the file, and fail with code `invalid-cursor`",
            run: growth::shrunken,
        },
        Entry {
            name: "rewritten-file",
            promise: "a session that is told differently has another revision, however little differs",
            mend: "take the revision from the whole content, not from size and time",
            run: growth::rewritten,
        },
        Entry {
            name: "damaged-line",
            promise: "a damaged line costs that line and a diagnostic",
            mend: "diagnose a line that cannot be read, with its span, and go on with the next",
            run: damage::line,
        },
        Entry {
            name: "damaged-bytes",
            promise: "a file with wrong bytes anywhere is no disaster",
            mend: "expect any byte anywhere: no index, slice or conversion without a check",
            run: damage::bytes,
        },
        Entry {
            name: "within-limits",
            promise: "no call uses more than it may",
            mend: "read in pieces and emit in batches instead of holding the file in memory",
            run: S::within_limits,
        },
        Entry {
            name: "keeps-to-its-roots",
            promise: "it tries nothing outside of its roots",
            mend: "open nothing but the path it is asked about and what lies beside it, and no network",
            run: S::keeps_to_its_roots,
        },
    ]
}
