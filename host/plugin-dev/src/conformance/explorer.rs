//! The suite of explorers: on any memory, findings refer to the given candidates and to existing files, and are the
//! same every time.

mod checks;
mod memories;

use std::cell::OnceCell;
use std::sync::Arc;

use acreta_fs::FsError;
use acreta_types::{Candidate, Explorer, Failure, Finding, Job, SharedSearch};

use crate::conformance::bench::{Bench, Outcome, Reason, RoleCheck, failed};
use crate::conformance::case::Case;
use crate::conformance::input::Input;
use crate::conformance::ports::WordSearch;
use crate::conformance::stage::Staged;

pub(crate) struct ExplorerBench {
    bench: Bench,
    explorer: Arc<dyn Explorer>,
    memories: Vec<TestMemory>,
}

/// A memory, and candidates to compare with it.
struct TestMemory {
    /// Its description, or the name of its case.
    name: String,
    staged: Staged,
    search: SharedSearch,
    candidates: Vec<Candidate>,
    found: OnceCell<Result<Vec<Finding>, Failure>>,
}

pub(crate) const CHECKS: &[RoleCheck<ExplorerBench>] = &[
    RoleCheck {
        name: "no-candidates",
        promise: "an empty batch has no findings",
        mend: "return an empty list for an empty batch",
        run: checks::no_candidates,
    },
    RoleCheck {
        name: "empty-memory",
        promise: "an empty memory has no matches",
        mend: "expect a memory without folders and files",
        run: checks::empty_memory,
    },
    RoleCheck {
        name: "damaged-memory",
        promise: "files that are not memories are skipped",
        mend: "skip files that cannot be read, and log a line about each",
        run: checks::damaged_memory,
    },
    RoleCheck {
        name: "answers-each",
        promise: "every candidate of the batch has a finding",
        mend: "return `add` if nothing matches",
        run: checks::answers_each,
    },
    RoleCheck {
        name: "only-given",
        promise: "findings speak of the candidates of the batch alone",
        mend: "copy the candidate's id into its finding",
        run: checks::only_given,
    },
    RoleCheck {
        name: "finding-fields",
        promise: "findings have a known hint and an overlap of 0 to 1",
        mend: "hint `add`, `update` or `no-op`, and keep the overlap within 0 and 1",
        run: checks::fields,
    },
    RoleCheck {
        name: "matched-files",
        promise: "matched files are there",
        mend: "name files relative to `/memory`, as the search does",
        run: checks::matched_files,
    },
    RoleCheck {
        name: "same-twice",
        promise: "the same memory and candidates give the same findings every time",
        mend: "do not depend on the clock, on random numbers or on the order of a hash map",
        run: checks::same_twice,
    },
    RoleCheck {
        name: "failing-search",
        promise: "a failing search does not break it",
        mend: "return the failure of the search, or do without it",
        run: checks::failing_search,
    },
    RoleCheck {
        name: "asks-no-model",
        promise: "without a grant no model is asked",
        mend: "check `llm.left` first, and work without a model if no call is left",
        run: checks::asks_no_model,
    },
    RoleCheck {
        name: "within-limits",
        promise: "no call uses more than it may",
        mend: "read the files that the search names instead of all of them",
        run: |bench| bench.bench.within_limits(),
    },
    RoleCheck {
        name: "keeps-to-memory",
        promise: "it only reads memory",
        mend: "open only files under `/memory`, for reading, and no network",
        run: |bench| bench.bench.refused("nothing tried", |_, _| false),
    },
];

impl ExplorerBench {
    pub(crate) fn new(
        bench: Bench,
        explorer: Arc<dyn Explorer>,
        cases: &[Case],
    ) -> Result<Self, FsError> {
        let mut memories = memories::built_in(&bench.scratch)?;
        for case in cases {
            let Input::Explorer {
                candidates, memory, ..
            } = &case.input
            else {
                continue;
            };
            let staged = match memory {
                Some(memory) => {
                    let memory = case.directory.subdirectory(memory)?;
                    Staged::copy_of(&bench.scratch, "memory", &memory)?
                }
                None => Staged::empty(&bench.scratch, "memory")?,
            };
            let name = format!("case `{}`", case.name);
            memories.push(TestMemory::new(name, staged, candidates.clone())?);
        }
        Ok(Self {
            bench,
            explorer,
            memories,
        })
    }

    fn explore(
        &self,
        job: &Job,
        memory: &TestMemory,
        search: &SharedSearch,
    ) -> Result<Result<Vec<Finding>, Failure>, Reason> {
        let found = self.explorer.explore(
            job,
            memory.staged.path(),
            Arc::clone(search),
            &memory.candidates,
        );
        self.bench.value("explore", found)
    }

    /// Returns the findings for a memory; calls the plugin only once.
    fn findings<'b>(
        &self,
        memory: &'b TestMemory,
    ) -> Result<Result<&'b [Finding], &'b Failure>, Reason> {
        let found = match memory.found.get() {
            Some(found) => found,
            None => {
                let found = self.explore(&self.bench.job, memory, &memory.search)?;
                memory.found.get_or_init(|| found)
            }
        };
        Ok(found.as_deref())
    }

    /// Runs a check on every finding of every memory, and returns their number.
    fn each_finding(
        &self,
        mut run: impl FnMut(&TestMemory, &Finding) -> Result<(), Reason>,
    ) -> Outcome {
        let mut count = 0;
        for memory in &self.memories {
            for finding in self.findings(memory)?.unwrap_or_default() {
                count += 1;
                run(memory, finding)?;
            }
        }
        Ok(format!(
            "{count} findings in {} memories",
            self.memories.len()
        ))
    }

    fn named(&self, name: &str) -> Result<&TestMemory, Reason> {
        let found = self.memories.iter().find(|memory| memory.name == name);
        found.ok_or_else(|| Reason::Skipped(format!("there is no memory `{name}`")))
    }
}

impl TestMemory {
    fn new(name: String, staged: Staged, candidates: Vec<Candidate>) -> Result<Self, FsError> {
        let search = Arc::new(WordSearch::over(staged.directory())?);
        Ok(Self {
            name,
            staged,
            search,
            candidates,
            found: OnceCell::new(),
        })
    }

    fn failed(&self, expected: &str, found: &str) -> Reason {
        failed(expected, format!("{}: {found}", self.name))
    }
}
