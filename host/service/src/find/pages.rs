//! Lists memories by filters, in pages, with the number of memories for each further filter. The dashboard's list calls
//! this on every scroll.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_store::Memory;

pub(crate) use crate::find::ordered::rank;
pub use crate::find::ordered::{FacetCount, ListRequest, MemoryFacets, MemorySort};
use crate::projects::scopes::{self, MemoryScope};
use crate::{Context, Failure};

pub struct ListPage {
    pub memories: Vec<ListedMemory>,
    /// Number of memories that match the filters.
    pub total: u64,
    pub facets: Option<MemoryFacets>,
}

pub struct ListedMemory {
    /// `project` or `global`.
    pub scope: String,
    pub memory: Arc<Memory>,
    /// Effective confidence: reduced by age and raised by use.
    pub confidence: f64,
}

/// Lists memories of scopes.
pub fn list(
    request: &ListRequest,
    scopes: &[MemoryScope],
    context: &Context,
) -> Result<ListPage, Failure> {
    let bases = scopes.iter().map(|scope| scope.layout.base().to_owned());
    let snapshots = scopes.iter().map(|scope| scope.lately(context));
    let snapshots = snapshots.collect::<Result<Vec<_>, _>>()?;
    let accesses = || match scopes::catalog(context)? {
        Some(catalog) => Ok(catalog.accesses()?),
        None => Ok(BTreeMap::new()),
    };
    let listings = &context.process.kept.listings;
    let listing = listings.of(bases.collect(), snapshots, accesses)?;
    let (rows, total, facets) = listing.page(request);
    let memories = rows.into_iter().map(|row| ListedMemory {
        scope: scopes[row.scope].name.clone(),
        memory: Arc::clone(&row.memory),
        confidence: row.confidence,
    });
    Ok(ListPage {
        memories: memories.collect(),
        total,
        facets,
    })
}
