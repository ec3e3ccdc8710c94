//! State that all checks share: the job of every call, the usage of calls, and the outcome of a check. A call that
//! exceeded a limit fails its check, whatever the check tests; one that trapped fails the first.

use std::cell::RefCell;
use std::sync::Arc;

use acreta_fs::{Directory, FsError};
use acreta_sdk::conformance::{self, Check};
pub(crate) use acreta_sdk::conformance::{ensure, failed};
use acreta_types::{
    Call, Denial, Failure, Job, Limits, PluginFault, PluginLog, SharedModels, Usage,
};

use crate::conformance::ports::Refusing;

/// The default time of a run: 2026-01-01T00:00:00Z.
pub(crate) const NOW_MS: u64 = 1_767_225_600_000;
/// The default seed.
pub(crate) const SEED: u64 = 1;

/// One check in a role's table.
pub(crate) type RoleCheck<B> = conformance::CheckEntry<B, FsError>;
pub(crate) type Outcome = conformance::Outcome<FsError>;
pub(crate) type Reason = conformance::Reason<FsError>;

/// Runs a table in order.
pub(crate) fn run_all<B: ?Sized>(table: &[RoleCheck<B>], bench: &B) -> Result<Vec<Check>, FsError> {
    conformance::run_all(table, bench, shown)
}

/// Returns the text as one line of limited length, with hidden characters made visible.
pub(crate) fn shown(text: &str) -> String {
    let cut = acreta_text::head(text, SHOWN_BYTES);
    let mut line = acreta_text::visible(cut).replace(['\n', '\t'], " ");
    if cut.len() < text.len() {
        line.push('…');
    }
    line
}

const SHOWN_BYTES: usize = 600;

/// Context of every check.
pub(crate) struct Bench {
    pub(crate) scratch: Directory,
    pub(crate) job: Job,
    limits: Limits,
    /// The resource usage of each call, by its name.
    used: RefCell<Vec<(String, Usage)>>,
}

impl Bench {
    pub(crate) fn new(scratch: &Directory, limits: &Limits) -> Self {
        Self {
            scratch: scratch.clone(),
            job: Job {
                now_ms: NOW_MS,
                seed: SEED,
                log: Arc::new(Silence),
                models: None,
            },
            limits: limits.clone(),
            used: RefCell::default(),
        }
    }

    /// Returns a result or the guest's own failure; any other error fails the check.
    pub(crate) fn value<T>(
        &self,
        call_name: &'static str,
        call: Call<T>,
    ) -> Result<Result<T, Failure>, Reason> {
        self.used
            .borrow_mut()
            .push((call_name.to_owned(), call.usage));
        match call.result {
            Ok(value) => Ok(Ok(value)),
            Err(error) => match error.fault {
                PluginFault::Failed(failure) => Ok(Err(failure)),
                fault @ PluginFault::Trap { .. } => Err(Reason::Trapped {
                    call: call_name,
                    found: format!("{call_name} {fault}"),
                }),
                fault => Err(failed(
                    "a result, or a failure value",
                    format!("{call_name} {fault}"),
                )),
            },
        }
    }

    /// Returns a result; the guest's own failure fails the check too.
    pub(crate) fn result<T>(&self, call_name: &'static str, call: Call<T>) -> Result<T, Reason> {
        self.value(call_name, call)?.map_err(|failure| {
            failed(
                "a result",
                format!(
                    "{call_name} failed with `{}`: {}",
                    failure.code, failure.message
                ),
            )
        })
    }

    /// Returns a job whose models refuse and count every request.
    pub(crate) fn refusing(&self) -> (Job, Arc<Refusing>) {
        let models = Arc::new(Refusing::default());
        let mut job = self.job.clone();
        job.models = Some(Arc::clone(&models) as SharedModels);
        (job, models)
    }

    /// Compares the highest usage of all calls with the limits.
    pub(crate) fn within_limits(&self) -> Outcome {
        let used = self.used.borrow();
        let most = |figure: fn(&Usage) -> u64| {
            let largest = used.iter().max_by_key(|(_, usage)| figure(usage));
            largest.map_or((0, ""), |(name, usage)| (figure(usage), name.as_str()))
        };
        let memory = most(|usage| usage.peak_memory_bytes);
        let time = most(|usage| usage.guest_ms);
        let emitted = most(|usage| usage.emitted_bytes);
        let rows = [
            ("bytes of memory", memory, self.limits.memory_bytes),
            ("milliseconds", time, self.limits.wall_ms),
            ("bytes of events", emitted, self.limits.emitted_bytes),
        ];
        for (unit, (found, call_name), allowed) in rows {
            ensure(
                found <= allowed,
                &format!("at most {allowed} {unit}"),
                || format!("{call_name} used {found}"),
            )?;
        }
        if rows.iter().all(|(_, (found, _), _)| *found == 0) {
            let reason = "nothing was measured: the plugin does not run in a sandbox";
            return Err(Reason::Skipped(reason.to_owned()));
        }
        Ok(format!(
            "{} calls, at most {} KiB of memory and {} ms",
            used.len(),
            memory.0.div_ceil(1024),
            time.0
        ))
    }

    /// Checks that every access that was refused is one that `may_try` allows.
    pub(crate) fn refused(
        &self,
        expected: &str,
        may_try: impl Fn(&str, &Denial) -> bool,
    ) -> Outcome {
        let used = self.used.borrow();
        let mut total = 0;
        for (call_name, usage) in used.iter() {
            for denial in &usage.denied {
                total += denial.count;
                ensure(may_try(call_name, denial), expected, || {
                    format!(
                        "{call_name} tried `{}` on `{}`",
                        denial.operation, denial.path
                    )
                })?;
            }
        }
        Ok(format!("{total} operations refused"))
    }
}

struct Silence;

impl PluginLog for Silence {
    fn write(&self, _plugin: &str, _level: &str, _message: &str) {}
}
