-- state.db of 0.1.0; {ROOT} is the folder that the test lays everything out in.
PRAGMA foreign_keys = OFF;
BEGIN TRANSACTION;
CREATE TABLE accesses (
    memory TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    last_ms INTEGER,
    first_seen_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE changes (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    made INTEGER NOT NULL,
    settled INTEGER,
    note TEXT
) STRICT;
INSERT INTO "changes" VALUES(1,41,41,'{"without_project":"Archive","waiting":[]}');
CREATE TABLE descriptions (
    digest TEXT PRIMARY KEY,
    json TEXT NOT NULL
) STRICT, WITHOUT ROWID;
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
INSERT INTO "events" VALUES(1,1794820099571,'info','begin','request',NULL,'f0a58a49f1d59ece',NULL,'{"span":1}');
INSERT INTO "events" VALUES(2,1794820099580,'info','event','sync.started',NULL,'f0a58a49f1d59ece',NULL,'{"adapters":24,"dry_run":false,"parent":1}');
INSERT INTO "events" VALUES(3,1794820100841,'info','begin','job',NULL,'f0a58a49f1d59ece','{ROOT}/project','{"job":"01M7HSTMNX0000007N39B2PFQF","agent":"claude","session":"1a2b3c4e-0000-4000-8000-00000000bbbb","attempt":1,"span":2,"parent":1}');
CREATE TABLE fence (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    token INTEGER NOT NULL
) STRICT;
INSERT INTO "fence" VALUES(1,2);
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
INSERT INTO "files" VALUES('adapter-claude','{ROOT}/.claude/projects/bakery/1a2b3c4d-0000-4000-8000-00000000aaaa.jsonl',1789,1794820098844523488,1794820098844523488,10037828,1794820099580,'sessions',NULL,NULL);
INSERT INTO "files" VALUES('adapter-claude','{ROOT}/.claude/projects/bakery/1a2b3c4e-0000-4000-8000-00000000bbbb.jsonl',1808,1794820098844688989,1794820098844688989,10037829,1794820099580,'sessions',NULL,NULL);
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
INSERT INTO "jobs" VALUES('01M7HSTMNX0000007N39B2PFQF',2,1,'sync','1808:49f2248e94fd2ba9',1775376180000,'completed',0,1,0,NULL,1,60000,NULL,1794820100797,1794820100809,1794820101346,NULL,'sync-20261116-090820-2fe0mk',0,0);
INSERT INTO "jobs" VALUES('01M7HSTMNX000000EFK17H6BW1',1,1,'sync','1789:09a8d6eb7321d427',1775116980000,'completed',0,1,0,NULL,2,60000,NULL,1794820100797,1794820101373,1794820101770,NULL,'sync-20261116-090821-zb5m43',0,0);
CREATE TABLE old_confirmations (
    root TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
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
CREATE TABLE pending_states (
    project TEXT NOT NULL,
    id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('promoted', 'rejected', 'confirmed')),
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (project, id)
) STRICT, WITHOUT ROWID;
CREATE TABLE project_paths (
    path TEXT PRIMARY KEY,
    project INTEGER NOT NULL REFERENCES projects
) STRICT, WITHOUT ROWID;
INSERT INTO "project_paths" VALUES('/home/mira/bakery',1);
CREATE TABLE projects (
    project INTEGER PRIMARY KEY,
    root TEXT NOT NULL UNIQUE,
    root_commit TEXT,
    remote TEXT,
    registered INTEGER NOT NULL CHECK (registered IN (0, 1)),
    added_ms INTEGER NOT NULL
) STRICT;
INSERT INTO "projects" VALUES(1,'{ROOT}/project',NULL,NULL,1,1794820099253);
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
INSERT INTO "readings" VALUES(1,'1789:09a8d6eb7321d427','rules','rules',1,0,'sync-20261116-090821-zb5m43',1794820101770,NULL,NULL,NULL,NULL,0);
INSERT INTO "readings" VALUES(2,'1808:49f2248e94fd2ba9','rules','rules',1,0,'sync-20261116-090820-2fe0mk',1794820101346,NULL,NULL,NULL,NULL,0);
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
INSERT INTO "runs" VALUES('sync-20261116-090820-2fe0mk','sync','{ROOT}/project','{ROOT}/project/.acreta/workspace/sync-20261116-090820-2fe0mk','claude','1a2b3c4e-0000-4000-8000-00000000bbbb','completed',1794820100968,1794820101346,'{"add":3,"update":0,"no_op":0,"archived":0}',NULL,0);
INSERT INTO "runs" VALUES('sync-20261116-090821-zb5m43','sync','{ROOT}/project','{ROOT}/project/.acreta/workspace/sync-20261116-090821-zb5m43','claude','1a2b3c4d-0000-4000-8000-00000000aaaa','completed',1794820101395,1794820101770,'{"add":3,"update":0,"no_op":0,"archived":0}',NULL,0);
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
    gone_ms INTEGER, ran_project INTEGER REFERENCES projects,
    UNIQUE (agent, id)
) STRICT;
INSERT INTO "sessions" VALUES(1,'claude','1a2b3c4d-0000-4000-8000-00000000aaaa','adapter-claude','{ROOT}/.claude/projects/bakery/1a2b3c4d-0000-4000-8000-00000000aaaa.jsonl',1789,'claude','/claude/bakery/1a2b3c4d-0000-4000-8000-00000000aaaa.jsonl','/home/mira/bakery',1,NULL,'none',1775116800000,1775116980000,'1789:09a8d6eb7321d427',NULL,'{"branch":"main","version":"2.1.0"}','3b8561ffdf8c73f484a4f7e0c22ac13ab60d2862acbf084a1b482f2c52f63059','raw','1789:09a8d6eb7321d427','1789:09a8d6eb7321d427',1789,X'7B2266696E6765727072696E74223A363432303632323733363832363839303531372C227374617465223A7B2263616C6C73223A5B5D2C226D65737361676573223A5B5D2C2270726F6D707473223A5B5D7D7D',1128,4,1794820099580,NULL,1);
INSERT INTO "sessions" VALUES(2,'claude','1a2b3c4e-0000-4000-8000-00000000bbbb','adapter-claude','{ROOT}/.claude/projects/bakery/1a2b3c4e-0000-4000-8000-00000000bbbb.jsonl',1808,'claude','/claude/bakery/1a2b3c4e-0000-4000-8000-00000000bbbb.jsonl','/home/mira/bakery',1,NULL,'none',1775376000000,1775376180000,'1808:49f2248e94fd2ba9',NULL,'{"branch":"main","version":"2.1.0"}','ef428a4834ae1479daa7708d97e8dd105b25c2f27f6b49015bd4697c0b7ab11a','raw','1808:49f2248e94fd2ba9','1808:49f2248e94fd2ba9',1808,X'7B2266696E6765727072696E74223A31373536393035303532363734363033353935312C227374617465223A7B2263616C6C73223A5B5D2C226D65737361676573223A5B5D2C2270726F6D707473223A5B5D7D7D',1147,4,1794820099580,NULL,1);
CREATE INDEX sessions_of_file ON sessions (adapter, path);
CREATE INDEX sessions_of_project ON sessions (project);
CREATE INDEX jobs_of_session ON jobs (session);
CREATE INDEX jobs_to_claim ON jobs (updated_ms DESC, id) WHERE state = 'queued';
CREATE UNIQUE INDEX one_queued_job_of_session ON jobs (session) WHERE state = 'queued';
CREATE UNIQUE INDEX one_running_job_of_session ON jobs (session) WHERE state = 'running';
CREATE UNIQUE INDEX one_running_job_of_project ON jobs (project) WHERE state = 'running';
CREATE INDEX runs_by_start ON runs (started_ms);
CREATE INDEX runs_of_session ON runs (agent, session_id);
CREATE INDEX events_of_run ON events (run_id, seq) WHERE run_id IS NOT NULL;
CREATE INDEX readings_that_wait ON readings (retry_at_ms) WHERE wait_code IS NOT NULL;
CREATE INDEX pending_of_session ON pending (agent, session);
DELETE FROM "sqlite_sequence";
INSERT INTO "sqlite_sequence" VALUES('events',64);
COMMIT;
PRAGMA user_version = 7;
