//! Lists of memories as they were last made: the order is computed once for what memory says, and a page only walks it. The
//! cache behind `listing`.

mod facets;

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::{Arc, Mutex};

use acreta_catalog::Access;
use acreta_lead::{Seen, effective_confidence_of};
use acreta_model::{MemoryType, Status, Trust, locked};
use acreta_store::{Memory, Snapshot};
use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::Failure;
use crate::clock::now_ms;

use facets::Counting;
pub use facets::{FacetCount, MemoryFacets};

/// How long the confidences of a list count: they fade by days.
const FADED_MS: u64 = 10 * 60_000;

/// Which memories are wanted; anything not given is any.
#[derive(Debug, Clone, Default)]
pub struct ListRequest {
    pub memory_type: Option<MemoryType>,
    pub kind: Option<String>,
    pub tag: Option<String>,
    pub trust: Option<Trust>,
    /// Active ones if not given.
    pub status: Option<Status>,
    pub stale: Option<bool>,
    /// Must be in the title, in any case.
    pub text: Option<String>,
    pub sort: MemorySort,
    pub offset: usize,
    pub limit: usize,
    /// Whether facets are counted.
    pub facets: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum MemorySort {
    /// The newest first.
    #[default]
    Updated,
    /// The newest first.
    Created,
    /// By alphabet.
    Title,
    /// The highest effective confidence first.
    Confidence,
    /// Decisions, conventions, preferences and pitfalls, then other learnings, then summaries; the newest of each first.
    Rank,
}

/// How early a memory stands among others: what rules later work comes before what happened once.
pub(crate) fn rank(memory: &Memory) -> u8 {
    match (memory.memory_type, memory.kind()) {
        (MemoryType::Decision, _) => 0,
        (MemoryType::Learning, "convention" | "preference" | "pitfall") => 0,
        (MemoryType::Learning, _) => 1,
        (MemoryType::Summary, _) => 2,
    }
}

/// Lists as they were last made, by the memories they are of.
#[derive(Clone, Default)]
pub(crate) struct Listings {
    made: Arc<Mutex<HashMap<Vec<Utf8PathBuf>, Arc<Listing>>>>,
}

impl Listings {
    /// The list of memories that lie at these bases and say this. `accesses` is asked for a list that has to be made.
    pub(crate) fn of(
        &self,
        bases: Vec<Utf8PathBuf>,
        snapshots: Vec<Arc<Snapshot>>,
        accesses: impl FnOnce() -> Result<BTreeMap<String, Access>, Failure>,
    ) -> Result<Arc<Listing>, Failure> {
        let now = now_ms();
        if let Some(known) = locked(&self.made).get(&bases)
            && known.is_of(&snapshots)
            && now.abs_diff(known.made_ms) < FADED_MS
        {
            return Ok(Arc::clone(known));
        }
        let listing = Arc::new(Listing::new(snapshots, &accesses()?, now));
        locked(&self.made).insert(bases, Arc::clone(&listing));
        Ok(listing)
    }
}

/// All memories of some scopes with what filters look at side by side.
pub(crate) struct Listing {
    snapshots: Vec<Arc<Snapshot>>,
    made_ms: u64,
    rows: Vec<ListingRow>,
    kinds: Names,
    tags: Names,
    /// The tags of all rows, one after the other.
    tagged: Vec<u32>,
    orders: Mutex<HashMap<MemorySort, Arc<Vec<u32>>>>,
}

pub(crate) struct ListingRow {
    pub(crate) memory: Arc<Memory>,
    /// Its place among the snapshots.
    pub(crate) scope: usize,
    memory_type: MemoryType,
    kind: u32,
    trust: Trust,
    status: Status,
    stale: bool,
    /// In [`Listing::tagged`].
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
            kinds: Names::default(),
            tags: Names::default(),
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

    /// The rows of a page, how many fit in all, and facets if they are wanted.
    pub(crate) fn page(
        &self,
        request: &ListRequest,
    ) -> (Vec<&ListingRow>, u64, Option<MemoryFacets>) {
        let filters = self.filters(request);
        let mut page = Vec::new();
        let mut total = 0;
        let mut facets = request.facets.then(|| Counting::new(self));
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
        // The newest of equals first.
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
        let of = |names: &Names, wanted: &Option<String>| {
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

/// A request, with names as their numbers; a name that no memory has is `Some(None)`.
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

    /// Reports whether nothing but this filter stands in the way.
    fn but_for(&self, own: bool) -> bool {
        self.all() == u32::from(own)
    }
}

/// Words by number, so that they are compared as numbers.
#[derive(Default)]
struct Names {
    names: Vec<String>,
    known: HashMap<String, u32>,
}

impl Names {
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

/// The day of a time in front matter.
fn day(time: Option<&str>) -> &str {
    let time = time.unwrap_or_default();
    time.get(..10).unwrap_or(time)
}
