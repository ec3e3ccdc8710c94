//! A pilot on a person's own project: what context answers save and how long they take, measured on a scratch copy.
//! Writes nothing in the project.

use acreta_codebase::Workload;
pub use acreta_codebase::{Latency, Pilot};
use acreta_fs::{Directory, NoFaults};
use camino::Utf8Path;
use serde::Serialize;

use crate::codebase::CodebaseQuery;
use crate::{Context, Failure, Kind};

/// Goals that a pilot is compared with.
pub const GOALS: Goals = Goals {
    token_reduction: 0.5,
    hit_ratio: 0.8,
    hit_ms: 200.0,
    delta_ms: 2_000.0,
};

/// Minimum reduction and hit ratio, and maximum milliseconds of 95 in 100 answers.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Goals {
    pub token_reduction: f64,
    pub hit_ratio: f64,
    pub hit_ms: f64,
    pub delta_ms: f64,
}

/// A pilot and its goals.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PilotReport {
    #[serde(flatten)]
    pub pilot: Pilot,
    pub goals: Goals,
    /// Every goal with a measurement was reached.
    pub reached: bool,
}

/// Asks a number of questions about a copy of a project, and measures the answers.
pub fn run(
    folder: Option<&Utf8Path>,
    questions: u64,
    context: &Context,
) -> Result<PilotReport, Failure> {
    let asked = CodebaseQuery::new(folder, context)?;
    let parent = Directory::open_or_create_private(&context.home.scratch(), NoFaults::shared())?;
    let scratch = acreta_fs::scratch(&parent, "pilot")?;
    let directory = Directory::open(scratch.path(), NoFaults::shared())?;
    let workload = Workload { questions };
    let pilot = asked.codebase.pilot(&asked.folder, &directory, workload)?;
    if pilot.files == 0 {
        let message = format!("`{}` has no files to ask about", asked.folder);
        return Err(Failure::new(Kind::Missing, message).hint("name the folder of a project"));
    }
    let within = |latency: &Option<Latency>, most: f64| latency.is_none_or(|it| it.p95 <= most);
    Ok(PilotReport {
        reached: pilot.token_reduction >= GOALS.token_reduction
            && pilot.hit_ratio >= GOALS.hit_ratio
            && within(&pilot.hit_ms, GOALS.hit_ms)
            && within(&pilot.delta_ms, GOALS.delta_ms),
        pilot,
        goals: GOALS,
    })
}
