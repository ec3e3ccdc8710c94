//! Two built-in plugins, linked as plain libraries, pass the conformance suite.

use std::sync::Arc;

use acreta_plugin_dev::{Plugin, Replayed, Run, record, replay};
use acreta_sdk::{extractor as extracting, memory_writer as writing};
use acreta_types::{
    Attrs, Call, Candidate, Event, Evidence, Extractor, Failure, Job, MEMORY_TYPES, MemoryWriter,
    PluginError, PluginFault, PluginInfo, Role, Session, SharedTrace, Summary, Usage, WriteAction,
    WriteContext, Written,
};
use camino::Utf8Path;

use crate::support::{TestFolder, run};
use crate::{listener, scribe};

fn info(id: &str, role: Role) -> PluginInfo {
    PluginInfo {
        id: id.to_owned(),
        role,
        wit: "0.1.0".to_owned(),
        digest: "0".repeat(64),
    }
}

fn called<T>(info: &PluginInfo, result: Result<T, Failure>) -> Call<T> {
    Call {
        result: result.map_err(|failure| PluginError {
            plugin: info.id.clone(),
            role: info.role,
            fault: PluginFault::Failed(failure),
        }),
        usage: Usage::default(),
    }
}

struct Rules(PluginInfo);

impl Rules {
    fn read(&self, trace: &SharedTrace) -> Result<extractor_rules::Outcome, Failure> {
        let mut trace = trace.lock().unwrap();
        let mut reading = extractor_rules::Reading::default();
        loop {
            let page = trace.next(64 * 1024)?;
            if page.is_empty() {
                return Ok(reading.finish());
            }
            for event in page {
                reading.take(&told(event));
            }
        }
    }
}

fn told(event: Event) -> extracting::Event {
    extracting::Event {
        id: event.id,
        origin: extracting::Origin {
            record: event.origin.record,
            start: event.origin.start,
            end: event.origin.end,
        },
        role: event.role,
        kind: event.kind,
        at_ms: event.at_ms,
        text: event.text,
        attrs: event.attrs.0,
    }
}

fn cited(evidence: Vec<extracting::Evidence>) -> Vec<Evidence> {
    let evidence = evidence.into_iter();
    evidence
        .map(|one| Evidence {
            event_id: one.event_id,
            quote: one.quote,
        })
        .collect()
}

impl Extractor for Rules {
    fn info(&self) -> &PluginInfo {
        &self.0
    }

    fn extract(&self, _: &Job, _: &Session, trace: SharedTrace) -> Call<Vec<Candidate>> {
        let outcome = self.read(&trace);
        let candidates = outcome.map(|outcome| {
            let candidates = outcome.candidates.into_iter();
            candidates
                .map(|one| Candidate {
                    id: one.id,
                    category: one.category,
                    kind: one.kind,
                    title: one.title,
                    body: one.body,
                    confidence: one.confidence,
                    tags: one.tags,
                    evidence: cited(one.evidence),
                    attrs: Attrs(one.attrs),
                })
                .collect()
        });
        called(&self.0, candidates)
    }

    fn summarise(&self, _: &Job, _: &Session, trace: SharedTrace) -> Call<Summary> {
        let outcome = self.read(&trace);
        let summary = outcome.map(|outcome| Summary {
            title: outcome.summary.title,
            description: outcome.summary.description,
            body: outcome.summary.body,
            tags: outcome.summary.tags,
            evidence: cited(outcome.summary.evidence),
            attrs: Attrs(outcome.summary.attrs),
        });
        called(&self.0, summary)
    }
}

struct Markdown(PluginInfo);

fn asked(action: &WriteAction) -> writing::Action {
    writing::Action {
        id: action.id.clone(),
        operation: action.operation.clone(),
        memory_id: action.memory_id.clone(),
        target: action.target.clone(),
        current: action.current.clone(),
        sources: action.sources.clone(),
        created_ms: action.created_ms,
        updated_ms: action.updated_ms,
        related: action.related.clone(),
        candidate: action.candidate.as_ref().map(|one| writing::Candidate {
            id: one.id.clone(),
            category: one.category.clone(),
            kind: one.kind.clone(),
            title: one.title.clone(),
            body: one.body.clone(),
            confidence: one.confidence,
            tags: one.tags.clone(),
            evidence: Vec::new(),
            attrs: Vec::new(),
        }),
        summary: action.summary.as_ref().map(|one| writing::Summary {
            title: one.title.clone(),
            description: one.description.clone(),
            body: one.body.clone(),
            tags: one.tags.clone(),
            evidence: Vec::new(),
            attrs: Vec::new(),
        }),
        session: action.session.as_ref().map(|one| writing::Session {
            id: one.id.clone(),
            agent: one.agent.clone(),
            path: one.path.clone(),
            project_dir: one.project_dir.clone(),
            parent: one.parent.clone(),
            started_ms: one.started_ms,
            updated_ms: one.updated_ms,
            revision: one.revision.clone(),
            attrs: one.attrs.0.clone(),
        }),
        attrs: Vec::new(),
    }
}

impl MemoryWriter for Markdown {
    fn info(&self) -> &PluginInfo {
        &self.0
    }

    fn apply(
        &self,
        _: &Job,
        draft: &Utf8Path,
        context: &WriteContext,
        actions: &[WriteAction],
    ) -> Call<Vec<Written>> {
        let types: Vec<_> = MEMORY_TYPES
            .iter()
            .map(|entry| writer_markdown::TypeEntry {
                name: entry.name.to_owned(),
                folder: entry.folder.to_owned(),
                has_kinds: !entry.kinds.is_empty(),
            })
            .collect();
        let context = writing::Context {
            run_id: context.run_id.clone(),
            now_ms: context.now_ms,
            repo_name: context.repo_name.clone(),
            raw_trace_path: context.raw_trace_path.clone(),
            coding_agent: context.coding_agent.clone(),
            attrs: Vec::new(),
        };
        let actions: Vec<_> = actions.iter().map(asked).collect();
        let written = writer_markdown::apply(draft.as_std_path(), &types, &context, &actions);
        let written = written.map(|written| {
            let written = written.into_iter();
            written
                .map(|one| Written {
                    action_id: one.action_id,
                    path: one.path,
                })
                .collect()
        });
        called(
            &self.0,
            written.map_err(|failure| Failure {
                code: failure.code,
                message: failure.message,
                retryable: failure.retryable,
            }),
        )
    }
}

#[test]
fn built_in_plugins_conform_and_replay() {
    let rules = Rules(info("extractor-rules", Role::Extractor));
    let markdown = Markdown(info("writer-markdown", Role::MemoryWriter));
    for (plugin, files) in [
        (Plugin::Extractor(Arc::new(rules)), listener::FILES),
        (Plugin::MemoryWriter(Arc::new(markdown)), scribe::FILES),
    ] {
        let place = TestFolder::new();
        let cases = [place.case("one", files)];
        let report = run(&plugin, &cases, &place);
        assert!(report.is_passed(), "{report}");
        let [case] = cases;
        let scratch = place.scratch();
        let run = Run::new(&scratch);
        case.keep(&record(&case, &plugin, &run).unwrap()).unwrap();
        let replayed = replay(&case, &plugin, &run).unwrap();
        assert!(matches!(replayed, Replayed::Same { .. }), "{replayed}");
    }
}
