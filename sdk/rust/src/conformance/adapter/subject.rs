//! The adapter under test as the checks see it. It returns the contract's records, as the SDK has them.

use super::super::{Outcome, Reason, failed};
use crate::adapter::{Cursor, Description, Event, Failure, Session};

/// An adapter and its files, independent of where it runs. A call that traps or panics is a [`Reason::Trapped`], one that
/// exceeds a limit a [`Reason::Failed`].
pub trait Subject {
    type Folder: Folder<Error = Self::Error>;
    /// A fault of the machine.
    type Error;

    fn describe(&self) -> Result<Description, Reason<Self::Error>>;

    /// Lists the sessions in a file of the folder, or returns the adapter's own failure.
    fn sessions(&self, folder: &Self::Folder, file: &str) -> Answer<Vec<Session>, Self::Error>;

    /// Reads a session on from a cursor.
    fn read(
        &self,
        folder: &Self::Folder,
        session: &Session,
        from: &Cursor,
    ) -> Result<Reading, Reason<Self::Error>>;

    /// Returns the adapter's own session files.
    fn fixtures(&self) -> &[Fixture];

    /// Copies the files of a fixture of [`fixtures`](Self::fixtures), all with one modification time.
    fn stage(&self, fixture: &Fixture) -> Result<Self::Folder, Reason<Self::Error>>;

    /// Creates a folder without files.
    fn empty(&self) -> Result<Self::Folder, Reason<Self::Error>>;

    /// Returns available files of other agents. They are only read.
    fn strangers(&self) -> Result<Strangers<Self::Folder>, Reason<Self::Error>>;

    fn effort(&self) -> Effort;

    /// Compares the resources that all calls used with their limits.
    fn within_limits(&self) -> Outcome<Self::Error>;

    /// Checks for calls that were refused outside of the adapter's roots.
    fn keeps_to_its_roots(&self) -> Outcome<Self::Error>;
}

/// A result or the adapter's own failure; any other error fails the check.
pub type Answer<T, E> = Result<Result<T, Failure>, Reason<E>>;

/// Folders of other agents, each with the files in it.
pub type Strangers<F> = Vec<(F, Fixture)>;

/// A folder with copies of session files, deleted on drop.
pub trait Folder {
    type Error;

    /// Returns the folder's path as the adapter sees it, without a trailing slash.
    fn root(&self) -> &str;
    fn content(&self, file: &str) -> Result<Vec<u8>, Self::Error>;
    /// Creates or replaces a file. Its modification time is the same as that of all copies.
    fn write(&self, file: &str, bytes: &[u8]) -> Result<(), Self::Error>;
}

/// A named set of session files, as paths in their folder.
#[derive(Debug, Clone)]
pub struct Fixture {
    pub name: String,
    pub files: Vec<String>,
}

/// Number of repetitions for checks that find more when they try more.
#[derive(Debug, Clone, Copy)]
pub struct Effort {
    /// Damaged copies of each file.
    pub damaged_copies: usize,
    /// Steps in which each file grows.
    pub growth_steps: usize,
}

impl Session {
    pub(super) fn attr(&self, key: &str) -> Option<&str> {
        let mut attrs = self.attrs.iter().rev();
        attrs
            .find(|(name, _)| name == key)
            .map(|(_, value)| &**value)
    }
}

impl Cursor {
    /// Reports whether this is the start. An adapter that returns the start reads everything again each time.
    pub(super) fn is_start(&self) -> bool {
        *self == Self::default()
    }
}

impl Failure {
    pub(super) fn of(&self, call: &str) -> String {
        format!("{call} failed with `{}`: {}", self.code, self.message)
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Diagnostic {
    pub record: String,
    pub start: u64,
    pub end: u64,
    pub message: String,
}

/// One read: its end, and the events and diagnostics on the way.
#[derive(Debug, Clone, PartialEq)]
pub struct Reading {
    pub end: Result<Cursor, Failure>,
    pub events: Vec<Event>,
    pub diagnostics: Vec<Diagnostic>,
}

/// One session in one file of one fixture.
pub(super) struct Sample<'s, S: Subject> {
    pub(super) subject: &'s S,
    pub(super) fixture: &'s Fixture,
    pub(super) folder: &'s S::Folder,
    pub(super) file: &'s str,
    pub(super) session: &'s Session,
}

impl<S: Subject> Sample<'_, S> {
    pub(super) fn read(&self, from: &Cursor) -> Result<Reading, Reason<S::Error>> {
        self.subject.read(self.folder, self.session, from)
    }

    /// Reads the whole session; a failure fails the check.
    pub(super) fn whole(&self) -> Result<(Cursor, Reading), Reason<S::Error>> {
        let reading = self.read(&Cursor::default())?;
        match &reading.end {
            Ok(cursor) => Ok((cursor.clone(), reading)),
            Err(failure) => Err(self.failed("the session's events", &failure.of("read"))),
        }
    }

    pub(super) fn failed(&self, expected: &str, found: &str) -> Reason<S::Error> {
        let found = format!("session `{}`: {found}", self.session.id);
        in_file(self.fixture, self.file, expected, &found)
    }
}

/// Builds the failure of a check on a file of a fixture.
pub(super) fn in_file<E>(fixture: &Fixture, file: &str, expected: &str, found: &str) -> Reason<E> {
    failed(
        expected,
        format!("case `{}`, `{file}`: {found}", fixture.name),
    )
}

/// Runs a check on a copy of every file of every fixture; skips without fixtures.
pub(super) fn each_file<S: Subject>(
    subject: &S,
    mut run: impl FnMut(&Fixture, &S::Folder, &str) -> Result<(), Reason<S::Error>>,
) -> Result<(), Reason<S::Error>> {
    if subject.fixtures().is_empty() {
        let reason = "there is no case of an adapter: make one from a session file";
        return Err(Reason::Skipped(reason.to_owned()));
    }
    for fixture in subject.fixtures() {
        let folder = subject.stage(fixture)?;
        for file in &fixture.files {
            run(fixture, &folder, file)?;
        }
    }
    Ok(())
}

/// Runs a check on every session of every fixture, and returns their number.
pub(super) fn each_session<S: Subject>(
    subject: &S,
    mut run: impl FnMut(&Sample<'_, S>) -> Result<(), Reason<S::Error>>,
) -> Result<usize, Reason<S::Error>> {
    let mut count = 0;
    each_file(subject, |fixture, folder, file| {
        // A fixture may test a file that cannot be read.
        for session in subject.sessions(folder, file)?.unwrap_or_default() {
            count += 1;
            run(&Sample {
                subject,
                fixture,
                folder,
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
