//! Arguments of `acreta review`.

use clap::{Args, Subcommand};

/// Decide on what waits for you: conflicts, proposals, pending records, untrusted memories
///
/// At a terminal it is a full-screen view: j and k move, a accepts, e edits, r rejects, m merges, s supersedes, u takes
/// the last decision back, x marks several, q ends. Elsewhere it lists what waits. Your word makes a memory confirmed;
/// what you reject stays rejected.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ReviewArguments {
    /// List what waits, and ask nothing
    #[arg(long)]
    pub(crate) list: bool,
    /// Ask line by line instead of drawing on the whole screen
    #[arg(long, conflicts_with = "list")]
    pub(crate) plain: bool,
    #[command(subcommand)]
    pub(crate) command: Option<ReviewCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReviewCommand {
    /// Show an item with its evidence and the effect of each action
    Show {
        /// Its id, a prefix that fits one only, or the id of its memory
        id: String,
    },
    /// Accept items: their memories are confirmed, pending records become memories, proposals are taken
    Accept(ItemsArguments),
    /// Reject items: the same evidence does not bring them back
    Reject(ItemsArguments),
    /// Accept an item in your own words
    Edit {
        /// Its id
        id: String,
        #[arg(long, value_name = "TEXT", required_unless_present = "body")]
        title: Option<String>,
        #[arg(long, value_name = "TEXT")]
        body: Option<String>,
        #[command(flatten)]
        consent: ConsentArguments,
    },
    /// Make one memory of two
    Merge(PairArguments),
    /// Let one memory stand in the place of another, which stays readable
    Supersede(PairArguments),
    /// Take back the decisions that were made last
    Undo {
        /// Agree without being asked
        #[arg(long)]
        yes: bool,
    },
}

#[derive(Debug, Args)]
pub(crate) struct ItemsArguments {
    /// Ids of items
    #[arg(required = true)]
    pub(crate) ids: Vec<String>,
    #[command(flatten)]
    pub(crate) consent: ConsentArguments,
}

#[derive(Debug, Args)]
pub(crate) struct PairArguments {
    /// Its id
    pub(crate) id: String,
    /// The memory that stands afterwards; of a conflict the newer one unless told
    #[arg(long, value_name = "ID")]
    pub(crate) keep: Option<String>,
    #[command(flatten)]
    pub(crate) consent: ConsentArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ConsentArguments {
    /// Agree without being asked
    #[arg(long)]
    pub(crate) yes: bool,
    /// Show the effect, and change nothing
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
}
