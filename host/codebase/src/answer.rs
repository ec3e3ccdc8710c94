//! Answers: requests, response envelopes, slices, and fitting them to a token budget.

pub(crate) mod budget;
pub(crate) mod cascade;
pub(crate) mod commands;
pub(crate) mod depended;
pub(crate) mod entry_packages;
pub(crate) mod entry_points;
pub(crate) mod envelope;
pub(crate) mod gain;
pub(crate) mod material;
pub(crate) mod measures;
pub(crate) mod question;
pub(crate) mod request;
pub(crate) mod response;
pub(crate) mod segments;
pub(crate) mod slice;
pub(crate) mod toml_lines;
