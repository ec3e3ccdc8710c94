//! Caches lists of memories for `listing`: the order is computed once for a state of memory, and a page only walks it.

mod facets;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex};

use acreta_pipeline::{Seen, effective_confidence_of};
use acreta_state::Access;
use acreta_store::{Memory, Snapshot};
use acreta_types::{MemoryType, Status, Trust, locked};
use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::process::clock::now_ms;

use facets::FacetCounter;
pub use facets::{FacetCount, MemoryFacets};

/// Lifetime of a list's confidences, which fade over days.
const FADED_MS: u64 = 10 * 60_000;

/// The memory to list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ListScope {
    Project,
    Global,
    /// The project's and the global memory, and with `all_projects` that of the others.
    All,
}

/// Filters of a list; a missing one matches everything.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ListRequest {
    /// Default: all.
    pub scope: Option<ListScope>,
    #[serde(rename = "type")]
    pub memory_type: Option<MemoryType>,
    #[schemars(length(min = 1, max = 64))]
    pub kind: Option<String>,
    #[schemars(length(min = 1, max = 64))]
    pub tag: Option<String>,
    pub trust: Option<Trust>,
    /// Default: active.
    pub status: Option<Status>,
    pub stale: Option<bool>,
    /// Text that the title must contain, ignoring case.
    #[schemars(length(min = 1, max = 200))]
    pub text: Option<String>,
    #[serde(default)]
    pub sort: MemorySort,
    #[serde(default)]
    #[schemars(range(max = 1_000_000_000))]
    pub offset: usize,
    #[serde(default = "page_size")]
    #[schemars(range(min = 1, max = 500))]
    pub limit: usize,
    /// Also count how many memories each further filter would leave.
    #[serde(default)]
    pub facets: bool,
}

fn page_size() -> usize {
    50
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemorySort {
    /// Newest first.
    #[default]
    Updated,
    /// Newest first.
    Created,
    /// Alphabetically.
    Title,
    /// Highest effective confidence first.
    Confidence,
    /// Decisions, conventions, preferences and pitfalls, then other learnings, then summaries; newest of each first.
    Rank,
}

/// Returns the rank of a memory: rules for later work come before single events.
pub(crate) fn rank(memory: &Memory) -> u8 {
    match (memory.memory_type, memory.kind()) {
        (MemoryType::Decision, _) => 0,
        (MemoryType::Learning, "convention" | "preference" | "pitfall") => 0,
        (MemoryType::Learning, _) => 1,
        (MemoryType::Summary, _) => 2,
    }
}

/// Cached lists, by the memories they contain.
#[derive(Clone, Default)]
pub(crate) struct Listings {
    made: Arc<Mutex<HashMap<Vec<Utf8PathBuf>, Arc<Listing>>>>,
}

impl Listings {
    /// Returns the list of memories at these bases with this content. `accesses` is called if the list has to be built.
    pub(crate) fn of(
        &self,
        bases: Vec<Utf8PathBuf>,
        snapshots: Vec<Arc<Snapshot>>,
        accesses: impl FnOnce() -> BTreeMap<String, Access>,
    ) -> Arc<Listing> {
        let now = now_ms();
        if let Some(known) = locked(&self.made).get(&bases)
            && known.is_of(&snapshots)
            && now.abs_diff(known.made_ms) < FADED_MS
        {
            return Arc::clone(known);
        }
        let listing = Arc::new(Listing::new(snapshots, &accesses(), now));
        locked(&self.made).insert(bases, Arc::clone(&listing));
        listing
    }
}

/// All memories of some scopes, with the values that filters use side by side.
pub(crate) struct Listing {
    snapshots: Vec<Arc<Snapshot>>,
    made_ms: u64,
    rows: Vec<ListingRow>,
    kinds: InternedNames,
    tags: InternedNames,
    /// The tags of all rows, concatenated.
    tagged: Vec<u32>,
    orders: Mutex<HashMap<MemorySort, Arc<Vec<u32>>>>,
}

pub(crate) struct ListingRow {
    pub(crate) memory: Arc<Memory>,
    /// Index of its snapshot.
    pub(crate) scope: usize,
    memory_type: MemoryType,
    kind: u32,
    trust: Trust,
    status: Status,
    stale: bool,
    /// Range in [`Listing::tagged`].
    tags: Range<usize>,
    pub(crate) confidence: f64,
}

impl Listing {
    fn new(
        snapshots: Vec<Arc<Snapshot>>,
        accesses: &BTreeMap<String, Access>,
        now_ms: u64,
    ) -> Self {
        let mut listing = Self {
            made_ms: now_ms,
            rows: Vec::new(),
            kinds: InternedNames::default(),
            tags: InternedNames::default(),
            tagged: Vec::new(),
            orders: Mutex::default(),
            snapshots: Vec::new(),
        };
        for (scope, snapshot) in snapshots.iter().enumerate() {
            for memory in &snapshot.memories {
                let seen = accesses.get(&memory.id).map(|access| Seen {
                    last_access_ms: access.last_ms,
                    first_seen_ms: access.first_seen_ms,
                });
                let from = listing.tagged.len();
                let tags = memory.front_matter.tags.iter();
                listing
                    .tagged
                    .extend(tags.map(|tag| listing.tags.number(tag)));
                listing.rows.push(ListingRow {
                    scope,
                    memory_type: memory.memory_type,
                    kind: listing.kinds.number(memory.kind()),
                    trust: memory.trust(),
                    status: memory.status(),
                    stale: memory.state.as_ref().is_some_and(|state| state.stale),
                    tags: from..listing.tagged.len(),
                    confidence: effective_confidence_of(memory, seen.as_ref(), now_ms),
                    memory: Arc::clone(memory),
                });
            }
        }
        listing.snapshots = snapshots;
        listing
    }

    /// Returns the rows of a page, the total number of matches, and facets if requested.
    pub(crate) fn page(
        &self,
        request: &ListRequest,
    ) -> (Vec<&ListingRow>, u64, Option<MemoryFacets>) {
        let filters = self.filters(request);
        let mut page = Vec::new();
        let mut total = 0;
        let mut facets = request.facets.then(|| FacetCounter::new(self));
        for &place in self.order(request.sort).iter() {
            let row = &self.rows[place as usize];
            let missed = filters.missed(row, self);
            if let Some(facets) = &mut facets {
                facets.count(row, &missed, self);
            }
            if missed.all() == 0 {
                if total >= request.offset && page.len() < request.limit {
                    page.push(row);
                }
                total += 1;
            }
        }
        let facets = facets.map(|facets| facets.end(self));
        (page, total as u64, facets)
    }

    fn is_of(&self, snapshots: &[Arc<Snapshot>]) -> bool {
        let same = |(known, now): (&Arc<Snapshot>, &Arc<Snapshot>)| Arc::ptr_eq(known, now);
        self.snapshots.len() == snapshots.len() && self.snapshots.iter().zip(snapshots).all(same)
    }

    fn order(&self, by: MemorySort) -> Arc<Vec<u32>> {
        if let Some(order) = locked(&self.orders).get(&by) {
            return Arc::clone(order);
        }
        let mut order: Vec<u32> = (0..self.rows.len() as u32).collect();
        let row = |place: u32| &self.rows[place as usize];
        // Newest first among equals.
        let id = |place: u32| Reverse(row(place).memory.id.as_str());
        let updated = |place: u32| Reverse(day(row(place).memory.front_matter.updated.as_deref()));
        match by {
            MemorySort::Updated => order.sort_by_key(|&one| (updated(one), id(one))),
            MemorySort::Created => order.sort_by_key(|&one| {
                let created = row(one).memory.front_matter.created.as_deref();
                (Reverse(day(created)), id(one))
            }),
            MemorySort::Title => {
                order.sort_by_cached_key(|&one| (row(one).memory.title().to_lowercase(), id(one)));
            }
            MemorySort::Confidence => order.sort_by_key(|&one| {
                let millionths = (row(one).confidence * 1e6) as u64;
                (Reverse(millionths), id(one))
            }),
            MemorySort::Rank => {
                order.sort_by_key(|&one| (rank(&row(one).memory), updated(one), id(one)));
            }
        }
        let order = Arc::new(order);
        locked(&self.orders).insert(by, Arc::clone(&order));
        order
    }

    fn filters<'a>(&self, request: &'a ListRequest) -> Filters<'a> {
        let of = |names: &InternedNames, wanted: &Option<String>| {
            wanted
                .as_ref()
                .map(|wanted| names.known.get(wanted).copied())
        };
        Filters {
            request,
            kind: of(&self.kinds, &request.kind),
            tag: of(&self.tags, &request.tag),
            text: request.text.as_ref().map(|text| text.to_lowercase()),
        }
    }
}

/// A request with names replaced by numbers; a name that no memory has is `Some(None)`.
struct Filters<'a> {
    request: &'a ListRequest,
    kind: Option<Option<u32>>,
    tag: Option<Option<u32>>,
    text: Option<String>,
}

/// The filters that a memory does not pass.
struct Missed {
    memory_type: bool,
    kind: bool,
    tag: bool,
    trust: bool,
    status: bool,
    stale: bool,
    text: bool,
}

impl Filters<'_> {
    fn missed(&self, row: &ListingRow, listing: &Listing) -> Missed {
        let request = self.request;
        let tags = &listing.tagged[row.tags.clone()];
        Missed {
            memory_type: request
                .memory_type
                .is_some_and(|one| one != row.memory_type),
            kind: self.kind.is_some_and(|kind| kind != Some(row.kind)),
            tag: (self.tag).is_some_and(|tag| !tag.is_some_and(|tag| tags.contains(&tag))),
            trust: request.trust.is_some_and(|trust| trust != row.trust),
            status: row.status != request.status.unwrap_or(Status::Active),
            stale: request.stale.is_some_and(|stale| stale != row.stale),
            text: self.text.as_ref().is_some_and(|text| {
                let title = row.memory.title().to_lowercase();
                !title.contains(text)
            }),
        }
    }
}

impl Missed {
    fn all(&self) -> u32 {
        [
            self.memory_type,
            self.kind,
            self.tag,
            self.trust,
            self.status,
            self.stale,
            self.text,
        ]
        .into_iter()
        .map(u32::from)
        .sum()
    }

    /// Returns whether only this filter excludes the memory.
    fn but_for(&self, own: bool) -> bool {
        self.all() == u32::from(own)
    }
}

/// Interned words, so that they are compared as numbers.
#[derive(Default)]
struct InternedNames {
    names: Vec<String>,
    known: HashMap<String, u32>,
}

impl InternedNames {
    fn number(&mut self, name: &str) -> u32 {
        if let Some(number) = self.known.get(name) {
            return *number;
        }
        let number = self.names.len() as u32;
        self.names.push(name.to_owned());
        self.known.insert(name.to_owned(), number);
        number
    }
}

/// Returns the day of a time in front matter.
fn day(time: Option<&str>) -> &str {
    let time = time.unwrap_or_default();
    time.get(..10).unwrap_or(time)
}
