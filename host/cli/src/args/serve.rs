//! Arguments of `acreta serve|up|down|logs|dashboard`.

use clap::Args;

/// Run the daemon in the foreground: HTTP API, dashboard, MCP over HTTP, and the schedule
///
/// Looks for new sessions every ten minutes and when their files change, and puts memory in order
/// every hour; `acreta config list` has the settings (`serve.…`). Every call needs the token in
/// `token` in acreta's folder, but for `/api/health`. `acreta dashboard` opens the dashboard.
#[derive(Debug, Args)]
pub(crate) struct ServeArguments {
    /// Address to listen on
    #[arg(long)]
    pub(crate) host: Option<String>,
    /// Port to listen on; 0 for any that is free
    #[arg(long)]
    pub(crate) port: Option<u16>,
}

#[derive(Debug, Args)]
pub(crate) struct LogsArguments {
    /// Go on as more is written
    #[arg(long, short)]
    pub(crate) follow: bool,
    /// How many lines, the last ones
    #[arg(long, short = 'n', default_value_t = 50, value_name = "N")]
    pub(crate) lines: usize,
}

#[derive(Debug, Args)]
pub(crate) struct DashboardArguments {
    /// Print the address instead of opening it; it works once, for a minute
    #[arg(long)]
    pub(crate) print: bool,
}
