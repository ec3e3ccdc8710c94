-- Adds the project whose memory has the revision that ran. Files that a person named no longer represent a session:
-- such sessions are searched again in their agent's folder.
ALTER TABLE sessions ADD COLUMN ran_project INTEGER REFERENCES projects;
UPDATE sessions SET ran_project = project WHERE ran_revision IS NOT NULL;
DELETE FROM files WHERE size = 0 AND mtime_ns = 0 AND ctime_ns = 0 AND inode = 0;
UPDATE sessions SET gone_ms = NULL WHERE root = '';
UPDATE files SET seen_ms = 0 WHERE adapter IN (SELECT adapter FROM sessions WHERE root = '');
