-- Projects that were registered when confirmations moved out of the repositories; an empty root is the global scope.
CREATE TABLE old_confirmations (
    root TEXT PRIMARY KEY
) STRICT, WITHOUT ROWID;
INSERT INTO old_confirmations SELECT root FROM projects WHERE registered = 1;
INSERT OR IGNORE INTO old_confirmations VALUES ('');
