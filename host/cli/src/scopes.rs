//! Whose memory a command looks at: the project's, everybody's, or, only when asked for, that of other
//! projects. The one place that decides it.

use std::sync::Arc;

use acreta_catalog::{Catalog, CatalogOptions};
use acreta_search::{MemoryIndex, ScopeMode};
use acreta_store::{Layout, Memory, Store};
use acreta_vectors::LocalModel;
use camino::Utf8PathBuf;

use crate::args::Target;
use crate::context::Context;
use crate::failure::{CliError, Kind};
use crate::output::warn;

/// One scope's memory.
pub(crate) struct MemoryScope {
    /// `project`, `global`, or the path of another project.
    pub(crate) name: String,
    pub(crate) layout: Layout,
}

/// A memory and whose it is.
pub(crate) struct Scoped {
    pub(crate) scope: String,
    pub(crate) layout: Layout,
    pub(crate) memory: Memory,
}

impl MemoryScope {
    pub(crate) fn project(context: &Context) -> Self {
        Self {
            name: "project".to_owned(),
            layout: Layout::for_project(&context.project),
        }
    }

    pub(crate) fn global(context: &Context) -> Self {
        Self {
            name: "global".to_owned(),
            layout: Layout::for_scope(context.home.folder()),
        }
    }

    pub(crate) fn of(target: Target, context: &Context) -> Self {
        match target {
            Target::Project => Self::project(context),
            Target::Global => Self::global(context),
        }
    }

    pub(crate) fn index(&self, model: Option<&Arc<LocalModel>>) -> MemoryIndex {
        let (layout, faults) = (self.layout.clone(), acreta_fs::NoFaults::shared());
        match model {
            Some(model) => MemoryIndex::with_model(layout, faults, model.clone()),
            None => MemoryIndex::new(layout, faults),
        }
    }

    pub(crate) fn store(&self) -> Result<Store, CliError> {
        Ok(Store::open(
            self.layout.clone(),
            acreta_fs::NoFaults::shared(),
        )?)
    }
}

/// The sentence model that is configured, if one is. It is opened when it is first asked.
pub(crate) fn sentence_model(context: &Context) -> Option<Arc<LocalModel>> {
    match context.config.text("search.model") {
        "" => None,
        folder => Some(Arc::new(LocalModel::new(&context.home.expand(folder)))),
    }
}

/// What a person asked for, or what is configured.
pub(crate) fn mode(context: &Context, asked: Option<&str>) -> Result<ScopeMode, CliError> {
    match asked.unwrap_or(context.config.text("memory.scope")) {
        "project_fallback_global" => Ok(ScopeMode::ProjectFallbackGlobal),
        "project_only" => Ok(ScopeMode::ProjectOnly),
        "global_only" => Ok(ScopeMode::GlobalOnly),
        other => Err(
            CliError::new(Kind::Usage, format!("`{other}` is no scope mode"))
                .hint("there are project_fallback_global, project_only, global_only"),
        ),
    }
}

/// The scopes of a mode, the project's first.
pub(crate) fn of_mode(context: &Context, mode: ScopeMode) -> Vec<MemoryScope> {
    let (project, global) = (MemoryScope::project(context), MemoryScope::global(context));
    match mode {
        ScopeMode::ProjectFallbackGlobal => vec![project, global],
        ScopeMode::ProjectOnly => vec![project],
        ScopeMode::GlobalOnly => vec![global],
    }
}

/// The other projects that were taken in, by path.
pub(crate) fn other_projects(context: &Context) -> Result<Vec<MemoryScope>, CliError> {
    let others = registered_projects(context)?;
    Ok(others
        .into_iter()
        .filter(|root| *root != context.project)
        .map(|root| MemoryScope {
            layout: Layout::for_project(&root),
            name: root.into_string(),
        })
        .collect())
}

pub(crate) fn registered_projects(context: &Context) -> Result<Vec<Utf8PathBuf>, CliError> {
    let Some(catalog) = catalog(context)? else {
        return Ok(Vec::new());
    };
    let projects = catalog.projects()?;
    Ok(projects
        .into_iter()
        .filter(|project| project.registered)
        .map(|project| project.root)
        .collect())
}

/// The catalog, if there is one; asking does not make it.
pub(crate) fn catalog(context: &Context) -> Result<Option<Catalog>, CliError> {
    let file = context.home.state_file();
    if !file.is_file() {
        return Ok(None);
    }
    Ok(Some(Catalog::open(&file, CatalogOptions::default())?))
}

/// Every memory of these scopes; what cannot be read is said.
pub(crate) fn load(scopes: &[MemoryScope]) -> Result<Vec<Scoped>, CliError> {
    let mut memories = Vec::new();
    for scope in scopes {
        let snapshot = scope.store()?.load()?;
        for problem in &snapshot.problems {
            warn(&problem.to_string());
        }
        memories.extend(snapshot.memories.into_iter().map(|memory| Scoped {
            scope: scope.name.clone(),
            layout: scope.layout.clone(),
            memory,
        }));
    }
    Ok(memories)
}

/// Every id argument takes a unique prefix.
pub(crate) fn find<'a>(memories: &'a [Scoped], id: &str) -> Result<&'a Scoped, CliError> {
    let wanted = id.to_lowercase();
    let fits = |scoped: &&Scoped| scoped.memory.id.to_lowercase().starts_with(&wanted);
    let matching: Vec<&Scoped> = memories.iter().filter(fits).collect();
    // A whole id is meant, also where it is the start of another.
    let whole = matching
        .iter()
        .find(|scoped| scoped.memory.id.to_lowercase() == wanted);
    match (whole, matching.as_slice()) {
        (Some(scoped), _) | (None, [scoped]) => Ok(scoped),
        (None, []) => Err(
            CliError::new(Kind::Failure, format!("there is no memory `{id}`"))
                .hint("`acreta memory list` shows the ids"),
        ),
        (None, several) => {
            let ids: Vec<&str> = several
                .iter()
                .take(5)
                .map(|scoped| scoped.memory.id.as_str())
                .collect();
            let message = format!("`{id}` fits {} memories: {}", several.len(), ids.join(", "));
            Err(CliError::new(Kind::Usage, message).hint("give more of the id"))
        }
    }
}
