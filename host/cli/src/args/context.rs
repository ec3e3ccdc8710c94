//! Arguments of `acreta context`.

use acreta_service::codebase::{Detail, Request};
use camino::Utf8PathBuf;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum ContextCommand {
    /// Show where to look in a project, and what changed since it was last explored
    Explore(ExploreArguments),
    /// Show what changed since the project was last explored, without storing anything
    Delta(DeltaArguments),
    /// Explore again and read every file
    Refresh(RefreshArguments),
    /// Watch a project and print each change
    Watch(WatchArguments),
    /// Show what answers saved and how long they took, measured in real use
    Gain(ProjectArgument),
    /// Measure on a copy of a project what answers would save compared with reading files
    Pilot(PilotArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ProjectArgument {
    /// Its folder; the project of the current directory if none is given
    pub(crate) folder: Option<Utf8PathBuf>,
}

/// Amount of detail in an answer.
#[derive(Debug, Args)]
pub(crate) struct AmountArguments {
    /// Amount of detail
    #[arg(long, value_enum, default_value_t = DetailName::Compact)]
    detail: DetailName,
    /// At most this many tokens (estimated, counted over the JSON form)
    #[arg(long, value_name = "TOKENS")]
    budget: Option<usize>,
}

/// Show where to look in a project, and what changed since it was last explored
///
/// Shows entry points, the most important files, imports, and build and test commands. Reads only files that changed.
/// Never opens files with secrets.
#[derive(Debug, Args)]
pub(crate) struct ExploreArguments {
    #[command(flatten)]
    pub(crate) project: ProjectArgument,
    /// A task in words: the files it is about come first, according to the code and to memory
    #[arg(long, value_name = "TEXT")]
    query: Option<String>,
    /// Read every file again
    #[arg(long)]
    refresh: bool,
    /// Show changes since this git revision instead
    #[arg(long, value_name = "REVISION")]
    since: Option<String>,
    #[command(flatten)]
    amount: AmountArguments,
}

#[derive(Debug, Args)]
pub(crate) struct DeltaArguments {
    #[command(flatten)]
    pub(crate) project: ProjectArgument,
    /// Show changes since this git revision instead
    #[arg(long, value_name = "REVISION")]
    since: Option<String>,
    #[command(flatten)]
    amount: AmountArguments,
}

#[derive(Debug, Args)]
pub(crate) struct RefreshArguments {
    #[command(flatten)]
    pub(crate) project: ProjectArgument,
    #[command(flatten)]
    amount: AmountArguments,
}

#[derive(Debug, Args)]
pub(crate) struct WatchArguments {
    #[command(flatten)]
    pub(crate) project: ProjectArgument,
    /// Seconds between two scans if the system reports no file events
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) interval: u64,
    /// Amount of detail
    #[arg(long, value_enum, default_value_t = DetailName::Compact)]
    detail: DetailName,
}

/// Measure on a copy of a project what answers would save compared with reading files
///
/// Copies the project to a scratch folder, without sensitive files. Asks the same questions with and without acreta;
/// before every fifth, files change as they did in the newest commits. Writes nothing in the project, and nothing
/// counts as real use (`gain`).
#[derive(Debug, Args)]
pub(crate) struct PilotArguments {
    #[command(flatten)]
    pub(crate) project: ProjectArgument,
    /// Number of questions to ask
    #[arg(long, value_name = "N", default_value_t = 40, value_parser = clap::value_parser!(u64).range(2..=10_000))]
    pub(crate) questions: u64,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum DetailName {
    Compact,
    Normal,
    Verbose,
}

impl From<DetailName> for Detail {
    fn from(name: DetailName) -> Self {
        match name {
            DetailName::Compact => Detail::Compact,
            DetailName::Normal => Detail::Normal,
            DetailName::Verbose => Detail::Verbose,
        }
    }
}

impl AmountArguments {
    fn request(&self) -> Request {
        Request {
            detail: self.detail.into(),
            budget: self.budget,
            ..Request::default()
        }
    }
}

impl ExploreArguments {
    pub(crate) fn request(&self) -> Request {
        Request {
            refresh: self.refresh,
            query: self.query.clone(),
            since: self.since.clone(),
            ..self.amount.request()
        }
    }
}

impl DeltaArguments {
    pub(crate) fn request(&self) -> Request {
        Request {
            since: self.since.clone(),
            ..self.amount.request()
        }
    }
}

impl RefreshArguments {
    pub(crate) fn request(&self) -> Request {
        self.amount.request()
    }
}

impl WatchArguments {
    pub(crate) fn detail(&self) -> Detail {
        self.detail.into()
    }
}
