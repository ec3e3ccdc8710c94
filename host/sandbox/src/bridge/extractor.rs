//! An extractor in its sandbox: no directories, and the trace in pages.

use acreta_types::{
    Call, Candidate, Extractor, Failure, Job, PluginInfo, Role, Session, SharedTrace, Summary,
};
use wasmtime::Store;
use wasmtime::component::Resource;

use super::convert::{candidate_to_model, session_to_wit, summary_to_model};
use crate::bindings::extractor::{ExtractorPlugin, ExtractorPluginPre};
use crate::bindings::shared::acreta::types::types::Session as WitSession;
use crate::fault::failure_to_model;
use crate::handles::TraceHandle;
use crate::plugin::{LoadError, Plugin};
use crate::state::{Directories, HostState, Ports};

pub(crate) struct ExtractorBridge {
    plugin: Plugin,
    instance: ExtractorPluginPre<HostState>,
}

impl ExtractorBridge {
    pub(crate) fn new(plugin: Plugin) -> Result<Self, LoadError> {
        plugin.expect_role(Role::Extractor)?;
        let instance = ExtractorPluginPre::new(plugin.instance.clone())
            .map_err(|error| plugin.mismatch(&error))?;
        Ok(Self { plugin, instance })
    }

    /// Both functions of the role take a session and a fresh reader on its trace.
    fn with_trace<T>(
        &self,
        job: &Job,
        session: &Session,
        trace: SharedTrace,
        body: impl FnOnce(
            &ExtractorPlugin,
            &mut Store<HostState>,
            &WitSession,
            Resource<TraceHandle>,
        ) -> wasmtime::Result<Result<T, Failure>>,
    ) -> Call<T> {
        self.plugin.call(
            job,
            Directories::read_only(&[]),
            Ports::default(),
            |store| {
                let guest = self.instance.instantiate(&mut *store)?;
                let reader = store.data_mut().table.push(TraceHandle(trace))?;
                body(&guest, store, &session_to_wit(session), reader)
            },
        )
    }
}

impl Extractor for ExtractorBridge {
    fn info(&self) -> &PluginInfo {
        self.plugin.info()
    }

    fn extract(&self, job: &Job, session: &Session, trace: SharedTrace) -> Call<Vec<Candidate>> {
        self.with_trace(job, session, trace, |guest, store, session, reader| {
            let candidates = guest
                .acreta_extractor_extractor()
                .call_extract(store, session, reader)?;
            Ok(candidates
                .map(|candidates| candidates.into_iter().map(candidate_to_model).collect())
                .map_err(failure_to_model))
        })
    }

    fn summarise(&self, job: &Job, session: &Session, trace: SharedTrace) -> Call<Summary> {
        self.with_trace(job, session, trace, |guest, store, session, reader| {
            let summary = guest
                .acreta_extractor_extractor()
                .call_summarise(store, session, reader)?;
            Ok(summary.map(summary_to_model).map_err(failure_to_model))
        })
    }
}
