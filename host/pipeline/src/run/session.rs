//! One run over one session. `run` is the list of steps; each step is a function in a file of its own.

use std::collections::BTreeMap;
use std::ops::ControlFlow::{Break, Continue};
use std::sync::{Arc, Mutex};
use std::time::Instant;

use acreta_fs::Directory;
use acreta_session_archive::{PendingTrace, TraceArchive, clean_session};
use acreta_store::{ProjectLock, Store};
use acreta_types::{Adapter, Attrs, Cursor, Preopen, Session, Summary};

use crate::decide::accepted::AcceptedCandidate;
use crate::decide::precedence::{Precedence, earlier, precedence};
use crate::error::RunError;
use crate::memory::workspace::{RunFolder, Summaries, ignore_what_is_not_shared};
use crate::people::pending::PendingFindings;
use crate::run::ask::seed_of;
use crate::run::history::taken_later;
use crate::run::normalise::{SessionRead, Source, held_by, named_file, one_of, read, stage};
use crate::run::options::{Plugins, Progress, RunOptions};
use crate::run::report::Resume;
use crate::run::report::{Metrics, ReadSession, RunReport, STEPS, SessionReport};
use crate::run::state::RunState;
use crate::run::steps::{StepList, Stepwise};
use crate::run::weigh::{LockedMemory, SessionFindings};
use crate::run::{share, spans, unwanted};

/// Runs one session into memory.
pub fn run(
    source: &Source,
    plugins: &Plugins,
    options: &RunOptions,
    progress: &dyn Progress,
) -> Result<RunReport, RunError> {
    let started = Instant::now();
    let trace_path = match source {
        // Fails before anything is created.
        Source::File(path) => named_file(path)?,
        Source::Known(known) => known.path.clone(),
    };
    let faults = &options.faults;
    let store = Store::open(options.layout.clone(), Arc::clone(faults))?;
    let lock = store.lock(options.lock_wait)?;
    ignore_what_is_not_shared(&options.layout, options.summaries, faults)?;
    let folder = RunFolder::create(
        &options.layout,
        options.mode,
        options.now_ms,
        options.seed,
        &options.redactor,
        faults,
    )?;
    progress.started(&folder.run_id, folder.path());
    let span = spans::of_run(&folder.run_id, options.mode, options.layout.base());
    let _inside = span.clone().entered();
    let log = folder.log(options.now_ms, options.times);
    let steps = StepList::new(&STEPS, Arc::clone(&log), progress);
    let mut run = RunState {
        source,
        trace_path,
        plugins,
        options,
        progress,
        store,
        log,
        folder,
        span,
        started,
        steps,
        metrics: Metrics::default(),
        actions: Vec::new(),
        written: Vec::new(),
        summary_path: None,
        session: SessionReport::default(),
        note: None,
        reading: None,
        unheard: None,
        resume: None,
        taken: None,
        is_unwanted: false,
        pending: PendingFindings::default(),
        models: None,
        shares: BTreeMap::new(),
    };
    run.models = options
        .models
        .as_ref()
        .map(|models| models.source.session(&run.folder.run_id, run.folder.path()));
    if let (Some(granted), Some(models)) = (&options.models, &run.models) {
        run.shares = share::shared(granted, models);
    }
    run.save_progress();
    let result = run.steps(lock);
    if let Err(error) = &result {
        run.fail(error);
    }
    run.folder.prune(options.keep_runs, &options.shown_failures);
    run.tell_end(&result);
    result.map(|()| run.report())
}

impl RunState<'_> {
    /// The lock is released before anything is read, and taken again for the decision: see [`super::weigh`].
    fn steps(&mut self, lock: ProjectLock) -> Result<(), RunError> {
        let scratch = Directory::open_or_create_private(
            &self.options.scratch,
            Arc::clone(&self.options.faults),
        )?;
        let snapshot = self.todo("validate", |run| {
            let snapshot = run.open_memory(&lock)?;
            for problem in &snapshot.problems {
                let message = format!("memory problem: {problem}");
                run.log.problem("validate", &message);
            }
            Ok(snapshot)
        })?;
        drop(lock);
        let (session, trace, cursor) = self.todo("normalise", |run| run.normalise(&scratch))?;
        if trace.stats().events == 0 {
            return self.stop_early("nothing was said in this session".to_owned());
        }
        // A person who names a file wants it read.
        if matches!(self.source, Source::Known(_)) && unwanted::is_unwanted(&trace)? {
            self.is_unwanted = true;
            return self.stop_early("the person asked that this session be forgotten".to_owned());
        }
        if let Some(taken) = taken_later(&snapshot.memories, &session, trace.stats()) {
            return self.stop_early(taken);
        }
        let stats = trace.stats().clone();
        let earlier = earlier(&snapshot.memories, &session);
        if let Some(earlier) = earlier.filter(|_| !self.may_ask()) {
            let reading = self.read_by();
            if precedence(Some(&earlier), &reading.reading, &stats) == Precedence::Yields {
                let why = self.yields(&earlier, reading);
                return self.stop_early(why);
            }
        }
        let resume = Resume {
            cursor,
            mark: trace.mark(),
        };
        let reader = Arc::new(Mutex::new(trace.open()?));
        let contributor = self.contributor(&session, &stats, &snapshot);
        let fallback_ms = contributor.last_ms.unwrap_or(contributor.created_ms);
        let gates = self.todo("extract", |run| {
            run.extract(&session, &stats, &reader, fallback_ms)
        })?;
        let summary = self.todo("summarise", |run| run.summarise(&session, &reader, &gates))?;
        let found = SessionFindings {
            session: &session,
            stats: &stats,
            reader: &reader,
            gates,
            has_summary: summary.is_some(),
            reading: self.read_by(),
        };
        let weighed = match self.weigh(&snapshot, &found)? {
            Continue(weighed) => weighed,
            Break(why) => return self.stop_unwritten(why),
        };
        let locked = self.todo("explore", |run| {
            run.explore_and_lock(snapshot, weighed, &found)
        })?;
        let LockedMemory {
            lock,
            mut snapshot,
            weighed,
            opinions,
        } = match locked {
            Continue(locked) => locked,
            Break(why) => return self.stop_unwritten(why),
        };
        let summary = summary
            .or_else(|| Some((untold(&weighed.kept)?, Vec::new())))
            .filter(|_| self.options.summaries != Some(Summaries::Off));
        let decided = self.todo("decide", |run| {
            if !run.options.dry_run {
                run.settle(&lock, &mut snapshot, &session, &scratch)?;
            }
            Ok(run.decide(&snapshot, weighed, &opinions, summary))
        })?;
        drop(reader);
        self.todo("write", |run| {
            run.write(&lock, &snapshot, &session, trace, &decided, &scratch)
        })?;
        drop(lock);
        self.resume = (!self.options.dry_run).then_some(resume);
        self.todo("report", |run| run.save_report())
    }

    /// Reports whether an extractor of this run may ask a model.
    fn may_ask(&self) -> bool {
        let mut extractors = self.plugins.extractors.iter();
        extractors.any(|extractor| self.shares.contains_key(&extractor.info().id))
    }

    fn normalise(
        &mut self,
        scratch: &Directory,
    ) -> Result<(Session, PendingTrace, Cursor), RunError> {
        match self.source {
            Source::Known(known) => {
                let mut session = known.session.clone();
                clean_session(&mut session, &self.options.redactor);
                let adapter = known.adapter.as_ref();
                let (trace, cursor) =
                    self.read(adapter, &session, &known.roots, known.resume.as_ref())?;
                Ok((session, trace, cursor))
            }
            Source::File(_) => {
                let staged = stage(&self.trace_path, scratch)?;
                let job = self.job(0);
                let (adapter, mut sessions) = held_by(
                    &self.plugins.adapters,
                    self.options.agent.as_deref(),
                    &self.trace_path,
                    &staged,
                    &job,
                    &mut self.metrics,
                )?;
                // As a person or the catalog names one.
                for session in &mut sessions {
                    clean_session(session, &self.options.redactor);
                }
                let wanted = self.options.session.as_deref();
                let session = one_of(sessions, wanted, &self.trace_path)?;
                let (trace, cursor) = self.read(adapter.as_ref(), &session, &staged.roots, None)?;
                Ok((session, trace, cursor))
            }
        }
    }

    fn read(
        &mut self,
        adapter: &dyn Adapter,
        session: &Session,
        roots: &[Preopen],
        resume: Option<&Resume>,
    ) -> Result<(PendingTrace, Cursor), RunError> {
        let layout = &self.options.layout;
        let base = layout.open_or_create(&self.options.faults)?;
        base.create_dir_all(layout.traces())?;
        let traces = base.subdirectory(layout.traces())?;
        // Memory lies in `.acreta` of the project's folder.
        let folder = base.path();
        let folder = match folder.file_name() {
            Some(".acreta") => folder.parent().unwrap_or(folder),
            _ => folder,
        };
        let project = Directory::open(folder, Arc::clone(&self.options.faults))?;
        let reading = SessionRead {
            adapter,
            session,
            roots,
            archive: &TraceArchive::new(&traces),
            redactor: Arc::clone(&self.options.redactor),
            project: &project,
            job: &self.job(seed_of(session)),
        };
        let (trace, cursor) = read(&reading, resume, &mut self.metrics)?;
        self.note_session(session, &trace);
        self.taken = Some(ReadSession {
            adapter: adapter.info().id.clone(),
            session: session.clone(),
        });
        Ok((trace, cursor))
    }
}

/// Returns the summary of a session of which only findings are known; `None` if there are none.
fn untold(kept: &[AcceptedCandidate]) -> Option<Summary> {
    let titles = kept.iter().map(|kept| kept.candidate.title.as_str());
    let title = titles.clone().next()?;
    Some(Summary {
        title: title.to_owned(),
        description: String::new(),
        body: titles.map(|title| format!("- {title}\n")).collect(),
        tags: Vec::new(),
        evidence: Vec::new(),
        attrs: Attrs::default(),
    })
}
