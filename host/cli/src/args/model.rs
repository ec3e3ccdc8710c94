//! Arguments of `acreta model`.

use camino::Utf8PathBuf;
use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum ModelCommand {
    /// Show who can read your sessions, who does, and what was spent today
    ///
    /// Looks for your agents' own programs, local model servers and API keys. Sends nothing.
    List,
    /// Choose who reads your sessions: NAME or NAME/MODEL, as in `model list`
    Use {
        /// A name of `acreta model list`
        #[arg(value_name = "NAME[/MODEL]")]
        name: String,
    },
    /// Have the model read one session and show what it finds; no memory is written
    ///
    /// Sends the redacted text of that session to the model.
    Test {
        /// The session file; the newest session on this machine if none is given
        file: Option<Utf8PathBuf>,
        /// Try this model instead of the one in use
        #[arg(long, value_name = "NAME[/MODEL]")]
        model: Option<String>,
    },
    /// Stop asking models: sessions are read by rules only, which find little
    Off,
    /// Search by meaning too, with a sentence model on this machine
    #[command(subcommand)]
    Embed(EmbedCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum EmbedCommand {
    /// Show the sentence model that search uses, and those that can be downloaded
    Show,
    /// Download a sentence model by its name, or use one from a folder, and search with it
    ///
    /// Shows its size and asks before downloading; the digests of its files are checked. An interrupted download
    /// resumes. Memories are embedded in the background; until then they are found by their words.
    Get {
        /// A name that `model embed show` lists, or a folder with `model.safetensors` and `tokenizer.json`
        #[arg(value_name = "NAME|FOLDER")]
        model: String,
        /// Do not ask before downloading
        #[arg(long, short)]
        yes: bool,
    },
    /// Search by words only; the files of the model stay
    Off,
}
