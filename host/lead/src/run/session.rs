//! One run over one session. `run` is the list of steps; each step is a function in a file of its own.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use acreta_fs::Directory;
use acreta_model::{Adapter, Attrs, Cursor, Preopen, ReadingStrength, Session, Summary};
use acreta_sessions::{PendingTrace, TraceArchive, TraceStats, clean_session};
use acreta_store::{Snapshot, Store};

use crate::decide::accepted::AcceptedCandidate;
use crate::decide::contributor::{Contributor, ContributorVoice};
use crate::decide::precedence::{EarlierReading, Precedence, earlier, precedence, yielded};
use crate::error::RunError;
use crate::memory::desk::{MemoryJob, open_memory};
use crate::memory::ids::state_name;
use crate::memory::workspace::{RunFolder, ignore_what_is_not_shared};
use crate::people::pending::PendingFindings;
use crate::run::ask::seed_of;
use crate::run::commit::DecidedRun;
use crate::run::history::{first_read, has_contributed, taken_later};
use crate::run::normalise::{SessionRead, Source, held_by, named_file, one_of, read, stage};
use crate::run::options::{Plugins, Progress, RunOptions};
use crate::run::report::Resume;
use crate::run::report::{Metrics, ReadSession, ReadingReport, RunReport, STEPS, SessionReport};
use crate::run::state::RunState;
use crate::run::steps::{StepList, Stepwise};
use crate::run::{share, spans};

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
    ignore_what_is_not_shared(&options.layout, faults)?;
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
        lock,
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
    let result = run.steps();
    if let Err(error) = &result {
        run.fail(error);
    }
    run.folder.prune(options.keep_runs, &options.shown_failures);
    run.tell_end(&result);
    result.map(|()| run.report())
}

impl RunState<'_> {
    fn steps(&mut self) -> Result<(), RunError> {
        let scratch = Directory::open_or_create_private(
            &self.options.scratch,
            Arc::clone(&self.options.faults),
        )?;
        let mut snapshot = self.todo("validate", |run| run.open_memory())?;
        let (session, trace, cursor) = self.todo("normalise", |run| run.normalise(&scratch))?;
        if trace.stats().events == 0 {
            return self.stop_early("nothing was said in this session".to_owned());
        }
        let earlier = earlier(&snapshot.memories, &session);
        if let Some(taken) = taken_later(&snapshot.memories, &session, trace.stats()) {
            return self.stop_early(taken);
        }
        let stats = trace.stats().clone();
        if let Some(earlier) = earlier.as_ref().filter(|_| !self.may_ask()) {
            let reading = self.read_by();
            if precedence(Some(earlier), &reading.reading, &stats) == Precedence::Yields {
                let why = self.yields(earlier, reading);
                return self.stop_early(why);
            }
        }
        let mut contributor = self.contributor(&session, &stats, &snapshot);
        let resume = Resume {
            cursor,
            mark: trace.mark(),
        };
        let reader = Arc::new(Mutex::new(trace.open()?));
        let kept = self.todo("extract", |run| {
            run.extract(&session, &reader, &contributor, &snapshot)
        })?;
        let summary = self.todo("summarise", |run| run.summarise(&session, &reader))?;
        let mut reading = self.read_by();
        let mut precedence = precedence(earlier.as_ref(), &reading.reading, &stats);
        if precedence == Precedence::Replaces
            && has_contributed(&snapshot.memories, &contributor)
            && self.says_nothing(&reading)
        {
            reading.falls_short(
                "empty-reply",
                "the model found nothing in the whole session",
            );
            precedence = Precedence::Extends;
        }
        let kept = match (precedence, &earlier) {
            (Precedence::Yields, Some(earlier)) => {
                let why = self.yields(earlier, reading);
                return self.stop_unwritten(why);
            }
            (Precedence::ExtendsWithNew, Some(earlier)) => {
                Self::only_new(kept, earlier.events, &reader)
            }
            _ => kept,
        };
        contributor.reading = Some(reading.reading.clone());
        contributor.precedence = precedence;
        self.reading = Some(reading);
        if summary.is_none() && earlier.is_none() && kept.is_empty() && self.pending.is_empty() {
            return self.stop_unwritten("nothing in this session is worth keeping".to_owned());
        }
        let keeps_summary = summary.is_none()
            || precedence.keeps_earlier()
                && earlier
                    .is_some_and(|earlier| earlier.reading.strength == ReadingStrength::Model);
        let (summary, citations) = summary.unwrap_or_else(|| (untold(&kept), Vec::new()));
        let opinions = self.todo("explore", |run| run.explore(&snapshot, &kept))?;
        let (plan, summary) = self.todo("decide", |run| {
            if !run.options.dry_run {
                run.settle(&mut snapshot, &session, &scratch)?;
            }
            Ok(run.decide(
                &snapshot,
                (kept, &opinions),
                summary,
                &citations,
                &contributor,
            ))
        })?;
        drop(reader);
        let stays = keeps_summary
            .then(|| summary.replaces.first().cloned())
            .flatten();
        self.todo("write", |run| {
            run.write(
                &snapshot,
                &session,
                trace,
                &DecidedRun {
                    plan: &plan,
                    summary: &summary,
                    stays: stays.as_deref(),
                },
                &scratch,
            )
        })?;
        self.resume = (!self.options.dry_run).then_some(resume);
        self.todo("report", |run| run.save_report())
    }

    /// Reports whether an extractor of this run may ask a model.
    fn may_ask(&self) -> bool {
        let mut extractors = self.plugins.extractors.iter();
        extractors.any(|extractor| self.shares.contains_key(&extractor.info().id))
    }

    /// Reports whether a model read the session and found nothing at all: that does not withdraw earlier findings.
    fn says_nothing(&self, reading: &ReadingReport) -> bool {
        self.metrics.candidates == 0 && reading.reading.strength == ReadingStrength::Model
    }

    /// Records that a stronger reading stays, and returns the reason.
    fn yields(&mut self, earlier: &EarlierReading, reading: ReadingReport) -> String {
        let why = yielded(earlier, &reading.reading);
        self.reading = Some(ReadingReport {
            yields_to: Some(earlier.reading.clone()),
            ..reading
        });
        why
    }

    /// Finishes an interrupted commit of an earlier run, then loads memory.
    fn open_memory(&mut self) -> Result<Snapshot, RunError> {
        let options = self.options;
        let job = MemoryJob {
            known: &options.known,
            now_ms: options.now_ms,
            seed: options.seed,
            faults: &options.faults,
        };
        let opened = open_memory(&self.store, &self.lock, &job)?;
        if opened.recovered {
            self.log
                .step("validate", "an interrupted commit was finished");
        }
        if opened.repaired > 0 {
            let message = format!("moved by hand: {} memories", opened.repaired);
            self.log.step("validate", &message);
        }
        let snapshot = opened.snapshot;
        for problem in &snapshot.problems {
            self.log
                .problem("validate", &format!("memory problem: {problem}"));
        }
        Ok(snapshot)
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
        let reading = SessionRead {
            adapter,
            session,
            roots,
            archive: &TraceArchive::new(&traces),
            redactor: Arc::clone(&self.options.redactor),
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

    fn contributor(
        &self,
        session: &Session,
        stats: &TraceStats,
        snapshot: &Snapshot,
    ) -> Contributor {
        let (agent, id) = (session.agent.as_str(), session.id.as_str());
        let started = session.started_ms;
        let created_ms = stats
            .first_ms
            .or(started.filter(|at| acreta_sessions::is_plausible(*at)))
            // A session without any time keeps the time of its first reading.
            .or_else(|| first_read(&snapshot.memories, session))
            .unwrap_or(self.options.now_ms);
        Contributor {
            agent: agent.to_owned(),
            session_id: id.to_owned(),
            run_id: state_name(agent, id, stats.events, stats.last_ms, created_ms),
            events: stats.events,
            last_ms: stats.last_ms,
            voice: ContributorVoice::Derived,
            reading: None,
            precedence: Precedence::Replaces,
            created_ms,
        }
    }
}

/// Returns the summary of a session of which only findings are known.
fn untold(kept: &[AcceptedCandidate]) -> Summary {
    let titles = kept.iter().map(|kept| kept.candidate.title.as_str());
    let title = titles.clone().next().unwrap_or("Session without a title");
    Summary {
        title: title.to_owned(),
        description: String::new(),
        body: titles.map(|title| format!("- {title}\n")).collect(),
        tags: Vec::new(),
        evidence: Vec::new(),
        attrs: Attrs::default(),
    }
}
