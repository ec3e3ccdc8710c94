-- Spending on models, shared by all workers.
CREATE TABLE spending (
    account TEXT COLLATE "C" NOT NULL,
    day BIGINT NOT NULL,
    calls BIGINT NOT NULL DEFAULT 0,
    tokens BIGINT NOT NULL DEFAULT 0,
    picodollars BIGINT NOT NULL DEFAULT 0,
    list_picodollars BIGINT NOT NULL DEFAULT 0,
    PRIMARY KEY (account, day)
);

CREATE TABLE spending_reservations (
    reservation BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    account TEXT COLLATE "C" NOT NULL,
    day BIGINT NOT NULL,
    calls BIGINT NOT NULL,
    tokens BIGINT NOT NULL,
    picodollars BIGINT NOT NULL,
    list_picodollars BIGINT NOT NULL,
    expires_ms BIGINT NOT NULL
);
CREATE INDEX spending_reservations_of_day ON spending_reservations (account, day);
