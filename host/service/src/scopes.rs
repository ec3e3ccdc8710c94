//! Whose memory a command looks at: the project's, everybody's, or, only when asked for, that of other
//! projects. The one place that decides it.

use std::sync::Arc;

use acreta_model::{ScopeMode, WriteScope};
use acreta_search::MemoryIndex;
use acreta_store::{Layout, Memory, Snapshot, Store};
use camino::Utf8PathBuf;

use crate::clock::now_ms;
use crate::short_ids::{Fit, ShortIds, fit};
use crate::{Context, Failure, Kind, LentCatalog, offers};

/// One scope's memory.
pub struct MemoryScope {
    /// `project`, `global`, or the path of another project.
    pub name: String,
    pub layout: Layout,
}

/// A memory and whose it is.
#[derive(Clone)]
pub struct Scoped {
    pub scope: String,
    pub layout: Layout,
    pub memory: Arc<Memory>,
}

impl ShortIds {
    pub fn among(memories: &[Scoped]) -> Self {
        Self::new(memories.iter().map(|scoped| scoped.memory.id.as_str()))
    }

    /// The ids in the scopes that commands look at. Sidecars have their names, so no memory is read.
    pub fn known(context: &Context) -> Result<Self, Failure> {
        let mut ids = Vec::new();
        for scope in configured(context)? {
            ids.extend(Store::open(scope.layout, acreta_fs::NoFaults::shared())?.sidecar_ids()?);
        }
        Ok(Self::new(ids.iter().map(String::as_str)))
    }
}

impl MemoryScope {
    pub fn project(context: &Context) -> Self {
        Self {
            name: "project".to_owned(),
            layout: context.layout(&context.project),
        }
    }

    pub fn global(context: &Context) -> Self {
        Self {
            name: "global".to_owned(),
            layout: context.global_layout(),
        }
    }

    /// The scope that a request writes to.
    pub fn to_write(scope: WriteScope, context: &Context) -> Self {
        match scope {
            WriteScope::Project => Self::project(context),
            WriteScope::Global => Self::global(context),
        }
    }

    /// Its index, with the sentence model that is configured.
    pub fn index(&self, context: &Context) -> Arc<MemoryIndex> {
        let indexes = &context.process.kept.indexes;
        indexes.of(&self.layout, &context.config, &context.home)
    }

    /// Its memories as they are now.
    pub fn snapshot(&self, context: &Context) -> Result<Arc<Snapshot>, Failure> {
        snapshot(context, &self.layout)
    }

    /// Its memories as they were within the last minute, and not before anything was replaced, added or removed.
    pub fn lately(&self, context: &Context) -> Result<Arc<Snapshot>, Failure> {
        context.process.kept.snapshots.lately(&self.layout)
    }

    pub fn store(&self) -> Result<Store, Failure> {
        Ok(Store::open(
            self.layout.clone(),
            acreta_fs::NoFaults::shared(),
        )?)
    }
}

/// What a person asked for, or what is configured.
pub fn mode(context: &Context, asked: Option<&str>) -> Result<ScopeMode, Failure> {
    let name = asked.unwrap_or(context.config.text("memory.scope"));
    Ok(name.parse()?)
}

/// The scopes of a mode, the project's first.
pub fn of_mode(context: &Context, mode: ScopeMode) -> Vec<MemoryScope> {
    let (project, global) = (MemoryScope::project(context), MemoryScope::global(context));
    match mode {
        ScopeMode::ProjectFallbackGlobal => vec![project, global],
        ScopeMode::ProjectOnly => vec![project],
        ScopeMode::GlobalOnly => vec![global],
    }
}

/// The scopes that the settings name.
pub fn configured(context: &Context) -> Result<Vec<MemoryScope>, Failure> {
    Ok(of_mode(context, mode(context, None)?))
}

/// The other projects that were taken in, by path.
pub fn other_projects(context: &Context) -> Result<Vec<MemoryScope>, Failure> {
    let others = registered_projects(context)?;
    Ok(others
        .into_iter()
        .filter(|root| *root != context.project)
        .map(|root| MemoryScope {
            layout: context.layout(&root),
            name: root.into_string(),
        })
        .collect())
}

pub fn registered_projects(context: &Context) -> Result<Vec<Utf8PathBuf>, Failure> {
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
pub fn catalog(context: &Context) -> Result<Option<LentCatalog>, Failure> {
    match context.home.state_file().is_file() {
        true => open_catalog(context).map(Some),
        false => Ok(None),
    }
}

/// The catalog; it is made where there is none.
pub fn open_catalog(context: &Context) -> Result<LentCatalog, Failure> {
    let catalogs = &context.process.kept.catalogs;
    catalogs.lend(&context.home.state_file())
}

/// The memories of a layout as they are now.
pub fn snapshot(context: &Context, layout: &Layout) -> Result<Arc<Snapshot>, Failure> {
    context.process.kept.snapshots.of(layout)
}

/// The memory of an id, or of the start of one, in these scopes.
pub fn find_in(context: &Context, scopes: &[MemoryScope], id: &str) -> Result<Scoped, Failure> {
    named(&read(context, scopes)?, id)
}

/// The memories that ids or unique prefixes name, in their order. Each scope is read once.
pub fn find_all_in(
    context: &Context,
    scopes: &[MemoryScope],
    ids: &[String],
) -> Result<Vec<Scoped>, Failure> {
    let read = read(context, scopes)?;
    ids.iter().map(|id| named(&read, id)).collect()
}

type ReadScope<'a> = (&'a MemoryScope, Arc<Snapshot>);

fn read<'a>(context: &Context, scopes: &'a [MemoryScope]) -> Result<Vec<ReadScope<'a>>, Failure> {
    let scopes = scopes.iter();
    scopes
        .map(|scope| Ok((scope, scope.snapshot(context)?)))
        .collect()
}

fn named(scopes: &[ReadScope<'_>], id: &str) -> Result<Scoped, Failure> {
    let mut fitting = Vec::new();
    for (scope, snapshot) in scopes {
        let named = snapshot.memories.iter();
        let named = named.filter(|memory| fit(&memory.id, id).is_some());
        fitting.extend(named.map(|memory| Scoped {
            scope: scope.name.clone(),
            layout: scope.layout.clone(),
            memory: Arc::clone(memory),
        }));
    }
    find(&fitting, id).cloned()
}

/// Every memory of these scopes; what cannot be read is said.
pub fn load(context: &Context, scopes: &[MemoryScope]) -> Result<Vec<Scoped>, Failure> {
    let mut memories = Vec::new();
    for scope in scopes {
        let snapshot = scope.snapshot(context)?;
        for problem in &snapshot.problems {
            context.warn(&problem.to_string());
        }
        memories.extend(snapshot.memories.iter().map(|memory| Scoped {
            scope: scope.name.clone(),
            layout: scope.layout.clone(),
            memory: Arc::clone(memory),
        }));
    }
    Ok(memories)
}

/// Every id argument takes a short id, as lists show it, or a unique prefix. A whole id is meant, also where it is
/// the start of another.
pub fn find<'a>(memories: &'a [Scoped], id: &str) -> Result<&'a Scoped, Failure> {
    let fits = memories.iter().map(|scoped| fit(&scoped.memory.id, id));
    let best = fits.max().flatten();
    let fits = |scoped: &&Scoped| best.is_some() && fit(&scoped.memory.id, id) == best;
    let matching: Vec<&Scoped> = memories.iter().filter(fits).collect();
    match matching.as_slice() {
        [scoped] => Ok(scoped),
        // One memory in several scopes: the first counts.
        [scoped, ..] if best == Some(Fit::Whole) => Ok(scoped),
        [] => Err(
            Failure::new(Kind::Missing, format!("there is no memory `{id}`"))
                .hint("`acreta memory list` shows the ids"),
        ),
        several => {
            let short = ShortIds::among(memories);
            let candidates: Vec<String> = several
                .iter()
                .take(5)
                .map(|scoped| {
                    let title = acreta_text::visible(scoped.memory.title());
                    format!("{} ({title})", short.of(&scoped.memory.id))
                })
                .collect();
            let (count, candidates) = (several.len(), candidates.join(", "));
            let message = format!("`{id}` fits {count} memories: {candidates}");
            Err(Failure::new(Kind::Usage, message).hint("give more of the id"))
        }
    }
}

/// Memories that are asked for do not fade. Failing to note it fails nothing.
pub fn note_access(context: &Context, ids: &[&str]) {
    let noted = catalog(context).and_then(|catalog| match catalog {
        Some(catalog) => {
            catalog.note_accesses(ids, now_ms())?;
            offers::note_asked_for(&catalog, ids)
        }
        None => Ok(()),
    });
    if let Err(error) = noted {
        tracing::debug!(%error, "access not noted");
    }
}

/// Offers of memories that a person rejected were dismissed. Failing to note it fails nothing.
pub(crate) fn note_rejection(context: &Context, ids: &[&str]) {
    let noted = catalog(context).and_then(|catalog| match catalog {
        Some(catalog) => Ok(catalog.note_dismissed(ids)?),
        None => Ok(()),
    });
    if let Err(error) = noted {
        tracing::debug!(%error, "rejection not noted");
    }
}
