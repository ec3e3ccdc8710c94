//! `acreta plugin test`: a component against what its role promises, and against its own cases, in a
//! sandbox that grants nothing.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_conformance::{
    Case, Plugin, Recorded, Replayed, Report, Run, cases, conformance, new_case, record, replay,
};
use acreta_fs::{Directory, NoFaults};
use acreta_model::{Limits, Role};
use acreta_plugins::inspect;
use acreta_sandbox::Sandbox;
use acreta_service::plugins::{self, Source};
use acreta_service::{Failure, Kind};
use camino::Utf8Path;
use serde_json::json as value;

use crate::args::TestArguments;
use crate::context::Context;
use crate::output::{count, json, line, talk};
use crate::progress::Terminal;

/// Where a plugin keeps its cases, beside its component.
const CASES: &str = "cases";

pub(super) fn test(arguments: &TestArguments, context: &Context) -> Result<(), Failure> {
    let file = super::component_of(&arguments.plugin)?;
    let source = plugins::from_file(&file)?;
    let role = inspect(&source.bytes)
        .map_err(|refused| {
            Failure::new(Kind::Refused, format!("`{file}`: {refused}")).hint(refused.hint())
        })?
        .role;
    let folder = file.parent().filter(|folder| !folder.as_str().is_empty());
    let folder = folder.unwrap_or(Utf8Path::new(".")).join(CASES);
    if let (Some(name), Some(input)) = (&arguments.record, &arguments.input) {
        new_case(&folder, name, role, input).map_err(|error| failed(&error))?;
    }
    let cases = cases(&folder)
        .map_err(|error| failed(&error))?
        .into_iter()
        .collect::<Result<Vec<Case>, _>>()
        .map_err(|error| failed(&error))?;
    let bench = Bench::new(context, source, role)?;
    if let Some(name) = &arguments.record {
        return bench.record(&cases, name);
    }
    let report = match arguments.replay {
        true => None,
        false => Some(bench.conformance(&cases)?),
    };
    let replayed = bench.replay(&cases)?;
    print(report.as_ref(), &replayed, context);
    let failed = report.as_ref().map_or(0, |report| report.counts().failed)
        + replayed.iter().filter(|(_, one)| !one.is_same()).count();
    match failed {
        0 => Ok(()),
        failed => Err(Failure::saying(format!(
            "{} did not pass",
            count(failed as u64, "check", "checks")
        ))),
    }
}

/// How a case went.
enum Played {
    Compared(Replayed),
    /// Nothing was recorded of it.
    NotRecorded,
}

impl Played {
    fn is_same(&self) -> bool {
        !matches!(self, Played::Compared(Replayed::Different(_)))
    }
}

/// A component and a place to try it in.
struct Bench<'a> {
    context: &'a Context,
    source: Source,
    role: Role,
    sandbox: Arc<Sandbox>,
    scratch: Directory,
    _folder: acreta_fs::Scratch,
}

impl<'a> Bench<'a> {
    fn new(context: &'a Context, source: Source, role: Role) -> Result<Self, Failure> {
        let parent =
            Directory::open_or_create_private(&context.home.scratch(), NoFaults::shared())?;
        let folder = acreta_fs::scratch(&parent, "test")?;
        let progress = Terminal::new();
        progress.say("compiling, once; then it is cached");
        let sandbox = plugins::sandbox(context)?;
        progress.done();
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

    /// The plugin with the settings of a case, and with no grant.
    fn load(&self, settings: BTreeMap<String, String>) -> Result<Plugin, Failure> {
        let limits = self.limits();
        let loaded = self.sandbox.load(
            &self.source.id,
            &self.source.bytes,
            |_| limits.clone(),
            settings.into_iter().collect(),
        )?;
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

    fn replay(&self, cases: &[Case]) -> Result<Vec<(String, Played)>, Failure> {
        let mut replayed = Vec::new();
        for case in cases {
            let played = match case.is_recorded().map_err(|error| failed(&error))? {
                false => Played::NotRecorded,
                true => {
                    let plugin = self.load(case.settings())?;
                    let done = replay(case, &plugin, &Run::new(&self.scratch));
                    Played::Compared(done.map_err(|error| failed(&error))?)
                }
            };
            replayed.push((case.name.clone(), played));
        }
        Ok(replayed)
    }

    /// Records the case of a name; all of them where none is named.
    fn record(&self, cases: &[Case], name: &str) -> Result<(), Failure> {
        let wanted: Vec<&Case> = cases
            .iter()
            .filter(|case| name.is_empty() || case.name == name)
            .collect();
        if wanted.is_empty() {
            let message = match name {
                "" => "there is no case yet".to_owned(),
                name => format!("there is no case `{name}`"),
            };
            return Err(Failure::new(Kind::Missing, message)
                .hint("`--record NAME --input FILE` makes one from a file"));
        }
        for case in wanted {
            let plugin = self.load(case.settings())?;
            let recorded: Recorded =
                record(case, &plugin, &Run::new(&self.scratch)).map_err(|error| failed(&error))?;
            case.keep(&recorded).map_err(|error| failed(&error))?;
            line(&format!(
                "recorded  {} ({})",
                case.name,
                count(recorded.lines.len() as u64, "call", "calls")
            ));
        }
        Ok(())
    }
}

fn print(report: Option<&Report>, replayed: &[(String, Played)], context: &Context) {
    if context.json {
        let cases: Vec<_> = replayed
            .iter()
            .map(|(name, played)| match played {
                Played::Compared(replayed) => value!({ "case": name, "result": replayed }),
                Played::NotRecorded => value!({ "case": name, "result": null }),
            })
            .collect();
        return json(&value!({ "conformance": report, "cases": cases }));
    }
    for text in report.map(ToString::to_string).unwrap_or_default().lines() {
        line(text);
    }
    for (name, played) in replayed {
        match played {
            Played::Compared(Replayed::Same { lines }) => {
                let calls = count(*lines as u64, "call", "calls");
                line(&format!("ok    case {name}: {calls}, byte for byte"));
            }
            Played::Compared(Replayed::Different(difference)) => {
                line(&format!("FAIL  case {name}"));
                for text in difference.to_string().lines() {
                    line(&format!("      {text}"));
                }
            }
            Played::NotRecorded => talk(&format!(
                "case {name} is not recorded: `acreta plugin test --record {name}`"
            )),
        }
    }
}

fn failed(error: &acreta_conformance::CaseError) -> Failure {
    let mut failure = Failure::from_error(error);
    failure.hints.push(error.hint());
    failure
}
