-- Notes of agents. The text of each is the pending record with its id.
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
