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
