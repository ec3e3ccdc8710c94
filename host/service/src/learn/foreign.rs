//! Adapters that are not built in: their sessions carry the plugin's name, whatever agent the plugin claims to read.

use std::sync::Arc;

use acreta_sync::{agent_of_plugin, own_agent_name};
use acreta_types::{
    Adapter, Call, Cursor, Description, Job, PluginInfo, Preopen, Session, SharedSink,
};

use crate::plugins::PluginSource;

/// Returns the adapter of a source. One that is not built in names its agents `AGENT@PLUGIN`.
pub(crate) fn named(source: &PluginSource, adapter: Arc<dyn Adapter>) -> Arc<dyn Adapter> {
    match source.is_builtin() {
        true => adapter,
        false => Arc::new(ForeignAdapter(adapter)),
    }
}

struct ForeignAdapter(Arc<dyn Adapter>);

impl ForeignAdapter {
    fn name(&self, agent: &mut String) {
        *agent = agent_of_plugin(agent, &self.info().id);
    }
}

impl Adapter for ForeignAdapter {
    fn info(&self) -> &PluginInfo {
        self.0.info()
    }

    fn describe(&self, job: &Job) -> Call<Description> {
        let mut call = self.0.describe(job);
        if let Ok(description) = &mut call.result {
            self.name(&mut description.agent);
        }
        call
    }

    fn sessions(&self, job: &Job, roots: &[Preopen], path: &str) -> Call<Vec<Session>> {
        let mut call = self.0.sessions(job, roots, path);
        for session in call.result.iter_mut().flatten() {
            self.name(&mut session.agent);
        }
        call
    }

    fn read(
        &self,
        job: &Job,
        roots: &[Preopen],
        session: &Session,
        from: &Cursor,
        sink: SharedSink,
    ) -> Call<Cursor> {
        let session = Session {
            agent: own_agent_name(&session.agent, &self.info().id).to_owned(),
            ..session.clone()
        };
        self.0.read(job, roots, &session, from, sink)
    }
}
