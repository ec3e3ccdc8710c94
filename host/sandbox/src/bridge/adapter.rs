//! An adapter in its sandbox: read-only session roots, and a sink.

use acreta_types::{
    Adapter, AdapterRoot, Attrs, Call, Cursor, Description, Job, PluginInfo, Preopen, Role,
    Session, SharedSink,
};

use super::convert::{session_to_model, session_to_wit};
use crate::bindings::adapter::AdapterPluginPre;
use crate::bindings::adapter::exports::acreta::adapter::adapter as wit;
use crate::fault::failure_to_model;
use crate::plugin::{LoadError, Plugin};
use crate::state::{Directories, HostState, Ports};

pub(crate) struct AdapterBridge {
    plugin: Plugin,
    instance: AdapterPluginPre<HostState>,
}

impl AdapterBridge {
    pub(crate) fn new(plugin: Plugin) -> Result<Self, LoadError> {
        plugin.expect_role(Role::Adapter)?;
        let instance = AdapterPluginPre::new(plugin.instance.clone())
            .map_err(|error| plugin.mismatch(&error))?;
        Ok(Self { plugin, instance })
    }
}

impl Adapter for AdapterBridge {
    fn info(&self) -> &PluginInfo {
        self.plugin.info()
    }

    fn describe(&self, job: &Job) -> Call<Description> {
        self.plugin.call(
            job,
            Directories::read_only(&[]),
            Ports::default(),
            |store| {
                let guest = self.instance.instantiate(&mut *store)?;
                let description = guest.acreta_adapter_adapter().call_describe(store)?;
                Ok(Ok(Description {
                    agent: description.agent,
                    roots: description.roots.into_iter().map(root_to_model).collect(),
                    attrs: Attrs(description.attrs),
                }))
            },
        )
    }

    fn sessions(&self, job: &Job, roots: &[Preopen], path: &str) -> Call<Vec<Session>> {
        self.plugin.call(
            job,
            Directories::read_only(roots),
            Ports::default(),
            |store| {
                let guest = self.instance.instantiate(&mut *store)?;
                let sessions = guest.acreta_adapter_adapter().call_sessions(store, path)?;
                Ok(sessions
                    .map(|sessions| sessions.into_iter().map(session_to_model).collect())
                    .map_err(failure_to_model))
            },
        )
    }

    fn read(
        &self,
        job: &Job,
        roots: &[Preopen],
        session: &Session,
        from: &Cursor,
        sink: SharedSink,
    ) -> Call<Cursor> {
        let ports = Ports {
            sink: Some(sink),
            ..Ports::default()
        };
        self.plugin
            .call(job, Directories::read_only(roots), ports, |store| {
                let guest = self.instance.instantiate(&mut *store)?;
                let from = wit::Cursor {
                    offset: from.offset,
                    state: from.state.clone(),
                };
                let cursor = guest.acreta_adapter_adapter().call_read(
                    store,
                    &session_to_wit(session),
                    &from,
                )?;
                Ok(cursor
                    .map(|cursor| Cursor {
                        offset: cursor.offset,
                        state: cursor.state,
                    })
                    .map_err(failure_to_model))
            })
    }
}

fn root_to_model(root: wit::Root) -> AdapterRoot {
    AdapterRoot {
        name: root.name,
        candidates: root.candidates,
        patterns: root.patterns,
        reason: root.reason,
    }
}
