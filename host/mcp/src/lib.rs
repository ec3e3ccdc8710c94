//! Memory for agents over MCP: tools, resources and prompts over a [`Backend`], by stdio or streamable HTTP. Tool
//! names, descriptions and schemas are constants. Memory is returned as quoted data with its source and trust level,
//! never as an instruction.

mod arguments;
mod backend;
mod calls;
mod cursor;
mod http;
mod lines;
mod prompts;
mod quote;
mod render;
mod resources;
mod server;
mod stdio;
mod tools;

pub use acreta_types::{Detail, ScopeMode, Status, Trust};
pub use backend::{
    Added, Answer, AnswerSource, ArchiveChange, Backend, Changed, DeltaRequest, Evidence,
    ExploreRequest, Failure, FailureKind, Feedback, Hit, MemoryText, NewMemory, NewNote, Noted,
    Page, PageRequest, Provenance, SearchRequest, SessionEvent, SessionHit, SessionPart,
    SessionRequest, Verdict,
};
pub use http::{AllowedCallers, HttpService, http_service};
pub use server::MemoryServer;
pub use stdio::{ServeError, serve_stdio, serve_streams};
