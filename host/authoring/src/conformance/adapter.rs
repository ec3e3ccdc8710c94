//! What every adapter has to hold, on any file: it asks for what it needs and says why, leaves other
//! agents' files alone, and tells its own the same way every time, whole, in steps, and damaged.

mod damage;
mod described;
mod growth;
mod reading;
mod strangers;

use std::sync::Arc;

use acreta_fs::{Directory, FsError};
use acreta_model::{Adapter, Cursor, Description, Failure, Session};
use camino::{Utf8Path, Utf8PathBuf};

use crate::bench::{Bench, Entry, Outcome, Reason};
use crate::case::Case;
use crate::case_file::SESSIONS;
use crate::input::Input;
use crate::ports::{Told, listening};
use crate::record::root_of;
use crate::stage::{CASE_LIMITS, Staged};

pub(crate) struct AdapterBench {
    bench: Bench,
    adapter: Arc<dyn Adapter>,
    fixtures: Vec<Fixture>,
}

/// The session files of one case.
struct Fixture {
    case: String,
    directory: Directory,
    files: Vec<Utf8PathBuf>,
    root: Option<String>,
}

/// One session in one file of one case.
struct Sample<'b> {
    case: &'b str,
    staged: &'b Staged,
    file: &'b Utf8Path,
    session: &'b Session,
}

pub(crate) const CHECKS: &[Entry<AdapterBench>] = &[
    Entry {
        name: "describe",
        promise: "it says what it reads without any grant",
        mend: "let `describe` return constants; it has no files and no host to ask",
        run: described::answers,
    },
    Entry {
        name: "describe-stable",
        promise: "it says the same every time",
        mend: "let `describe` depend on nothing: no clock, no chance, no hash map order",
        run: described::stable,
    },
    Entry {
        name: "agent-name",
        promise: "the agent has a short name",
        mend: "name the agent in 1 to 64 small letters, digits and hyphens",
        run: described::agent_name,
    },
    Entry {
        name: "root-names",
        promise: "roots have names of their own, places and patterns",
        mend: "give every root a plain name of its own, candidates as `~/…`, `$VARIABLE/…`, `<config>/…` or \
               `<data>/…`, and relative patterns",
        run: described::root_names,
    },
    Entry {
        name: "root-reasons",
        promise: "every root has a reason a person can decide by",
        mend: "say in one plain sentence why the folder is read",
        run: described::root_reasons,
    },
    Entry {
        name: "foreign-file",
        promise: "a file of somebody else has no session",
        mend: "look at the content, and answer an empty list when it is not this agent's",
        run: strangers::foreign,
    },
    Entry {
        name: "empty-file",
        promise: "an empty file has no session",
        mend: "answer an empty list",
        run: strangers::empty,
    },
    Entry {
        name: "binary-file",
        promise: "a file that is no text is no disaster",
        mend: "read bytes, not text, and answer an empty list or a failure",
        run: strangers::binary,
    },
    Entry {
        name: "huge-line",
        promise: "a line of 32 MiB is no disaster",
        mend: "read lines up to a bound and pass over the rest",
        run: strangers::huge_line,
    },
    Entry {
        name: "missing-file",
        promise: "a file that is gone is no disaster",
        mend: "answer a failure with code `io`, or an empty list",
        run: strangers::missing,
    },
    Entry {
        name: "finds-sessions",
        promise: "a case's files have at least one session",
        mend: "see that `sessions` knows the format of the case, and that the case holds a real session",
        run: reading::finds_sessions,
    },
    Entry {
        name: "session-fields",
        promise: "sessions have an id of their own, the agent's name, a path under the root and a revision",
        mend: "take the id from the data, the path from the argument, and a revision that changes with the file",
        run: reading::session_fields,
    },
    Entry {
        name: "sessions-stable",
        promise: "the same file has the same sessions every time",
        mend: "take ids and times from the data: no clock, no chance, no hash map order",
        run: reading::sessions_stable,
    },
    Entry {
        name: "event-fields",
        promise: "events have an id of their own, a known role and a known kind",
        mend: "make ids from the agent's own record ids, and use the roles and kinds of `acreta:types`",
        run: reading::event_fields,
    },
    Entry {
        name: "tells-something",
        promise: "a session has events, or says why not",
        mend: "emit events, diagnose what cannot be read, or mark the session with the attribute `empty`",
        run: reading::tells_something,
    },
    Entry {
        name: "origins",
        promise: "every event points at its record in the file",
        mend: "count bytes, not characters, from the start of the file, and end where the record ends",
        run: reading::origins,
    },
    Entry {
        name: "read-stable",
        promise: "reading twice tells the same",
        mend: "let events and cursor depend on the file alone",
        run: reading::read_stable,
    },
    Entry {
        name: "cursor-at-end",
        promise: "reading on from the end tells nothing more",
        mend: "start at the cursor's offset, and return the same cursor when nothing is new",
        run: reading::cursor_at_end,
    },
    Entry {
        name: "cursor-forward",
        promise: "the cursor of a growing file never goes back",
        mend: "return the end of the last whole record that was told",
        run: growth::forward,
    },
    Entry {
        name: "grows",
        promise: "reading a file in steps as it grows tells what reading it at once tells",
        mend: "leave a line without its end for the next read, and keep in the cursor's state what later lines need",
        run: growth::steps,
    },
    Entry {
        name: "shrunken-file",
        promise: "a cursor behind the end of the file is noticed",
        mend: "compare the cursor with the file, and fail with code `invalid-cursor`",
        run: growth::shrunken,
    },
    Entry {
        name: "damaged-line",
        promise: "a damaged line costs that line and a diagnostic",
        mend: "diagnose a line that cannot be read, with its span, and go on with the next",
        run: damage::line,
    },
    Entry {
        name: "damaged-bytes",
        promise: "a file with wrong bytes anywhere is no disaster",
        mend: "expect any byte anywhere: no index, slice or conversion without a check",
        run: damage::bytes,
    },
    Entry {
        name: "within-limits",
        promise: "no call uses more than it may",
        mend: "read in pieces and emit in batches instead of holding the file in memory",
        run: |bench| bench.bench.within_limits(),
    },
    Entry {
        name: "keeps-to-its-roots",
        promise: "it tries nothing outside of its roots",
        mend: "open nothing but the path it is asked about and what lies beside it, and no network",
        run: keeps_to_its_roots,
    },
];

impl AdapterBench {
    pub(crate) fn new(bench: Bench, adapter: Arc<dyn Adapter>, cases: &[Case]) -> Self {
        let fixtures = cases
            .iter()
            .filter_map(|case| match &case.input {
                Input::Adapter { files, root } => Some(Fixture {
                    case: case.name.clone(),
                    directory: case.directory.clone(),
                    files: files.clone(),
                    root: root.clone(),
                }),
                _ => None,
            })
            .collect();
        Self {
            bench,
            adapter,
            fixtures,
        }
    }

    fn describe(&self) -> Result<Description, Reason> {
        let described = self.adapter.describe(&self.bench.job);
        self.bench.result("describe", described)
    }

    fn sessions(
        &self,
        staged: &Staged,
        file: &Utf8Path,
    ) -> Result<Result<Vec<Session>, Failure>, Reason> {
        let path = staged.guest(file);
        let found = self.adapter.sessions(&self.bench.job, &staged.roots, &path);
        self.bench.value("sessions", found)
    }

    fn read(
        &self,
        staged: &Staged,
        session: &Session,
        from: &Cursor,
    ) -> Result<(Result<Cursor, Failure>, Told), Reason> {
        let (read, told) = listening(|sink| {
            self.adapter
                .read(&self.bench.job, &staged.roots, session, from, sink)
        });
        Ok((self.bench.value("read", read)?, told))
    }

    /// The whole of a session; a failure fails the check.
    fn whole(&self, sample: &Sample<'_>) -> Result<(Cursor, Told), Reason> {
        let (cursor, told) = self.read(sample.staged, sample.session, &Cursor::default())?;
        match cursor {
            Ok(cursor) => Ok((cursor, told)),
            Err(failure) => Err(sample.failed(
                "the session's events",
                &format!("read failed with `{}`: {}", failure.code, failure.message),
            )),
        }
    }

    /// Copies of a case's files, under the root that the adapter asks for.
    fn stage(&self, fixture: &Fixture) -> Result<Staged, Reason> {
        let described = self.describe()?;
        let root = fixture.root.as_deref();
        let root = root.unwrap_or_else(|| root_of(Some(&described)));
        let sessions = fixture.directory.subdirectory(SESSIONS)?;
        Ok(Staged::copy_of(&self.bench.scratch, root, &sessions)?)
    }

    /// Does something with every file of every case; without cases there is nothing to do.
    fn each_file(
        &self,
        mut run: impl FnMut(&Fixture, &Staged, &Utf8Path) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        if self.fixtures.is_empty() {
            let reason = "there is no case of an adapter: make one from a session file";
            return Err(Reason::Skipped(reason.to_owned()));
        }
        for fixture in &self.fixtures {
            let staged = self.stage(fixture)?;
            for file in &fixture.files {
                run(fixture, &staged, file)?;
            }
        }
        Ok(())
    }

    /// Does something with every session of every case, and says how many there are.
    fn each_session(
        &self,
        mut run: impl FnMut(&Sample<'_>) -> Result<(), Reason>,
    ) -> Result<usize, Reason> {
        let mut count = 0;
        self.each_file(|fixture, staged, file| {
            // A case may be about a file that cannot be read.
            for session in self.sessions(staged, file)?.unwrap_or_default() {
                count += 1;
                run(&Sample {
                    case: &fixture.case,
                    staged,
                    file,
                    session: &session,
                })?;
            }
            Ok(())
        })?;
        if count == 0 {
            return Err(Reason::Skipped("no case has a session".to_owned()));
        }
        Ok(count)
    }
}

impl Sample<'_> {
    fn failed(&self, expected: &str, found: &str) -> Reason {
        let Self { case, session, .. } = self;
        let found = format!("case `{case}`, session `{}`: {found}", session.id);
        crate::bench::failed(expected, found)
    }

    /// How long the session's file is.
    fn size(&self) -> Result<u64, FsError> {
        Ok(self.staged.directory().metadata(self.file)?.bytes)
    }
}

/// The content of a case's file.
fn content(staged: &Staged, file: &Utf8Path) -> Result<Vec<u8>, FsError> {
    staged.directory().read(file, CASE_LIMITS.bytes)
}

/// An adapter may look for more of its own; whatever else it tried was not for it.
fn keeps_to_its_roots(bench: &AdapterBench) -> Outcome {
    let description = bench.describe()?;
    let names = description.roots.iter().map(|root| root.name.as_str());
    let names = names.chain([root_of(Some(&description))]);
    let roots: Vec<String> = names.map(|name| format!("/{name}")).collect();
    bench
        .bench
        .refused("nothing tried but its roots", |call, denial| {
            let is_own = |root: &String| Utf8Path::new(&denial.path).starts_with(root);
            call != "describe" && roots.iter().any(is_own)
        })
}
