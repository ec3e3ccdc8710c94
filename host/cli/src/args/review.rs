//! Arguments of `acreta review`.

use clap::{Args, Subcommand};

/// Decide on items that wait for you: conflicts, proposals, pending records, untrusted memories
///
/// At a terminal this is a full-screen view: j and k move, a accepts, e edits, r rejects, m merges, s supersedes, u
/// undoes the last decision, x marks several, q quits. Otherwise it lists what waits. Accepting confirms a memory; what
/// you reject stays rejected.
#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ReviewArguments {
    /// List the waiting items, and ask nothing
    #[arg(long)]
    pub(crate) list: bool,
    /// Ask line by line instead of using the full screen
    #[arg(long, conflicts_with = "list")]
    pub(crate) plain: bool,
    #[command(subcommand)]
    pub(crate) command: Option<ReviewCommand>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ReviewCommand {
    /// Show an item with its evidence and the effect of each action
    Show {
        /// Its id, a unique prefix of it, or the id of its memory
        id: String,
    },
    /// Accept items: memories are confirmed, pending records become memories, proposals are applied
    Accept(ItemsArguments),
    /// Reject items: the same evidence does not bring them back
    Reject(ItemsArguments),
    /// Accept an item with your own wording
    Edit {
        /// Its id
        id: String,
        /// New title
        #[arg(long, value_name = "TEXT", required_unless_present = "body")]
        title: Option<String>,
        /// New text
        #[arg(long, value_name = "TEXT")]
        body: Option<String>,
        #[command(flatten)]
        consent: ConsentArguments,
    },
    /// Merge two memories into one
    Merge(PairArguments),
    /// Replace one memory by another; the replaced one stays readable
    Supersede(PairArguments),
    /// Undo the latest decisions
    Undo {
        /// Do not ask for confirmation
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
    /// The memory that remains; for a conflict, the newer one by default
    #[arg(long, value_name = "ID")]
    pub(crate) keep: Option<String>,
    #[command(flatten)]
    pub(crate) consent: ConsentArguments,
}

#[derive(Debug, Args)]
pub(crate) struct ConsentArguments {
    /// Do not ask for confirmation
    #[arg(long)]
    pub(crate) yes: bool,
    /// Show the effect, and change nothing
    #[arg(long, conflicts_with = "yes")]
    pub(crate) dry_run: bool,
}
