//! An adapter that is loaded when it is first asked: of many that could know a file mostly the
//! first few are needed, and compiling one takes a while.

use std::sync::{Arc, OnceLock};

use acreta_config::Config;
use acreta_model::{
    Adapter, Call, Cursor, Description, Job, PluginError, PluginFault, PluginInfo, Preopen, Role,
    Session, SharedSink, Usage,
};
use acreta_plugins::Capabilities;
use acreta_sandbox::Sandbox;

use crate::plugins::{Source, adapter_ids, find, load, load_with};
use crate::{Context, Failure, OnPreparing, Preparing};

pub(crate) struct Deferred {
    info: PluginInfo,
    source: Source,
    config: Config,
    sandbox: Arc<Sandbox>,
    preparing: OnPreparing,
    loaded: OnceLock<Result<Arc<dyn Adapter>, String>>,
}

impl Deferred {
    pub(crate) fn new(
        source: Source,
        config: &Config,
        sandbox: &Arc<Sandbox>,
        preparing: &OnPreparing,
    ) -> Self {
        Self {
            info: PluginInfo {
                id: source.id.clone(),
                role: Role::Adapter,
                wit: String::new(),
                digest: source.digest.clone(),
            },
            source,
            config: config.clone(),
            sandbox: Arc::clone(sandbox),
            preparing: Arc::clone(preparing),
            loaded: OnceLock::new(),
        }
    }

    fn call<T>(&self, work: impl FnOnce(&dyn Adapter) -> Call<T>) -> Call<T> {
        let loaded = self.loaded.get_or_init(|| {
            if !self.sandbox.is_compiled(&self.source.digest) {
                (self.preparing)(Preparing {
                    what: "adapters",
                    done: 0,
                    total: None,
                });
            }
            let nothing = Capabilities::default();
            let adapter = load_with(&nothing, &self.config, &self.sandbox, &self.source)
                .and_then(|plugin| Ok(plugin.into_adapter()?));
            adapter.map_err(|error| error.to_string())
        });
        match loaded {
            Ok(adapter) => work(adapter.as_ref()),
            Err(message) => Call {
                result: Err(PluginError {
                    plugin: self.info.id.clone(),
                    role: Role::Adapter,
                    fault: PluginFault::Start {
                        message: message.clone(),
                    },
                }),
                usage: Usage::default(),
            },
        }
    }
}

impl Adapter for Deferred {
    fn info(&self) -> &PluginInfo {
        &self.info
    }

    fn describe(&self, job: &Job) -> Call<Description> {
        self.call(|adapter| adapter.describe(job))
    }

    fn sessions(&self, job: &Job, roots: &[Preopen], path: &str) -> Call<Vec<Session>> {
        self.call(|adapter| adapter.sessions(job, roots, path))
    }

    fn read(
        &self,
        job: &Job,
        roots: &[Preopen],
        session: &Session,
        from: &Cursor,
        sink: SharedSink,
    ) -> Call<Cursor> {
        self.call(|adapter| adapter.read(job, roots, session, from, sink))
    }
}

/// All adapters, loaded. A built-in one is loaded when it is asked; what is wrong with a person's own is
/// said before anything is done.
pub(crate) fn adapters(
    context: &Context,
    sandbox: &Arc<Sandbox>,
) -> Result<Vec<Arc<dyn Adapter>>, Failure> {
    let config = &context.config;
    let mut adapters: Vec<Arc<dyn Adapter>> = Vec::new();
    for id in adapter_ids(context)? {
        let source = find(context, &id)?;
        adapters.push(match source.is_builtin() {
            true => Arc::new(Deferred::new(
                source,
                config,
                sandbox,
                &context.process.preparing,
            )),
            false => load(context, config, sandbox, &source)?.into_adapter()?,
        });
    }
    Ok(adapters)
}
