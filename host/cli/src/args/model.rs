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
    /// Search by meaning too, with a sentence model on this machine
    #[command(subcommand)]
    Embed(EmbedCommand),
}

#[derive(Debug, Subcommand)]
pub(crate) enum EmbedCommand {
    /// Show the sentence model that search uses, and those that can be fetched
    Show,
    /// Fetch a sentence model by its name, or take one from a folder, and search with it
    ///
    /// Says how large it is and asks before it fetches anything; its files must be what their digests say. A fetch that
    /// broke off goes on where it was. Memories are embedded in the background; until then they are found by their words.
    Get {
        /// A name that `model embed show` lists, or a folder with `model.safetensors` and `tokenizer.json`
        #[arg(value_name = "NAME|FOLDER")]
        model: String,
        /// Do not ask before fetching
        #[arg(long, short)]
        yes: bool,
    },
    /// Search by words alone; the files of the model stay
    Off,
}
