//! Runs the suite of a role: its table from top to bottom, with built-in inputs and with those of the author's cases.
//! Nothing that a plugin does ends it early.

use std::sync::Arc;

use acreta_fs::{Directory, FsError};
use acreta_sdk::conformance::adapter::checks;
use acreta_types::{Limits, Role};

use crate::conformance::adapter::AdapterBench;
use crate::conformance::bench::{Bench, RoleCheck, run_all};
use crate::conformance::case::Case;
use crate::conformance::explorer::{self, ExplorerBench};
use crate::conformance::extractor::{self, ExtractorBench};
use crate::conformance::memory_writer::{self, WriterBench};
use crate::conformance::plugin::Plugin;
use crate::conformance::report::Report;

/// Tests a plugin. Cases of other roles are skipped; `scratch` is for copies and drafts, and `limits` are those that
/// the plugin was loaded with. Fails only on disk errors.
pub fn conformance(
    plugin: &Plugin,
    cases: &[Case],
    scratch: &Directory,
    limits: &Limits,
) -> Result<Report, FsError> {
    let bench = Bench::new(scratch, limits);
    let checks = match plugin {
        Plugin::Adapter(adapter) => {
            let bench = AdapterBench::new(bench, Arc::clone(adapter), cases);
            run_all(&adapter_checks(), &bench)
        }
        Plugin::Extractor(extractor) => {
            let bench = ExtractorBench::new(bench, Arc::clone(extractor), cases);
            run_all(extractor::CHECKS, &bench)
        }
        Plugin::Explorer(explorer) => {
            let bench = ExplorerBench::new(bench, Arc::clone(explorer), cases)?;
            run_all(explorer::CHECKS, &bench)
        }
        Plugin::MemoryWriter(writer) => {
            let bench = WriterBench::new(bench, Arc::clone(writer), cases);
            run_all(memory_writer::CHECKS, &bench)
        }
    }?;
    Ok(Report {
        plugin: plugin.info().id.clone(),
        role: plugin.role(),
        checks,
    })
}

/// Lists a role's checks, in order: the name and what it promises.
pub fn promises(role: Role) -> Vec<(&'static str, &'static str)> {
    fn rows<B: ?Sized>(table: &[RoleCheck<B>]) -> Vec<(&'static str, &'static str)> {
        let rows = table.iter().map(|entry| (entry.name, entry.promise));
        rows.collect()
    }
    match role {
        Role::Adapter => rows(&adapter_checks()),
        Role::Extractor => rows(extractor::CHECKS),
        Role::Explorer => rows(explorer::CHECKS),
        Role::MemoryWriter => rows(memory_writer::CHECKS),
    }
}

fn adapter_checks() -> Vec<RoleCheck<AdapterBench>> {
    checks()
}
