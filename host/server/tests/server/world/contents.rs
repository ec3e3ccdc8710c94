//! What the world holds: memories with evidence and state, sessions with conversations, runs with artifacts, jobs and
//! briefs. Everything follows from a number, so that it is the same each time.

use std::sync::Arc;

use acreta_fs::{Directory, NoFaults, Stamp};
use acreta_redact::Redactor;
use acreta_service::process::clock::shown;
use acreta_service::projects::scopes;
use acreta_service::remember::trust;
use acreta_service::{Context, Process};
use acreta_session_archive::{TraceArchive, TraceLimits};
use acreta_state::{
    Catalog, Discovery, Enqueued, Finding, Found, NewRun, ProjectId, RecordedDirectory, RunEnd,
    SessionKey, Wanted,
};
use acreta_store::{
    ArchivedBy, ContributedCandidate, Contribution, EvidenceFile, Proposal, ProposalOperation,
    QuotedEvent, RepositoryPolicy, Sidecar, StateFile,
};
use acreta_types::{Attrs, Event, EventSink, MemoryType, Origin, Session, Status, WriteScope};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::json;

use super::texts::{AGENTS, AREAS, HOSTILE, TOPICS};
use super::{PROJECTS, within};

const DAY_MS: u64 = 86_400_000;
const SESSIONS: usize = 24;
const RUNS: usize = 12;
const JOBS: usize = 4;

pub(crate) struct Contents<'a> {
    pub(crate) folder: &'a Utf8Path,
    pub(crate) process: &'a Process,
    pub(crate) now_ms: u64,
}

impl Contents<'_> {
    /// Writes everything, and returns the ids of jobs. A world without memories is empty.
    pub(crate) fn write(&self, memories: usize) -> Vec<String> {
        if memories == 0 {
            return Vec::new();
        }
        for number in 0..memories {
            self.memory(number);
        }
        for project in 0..PROJECTS.len() {
            let context = self.context(project);
            trust::accept(
                Some(RepositoryPolicy::Accept),
                WriteScope::Project,
                &context,
            )
            .unwrap();
        }
        let context = self.context(0);
        let catalog = scopes::open_catalog(&context).unwrap();
        let projects: Vec<ProjectId> = (0..PROJECTS.len())
            .map(|number| catalog.project_at(&self.root(number)).unwrap().unwrap().id)
            .collect();
        for number in 0..SESSIONS {
            self.session(number, &catalog);
        }
        for number in 0..RUNS {
            self.run(number, &catalog);
        }
        self.brief(&context);
        (0..JOBS)
            .map(|number| self.job(number, &projects, &catalog))
            .collect()
    }

    fn context(&self, project: usize) -> Context {
        Context::open(self.process, &self.root(project)).unwrap()
    }

    fn root(&self, project: usize) -> Utf8PathBuf {
        within(self.folder, PROJECTS[project])
    }

    fn memory(&self, number: usize) {
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
            title = acreta_text::visible(&format!("{title} {hostile}"));
            body = format!("{body}\n\n{}", acreta_text::visible(hostile));
        }
        let id = id(number);
        let created_ms = self.now_ms - (mix(number, 1) % 60) * DAY_MS;
        let age = (self.now_ms - created_ms) / DAY_MS;
        let status = match mix(number, 3) % 10 {
            0 if number != 3 => Status::Archived,
            1 if number != 3 => Status::Superseded,
            _ => Status::Active,
        };
        let mut tags: Vec<&str> = topic.tags.to_vec();
        tags.extend(Some(area).filter(|area| !area.is_empty()));
        let related: Vec<String> = [number * 3 + 1, number * 3 + 7]
            .into_iter()
            .filter(|other| !number.is_multiple_of(3) && other % 96 != number)
            .map(|other| self::id(other % 96))
            .collect();
        let folder = match (topic.memory_type, status) {
            (MemoryType::Decision, Status::Archived) => "archived/decisions",
            (MemoryType::Learning, Status::Archived) => "archived/learnings",
            (MemoryType::Summary, Status::Archived) => "archived/summaries",
            (MemoryType::Decision, _) => "decisions",
            (MemoryType::Learning, _) => "learnings",
            (MemoryType::Summary, _) => "summaries",
        };
        let session = number % SESSIONS;
        let (agent, session_id) = session_of(session);
        let kind = match topic.kind {
            "" => String::new(),
            kind => format!("kind: {kind}\n"),
        };
        let text = format!(
            "---\nid: {id}\ntitle: {}\n{kind}created: {}\nupdated: {}\nsource: {agent}/{session_id}\nconfidence: {}\ntags: {}\nrelated: {}\n---\n\n{body}\n",
            json!(title),
            time(created_ms),
            time(created_ms + (age / 2) * DAY_MS),
            0.5 + (mix(number, 2) % 50) as f64 / 100.0,
            json!(tags),
            json!(related),
        );
        let mut state = StateFile::new(&id, acreta_store::digest(&text));
        state.status = status;
        state.stale = number % 8 == 6;
        if state.stale {
            state.missing = vec!["src/queue.rs".to_owned(), "money::round".to_owned()];
        }
        match status {
            Status::Archived => state.archived_by = Some(ArchivedBy::Person),
            Status::Superseded => state.superseded_by = Some(self::id(number.saturating_sub(1))),
            Status::Active => {}
        }
        if number % 10 == 3 {
            state.proposals.push(Proposal {
                run_id: format!("run-{:03}", number % RUNS),
                operation: ProposalOperation::Update,
                title: format!("{} (revised)", topic.title),
                body: format!("{}\n\nIt was said again, and more exactly.", topic.body),
                kind: topic.kind.to_owned(),
                tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
                confidence: 0.8,
                reason: "a later session says it differently".to_owned(),
            });
        }
        let role = ["user", "assistant", "tool"][number % 3];
        let quote = QuotedEvent {
            event_id: "e2".to_owned(),
            record: String::new(),
            start: 0,
            end: 0,
            role: role.to_owned(),
            at_ms: Some(created_ms),
            quote: format!("we should say it like this: {}", topic.title.to_lowercase()),
        };
        let contribution = Contribution {
            agent: agent.to_owned(),
            session_id,
            run_id: format!("run-{:03}", number % RUNS),
            events: 24,
            last_ms: Some(created_ms),
            newest_ms: created_ms,
            created_ms,
            found_by: Vec::new(),
            reading: None,
            candidate: ContributedCandidate {
                memory_type: topic.memory_type,
                kind: topic.kind.to_owned(),
                title: topic.title.to_owned(),
                body: topic.body.to_owned(),
                confidence: 0.8,
                tags: Vec::new(),
            },
            evidence: vec![quote],
        };
        let evidence = EvidenceFile {
            id: id.clone(),
            contributions: vec![contribution],
        };
        let sidecar = Sidecar {
            id: id.clone(),
            state: Some(state),
            evidence: Some(evidence),
        };
        let base = match number % 13 == 12 {
            true => self.folder.join("home"),
            false => self.root(project_of(number)).join(".acreta"),
        };
        let day = shown(created_ms).replace('-', "");
        let name = format!("{}-{number}.md", day.get(..8).unwrap_or_default());
        let memory_root = match number % 13 == 12 {
            true => self.context(0).global_layout().memory_root(),
            false => base.join("memory"),
        };
        let group = match topic.memory_type {
            MemoryType::Summary => "meta/summaries",
            _ => "meta/memories",
        };
        write(&memory_root.join(folder).join(name), text.as_bytes());
        write(
            &base.join(group).join(format!("{id}.json")),
            &sidecar.to_json(),
        );
    }

    fn session(&self, number: usize, catalog: &Catalog) {
        let (agent, id) = session_of(number);
        let project = (number % 12 != 11).then(|| self.root(project_of(number)));
        let updated_ms = self.now_ms - number as u64 * DAY_MS / 3;
        let found = Found {
            session: Session {
                id: id.clone(),
                agent: agent.to_owned(),
                path: format!("/sessions/{id}.jsonl"),
                project_dir: project.as_ref().map(ToString::to_string),
                parent: None,
                started_ms: Some(updated_ms - 3_600_000),
                updated_ms: Some(updated_ms),
                revision: "r1".to_owned(),
                attrs: Attrs::default(),
            },
            root: agent.to_owned(),
        };
        let discovery = Discovery {
            path: self.folder.join("sessions").join(format!("{id}.jsonl")),
            stamp: Stamp {
                bytes: 10,
                modified_ns: 1,
                changed_ns: 1,
                inode: number as u64,
            },
            finding: Finding::Sessions(vec![found]),
        };
        let adapter = format!("adapter-{agent}");
        catalog.record(&adapter, &[discovery], updated_ms).unwrap();
        for found in catalog.unassigned().unwrap() {
            let RecordedDirectory::Directory(directory) = &found.place else {
                continue;
            };
            let project = catalog.project_at(Utf8Path::new(directory)).unwrap();
            catalog
                .assign_place(&found, None, project.unwrap().id)
                .unwrap();
        }
        let Some(project) = project else { return };
        if number.is_multiple_of(3) {
            let key = SessionKey::new(agent, &id);
            catalog.mark_ran(&key, "r1", self.now_ms).unwrap();
        }
        let traces = project.join(".acreta/meta/traces/sessions");
        std::fs::create_dir_all(&traces).unwrap();
        let directory = Directory::open(&traces, NoFaults::shared()).unwrap();
        let archive = TraceArchive::new(&directory);
        let redactor = Arc::new(Redactor::new(&[]).unwrap());
        let mut writer = archive
            .write(agent, &id, redactor, TraceLimits::default())
            .unwrap();
        let length = 24 + (number * 37) % 200;
        let begun = updated_ms - length as u64 * 20_000;
        let events = (0..length)
            .map(|index| event(number, index, begun))
            .collect();
        writer.emit(events).unwrap();
        writer.finish().unwrap().keep().unwrap();
    }

    fn run(&self, number: usize, catalog: &Catalog) {
        let run_id = format!("run-{number:03}");
        let folder = self.folder.join("home/runs").join(&run_id);
        let (agent, session) = session_of(number);
        let started_ms = self.now_ms - number as u64 * DAY_MS / 2 - 30_000;
        let report = json!({
            "actions": [{
                "action": "add", "title": TOPICS[number].title, "reason": "said by the user",
                "memory_id": id(number), "path": "decisions/a.md",
            }],
            "todos": [{ "step": "extract", "state": "done" }, { "step": "commit", "state": "done" }],
            "metrics": {
                "plugins": [{
                    "id": "extractor-rules", "calls": 2, "guest_ms": 40, "peak_memory_bytes": 2_000_000,
                    "denied": [{ "operation": "open", "path": HOSTILE[number % HOSTILE.len()], "count": 1 }],
                }],
                "llm": { "calls": 2, "input_tokens": 4000, "output_tokens": 300, "cost_dollars": 0.01 },
            },
        });
        let extract = json!({ "candidates": [
            { "kept": true, "type": "decision", "title": TOPICS[number].title, "body": "", "evidence": [] },
            { "kept": false, "type": "learning", "title": HOSTILE[0], "body": "", "evidence": [] },
        ] });
        write(
            &folder.join("memory_actions.json"),
            report.to_string().as_bytes(),
        );
        write(&folder.join("extract.json"), extract.to_string().as_bytes());
        write(&folder.join("agent.log"), b"one line\nand another\n");
        let run = NewRun {
            run_id: run_id.clone(),
            mode: "sync".to_owned(),
            project_root: self.root(project_of(number)),
            folder,
            session: Some(SessionKey::new(agent, session)),
        };
        catalog.begin_run(&run, started_ms).unwrap();
        let end = match number % 9 {
            8 => RunEnd::Failed(format!("extractor `rules` failed: {}", HOSTILE[0])),
            _ => RunEnd::Completed(json!({ "add": number % 5, "update": 1, "no_op": 0 })),
        };
        catalog
            .finish_run(&run_id, &end, started_ms + 4_000)
            .unwrap();
    }

    fn job(&self, number: usize, projects: &[ProjectId], catalog: &Catalog) -> String {
        // Sessions that were not processed.
        let place = number * 3 + 1;
        let (agent, id) = session_of(place);
        let wanted = Wanted {
            session: SessionKey::new(agent, id),
            project: projects[project_of(place)],
            mode: "sync".to_owned(),
            revision: "r1".to_owned(),
        };
        match catalog.enqueue(&wanted, self.now_ms).unwrap() {
            Enqueued::New(job) => job,
            other => panic!("not enqueued: {other:?}"),
        }
    }

    /// The log of briefs, as the hook writes it.
    fn brief(&self, context: &Context) {
        let line = json!({
            "at_ms": self.now_ms, "session": "session-000", "agent": "claude", "directory": "", "changed": 0,
            "open": [], "left_out": { "space": 2, "weak": 1, "doubtful": 0 }, "tokens": 40, "text": "Project memory",
            "lines": [{ "id": id(3), "text": TOPICS[3].title, "reason": "it is about this project" }],
        });
        let layout = context.layout(&context.project);
        let name = format!(
            "{}.given.jsonl",
            acreta_store::digest(layout.base().as_str())
        );
        write(
            &context.home.briefs().join(name),
            format!("{line}\n").as_bytes(),
        );
    }
}

fn event(session: usize, index: usize, begun: u64) -> Event {
    let topic = &TOPICS[(session + index / 6) % TOPICS.len()];
    let (role, kind, text) = match index % 6 {
        0 => (
            "user",
            "text",
            format!("Please look at this: {}?", topic.title),
        ),
        1 => (
            "assistant",
            "thinking",
            "Something stays behind.".to_owned(),
        ),
        2 => (
            "assistant",
            "text",
            format!(
                "we should say it like this: {}\n\n{}",
                topic.title.to_lowercase(),
                topic.body
            ),
        ),
        3 => (
            "assistant",
            "tool-call",
            json!({ "file_path": "src/queue.rs", "old_string": "lease", "new_string": "token" })
                .to_string(),
        ),
        4 => (
            "tool",
            "tool-result",
            format!("src/queue.rs:{index}: let lease = token;\n"),
        ),
        _ => (
            "user",
            "text",
            format!("said {}", HOSTILE[(session + index) % HOSTILE.len()]),
        ),
    };
    let mut attrs = Attrs::default();
    if kind.starts_with("tool") {
        attrs.push("tool", "Edit");
        attrs.push("call_id", format!("call-{}", index / 6));
    }
    Event {
        id: format!("e{index}"),
        origin: Origin {
            record: String::new(),
            start: 0,
            end: 0,
        },
        role: role.to_owned(),
        kind: kind.to_owned(),
        at_ms: Some(begun + index as u64 * 20_000),
        text,
        attrs,
    }
}

fn session_of(number: usize) -> (&'static str, String) {
    (
        AGENTS[number % AGENTS.len()],
        format!("session-{number:03}"),
    )
}

/// Most belong to the first project.
fn project_of(number: usize) -> usize {
    match number % 10 {
        7 | 8 => 1,
        9 => 2,
        _ => 0,
    }
}

/// Returns ids such as `01J000000000000000000A0003`, in the alphabet of ULIDs.
fn id(number: usize) -> String {
    let digits = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let digit = |shift: usize| digits[(number >> shift) % 32] as char;
    let end: String = [15, 10, 5, 0].into_iter().map(digit).collect();
    format!("01J000000000000000000A{end}")
}

/// Returns a deterministic pseudo-random number.
fn mix(number: usize, salt: u64) -> u64 {
    let mixed = (number as u64 ^ salt.rotate_left(17)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9) >> 33
}

fn time(ms: u64) -> String {
    format!("{}:00Z", shown(ms).replace(' ', "T"))
}

#[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
fn write(path: &Utf8Path, bytes: &[u8]) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, bytes).unwrap();
}
