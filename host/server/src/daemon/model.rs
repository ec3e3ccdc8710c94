//! The model that reads sessions: its choice, its possible cost, and a trial.

use crate::api::{ChosenModel, ModelChoice, ModelTrial, ModelView, SpendToday, TrialFinding};
use acreta_service::models::choice::{self, ModelAccess, ModelOption, NoProgress, Readiness};
use acreta_service::{Failure, process::clock};
use acreta_types::MemoryType;

use crate::daemon::Daemon;

impl Daemon {
    pub(crate) fn reader(&self) -> Result<ModelView, Failure> {
        let listed = choice::list(&self.context(None)?)?;
        let spending = listed.spending;
        let blocked = spending.blocked.iter().map(|blocked| {
            let until = clock::shown(blocked.until_ms);
            format!(
                "{} accepts no calls until {until}: {}",
                blocked.provider, blocked.reason
            )
        });
        Ok(ModelView {
            current: listed.current,
            found: listed.found.into_iter().flat_map(choices).collect(),
            blocked: blocked.collect(),
            spend: SpendToday {
                calls: spending.calls,
                calls_limit: spending.calls_limit,
                tokens: spending.tokens,
                tokens_limit: spending.tokens_limit,
                dollars: spending.dollars,
                dollars_limit: spending.dollars_limit,
                list_dollars: spending.list_dollars,
            },
        })
    }

    pub(crate) fn choose_reader(&self, request: &ChosenModel) -> Result<ModelView, Failure> {
        let context = self.context(None)?;
        match &request.name {
            // The view says whether it is ready.
            Some(name) => drop(choice::select(&context, name)?),
            None => choice::off(&context)?,
        }
        self.reader()
    }

    pub(crate) fn try_reader(&self) -> Result<ModelTrial, Failure> {
        let trial = choice::trial(&self.context(None)?, None, None, &NoProgress)?;
        let found = trial.found.into_iter().filter_map(|found| {
            Some(TrialFinding {
                memory_type: found.memory_type.parse::<MemoryType>().ok()?,
                kind: found.kind,
                title: found.title,
                body: found.body,
                quotes: found.quotes,
            })
        });
        Ok(ModelTrial {
            found: found.collect(),
            reader: trial.reader,
            agent: trial.agent,
            session_id: trial.session,
            events: trial.events,
            calls: trial.usage.calls,
            input_tokens: trial.usage.input_tokens,
            output_tokens: trial.usage.output_tokens,
            cost_dollars: trial.usage.cost_dollars,
            problem: trial.shortfall,
            total_ms: trial.total_ms,
        })
    }
}

/// Returns a choice for each model of an option, or one for the program's default model.
fn choices(option: ModelOption) -> Vec<ModelChoice> {
    let choice = |name: String, label: String| ModelChoice {
        name,
        label,
        access: match option.access {
            ModelAccess::Plan => "plan",
            ModelAccess::Local => "local",
            ModelAccess::ApiKey => "api-key",
        }
        .to_owned(),
        readiness: match option.readiness {
            Readiness::Ready => "ready",
            Readiness::LoggedOut => "logged-out",
            Readiness::Unknown => "unknown",
        }
        .to_owned(),
        destination: option.destination.clone(),
        remedy: option.remedy.clone(),
    };
    let own = choice(option.provider.clone(), option.label.clone());
    match option.models.as_slice() {
        [] => vec![own],
        [only] => {
            let name = format!("{}/{only}", option.provider);
            vec![ModelChoice { name, ..own }]
        }
        models => models
            .iter()
            .map(|model| {
                let name = format!("{}/{model}", option.provider);
                choice(name, format!("{} · {model}", option.label))
            })
            .collect(),
    }
}
