-- Paths are a machine's own; projects and sessions are the team's. A project with a root commit and a remote is the
-- same one on every machine, one without them belongs to its machine. Queries read the views, which show the paths of
-- the machine that asks.
CREATE FUNCTION this_machine() RETURNS TEXT LANGUAGE SQL STABLE
    AS $$ SELECT coalesce(current_setting('acreta.machine', TRUE), '') COLLATE "C" $$;

ALTER TABLE files RENAME TO machine_files;
ALTER TABLE machine_files ADD COLUMN machine TEXT COLLATE "C" NOT NULL DEFAULT this_machine();
ALTER TABLE machine_files DROP CONSTRAINT files_pkey;
ALTER TABLE machine_files ADD PRIMARY KEY (machine, adapter, path);
CREATE VIEW files AS
    SELECT adapter, path, size, mtime_ns, ctime_ns, inode, seen_ms, outcome, message, gone_ms
    FROM machine_files WHERE machine = this_machine();

ALTER TABLE projects RENAME TO team_projects;
ALTER TABLE team_projects ADD COLUMN identity TEXT COLLATE "C" UNIQUE;
UPDATE team_projects t SET identity = root_commit || ' ' || remote
    WHERE NOT EXISTS (SELECT 1 FROM team_projects e WHERE e.root_commit = t.root_commit
        AND e.remote = t.remote AND e.project < t.project);
CREATE TABLE checkouts (
    machine TEXT COLLATE "C" NOT NULL DEFAULT this_machine(),
    project BIGINT NOT NULL REFERENCES team_projects,
    root TEXT COLLATE "C" NOT NULL,
    registered BOOLEAN NOT NULL,
    PRIMARY KEY (machine, project),
    UNIQUE (machine, root)
);
INSERT INTO checkouts (project, root, registered) SELECT project, root, registered FROM team_projects;
ALTER TABLE team_projects DROP COLUMN root;
ALTER TABLE team_projects DROP COLUMN registered;
CREATE VIEW projects AS
    SELECT t.project, coalesce(c.root, 'elsewhere:' || t.project) COLLATE "C" AS root, t.root_commit, t.remote,
        coalesce(c.registered, FALSE) AS registered, t.added_ms, c.root IS NOT NULL AS is_here
    FROM team_projects t
        LEFT JOIN checkouts c ON c.project = t.project AND c.machine = this_machine();

ALTER TABLE project_paths RENAME TO machine_paths;
ALTER TABLE machine_paths ADD COLUMN machine TEXT COLLATE "C" NOT NULL DEFAULT this_machine();
ALTER TABLE machine_paths DROP CONSTRAINT project_paths_pkey;
ALTER TABLE machine_paths ADD PRIMARY KEY (machine, path);
CREATE VIEW project_paths AS SELECT path, project FROM machine_paths WHERE machine = this_machine();

ALTER TABLE settlement ADD COLUMN machine TEXT COLLATE "C" NOT NULL DEFAULT this_machine();
ALTER TABLE settlement DROP COLUMN one;
ALTER TABLE settlement ADD PRIMARY KEY (machine);

ALTER TABLE sessions ADD COLUMN machine TEXT COLLATE "C" NOT NULL DEFAULT this_machine();
