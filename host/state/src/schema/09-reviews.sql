-- Review decisions with the data to undo each, and the times at which notices were shown.
CREATE TABLE reviews (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    batch TEXT NOT NULL,
    scope TEXT NOT NULL,
    item TEXT NOT NULL,
    action TEXT NOT NULL,
    title TEXT NOT NULL,
    reversal TEXT NOT NULL CHECK (json_valid(reversal)),
    at_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX reviews_of_scope ON reviews (scope, number);
CREATE INDEX reviews_of_batch ON reviews (batch);

CREATE TABLE notices (
    name TEXT PRIMARY KEY,
    at_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
