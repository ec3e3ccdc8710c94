//! Returns the briefs that agents got: `brief show`.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

pub use crate::recall::brief::GivenBrief;
use crate::recall::brief::GivenBriefs;
use crate::{Context, Failure};

/// Selection of the project's briefs.
#[derive(Debug, Clone, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct GivenRequest {
    /// Maximum number, newest first.
    #[serde(default = "page_size")]
    #[schemars(range(min = 1, max = 200))]
    pub limit: usize,
    /// Only briefs of this session: the agent's id of it, or a prefix.
    #[schemars(length(min = 1, max = 200))]
    pub session: Option<String>,
}

fn page_size() -> usize {
    20
}

#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct BriefList {
    /// Newest first, each with the reason for every line.
    pub briefs: Vec<GivenBrief>,
}

/// Returns the briefs given in the project, newest first. An unregistered project has none.
pub fn given(request: &GivenRequest, context: &Context) -> Result<BriefList, Failure> {
    let layout = context.layout(&context.project);
    if !layout.has_memory()? {
        return Ok(BriefList { briefs: Vec::new() });
    }
    let session = request.session.as_deref();
    let is_wanted = |brief: &GivenBrief| match (session, &brief.session) {
        (None, _) => true,
        (Some(session), Some(own)) => own.starts_with(session),
        (Some(_), None) => false,
    };
    let given = GivenBriefs::of(&layout, context).read().into_iter();
    Ok(BriefList {
        briefs: given.filter(is_wanted).take(request.limit).collect(),
    })
}
