//! Looking into memory: search, lists, questions, histories.

pub mod answer;
pub(crate) mod ask;
pub mod cited_sessions;
pub mod for_people;
pub(crate) mod ordered;
pub mod origin;
pub mod pages;
pub mod provenance;
pub mod query;
pub mod sentence_model;
pub mod short_ids;
pub mod show;
pub mod timeline;
