CREATE TABLE accesses (
    memory TEXT PRIMARY KEY,
    count INTEGER NOT NULL,
    last_ms INTEGER,
    first_seen_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
