//! Arguments of `acreta serve|up|down|logs|dashboard`.

use acreta_service::process::logs::About;
use clap::Args;

/// Run the daemon in the foreground: HTTP API, dashboard, MCP over HTTP, and the schedule
///
/// Looks for new sessions every ten minutes and when their files change, and cleans up memory every hour; `acreta
/// config list` shows the settings (`serve.…`). Every call except `/api/health` needs the token from the file `token`
/// in acreta's folder. `acreta dashboard` opens the dashboard.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Address to listen on
    #[arg(long)]
    pub(crate) host: Option<String>,
    /// Port to listen on; 0 for any free port
    #[arg(long)]
    pub(crate) port: Option<u16>,
}

/// Show the log of every process, or everything about one request, run or job
///
/// Ids may be shortened to a unique prefix. A request's id is in the header `x-request-id` of its answer, a job's id in
/// `acreta queue list` and in the answer to a request for a sync, a run's id in `acreta runs list`.
#[derive(Debug, Args)]
pub(crate) struct LogsArguments {
    /// Everything about this request
    #[arg(long, value_name = "ID", group = "about")]
    request: Option<String>,
    /// Everything about this run
    #[arg(long, value_name = "ID", group = "about")]
    run: Option<String>,
    /// Everything about this job, of the queue or of the daemon
    #[arg(long, value_name = "ID", group = "about")]
    job: Option<String>,
    /// The daemon's own output: failed starts and crashes
    #[arg(long, group = "about")]
    pub(crate) daemon: bool,
    /// Keep printing new lines
    #[arg(long, short, conflicts_with_all = ["request", "run", "job"])]
    pub(crate) follow: bool,
    /// Number of lines, the last ones; all of them for a request, run or job
    #[arg(long, short = 'n', default_value_t = 50, value_name = "N")]
    pub(crate) lines: usize,
}

impl LogsArguments {
    /// Returns the request, run or job to show.
    pub(crate) fn about(&self) -> Option<About> {
        let request = self.request.clone().map(About::Request);
        let run = self.run.clone().map(About::Run);
        request.or(run).or(self.job.clone().map(About::Job))
    }
}

#[derive(Debug, Args)]
pub(crate) struct DashboardArguments {
    /// Print the URL instead of opening it; it works once, within a minute
    #[arg(long)]
    pub(crate) print: bool,
}
