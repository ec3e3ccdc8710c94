//! The state database: which session files were seen, which sessions and projects there are, the
//! durable queue of work on them, the runs that were made, what happened in them, what waits to be
//! said again before it is memory, what agents were offered, and what a person decided in review.
//!
//! What a method returned from is on disk, whole or not at all. Several processes may use one
//! database at once; a job is never in two hands, and whoever lost a lease cannot complete its job.
//! Nothing here is memory: a lost database costs a new discovery and what waited, no more. The clock is always an
//! argument, in milliseconds since 1970.

mod accesses;
mod backend;
mod counts;
mod cures;
mod database;
mod descriptions;
mod error;
mod events;
mod files;
mod ids;
mod jobs;
mod keys;
mod lease;
mod lookup;
mod named;
mod offers;
mod pending;
mod places;
mod projects;
mod purge;
mod queue;
mod readings;
mod record;
mod reviews;
mod runs;
mod schema;
mod sessions;
mod upgrade;
mod values;
mod waiting;

pub use accesses::Access;
pub use acreta_model::TaskState;
#[cfg(feature = "postgres")]
pub use backend::postgres::server::Server;
pub use backend::{DatabaseError, LeaseClock};
pub use counts::{Counts, SessionCount};
pub use cures::{StoredCure, Uncollected};
pub use database::{Catalog, CatalogOptions};
pub use error::{CatalogError, JobError, LeaseError};
pub use events::{
    Event, EventFilter, EventIdKind, EventKind, EventLevel, EventOrder, KEPT_EVENTS, KEPT_MS,
    NewEvent,
};
pub use files::{FailedFile, Outcome, SeenFile};
pub use jobs::{Job, JobFilter};
pub use keys::{ProjectId, SessionKey};
pub use lease::{Completion, Heartbeat, Lease, MAX_ATTEMPTS, Retry};
pub use lookup::Lookup;
pub use named::NamedRun;
pub use offers::{NewOffers, OfferTotals};
pub use places::Place;
pub use projects::{Project, Waiting};
pub use purge::Purged;
pub use queue::{ClaimFilter, Enqueued, Wanted};
pub use readings::{NewReading, RereadFilter, SessionReading, Strength, Wait, WaitingReadings};
pub use record::{Change, Discovery, Finding, Found, Recorded};
pub use reviews::{MOST_REVIEWS, NewReview, Review};
pub use runs::{NewRun, Run, RunEnd, RunFilter};
pub use sessions::{
    Archive, ArchiveKind, KnownSession, Relation, SessionFilter, SessionState, TraceCursor,
};
pub use waiting::{MOST_PENDING, PENDING_MS, PendingRecord, PendingSighting, PendingState};
