//! Arguments of `acreta worker`.

use clap::Args;

/// Learn from the sessions of every machine that shares the state
///
/// Takes jobs from the queue on the server (`state.url`), reads the sessions from shared storage (`archive.url`), learns
/// in the sandbox, and pushes memory to the branch `team.branch` of each project's remote, in clones of its own under
/// `~/.acreta/clones`. Runs until it is interrupted. Needs a build with the feature `team`.
#[derive(Debug, Args)]
pub(crate) struct WorkerArguments {
    /// Only projects whose remote is this or ends with it, for example `github.com/team/app` or `app`
    #[arg(long, value_name = "REMOTE", value_delimiter = ',')]
    pub(crate) projects: Vec<String>,
    /// Learn from this many sessions at once, each of another project
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub(crate) slots: u16,
    /// Do one job, if there is one, and stop
    #[arg(long, conflicts_with = "until_idle")]
    pub(crate) once: bool,
    /// Stop when no job is left
    #[arg(long)]
    pub(crate) until_idle: bool,
}
