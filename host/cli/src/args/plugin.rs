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
    /// Compile an installed plugin; `install` and `update` start it in the background
    #[command(hide = true)]
    Compile {
        /// Its id
        id: String,
    },
    /// Build a plugin, and write its manifest and metadata into the component: one file to publish
    Build(BuildArguments),
    /// Build, test and run a plugin at every change of its files, without models and without changing memory
    Dev(DevArguments),
    /// Push a built plugin to a registry, as a Wasm OCI artifact
    Push(PushArguments),
    /// Search the indexes of `plugins.indexes`
    Search {
        /// Words that must all be in id, role, description or keywords; every plugin if none is given
        words: Vec<String>,
    },
    /// Compare the installed plugins with what their sources have now
    Outdated,
    /// Install what a plugin's source has now; shows what changes, and grants nothing
    Update(UpdateArguments),
    /// Put the version before the last update back in place
    Rollback(RollbackArguments),
    /// Never run a component again on this machine
    Revoke(RevokeArguments),
    /// Verify every plugin of a lock against its source: for CI
    Verify(VerifyArguments),
    /// Remove a plugin and its grant
    Remove {
        /// Its id
        id: String,
        /// Do not ask
        #[arg(long, short)]
        yes: bool,
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
pub(crate) struct BuildArguments {
    /// The folder of the plugin
    #[arg(default_value = ".")]
    pub(crate) folder: Utf8PathBuf,
    /// Revision of the sources, for the metadata
    #[arg(long, value_name = "TEXT")]
    pub(crate) revision: Option<String>,
    /// Use the component that is there, instead of running `build.sh`, `build.mjs` or `build.py`
    #[arg(long)]
    pub(crate) no_script: bool,
}

#[derive(Debug, Args)]
pub(crate) struct DevArguments {
    /// The folder of the plugin
    #[arg(default_value = ".")]
    pub(crate) folder: Utf8PathBuf,
    /// Also run it on this session
    #[arg(long, value_name = "FILE")]
    pub(crate) session: Option<Utf8PathBuf>,
    /// Stop after the first round; the exit code says if it passed
    #[arg(long)]
    pub(crate) once: bool,
}

#[derive(Debug, Args)]
pub(crate) struct PushArguments {
    /// A built `.wasm` file, or the folder of a plugin
    pub(crate) plugin: Utf8PathBuf,
    /// oci://registry/name, with a tag or without: then the version is the tag
    pub(crate) reference: String,
    /// Move a tag that names another artifact
    #[arg(long)]
    pub(crate) replace: bool,
}

#[derive(Debug, Args)]
pub(crate) struct UpdateArguments {
    /// Plugin ids; every installed one if none is given
    pub(crate) ids: Vec<String>,
    /// Do not ask about a newer version from the same place that requests nothing more
    #[arg(long, short)]
    pub(crate) yes: bool,
    /// Also accept another component under the same version, a moved tag, another signer, source or request
    #[arg(long)]
    pub(crate) confirm: bool,
    /// Also accept an older version
    #[arg(long)]
    pub(crate) older: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RollbackArguments {
    /// Its id
    pub(crate) id: String,
    /// Do not ask
    #[arg(long, short)]
    pub(crate) yes: bool,
}

#[derive(Debug, Args)]
pub(crate) struct RevokeArguments {
    /// Id of an installed plugin, or `sha256:` and the digest of a component
    #[arg(required_unless_present = "list")]
    pub(crate) component: Option<String>,
    /// Why, for those who meet it later
    #[arg(long, default_value = "revoked by hand")]
    pub(crate) reason: String,
    /// Allow it again
    #[arg(long)]
    pub(crate) undo: bool,
    /// List what is revoked
    #[arg(long, conflicts_with_all = ["component", "undo"])]
    pub(crate) list: bool,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyArguments {
    /// Plugins to compare with the lock, by `.wasm` file or folder; the others are fetched from their sources
    pub(crate) plugins: Vec<Utf8PathBuf>,
    /// The lock; `acreta.lock` of the project if none is given
    #[arg(long, value_name = "FILE")]
    pub(crate) lock: Option<Utf8PathBuf>,
    /// A list of revoked components, or an index with one, beside the one of this machine
    #[arg(long, value_name = "FILE")]
    pub(crate) revoked: Option<Utf8PathBuf>,
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
