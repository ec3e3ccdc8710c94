//! Answers: the envelope around an artifact that is current, with as much in it as was asked for,
//! redacted and within its budget.

use std::borrow::Cow;

use crate::ContextError;
use crate::Detail;
use crate::answer::budget;
use crate::answer::gain;
use crate::answer::question::Question;
use crate::answer::request::{MemoryHints, Request, changes, entries};
use crate::answer::response::{Change, Changed, Command, Delta, Found, Response, Slice, Stats};
use crate::answer::slice;
use crate::artifact::finish::decode_churn;
use crate::artifact::format::{Artifact, Section};
use crate::artifact::graph::Graph;
use crate::artifact::update::Current;
use crate::context::{Context, Project};
use crate::rank::ranking::Ranking;

impl Context {
    pub(crate) fn answer(
        &self,
        project: &Project,
        mut current: Current,
        question: Question<'_>,
    ) -> Result<Response, ContextError> {
        let Question {
            command,
            request,
            hints,
        } = question;
        let delta = match (&request.since, command) {
            (_, Command::Context) => None,
            (Some(revision), _) => Some(self.since(project, revision)?),
            (None, _) => Some(std::mem::take(&mut current.delta)),
        };
        let slice = match command {
            Command::Delta => None,
            _ => {
                let stored: Slice =
                    serde_json::from_slice(current.artifact.stored_slice()).unwrap_or_default();
                Some(slice::cut(stored, request.detail))
            }
        };
        let matches = match (&request.query, command) {
            (None, _) | (_, Command::Delta) => None,
            (Some(query), _) => Some(self.matches(&mut current.artifact, query, request, hints)),
        };
        self.clean(&mut current.stats);
        let response = Response {
            command,
            project_root: project.root.path().to_string(),
            project_id: project.id.clone(),
            cache_status: current.status,
            freshness: current.freshness,
            stats: current.stats,
            delta: delta.map(|delta| self.shown(delta, request.detail)),
            slice,
            matches,
            truncated: false,
        };
        let response = match request.budget {
            Some(budget) => budget::fit(response, budget),
            None => response,
        };
        gain::record(&self.store, &project.id, &response);
        Ok(response)
    }

    fn matches(
        &self,
        artifact: &mut Artifact,
        query: &str,
        request: &Request,
        hints: Option<&dyn MemoryHints>,
    ) -> Vec<Found> {
        let facts = self
            .store
            .facts(&artifact.meta.facts)
            .map(|reader| reader.read_all())
            .unwrap_or_default();
        let edges = artifact.section(Section::Edges).unwrap_or_default();
        let keys = artifact.section(Section::Keys).unwrap_or_default();
        let churn = artifact.section(Section::Churn).unwrap_or_default();
        let churn = decode_churn(&churn);
        let ranking = Ranking {
            tables: artifact.tables(),
            facts: &facts,
            graph: &Graph::decode(&edges, &keys),
            churn: &churn,
            hints,
        };
        let mut found = ranking.rank(query);
        found.truncate(entries(request.detail).max(10));
        let redactor = self.redactor();
        for found in &mut found {
            found.path = redactor.redact(&found.path).text.into_owned();
        }
        found
    }

    fn since(&self, project: &Project, revision: &str) -> Result<Delta, ContextError> {
        let failed = |cause| ContextError::Revision {
            path: project.root.path().to_owned(),
            revision: revision.to_owned(),
            cause,
        };
        let repository = project.repository.as_ref().ok_or_else(|| {
            let path = project.root.path().to_owned();
            failed(acreta_git::GitError::NotARepository { path })
        })?;
        let git = repository.git();
        let global_ignore = self.options.global_ignore.as_deref();
        let changed = git
            .resolve(revision)
            .and_then(|commit| git.changes_since(&commit, repository.prefix(), global_ignore))
            .map_err(failed)?;
        let changed: Vec<Changed> = changed.into_iter().map(Changed::from).collect();
        let mut delta = Delta::default();
        for file in &changed {
            match file.change {
                Change::Added => delta.added += 1,
                Change::Modified => delta.modified += 1,
                Change::Removed => delta.removed += 1,
                Change::Renamed => delta.renamed += 1,
                Change::Unknown => delta.unknown += 1,
            }
        }
        delta.files = changed;
        Ok(delta)
    }

    /// Takes secrets out of the names of what was skipped.
    fn clean(&self, stats: &mut Stats) {
        for skipped in &mut stats.skipped {
            if let Cow::Owned(redacted) = self.redactor().redact(&skipped.path).text {
                skipped.path = redacted;
            }
        }
    }

    /// As much of a delta as a detail level asks for, without secrets.
    pub(crate) fn shown(&self, mut delta: Delta, detail: Detail) -> Delta {
        delta.files.truncate(changes(detail));
        if !delta.files.is_empty() {
            let redactor = self.redactor();
            let clean = |text: &mut String| {
                if let Cow::Owned(redacted) = redactor.redact(text).text {
                    *text = redacted;
                }
            };
            for file in &mut delta.files {
                clean(&mut file.path);
                if let Some(from) = &mut file.from {
                    clean(from);
                }
            }
        }
        delta
    }
}
