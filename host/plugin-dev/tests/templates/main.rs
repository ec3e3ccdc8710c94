//! Tests new plugins through the public API: generated, built and tested in each language; and compares the included
//! SDK files with the WIT.
//!
//! `ACRETA_COMPONENTIZE_JS` names a `node_modules` folder with componentize-js, `ACRETA_COMPONENTIZE_PY` the program
//! componentize-py. Without them, and without node or python, the tests that need them print that they skip.

#![cfg(test)]

mod compatibility;
mod contract;
mod languages;
mod names;
mod project;
mod reference;
mod sdks;
mod stamping;
