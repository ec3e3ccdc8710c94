-- Spending on models by day, and what is reserved for calls in progress. A reservation's number is never used again.
CREATE TABLE spending (
    account TEXT NOT NULL,
    day INTEGER NOT NULL,
    calls INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
    picodollars INTEGER NOT NULL DEFAULT 0,
    list_picodollars INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (account, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE spending_reservations (
    reservation INTEGER PRIMARY KEY AUTOINCREMENT,
    account TEXT NOT NULL,
    day INTEGER NOT NULL,
    calls INTEGER NOT NULL,
    tokens INTEGER NOT NULL,
    picodollars INTEGER NOT NULL,
    list_picodollars INTEGER NOT NULL,
    expires_ms INTEGER NOT NULL
) STRICT;
CREATE INDEX spending_reservations_of_day ON spending_reservations (account, day);
