-- Notes of agents. The text of each is the pending record with its id.
CREATE TABLE notes (
    project TEXT COLLATE "C" NOT NULL,
    id TEXT COLLATE "C" NOT NULL,
    agent TEXT COLLATE "C" NOT NULL,
    session TEXT COLLATE "C",
    made_ms BIGINT NOT NULL,
    outcome TEXT COLLATE "C" NOT NULL CHECK (outcome IN ('waiting', 'proven', 'refused')),
    reason TEXT,
    PRIMARY KEY (project, id)
);
