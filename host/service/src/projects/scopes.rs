//! The only place that decides which memory a command uses: the project's, the global one or, only on request, that of
//! other projects.

use std::sync::Arc;

use acreta_search::MemoryIndex;
use acreta_store::{Layout, Memory, Snapshot, Store};
use acreta_types::{ScopeMode, WriteScope};
use camino::Utf8PathBuf;

use crate::find::short_ids::{IdMatch, ShortIds, fit};
use crate::process::clock::now_ms;
use crate::{Context, Failure, Kind, LentCatalog, process::state, recall::offers};

/// One scope's memory.
pub struct MemoryScope {
    /// `project`, `global`, or the path of another project.
    pub name: String,
    pub layout: Layout,
}

/// A memory and its scope.
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

    /// Returns the ids in the scopes that commands use, from the names of sidecars: no memory is read.
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

    /// Returns the scope that a request writes to.
    pub fn to_write(scope: WriteScope, context: &Context) -> Self {
        match scope {
            WriteScope::Project => Self::project(context),
            WriteScope::Global => Self::global(context),
        }
    }

    /// Returns its index, with the configured sentence model.
    pub fn index(&self, context: &Context) -> Arc<MemoryIndex> {
        let indexes = &context.process.kept.indexes;
        indexes.of(&self.layout, &context.config, &context.home)
    }

    /// Returns its current memories.
    pub fn snapshot(&self, context: &Context) -> Result<Arc<Snapshot>, Failure> {
        snapshot(context, &self.layout)
    }

    /// Returns its memories, at most a minute old and never older than the last addition, removal or replacement.
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

/// Returns the requested mode, or the configured one.
pub fn mode(context: &Context, asked: Option<&str>) -> Result<ScopeMode, Failure> {
    let name = asked.unwrap_or(context.config.text("memory.scope"));
    Ok(name.parse()?)
}

/// Returns the scopes of a mode, the project's first.
pub fn of_mode(context: &Context, mode: ScopeMode) -> Vec<MemoryScope> {
    let (project, global) = (MemoryScope::project(context), MemoryScope::global(context));
    match mode {
        ScopeMode::ProjectFallbackGlobal => vec![project, global],
        ScopeMode::ProjectOnly => vec![project],
        ScopeMode::GlobalOnly => vec![global],
    }
}

/// Returns the configured scopes.
pub fn configured(context: &Context) -> Result<Vec<MemoryScope>, Failure> {
    Ok(of_mode(context, mode(context, None)?))
}

/// Returns what a person browses and reviews: the project's memory and the global one, each once, and that of the other
/// registered projects if the context covers them.
pub fn browsed(context: &Context) -> Result<Vec<MemoryScope>, Failure> {
    let (project, global) = (MemoryScope::project(context), MemoryScope::global(context));
    let mut scopes = match project.layout.base() == global.layout.base() {
        true => vec![global],
        false => vec![project, global],
    };
    if context.all_projects {
        let others = other_projects(context)?.into_iter();
        // The folder of a project may be gone, or unreadable: the others are still shown.
        scopes.extend(others.filter(|scope| scope.layout.has_memory().unwrap_or(false)));
    }
    Ok(scopes)
}

/// Returns the other registered projects, by path.
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

/// Returns the catalog if it exists; does not create it.
pub fn catalog(context: &Context) -> Result<Option<LentCatalog>, Failure> {
    match state::location(context)?.exists() {
        true => open_catalog(context).map(Some),
        false => Ok(None),
    }
}

/// Opens the catalog and creates it if it is missing.
pub fn open_catalog(context: &Context) -> Result<LentCatalog, Failure> {
    let catalogs = &context.process.kept.catalogs;
    catalogs.lend(&state::location(context)?)
}

/// Returns the current memories of a layout.
pub fn snapshot(context: &Context, layout: &Layout) -> Result<Arc<Snapshot>, Failure> {
    context.process.kept.snapshots.of(layout)
}

/// Finds a memory in these scopes by its id or a unique prefix.
pub fn find_in(context: &Context, scopes: &[MemoryScope], id: &str) -> Result<Scoped, Failure> {
    named(&read(context, scopes)?, id)
}

/// Finds memories by ids or unique prefixes, in order. Each scope is read once.
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

/// Problems of memory files that a command tells; then it says how many more there are.
const TOLD_PROBLEMS: usize = 10;

/// Tells the person which files of these scopes are unreadable.
pub fn tell_problems(scopes: &[MemoryScope], context: &Context) -> Result<(), Failure> {
    for scope in scopes {
        let snapshot = scope.snapshot(context)?;
        for problem in snapshot.problems.iter().take(TOLD_PROBLEMS) {
            context.warn(&problem.to_string());
        }
        let more = snapshot.problems.len().saturating_sub(TOLD_PROBLEMS);
        if more > 0 {
            context.warn(&format!("and {more} more like these"));
        }
    }
    Ok(())
}

/// Returns every memory of these scopes; reports unreadable files.
pub fn load(context: &Context, scopes: &[MemoryScope]) -> Result<Vec<Scoped>, Failure> {
    tell_problems(scopes, context)?;
    let mut memories = Vec::new();
    for scope in scopes {
        let snapshot = scope.snapshot(context)?;
        memories.extend(snapshot.memories.iter().map(|memory| Scoped {
            scope: scope.name.clone(),
            layout: scope.layout.clone(),
            memory: Arc::clone(memory),
        }));
    }
    Ok(memories)
}

/// Finds a memory by a short id, as in lists, or a unique prefix. A complete id is exact, even if it is a prefix of
/// another.
pub fn find<'a>(memories: &'a [Scoped], id: &str) -> Result<&'a Scoped, Failure> {
    let fits = memories.iter().map(|scoped| fit(&scoped.memory.id, id));
    let best = fits.max().flatten();
    let fits = |scoped: &&Scoped| best.is_some() && fit(&scoped.memory.id, id) == best;
    let matching: Vec<&Scoped> = memories.iter().filter(fits).collect();
    match matching.as_slice() {
        [scoped] => Ok(scoped),
        // If one memory is in several scopes, the first counts.
        [scoped, ..] if best == Some(IdMatch::Whole) => Ok(scoped),
        [] => Err(
            Failure::new(Kind::Missing, format!("no such memory: `{id}`"))
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
            let message = format!("`{id}` matches {count} memories: {candidates}");
            Err(Failure::new(Kind::Usage, message).hint("give more characters of the id"))
        }
    }
}

/// Records that memories were asked for, so that they do not fade. An error is ignored.
pub fn note_access(context: &Context, ids: &[&str]) {
    let noted = catalog(context).and_then(|catalog| match catalog {
        Some(catalog) => {
            catalog.note_accesses(ids, now_ms())?;
            offers::note_asked_for(&catalog, ids)
        }
        None => Ok(()),
    });
    if let Err(error) = noted {
        tracing::debug!(%error, "access could not be recorded");
    }
}

/// Records that offers of rejected memories were dismissed. An error is ignored.
pub(crate) fn note_rejection(context: &Context, ids: &[&str]) {
    let noted = catalog(context).and_then(|catalog| match catalog {
        Some(catalog) => Ok(catalog.note_dismissed(ids)?),
        None => Ok(()),
    });
    if let Err(error) = noted {
        tracing::debug!(%error, "rejection could not be recorded");
    }
}
