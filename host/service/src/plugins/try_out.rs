//! Tests a plugin: against the requirements of its role, and against its own recorded cases, in a sandbox that grants
//! nothing: `plugin test`.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::{Directory, NoFaults};
use acreta_plugin_dev::{
    Case, CaseError, Plugin, Recorded, Run, cases, conformance, new_case, record, replay,
};
pub use acreta_plugin_dev::{Replayed, Report};
use acreta_plugin_registry::inspect;
use acreta_sandbox::Sandbox;
use acreta_types::{Limits, Role};
use camino::{Utf8Path, Utf8PathBuf};
use serde::Serialize;

use crate::plugins::inspect::component_of;
use crate::plugins::{self, PluginSource};
use crate::{Context, Failure, Kind};

/// Folder of a plugin's cases, beside its component.
const CASES: &str = "cases";

/// A plugin to test.
#[derive(Debug, Clone)]
pub struct TryOut {
    /// A component, or the folder of a plugin.
    pub plugin: Utf8PathBuf,
    /// Only replay its cases.
    pub only_replay: bool,
}

/// Test result of a plugin.
#[derive(Debug, Serialize)]
pub struct Tried {
    pub conformance: Option<Report>,
    pub cases: Vec<Played>,
}

/// Result of a case; `None` if nothing was recorded for it.
#[derive(Debug, Serialize)]
pub struct Played {
    pub case: String,
    pub result: Option<Replayed>,
}

impl Tried {
    /// Returns the number of checks and cases that failed.
    pub fn failed(&self) -> usize {
        let report = self.conformance.as_ref();
        let is_different = |played: &&Played| matches!(played.result, Some(Replayed::Different(_)));
        report.map_or(0, |report| report.counts().failed)
            + self.cases.iter().filter(is_different).count()
    }
}

/// Tests a plugin.
pub fn try_out(request: &TryOut, context: &Context) -> Result<Tried, Failure> {
    let (bench, cases) = prepare(&request.plugin, None, context)?;
    Ok(Tried {
        conformance: match request.only_replay {
            true => None,
            false => Some(bench.conformance(&cases)?),
        },
        cases: bench.replay(&cases)?,
    })
}

/// A case that was recorded.
#[derive(Debug, Clone, Serialize)]
pub struct RecordedCase {
    pub case: String,
    pub calls: u64,
}

/// Records the named case, or all if the name is empty. With an input file, the case is created first.
pub fn record_cases(
    plugin: &Utf8Path,
    name: &str,
    input: Option<&Utf8Path>,
    context: &Context,
) -> Result<Vec<RecordedCase>, Failure> {
    let made = input.map(|input| (name, input));
    let (bench, cases) = prepare(plugin, made, context)?;
    bench.record(&cases, name)
}

fn prepare<'a>(
    plugin: &Utf8Path,
    made: Option<(&str, &Utf8Path)>,
    context: &'a Context,
) -> Result<(PluginBench<'a>, Vec<Case>), Failure> {
    let file = component_of(plugin)?;
    let source = plugins::from_file(&file)?;
    let inspection = inspect(&source.bytes()).map_err(|refused| {
        Failure::new(Kind::Refused, format!("`{file}`: {refused}")).hint(refused.hint())
    })?;
    let role = inspection.role;
    let folder = file.parent().filter(|folder| !folder.as_str().is_empty());
    let folder = folder.unwrap_or(Utf8Path::new(".")).join(CASES);
    if let Some((name, input)) = made {
        new_case(&folder, name, role, input).map_err(|error| failed(&error))?;
    }
    let cases = cases(&folder)
        .map_err(|error| failed(&error))?
        .into_iter()
        .collect::<Result<Vec<Case>, _>>()
        .map_err(|error| failed(&error))?;
    Ok((PluginBench::new(context, source, role)?, cases))
}

/// A component and a sandbox to test it in.
struct PluginBench<'a> {
    context: &'a Context,
    source: PluginSource,
    role: Role,
    sandbox: Arc<Sandbox>,
    scratch: Directory,
    _folder: acreta_fs::Scratch,
}

impl<'a> PluginBench<'a> {
    fn new(context: &'a Context, source: PluginSource, role: Role) -> Result<Self, Failure> {
        let parent =
            Directory::open_or_create_private(&context.home.scratch(), NoFaults::shared())?;
        let folder = acreta_fs::scratch(&parent, "test")?;
        let sandbox = plugins::sandbox(context)?;
        Ok(Self {
            scratch: Directory::open(folder.path(), NoFaults::shared())?,
            _folder: folder,
            context,
            source,
            role,
            sandbox,
        })
    }

    fn limits(&self) -> Limits {
        let config = &self.context.config;
        config.limits(&self.source.id, Limits::for_role(self.role))
    }

    /// Loads the plugin with the settings of a case, and without a grant.
    fn load(&self, settings: BTreeMap<String, String>) -> Result<Plugin, Failure> {
        let limits = self.limits();
        let (context, sandbox, source) = (self.context, &self.sandbox, &self.source);
        let settings = settings.into_iter().collect();
        let loaded = plugins::prepared(context, sandbox, &source.digest, || {
            sandbox.load(&source.id, source, |_| limits, settings)
        })?;
        Ok(match self.role {
            Role::Adapter => Plugin::Adapter(loaded.into_adapter()?),
            Role::Extractor => Plugin::Extractor(loaded.into_extractor()?),
            Role::Explorer => Plugin::Explorer(loaded.into_explorer()?),
            Role::MemoryWriter => Plugin::MemoryWriter(loaded.into_memory_writer()?),
        })
    }

    fn conformance(&self, cases: &[Case]) -> Result<Report, Failure> {
        let plugin = self.load(BTreeMap::new())?;
        Ok(conformance(&plugin, cases, &self.scratch, &self.limits())?)
    }

    fn replay(&self, cases: &[Case]) -> Result<Vec<Played>, Failure> {
        let mut replayed = Vec::new();
        for case in cases {
            let result = match case.is_recorded().map_err(|error| failed(&error))? {
                false => None,
                true => {
                    let plugin = self.load(case.settings())?;
                    let done = replay(case, &plugin, &Run::new(&self.scratch));
                    Some(done.map_err(|error| failed(&error))?)
                }
            };
            replayed.push(Played {
                case: case.name.clone(),
                result,
            });
        }
        Ok(replayed)
    }

    fn record(&self, cases: &[Case], name: &str) -> Result<Vec<RecordedCase>, Failure> {
        let wanted: Vec<&Case> = cases
            .iter()
            .filter(|case| name.is_empty() || case.name == name)
            .collect();
        if wanted.is_empty() {
            let message = match name {
                "" => "the plugin has no recorded case".to_owned(),
                name => format!("no such case: `{name}`"),
            };
            return Err(Failure::new(Kind::Missing, message)
                .hint("`--record NAME --input FILE` creates one from a file"));
        }
        let mut done = Vec::new();
        for case in wanted {
            let plugin = self.load(case.settings())?;
            let recorded: Recorded =
                record(case, &plugin, &Run::new(&self.scratch)).map_err(|error| failed(&error))?;
            case.keep(&recorded).map_err(|error| failed(&error))?;
            done.push(RecordedCase {
                case: case.name.clone(),
                calls: recorded.lines.len() as u64,
            });
        }
        Ok(done)
    }
}

fn failed(error: &CaseError) -> Failure {
    let mut failure = Failure::from_error(error);
    failure.hints.push(error.hint());
    failure
}
