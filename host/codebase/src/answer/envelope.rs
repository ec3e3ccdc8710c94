//! Builds the response envelope from a current artifact: the requested parts, redacted and within the budget.

use std::borrow::Cow;

use crate::ContextError;
use crate::Detail;
use crate::answer::question::ContextQuestion;
use crate::answer::request::{MemoryHints, changes, entries};
use crate::answer::response::{Change, Changed, Command, Delta, Found, Response, Slice, Stats};
use crate::answer::segments::{self, MatchedFile};
use crate::answer::{budget, cascade, gain, slice};
use crate::artifact::finish::decode_churn;
use crate::artifact::format::{Artifact, ArtifactSection};
use crate::artifact::graph::Graph;
use crate::artifact::update::CurrentArtifact;
use crate::context::{Context, OpenProject};
use crate::rank::ranking::FileRanking;
use crate::scan::content::read_unchanged;

impl Context {
    pub(crate) fn answer(
        &self,
        project: &OpenProject,
        mut current: CurrentArtifact,
        question: ContextQuestion<'_>,
    ) -> Result<Response, ContextError> {
        let ContextQuestion {
            command,
            asked,
            request,
            hints,
        } = question;
        let delta = match (&request.since, command) {
            (_, Command::Context) => None,
            (Some(revision), _) => {
                let delta = self.since(project, revision)?;
                Some(self.shown(delta, project, &mut current.artifact, request.detail))
            }
            (None, _) => Some(self.shown_delta(&mut current, project, request.detail)),
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
            (Some(query), _) => {
                let artifact = &mut current.artifact;
                Some(self.matches(project, artifact, query, request.detail, hints))
            }
        };
        self.clean(&mut current.stats);
        let response = Response {
            command,
            project_root: project.root.path().to_string(),
            project_id: project.id.clone(),
            cache_status: current.status,
            freshness: current.freshness,
            stats: current.stats,
            delta,
            slice,
            matches,
            truncated: false,
        };
        let response = match request.budget {
            Some(budget) => budget::fit(response, budget),
            None => response,
        };
        let took = (self.options.now)().duration_since(asked);
        gain::record(
            &self.store,
            &project.id,
            &response,
            took.unwrap_or_default(),
        );
        Ok(response)
    }

    fn matches(
        &self,
        project: &OpenProject,
        artifact: &mut Artifact,
        query: &str,
        detail: Detail,
        hints: Option<&dyn MemoryHints>,
    ) -> Vec<Found> {
        let facts = self
            .store
            .facts(&artifact.meta.facts)
            .map(|reader| reader.read_all())
            .unwrap_or_default();
        let edges = artifact.section(ArtifactSection::Edges).unwrap_or_default();
        let keys = artifact.section(ArtifactSection::Keys).unwrap_or_default();
        let churn = artifact.section(ArtifactSection::Churn).unwrap_or_default();
        let churn = decode_churn(&churn);
        let ranking = FileRanking {
            tables: artifact.tables(),
            facts: &facts,
            graph: &Graph::decode(&edges, &keys),
            churn: &churn,
            hints,
        };
        let ranked = ranking.rank(query);
        let (query, worth) = (&ranked.query, &ranked.worth);
        let most = self.options.limits.analysed_bytes;
        let files = ranked.files.into_iter().take(entries(detail).max(10));
        files
            .map(|(score, file)| {
                let known = artifact.tables().file(file.index);
                // Reopens only files that were analysed, so never a sensitive one.
                let text = (known.facts.bytes > 0)
                    .then(|| read_unchanged(&project.root, &file.path, known.node, most));
                let text = text.flatten();
                let matched = MatchedFile {
                    path: &file.path,
                    symbols: &file.symbols,
                    text: text.as_deref(),
                };
                let mut segments = segments::find(&matched, query, worth);
                for name in segments.iter_mut().filter_map(|part| part.name.as_mut()) {
                    self.redact(name);
                }
                let mut path = file.path;
                self.redact(&mut path);
                Found {
                    path,
                    score,
                    segments,
                }
            })
            .collect()
    }

    fn since(&self, project: &OpenProject, revision: &str) -> Result<Delta, ContextError> {
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

    /// Redacts the paths of skipped entries.
    fn clean(&self, stats: &mut Stats) {
        for skipped in &mut stats.skipped {
            self.redact(&mut skipped.path);
        }
    }

    fn redact(&self, text: &mut String) {
        if let Cow::Owned(redacted) = self.redactor().redact(text).text {
            *text = redacted;
        }
    }

    /// Returns the changes since the previous artifact, cut to the detail level.
    pub(crate) fn shown_delta(
        &self,
        current: &mut CurrentArtifact,
        project: &OpenProject,
        detail: Detail,
    ) -> Delta {
        let delta = std::mem::take(&mut current.delta);
        let before = current.before.as_mut().unwrap_or(&mut current.artifact);
        self.shown(delta, project, before, detail)
    }

    /// Cuts a delta to the detail level, adds the dependents of its files, and redacts it.
    fn shown(
        &self,
        mut delta: Delta,
        project: &OpenProject,
        artifact: &mut Artifact,
        detail: Detail,
    ) -> Delta {
        delta.dependents = cascade::dependents(artifact, &delta.files, detail);
        delta.files.truncate(changes(detail));
        for file in &mut delta.files {
            if detail != Detail::Compact {
                let node = project.root.node(&file.path).ok().flatten();
                file.bytes = node.map(|node| node.stamp.bytes);
            }
            self.redact(&mut file.path);
            if let Some(from) = &mut file.from {
                self.redact(from);
            }
        }
        let dependents = delta.dependents.iter_mut().flat_map(|them| &mut them.files);
        for file in dependents {
            self.redact(&mut file.path);
            file.imports.iter_mut().for_each(|path| self.redact(path));
        }
        delta
    }
}
