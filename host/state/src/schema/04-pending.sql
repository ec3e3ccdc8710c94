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
