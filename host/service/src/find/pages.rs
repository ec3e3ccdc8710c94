//! Lists memories by filters, in pages, with the number of memories for each further filter. The dashboard's list calls
//! this on every scroll.

use schemars::JsonSchema;
use serde::Serialize;

pub(crate) use crate::find::ordered::rank;
pub use crate::find::ordered::{FacetCount, ListRequest, ListScope, MemoryFacets, MemorySort};
use crate::find::show::{MemoryRow, known_accesses};
use crate::projects::scopes::{self, MemoryScope};
use crate::{Context, Failure};

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MemoryPage {
    pub memories: Vec<MemoryRow>,
    /// Number of memories that match the filters.
    pub total: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub facets: Option<MemoryFacets>,
}

/// Lists memories of the requested scopes.
pub fn list(request: &ListRequest, context: &Context) -> Result<MemoryPage, Failure> {
    let scopes = match request.scope {
        None | Some(ListScope::All) => scopes::browsed(context)?,
        Some(ListScope::Project) => vec![MemoryScope::project(context)],
        Some(ListScope::Global) => vec![MemoryScope::global(context)],
    };
    let bases = scopes.iter().map(|scope| scope.layout.base().to_owned());
    let snapshots = scopes.iter().map(|scope| scope.lately(context));
    let snapshots = snapshots.collect::<Result<Vec<_>, _>>()?;
    let listings = &context.process.kept.listings;
    let listing = listings.of(bases.collect(), snapshots, || known_accesses(context));
    let (rows, total, facets) = listing.page(request);
    let memories = rows
        .into_iter()
        .map(|row| MemoryRow::new(&row.memory, &scopes[row.scope].name, row.confidence));
    Ok(MemoryPage {
        memories: memories.collect(),
        total,
        facets,
    })
}
