//! New plugins through the public door: stamped, built and tested in each language; and what travels
//! with them, against the WIT that it was made from.
//!
//! `ACRETA_COMPONENTIZE_JS` names a `node_modules` folder with componentize-js, `ACRETA_COMPONENTIZE_PY`
//! the program componentize-py. Without them, and without node or python, the tests that need them
//! say that they skip.

#![cfg(test)]

mod compatibility;
mod contract;
mod languages;
mod names;
mod project;
mod reference;
mod sdks;
mod stamping;
