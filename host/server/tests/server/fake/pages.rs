//! The invented world on pages that are not a list of one thing: home, timeline, briefs, model, settings.

use std::collections::BTreeMap;

use acreta_server::api::*;
use serde_json::{Value, json};

use crate::fake::day::{DAY_MS, day};
use crate::fake::talk;
use crate::fake::texts::{HOSTILE, TOPICS};
use crate::fake::world::{Memory, World};
use crate::fake::{ALL, belongs, scope_of};

fn own<'a>(world: &'a World, project: &'a str) -> impl Iterator<Item = &'a Memory> {
    let memories = world.memories.iter();
    memories.filter(move |memory| {
        belongs(memory, project) && memory.detail.row.status == Status::Active
    })
}

fn is_in(session: &SessionRow, project: &str) -> bool {
    project == ALL || session.project.as_deref() == Some(project)
}

pub(crate) fn home(world: &World, project: &str, since: Option<u64>) -> Home {
    let since_ms = since.unwrap_or(world.now_ms - 7 * DAY_MS);
    let count = |fits: &dyn Fn(&MemoryRow) -> bool| {
        own(world, project)
            .filter(|memory| fits(&memory.detail.row))
            .count() as u64
    };
    let new: Vec<&Memory> = own(world, project)
        .filter(|memory| memory.created_ms >= since_ms)
        .collect();
    let is_summary = |memory: &&&Memory| memory.detail.row.memory_type == MemoryType::Summary;
    let summaries = new.iter().filter(is_summary).count();
    let told = new.iter().filter(|memory| !is_summary(memory));
    let leaving = world
        .sessions
        .iter()
        .filter(|session| is_in(session, project) && session.agent == "claude");
    let leaving: Vec<LeavingSession> = leaving
        .enumerate()
        .map(|(number, session)| LeavingSession {
            agent: session.agent.clone(),
            id: session.id.clone(),
            title: session.title.clone(),
            project: session.project.clone(),
            updated_ms: session.updated_ms.unwrap_or(0),
            at_ms: world.now_ms + number as u64 * DAY_MS / 2,
            archived: number % 3 != 0,
        })
        .collect();
    let is_empty = world.memories.is_empty();
    Home {
        learnt: Learnt {
            since_ms,
            total: (new.len() - summaries) as u64,
            summaries: summaries as u64,
            sessions: new.len() as u64 / 3,
            memories: told
                .take(12)
                .map(|memory| LearntMemory {
                    id: memory.detail.row.id.clone(),
                    scope: scope_of(memory, project),
                    memory_type: memory.detail.row.memory_type,
                    kind: memory.detail.row.kind.clone(),
                    title: memory.detail.row.title.clone(),
                    trust: memory.detail.row.trust,
                    changed: !memory.detail.supersedes.is_empty(),
                    at_ms: memory.created_ms,
                })
                .collect(),
        },
        dead_letters: world.queue.iter().filter(|job| job.dead).count() as u64,
        waiting_for_model: match is_empty {
            true => Vec::new(),
            false => vec!["3 sessions wait for a model: usage limit of claude".to_owned()],
        },
        leaving: Leaving {
            total: leaving.len() as u64,
            not_archived: leaving.iter().filter(|session| !session.archived).count() as u64,
            sessions: leaving.into_iter().take(8).collect(),
        },
        spend: (!is_empty).then(spend),
        memories: HomeCounts {
            active: count(&|_| true),
            decisions: count(&|row| row.memory_type == MemoryType::Decision),
            learnings: count(&|row| row.memory_type == MemoryType::Learning),
            summaries: count(&|row| row.memory_type == MemoryType::Summary),
            confirmed: count(&|row| row.trust == Trust::Confirmed),
            stale: count(&|row| row.stale),
        },
    }
}

fn spend() -> SpendToday {
    SpendToday {
        calls: 37,
        calls_limit: Some(100),
        tokens: 412_000,
        tokens_limit: Some(2_000_000),
        dollars: 0.61,
        dollars_limit: Some(2.0),
        list_dollars: 0.0,
    }
}

pub(crate) fn timeline(world: &World, project: &str) -> Vec<TimelineEntry> {
    let memories = own(world, project);
    let memories = memories.filter(|memory| memory.detail.row.memory_type != MemoryType::Summary);
    let memories = memories.map(|memory| {
        let row = &memory.detail.row;
        let before = memory.detail.supersedes.iter();
        let before: Vec<FormerMemory> = before
            .map(|link| FormerMemory {
                id: link.id.clone(),
                title: link.title.clone(),
            })
            .collect();
        let (agent, session) = row.source.split_once('/').unwrap_or(("person", ""));
        TimelineEntry {
            at_ms: memory.created_ms,
            kind: match row.memory_type {
                _ if !before.is_empty() => TimelineKind::ChangeOfMind,
                MemoryType::Decision => TimelineKind::Decision,
                _ => TimelineKind::Learning,
            },
            title: row.title.clone(),
            memory_id: Some(row.id.clone()),
            memory_kind: Some(match row.kind.as_str() {
                "" => "decision".to_owned(),
                kind => kind.to_owned(),
            }),
            agent: Some(agent.to_owned()),
            session_id: Some(session.to_owned()),
            before,
            memories: 0,
            scope: scope_of(memory, project),
        }
    });
    let sessions = world.sessions.iter();
    let sessions = sessions.filter(|session| is_in(session, project));
    let sessions = sessions.map(|session| TimelineEntry {
        at_ms: session.updated_ms.unwrap_or(0),
        kind: TimelineKind::Session,
        title: session.title.clone().unwrap_or_else(|| session.id.clone()),
        memory_id: None,
        memory_kind: None,
        agent: Some(session.agent.clone()),
        session_id: Some(session.id.clone()),
        before: Vec::new(),
        memories: session.bytes % 4,
        scope: match project {
            ALL => session.project.clone().unwrap_or_default(),
            _ => "project".to_owned(),
        },
    });
    let mut entries: Vec<TimelineEntry> = memories.chain(sessions).collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.at_ms));
    entries
}

pub(crate) fn facets(rows: &[MemoryRow]) -> MemoryFacets {
    let counted = |values: &mut dyn Iterator<Item = String>| {
        let mut counts: BTreeMap<String, u64> = BTreeMap::new();
        for value in values.filter(|value| !value.is_empty()) {
            *counts.entry(value).or_default() += 1;
        }
        let counts = counts.into_iter();
        let mut counts: Vec<FacetCount> = counts
            .map(|(value, memories)| FacetCount { value, memories })
            .collect();
        counts.sort_by_key(|count| std::cmp::Reverse(count.memories));
        counts.truncate(24);
        counts
    };
    MemoryFacets {
        types: counted(&mut rows.iter().map(|row| row.memory_type.name().to_owned())),
        kinds: counted(&mut rows.iter().map(|row| row.kind.clone())),
        trusts: counted(&mut rows.iter().map(|row| row.trust.name().to_owned())),
        statuses: counted(&mut rows.iter().map(|row| row.status.name().to_owned())),
        tags: counted(&mut rows.iter().flat_map(|row| row.tags.clone())),
        stale: rows.iter().filter(|row| row.stale).count() as u64,
    }
}

pub(crate) fn provenance(detail: &MemoryDetail) -> MemoryProvenance {
    let turn = |event_id: &str, role: &str, text: &str, quoted| Turn {
        event_id: event_id.to_owned(),
        role: role.to_owned(),
        at_ms: None,
        text: text.to_owned(),
        quoted,
    };
    let evidence = detail.evidence.iter().map(|quote| ReviewEvidence {
        agent: quote.agent.clone(),
        session_id: quote.session_id.clone(),
        event_id: quote.event_id.clone(),
        role: quote.role.clone(),
        at_ms: quote.at_ms,
        quote: quote.quote.clone(),
        turns: vec![
            turn("e0", "user", "Please look at the `queue` again.", false),
            turn(&quote.event_id, &quote.role, &quote.quote, true),
            turn("e9", "user", "Good, do that.", false),
        ],
    });
    let version = |at_ms: u64, agent: &str, diff: String| MemoryVersion {
        at_ms,
        agent: agent.to_owned(),
        session_id: if agent == "person" {
            String::new()
        } else {
            "session-001".to_owned()
        },
        title: detail.row.title.clone(),
        diff,
    };
    let at_ms = detail.evidence.first().and_then(|quote| quote.at_ms);
    let at_ms = at_ms.unwrap_or(DAY_MS);
    let changed = format!(
        " {}\n \n-It was said like this before, and it was not right.\n+It is said like this now. {}\n",
        detail.row.title, HOSTILE[0]
    );
    let versions = match detail.evidence.len() {
        0 => vec![version(at_ms, "person", String::new())],
        1 => vec![version(at_ms, "claude", String::new())],
        _ => vec![
            version(at_ms, "codex", changed),
            version(at_ms - DAY_MS, "claude", String::new()),
        ],
    };
    MemoryProvenance {
        quotes: detail.evidence.len() as u64,
        evidence: evidence.collect(),
        versions,
        used: MemoryUse {
            briefs: 12,
            offered: 15,
            used: detail.evidence.len() as u64,
            dismissed: 0,
        },
    }
}

pub(crate) fn briefs(world: &World, project: &str) -> Vec<GivenBrief> {
    let lines: Vec<BriefLine> = own(world, project)
        .filter(|memory| memory.detail.row.memory_type != MemoryType::Summary)
        .take(6)
        .map(|memory| {
            let row = &memory.detail.row;
            BriefLine {
                id: row.id.clone(),
                text: format!("- {}: {}", row.memory_type.name(), row.title),
                reason: format!(
                    "{} {}; is about `queue`, as the branch is",
                    row.trust.name(),
                    row.kind
                ),
            }
        })
        .collect();
    let sessions = world.sessions.iter();
    let sessions = sessions.filter(|session| session.project.as_deref() == Some(project));
    let brief = |session: &SessionRow| GivenBrief {
        at_ms: session.updated_ms.unwrap_or(0) as i64,
        session: Some(session.id.clone()),
        agent: Some(session.agent.clone()),
        directory: String::new(),
        branch: Some("fix/queue".to_owned()),
        base: Some("main".to_owned()),
        changed: 2,
        open: vec!["the retry test is still red".to_owned()],
        lines: lines.clone(),
        left_out: LeftOut {
            space: 3,
            weak: 11,
            doubtful: 2,
        },
        tokens: 210,
        text: lines
            .iter()
            .map(|line| format!("{}\n", line.text))
            .collect(),
    };
    sessions.take(20).map(brief).collect()
}

pub(crate) fn search_sessions(world: &World, query: &SessionSearchQuery) -> SessionsFound {
    let word = query.q.to_lowercase();
    let sessions: Vec<&SessionRow> = world
        .sessions
        .iter()
        .filter(|session| {
            let project = session.project.as_deref();
            let of_project = query.project_root.as_ref();
            of_project.is_none_or(|wanted| project == Some(wanted.as_str()))
                && query
                    .agent
                    .as_ref()
                    .is_none_or(|agent| session.agent == agent.as_str())
        })
        .collect();
    let mut hits = Vec::new();
    for session in &sessions {
        let events = talk::conversation(session).into_iter();
        let fitting = events.filter(|event| event.text.to_lowercase().contains(&word));
        hits.extend(fitting.take(3).map(|event| {
            let snippet: String = event.text.chars().take(160).collect();
            let mark = snippet.to_lowercase().find(&word).map(|at| {
                let start = snippet.to_lowercase()[..at].chars().count();
                (start, start + word.chars().count())
            });
            SessionHit {
                agent: session.agent.clone(),
                session_id: session.id.clone(),
                title: session.title.clone(),
                event_id: event.id,
                role: event.role,
                at_ms: event.at_ms,
                tool: None,
                marks: mark.into_iter().collect(),
                snippet,
            }
        }));
    }
    hits.truncate(query.limit.get() as usize);
    SessionsFound {
        hits,
        searched: sessions.len() as u64,
        left: 0,
        unreadable: 1,
    }
}

pub(crate) fn exclusions(world: &World, folder: &str) -> Exclusions {
    Exclusions {
        folder: folder.into(),
        excluded: world.excluded.iter().map(Into::into).collect(),
        archived: 2,
    }
}

pub(crate) fn model(world: &World) -> ModelView {
    let choice = |name: &str, label: &str, access: &str, readiness: &str| ModelChoice {
        name: name.to_owned(),
        label: label.to_owned(),
        access: access.to_owned(),
        readiness: readiness.to_owned(),
        destination: match access {
            "local" => "stays on this machine",
            _ => "to the provider, through your own program",
        }
        .to_owned(),
        remedy: (readiness == "logged-out").then(|| "codex login".to_owned()),
    };
    ModelView {
        current: world.reader.clone(),
        found: vec![
            choice("claude", "your Claude plan (max)", "plan", "ready"),
            choice("codex", "your ChatGPT plan", "plan", "logged-out"),
            choice("ollama/qwen3:8b", "qwen3:8b on Ollama", "local", "ready"),
        ],
        spend: spend(),
        blocked: vec!["codex takes no calls until 2026-01-31 12:00: usage limit".to_owned()],
    }
}

pub(crate) fn trial(reader: String) -> ModelTrial {
    let found = TOPICS.iter().take(3).map(|topic| TrialFinding {
        memory_type: topic.memory_type,
        kind: topic.kind.to_owned(),
        title: topic.title.to_owned(),
        body: topic.body.to_owned(),
        quotes: vec![HOSTILE[0].to_owned()],
    });
    ModelTrial {
        found: found.collect(),
        reader,
        agent: "claude".to_owned(),
        session_id: "session-001".to_owned(),
        events: 61,
        calls: 2,
        input_tokens: 9_400,
        output_tokens: 810,
        cost_dollars: None,
        problem: None,
        total_ms: 6_200,
    }
}

pub(crate) fn settings() -> Vec<SettingRow> {
    let row = |key: &str, help: &str, value: Option<Value>, choices: &[&str], plain| SettingRow {
        key: key.to_owned(),
        help: help.to_owned(),
        origin: if value.is_some() { "built-in" } else { "" }.to_owned(),
        value,
        choices: choices.iter().map(|&choice| choice.to_owned()).collect(),
        plain,
    };
    let switch = ["true", "false"];
    vec![
        row(
            "hooks.learn",
            "Learn from a session as soon as its agent reports its end",
            Some(json!(true)),
            &switch,
            true,
        ),
        row(
            "hooks.prompt",
            "Offer the few memories that are relevant to a prompt",
            Some(json!(true)),
            &switch,
            true,
        ),
        row(
            "llm.budget.day_calls",
            "Maximum number of model calls per day, of all processes together",
            Some(json!(100)),
            &[],
            true,
        ),
        row(
            "llm.budget.day_dollars",
            "Maximum cost of models per day, of all processes together",
            None,
            &[],
            true,
        ),
        row(
            "llm.roles.extract.provider",
            "Who reads sessions",
            Some(json!("claude")),
            &[],
            false,
        ),
        row(
            "memory.scope",
            "Whose memory is looked at",
            Some(json!("project_fallback_global")),
            &["project_only", "global_only", "project_fallback_global"],
            true,
        ),
        row(
            "serve.sync_minutes",
            "How often the daemon looks for new sessions",
            Some(json!(10)),
            &[],
            true,
        ),
        row(
            "sync.exclude",
            "Folders whose sessions are not read",
            Some(json!(["/home/sam/private"])),
            &[],
            false,
        ),
    ]
}

/// Every third session recorded no tokens.
pub(crate) fn usage(world: &World, query: &UsageQuery) -> UsageReport {
    const MODELS: [&str; 3] = ["claude-opus-4-6", "gpt-5-codex", "own-model"];
    let mut rows: Vec<UsageRow> = Vec::new();
    let mut total = UsageFigures::default();
    for (index, session) in world.sessions.iter().enumerate() {
        let name = match query.by {
            UsageBy::Day => Some(day(session.updated_ms.unwrap_or(world.now_ms))),
            UsageBy::Project => session.project.clone(),
            UsageBy::Agent => Some(session.agent.clone()),
            UsageBy::Model => Some(MODELS[index % 3].to_owned()),
        };
        let tokens = (index % 3 != 2).then_some(40_000 * (1 + index as u64 % 7));
        let figures = UsageFigures {
            sessions: 1,
            sessions_without_tokens: u64::from(tokens.is_none()),
            prompts: 2,
            tool_calls: 12,
            failed_calls: tokens.map(|_| 1),
            active_minutes: Some(9),
            input_tokens: tokens,
            output_tokens: tokens.map(|tokens| tokens / 50),
            cache_read_tokens: tokens.map(|tokens| tokens * 9 / 10),
            cache_write_tokens: None,
            recorded_dollars: None,
            estimated_dollars: tokens.map(|tokens| tokens as f64 * 1e-6),
            unpriced_tokens: 0,
        };
        add_usage(&mut total, &figures);
        match rows.iter_mut().find(|row| row.name == name) {
            Some(row) => add_usage(&mut row.figures, &figures),
            None => rows.push(UsageRow { name, figures }),
        }
    }
    rows.sort_by(|left, right| left.name.cmp(&right.name));
    UsageReport {
        by: query.by,
        rows,
        total,
        prices_as_of: "2026-08".to_owned(),
        left: 0,
        unreadable: Vec::new(),
    }
}

fn add_usage(sum: &mut UsageFigures, more: &UsageFigures) {
    fn add(sum: &mut Option<u64>, more: Option<u64>) {
        *sum = more.map(|more| sum.unwrap_or(0) + more).or(*sum);
    }
    sum.sessions += more.sessions;
    sum.sessions_without_tokens += more.sessions_without_tokens;
    sum.prompts += more.prompts;
    sum.tool_calls += more.tool_calls;
    add(&mut sum.failed_calls, more.failed_calls);
    add(&mut sum.active_minutes, more.active_minutes);
    add(&mut sum.input_tokens, more.input_tokens);
    add(&mut sum.output_tokens, more.output_tokens);
    add(&mut sum.cache_read_tokens, more.cache_read_tokens);
    let dollars = more.estimated_dollars;
    sum.estimated_dollars = dollars
        .map(|more| sum.estimated_dollars.unwrap_or(0.0) + more)
        .or(sum.estimated_dollars);
}
