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
