//! Arguments of `acreta plugin`.

use camino::Utf8PathBuf;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// List plugins: where they come from, and what they used in past runs
    List,
    /// Show one plugin: role, imports, limits, requested permissions
    Inspect {
        /// Plugin id, `.wasm` file, or folder with a `plugin.toml`; it need not be granted
        plugin: String,
    },
    /// Create the project of a new plugin, which builds and passes its tests as it is
    New(NewArguments),
    /// Check a component without running it: role, contract, imports, size, requested permissions
    Check {
        /// A `.wasm` file, or a folder with a `plugin.toml`
        #[arg(default_value = ".")]
        plugin: Utf8PathBuf,
    },
    /// Test a component against the requirements of its role, and against its own recorded cases
    Test(TestArguments),
    /// Install a plugin from a file, a folder, an https URL or an oci:// reference
    Install(InstallArguments),
    /// Remove a plugin and its grant
    Remove {
        /// Its id
        id: String,
    },
    /// Grant a plugin the permissions it requests; shows its reasons first
    Grant(GrantArguments),
    /// Write `acreta.lock` of the project: exactly these plugins, for frozen runs
    Lock {
        /// Write it here instead of the project's folder
        #[arg(long, value_name = "FILE")]
        output: Option<Utf8PathBuf>,
        /// Plugins to lock, by id, `.wasm` file or folder; every installed one if none is given
        plugins: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// adapter, extractor, explorer or memory-writer
    pub(crate) role: String,
    /// Its id: lower-case letters, digits, hyphens
    pub(crate) name: String,
    /// Language to write it in
    #[arg(long, value_enum, default_value_t = LanguageName::Rust)]
    pub(crate) lang: LanguageName,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum LanguageName {
    Rust,
    Js,
    Python,
}

#[derive(Debug, Args)]
pub(crate) struct TestArguments {
    /// A `.wasm` file, or a folder with a `plugin.toml`
    #[arg(default_value = ".")]
    pub(crate) plugin: Utf8PathBuf,
    /// Record what the plugin asks the host and the answers, for every case or for the named one
    #[arg(long, value_name = "CASE", num_args = 0..=1, default_missing_value = "")]
    pub(crate) record: Option<String>,
    /// With `--record CASE`: create the case from this file
    #[arg(long, value_name = "FILE", requires = "record")]
    pub(crate) input: Option<Utf8PathBuf>,
    /// Only compare with the recordings
    #[arg(long, conflicts_with = "record")]
    pub(crate) replay: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InstallArguments {
    /// A file, a folder, an https URL or an oci:// reference
    pub(crate) source: String,
    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Install it although it differs from what was confirmed before
    #[arg(long)]
    pub(crate) confirm: bool,
    /// Also grant everything it requests
    #[arg(long)]
    pub(crate) grant: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GrantArguments {
    /// Its id
    pub(crate) id: String,
    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Let the sessions of an adapter become memory of this project; may be repeated
    #[arg(long, value_name = "DIR", conflicts_with = "revoke")]
    pub(crate) project: Vec<Utf8PathBuf>,
    /// Revoke the grant; the plugin stays installed
    #[arg(long)]
    pub(crate) revoke: bool,
}
