//! A compiled plugin, and one call of it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use acreta_plugin_registry::RefusedComponent;
use acreta_types::{Call, Failure, Job, Limits, PluginError, PluginFault, PluginInfo, Role, Usage};
use camino::Utf8PathBuf;
use wasmtime::component::InstancePre;
use wasmtime::{Engine, Store, UpdateDeadline};

use crate::cache::Loaded;
use crate::compiler::CompileError;
use crate::fault::{fault, in_a_line};
use crate::limits::is_stopped;
use crate::state::{Directories, Folders, HostState, Ports, Settings};
use crate::ticker::Ticker;
use crate::traps::TrapLog;

/// Reason why a plugin could not be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("plugin `{plugin}` is refused: {cause}")]
    Refused {
        plugin: String,
        cause: RefusedComponent,
    },
    #[error("plugin `{plugin}` is a {found}, a {wanted} is needed")]
    OtherRole {
        plugin: String,
        found: Role,
        wanted: Role,
    },
    #[error("plugin `{plugin}` does not fit the {role} interface: {message}")]
    Mismatch {
        plugin: String,
        role: Role,
        message: String,
    },
    #[error("plugin `{plugin}` could not be compiled")]
    Compile {
        plugin: String,
        #[source]
        cause: CompileError,
    },
    #[error("the sandbox could not be prepared: {message}")]
    Engine { message: String },
    #[error("the sandbox could not be prepared")]
    Cache(#[source] CompileError),
}

impl LoadError {
    /// Advises how to fix it.
    pub fn hint(&self) -> Option<String> {
        match self {
            LoadError::Refused { cause, .. } => Some(cause.hint()),
            LoadError::Mismatch { role, .. } => Some(format!(
                "rebuild it against the released WIT of acreta:{role}"
            )),
            LoadError::Cache(CompileError::Cache(_)) => Some(
                "make it a folder that you may write to, or name another with `ACRETA_CACHE_DIR`"
                    .to_owned(),
            ),
            _ => None,
        }
    }
}

/// A compiled plugin, ready to be called any number of times.
pub struct Plugin {
    pub(crate) info: Arc<PluginInfo>,
    pub(crate) instance: InstancePre<HostState>,
    pub(crate) limits: Limits,
    pub(crate) settings: Arc<Settings>,
    pub(crate) engine: Engine,
    pub(crate) ticker: Arc<Ticker>,
    pub(crate) empty: Utf8PathBuf,
    pub(crate) scratch: Utf8PathBuf,
    pub(crate) loaded: Loaded,
    pub(crate) traps: Option<TrapLog>,
}

impl Plugin {
    pub fn info(&self) -> &PluginInfo {
        &self.info
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    pub fn loaded(&self) -> Loaded {
        self.loaded
    }

    pub(crate) fn expect_role(&self, wanted: Role) -> Result<(), LoadError> {
        if self.info.role == wanted {
            return Ok(());
        }
        Err(LoadError::OtherRole {
            plugin: self.info.id.clone(),
            found: self.info.role,
            wanted,
        })
    }

    pub(crate) fn mismatch(&self, error: &wasmtime::Error) -> LoadError {
        LoadError::Mismatch {
            plugin: self.info.id.clone(),
            role: self.info.role,
            message: format!("{error:#}"),
        }
    }

    /// Returns the error of a call. Every fault enters the host here, and whatever a guest said in it is cut to a line.
    pub(crate) fn error(&self, fault: PluginFault) -> PluginError {
        PluginError {
            plugin: self.info.id.clone(),
            role: self.info.role,
            fault: in_a_line(fault),
        }
    }

    /// Runs one call in a fresh store. The host survives every outcome.
    pub(crate) fn call<T>(
        &self,
        job: &Job,
        directories: Directories<'_>,
        ports: Ports,
        body: impl FnOnce(&mut Store<HostState>) -> wasmtime::Result<Result<T, Failure>>,
    ) -> Call<T> {
        let state = HostState::new(
            self.info.clone(),
            &self.limits,
            self.settings.clone(),
            job,
            Folders {
                empty: &self.empty,
                scratch: &self.scratch,
            },
            &directories,
            ports,
        );
        let state = state.map_err(|error| PluginFault::Start {
            message: format!("{error:#}"),
        });
        let state = match state {
            Ok(state) if !is_stopped() => state,
            refused => {
                let fault = refused.err().unwrap_or(PluginFault::Stopped);
                return Call {
                    result: Err(self.error(fault)),
                    usage: Usage::default(),
                };
            }
        };
        let mut store = Store::new(&self.engine, state);
        store.limiter(|state| &mut state.meter);
        store.set_hostcall_fuel(self.limits.value_bytes as usize);
        store.set_epoch_deadline(1);
        store.epoch_deadline_callback(|mut context| {
            if is_stopped() {
                return Err(wasmtime::format_err!("the process ends"));
            }
            context.data_mut().meter.check_time()?;
            Ok(UpdateDeadline::Continue(1))
        });
        let beating = self.ticker.start();
        let outcome = catch_unwind(AssertUnwindSafe(|| body(&mut store)));
        drop(beating);
        let result = match outcome {
            Ok(Ok(Ok(value))) => Ok(value),
            Ok(Ok(Err(failure))) => Err(self.error(PluginFault::Failed(failure))),
            Ok(Err(error)) => {
                if let Some(traps) = &self.traps {
                    traps.record(&self.info.id, &error, store.data().stderr());
                }
                Err(self.error(fault(&error, store.data())))
            }
            Err(_) => Err(self.error(PluginFault::Trap {
                message: "the host failed while serving it".to_owned(),
            })),
        };
        Call {
            result,
            usage: store.data().usage(),
        }
    }
}
