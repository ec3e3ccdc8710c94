//! Searches memory: parses filters, and queries the indexes of the selected scopes.

use std::collections::BTreeSet;

use acreta_search::{Access, Accesses, Filter, Hit, Query, Scope, SearchScope};
use acreta_store::{Memory, Store};
use acreta_types::{MemoryType, Status, Trust, UnknownName};

use crate::process::clock::{moment, now_ms};
use crate::projects::scopes::{self, MemoryScope};
use crate::{Context, Failure, recall::offers};

/// Filters of a search, as the caller wrote them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryFilter {
    pub types: Vec<String>,
    pub kinds: Vec<String>,
    /// All of them must be present.
    pub tags: Vec<String>,
    pub agents: Vec<String>,
    /// A date, a time, or an age.
    pub since: Option<String>,
    pub until: Option<String>,
    /// Minimum trust.
    pub trust: Option<String>,
    /// Exact trust.
    pub only_trust: Option<Trust>,
    /// Include archived memories, and superseded ones.
    pub archived: bool,
    pub superseded: bool,
    /// Only this status.
    pub only_status: Option<Status>,
    pub scope: Option<String>,
    pub all_projects: bool,
}

impl MemoryFilter {
    fn statuses(&self) -> BTreeSet<Status> {
        let is_wanted = |status: &Status| match (self.only_status, status) {
            (Some(only), status) => only == *status,
            (None, Status::Active) => true,
            (None, Status::Superseded) => self.superseded,
            (None, Status::Archived) => self.archived,
        };
        Status::ALL.into_iter().filter(is_wanted).collect()
    }

    fn trusts(&self) -> Result<BTreeSet<Trust>, Failure> {
        let least: Option<Trust> = self.trust.as_deref().map(str::parse).transpose()?;
        Ok(match (self.only_trust, least) {
            (Some(only), _) => [only].into(),
            (None, Some(least)) => Trust::ALL
                .into_iter()
                .filter(|trust| *trust >= least)
                .collect(),
            (None, None) => BTreeSet::new(),
        })
    }
}

/// A hit, and the scope it belongs to.
#[derive(Clone)]
pub struct FoundHit {
    pub scope: String,
    pub layout: acreta_store::Layout,
    pub hit: Hit,
}

/// Queries the indexes of the selected scopes.
pub struct Finder<'a> {
    context: &'a Context,
    filter: &'a MemoryFilter,
}

impl<'a> Finder<'a> {
    pub fn new(context: &'a Context, filter: &'a MemoryFilter) -> Self {
        Self { context, filter }
    }

    /// Returns the project's hits first or, over all projects, the best hits first.
    pub fn find(&self, query: &Query) -> Result<Vec<FoundHit>, Failure> {
        let mode = scopes::mode(self.context, self.filter.scope.as_deref())?;
        let (project, global) = (
            MemoryScope::project(self.context),
            MemoryScope::global(self.context),
        );
        let (project_index, global_index) =
            (project.index(self.context), global.index(self.context));
        let now = i64::try_from(now_ms()).unwrap_or(i64::MAX);
        let all = SearchScope {
            project: Some(&project_index),
            global: Some(&global_index),
            mode,
        }
        .found(query, now)?;
        if let Some(warning) = &all.warning {
            self.context.warn(warning);
        }
        let mut found: Vec<FoundHit> = all
            .hits
            .into_iter()
            .map(|scoped| {
                let scope = match scoped.scope {
                    Scope::Project => &project,
                    Scope::Global => &global,
                };
                FoundHit {
                    scope: scope.name.clone(),
                    layout: scope.layout.clone(),
                    hit: scoped.hit,
                }
            })
            .collect();
        if self.filter.all_projects {
            for scope in scopes::other_projects(self.context)? {
                let hits = scope.index(self.context).search(query, now)?.hits;
                found.extend(hits.into_iter().map(|hit| FoundHit {
                    scope: scope.name.clone(),
                    layout: scope.layout.clone(),
                    hit,
                }));
            }
            found.sort_by(|left, right| right.hit.score.total_cmp(&left.hit.score));
            found.truncate(query.limit);
        }
        Ok(found)
    }
}

/// Builds a query from filters and known accesses.
pub fn query(
    text: String,
    limit: usize,
    arguments: &MemoryFilter,
    context: &Context,
) -> Result<Query, Failure> {
    let mut filter = Filter {
        kinds: wanted_kinds(&arguments.kinds)?,
        tags: arguments.tags.iter().cloned().collect(),
        agents: arguments.agents.iter().cloned().collect(),
        statuses: arguments.statuses(),
        trusts: arguments.trusts()?,
        ..Filter::default()
    };
    for name in &arguments.types {
        filter.types.extend(wanted_type(Some(name))?);
    }
    let now = now_ms();
    let time = |text: &Option<String>| -> Result<Option<i64>, Failure> {
        let moment = text.as_deref().map(|text| moment(text, now)).transpose()?;
        Ok(moment.map(|moment| i64::try_from(moment).unwrap_or(i64::MAX)))
    };
    filter.since_ms = time(&arguments.since)?;
    filter.until_ms = time(&arguments.until)?;
    Ok(Query {
        limit,
        filter,
        accesses: accesses(context),
        ..Query::new(text)
    })
}

/// Returns accesses and offers of memories, empty without a catalog. They only affect the order of hits.
pub(crate) fn accesses(context: &Context) -> Accesses {
    let known = scopes::catalog(context).and_then(|catalog| match catalog {
        Some(catalog) => Ok((catalog.asked()?, offers::helped(&catalog)?)),
        None => Ok(Default::default()),
    });
    let (asked, helped) = match known {
        Ok(known) => known,
        Err(error) => {
            tracing::debug!(%error, "accesses could not be read");
            return Accesses::new();
        }
    };
    let asked = asked.into_iter().filter_map(|(id, access)| {
        let access = Access {
            count: access.count,
            last_ms: i64::try_from(access.last_ms?).ok()?,
            helped: 0.0,
        };
        Some((id, access))
    });
    let mut accesses: Accesses = asked.collect();
    for (id, helped) in helped {
        accesses.entry(id).or_default().helped = helped;
    }
    accesses
}

/// Returns the memory of a hit, with its sidecars; `None` if it was just removed.
pub fn memory_of(found: &FoundHit) -> Result<Option<Memory>, Failure> {
    let store = Store::open(found.layout.clone(), acreta_fs::NoFaults::shared())?;
    Ok(store.read(found.hit.memory_type, &found.hit.path)?)
}

pub fn wanted_type(name: Option<&str>) -> Result<Option<MemoryType>, Failure> {
    name.map(|name| {
        name.parse().map_err(|error: UnknownName| {
            let failure = Failure::from(error);
            match MemoryType::Learning.allows_kind(name) {
                true => failure.hint(format!("it is a kind of learning: `--kind {name}`")),
                false => failure,
            }
        })
    })
    .transpose()
}

/// Checks the names of kinds.
pub fn wanted_kinds(names: &[String]) -> Result<BTreeSet<String>, Failure> {
    let is_unknown = |name: &&String| !MemoryType::Learning.allows_kind(name);
    match names.iter().find(is_unknown) {
        None => Ok(names.iter().cloned().collect()),
        Some(name) => Err(UnknownName {
            what: "kind of learning",
            name: name.clone(),
            known: MemoryType::Learning.entry().kinds.to_vec(),
        }
        .into()),
    }
}
