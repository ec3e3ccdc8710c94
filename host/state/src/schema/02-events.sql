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
