//! A home with a library, plugins to install into it, and the rules to check them.

use std::collections::BTreeSet;
use std::sync::Arc;

use acreta_fs::Faults;
use acreta_plugin_registry::{
    Consent, Digest, FetchOptions, Fetched, InstallPlan, KnownRoot, Library, Neighbours, Paths,
    PluginId, Refused, Rules, SignaturePolicy, Source, ToChanges, ToWishes, fetch,
};
use camino::{Utf8Path, Utf8PathBuf};

pub(crate) const NOW: u64 = 1_763_200_000_000;

/// Consent to everything.
pub(crate) const YES: Consent = Consent {
    changes: ToChanges::Confirmed,
    wishes: ToWishes::Granted,
};

/// Consent of nobody: no person was asked.
pub(crate) const UNASKED: Consent = Consent {
    changes: ToChanges::Unconfirmed,
    wishes: ToWishes::Later,
};

/// Skips syncs: a test's files need not survive a crash.
#[derive(Debug)]
pub(crate) struct Unsynced;

impl Faults for Unsynced {
    fn passes_syncs(&self) -> bool {
        false
    }
}

impl Unsynced {
    pub(crate) fn shared() -> Arc<dyn Faults> {
        Arc::new(Unsynced)
    }
}

/// A temporary folder for one test.
pub(crate) struct PluginHome {
    _folder: tempfile::TempDir,
    pub(crate) root: Utf8PathBuf,
}

impl PluginHome {
    pub(crate) fn new() -> Self {
        // In memory if possible: thousands are made.
        let folder = tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir());
        let folder = folder.unwrap();
        let root = Utf8PathBuf::from_path_buf(folder.path().canonicalize().unwrap()).unwrap();
        Self {
            _folder: folder,
            root,
        }
    }

    /// Returns the paths of acreta's own folder.
    pub(crate) fn paths(&self) -> Paths {
        let own = self.root.join("own");
        Paths {
            plugins: own.join("plugins"),
            lock: own.join("acreta.lock"),
            grants: own.join("grants.toml"),
            revoked: own.join("revoked.json"),
        }
    }

    pub(crate) fn library(&self) -> Library {
        self.library_with(Unsynced::shared())
    }

    pub(crate) fn library_with(&self, faults: Arc<dyn Faults>) -> Library {
        Library::open(self.paths(), faults).unwrap()
    }

    #[expect(
        clippy::disallowed_methods,
        reason = "a test puts files where a person would"
    )]
    pub(crate) fn write(&self, path: &str, bytes: impl AsRef<[u8]>) -> Utf8PathBuf {
        let path = self.root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, bytes).unwrap();
        path
    }

    pub(crate) fn text(&self, path: &str) -> String {
        std::fs::read_to_string(self.root.join(path)).unwrap()
    }

    /// Creates a source tree with a manifest and its component.
    pub(crate) fn tree(&self, name: &str, manifest: &str, component: &[u8]) -> Utf8PathBuf {
        self.write(&format!("{name}/plugin.toml"), manifest);
        self.write(&format!("{name}/mine.wasm"), component);
        self.root.join(name)
    }

    /// Plans an installation from a source.
    pub(crate) fn plan(&self, source: &str) -> Result<InstallPlan, Refused> {
        self.plan_signed(source, &SignaturePolicy::default())
    }

    pub(crate) fn plan_signed(
        &self,
        source: &str,
        signatures: &SignaturePolicy,
    ) -> Result<InstallPlan, Refused> {
        let fetched = fetched(source)?;
        judged(&self.root, signatures, |rules| {
            self.library().plan(fetched, rules)
        })
    }

    /// Installs with full consent.
    pub(crate) fn install(&self, source: &str) {
        let plan = self.plan(source).unwrap();
        self.library().install(plan, YES, NOW).unwrap();
    }
}

pub(crate) fn fetched(source: &str) -> Result<Fetched, Refused> {
    let source = Source::parse(source).map_err(acreta_plugin_registry::FetchError::from)?;
    Ok(fetch(&source, &FetchOptions::default())?)
}

/// Calls a function with rules that include two built-in adapters.
pub(crate) fn judged<T>(
    home: &Utf8Path,
    signatures: &SignaturePolicy,
    judge: impl FnOnce(&Rules<'_>) -> T,
) -> T {
    let expand = |candidate: &str| expanded(home, candidate);
    let own = [home.join("own")];
    let agents = agents();
    let builtin = BTreeSet::from(["adapter-claude".to_owned(), "adapter-codex".to_owned()]);
    judge(&Rules {
        builtin: &builtin,
        neighbours: Neighbours {
            agents: &agents,
            home,
            own: &own,
            expand: &expand,
        },
        signatures,
    })
}

pub(crate) fn agents() -> Vec<KnownRoot> {
    let root = |plugin: &str, agent: &str, candidates: &[&str]| KnownRoot {
        plugin: plugin.to_owned(),
        agent: agent.to_owned(),
        candidates: candidates.iter().map(|one| (*one).to_owned()).collect(),
    };
    vec![
        root(
            "adapter-claude",
            "claude",
            &["$CLAUDE_CONFIG_DIR/projects", "~/.claude/projects"],
        ),
        root("adapter-codex", "codex", &["$CODEX_HOME", "~/.codex"]),
        root("adapter-cursor", "cursor", &["<config>/Cursor/User"]),
    ]
}

/// Expands candidates as on a machine where `$MINE_HOME` is a link into another agent's folder, if there is one.
fn expanded(home: &Utf8Path, candidate: &str) -> Option<Utf8PathBuf> {
    let (head, rest) = candidate.split_once('/').unwrap_or((candidate, ""));
    let base = match head {
        "~" => home.to_owned(),
        "<config>" => home.join(".config"),
        "<data>" => home.join(".local/share"),
        "$MINE_HOME" => home.join("mine-link"),
        _ => return None,
    };
    Some(if rest.is_empty() {
        base
    } else {
        base.join(rest)
    })
}

pub(crate) fn id(text: &str) -> PluginId {
    PluginId::new(text).unwrap()
}

/// Builds a component of a role that imports only what it may, with `mark` in a custom section.
pub(crate) fn component(role: &str, mark: &str) -> Vec<u8> {
    wasm(&format!(
        r#"(component (import "wasi:io/error@0.2.3" (instance)) (@custom "mark" "{mark}")
           (instance $i) (export "acreta:{role}/{role}@0.1.0" (instance $i)))"#
    ))
}

pub(crate) fn wasm(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap()
}

/// Builds a manifest of an adapter that asks for one folder.
pub(crate) fn manifest(rest: &str) -> String {
    format!(
        r#"# An adapter for tests.
id = "adapter-mine"
version = "1.2.0"
role = "adapter"
component = "mine.wasm" # beside this file
description = "Reads sessions of Mine"
{rest}
[[roots]]
name = "mine"
candidates = ["~/.mine/sessions"]
reason = "Mine writes a file for each session here"
"#
    )
}

pub(crate) fn manifest_with_digest(component: &[u8]) -> String {
    manifest(&format!("digest = \"{}\"", Digest::of(component)))
}
