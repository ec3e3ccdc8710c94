-- Cures of failed commands, by session. The next sync collects those of earlier sessions.
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
