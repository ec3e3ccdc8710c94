//! Plugins and settings for a sync: sandbox and plugins are loaded at their first use, so that a sync that finds
//! nothing new loads none.

use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, OnceLock};

use acreta_config::Config;
use acreta_pipeline::{Plugins, RunMode, RunOptions};
use acreta_redact::Redactor;
use acreta_sandbox::Sandbox;
use acreta_state::{RunFilter, TaskState};
use acreta_sync::{AdapterEntry, Scope, SyncEnvironment};
use acreta_types::{Adapter, locked};
use camino::Utf8PathBuf;

use crate::process::clock::{now_ms, seed};
use crate::process::preparing::Preparation;
use crate::{Context, Failure};
use crate::{
    learn::foreign, learn::readings, learn::run_options, learn::sync_options, plugins,
    projects::repository, projects::scopes,
};

pub struct LazySyncEnvironment<'a> {
    context: &'a Context,
    entries: Vec<AdapterEntry>,
    sandbox: OnceLock<Result<Arc<Sandbox>, String>>,
    adapters: Mutex<HashMap<String, Arc<dyn Adapter>>>,
    preparation: OnceLock<Preparation>,
    runs: Mutex<HashMap<Utf8PathBuf, (Plugins, RunOptions)>>,
    /// By all settings that they depend on: most projects have none of their own.
    plugins: Mutex<HashMap<String, Plugins>>,
    redactors: Mutex<HashMap<Vec<String>, Arc<Redactor>>>,
    shown_failures: OnceLock<BTreeSet<String>>,
}

impl<'a> LazySyncEnvironment<'a> {
    /// Creates a workshop with the adapters that are configured and granted.
    pub fn new(context: &'a Context) -> Result<Self, Failure> {
        let mut workshop = Self::ungranted(context)?;
        let mut granted = Vec::new();
        for entry in workshop.entries {
            let source = plugins::find(context, &entry.id)?;
            if context.grants.is_granted(&entry.id, source.is_builtin()) {
                // A plugin that asks for more than was granted is not left out silently.
                plugins::given(context, &source)?;
                granted.push(entry);
            }
        }
        workshop.entries = granted;
        Ok(workshop)
    }

    /// Creates a workshop with all configured adapters, to list what they ask for.
    pub fn ungranted(context: &'a Context) -> Result<Self, Failure> {
        Self::of(context, plugins::adapter_ids(context)?)
    }

    /// Creates a workshop with these adapters.
    pub fn of(context: &'a Context, ids: Vec<String>) -> Result<Self, Failure> {
        let mut entries = Vec::new();
        for id in ids {
            let source = plugins::find(context, &id)?;
            let grant = context.grants.get(&id);
            let roots = grant.map(|grant| grant.roots.clone());
            let projects = grant.map(|grant| grant.projects.clone());
            entries.push(AdapterEntry {
                id,
                granted: plugins::roots(context, &source),
                described: source.described().cloned(),
                speaks_for: (!source.is_builtin()).then(|| projects.unwrap_or_default()),
                digest: source.digest,
                roots: roots.unwrap_or_default(),
            });
        }
        Ok(Self {
            context,
            entries,
            sandbox: OnceLock::new(),
            adapters: Mutex::default(),
            preparation: OnceLock::new(),
            runs: Mutex::default(),
            plugins: Mutex::default(),
            redactors: Mutex::default(),
            shown_failures: OnceLock::new(),
        })
    }

    fn sandbox(&self) -> Result<&Sandbox, String> {
        self.sandbox
            .get_or_init(|| plugins::sandbox(self.context).map_err(|error| error.to_string()))
            .as_deref()
            .map_err(Clone::clone)
    }

    fn load_run(&self, scope: &Scope) -> Result<(Plugins, RunOptions), Failure> {
        let sandbox = self.sandbox().map_err(Failure::saying)?;
        let (root, layout, config, name) = match scope {
            Scope::Project(root) => (
                root.as_path(),
                self.context.layout(root),
                self.context.config_of(root)?,
                repository::name(root),
            ),
            Scope::Global => (
                self.context.home.folder(),
                self.context.global_layout(),
                self.context.config.clone(),
                "global".to_owned(),
            ),
        };
        let plugins = self.plugins(&config, sandbox)?;
        let redactor = self.redactor(&config)?;
        let mode = RunMode::Sync;
        let options =
            run_options::run_options(&config, self.context, root, layout, &name, mode, redactor)?;
        let options = RunOptions {
            shown_failures: self.shown_failures().clone(),
            ..options
        };
        Ok((plugins, options))
    }

    fn plugins(&self, config: &Config, sandbox: &Sandbox) -> Result<Plugins, Failure> {
        let key = config.plugin_settings();
        let mut known = locked(&self.plugins);
        if let Some(plugins) = known.get(&key) {
            return Ok(plugins.clone());
        }
        let plugins = plugins::chosen(self.context, config, sandbox)?;
        known.insert(key, plugins.clone());
        Ok(plugins)
    }

    fn redactor(&self, config: &Config) -> Result<Arc<Redactor>, Failure> {
        let allowed = config.text_list("redact.allow");
        let mut known = locked(&self.redactors);
        if let Some(redactor) = known.get(&allowed) {
            return Ok(Arc::clone(redactor));
        }
        let redactor = Arc::new(sync_options::redactor(config)?);
        known.insert(allowed, Arc::clone(&redactor));
        Ok(redactor)
    }

    /// Returns failed runs that a person has looked at; empty without a catalog.
    fn shown_failures(&self) -> &BTreeSet<String> {
        self.shown_failures.get_or_init(|| {
            let filter = RunFilter {
                state: Some(TaskState::Failed),
                ..RunFilter::default()
            };
            let failed =
                scopes::open_catalog(self.context).and_then(|catalog| Ok(catalog.runs(&filter)?));
            let shown = failed.unwrap_or_default().into_iter();
            shown
                .filter(|run| run.shown)
                .map(|run| run.run_id)
                .collect()
        })
    }
}

impl SyncEnvironment for LazySyncEnvironment<'_> {
    fn adapters(&self) -> &[AdapterEntry] {
        &self.entries
    }

    fn adapter(&self, id: &str) -> Result<Arc<dyn Adapter>, String> {
        let mut adapters = locked(&self.adapters);
        if let Some(adapter) = adapters.get(id) {
            return Ok(Arc::clone(adapter));
        }
        let sandbox = self.sandbox()?;
        let preparation = self.preparation.get_or_init(|| {
            let digests = self.entries.iter().map(|entry| entry.digest.as_str());
            let listener = &self.context.process.preparing;
            Preparation::of("adapters", listener, sandbox, digests)
        });
        let load = || {
            let source = plugins::find(self.context, id)?;
            let config = &self.context.config;
            let plugin = preparation.during(&source.digest, || {
                plugins::load(self.context, config, sandbox, &source)
            })?;
            Ok::<_, Failure>(foreign::named(&source, plugin.into_adapter()?))
        };
        let adapter = load().map_err(|error| error.to_string())?;
        adapters.insert(id.to_owned(), Arc::clone(&adapter));
        Ok(adapter)
    }

    fn run(&self, scope: &Scope) -> Result<(Plugins, RunOptions), String> {
        let key = match scope {
            Scope::Project(root) => root.clone(),
            Scope::Global => self.context.home.folder().to_owned(),
        };
        let mut runs = locked(&self.runs);
        if !runs.contains_key(&key) {
            let loaded = self.load_run(scope).map_err(|error| error.to_string())?;
            runs.insert(key.clone(), loaded);
        }
        let (plugins, options) = &runs[&key];
        let options = RunOptions {
            now_ms: now_ms(),
            seed: seed(),
            ..options.clone()
        };
        Ok((plugins.clone(), options))
    }

    fn has_model(&self, scope: &Scope) -> bool {
        let answer = match scope {
            Scope::Project(root) => (self.context.config_of(root))
                .and_then(|config| readings::by_model(self.context, &config)),
            Scope::Global => readings::by_model(self.context, &self.context.config),
        };
        // A run with such settings fails and reports why.
        answer.unwrap_or(false)
    }

    fn now_ms(&self) -> u64 {
        now_ms()
    }
}
