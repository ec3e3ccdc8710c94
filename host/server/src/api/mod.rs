//! The types of the protocol: problem documents, login, jobs of this server, live events, and the project of a request.
//! The requests and reports of use cases are those of `acreta_service`. JSON is snake_case; a request with an unknown
//! field is refused.

mod jobs;
mod login;
mod problem;
mod status;
mod words;

pub use acreta_types::TaskState;
pub use jobs::{Accepted, JobKind, JobList, JobProgress, JobView, MaintainRequest, SyncRequest};
pub use login::{BrowserToken, LoginCodes, LoginRequest, LoginUrl};
pub use problem::{Problem, ProblemBody, ProblemCode};
pub use status::{DaemonStatus, Health, LiveEvent, ScheduleLine, ScheduleView};
pub use words::{InProject, InProjects, NoBody, OfProject};
