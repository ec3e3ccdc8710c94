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
