//! Makes a plugin one file and publishes it: `plugin build` and `plugin push`.

use std::collections::BTreeMap;
use std::io::stderr;
use std::process::Command;

use acreta_fs::{Directory, NoFaults};
pub use acreta_plugin_registry::{Dependency, DependencyKind};
use acreta_plugin_registry::{
    MANIFEST, Manifest, OciVersion, Refused, Source, embed, inspect as look, push as push_component,
};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::plugins::inspect::component_of;
use crate::plugins::{PLUGIN_BYTES, TEXT_BYTES, dependencies, from_file, login};
use crate::{Context, Failure, Kind};

/// A plugin's folder, and how to build it.
#[derive(Debug, Clone)]
pub struct Build {
    pub folder: Utf8PathBuf,
    /// Revision of the sources, for the metadata.
    pub revision: Option<String>,
    /// Run the folder's build script first.
    pub runs_script: bool,
    /// Have cargo keep what backtraces need: function names and lines.
    pub has_lines: bool,
}

/// A component with its manifest inside.
#[derive(Debug, Clone, Serialize)]
pub struct Built {
    pub file: Utf8PathBuf,
    pub id: String,
    pub version: String,
    pub sha256: String,
    pub bytes: usize,
    pub metadata: BTreeMap<&'static str, String>,
    /// The packages it was built from.
    pub dependencies: Vec<Dependency>,
}

/// Build scripts of the templates, and what runs them.
const SCRIPTS: [(&str, &str); 3] = [
    ("build.sh", "sh"),
    ("build.mjs", "node"),
    ("build.py", "python3"),
];

/// Settings of cargo that leave lines in a component, whatever its `Cargo.toml` says.
const LINES: [(&str, &str); 2] = [
    ("CARGO_PROFILE_RELEASE_DEBUG", "line-tables-only"),
    ("CARGO_PROFILE_RELEASE_STRIP", "none"),
];

/// Where a Python project's own interpreter is.
const VENV_PYTHON: &str = ".venv/bin/python";

/// Builds a plugin, and writes its manifest, metadata and dependencies into the component.
pub fn build(request: &Build) -> Result<Built, Failure> {
    let folder = &request.folder;
    let (directory, text, manifest) = open(folder)?;
    let path = folder.join(MANIFEST);
    if request.runs_script {
        run_script(folder, request.has_lines)?;
    }
    let file = component_of(folder)?;
    let component = directory.read(&manifest.component, PLUGIN_BYTES)?;
    let packages = dependencies::of(&directory, &manifest)?;
    let revision = request.revision.as_deref();
    let embedded = embed(&component, &path, &text, revision, packages.as_deref());
    let embedded = embedded.map_err(|error| Failure::of(Kind::Refused, &error, None))?;
    let inspection = look(&embedded).map_err(|refused| {
        Failure::new(Kind::Refused, format!("`{file}`: {refused}")).hint(refused.hint())
    })?;
    if embedded != component {
        directory.replace_unsynced(&manifest.component, &embedded)?;
    }
    Ok(Built {
        file,
        id: manifest.id.to_string(),
        version: manifest.version.to_string(),
        sha256: acreta_store::digest(&embedded),
        bytes: embedded.len(),
        metadata: inspection.embedded.metadata,
        dependencies: inspection.embedded.dependencies.unwrap_or_default(),
    })
}

/// Opens the folder of a plugin, and returns its manifest as text and parsed.
pub(super) fn open(folder: &Utf8Path) -> Result<(Directory, String, Manifest), Failure> {
    let directory = Directory::open(folder, NoFaults::shared())?;
    if !directory.exists(MANIFEST)? {
        let message = format!("`{folder}` has no `{MANIFEST}`");
        return Err(Failure::new(Kind::Missing, message).hint("name the folder of a plugin"));
    }
    let text = directory.read_to_string(MANIFEST, TEXT_BYTES)?;
    let manifest = Manifest::parse(&folder.join(MANIFEST), &text).map_err(Refused::from)?;
    Ok((directory, text, manifest))
}

/// Runs the folder's build script, if it has one; what it prints goes to stderr.
fn run_script(folder: &Utf8Path, has_lines: bool) -> Result<(), Failure> {
    let script = SCRIPTS.iter().find(|(name, _)| folder.join(name).is_file());
    let Some((name, program)) = script else {
        return Ok(());
    };
    let venv = folder.join(VENV_PYTHON);
    let program = match *program == "python3" && venv.is_file() {
        // Relative programs are looked up in the caller's directory, so it has to be absolute.
        true => acreta_fs::canonical(folder)?
            .join(VENV_PYTHON)
            .into_string(),
        false => (*program).to_owned(),
    };
    let status = Command::new(&program)
        .arg(name)
        .current_dir(folder)
        .envs(has_lines.then_some(LINES).into_iter().flatten())
        .stdout(stderr())
        .status();
    let failed = |what: String| {
        Failure::saying(format!("`{program} {name}` in `{folder}` {what}"))
            .hint("the folder's README says what it needs; `--no-script` uses the component that is there")
    };
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(failed(format!("failed ({status})"))),
        Err(error) => Err(failed(format!("could not be run: {error}"))),
    }
}

/// A plugin that is in a registry now.
#[derive(Debug, Clone, Serialize)]
pub struct Published {
    pub reference: String,
    /// Reference that always names exactly this.
    pub pinned: String,
    pub id: String,
    pub version: String,
    pub sha256: String,
    /// The registry had all of it already.
    pub unchanged: bool,
}

/// Pushes a plugin. Without a tag the reference gets the plugin's version as its tag.
pub fn push(
    plugin: &Utf8Path,
    reference: &str,
    replace: bool,
    context: &Context,
) -> Result<Published, Failure> {
    let file = component_of(plugin)?;
    let source = from_file(&file)?;
    let bytes = source.bytes();
    let inspection = look(&bytes).map_err(|refused| {
        Failure::new(Kind::Refused, format!("`{file}`: {refused}")).hint(refused.hint())
    })?;
    let manifest = source.manifest.as_ref();
    let Some(manifest) = manifest.filter(|_| inspection.embedded.manifest.is_some()) else {
        let message = format!("`{file}` has no manifest inside");
        return Err(Failure::new(Kind::Refused, message)
            .hint("`acreta plugin build` writes it into the component"));
    };
    let version = manifest.version.to_string();
    let last = reference.rsplit('/').next().unwrap_or_default();
    let reference = match last.contains([':', '@']) {
        true => reference.to_owned(),
        // A tag has no `+`.
        false => format!("{reference}:{}", version.replace('+', "_")),
    };
    let parsed = Source::parse(&reference);
    let parsed =
        parsed.map_err(|error| Failure::new(Kind::Usage, error.to_string()).hint(error.hint))?;
    let Source::Oci(oci) = &parsed else {
        let message = format!("`{reference}` is not in a registry");
        return Err(Failure::new(Kind::Usage, message).hint("write `oci://registry/name:tag`"));
    };
    let options = login::options(&parsed, context)?;
    let signature = source.signature.as_deref();
    let pushed = push_component(oci, &bytes, &inspection, signature, replace, &options);
    let pushed = pushed.map_err(Refused::from)?;
    let pinned = acreta_plugin_registry::OciReference {
        version: OciVersion::Digest(pushed.artifact),
        ..oci.clone()
    };
    Ok(Published {
        reference,
        pinned: pinned.to_string(),
        id: source.id.clone(),
        version,
        sha256: pushed.component.hex(),
        unchanged: !pushed.is_new,
    })
}
