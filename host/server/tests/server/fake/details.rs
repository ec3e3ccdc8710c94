//! The invented world as seen through each endpoint.

use std::collections::BTreeMap;

use acreta_server::api::*;
use serde_json::{Map, Value, json};

use crate::fake::day::{DAY_MS, day};
use crate::fake::texts::{AGENTS, HOSTILE, TOPICS};
use crate::fake::world::{Memory, World, mix};
use crate::fake::{belongs, scope_of};

pub(crate) fn status(world: &World) -> ServiceStatus {
    let mut sessions: BTreeMap<(String, String), SessionTotals> = BTreeMap::new();
    for session in &world.sessions {
        let key = (session.agent.clone(), format!("{:?}", session.state));
        let line = sessions.entry(key).or_insert_with(|| SessionTotals {
            agent: session.agent.clone(),
            state: session.state,
            sessions: 0,
        });
        line.sessions += 1;
    }
    let jobs = |state| world.queue.iter().filter(|job| job.state == state).count() as u64;
    let waiting = world
        .queue
        .iter()
        .filter(|job| job.state == TaskState::Queued);
    let memories = |wanted: &dyn Fn(&MemoryRow) -> bool| {
        world
            .memories
            .iter()
            .filter(|memory| wanted(&memory.detail.row))
            .count() as u64
    };
    ServiceStatus {
        review: ReviewCounts::default(),
        projects: world
            .projects
            .iter()
            .filter(|(_, registered)| *registered)
            .count() as u64,
        sessions: sessions.into_values().collect(),
        queue: QueueTotals {
            queued: jobs(TaskState::Queued),
            running: jobs(TaskState::Running),
            failed: 0,
            dead: jobs(TaskState::Failed),
            oldest_queued_ms: waiting.map(|job| job.created_ms).min(),
        },
        memories: MemoryTotals {
            active: memories(&|row| row.status == Status::Active),
            archived: memories(&|row| row.status == Status::Archived),
            untrusted: memories(&|row| row.trust == Trust::Untrusted),
            stale: memories(&|row| row.stale),
        },
    }
}

pub(crate) fn overview(world: &World, project: &str) -> Overview {
    let memories: Vec<&Memory> = world
        .memories
        .iter()
        .filter(|memory| belongs(memory, project))
        .collect();
    let count = |wanted: &dyn Fn(&MemoryRow) -> bool| {
        memories
            .iter()
            .filter(|memory| wanted(&memory.detail.row))
            .count() as u64
    };
    let growth = (0..60).rev().map(|ago| {
        let end = world.now_ms - ago * DAY_MS;
        let begin = end - DAY_MS;
        let on = |ms: u64| ms > begin && ms <= end;
        let added = memories
            .iter()
            .filter(|memory| on(memory.created_ms))
            .count() as u64;
        let archived = memories
            .iter()
            .filter(|memory| memory.archived_ms.is_some_and(on))
            .count() as u64;
        let active = memories
            .iter()
            .filter(|memory| {
                memory.created_ms <= end && memory.archived_ms.is_none_or(|ms| ms > end)
            })
            .count() as u64;
        GrowthDay {
            day: day(end),
            added,
            archived,
            active,
        }
    });
    let decay = (0..10).map(|bar| {
        let (from, to) = (f64::from(bar) / 10.0, f64::from(bar + 1) / 10.0);
        let fits = |row: &MemoryRow| {
            row.effective_confidence >= from && (row.effective_confidence < to || bar == 9)
        };
        DecayBar {
            from,
            to,
            memories: count(&fits),
        }
    });
    let sessions = (0..30).flat_map(|ago| {
        AGENTS
            .iter()
            .enumerate()
            .map(move |(number, agent)| (ago, number, *agent))
    });
    let sessions = sessions.map(|(ago, number, agent)| SessionDay {
        day: day(world.now_ms - ago as u64 * DAY_MS),
        agent: agent.to_owned(),
        sessions: mix(ago * 4 + number, 8) % 6,
    });
    let days: Vec<CostDay> = (0..30)
        .rev()
        .map(|ago| CostDay {
            day: day(world.now_ms - ago as u64 * DAY_MS),
            calls: mix(ago, 6) % 40,
            input_tokens: mix(ago, 6) % 40 * 1800,
            output_tokens: mix(ago, 6) % 40 * 240,
            dollars: Some((mix(ago, 6) % 40) as f64 * 0.011),
        })
        .collect();
    let total = CostTotal {
        calls: days.iter().map(|day| day.calls).sum(),
        input_tokens: days.iter().map(|day| day.input_tokens).sum(),
        output_tokens: days.iter().map(|day| day.output_tokens).sum(),
        dollars: Some(days.iter().filter_map(|day| day.dollars).sum()),
    };
    let denied = (0..6).map(|number| DeniedRow {
        plugin: format!("adapter-{}", AGENTS[number % AGENTS.len()]),
        operation: ["open", "stat", "read-dir"][number % 3].to_owned(),
        path: format!("/home/sam/.ssh/{}", HOSTILE[number % HOSTILE.len()]),
        count: 1 + number as u64,
        run_id: format!("run-{number:03}"),
    });
    let runs = |state| world.runs.iter().filter(|run| run.state == state).count() as u64;
    let types = [
        MemoryType::Decision,
        MemoryType::Learning,
        MemoryType::Summary,
    ];
    let trusts = [
        Trust::Untrusted,
        Trust::Grounded,
        Trust::Reviewed,
        Trust::Confirmed,
    ];
    Overview {
        memories: MemoryCounts {
            by_type: types
                .map(|memory_type| TypeCount {
                    memory_type,
                    memories: count(&|row| row.memory_type == memory_type),
                })
                .to_vec(),
            by_trust: trusts
                .map(|trust| TrustCount {
                    trust,
                    memories: count(&|row| row.trust == trust),
                })
                .to_vec(),
            active: count(&|row| row.status == Status::Active),
            archived: count(&|row| row.status == Status::Archived),
            stale: count(&|row| row.stale),
        },
        growth: growth.collect(),
        decay: decay.collect(),
        sessions: sessions.collect(),
        runs: RunCounts {
            completed: runs(TaskState::Completed),
            failed: runs(TaskState::Failed),
            recent: world.runs.iter().take(8).cloned().collect(),
        },
        cost: Cost { days, total },
        waiting_for_model: vec![WaitingForModel {
            sessions: 3,
            message: "3 sessions wait for a model: usage limit of claude".to_owned(),
        }],
        denied: denied.collect(),
    }
}

pub(crate) fn search(world: &World, query: &SearchQuery, project: &str) -> SearchPage {
    let words: Vec<String> = query
        .q
        .to_lowercase()
        .split_whitespace()
        .map(str::to_owned)
        .collect();
    let mut hits: Vec<SearchHit> = Vec::new();
    for memory in world
        .memories
        .iter()
        .filter(|memory| belongs(memory, project))
    {
        let row = &memory.detail.row;
        let text = format!("{} {}", row.title, memory.detail.body).to_lowercase();
        let found = words
            .iter()
            .filter(|word| text.contains(word.as_str()))
            .count();
        let agent = row.source.split('/').next().unwrap_or("");
        let fits = found > 0
            && row.status == query.status.unwrap_or(Status::Active)
            && query.trust.is_none_or(|wanted| row.trust == wanted)
            && query
                .memory_type
                .is_none_or(|wanted| row.memory_type == wanted)
            && query
                .kind
                .as_ref()
                .is_none_or(|kind| row.kind == kind.as_str())
            && query
                .tag
                .as_ref()
                .is_none_or(|tag| row.tags.iter().any(|own| own == tag.as_str()))
            && query
                .agent
                .as_ref()
                .is_none_or(|wanted| agent == wanted.as_str());
        if !fits {
            continue;
        }
        let snippet: String = memory.detail.body.chars().take(200).collect();
        // Lower case of ASCII only, so that byte positions stay valid.
        let lower = snippet.to_ascii_lowercase();
        let marks = words.iter().filter_map(|word| {
            let from = lower.find(word.as_str())?;
            Some((from as u64, (from + word.len()) as u64))
        });
        hits.push(SearchHit {
            id: row.id.clone(),
            scope: scope_of(memory, project),
            memory_type: row.memory_type,
            kind: row.kind.clone(),
            title: row.title.clone(),
            path: row.path.clone(),
            trust: row.trust,
            status: row.status,
            score: found as f64 / words.len() as f64 * row.effective_confidence,
            marks: marks.collect(),
            snippet,
        });
    }
    hits.sort_by(|one, other| other.score.total_cmp(&one.score));
    let (offset, limit) = (query.offset.get() as usize, query.limit.get() as usize);
    let more = hits.len() > offset.saturating_add(limit);
    SearchPage {
        query: query.q.to_string(),
        hits: hits.into_iter().skip(offset).take(limit).collect(),
        more,
    }
}

pub(crate) fn ask(world: &World, question: &str, project: &str) -> AskAnswer {
    let known = question.to_lowercase().contains("queue");
    let mut memories = world
        .memories
        .iter()
        .filter(|memory| belongs(memory, project));
    let source = memories.find(|_| known).map(|memory| &memory.detail.row);
    let answer = match known {
        true => format!("The queue is kept in SQLite [1]. {}", HOSTILE[0]),
        false => String::new(),
    };
    let sources = source.into_iter().map(|row| AskSource {
        number: 1,
        id: row.id.clone(),
        scope: row.scope.clone(),
        title: row.title.clone(),
        path: row.path.clone(),
        trust: row.trust,
        passage: String::new(),
        sure: 0,
    });
    AskAnswer {
        question: question.to_owned(),
        answered: known,
        nearest: Vec::new(),
        answer,
        sources: sources.collect(),
        by: "passages".to_owned(),
    }
}

pub(crate) fn projects(world: &World) -> Vec<ProjectRow> {
    let row = |(path, registered): &(String, bool)| ProjectRow {
        path: path.clone(),
        registered: *registered,
        exists: !path.starts_with("/srv/gone"),
        sessions: world
            .sessions
            .iter()
            .filter(|session| session.project.as_ref() == Some(path))
            .count() as u64,
        memories: world
            .memories
            .iter()
            .filter(|memory| memory.project.as_ref() == Some(path))
            .count() as u64,
        trusted: world.trusted.contains(path),
        current: world
            .projects
            .first()
            .is_some_and(|(first, _)| first == path),
    };
    world.projects.iter().map(row).collect()
}

pub(crate) fn session(world: &World, row: SessionRow) -> SessionDetail {
    let source = format!("{}/{}", row.agent, row.id);
    let memories = world.memories.iter().map(|memory| &memory.detail);
    let memories = memories.filter(|memory| memory.row.source == source);
    let memories = memories.take(20).map(|memory| SessionMemory {
        id: memory.row.id.clone(),
        title: memory.row.title.clone(),
        memory_type: memory.row.memory_type,
        kind: memory.row.kind.clone(),
        events: memory
            .evidence
            .iter()
            .map(|quote| quote.event_id.clone())
            .collect(),
    });
    let runs = world
        .runs
        .iter()
        .filter(|run| run.session_id.as_ref() == Some(&row.id));
    SessionDetail {
        memories: memories.collect(),
        runs: runs.cloned().collect(),
        row,
    }
}

pub(crate) fn run(row: &RunRow) -> RunDetail {
    let steps = [
        "validate",
        "normalise",
        "extract",
        "summarise",
        "explore",
        "decide",
        "write",
        "report",
    ];
    let failed = row.state == TaskState::Failed;
    let todos: Vec<Value> = steps
        .iter()
        .enumerate()
        .map(|(number, step)| {
            let state = match failed {
                true if number == 2 => "failed",
                true if number > 2 => "skipped",
                _ => "completed",
            };
            json!({ "step": step, "state": state })
        })
        .collect();
    let plugin = |id: &str, role: &str, milliseconds: u64| json!({ "id": id, "role": role, "calls": 4, "guest_ms": milliseconds, "host_ms": 12, "peak_memory_bytes": 7_340_032, "emitted_bytes": 48_000, "log_bytes_dropped": 0, "denied": [{ "operation": "open", "path": HOSTILE[1], "count": 2 }] });
    let plugins = [
        plugin("adapter-claude", "adapter", 210),
        plugin("extractor-rules", "extractor", 640),
        plugin("writer", "memory-writer", 35),
    ];
    let actions = (0..4).map(|number| {
        let topic = &TOPICS[number];
        json!({ "candidate_id": format!("c{number}"), "action": (["add", "update", "no_op", "add"][number]), "memory_id": crate::fake::world::id(number), "path": format!("learnings/{number}.md"), "overlap": 0.2 * number as f64, "reason": format!("{}: {}", topic.title, HOSTILE[number]) })
    });
    let actions: Vec<Value> = actions.collect();
    let report = json!({
        "run_id": row.run_id,
        "trace_path": "meta/traces/sessions/claude/session.jsonl",
        "todos": todos,
        "actions": actions,
        "counts": row.counts,
        "written_memory_paths": ["learnings/0.md"],
        "summary_path": "summaries/1.md",
        "metrics": { "candidates": 6, "summaries": 1, "denied": 2, "explorer_fan_out": 3, "explorer_ms": 80, "total_ms": 4200, "plugins": plugins, "llm": { "calls": 3, "input_tokens": 5400, "output_tokens": 720, "cached": 1, "cost_dollars": 0.03, "failed": 0 } },
    });
    let log = steps.iter().enumerate().map(|(number, step)| {
        format!(
            "ts=2026-01-31T12:00:{number:02}Z level=info run={} step={step} ms={}",
            row.run_id,
            40 * number
        )
    });
    let mut log: Vec<String> = log.collect();
    log.push(format!(
        "level=warn plugin=extractor-rules message=\"{}\"",
        HOSTILE[4]
    ));
    let candidates = (0..6).map(|number| {
        let topic = &TOPICS[number];
        let kept = number != 2;
        let reason = if kept { "" } else { "near-duplicate of c1" };
        json!({ "id": format!("c{number}"), "type": topic.memory_type, "kind": topic.kind, "title": topic.title, "body": topic.body, "confidence": 0.7, "tags": topic.tags, "evidence": [{ "event_id": "e2", "quote": HOSTILE[number] }], "kept": kept, "reason": reason })
    });
    let findings = (0..3).map(|number| {
        json!({ "candidate_id": format!("c{number}"), "action_hint": "update", "matched_file": "learnings/0.md", "overlap": 0.4, "evidence": HOSTILE[number] })
    });
    let artifacts = [
        "agent.log",
        "extract.json",
        "memory_actions.json",
        "session.log",
        "subagents.log",
        "summary.json",
    ];
    RunDetail {
        steps: (0..)
            .zip(steps)
            .map(|(index, step)| StepTime {
                step: step.to_owned(),
                started_ms: row.started_ms + index * 40,
                ended_ms: Some(row.started_ms + index * 40 + 30),
            })
            .collect(),
        row: row.clone(),
        folder: format!(
            "{}/.acreta/workspace/sync-20260131-120000-{}",
            row.project, row.run_id
        ),
        report: (row.state != TaskState::Running).then_some(report),
        log,
        findings: findings.collect(),
        candidates: candidates.collect(),
        artifacts: artifacts.map(str::to_owned).to_vec(),
    }
}

pub(crate) fn plugins() -> Vec<PluginRow> {
    let roles = [
        "adapter",
        "adapter",
        "extractor",
        "explorer",
        "memory-writer",
    ];
    let names = [
        "adapter-claude",
        "adapter-codex",
        "extractor-rules",
        "explorer-overlap",
        "writer-markdown",
    ];
    let plugin = |number: usize| {
        PluginRow {
        id: names[number].to_owned(),
        role: roles[number].to_owned(),
        origin: if number == 1 { "/home/sam/plugins/<u>codex</u>.wasm" } else { "built-in" }.to_owned(),
        wit: format!("acreta:{}@0.1.0", roles[number]),
        digest: format!("{:064x}", mix(number, 77)),
        bytes: 400_000 + mix(number, 7) % 900_000,
        grants: match roles[number] {
            "adapter" => vec![PluginGrant {
                root: "sessions".to_owned(),
                candidates: vec!["~/.agent/projects".to_owned(), "~/.config/agent".to_owned()],
                reason: format!("to read sessions {}", HOSTILE[number]),
                granted: number == 0,
            }],
            _ => Vec::new(),
        },
        limits: json!({ "memory_bytes": 268_435_456_u64, "milliseconds": 60_000, "fuel": 50_000_000_000_u64 }).as_object().cloned().unwrap_or_default(),
        used: PluginUse {
            runs: 38,
            calls: 412 + number as u64,
            guest_ms: 10_400 * (number as u64 + 1),
            peak_memory_bytes: 7_340_032 * (number as u64 + 1),
            failures: number as u64 % 3,
            denied: number as u64 % 2 * 7,
        },
    }
    };
    (0..names.len()).map(plugin).collect()
}

pub(crate) fn context(command: ContextCommand, project_root: &str) -> Map<String, Value> {
    let report = json!({
        "command": format!("{command:?}").to_lowercase(),
        "project_root": project_root,
        "project_id": "9f2c4e",
        "cache_status": "hit",
        "freshness": "fresh",
        "stats": { "file_count": 214, "reused_entries": 214, "rehashed_entries": 0 },
        "delta": { "added": 0, "modified": 1, "removed": 0, "renamed": 0, "files": [{ "path": "src/queue.rs", "change": "modified" }] },
        "slice": { "entry_points": [{ "path": "src/main.rs", "kind": "binary" }], "hot_paths": [{ "path": "src/queue.rs", "changes": 41, "dependents": 12 }], "top_imports": [{ "name": "serde", "files": 40 }], "graph": { "nodes": 214, "edges": 400 } },
        "matches": [{ "path": "src/queue.rs", "score": 0.9, "segments": [{ "name": HOSTILE[0], "kind": "function", "line": 40, "end_line": 60 }] }],
    });
    report.as_object().cloned().unwrap_or_default()
}
