//! Opens language models according to the settings. If no model is configured for a purpose, nothing is opened and no
//! model is asked.

use std::sync::Arc;
use std::time::{Duration, Instant};

use acreta_config::{Config, Origin};
use acreta_fs::{Directory, NoFaults};
use acreta_llm::{
    Budget, Clock, CommandSettings, DayBudget, DayLedger, Endpoint, FileLedger, Llm, LlmSession,
    Mode, ModelChoice, ModelOption, Money, OpenAiSettings, OutputLimit, Price, PriceTable, Program,
    ProviderKind, ProviderSettings, Purpose, Readiness, RoleSettings, Run, RunBudget, Settings,
    Spending, Stores, StructuredOutput, Surroundings, Whereabouts,
};
use acreta_types::ModelSource;
use camino::Utf8Path;

use crate::learn::sync_options::redactor;
use crate::models::shared_budget::SharedBudget;
use crate::process::clock::{now_ms, seed};
use crate::{Context, Failure, Kind};

/// Folder of cached replies in acreta's own folder: they were paid for.
pub const REPLIES: &str = "replies";

/// Folder in acreta's own folder where agent programs run when they answer as models. Sessions in there were started by
/// acreta itself.
pub const PROGRAMS: &str = "model";

/// Folder of the day's spending on this machine and of providers' limits, in acreta's own folder.
const SPENDING: &str = "spending";

/// Finds models and programs on this machine that could read sessions. Sends nothing.
pub fn discover(context: &Context) -> Result<Vec<ModelOption>, Failure> {
    looking(context, acreta_llm::discover)
}

/// Returns why a provider cannot answer now, and what to do about it; `None` if nothing speaks against it. Sends
/// nothing. A provider that a person configured otherwise than the built-in one is not checked.
pub fn obstacle(context: &Context, provider: &str) -> Result<Option<(String, String)>, Failure> {
    let own = format!("llm.providers.{provider}.");
    let Some(builtin) = ProviderSettings::preset(provider) else {
        return Ok(None);
    };
    let is_own = |path: &String, origin: &Origin| {
        path.starts_with(&own) && !matches!(origin, Origin::Builtin)
    };
    let mut entries = context.config.entries().into_iter();
    if entries.any(|entry| is_own(&entry.path, &entry.origin)) {
        return Ok(None);
    }
    let found = looking(context, |places| acreta_llm::probe(provider, places))?;
    let key_env = match builtin.kind {
        ProviderKind::Anthropic(endpoint) | ProviderKind::Ollama(endpoint) => endpoint.key_env,
        ProviderKind::OpenAi(openai) => openai.endpoint.key_env,
        ProviderKind::Agent(_) | ProviderKind::Command(_) => None,
    };
    Ok(match (found, key_env) {
        (Some(found), _) if found.readiness == Readiness::LoggedOut => Some((
            format!("{provider} is not logged in"),
            found.remedy.unwrap_or_default(),
        )),
        (Some(_), _) => None,
        (None, _) if Program::named(provider).is_some() => Some((
            format!("there is no program `{provider}` on the PATH"),
            format!("install {provider} and log in"),
        )),
        (None, Some(variable)) => Some((
            format!("{provider} has no key"),
            format!("set `{variable}` in the environment"),
        )),
        (None, None) => Some((
            format!("no {provider} server with a model answers on this machine"),
            format!("start it, or set `{own}base_url`"),
        )),
    })
}

fn looking<T>(context: &Context, look: impl FnOnce(&Whereabouts<'_>) -> T) -> Result<T, Failure> {
    let folder = context.home.folder().join(PROGRAMS);
    Directory::open_or_create_private(&folder, NoFaults::shared())?;
    let environment = context.environment.clone().into_iter().collect();
    Ok(look(&Whereabouts::new(&environment, &folder)))
}

/// Returns what models used today, and the day's limits: of this project if machines share the state, and otherwise of
/// this machine.
pub fn spending(config: &Config, context: &Context) -> Result<Spending, Failure> {
    let folder = context.home.folder().join(SPENDING);
    let budget = day_budget(config);
    let shared = SharedBudget::of(context, &context.project)?;
    let limits = match Directory::open(&folder, NoFaults::shared()) {
        Ok(limits) => limits,
        Err(cause) if cause.is_not_found() && shared.is_some() => {
            Directory::open_or_create_private(&folder, NoFaults::shared())?
        }
        Err(cause) if cause.is_not_found() => {
            return Ok(Spending {
                calls_limit: budget.calls,
                tokens_limit: budget.tokens,
                dollars_limit: budget.cost.map(Money::dollars),
                ..Spending::default()
            });
        }
        Err(cause) => return Err(cause.into()),
    };
    let ledger = ledger_or_file(shared, &limits);
    acreta_llm::spending(ledger.as_ref(), &limits, budget, now_ms())
        .map_err(|error| Failure::from_error(&error))
}

/// Unblocks a provider that named a time before which it accepts no calls.
pub fn unblock(context: &Context, provider: &str) -> Result<(), Failure> {
    let folder = context.home.folder().join(SPENDING);
    match Directory::open(&folder, NoFaults::shared()) {
        Ok(limits) => acreta_llm::unblock(&limits, provider),
        Err(cause) if cause.is_not_found() => {}
        Err(cause) => return Err(cause.into()),
    }
    Ok(())
}

/// Returns whether a model is configured for this purpose.
pub fn is_configured(config: &Config, purpose: Purpose) -> bool {
    let provider = format!("llm.roles.{}.provider", purpose.name());
    config.boolean("llm.enabled") && !config.text(&provider).is_empty()
}

/// Returns the models for maintenance, if one is configured for it or for reading sessions.
pub fn for_maintenance(context: &Context) -> Result<Option<Arc<dyn ModelSource>>, Failure> {
    let config = &context.config;
    let purposes = [Purpose::Maintain, Purpose::Extract];
    if !purposes
        .iter()
        .any(|purpose| is_configured(config, *purpose))
    {
        return Ok(None);
    }
    let llm = open(config, context, &context.project)?;
    Ok(llm.map(|llm| Arc::new(llm) as Arc<dyn ModelSource>))
}

/// Returns a session with the models of a project, if one is configured for this purpose.
pub fn session(context: &Context, purpose: Purpose) -> Result<Option<LlmSession>, Failure> {
    if !is_configured(&context.config, purpose) {
        return Ok(None);
    }
    let folder = context.home.scratch();
    Directory::open_or_create_private(&folder, NoFaults::shared())?;
    let id = format!("{}-{}", purpose.name(), now_ms());
    let llm = open(&context.config, context, &context.project)?;
    Ok(llm.map(|llm| llm.session(Run::new(&id, &folder))))
}

/// Opens the models of a configuration, if it names any, for the project at `root`. Opening asks no model.
pub fn open(config: &Config, context: &Context, root: &Utf8Path) -> Result<Option<Llm>, Failure> {
    let settings = settings(config)?;
    if settings.roles.is_empty() {
        return Ok(None);
    }
    let open = |path: &Utf8Path| Directory::open_or_create_private(path, NoFaults::shared());
    let limits = open(&context.home.folder().join(SPENDING))?;
    let around = Surroundings {
        environment: context.environment.clone().into_iter().collect(),
        redactor: Arc::new(redactor(config)?),
        stores: Stores {
            cache: open(&context.home.folder().join(REPLIES))?,
            limits: limits.clone(),
        },
        ledger: ledger_or_file(SharedBudget::of(context, root)?, &limits),
        programs: context.home.folder().join(PROGRAMS),
        clock: Arc::new(SystemClock(Instant::now())),
        seed: seed(),
    };
    let llm = Llm::new(settings, around, Mode::Live)
        .map_err(|error| Failure::saying(error.to_string()))?;
    Ok(Some(llm))
}

/// Returns the ledger that machines share, or that of this machine.
fn ledger_or_file(shared: Option<SharedBudget>, folder: &Directory) -> Arc<dyn DayLedger> {
    match shared {
        Some(shared) => Arc::new(shared),
        None => Arc::new(FileLedger::new(folder)),
    }
}

fn settings(config: &Config) -> Result<Settings, Failure> {
    let mut settings = Settings::default();
    if !config.boolean("llm.enabled") {
        return Ok(settings);
    }
    settings.prices = prices(config)?;
    for purpose in Purpose::ALL {
        let key = |name: &str| format!("llm.roles.{}.{name}", purpose.name());
        let (provider, model) = (config.text(&key("provider")), config.text(&key("model")));
        if provider.is_empty() {
            continue;
        }
        let model = match Program::named(provider) {
            Some(program) if model.is_empty() => program.default_model(),
            _ => model,
        };
        if model.is_empty() {
            let message = format!("`{}` names a provider but no model", key("provider"));
            return Err(Failure::new(Kind::Usage, message).hint(format!("set `{}`", key("model"))));
        }
        let fallback = config.text(&key("fallback"));
        let fallback = match fallback.split_once('/') {
            Some((provider, model)) => Some(ModelChoice::new(provider, model)),
            None if fallback.is_empty() => None,
            None if Program::named(fallback).is_some() => {
                let program = Program::named(fallback);
                let model = program.map_or("", Program::default_model);
                Some(ModelChoice::new(fallback, model))
            }
            None => {
                let message = format!(
                    "`{}` is `{fallback}`, which is not PROVIDER/MODEL",
                    key("fallback")
                );
                let hint = "write it as PROVIDER/MODEL";
                return Err(Failure::new(Kind::Usage, message).hint(hint));
            }
        };
        let role = RoleSettings {
            main: ModelChoice::new(provider, model),
            fallback,
        };
        for choice in [Some(&role.main), role.fallback.as_ref()]
            .into_iter()
            .flatten()
        {
            let provider = provider_of(config, &choice.provider)?;
            settings.providers.insert(choice.provider.clone(), provider);
        }
        settings.roles.insert(purpose, role);
    }
    // A model that reads sessions can also summarise them and compare memories.
    if let Some(role) = settings.roles.get(&Purpose::Extract).cloned() {
        let roles = &mut settings.roles;
        roles.entry(Purpose::Summarise).or_insert(role.clone());
        roles.entry(Purpose::Explore).or_insert(role.clone());
        roles.entry(Purpose::Maintain).or_insert(role);
    }
    settings.budget = Budget {
        per_run: RunBudget {
            calls: limit(config, "llm.budget.run_calls"),
            tokens: limit(config, "llm.budget.run_tokens"),
            cost: dollars(config, "llm.budget.run_dollars"),
        },
        per_day: day_budget(config),
    };
    Ok(settings)
}

fn day_budget(config: &Config) -> DayBudget {
    DayBudget {
        calls: limit(config, "llm.budget.day_calls"),
        tokens: limit(config, "llm.budget.day_tokens"),
        cost: dollars(config, "llm.budget.day_dollars"),
    }
}

/// Returns the built-in prices with those of the user.
pub(crate) fn prices(config: &Config) -> Result<PriceTable, Failure> {
    let mut prices = PriceTable::builtin();
    for line in config.text_list("llm.prices") {
        let (name, price) = price(&line)?;
        prices.set(&name, price);
    }
    Ok(prices)
}

/// Parses `MODEL INPUT OUTPUT`, in dollars per million tokens.
fn price(line: &str) -> Result<(String, Price), Failure> {
    let parts: Vec<&str> = line.split_whitespace().collect();
    let read = match parts.as_slice() {
        [model, input, output] => {
            let dollars = |text: &str| text.parse::<f64>().ok();
            let price = dollars(input).zip(dollars(output));
            let price = price.and_then(|(input, output)| Price::per_million(input, output));
            price.map(|price| ((*model).to_owned(), price))
        }
        _ => None,
    };
    read.ok_or_else(|| {
        Failure::new(Kind::Usage, format!("`llm.prices` has `{line}`"))
            .hint("each is written as `MODEL INPUT OUTPUT`, in dollars per million tokens")
    })
}

/// Returns a provider: a built-in one with overridden settings, or a custom one of a kind.
fn provider_of(config: &Config, name: &str) -> Result<ProviderSettings, Failure> {
    let key = |setting: &str| format!("llm.providers.{name}.{setting}");
    let text = |setting: &str| match config.text(&key(setting)) {
        "" => None,
        text => Some(text.to_owned()),
    };
    let endpoint = || Endpoint {
        base_url: text("base_url").unwrap_or_default(),
        key_env: text("key_env"),
    };
    let mut provider = match text("kind").as_deref() {
        Some("anthropic") => ProviderSettings::new(ProviderKind::Anthropic(endpoint())),
        Some("ollama") => ProviderSettings::new(ProviderKind::Ollama(endpoint())),
        Some("command") => {
            let mut words = config.text_list(&key("command")).into_iter();
            ProviderSettings::new(ProviderKind::Command(CommandSettings {
                program: words.next().unwrap_or_default(),
                arguments: words.collect(),
                environment: config.text_list(&key("environment")),
                persist_sessions_in_workspace: config
                    .boolean(&key("persist_sessions_in_workspace")),
            }))
        }
        Some(_) => ProviderSettings::new(ProviderKind::OpenAi(OpenAiSettings {
            endpoint: endpoint(),
            structured_output: StructuredOutput::Schema,
            output_limit: OutputLimit::MaxTokens,
        })),
        None => ProviderSettings::preset(name).ok_or_else(|| {
            let message = format!("unknown provider `{name}`");
            let known = ProviderSettings::PRESETS.join(", ");
            let hint = format!("expected one of {known}; `{}` defines another", key("kind"));
            Failure::new(Kind::Usage, message).hint(hint)
        })?,
    };
    let known = match &mut provider.kind {
        ProviderKind::Anthropic(endpoint) | ProviderKind::Ollama(endpoint) => Some(endpoint),
        ProviderKind::OpenAi(openai) => Some(&mut openai.endpoint),
        ProviderKind::Agent(agent) => {
            agent.command = config.text_list(&key("command")).into_iter().next();
            agent.key_env = text("key_env");
            None
        }
        ProviderKind::Command(_) => None,
    };
    if let Some(known) = known {
        if let Some(base_url) = text("base_url") {
            known.base_url = base_url;
        }
        if let Some(variable) = text("key_env") {
            known.key_env = Some(variable);
        }
    }
    if let Some(seconds) = limit(config, &key("timeout_seconds")) {
        provider.timeout = Duration::from_secs(seconds);
    }
    Ok(provider)
}

fn limit(config: &Config, key: &str) -> Option<u64> {
    config.get(key)?;
    u64::try_from(config.integer(key)).ok()
}

fn dollars(config: &Config, key: &str) -> Option<Money> {
    config.get(key)?;
    Money::from_dollars(config.float(key))
}

struct SystemClock(Instant);

impl Clock for SystemClock {
    fn now_ms(&self) -> u64 {
        now_ms()
    }

    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }

    fn sleep(&self, duration: Duration) {
        std::thread::sleep(duration);
    }

    fn utc_offset_seconds(&self) -> i32 {
        crate::process::clock::utc_offset_seconds()
    }
}
