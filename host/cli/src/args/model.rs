//! Arguments of `acreta model`.

use camino::Utf8PathBuf;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Show who can read your sessions, who does, and what was spent today
    ///
    /// Looks for your agents' own programs, local model servers and API keys. Sends nothing.
    List,
    /// Choose who reads your sessions: NAME or NAME/MODEL, as `model list` shows it
    Use {
        #[arg(value_name = "NAME[/MODEL]")]
        name: String,
    },
    /// Have the model read one session and show what it finds; no memory is written
    ///
    /// Sends the redacted text of that session to the model.
    Test {
        /// The session file; the newest session on this machine when none is named
        file: Option<Utf8PathBuf>,
        /// Try this one instead of the one in use
        #[arg(long, value_name = "NAME[/MODEL]")]
        model: Option<String>,
    },
    /// Ask no model from now on: sessions are read by rules alone, which find little
    Off,
}
