//! Contents of the world: settings, source files, memories with evidence and state, sessions, runs with artifacts, jobs
//! and briefs. Everything follows from a number, so that it is the same each time.

use acreta_service::process::clock::shown;
use acreta_service::projects::scopes;
use acreta_service::remember::trust;
use acreta_service::{Context, Process};
use acreta_state::{Catalog, NewRun, RunEnd, SessionKey};
use acreta_store::{
    ArchivedBy, ContributedCandidate, Contribution, EvidenceFile, Proposal, ProposalOperation,
    QuotedEvent, RepositoryPolicy, Sidecar, StateFile,
};
use acreta_types::{MemoryType, Status, WriteScope};
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::json;

use super::sessions::{SESSIONS, session_of};
use super::talk::{self, QUOTED};
use super::texts::{AREAS, CONFLICTS, HOSTILE, TOPICS};
use super::{PROJECTS, within};

pub(super) const DAY_MS: u64 = 86_400_000;
const RUNS: usize = 12;
const BRIEFS: usize = 3;

/// Source files of the first project.
const SOURCES: [(&str, &str); 3] = [
    (
        "Cargo.toml",
        "[package]\nname = \"lantern\"\nversion = \"0.1.0\"\nedition = \"2024\"\n",
    ),
    (
        "src/main.rs",
        "mod queue;\n\nfn main() {\n    queue::Queue::default().renew();\n}\n",
    ),
    (
        "src/queue.rs",
        "//! The queue of messages.\n\n#[derive(Default)]\npub struct Queue {\n    lease: u64,\n}\n\nimpl Queue {\n    pub fn renew(&mut self) {\n        self.lease += 1;\n    }\n}\n",
    ),
];

pub(crate) struct Contents<'a> {
    pub(crate) folder: &'a Utf8Path,
    pub(crate) process: &'a Process,
    pub(crate) now_ms: u64,
    /// Number of events of the longest session.
    pub(crate) longest: usize,
}

/// A memory before it is written.
struct Invented<'a> {
    number: usize,
    memory_type: MemoryType,
    kind: &'a str,
    title: String,
    body: String,
    tags: Vec<&'a str>,
    related: Vec<String>,
    status: Status,
    created_ms: u64,
    /// Who said what it quotes.
    role: &'static str,
    /// Title and body as an earlier session said them.
    before: Option<(&'a str, &'a str)>,
}

impl Contents<'_> {
    /// Writes everything, and returns the ids of jobs. A world without memories is empty.
    pub(crate) fn write(&self, memories: usize) -> Vec<String> {
        if memories == 0 {
            return Vec::new();
        }
        let settings = self.context(0).home.config_file();
        acreta_config::set(&settings, "llm.roles.extract.provider", "claude").unwrap();
        for (path, text) in SOURCES {
            write(&self.root(0).join(path), text.as_bytes());
        }
        let global = self.context(0).global_layout().memory_root();
        for number in 0..memories {
            self.memory(number, &global);
        }
        for (number, title) in CONFLICTS.as_flattened().iter().enumerate() {
            self.conflicting(memories + number, title);
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
        let jobs = self.sessions(memories);
        let context = self.context(0);
        let catalog = scopes::open_catalog(&context).unwrap();
        for number in 0..RUNS {
            self.run(number, &catalog);
        }
        for number in 0..BRIEFS {
            self.brief(number, &context);
        }
        jobs
    }

    pub(super) fn context(&self, project: usize) -> Context {
        Context::open(self.process, &self.root(project)).unwrap()
    }

    pub(super) fn root(&self, project: usize) -> Utf8PathBuf {
        within(self.folder, PROJECTS[project])
    }

    fn memory(&self, number: usize, global: &Utf8Path) {
        let topic = &TOPICS[number % TOPICS.len()];
        let area = AREAS[(number / TOPICS.len()) % AREAS.len()];
        let round = number / (TOPICS.len() * AREAS.len());
        let hostile = (number % 9 == 4).then(|| HOSTILE[(number / 9) % HOSTILE.len()]);
        let mut title = topic.title.to_owned();
        let mut body = topic.body.to_owned();
        // Memories that differ in a word or two contradict each other, as far as acreta can tell.
        if !area.is_empty() {
            title = format!("{title} (as it is in {area})");
            body = format!("{body}\n\nSeen near {}.", names(number));
        }
        // Most of a large world is short and waits for nobody.
        let is_plain = round > 0;
        if is_plain {
            title = names(number);
            body = format!("Seen near {}.", names(number + 1));
        }
        if let Some(hostile) = hostile {
            title = acreta_text::visible(&format!("{title} {hostile}"));
            body = format!("{body}\n\n{}", acreta_text::visible(hostile));
        }
        let mut tags: Vec<&str> = topic.tags.to_vec();
        tags.extend(Some(area).filter(|area| !area.is_empty()));
        let related = [number * 3 + 1, number * 3 + 7]
            .into_iter()
            .filter(|other| !number.is_multiple_of(3) && other % 96 != number)
            .map(|other| id(other % 96))
            .collect();
        let memory = Invented {
            number,
            memory_type: topic.memory_type,
            kind: topic.kind,
            title,
            body,
            tags,
            related,
            status: match mix(number, 3) % 10 {
                0 if number != 3 => Status::Archived,
                1 if number != 3 => Status::Superseded,
                _ => Status::Active,
            },
            created_ms: self.now_ms - (mix(number, 1) % 60) * DAY_MS,
            role: match number % 3 {
                _ if is_plain => "user",
                0 => "user",
                1 => "assistant",
                _ => "tool",
            },
            before: number
                .is_multiple_of(5)
                .then_some((topic.title, "It was said otherwise before.")),
        };
        let base = match number % 13 == 12 {
            true => self.folder.join("home"),
            false => self.root(project_of(number)).join(".acreta"),
        };
        let memory_root = match number % 13 == 12 {
            true => global.to_owned(),
            false => base.join("memory"),
        };
        self.put(&memory, &base, &memory_root, |state| {
            state.stale = number % 8 == 6;
            if state.stale {
                state.missing = vec!["src/lease.rs".to_owned(), "money::round".to_owned()];
            }
            match memory.status {
                Status::Archived => state.archived_by = Some(ArchivedBy::Person),
                Status::Superseded => state.superseded_by = Some(id(number.saturating_sub(1))),
                Status::Active if number % 11 == 5 => {
                    let earlier = format!("An earlier text: {}", HOSTILE[number % HOSTILE.len()]);
                    state.supersedes = vec![id(number + 1), acreta_text::visible(&earlier)];
                }
                Status::Active => {}
            }
            if number % 10 == 3 && !is_plain && topic.memory_type != MemoryType::Summary {
                state.proposals.push(Proposal {
                    run_id: format!("run-{:03}", number % RUNS),
                    operation: ProposalOperation::Update,
                    title: format!("{} (revised)", topic.title),
                    body: format!("{}\n\nIt was said again, and more exactly.", topic.body),
                    kind: topic.kind.to_owned(),
                    tags: memory.tags.iter().map(|tag| (*tag).to_owned()).collect(),
                    confidence: 0.8,
                    reason: "a later session says it differently".to_owned(),
                });
            }
        });
    }

    /// Writes one of two decisions that contradict each other and that nothing else waits for.
    fn conflicting(&self, number: usize, title: &str) {
        let base = self.root(0).join(".acreta");
        let memory = Invented {
            number,
            memory_type: MemoryType::Decision,
            kind: "",
            title: title.to_owned(),
            body: format!("{title}."),
            tags: vec!["operation"],
            related: Vec::new(),
            status: Status::Active,
            created_ms: self.now_ms - (number % 7) as u64 * DAY_MS,
            role: "user",
            before: None,
        };
        self.put(&memory, &base, &base.join("memory"), |_| {});
    }

    /// Writes a memory with its evidence and its state.
    fn put(
        &self,
        memory: &Invented<'_>,
        base: &Utf8Path,
        memory_root: &Utf8Path,
        state_of: impl FnOnce(&mut StateFile),
    ) {
        let (number, created_ms) = (memory.number, memory.created_ms);
        let age = (self.now_ms - created_ms) / DAY_MS;
        let folder = match (memory.memory_type, memory.status) {
            (MemoryType::Decision, Status::Archived) => "archived/decisions",
            (MemoryType::Learning, Status::Archived) => "archived/learnings",
            (MemoryType::Summary, Status::Archived) => "archived/summaries",
            (MemoryType::Decision, _) => "decisions",
            (MemoryType::Learning, _) => "learnings",
            (MemoryType::Summary, _) => "summaries",
        };
        let id = id(number);
        let (agent, session_id) = session_of(number % SESSIONS);
        let source = format!("{agent}/{session_id}");
        let kind = match memory.kind {
            "" => String::new(),
            kind => format!("kind: {kind}\n"),
        };
        let text = format!(
            "---\nid: {id}\ntitle: {}\n{kind}created: {}\nupdated: {}\nsource: {source}\nconfidence: {}\ntags: {}\nrelated: {}\n---\n\n{}\n",
            json!(memory.title),
            time(created_ms),
            time(created_ms + (age / 2) * DAY_MS),
            0.5 + (mix(number, 2) % 50) as f64 / 100.0,
            json!(memory.tags),
            json!(memory.related),
            memory.body,
        );
        let mut state = StateFile::new(&id, acreta_store::digest(&text));
        state.status = memory.status;
        state_of(&mut state);
        let said = |session: usize, title: &str, body: &str, at_ms: u64| Contribution {
            agent: session_of(session).0.to_owned(),
            session_id: session_of(session).1,
            run_id: format!("run-{:03}", number % RUNS),
            events: 24,
            last_ms: Some(at_ms),
            newest_ms: at_ms,
            created_ms: at_ms,
            found_by: Vec::new(),
            reading: None,
            candidate: ContributedCandidate {
                memory_type: memory.memory_type,
                kind: memory.kind.to_owned(),
                title: title.to_owned(),
                body: body.to_owned(),
                confidence: 0.8,
                tags: Vec::new(),
            },
            evidence: vec![QuotedEvent {
                event_id: QUOTED.to_owned(),
                record: String::new(),
                start: 0,
                end: 0,
                role: memory.role.to_owned(),
                at_ms: Some(at_ms),
                quote: talk::quote(TOPICS[session % TOPICS.len()].title),
            }],
        };
        let session = number % SESSIONS;
        let mut contributions = vec![said(session, &memory.title, &memory.body, created_ms)];
        if let Some((title, body)) = memory.before {
            let earlier = (session + 4) % SESSIONS;
            contributions.push(said(earlier, title, body, created_ms - DAY_MS));
        }
        let sidecar = Sidecar {
            id: id.clone(),
            state: Some(state),
            evidence: Some(EvidenceFile {
                id: id.clone(),
                contributions,
            }),
        };
        let day = shown(created_ms).replace('-', "");
        let name = format!("{}-{number}.md", day.get(..8).unwrap_or_default());
        let group = match memory.memory_type {
            MemoryType::Summary => "meta/summaries",
            _ => "meta/memories",
        };
        write(&memory_root.join(folder).join(name), text.as_bytes());
        write(
            &base.join(group).join(format!("{id}.json")),
            &sidecar.to_json(),
        );
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

    /// The log of briefs, as the hook writes it.
    fn brief(&self, number: usize, context: &Context) {
        let (agent, session) = session_of(number);
        let about = 3 + 16 * number;
        let line = json!({
            "at_ms": self.now_ms - (BRIEFS - number) as u64 * DAY_MS, "session": session, "agent": agent,
            "directory": "", "branch": "fix/queue", "base": "main", "changed": 2,
            "open": ["the retry test is still red"],
            "left_out": { "space": 2, "weak": 1, "doubtful": 0 }, "tokens": 40, "text": "Project memory",
            "lines": [{ "id": id(about), "text": TOPICS[3].title, "reason": "it is about `queue`, as the branch is" }],
        });
        let layout = context.layout(&context.project);
        let name = format!(
            "{}.given.jsonl",
            acreta_store::digest(layout.base().as_str())
        );
        let path = context.home.briefs().join(name);
        let known = std::fs::read_to_string(&path).unwrap_or_default();
        write(&path, format!("{known}{line}\n").as_bytes());
    }
}

/// Most belong to the first project.
pub(super) fn project_of(number: usize) -> usize {
    match number % 10 {
        7 | 8 => 1,
        9 => 2,
        _ => 0,
    }
}

/// Returns ids such as `01J000000000000000000A0003`, in the alphabet of ULIDs.
pub(super) fn id(number: usize) -> String {
    let digits = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
    let digit = |shift: usize| digits[(number >> shift) % 32] as char;
    let end: String = [15, 10, 5, 0].into_iter().map(digit).collect();
    format!("01J000000000000000000A{end}")
}

/// Returns five invented names, others for each number.
fn names(number: usize) -> String {
    const SYLLABLES: [&str; 16] = [
        "lo", "ka", "mi", "ne", "ru", "sa", "ti", "vo", "be", "du", "fa", "gi", "ho", "je", "po",
        "zu",
    ];
    let name = |salt| {
        let mixed = mix(number, salt) as usize;
        [mixed, mixed >> 4, mixed >> 8, mixed >> 12]
            .map(|part| SYLLABLES[part % 16])
            .concat()
    };
    [11, 12, 13, 14, 15].map(name).join(" ")
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
