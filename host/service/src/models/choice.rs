//! The model that reads sessions: lists the models a person already has, stores their choice in the user's settings,
//! and tries it on a session. Nothing is sent to a model before it was chosen; only [`trial`] asks one.

use std::sync::Arc;

use acreta_config::{Origin, set};
use acreta_fs::{Directory, NoFaults};
use acreta_llm::{Estimates, PriceTable, Program, ProviderSettings, Purpose, Spending};
pub use acreta_llm::{ModelAccess, ModelOption, Readiness, stop_programs};
use acreta_pipeline::{Progress, RunMode, RunOptions};
use acreta_store::Layout;
use acreta_sync::{RecentFile, Selection, recent_files};
use acreta_types::{ModelUsage, ReadingStrength};
use camino::{Utf8Path, Utf8PathBuf};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::process::clock::{now_ms, seed};
use crate::{
    Context, Failure, Kind, LazySyncEnvironment, learn::one_file, learn::readings,
    learn::run_options, learn::sync_options, models::opened, projects::scopes,
};

/// The chosen model, and all that are available.
#[derive(Debug, Clone, Serialize, JsonSchema)]
pub struct ModelList {
    /// `PROVIDER` or `PROVIDER/MODEL`; `None` if no model is used.
    pub current: Option<String>,
    /// A person has answered the question: any setting of `llm` counts.
    pub answered: bool,
    pub found: Vec<ModelOption>,
    pub spending: Spending,
}

/// Tokens and calls that reading recent sessions would have taken.
#[derive(Debug, Clone, Default, Serialize)]
pub struct ReadingEstimate {
    pub sessions: u64,
    pub calls: u64,
    pub input_tokens: u64,
    /// Assuming the longest allowed replies.
    pub output_tokens: u64,
}

/// Trial reading of one session by a model; nothing is stored.
#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "ModelTrial")]
pub struct TrialReading {
    pub reader: String,
    #[schemars(with = "String")]
    pub file: Utf8PathBuf,
    pub agent: String,
    pub session: String,
    pub events: u64,
    pub found: Vec<TrialMemory>,
    pub usage: ModelUsage,
    /// Why the model did not read all of the session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shortfall: Option<String>,
    pub total_ms: u64,
}

#[derive(Debug, Clone, Serialize, JsonSchema)]
#[schemars(rename = "TrialFinding")]
pub struct TrialMemory {
    #[serde(rename = "type")]
    pub memory_type: String,
    pub kind: String,
    pub title: String,
    pub body: String,
    /// The words of the session that support it.
    pub quotes: Vec<String>,
}

/// Looks for models on this machine. Contacts only loopback addresses and the programs themselves.
pub fn list(context: &Context) -> Result<ModelList, Failure> {
    Ok(ModelList {
        current: current(context),
        answered: is_answered(context),
        found: opened::discover(context)?,
        spending: opened::spending(&context.config, context)?,
    })
}

/// Returns the model that reads sessions, in the form that [`select`] accepts.
pub fn current(context: &Context) -> Option<String> {
    if !opened::is_configured(&context.config, Purpose::Extract) {
        return None;
    }
    let provider = context.config.text("llm.roles.extract.provider");
    Some(match context.config.text("llm.roles.extract.model") {
        "" => provider.to_owned(),
        model => format!("{provider}/{model}"),
    })
}

/// Returns whether a person has chosen who reads their sessions. Any setting of `llm` that is not built in counts, also
/// one that switches models off.
pub fn is_answered(context: &Context) -> bool {
    let is_said = |path: &str, origin: &Origin| {
        let is_flag_of_this_call = path == "llm.enabled" && matches!(origin, Origin::Flag);
        path.starts_with("llm.") && !matches!(origin, Origin::Builtin) && !is_flag_of_this_call
    };
    let entries = context.config.entries();
    entries
        .iter()
        .any(|entry| is_said(&entry.path, &entry.origin))
}

/// Chooses the model that reads sessions. `name` is `PROVIDER` or `PROVIDER/MODEL`. Returns why it cannot read them
/// yet, if that is known without asking it.
pub fn select(context: &Context, name: &str) -> Result<Option<Failure>, Failure> {
    let (provider, model) = parsed(context, name)?;
    let file = context.home.config_file();
    set(&file, "llm.enabled", "true")?;
    set(&file, "llm.roles.extract.provider", &provider)?;
    set(&file, "llm.roles.extract.model", &model)?;
    let obstacle = opened::obstacle(context, &provider)?;
    Ok(obstacle.map(|(problem, remedy)| {
        let message = format!("{name} is chosen, but cannot read your sessions yet: {problem}");
        Failure::new(Kind::Partial, message)
            .hint(remedy)
            .hint("until then rules alone read them, and find little; `acreta model test` tries it")
    }))
}

/// The model to use.
#[derive(Debug, Clone, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ChosenModel {
    /// `PROVIDER` or `PROVIDER/MODEL`; absent to stop using a model.
    #[schemars(length(min = 1, max = 200))]
    pub name: Option<String>,
}

/// Chooses the model that reads sessions, or none. The result says whether it is ready.
pub fn choose(request: &ChosenModel, context: &Context) -> Result<ModelList, Failure> {
    match &request.name {
        Some(name) => drop(select(context, name)?),
        None => off(context)?,
    }
    // The settings have changed.
    list(&Context::open(&context.process, &context.project)?)
}

/// Stops using models. The choice stays, so that `llm.enabled = true` restores it.
pub fn off(context: &Context) -> Result<(), Failure> {
    set(&context.home.config_file(), "llm.enabled", "false")?;
    Ok(())
}

/// Estimates what reading the newest sessions of this machine would have taken with any model. Asks no model.
pub fn outlook(context: &Context, sessions: usize) -> Result<ReadingEstimate, Failure> {
    // The price does not matter here, so any known provider will do.
    let asking = with_model(context, "ollama", "none")?;
    let mut outlook = ReadingEstimate::default();
    // Files that hold several sessions, or none, are skipped.
    for file in recent(context, 2 * sessions)? {
        if outlook.sessions == sessions as u64 {
            break;
        }
        let Some(llm) = opened::open(&asking.config, &asking, &asking.project)? else {
            break;
        };
        let estimates = Estimates::new(llm);
        let source = Arc::new(estimates.clone());
        let folder = ScratchMemory::new(context, "outlook")?;
        let options = RunOptions {
            models: Some(run_options::granted(&asking.config, &asking, source)?),
            ..folder.options(&asking)?
        };
        if one_file::read(&file.path, &options, &asking, &NoProgress).is_ok() {
            let total = estimates.total();
            outlook.sessions += 1;
            outlook.calls += total.requests;
            outlook.input_tokens += total.input_tokens;
            outlook.output_tokens += total.output_tokens;
        }
    }
    Ok(outlook)
}

/// Returns the list price of an estimate with a model; `None` if the price is unknown.
pub fn list_price(outlook: &ReadingEstimate, provider: &str, model: &str) -> Option<f64> {
    let price = PriceTable::builtin().of(provider, model)?;
    Some(
        price
            .of(outlook.input_tokens, outlook.output_tokens)
            .dollars(),
    )
}

/// Lets a model read one session and returns its findings. Writes no memory.
pub fn trial(
    context: &Context,
    name: Option<&str>,
    file: Option<&Utf8Path>,
    progress: &dyn Progress,
) -> Result<TrialReading, Failure> {
    let name = name.map(str::to_owned).or_else(|| current(context));
    let Some(name) = name else {
        return Err(Failure::saying("no model reads your sessions").hint(
            "`acreta model list` shows the available ones; `acreta model use NAME` chooses one",
        ));
    };
    let (provider, model) = parsed(context, &name)?;
    let asking = with_model(context, &provider, &model)?;
    let files = match file {
        Some(file) => vec![file.to_owned()],
        None => newest(context)?,
    };
    let folder = ScratchMemory::new(context, "trial")?;
    let options = folder.options(&asking)?;
    let mut read = None;
    for file in files {
        let report = one_file::read(&file, &options, &asking, progress)?;
        let is_empty = report.session.events == 0;
        read = Some((file, report));
        if !is_empty {
            break;
        }
    }
    let Some((file, report)) = read else {
        return Err(Failure::saying("no session was found on this machine")
            .hint("name a session file: `acreta model test FILE`"));
    };
    let reading = report.reading.as_ref();
    let shortfall = reading.and_then(|reading| reading.shortfall.as_ref());
    let cause = shortfall.map(|shortfall| readings::cause(shortfall, now_ms()));
    if reading.is_none_or(|reading| reading.reading.strength == ReadingStrength::Rules) {
        let cause = cause.unwrap_or_else(|| "the session has nothing to ask it about".to_owned());
        let failure = Failure::saying(format!("{name} did not read `{file}`: {cause}"));
        let remedy = shortfall.and_then(readings::remedy);
        return Err(failure.hint(
            remedy.unwrap_or_else(|| {
                "name another session file: `acreta model test FILE`".to_owned()
            }),
        ));
    }
    let directory = Directory::open(&report.run_folder, NoFaults::shared())?;
    let text = directory.read_to_string("extract.json", EXTRACT_BYTES)?;
    let extract: Value = serde_json::from_str(&text).unwrap_or_default();
    Ok(TrialReading {
        reader: name,
        file,
        agent: report.session.agent.clone(),
        session: report.session.id.clone(),
        events: report.session.events,
        found: kept(&extract),
        usage: report.metrics.llm.clone(),
        shortfall: cause,
        total_ms: report.metrics.total_ms,
    })
}

const EXTRACT_BYTES: u64 = 64 * 1024 * 1024;

/// Splits `PROVIDER/MODEL`; the provider must be built in or defined in the settings.
fn parsed(context: &Context, name: &str) -> Result<(String, String), Failure> {
    let (provider, model) = name.split_once('/').unwrap_or((name, ""));
    let kind = format!("llm.providers.{provider}.kind");
    let is_known =
        ProviderSettings::preset(provider).is_some() || context.config.get(&kind).is_some();
    if !is_known {
        let known = ProviderSettings::PRESETS.join(", ");
        return Err(
            Failure::new(Kind::Usage, format!("unknown model provider `{provider}`"))
                .hint(format!("expected one of {known}; `{kind}` defines another")),
        );
    }
    if model.is_empty() && Program::named(provider).is_none() {
        return Err(Failure::new(
            Kind::Usage,
            format!("`{provider}` needs the name of a model"),
        )
        .hint(format!(
            "write `{provider}/MODEL`; `acreta model list` shows the available ones"
        )));
    }
    Ok((provider.to_owned(), model.to_owned()))
}

/// Returns a context with another model, for this process only.
fn with_model(context: &Context, provider: &str, model: &str) -> Result<Context, Failure> {
    let mut process = context.process.clone();
    for (key, value) in [
        ("llm.enabled", "true"),
        ("llm.roles.extract.provider", provider),
        ("llm.roles.extract.model", model),
        ("plugins.extractor", "extractor-llm"),
    ] {
        process.flags.retain(|(known, _)| known != key);
        process.flags.push((key.to_owned(), value.to_owned()));
    }
    Context::open(&process, &context.project)
}

fn recent(context: &Context, limit: usize) -> Result<Vec<RecentFile>, Failure> {
    let catalog = scopes::open_catalog(context)?;
    let options = sync_options::sync_options(context, Selection::default())?;
    let workshop = LazySyncEnvironment::new(context)?;
    Ok(recent_files(&catalog, &options, &workshop, limit)?)
}

/// Returns the newest session files, enough to find one that is not empty.
fn newest(context: &Context) -> Result<Vec<Utf8PathBuf>, Failure> {
    let recent = recent(context, TRIED)?.into_iter();
    Ok(recent.map(|file| file.path).collect())
}

const TRIED: usize = 10;

fn kept(extract: &Value) -> Vec<TrialMemory> {
    let candidates = extract["candidates"].as_array().into_iter().flatten();
    candidates
        .filter(|candidate| candidate["kept"] == true)
        .map(|candidate| {
            let text = |name: &str| candidate[name].as_str().unwrap_or_default().to_owned();
            let evidence = candidate["evidence"].as_array().into_iter().flatten();
            TrialMemory {
                memory_type: text("type"),
                kind: text("kind"),
                title: text("title"),
                body: text("body"),
                quotes: evidence
                    .filter_map(|one| one["quote"].as_str().map(str::to_owned))
                    .collect(),
            }
        })
        .collect()
}

/// A temporary memory for one reading, removed on drop.
struct ScratchMemory {
    parent: Directory,
    name: String,
}

impl ScratchMemory {
    fn new(context: &Context, purpose: &str) -> Result<Self, Failure> {
        let parent =
            Directory::open_or_create_private(&context.home.scratch(), NoFaults::shared())?;
        let name = format!("{purpose}-{}-{:08x}", now_ms(), seed() as u32);
        parent.create_dir_all(&name)?;
        Ok(Self { parent, name })
    }

    fn path(&self) -> Utf8PathBuf {
        self.parent.path().join(&self.name)
    }

    fn options(&self, context: &Context) -> Result<RunOptions, Failure> {
        let root = self.path().join("project");
        let redactor = Arc::new(sync_options::redactor(&context.config)?);
        let layout = Layout::for_project(&root);
        Ok(RunOptions {
            dry_run: true,
            ..run_options::run_options(
                &context.config,
                context,
                &context.project,
                layout,
                context.project.file_name().unwrap_or("project"),
                RunMode::Cold,
                redactor,
            )?
        })
    }
}

impl Drop for ScratchMemory {
    fn drop(&mut self) {
        // A folder left behind in the scratch directory is removed by the next clean-up.
        let _ = self.parent.remove_dir_all(&self.name);
    }
}

/// Ignores all progress.
pub struct NoProgress;

impl Progress for NoProgress {
    fn step(&self, _step: &'static str, _state: acreta_pipeline::TodoState) {}
}
