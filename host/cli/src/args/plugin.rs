//! Arguments of `acreta plugin`.

use camino::Utf8PathBuf;
use clap::{Args, Subcommand, ValueEnum};

#[derive(Debug, Subcommand)]
pub(crate) enum PluginCommand {
    /// List plugins: where they come from, what they took in past runs
    List,
    /// Show one plugin: role, imports, limits, what it asks for
    Inspect {
        /// Plugin id, `.wasm` file, or folder with a `plugin.toml`; it need not be granted
        plugin: String,
    },
    /// Make the project of a new plugin, which builds and passes its tests as it stands
    New(NewArguments),
    /// Look at a component without running it: role, contract, imports, size, what it asks for
    Check {
        /// A `.wasm` file, or a folder with a `plugin.toml`
        #[arg(default_value = ".")]
        plugin: Utf8PathBuf,
    },
    /// Run a component against what its role promises, and against its own recorded cases
    Test(TestArguments),
    /// Install a plugin from a file, a folder, an https address or an oci:// reference
    Install(InstallArguments),
    /// Take a plugin away, with its grant
    Remove {
        /// Its id
        id: String,
    },
    /// Let a plugin do what it asks for; shows its reasons first
    Grant(GrantArguments),
    /// Write `acreta.lock` of the project: exactly these plugins, for frozen runs
    Lock {
        /// Where to write it, instead of the project's folder
        #[arg(long, value_name = "FILE")]
        output: Option<Utf8PathBuf>,
        /// Plugins to lock, by id, `.wasm` file or folder; every installed one when none is named
        plugins: Vec<String>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct NewArguments {
    /// adapter, extractor, explorer or memory-writer
    pub(crate) role: String,
    /// Its id: small letters, digits, hyphens
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
    /// Keep what the plugin asks the host and is answered, for every case or for the named one
    #[arg(long, value_name = "CASE", num_args = 0..=1, default_missing_value = "")]
    pub(crate) record: Option<String>,
    /// With `--record CASE`: make the case from this file
    #[arg(long, value_name = "FILE", requires = "record")]
    pub(crate) input: Option<Utf8PathBuf>,
    /// Only compare with what was recorded
    #[arg(long, conflicts_with = "record")]
    pub(crate) replay: bool,
}

#[derive(Debug, Args)]
pub(crate) struct InstallArguments {
    /// Where it comes from
    pub(crate) source: String,
    /// Ask nothing
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Take it although it is not what was confirmed before
    #[arg(long)]
    pub(crate) confirm: bool,
    /// Grant it everything it asks for, too
    #[arg(long)]
    pub(crate) grant: bool,
}

#[derive(Debug, Args)]
pub(crate) struct GrantArguments {
    /// Its id
    pub(crate) id: String,
    /// Ask nothing
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Take the grant back; the plugin stays installed
    #[arg(long)]
    pub(crate) revoke: bool,
}
