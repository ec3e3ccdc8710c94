//! Tests the adapter through its public API: files in, sessions and events out.
//!
//! Fixtures are written by hand in the real format; real sessions are read if they are available.

#![cfg(test)]

mod conformance;
mod events;
mod sessions;
mod steps;
mod traces;

use std::path::{Path, PathBuf};

/// A fixture, by its path under the folder of fixtures.
fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../tests/fixtures/kimi")
        .join(name)
}

/// Paths of the fixtures' sessions.
const MAIN: &str = "kimi-code/wd_ledger-export_4f1c0a9be2d7/\
                    3b9d2c70-1f64-4c8e-8b21-6a0e9d4f7c15/agents/main/wire.jsonl";
const SUBAGENT: &str = "kimi-code/wd_ledger-export_4f1c0a9be2d7/\
                        3b9d2c70-1f64-4c8e-8b21-6a0e9d4f7c15/agents/agent-0/wire.jsonl";
const FORK: &str = "kimi-code/wd_ledger-export_4f1c0a9be2d7/\
                    c41f88d2-0a3b-4be7-9d52-e7713f0b6a90/agents/main/wire.jsonl";
const LEGACY: &str = "kimi-cli/8985233bb992c030b87322d2c635ce2c/\
                      f0c2a6de-77b1-4f0e-8a3d-2c5b9e1d4a68/wire.jsonl";
const LEGACY_SUBAGENT: &str = "kimi-cli/8985233bb992c030b87322d2c635ce2c/\
                               f0c2a6de-77b1-4f0e-8a3d-2c5b9e1d4a68/subagents/a1b2c3/wire.jsonl";
