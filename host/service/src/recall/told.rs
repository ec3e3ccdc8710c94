//! Returns the briefs that agents got: `brief show`.

pub use crate::recall::brief::GivenBrief;
use crate::recall::brief::GivenBriefs;
use crate::{Context, Failure};

/// Selection of the project's briefs.
#[derive(Debug, Clone, Default)]
pub struct GivenRequest {
    /// Maximum number, newest first.
    pub last: usize,
    /// Only briefs of this session: the agent's id of it, or a prefix.
    pub session: Option<String>,
}

/// Returns the briefs given in the project, newest first. An unregistered project has none.
pub fn given(request: &GivenRequest, context: &Context) -> Result<Vec<GivenBrief>, Failure> {
    let layout = context.layout(&context.project);
    if !layout.has_memory()? {
        return Ok(Vec::new());
    }
    let session = request.session.as_deref();
    let is_wanted = |brief: &GivenBrief| match (session, &brief.session) {
        (None, _) => true,
        (Some(session), Some(own)) => own.starts_with(session),
        (Some(_), None) => false,
    };
    let given = GivenBriefs::of(&layout, context).read().into_iter();
    Ok(given.filter(is_wanted).take(request.last).collect())
}
