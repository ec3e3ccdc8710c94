//! What agents used, as they recorded it: `acreta usage` and the page of the dashboard. The figures are counted when the
//! index of sessions takes a session in.

use acreta_llm::PRICES_AS_OF;
use camino::Utf8PathBuf;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::figures::{DAY_MS, Wanted, add_up};
use super::index::{self, Unreadable};
use super::search::roots_at;
use crate::process::clock::{moment, now_ms};
use crate::{Context, Failure};

pub use super::figures::{UsageBy, UsageFigures, UsageRow, today};

#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct UsageRequest {
    #[serde(default)]
    pub by: UsageBy,
    #[schemars(length(min = 1, max = 64))]
    pub agent: Option<String>,
    /// A directory of the project.
    #[serde(skip)]
    pub project: Option<Utf8PathBuf>,
    /// A date, a time or an age; the whole day counts.
    #[schemars(length(min = 1, max = 40))]
    pub since: Option<String>,
    /// Only days before.
    #[schemars(length(min = 1, max = 40))]
    pub until: Option<String>,
}

/// What agents used.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct UsageReport {
    pub by: UsageBy,
    /// Days in their order; else the row with most tokens first.
    pub rows: Vec<UsageRow>,
    pub total: UsageFigures,
    /// Month of the price list that estimates are made with.
    pub prices_as_of: String,
    /// Number of sessions that are not counted yet.
    pub left: u64,
    /// Sessions that could not be read, and why.
    pub unreadable: Vec<Unreadable>,
}

/// Adds up what agents used.
pub fn usage(request: &UsageRequest, context: &Context) -> Result<UsageReport, Failure> {
    let now = now_ms();
    let day = |text: &Option<String>| -> Result<Option<u64>, Failure> {
        let moment = text.as_ref().map(|text| moment(text, now)).transpose()?;
        Ok(moment.map(|ms| ms / DAY_MS))
    };
    let projects = request.project.as_ref();
    let wanted = Wanted {
        agent: request.agent.clone(),
        projects: projects
            .map(|directory| roots_at(directory, context))
            .transpose()?,
        since: day(&request.since)?,
        until: day(&request.until)?,
    };
    let index = index::open(context)?;
    let state = index::refresh(&index, context)?;
    let (rows, total) = add_up(&index, request.by, &wanted, context)?;
    Ok(UsageReport {
        by: request.by,
        rows,
        total,
        prices_as_of: PRICES_AS_OF.to_owned(),
        left: state.waiting,
        unreadable: state.unreadable,
    })
}
