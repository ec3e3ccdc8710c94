//! The SQLite tables and their migrations. A released step is never edited: a change of the tables is a new step.

use rusqlite::Connection;

/// Step `n` migrates a database from version `n` to version `n + 1`.
const STEPS: [&str; 13] = [
    FIRST,
    ACCESSES,
    EVENTS,
    READINGS,
    PENDING,
    OLD_CONFIRMATIONS,
    RAN_PROJECT,
    OFFERS,
    CURES,
    REVIEWS,
    SPENDING,
    PURGED,
    NOTES,
];

/// The `user_version` that this code reads and writes.
pub(crate) const VERSION: i64 = STEPS.len() as i64;

const FIRST: &str = "
CREATE TABLE files (
    adapter TEXT NOT NULL,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    ctime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    seen_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('sessions', 'nothing', 'failed')),
    message TEXT,
    gone_ms INTEGER,
    PRIMARY KEY (adapter, path)
) STRICT, WITHOUT ROWID;

CREATE TABLE projects (
    project INTEGER PRIMARY KEY,
    root TEXT NOT NULL UNIQUE,
    root_commit TEXT,
    remote TEXT,
    registered INTEGER NOT NULL CHECK (registered IN (0, 1)),
    added_ms INTEGER NOT NULL
) STRICT;

CREATE TABLE project_paths (
    path TEXT PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES projects
) STRICT, WITHOUT ROWID;

CREATE TABLE sessions (
    session INTEGER PRIMARY KEY,
    agent TEXT NOT NULL,
    id TEXT NOT NULL,
    adapter TEXT NOT NULL,
    path TEXT NOT NULL,
    size INTEGER NOT NULL,
    root TEXT NOT NULL,
    guest_path TEXT NOT NULL,
    project_dir TEXT,
    project INTEGER REFERENCES projects,
    parent TEXT,
    relation TEXT NOT NULL CHECK (relation IN ('none', 'subagent', 'fork')),
    started_ms INTEGER,
    updated_ms INTEGER,
    revision TEXT NOT NULL,
    title TEXT,
    attrs TEXT NOT NULL,
    archive_digest TEXT,
    archive_kind TEXT CHECK (archive_kind IN ('raw', 'trace')),
    archived_revision TEXT,
    ran_revision TEXT,
    cursor_offset INTEGER,
    cursor_state BLOB,
    trace_bytes INTEGER,
    trace_events INTEGER,
    first_seen_ms INTEGER NOT NULL,
    gone_ms INTEGER,
    UNIQUE (agent, id)
) STRICT;
CREATE INDEX sessions_of_file ON sessions (adapter, path);
CREATE INDEX sessions_of_project ON sessions (project);

CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    project INTEGER NOT NULL REFERENCES projects,
    mode TEXT NOT NULL,
    revision TEXT NOT NULL,
    -- The session's last change when the job was put down: newer sessions go first.
    updated_ms INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('queued', 'running', 'completed', 'failed', 'cancelled')),
    dead INTEGER NOT NULL DEFAULT 0 CHECK (dead IN (0, 1) AND (dead = 0 OR state = 'failed')),
    attempt INTEGER NOT NULL DEFAULT 0,
    not_before_ms INTEGER NOT NULL DEFAULT 0,
    owner TEXT,
    token INTEGER,
    lease_ms INTEGER,
    lease_until_ms INTEGER,
    created_ms INTEGER NOT NULL,
    started_ms INTEGER,
    finished_ms INTEGER,
    cause TEXT,
    run_id TEXT,
    cancel_requested INTEGER NOT NULL DEFAULT 0 CHECK (cancel_requested IN (0, 1)),
    shown INTEGER NOT NULL DEFAULT 0 CHECK (shown IN (0, 1))
) STRICT;
CREATE INDEX jobs_of_session ON jobs (session);
CREATE INDEX jobs_to_claim ON jobs (updated_ms DESC, id) WHERE state = 'queued';
CREATE UNIQUE INDEX one_queued_job_of_session ON jobs (session) WHERE state = 'queued';
CREATE UNIQUE INDEX one_running_job_of_session ON jobs (session) WHERE state = 'running';
CREATE UNIQUE INDEX one_running_job_of_project ON jobs (project) WHERE state = 'running';

-- The last fencing token that was given out.
CREATE TABLE fence (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    token INTEGER NOT NULL
) STRICT;
INSERT INTO fence VALUES (1, 0);

-- How many transactions changed something, and after which of them nothing was left to do.
CREATE TABLE changes (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    made INTEGER NOT NULL,
    settled INTEGER,
    note TEXT
) STRICT;
INSERT INTO changes VALUES (1, 0, NULL, NULL);

CREATE TABLE runs (
    run_id TEXT PRIMARY KEY,
    mode TEXT NOT NULL,
    project_root TEXT NOT NULL,
    folder TEXT NOT NULL,
    agent TEXT,
    session_id TEXT,
    state TEXT NOT NULL CHECK (state IN ('running', 'completed', 'failed', 'cancelled')),
    started_ms INTEGER NOT NULL,
    finished_ms INTEGER,
    counts TEXT,
    error TEXT,
    shown INTEGER NOT NULL DEFAULT 0 CHECK (shown IN (0, 1))
) STRICT;
CREATE INDEX runs_by_start ON runs (started_ms);
CREATE INDEX runs_of_session ON runs (agent, session_id);

CREATE TABLE descriptions (
    digest TEXT PRIMARY KEY,
    json TEXT NOT NULL
) STRICT, WITHOUT ROWID;
";

const ACCESSES: &str = "
CREATE TABLE accesses (
    memory TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    last_ms INTEGER,
    first_seen_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

const EVENTS: &str = "
CREATE TABLE events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at_ms INTEGER NOT NULL,
    level TEXT NOT NULL CHECK (level IN ('error', 'warn', 'info', 'debug', 'trace')),
    kind TEXT NOT NULL CHECK (kind IN ('begin', 'end', 'event')),
    name TEXT NOT NULL,
    run_id TEXT,
    request_id TEXT,
    project TEXT,
    fields TEXT NOT NULL CHECK (json_valid(fields))
) STRICT;
CREATE INDEX events_of_run ON events (run_id, seq) WHERE run_id IS NOT NULL;
";

const READINGS: &str = "
CREATE TABLE readings (
    session INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    revision TEXT NOT NULL,
    strength TEXT NOT NULL CHECK (strength IN ('rules', 'model')),
    reader TEXT NOT NULL,
    complete INTEGER NOT NULL CHECK (complete IN (0, 1)),
    could_ask INTEGER NOT NULL CHECK (could_ask IN (0, 1)),
    run_id TEXT NOT NULL,
    read_ms INTEGER NOT NULL,
    -- Set while the session waits for a model.
    wait_code TEXT,
    wait_reason TEXT,
    wait_model TEXT,
    retry_at_ms INTEGER,
    attempts INTEGER NOT NULL
) STRICT;
CREATE INDEX readings_that_wait ON readings (retry_at_ms) WHERE wait_code IS NOT NULL;
";

const PENDING: &str = "
CREATE TABLE pending (
    project TEXT NOT NULL,
    id TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    event TEXT NOT NULL,
    quote TEXT NOT NULL,
    kind TEXT NOT NULL,
    title TEXT NOT NULL,
    contribution TEXT NOT NULL CHECK (json_valid(contribution)),
    first_seen_ms INTEGER NOT NULL,
    last_seen_ms INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL,
    PRIMARY KEY (project, id, agent, session)
) STRICT, WITHOUT ROWID;
CREATE INDEX pending_of_session ON pending (agent, session);

-- A record without a row here waits.
CREATE TABLE pending_states (
    project TEXT NOT NULL,
    id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('promoted', 'rejected', 'confirmed')),
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;
";

/// Projects that were registered when confirmations moved out of the repositories; an empty root is the global scope.
const OLD_CONFIRMATIONS: &str = "
CREATE TABLE old_confirmations (
    root TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
INSERT INTO old_confirmations SELECT root FROM projects WHERE registered = 1;
INSERT OR IGNORE INTO old_confirmations VALUES ('');
";

/// Adds the project whose memory has the revision that ran. Files that a person named no longer represent a session:
/// such sessions are searched again in their agent's folder.
const RAN_PROJECT: &str = "
ALTER TABLE sessions ADD COLUMN ran_project INTEGER REFERENCES projects;
UPDATE sessions SET ran_project = project WHERE ran_revision IS NOT NULL;
DELETE FROM files WHERE size = 0 AND mtime_ns = 0 AND ctime_ns = 0 AND inode = 0;
UPDATE sessions SET gone_ms = NULL WHERE root = '';
UPDATE files SET seen_ms = 0 WHERE adapter IN (SELECT adapter FROM sessions WHERE root = '');
";

const OFFERS: &str = "
CREATE TABLE offers (
    agent TEXT NOT NULL,
    session TEXT NOT NULL,
    -- A memory's id, or a name for something else.
    subject TEXT NOT NULL,
    project TEXT NOT NULL,
    moment TEXT NOT NULL CHECK (moment IN ('start', 'prompt', 'failure', 'edit')),
    at_ms INTEGER NOT NULL,
    outcome TEXT CHECK (outcome IN ('used', 'dismissed')),
    PRIMARY KEY (agent, session, subject)
) STRICT, WITHOUT ROWID;
CREATE INDEX offers_of_subject ON offers (subject);
CREATE INDEX offers_by_time ON offers (at_ms);
";

/// Cures of failed commands, by session. The next sync collects those of earlier sessions.
const CURES: &str = "
CREATE TABLE cures (
    session INTEGER NOT NULL REFERENCES sessions ON DELETE CASCADE,
    position INTEGER NOT NULL,
    failed TEXT NOT NULL,
    commands TEXT NOT NULL CHECK (json_valid(commands)),
    specifics TEXT NOT NULL CHECK (json_valid(specifics)),
    sure INTEGER NOT NULL CHECK (sure IN (0, 1)),
    event TEXT NOT NULL,
    at_ms INTEGER,
    PRIMARY KEY (session, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE cure_signatures (
    signature TEXT NOT NULL,
    session INTEGER NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (signature, session, position),
    FOREIGN KEY (session, position) REFERENCES cures ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX cure_signatures_of_cure ON cure_signatures (session, position);

-- The revision of a session whose cures are known, and which collector found them.
CREATE TABLE collected_cures (
    session INTEGER PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
    revision TEXT NOT NULL,
    collector INTEGER NOT NULL
) STRICT;
UPDATE changes SET settled = NULL;
";

/// Review decisions with the data to undo each, and the times at which notices were shown.
const REVIEWS: &str = "
CREATE TABLE reviews (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    batch TEXT NOT NULL,
    scope TEXT NOT NULL,
    item TEXT NOT NULL,
    action TEXT NOT NULL,
    title TEXT NOT NULL,
    reversal TEXT NOT NULL CHECK (json_valid(reversal)),
    at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX reviews_of_scope ON reviews (scope, number);
CREATE INDEX reviews_of_batch ON reviews (batch);

CREATE TABLE notices (
    name TEXT PRIMARY KEY,
    at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
";

/// Spending on models by day, and what is reserved for calls in progress. A reservation's number is never used again.
const SPENDING: &str = "
CREATE TABLE spending (
    account TEXT NOT NULL,
    day INTEGER NOT NULL,
    calls INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
    picodollars INTEGER NOT NULL DEFAULT 0,
    list_picodollars INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE spending_reservations (
    reservation INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL,
    day INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    picodollars INTEGER NOT NULL,
    list_picodollars INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX spending_reservations_of_day ON spending_reservations (account, day);
";

/// Sessions that a person purged, as a hash of agent and id: discovery passes over them.
const PURGED: &str = "
CREATE TABLE purged_sessions (
    session TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
";

/// Notes of agents. The text of each is the pending record with its id.
const NOTES: &str = "
CREATE TABLE notes (
    project TEXT NOT NULL,
    id TEXT NOT NULL,
    agent TEXT NOT NULL,
    session TEXT,
    made_ms INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('waiting', 'proven', 'refused')),
    reason TEXT,
    PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;
";

/// Returns the schema version of a database; zero if it is empty.
pub(crate) fn version(connection: &Connection) -> rusqlite::Result<i64> {
    connection.pragma_query_value(None, "user_version", |row| row.get(0))
}

/// Migrates a database of an earlier version to [`VERSION`]. Must be called in a transaction.
pub(crate) fn bring_up_to_date(connection: &Connection) -> rusqlite::Result<()> {
    let found = usize::try_from(version(connection)?).unwrap_or(STEPS.len());
    for step in STEPS.iter().skip(found) {
        connection.execute_batch(step)?;
    }
    connection.pragma_update(None, "user_version", VERSION.max(found as i64))
}
