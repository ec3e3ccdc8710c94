//! A frozen run: exactly the plugins of the lock, nothing of the user's own, no network, clock and randomness derived
//! from the input. The same input gives the same bytes, on every machine.

use std::fs::File;
use std::io::Read;

use acreta_config::Environment;
use acreta_pipeline::{RunOptions, Times};
use acreta_plugin_registry::{LOCK, Lock};
use camino::Utf8Path;
use sha2::{Digest, Sha256};

use crate::{Context, Failure, Kind};

/// The time of a frozen run unless `SOURCE_DATE_EPOCH` sets another: 2026-01-01T00:00:00Z.
const CLOCK_MS: u64 = 1_767_225_600_000;

/// Variables that a frozen run reads.
const KEPT: [&str; 6] = [
    "ACRETA_CACHE_DIR",
    "ACRETA_CACHE_KEY",
    "ACRETA_CONFIG",
    "ACRETA_LOG",
    "HOME",
    "SOURCE_DATE_EPOCH",
];

/// Removes everything of the user's own from the environment, and reads the lock of the project.
pub fn surroundings(environment: &mut Environment, start: &Utf8Path) -> Result<Lock, Failure> {
    environment.retain(|name, _| KEPT.contains(&name.as_str()));
    let cache = environment.get("ACRETA_CACHE_DIR").cloned();
    let home = match &cache {
        Some(cache) => format!("{cache}/nobody"),
        None => "/nonexistent".to_owned(),
    };
    // An empty home folder that is never written to.
    environment.insert("ACRETA_HOME".to_owned(), home);
    let root = acreta_store::project_root_outside(start, Utf8Path::new("/nonexistent")).path;
    let file = root.join(LOCK);
    if !file.is_file() {
        return Err(Failure::new(
            Kind::Missing,
            format!("`--frozen` needs the lock file `{file}`, which does not exist"),
        )
        .hint("`acreta plugin lock` writes it; commit it beside the code"));
    }
    Ok(Lock::load(&file)?)
}

/// Sets clock, randomness and report of a frozen run.
pub(crate) fn options(
    trace: &Utf8Path,
    options: RunOptions,
    context: &Context,
) -> Result<RunOptions, Failure> {
    let Some(lock) = &context.process.frozen else {
        return Ok(options);
    };
    let mut digest = Sha256::new();
    let unreadable = |error: std::io::Error| {
        Failure::new(Kind::Missing, format!("`{trace}` cannot be read: {error}"))
    };
    let mut file = File::open(trace).map_err(unreadable)?;
    let mut piece = vec![0; 1024 * 1024];
    loop {
        match file.read(&mut piece).map_err(unreadable)? {
            0 => break,
            read => digest.update(&piece[..read]),
        }
    }
    digest.update(lock.to_text());
    let digest = digest.finalize();
    let mut seed = [0; 8];
    seed.copy_from_slice(&digest[..8]);
    let seconds = context.environment.get("SOURCE_DATE_EPOCH");
    let seconds: Option<u64> = seconds.and_then(|seconds| seconds.parse().ok());
    Ok(RunOptions {
        now_ms: seconds.map_or(CLOCK_MS, |seconds| seconds.saturating_mul(1000)),
        seed: u64::from_le_bytes(seed),
        times: Times::LeftOut,
        // Nothing of the user's own counts.
        pending: None,
        ..options
    })
}
