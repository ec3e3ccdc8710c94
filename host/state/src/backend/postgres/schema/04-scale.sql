-- Status and lists of a catalog with many sessions, most of which are done.
CREATE INDEX sessions_by_time ON sessions (coalesce(updated_ms, 0) DESC, agent, id);
ALTER TABLE sessions ADD COLUMN is_run BOOLEAN NOT NULL GENERATED ALWAYS AS (
    coalesce(ran_revision = revision AND coalesce(ran_project = project, TRUE), FALSE)) STORED;
CREATE INDEX sessions_not_run ON sessions (session) WHERE NOT is_run;
CREATE INDEX sessions_not_archived ON sessions (machine, agent)
    WHERE archived_revision IS DISTINCT FROM revision AND gone_ms IS NULL;
CREATE INDEX jobs_not_completed ON jobs (state) WHERE state <> 'completed';
CREATE INDEX dead_jobs ON jobs (session) WHERE dead;

-- How many sessions of each agent and how many jobs there are: sums of what was added and removed.
CREATE TABLE totals (
    kind TEXT COLLATE "C" NOT NULL CHECK (kind IN ('sessions', 'jobs')),
    name TEXT COLLATE "C" NOT NULL,
    number BIGINT NOT NULL
);
INSERT INTO totals SELECT 'sessions', agent, count(*) FROM sessions GROUP BY agent;
INSERT INTO totals SELECT 'jobs', '', count(*) FROM jobs;
CREATE FUNCTION count_sessions() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO totals
        SELECT 'sessions', agent, CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE - count(*) END
        FROM changed GROUP BY agent;
    RETURN NULL;
END $$;
CREATE FUNCTION count_jobs() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO totals
        SELECT 'jobs', '', CASE TG_OP WHEN 'INSERT' THEN count(*) ELSE - count(*) END
        FROM changed HAVING count(*) > 0;
    RETURN NULL;
END $$;
CREATE TRIGGER sessions_added AFTER INSERT ON sessions
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_sessions();
CREATE TRIGGER sessions_removed AFTER DELETE ON sessions
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_sessions();
CREATE TRIGGER jobs_added AFTER INSERT ON jobs
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_jobs();
CREATE TRIGGER jobs_removed AFTER DELETE ON jobs
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_jobs();
