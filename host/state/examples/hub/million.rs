//! Status and queue queries of a catalog with a million sessions: the times of each call, sequential scans of the large
//! tables, and the memory of this process before and after.

use std::time::{Duration, Instant};

use acreta_state::{
    Catalog, CatalogOptions, ClaimFilter, JobFilter, SessionFilter, SessionState, TaskState,
};

use crate::hub::NOW;
use crate::server::{TestSchema, TestServer};

const CALLS: usize = 40;

/// A call with its name.
type MeasuredCall<'a> = (&'a str, &'a dyn Fn(&Catalog));

/// Tables that grow with the number of sessions.
const LARGE: &str = "'sessions', 'jobs', 'runs', 'readings'";

pub(crate) fn measure(server: &TestServer, sessions: usize) -> serde_json::Value {
    let schema = server.schema();
    let begun = Instant::now();
    fill(&schema, sessions);
    println!(
        "\n{sessions} sessions of 500 projects, one in a thousand to do ({:.0} s to fill)",
        begun.elapsed().as_secs_f64()
    );
    println!("call                        p50 ms   p95 ms   sequential scans");
    let catalog = schema.open(CatalogOptions::default());
    let calls: [MeasuredCall<'_>; 7] = [
        ("status: counts", &|catalog| {
            catalog.counts().unwrap();
        }),
        ("status: not archived", &|catalog| {
            catalog.not_archived().unwrap();
        }),
        ("queue: waiting and failed", &|catalog| {
            for state in [TaskState::Running, TaskState::Queued, TaskState::Failed] {
                let filter = JobFilter {
                    state: Some(state),
                    ..JobFilter::default()
                };
                catalog.jobs(&filter).unwrap();
            }
        }),
        ("sessions: newest 100", &|catalog| {
            let filter = SessionFilter {
                limit: Some(100),
                ..SessionFilter::default()
            };
            catalog.sessions(&filter).unwrap();
        }),
        ("sessions: newest 100 to do", &|catalog| {
            let filter = SessionFilter {
                state: Some(SessionState::Queued),
                limit: Some(100),
                ..SessionFilter::default()
            };
            catalog.sessions(&filter).unwrap();
        }),
        ("hook: is there work", &|catalog| {
            catalog.settled().unwrap();
        }),
        ("worker: claim, release", &|catalog| {
            let lease = catalog.claim("worker", 60_000, NOW, &ClaimFilter::default());
            let lease = lease.unwrap().expect("the queue is full");
            catalog.release(&lease, NOW).unwrap();
        }),
    ];
    let before_kb = resident_kb();
    let mut rows = Vec::new();
    for (name, call) in calls {
        let scans = sequential_scans(&schema);
        let mut times: Vec<Duration> = (0..CALLS)
            .map(|_| {
                let begun = Instant::now();
                call(&catalog);
                begun.elapsed()
            })
            .collect();
        times.sort();
        let scans = sequential_scans(&schema) - scans;
        let ms = |at: usize| times[at].as_secs_f64() * 1000.0;
        let (middle, late) = (ms(CALLS / 2), ms(CALLS * 95 / 100));
        println!("{name:<26} {middle:8.1} {late:8.1} {scans:18}");
        rows.push(serde_json::json!({
            "call": name, "p50_ms": middle, "p95_ms": late, "sequential_scans": scans,
        }));
    }
    let after_kb = resident_kb();
    println!("memory of this process: {before_kb} KB before, {after_kb} KB after");
    serde_json::json!({
        "sessions": sessions, "calls": rows, "before_kb": before_kb, "after_kb": after_kb,
    })
}

/// Fills the tables as years of use would: nearly all sessions ran, some wait, a few failed.
fn fill(schema: &TestSchema, sessions: usize) {
    drop(schema.open(CatalogOptions::default()));
    let mut client = schema.client();
    client
        .batch_execute(&format!(
            "SET synchronous_commit = off;
             INSERT INTO team_projects (project, root_commit, remote, added_ms, identity)
                 SELECT n, 'c' || n, 'github.com/team/p' || n, {NOW}, 'c' || n || ' github.com/team/p' || n
                 FROM generate_series(1, 500) AS n;
             INSERT INTO checkouts (project, root, registered)
                 SELECT n, '/src/p' || n, TRUE FROM generate_series(1, 500) AS n;
             INSERT INTO sessions (session, agent, id, adapter, path, size, root, guest_path, project_dir, project,
                     relation, started_ms, updated_ms, revision, title, attrs, archive_digest, archive_kind,
                     archived_revision, ran_revision, ran_project, cursor_offset, trace_bytes, trace_events, first_seen_ms)
                 SELECT n, (ARRAY['claude', 'codex', 'cursor', 'opencode'])[1 + n % 4], md5(n::text), 'a',
                     '/home/u/' || md5(n::text) || '.jsonl', n, 'r', 'g/' || n, '/src/p' || (1 + n % 500), 1 + n % 500,
                     'none', n, n, 'r' || n, 'A session about ' || md5((n * 7)::text), '{{}}', md5((n * 3)::text), 'raw',
                     'r' || n, CASE WHEN n % 1000 = 0 THEN NULL ELSE 'r' || n END, 1 + n % 500, n, n, n % 900, n
                 FROM generate_series(1, {sessions}) AS n;
             INSERT INTO jobs (id, session, project, mode, revision, updated_ms, state, dead, attempt, created_ms)
                 SELECT 'J' || lpad(n::text, 12, '0'), n, 1 + n % 500, 'sync', 'r' || n, n,
                     CASE WHEN n % 1000 <> 0 THEN 'completed' WHEN n % 10000 = 0 THEN 'failed' ELSE 'queued' END,
                     n % 10000 = 0, 1, n
                 FROM generate_series(1, {sessions}) AS n;
             INSERT INTO runs (run_id, mode, project_root, folder, agent, session_id, state, started_ms, finished_ms)
                 SELECT 'sync-' || n, 'sync', '/src/p' || (1 + n % 500), '/run/' || n,
                     (ARRAY['claude', 'codex', 'cursor', 'opencode'])[1 + n % 4], md5(n::text), 'completed', n, n
                 FROM generate_series(1, {sessions}) AS n;
             INSERT INTO readings (session, revision, strength, reader, complete, could_ask, run_id, read_ms, attempts)
                 SELECT n, 'r' || n, 'model', 'm', TRUE, TRUE, 'sync-' || n, n, 1
                 FROM generate_series(1, {sessions}) AS n"
        ))
        .unwrap();
    // As the server's own housekeeping does.
    for table in ["sessions", "jobs", "runs", "readings"] {
        let vacuum = format!("VACUUM ANALYZE {table}");
        client.batch_execute(&vacuum).unwrap();
    }
}

/// Returns how often a large table was read from its beginning to its end so far.
fn sequential_scans(schema: &TestSchema) -> i64 {
    // A connection reports what it did within a second.
    std::thread::sleep(Duration::from_millis(1500));
    let sql = format!(
        "SELECT CAST(coalesce(sum(seq_scan), 0) AS BIGINT) FROM pg_stat_user_tables
         WHERE schemaname = current_schema() AND relname IN ({LARGE})"
    );
    schema.client().query_one(&sql, &[]).unwrap().get(0)
}

fn resident_kb() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    line.and_then(|line| line.split_whitespace().nth(1)?.parse().ok())
        .unwrap_or_default()
}
