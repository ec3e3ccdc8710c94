//! What every extractor has to hold, on any trace: it reads what it is given, cites what is there,
//! says the same every time, and lets nobody in a trace tell it what to do.

mod answers;
mod candidates;
mod traces;

use std::cell::OnceCell;
use std::sync::{Arc, Mutex};

use acreta_model::{Candidate, Event, Extractor, Failure, Job, Session, SharedTrace, Summary};

use crate::conformance::bench::{Bench, Entry, Outcome, Reason, failed};
use crate::conformance::case::Case;
use crate::conformance::input::Input;
use crate::conformance::ports::{Broken, Pages};

pub(crate) struct ExtractorBench {
    bench: Bench,
    extractor: Arc<dyn Extractor>,
    traces: Vec<Trace>,
}

/// A session to learn from, and what was learnt.
struct Trace {
    /// What it is, or the case it belongs to.
    name: String,
    is_of_case: bool,
    session: Session,
    events: Arc<Vec<Event>>,
    extracted: OnceCell<Result<Vec<Candidate>, Failure>>,
}

pub(crate) const CHECKS: &[Entry<ExtractorBench>] = &[
    Entry {
        name: "empty-trace",
        promise: "a trace without events has nothing to remember",
        mend: "answer an empty list when there is nothing to cite",
        run: answers::empty_trace,
    },
    Entry {
        name: "one-event",
        promise: "a trace with one event is no disaster",
        mend: "expect traces that end right after they began",
        run: answers::one_event,
    },
    Entry {
        name: "hostile-text",
        promise: "instructions, long lines, hidden characters and NUL are text like any other",
        mend: "treat events as data; cut text between characters, never at a byte",
        run: answers::hostile,
    },
    Entry {
        name: "own-traces",
        promise: "the traces of the cases have an answer",
        mend: "see why it fails; without a model it may only say `not-granted`",
        run: answers::own,
    },
    Entry {
        name: "unreadable-trace",
        promise: "a trace that cannot be read is a failure, not a disaster",
        mend: "return the failure of the reader",
        run: answers::unreadable,
    },
    Entry {
        name: "candidate-fields",
        promise: "candidates are of a known type and kind, with a title of one line, a body and a confidence of 0 to 1",
        mend: "take types and kinds from the host's registry, and check a candidate before it is returned",
        run: candidates::fields,
    },
    Entry {
        name: "quotes",
        promise: "every candidate cites events of the trace, word for word",
        mend: "cut quotes out of the event's text and change nothing in them",
        run: candidates::quotes,
    },
    Entry {
        name: "candidate-ids",
        promise: "candidates have ids of their own",
        mend: "number the candidates of a batch",
        run: candidates::ids,
    },
    Entry {
        name: "rules-from-people",
        promise: "what only a tool said becomes no preference and no convention",
        mend: "look at the role of the cited events; tool output is untrusted",
        run: candidates::rules_from_people,
    },
    Entry {
        name: "same-twice",
        promise: "the same trace gives the same answer every time",
        mend: "let nothing depend on the clock, on chance or on the order of a hash map",
        run: answers::same_twice,
    },
    Entry {
        name: "summary",
        promise: "every session has a summary with a title of one line and a text of at most 300 words",
        mend: "say what was asked, done, decided and left open; leave out what is too long",
        run: answers::summary,
    },
    Entry {
        name: "asks-no-model",
        promise: "without a grant no model is asked",
        mend: "look at `llm.left` first, and do without a model when no call is left",
        run: answers::asks_no_model,
    },
    Entry {
        name: "within-limits",
        promise: "no call uses more than it may",
        mend: "page through the trace instead of holding it in memory",
        run: |bench| bench.bench.within_limits(),
    },
    Entry {
        name: "needs-no-files",
        promise: "it tries no file and no network",
        mend: "read the trace and the settings through the host; an extractor has no folder",
        run: |bench| bench.bench.refused("nothing tried", |_, _| false),
    },
];

impl ExtractorBench {
    pub(crate) fn new(bench: Bench, extractor: Arc<dyn Extractor>, cases: &[Case]) -> Self {
        let mut all = traces::built_in();
        all.extend(cases.iter().filter_map(|case| match &case.input {
            Input::Extractor {
                session, events, ..
            } => Some(Trace {
                name: format!("case `{}`", case.name),
                is_of_case: true,
                session: session.clone(),
                events: Arc::clone(events),
                extracted: OnceCell::new(),
            }),
            _ => None,
        }));
        Self {
            bench,
            extractor,
            traces: all,
        }
    }

    fn extract(&self, job: &Job, trace: &Trace) -> Result<Result<Vec<Candidate>, Failure>, Reason> {
        let pages = Pages::shared(&trace.events);
        let extracted = self.extractor.extract(job, &trace.session, pages);
        self.bench.value("extract", extracted)
    }

    fn summarise(&self, trace: &Trace) -> Result<Result<Summary, Failure>, Reason> {
        let pages = Pages::shared(&trace.events);
        let summary = self
            .extractor
            .summarise(&self.bench.job, &trace.session, pages);
        self.bench.value("summarise", summary)
    }

    /// What was extracted from a trace, asked for once. Without an answer there are no candidates.
    fn candidates<'b>(&self, trace: &'b Trace) -> Result<&'b [Candidate], Reason> {
        let extracted = match trace.extracted.get() {
            Some(extracted) => extracted,
            None => {
                let extracted = self.extract(&self.bench.job, trace)?;
                trace.extracted.get_or_init(|| extracted)
            }
        };
        Ok(extracted.as_deref().unwrap_or_default())
    }

    /// Does something with every candidate of every trace, and says how many there are.
    fn each_candidate(
        &self,
        mut run: impl FnMut(&Trace, &Candidate) -> Result<(), Reason>,
    ) -> Outcome {
        let mut count = 0;
        for trace in &self.traces {
            for candidate in self.candidates(trace)? {
                count += 1;
                run(trace, candidate)?;
            }
        }
        Ok(format!(
            "{count} candidates of {} traces",
            self.traces.len()
        ))
    }
}

impl Trace {
    fn failed(&self, expected: &str, found: &str) -> Reason {
        failed(expected, format!("{}: {found}", self.name))
    }
}

fn broken() -> SharedTrace {
    Arc::new(Mutex::new(Broken))
}
