//! Arguments of `acreta self`.

use clap::Subcommand;

#[derive(Debug, Subcommand)]
pub(crate) enum SelfCommand {
    /// Show version, target, how this program was installed, and what updates it
    ///
    /// Uses the network only with `--online`.
    Check {
        /// Ask for the newest version
        #[arg(long)]
        online: bool,
    },
    /// Replace this program with the newest version, if an installer put it there
    ///
    /// Downloads the archive from the place that the installer recorded, or from ACRETA_DOWNLOAD_URL. The program is
    /// replaced only after the archive has the size and the digest that the release names, and the new program answers;
    /// if it does not answer in its place, the old one is put back. A daemon that runs is started anew. Programs of
    /// package managers are left to them.
    Update {
        /// Install the newest version there even if it is older than this one
        #[arg(long)]
        allow_downgrade: bool,
    },
}
