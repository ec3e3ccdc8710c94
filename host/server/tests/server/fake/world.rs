//! The invented world: projects, memories, sessions, runs, a queue, plugins. It is deterministic.

use std::hash::{DefaultHasher, Hash, Hasher};

use acreta_server::api::{
    Connection, EvidenceQuote, Link, LogEvent, MemoryDetail, MemoryProposal, MemoryRow, MemoryType,
    ProposedOperation, QueueJob, RunRow, SessionCopy, SessionRow, SessionState, SettingRow, Status,
    TaskState, Trust,
};
use serde_json::{Map, Value, json};

use crate::fake::day::{DAY_MS, day};
use crate::fake::pages;
use crate::fake::texts::{AGENTS, AREAS, HOSTILE, PROJECTS, TOPICS};

pub(crate) struct World {
    pub(crate) now_ms: u64,
    pub(crate) projects: Vec<(String, bool)>,
    pub(crate) memories: Vec<Memory>,
    pub(crate) sessions: Vec<SessionRow>,
    pub(crate) runs: Vec<RunRow>,
    pub(crate) queue: Vec<QueueJob>,
    pub(crate) connections: Vec<Connection>,
    pub(crate) log: Vec<LogEvent>,
    pub(crate) trusted: Vec<String>,
    pub(crate) excluded: Vec<String>,
    pub(crate) reader: Option<String>,
    pub(crate) settings: Vec<SettingRow>,
    /// Decided items of the review, by request.
    pub(crate) decided: Vec<Vec<String>>,
}

#[derive(Clone)]
pub(crate) struct Memory {
    /// `None` for a global memory.
    pub(crate) project: Option<String>,
    pub(crate) detail: MemoryDetail,
    pub(crate) created_ms: u64,
    pub(crate) archived_ms: Option<u64>,
}

impl World {
    pub(crate) fn new(memories: usize, now_ms: u64) -> Self {
        let mut world = Self {
            now_ms,
            projects: PROJECTS
                .iter()
                .map(|path| ((*path).to_owned(), true))
                .collect(),
            memories: Vec::new(),
            sessions: Vec::new(),
            runs: Vec::new(),
            queue: Vec::new(),
            connections: connections(),
            log: Vec::new(),
            trusted: Vec::new(),
            excluded: vec!["/home/sam/private".to_owned()],
            reader: Some("claude".to_owned()),
            settings: pages::settings(),
            decided: Vec::new(),
        };
        world
            .projects
            .push(("/home/sam/code/unregistered".to_owned(), false));
        world
            .projects
            .push(("/srv/gone/elsewhere".to_owned(), false));
        let (sessions, runs, jobs) = if memories == 0 {
            (0, 0, 0)
        } else {
            (48, 40, 14)
        };
        for number in 0..sessions {
            world.sessions.push(session(number, now_ms));
        }
        for number in 0..runs {
            world.runs.push(run(number, now_ms));
        }
        for number in 0..memories {
            world.memories.push(memory(number, now_ms));
        }
        world.relate();
        for number in 0..jobs {
            world.queue.push(queued(number, now_ms));
        }
        for number in 0..20 {
            world.note("run", HOSTILE[number % HOSTILE.len()], Map::new());
        }
        world
    }

    /// Writes an event to the log.
    pub(crate) fn note(&mut self, kind: &str, name: &str, fields: Map<String, Value>) {
        let project = self.projects.first().map(|(path, _)| path.clone());
        self.log.push(LogEvent {
            sequence: self.log.len() as u64 + 1,
            at_ms: self.now_ms,
            kind: kind.to_owned(),
            name: name.to_owned(),
            run_id: self.runs.first().map(|run| run.run_id.clone()),
            request_id: None,
            project,
            fields,
        });
    }

    fn relate(&mut self) {
        let links: Vec<Link> = self
            .memories
            .iter()
            .map(|memory| Link {
                id: Some(memory.detail.row.id.clone()),
                title: memory.detail.row.title.clone(),
            })
            .collect();
        let count = links.len();
        for number in 0..count {
            let memory = &mut self.memories[number];
            for step in [1, 7] {
                let other = (number * 3 + step) % count;
                if number % 3 != 0 && other != number {
                    memory.detail.related.push(links[other].clone());
                }
            }
            if number % 11 == 5 {
                memory
                    .detail
                    .supersedes
                    .push(links[(number + 1) % count].clone());
                memory.detail.supersedes.push(Link {
                    id: None,
                    title: format!("An earlier text: {}", HOSTILE[number % HOSTILE.len()]),
                });
            }
            if memory.detail.row.status == Status::Superseded {
                memory.detail.superseded_by = Some(links[(number + count - 1) % count].clone());
            }
        }
    }
}

/// Returns the digest of a memory's invented file.
pub(crate) fn digest(row: &MemoryRow, body: &str) -> String {
    let mut hasher = DefaultHasher::new();
    (
        &row.title,
        body,
        &row.tags,
        &row.kind,
        format!("{:?}{:?}", row.status, row.trust),
    )
        .hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

/// Returns ids such as `01J000000000000000000A0003`, in the alphabet of ULIDs.
pub(crate) fn id(number: usize) -> String {
    let digits = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let digit = |shift: usize| digits[(number >> shift) % 32] as char;
    let end: String = [15, 10, 5, 0].into_iter().map(digit).collect();
    format!("01J000000000000000000A{end}")
}

/// Returns a deterministic pseudo-random number.
pub(crate) fn mix(number: usize, salt: u64) -> u64 {
    let mixed = (number as u64 ^ salt.rotate_left(17)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
}

fn memory(number: usize, now_ms: u64) -> Memory {
    let topic = &TOPICS[number % TOPICS.len()];
    let area = AREAS[(number / TOPICS.len()) % AREAS.len()];
    let round = number / (TOPICS.len() * AREAS.len());
    let hostile = (number % 9 == 4).then(|| HOSTILE[(number / 9) % HOSTILE.len()]);
    let mut title = topic.title.to_owned();
    if !area.is_empty() {
        title = format!("{title} ({area})");
    }
    if round > 0 {
        title = format!("{title} #{round}");
    }
    let mut body = topic.body.to_owned();
    if let Some(hostile) = hostile {
        title = format!("{title} {hostile}");
        body = format!("{body}\n\n{hostile}\n\n> quoted {hostile}\n\n```\n{hostile}\n```");
    }
    let created_ms = now_ms - (mix(number, 1) % 60) * DAY_MS;
    let age = (now_ms - created_ms) / DAY_MS;
    let confidence = 0.5 + (mix(number, 2) % 50) as f64 / 100.0;
    let status = match mix(number, 3) % 10 {
        0 => Status::Archived,
        1 => Status::Superseded,
        _ => Status::Active,
    };
    let trust = [
        Trust::Grounded,
        Trust::Untrusted,
        Trust::Confirmed,
        Trust::Grounded,
    ][number % 4];
    let session = number % 48;
    let agent = AGENTS[session % AGENTS.len()];
    let global = number % 13 == 12;
    let mut tags: Vec<String> = topic.tags.iter().map(|tag| (*tag).to_owned()).collect();
    if !area.is_empty() {
        tags.push(area.to_owned());
    }
    if number % 27 == 4 {
        tags.push("<i>tag</i>".to_owned());
    }
    let folder = match topic.memory_type {
        MemoryType::Decision => "decisions",
        MemoryType::Learning => "learnings",
        MemoryType::Summary => "summaries",
    };
    let stale = number % 8 == 6;
    let row = MemoryRow {
        id: id(number),
        scope: if global { "global" } else { "project" }.to_owned(),
        memory_type: topic.memory_type,
        kind: topic.kind.to_owned(),
        title,
        tags,
        trust,
        status,
        stale,
        confidence,
        effective_confidence: (confidence * 0.5_f64.powf(age as f64 / 90.0) * 1000.0).round()
            / 1000.0,
        created: day(created_ms),
        updated: day(created_ms + (age / 2) * DAY_MS),
        source: format!("{agent}/session-{session:03}"),
        path: format!("{folder}/{}-{number}.md", day(created_ms).replace('-', "")),
        open_proposals: u64::from(number % 10 == 3),
    };
    let run_id = format!("run-{:03}", number % 40);
    let evidence = (0..1 + number % 3).map(|quote| EvidenceQuote {
        agent: agent.to_owned(),
        session_id: format!("session-{session:03}"),
        run_id: run_id.clone(),
        role: ["user", "assistant", "tool"][quote].to_owned(),
        at_ms: Some(created_ms + quote as u64 * 60_000),
        quote: match hostile {
            Some(hostile) => format!("said {hostile}"),
            None => format!("we should say it like this: {}", topic.title.to_lowercase()),
        },
        event_id: format!("e{}", 2 + quote * 3),
    });
    let proposals = (number % 10 == 3).then(|| MemoryProposal {
        run_id: run_id.clone(),
        operation: ProposedOperation::Update,
        title: format!("{} (revised)", topic.title),
        body: format!("{}\n\nIt was said again, and more exactly.", topic.body),
        kind: topic.kind.to_owned(),
        tags: row.tags.clone(),
        confidence: 0.8,
        reason: "a later session says it differently; a person edited the file".to_owned(),
    });
    let detail = MemoryDetail {
        digest: digest(&row, &body),
        body,
        related: Vec::new(),
        supersedes: Vec::new(),
        superseded_by: None,
        evidence: evidence.collect(),
        proposals: proposals.into_iter().collect(),
        last_verified: number.is_multiple_of(2).then(|| day(now_ms - DAY_MS)),
        missing: if stale {
            vec!["src/queue.rs".to_owned(), "money::round".to_owned()]
        } else {
            Vec::new()
        },
        origin: stale.then(|| "from Ines <ines@example.com>, commit 0a1b2c3d4e5f".to_owned()),
        row,
    };
    Memory {
        project: (!global).then(|| PROJECTS[project_of(number)].to_owned()),
        detail,
        created_ms,
        archived_ms: (status != Status::Active).then(|| created_ms + age / 2 * DAY_MS),
    }
}

/// Most belong to the first project.
fn project_of(number: usize) -> usize {
    match number % 10 {
        7 | 8 => 1,
        9 => 2,
        _ => 0,
    }
}

fn session(number: usize, now_ms: u64) -> SessionRow {
    let states = [
        SessionState::Done,
        SessionState::Done,
        SessionState::New,
        SessionState::Queued,
        SessionState::Failed,
        SessionState::Waiting,
    ];
    let title = match number % 7 {
        0 => None,
        3 => Some(HOSTILE[number % HOSTILE.len()].to_owned()),
        _ => Some(format!(
            "{} — take {}",
            TOPICS[number % TOPICS.len()].title,
            number / 7 + 1
        )),
    };
    SessionRow {
        agent: AGENTS[number % AGENTS.len()].to_owned(),
        id: format!("session-{number:03}"),
        title,
        project: (number % 12 != 11).then(|| PROJECTS[project_of(number)].to_owned()),
        updated_ms: Some(now_ms - number as u64 * DAY_MS / 3),
        copy: match number % 5 {
            3 => SessionCopy::Rescued,
            4 => SessionCopy::AgentOnly,
            _ => SessionCopy::Archived,
        },
        state: states[number % states.len()],
        revision: Some(format!("{:08x}", mix(number, 9))),
        bytes: 20_000 + mix(number, 4) % 4_000_000,
    }
}

fn run(number: usize, now_ms: u64) -> RunRow {
    let failed = number % 9 == 8;
    let running = number == 0;
    let maintain = number % 6 == 5;
    let started_ms = now_ms - number as u64 * DAY_MS / 2 - 30_000;
    let counts = match maintain {
        true => {
            json!({ "merged": number % 3, "superseded": 1, "archived": 2, "proposed": 1, "related": 4, "stale": 1, "fresh": 0, "verified": 12 })
        }
        false => {
            json!({ "add": number % 5, "update": number % 3, "no_op": number % 4, "archived": 0 })
        }
    };
    RunRow {
        run_id: format!("run-{number:03}"),
        mode: if maintain { "maintain" } else { "sync" }.to_owned(),
        project: PROJECTS[project_of(number)].to_owned(),
        agent: (!maintain).then(|| AGENTS[number % AGENTS.len()].to_owned()),
        session_id: (!maintain).then(|| format!("session-{:03}", number % 48)),
        state: match (running, failed) {
            (true, _) => TaskState::Running,
            (_, true) => TaskState::Failed,
            _ => TaskState::Completed,
        },
        started_ms,
        finished_ms: (!running).then_some(started_ms + 4_000 + mix(number, 5) % 30_000),
        counts: counts.as_object().cloned().unwrap_or_default(),
        error: failed.then(|| {
            format!(
                "extractor `rules` failed: {}",
                HOSTILE[number % HOSTILE.len()]
            )
        }),
    }
}

fn queued(number: usize, now_ms: u64) -> QueueJob {
    let states = [
        TaskState::Queued,
        TaskState::Running,
        TaskState::Failed,
        TaskState::Queued,
        TaskState::Completed,
        TaskState::Failed,
        TaskState::Cancelled,
    ];
    let state = states[number % states.len()];
    let created_ms = now_ms - 600_000 * (number as u64 + 1);
    let ended = !matches!(state, TaskState::Queued | TaskState::Running);
    QueueJob {
        id: format!("{}", number + 1),
        agent: AGENTS[number % AGENTS.len()].to_owned(),
        session_id: format!("session-{:03}", number % 48),
        project: PROJECTS[project_of(number)].to_owned(),
        mode: ["sync", "hot", "cold"][number % 3].to_owned(),
        state,
        dead: state == TaskState::Failed,
        attempt: if state == TaskState::Failed {
            3
        } else {
            (number % 2) as u32
        },
        not_before_ms: (number % 7 == 3).then_some(now_ms + 60_000),
        created_ms,
        started_ms: (state != TaskState::Queued).then_some(created_ms + 5_000),
        finished_ms: ended.then_some(created_ms + 25_000),
        cause: (state == TaskState::Failed)
            .then(|| format!("plugin stopped: {}", HOSTILE[number % HOSTILE.len()])),
        run_id: (state != TaskState::Queued).then(|| format!("run-{number:03}")),
    }
}

fn connections() -> Vec<Connection> {
    let connection = |(number, agent): (usize, &&str)| Connection {
        agent: (*agent).to_owned(),
        adapter: format!("adapter-{agent}"),
        granted: number < 3,
        // The third is allowed, and not installed.
        roots: match number {
            2 => Vec::new(),
            _ => vec![format!("/home/sam/.{agent}/sessions")],
        },
        sessions: 12,
        deletes_after_days: (number == 0).then_some(30),
    };
    AGENTS.iter().enumerate().map(connection).collect()
}
