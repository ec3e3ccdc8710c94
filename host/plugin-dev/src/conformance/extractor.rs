//! The suite of extractors: on any trace, an extractor reads its input, cites existing text, gives the same result
//! every time, and does not follow instructions in the trace.

mod answers;
mod candidates;
mod traces;

use std::cell::OnceCell;
use std::sync::{Arc, Mutex};

use acreta_types::{Candidate, Event, Extractor, Failure, Job, Session, SharedTrace, Summary};

use crate::conformance::bench::{Bench, Outcome, Reason, RoleCheck, failed};
use crate::conformance::case::Case;
use crate::conformance::input::Input;
use crate::conformance::ports::{BrokenTrace, Pages};

pub(crate) struct ExtractorBench {
    bench: Bench,
    extractor: Arc<dyn Extractor>,
    traces: Vec<TestTrace>,
}

/// A session to extract from, and the result.
struct TestTrace {
    /// Its description, or the name of its case.
    name: String,
    is_of_case: bool,
    session: Session,
    events: Arc<Vec<Event>>,
    extracted: OnceCell<Result<Vec<Candidate>, Failure>>,
}

pub(crate) const CHECKS: &[RoleCheck<ExtractorBench>] = &[
    RoleCheck {
        name: "empty-trace",
        promise: "a trace without events has no candidates",
        mend: "return an empty list if there is nothing to cite",
        run: answers::empty_trace,
    },
    RoleCheck {
        name: "one-event",
        promise: "a trace with one event does not break it",
        mend: "handle traces with a single event",
        run: answers::one_event,
    },
    RoleCheck {
        name: "hostile-text",
        promise: "instructions, long lines, hidden characters and NUL are text like any other",
        mend: "treat events as data; cut text between characters, never at a byte",
        run: answers::hostile,
    },
    RoleCheck {
        name: "own-traces",
        promise: "the traces of the cases have an answer",
        mend: "see why it fails; without a model it may only say `not-granted`",
        run: answers::own,
    },
    RoleCheck {
        name: "unreadable-trace",
        promise: "a trace that cannot be read is a failure, not a disaster",
        mend: "return the failure of the reader",
        run: answers::unreadable,
    },
    RoleCheck {
        name: "candidate-fields",
        promise: "candidates are of a known type and kind, with a title of one line, a body and a confidence of 0 to 1",
        mend: "take types and kinds from the host's registry, and check a candidate before it is returned",
        run: candidates::fields,
    },
    RoleCheck {
        name: "quotes",
        promise: "every candidate cites events of the trace, word for word",
        mend: "cut quotes out of the event's text and change nothing in them",
        run: candidates::quotes,
    },
    RoleCheck {
        name: "candidate-ids",
        promise: "candidates have unique ids",
        mend: "number the candidates of a batch",
        run: candidates::ids,
    },
    RoleCheck {
        name: "rules-from-people",
        promise: "text of tools alone does not become a preference or a convention",
        mend: "check the role of the cited events; tool output is untrusted",
        run: candidates::rules_from_people,
    },
    RoleCheck {
        name: "same-twice",
        promise: "the same trace gives the same answer every time",
        mend: "do not depend on the clock, on random numbers or on the order of a hash map",
        run: answers::same_twice,
    },
    RoleCheck {
        name: "summary",
        promise: "every session has a summary with a title of one line and a text of at most 300 words",
        mend: "say what was asked, done, decided and left open; leave out what is too long",
        run: answers::summary,
    },
    RoleCheck {
        name: "asks-no-model",
        promise: "without a grant no model is asked",
        mend: "check `llm.left` first, and work without a model if no call is left",
        run: answers::asks_no_model,
    },
    RoleCheck {
        name: "within-limits",
        promise: "no call uses more than it may",
        mend: "page through the trace instead of holding it in memory",
        run: |bench| bench.bench.within_limits(),
    },
    RoleCheck {
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
            } => Some(TestTrace {
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

    fn extract(
        &self,
        job: &Job,
        trace: &TestTrace,
    ) -> Result<Result<Vec<Candidate>, Failure>, Reason> {
        let pages = Pages::shared(&trace.events);
        let extracted = self.extractor.extract(job, &trace.session, pages);
        self.bench.value("extract", extracted)
    }

    fn summarise(&self, trace: &TestTrace) -> Result<Result<Summary, Failure>, Reason> {
        let pages = Pages::shared(&trace.events);
        let summary = self
            .extractor
            .summarise(&self.bench.job, &trace.session, pages);
        self.bench.value("summarise", summary)
    }

    /// Returns the candidates of a trace; calls the plugin only once. A failed call gives no candidates.
    fn candidates<'b>(&self, trace: &'b TestTrace) -> Result<&'b [Candidate], Reason> {
        let extracted = match trace.extracted.get() {
            Some(extracted) => extracted,
            None => {
                let extracted = self.extract(&self.bench.job, trace)?;
                trace.extracted.get_or_init(|| extracted)
            }
        };
        Ok(extracted.as_deref().unwrap_or_default())
    }

    /// Runs a check on every candidate of every trace, and returns their number.
    fn each_candidate(
        &self,
        mut run: impl FnMut(&TestTrace, &Candidate) -> Result<(), Reason>,
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

impl TestTrace {
    fn failed(&self, expected: &str, found: &str) -> Reason {
        failed(expected, format!("{}: {found}", self.name))
    }
}

fn broken() -> SharedTrace {
    Arc::new(Mutex::new(BrokenTrace))
}
