//! Arguments of `acreta usage`.

use clap::{Args, ValueEnum};

/// Show what your agents used: tokens, calls, time, dollars
///
/// From what agents record in their sessions, also in those that they have deleted since. A figure that an agent does not
/// record is shown as `?`, and a sum with `+` lacks sessions that recorded no tokens. `in` has all tokens in; `cached` are
/// those of them that were read from the model's cache. Dollars are estimates at list prices (`llm.prices` changes them):
/// what you pay with a plan is another matter. Days are those of UTC.
#[derive(Debug, Args)]
pub(crate) struct UsageArguments {
    /// What to group by
    #[arg(long, value_enum, default_value_t = UsageGroups::Day)]
    pub(crate) by: UsageGroups,
    /// Only since this day: a date, a time, or an age (7d, 2w)
    #[arg(long, default_value = "30d", value_name = "WHEN")]
    pub(crate) since: String,
    /// Only before this day
    #[arg(long, value_name = "WHEN")]
    pub(crate) until: Option<String>,
    /// Only sessions of this agent
    #[arg(long, value_name = "NAME")]
    pub(crate) agent: Option<String>,
    /// Only sessions of this project
    #[arg(long)]
    pub(crate) this_project: bool,
    /// Print comma-separated values, with an empty one for what is unknown
    #[arg(long)]
    pub(crate) csv: bool,
    /// Print the figures of today on one short line, as the last sync counted them, for the status line of an agent
    #[arg(long, conflicts_with_all = ["by", "since", "until", "agent", "this_project", "csv"])]
    pub(crate) statusline: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum UsageGroups {
    Day,
    Project,
    Agent,
    Model,
}
