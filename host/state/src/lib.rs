//! The state database: session files, sessions and projects, the durable job queue, runs and their events, pending
//! records, offers to agents, and review decisions.
//!
//! A change is on disk, completely or not at all, when its method returns. Several processes may use one database at
//! once; a job is held by one worker, and a worker that lost its lease cannot complete its job. Nothing here is memory:
//! losing the database costs a new discovery and the pending records. The clock is always an argument, in milliseconds
//! since 1970.

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
mod location;
mod lookup;
mod named;
mod notes;
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
mod spending;
mod upgrade;
mod values;
mod waiting;
mod wake;

pub use accesses::Access;
pub use acreta_types::TaskState;
#[cfg(feature = "postgres")]
pub use backend::postgres::server::Server;
pub use backend::{DatabaseError, LeaseClock, ServerState};
pub use counts::{Counts, SessionCount};
pub use cures::{StoredCure, Uncollected};
pub use database::{Catalog, CatalogOptions};
pub use error::{CatalogError, JobError, LeaseError};
pub use events::{
    Event, EventFilter, EventIdKind, EventKind, EventLevel, EventOrder, KEPT_EVENTS, KEPT_MS,
    NewEvent,
};
pub use files::{FailedFile, FileOutcome, SeenFile};
pub use jobs::{Job, JobFilter};
pub use keys::{ProjectId, SessionKey};
pub use lease::{Completion, Heartbeat, Lease, MAX_ATTEMPTS, Retry};
pub use location::StateLocation;
pub use lookup::Lookup;
pub use named::NamedRun;
pub use notes::{NoteCounts, NoteOutcome, RecordedNote};
pub use offers::{NewOffers, OfferTotals};
pub use places::{RecordedDirectory, UnassignedSessions};
pub use projects::{Project, TeamProject, WaitingSessions};
pub use purge::Purged;
pub use queue::{ClaimFilter, Enqueued, Wanted};
pub use readings::{NewReading, RereadFilter, SessionReading, Strength, Wait, WaitingReadings};
pub use record::{Discovery, Finding, Found, RecordedSession, SessionChange};
pub use reviews::{MOST_REVIEWS, NewReview, Review};
pub use runs::{NewRun, Run, RunEnd, RunFilter};
pub use sessions::{
    Archive, ArchiveKind, KnownSession, Relation, SessionFilter, SessionState, TraceCursor,
};
pub use spending::{
    ReservationId, SpendingAmount, SpendingDay, SpendingLimit, SpendingLimits, SpendingReservation,
};
pub use waiting::{MOST_PENDING, PENDING_MS, PendingRecord, PendingSighting, PendingState};
