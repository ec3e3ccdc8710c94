//! Review by a person at the dashboard.

use acreta_service::Failure;
use acreta_service::review::{self, ReviewDecision, ReviewEdit};

use crate::api::{
    InProjects, ReviewChoice, ReviewDetail, ReviewQueue, ReviewReport, ReviewRequest, ReviewUndone,
};
use crate::daemon::Daemon;

impl Daemon {
    pub(crate) fn review_queue(&self, query: &InProjects) -> Result<ReviewQueue, Failure> {
        review::list(&self.context_of(query.project_root.as_deref(), query.all_projects)?)
    }

    pub(crate) fn review_detail(
        &self,
        id: &str,
        query: &InProjects,
    ) -> Result<ReviewDetail, Failure> {
        review::show(
            id,
            &self.context_of(query.project_root.as_deref(), query.all_projects)?,
        )
    }

    pub(crate) fn review_decisions(
        &self,
        request: &ReviewRequest,
    ) -> Result<ReviewReport, Failure> {
        let context = self.context_of(request.project_root.as_deref(), request.all_projects)?;
        let decisions: Vec<ReviewDecision> = request.decisions.iter().map(decision).collect();
        review::decide(&decisions, request.dry_run, &context)
    }

    pub(crate) fn review_undo(&self, query: &InProjects) -> Result<ReviewUndone, Failure> {
        review::undo(&self.context_of(query.project_root.as_deref(), query.all_projects)?)
    }
}

fn decision(choice: &ReviewChoice) -> ReviewDecision {
    let edit = ReviewEdit {
        title: choice.title.as_ref().map(|text| text.to_string()),
        body: choice.body.as_ref().map(|text| text.to_string()),
        tags: None,
    };
    ReviewDecision {
        id: choice.id.to_string(),
        action: choice.action,
        keep: choice.keep.as_ref().map(|text| text.to_string()),
        edit: (edit != ReviewEdit::default()).then_some(edit),
    }
}
