//! Sessions of the world, in the state database and as traces, and what follows from them: jobs, readings that wait for
//! a model, offers to agents, and statements that were said once.

use std::sync::Arc;

use acreta_fs::{Directory, NoFaults, Stamp};
use acreta_redact::Redactor;
use acreta_service::projects::scopes;
use acreta_session_archive::{TraceArchive, TraceLimits, TraceMark};
use acreta_state::{
    Archive, ArchiveKind, Catalog, ClaimFilter, Discovery, Enqueued, Finding, Found, Lease,
    NewOffers, NewReading, PendingSighting, RecordedDirectory, Retry, SessionKey, TraceCursor,
    Wanted,
};
use acreta_store::{ContributedCandidate, Contribution, Layout};
use acreta_types::{Attrs, Cursor, EventSink, Identity, MemoryType, Reading, Session, Shortfall};
use camino::{Utf8Path, Utf8PathBuf};

use super::contents::{Contents, DAY_MS, id, project_of};
use super::talk;
use super::texts::{AGENTS, CONFLICTS, HOSTILE, SAID_ONCE, TOPICS};

/// A multiple of the number of topics: what a memory quotes is then in the first turn of its session.
pub(super) const SESSIONS: usize = 2 * TOPICS.len();

/// The one that is longer than all others; a job waits for it.
const LONGEST: usize = 1;

/// Sessions whose jobs wait in the queue, are a dead letter, and run. None of them was processed.
const QUEUED: [usize; 4] = [1, 4, 7, 10];
const DEAD: usize = 13;
const RUNNING: usize = 16;

const HOUR_MS: u64 = 3_600_000;

/// A folder that is gone, and whose sessions are known.
const GONE: &str = "/srv/gone/elsewhere";

impl Contents<'_> {
    /// Writes the sessions, and returns the ids of the jobs that wait.
    pub(super) fn sessions(&self, memories: usize) -> Vec<String> {
        let catalog = scopes::open_catalog(&self.context(0)).unwrap();
        for number in 0..SESSIONS {
            self.known(number, &catalog);
        }
        self.known_elsewhere(&catalog);
        for found in catalog.unassigned().unwrap() {
            if let RecordedDirectory::Directory(directory) = &found.place
                && let Some(project) = catalog.project_at(Utf8Path::new(directory)).unwrap()
            {
                catalog.assign_place(&found, None, project.id).unwrap();
            }
        }
        for number in 0..SESSIONS {
            let length = match number {
                LONGEST => self.longest,
                _ => 24 + (number * 37) % 200,
            };
            let trace = self.trace(number, &session_of(number).1, home_of(number), length);
            self.processed(number, trace, &catalog);
        }
        self.offers(memories, &catalog);
        self.said_once(&catalog);
        let lease = self.claim(DEAD, &catalog);
        let cause = format!("plugin stopped: {}", HOSTILE[0]);
        catalog
            .fail(&lease, &cause, Retry::Never, self.now_ms)
            .unwrap();
        self.claim(RUNNING, &catalog);
        QUEUED.map(|number| self.job(number, &catalog)).to_vec()
    }

    /// Returns the time of a session's last change: today, and then every other day at noon, so that no session of the
    /// world goes over midnight.
    fn updated_ms(&self, number: usize) -> u64 {
        match number {
            0 => self.now_ms,
            _ => (self.now_ms / DAY_MS - 2 * number as u64) * DAY_MS + DAY_MS / 2,
        }
    }

    fn known(&self, number: usize, catalog: &Catalog) {
        let (agent, id) = session_of(number);
        let root = home_of(number).map(|project| self.root(project));
        let title = match number % 7 {
            0 => None,
            3 => Some(HOSTILE[number % HOSTILE.len()].to_owned()),
            _ => Some(format!(
                "Take {number}: {}",
                TOPICS[number % TOPICS.len()].title
            )),
        };
        self.record(agent, &id, root, title, self.updated_ms(number), catalog);
    }

    /// Sessions of a folder that nobody registered, and of one that is gone.
    fn known_elsewhere(&self, catalog: &Catalog) {
        let unregistered = self.folder.join("code/unregistered");
        let identity = Identity::default();
        catalog
            .note_project(&unregistered, &identity, self.now_ms)
            .unwrap();
        let places = [unregistered, Utf8PathBuf::from(GONE)];
        for (number, place) in places.into_iter().enumerate() {
            let id = format!("elsewhere-{number}");
            let updated_ms = self.now_ms - 3 * DAY_MS;
            self.trace(0, &id, None, 24);
            self.record(AGENTS[0], &id, Some(place), None, updated_ms, catalog);
        }
    }

    fn record(
        &self,
        agent: &str,
        id: &str,
        root: Option<Utf8PathBuf>,
        title: Option<String>,
        updated_ms: u64,
        catalog: &Catalog,
    ) {
        let mut attrs = Attrs::default();
        if let Some(title) = title {
            attrs.push("title", title);
        }
        let found = Found {
            session: Session {
                id: id.to_owned(),
                agent: agent.to_owned(),
                path: format!("/sessions/{id}.jsonl"),
                project_dir: root.map(Utf8PathBuf::into_string),
                parent: None,
                started_ms: Some(updated_ms - HOUR_MS),
                updated_ms: Some(updated_ms),
                revision: "r1".to_owned(),
                attrs,
            },
            root: agent.to_owned(),
        };
        let discovery = Discovery {
            path: self.folder.join("sessions").join(format!("{id}.jsonl")),
            stamp: Stamp {
                bytes: 10,
                modified_ns: 1,
                changed_ns: 1,
                inode: 1,
            },
            finding: Finding::Sessions(vec![found]),
        };
        let adapter = format!("adapter-{agent}");
        catalog.record(&adapter, &[discovery], updated_ms).unwrap();
    }

    /// Writes a conversation as that of a numbered session; without a project, into the global memory.
    fn trace(&self, number: usize, id: &str, project: Option<usize>, length: usize) -> TraceMark {
        let agent = session_of(number).0;
        let context = self.context(0);
        let layout = match project {
            Some(project) => context.layout(&self.root(project)),
            None => context.global_layout(),
        };
        let traces = layout.base().join(layout.traces());
        let directory = Directory::open_or_create(&traces, NoFaults::shared()).unwrap();
        let redactor = Arc::new(Redactor::new(&[]).unwrap());
        let mut writer = TraceArchive::new(&directory)
            .write(agent, id, redactor, TraceLimits::default())
            .unwrap();
        let events = talk::conversation(number, agent, length, self.updated_ms(number));
        writer.emit(events).unwrap();
        let pending = writer.finish().unwrap();
        let mark = pending.mark();
        pending.keep().unwrap();
        mark
    }

    /// Two of three were processed, half of these archived; some of them without the model that should have read them.
    fn processed(&self, number: usize, trace: TraceMark, catalog: &Catalog) {
        if number % 3 == 1 {
            return;
        }
        let (agent, id) = session_of(number);
        let key = SessionKey::new(agent, id);
        catalog.mark_ran(&key, "r1", self.now_ms).unwrap();
        let cursor = TraceCursor {
            cursor: Cursor {
                offset: 0,
                state: Vec::new(),
            },
            trace_bytes: trace.bytes,
            trace_events: trace.events,
            trace_digest: trace.digest,
        };
        catalog.set_cursor(&key, Some(&cursor)).unwrap();
        if number.is_multiple_of(3) {
            let archive = Archive {
                digest: format!("{number:064x}"),
                kind: ArchiveKind::Trace,
                revision: "r1".to_owned(),
            };
            catalog.set_archived(&[(key, archive)]).unwrap();
        } else if number < 9 {
            let retry_at_ms = self.now_ms + HOUR_MS;
            let shortfall = Shortfall {
                code: "rate-limited".to_owned(),
                reason: "usage limit".to_owned(),
                model: "claude/haiku".to_owned(),
                retry_at_ms: Some(retry_at_ms),
            };
            let reading = NewReading {
                revision: "r1".to_owned(),
                reading: Reading::by_rules(),
                could_ask: true,
                run_id: format!("run-{number:03}"),
                waits: Some((shortfall, retry_at_ms)),
                yields: false,
            };
            catalog.put_reading(&key, &reading, self.now_ms).unwrap();
        }
    }

    /// Every memory was offered to a session and used in it, half of them to another one as well.
    fn offers(&self, memories: usize, catalog: &Catalog) {
        let project = self.root(0).into_string();
        let numbers = 0..memories + CONFLICTS.as_flattened().len();
        let ids: Vec<String> = numbers
            .filter(|number| *number < 100 || *number >= memories)
            .map(id)
            .collect();
        for step in [1, 2] {
            let subjects: Vec<&str> = ids.iter().step_by(step).map(String::as_str).collect();
            let (agent, session) = session_of(3 * step);
            let session = SessionKey::new(agent, session);
            let offers = NewOffers {
                session: &session,
                project: &project,
                moment: "start",
                subjects: &subjects,
                now_ms: self.now_ms,
            };
            catalog.note_offers(&offers).unwrap();
            catalog.note_used(&subjects, Some(&session), 0).unwrap();
        }
    }

    fn said_once(&self, catalog: &Catalog) {
        let layout = Layout::for_project(&self.root(0));
        for (number, said) in SAID_ONCE.iter().enumerate() {
            let (agent, session) = session_of(number);
            let at_ms = self.updated_ms(number);
            let candidate = ContributedCandidate {
                memory_type: MemoryType::Learning,
                kind: "convention".to_owned(),
                title: (*said).to_owned(),
                body: format!("{said}."),
                confidence: 0.6,
                tags: vec!["habits".to_owned()],
            };
            let contribution = Contribution {
                agent: agent.to_owned(),
                session_id: session.clone(),
                run_id: format!("run-{number:03}"),
                events: 24,
                last_ms: Some(at_ms),
                newest_ms: at_ms,
                created_ms: at_ms,
                found_by: Vec::new(),
                reading: None,
                candidate,
                evidence: Vec::new(),
            };
            let sighting = PendingSighting {
                id: format!("p-{number:012}"),
                agent: agent.to_owned(),
                session: session.clone(),
                event: "e0".to_owned(),
                quote: (*said).to_owned(),
                kind: "convention".to_owned(),
                title: (*said).to_owned(),
                contribution: serde_json::to_string(&contribution).unwrap(),
            };
            let key = SessionKey::new(agent, session);
            catalog
                .keep_pending(layout.base().as_str(), &key, &[sighting], &[], self.now_ms)
                .unwrap();
        }
    }

    /// Enqueues a session, and returns the id of the job.
    fn job(&self, number: usize, catalog: &Catalog) -> String {
        let (agent, id) = session_of(number);
        let project = catalog.project_at(&self.root(project_of(number))).unwrap();
        let wanted = Wanted {
            session: SessionKey::new(agent, id),
            project: project.unwrap().id,
            mode: "sync".to_owned(),
            revision: "r1".to_owned(),
        };
        match catalog.enqueue(&wanted, self.now_ms).unwrap() {
            Enqueued::New(job) => job,
            other => panic!("not enqueued: {other:?}"),
        }
    }

    /// Enqueues a session, and lets a worker claim its job.
    fn claim(&self, number: usize, catalog: &Catalog) -> Lease {
        self.job(number, catalog);
        let (agent, id) = session_of(number);
        let filter = ClaimFilter {
            sessions: Some(vec![SessionKey::new(agent, id)]),
            ..ClaimFilter::default()
        };
        let lease = catalog.claim("worker", HOUR_MS, self.now_ms, &filter);
        lease.unwrap().unwrap()
    }
}

pub(super) fn session_of(number: usize) -> (&'static str, String) {
    (
        AGENTS[number % AGENTS.len()],
        format!("session-{number:03}"),
    )
}

/// Returns the project of a session, if it has one.
fn home_of(number: usize) -> Option<usize> {
    (number % 12 != 11).then(|| project_of(number))
}
