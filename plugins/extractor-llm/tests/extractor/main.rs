//! Tests the extractor through its public API, with scripted sessions and scripted models.

mod fallback;
mod findings;
mod last_look;
mod long;
mod summary;
mod support;
mod whole;
