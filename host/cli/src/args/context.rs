//! Arguments of `acreta context`.

use acreta_service::codebase::{Detail, Request};
use camino::Utf8PathBuf;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum ContextCommand {
    /// Show where to look in a project, and what changed since it was explored last
    Explore(ExploreArguments),
    /// Show what changed since the project was explored last, and keep nothing of it
    Delta(DeltaArguments),
    /// Explore with every file read again
    Refresh(RefreshArguments),
    /// Follow a project and print each change
    Watch(WatchArguments),
    /// Show what answers saved and how long they took, as measured in real use
    Gain(ProjectArgument),
    /// Measure on a copy of a project what answers would save over reading files
    Pilot(PilotArguments),
}

#[derive(Debug, Args)]
pub(crate) struct ProjectArgument {
    /// Its folder; the project of the current directory when none is named
    pub(crate) folder: Option<Utf8PathBuf>,
}

/// How much is said.
#[derive(Debug, Args)]
pub(crate) struct AmountArguments {
    /// How much to say
    #[arg(long, value_enum, default_value_t = DetailName::Compact)]
    detail: DetailName,
    /// At most this many tokens (o200k, counted over the JSON form)
    #[arg(long, value_name = "TOKENS")]
    budget: Option<usize>,
}

/// Show where to look in a project, and what changed since it was explored last
///
/// Entry points, files that matter most, imports, commands that build and test. Nothing is read
/// again that did not change. Files with secrets are never opened.
#[derive(Debug, Args)]
pub(crate) struct ExploreArguments {
    #[command(flatten)]
    pub(crate) project: ProjectArgument,
    /// A task in words: the files it is about come first, by the code and by what memory says
    #[arg(long, value_name = "TEXT")]
    query: Option<String>,
    /// Read every file again
    #[arg(long)]
    refresh: bool,
    /// Tell changes from this git revision instead
    #[arg(long, value_name = "REVISION")]
    since: Option<String>,
    #[command(flatten)]
    amount: AmountArguments,
}

#[derive(Debug, Args)]
pub(crate) struct DeltaArguments {
    #[command(flatten)]
    pub(crate) project: ProjectArgument,
    /// Tell changes from this git revision instead
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
    /// Seconds between two looks where the system tells no file events
    #[arg(long, value_name = "SECONDS", default_value_t = 2, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub(crate) interval: u64,
    /// How much to say
    #[arg(long, value_enum, default_value_t = DetailName::Compact)]
    detail: DetailName,
}

/// Measure on a copy of a project what answers would save over reading files
///
/// The project is copied to a scratch folder, without what is sensitive. The same questions are asked
/// with and without acreta; before every fifth, files change as they did in the newest commits.
/// Nothing is written in the project, and nothing counts as real use (`gain`).
#[derive(Debug, Args)]
pub(crate) struct PilotArguments {
    #[command(flatten)]
    pub(crate) project: ProjectArgument,
    /// How many questions to ask
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
