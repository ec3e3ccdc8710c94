//! Looking up the briefs that agents got: what `brief show` does.

pub use crate::brief::GivenBrief;
use crate::brief::GivenBriefs;
use crate::{Context, Failure};

/// Which briefs of the project are wanted.
#[derive(Debug, Clone, Default)]
pub struct GivenRequest {
    /// At most this many, the newest first.
    pub last: usize,
    /// Only of this session, as its agent calls it, or a prefix of that.
    pub session: Option<String>,
}

/// The briefs that were given in the project, the newest first. A project nobody registered has none.
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
