//! A memory-writer in its sandbox: an empty `/draft` to write into, and nothing else.

use acreta_types::{Call, Job, MemoryWriter, PluginInfo, Role, WriteAction, WriteContext, Written};
use camino::Utf8Path;

use super::convert::{candidate_to_wit, session_to_wit, summary_to_wit};
use crate::bindings::memory_writer::MemoryWriterPluginPre;
use crate::bindings::memory_writer::exports::acreta::memory_writer::memory_writer as wit;
use crate::fault::failure_to_model;
use crate::plugin::{LoadError, Plugin};
use crate::state::{Directories, HostState, Ports};

pub(crate) struct MemoryWriterBridge {
    plugin: Plugin,
    instance: MemoryWriterPluginPre<HostState>,
}

impl MemoryWriterBridge {
    pub(crate) fn new(plugin: Plugin) -> Result<Self, LoadError> {
        plugin.expect_role(Role::MemoryWriter)?;
        let instance = MemoryWriterPluginPre::new(plugin.instance.clone())
            .map_err(|error| plugin.mismatch(&error))?;
        Ok(Self { plugin, instance })
    }
}

impl MemoryWriter for MemoryWriterBridge {
    fn info(&self) -> &PluginInfo {
        self.plugin.info()
    }

    fn apply(
        &self,
        job: &Job,
        draft: &Utf8Path,
        context: &WriteContext,
        actions: &[WriteAction],
    ) -> Call<Vec<Written>> {
        self.plugin
            .call(job, Directories::draft(draft), Ports::default(), |store| {
                let guest = self.instance.instantiate(&mut *store)?;
                let context = wit::Context {
                    run_id: context.run_id.clone(),
                    now_ms: context.now_ms,
                    repo_name: context.repo_name.clone(),
                    raw_trace_path: context.raw_trace_path.clone(),
                    coding_agent: context.coding_agent.clone(),
                    attrs: Vec::new(),
                };
                let actions: Vec<_> = actions.iter().map(action_to_wit).collect();
                let written = guest
                    .acreta_memory_writer_memory_writer()
                    .call_apply(store, &context, &actions)?;
                Ok(written
                    .map(|written| {
                        written
                            .into_iter()
                            .map(|written| Written {
                                action_id: written.action_id,
                                path: written.path,
                            })
                            .collect()
                    })
                    .map_err(failure_to_model))
            })
    }
}

fn action_to_wit(action: &WriteAction) -> wit::Action {
    wit::Action {
        id: action.id.clone(),
        operation: action.operation.clone(),
        memory_id: action.memory_id.clone(),
        target: action.target.clone(),
        current: action.current.clone(),
        sources: action.sources.clone(),
        created_ms: action.created_ms,
        updated_ms: action.updated_ms,
        related: action.related.clone(),
        candidate: action.candidate.as_ref().map(candidate_to_wit),
        summary: action.summary.as_ref().map(summary_to_wit),
        session: action.session.as_ref().map(session_to_wit),
        attrs: Vec::new(),
    }
}
