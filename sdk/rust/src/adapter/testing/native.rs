//! The adapter under test, called natively by the conformance suite. Files are copies in scratch folders; a panic fails
//! the check; limits are not measured, since there is no sandbox.

use std::any::Any;
use std::fs::File;
use std::io;
use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::{ReadResult, files};
use crate::adapter::{Adapter, Cursor, Description, Failure, Session};
use crate::conformance::adapter::{Diagnostic, Effort, Fixture, Folder, Reading, Subject};
use crate::conformance::{Outcome, Reason};

/// Native calls cost little.
const EFFORT: Effort = Effort {
    damaged_copies: 40,
    growth_steps: 32,
};

/// The modification time of all copies: 2026-01-01T00:00:00Z.
const MODIFIED: Duration = Duration::from_secs(1_767_225_600);

pub(super) struct Native<'p, A> {
    own: &'p Path,
    /// One folder per agent; the folders of other agents hold foreign files.
    all: Option<&'p Path>,
    scratch: &'p Path,
    fixtures: Vec<Fixture>,
    adapter: PhantomData<A>,
}

type NativeFailure = Reason<io::Error>;

impl<'p, A: Adapter> Native<'p, A> {
    /// Uses all files in `own` as one fixture.
    pub(super) fn new(own: &'p Path, all: Option<&'p Path>, scratch: &'p Path) -> Self {
        Self {
            own,
            all,
            scratch,
            fixtures: vec![Fixture {
                name: name_of(own),
                files: relative(own, &files(own)),
            }],
            adapter: PhantomData,
        }
    }

    /// Returns the fixture and its copy, for a test of one file.
    pub(super) fn staged(&self) -> Result<(&Fixture, NativeFolder), NativeFailure> {
        let fixture = &self.fixtures[0];
        Ok((fixture, self.stage(fixture)?))
    }
}

impl<A: Adapter> Subject for Native<'_, A> {
    type Folder = NativeFolder;
    type Error = io::Error;

    fn describe(&self) -> Result<Description, NativeFailure> {
        caught("describe", A::describe)
    }

    fn sessions(
        &self,
        folder: &NativeFolder,
        file: &str,
    ) -> Result<Result<Vec<Session>, Failure>, NativeFailure> {
        let path = format!("{}/{file}", folder.root);
        caught("sessions", || A::sessions(&path))
    }

    fn read(
        &self,
        _folder: &NativeFolder,
        session: &Session,
        from: &Cursor,
    ) -> Result<Reading, NativeFailure> {
        let mut told = ReadResult::default();
        let end = caught("read", || A::read(session, from, &mut told))?;
        let diagnostics = told.diagnostics.into_iter();
        Ok(Reading {
            end,
            events: told.events,
            diagnostics: diagnostics
                .map(|(record, start, end, message)| Diagnostic {
                    record,
                    start,
                    end,
                    message,
                })
                .collect(),
        })
    }

    fn fixtures(&self) -> &[Fixture] {
        &self.fixtures
    }

    fn stage(&self, fixture: &Fixture) -> Result<NativeFolder, NativeFailure> {
        let folder = NativeFolder::copies(self.scratch, &fixture.name)?;
        for file in &fixture.files {
            folder.write(file, &std::fs::read(self.own.join(file))?)?;
        }
        Ok(folder)
    }

    fn empty(&self) -> Result<NativeFolder, NativeFailure> {
        Ok(NativeFolder::copies(self.scratch, "empty")?)
    }

    fn strangers(&self) -> Result<Vec<(NativeFolder, Fixture)>, NativeFailure> {
        let Some(all) = self.all else {
            return Ok(Vec::new());
        };
        let agent = all.join(self.describe()?.agent);
        let mut strangers = files(all);
        strangers.retain(|path| !path.starts_with(&agent));
        let fixture = Fixture {
            name: name_of(all),
            files: relative(all, &strangers),
        };
        Ok(vec![(NativeFolder::in_place(all), fixture)])
    }

    fn effort(&self) -> Effort {
        EFFORT
    }

    fn within_limits(&self) -> Outcome<io::Error> {
        Err(Reason::Skipped(UNMEASURED.to_owned()))
    }

    fn keeps_to_its_roots(&self) -> Outcome<io::Error> {
        Err(Reason::Skipped(UNMEASURED.to_owned()))
    }
}

const UNMEASURED: &str = "nothing was measured: the plugin does not run in a sandbox";

pub(super) struct NativeFolder {
    path: PathBuf,
    root: String,
    /// Deletes copies on drop.
    _copies: Option<tempfile::TempDir>,
}

impl NativeFolder {
    fn copies(scratch: &Path, name: &str) -> io::Result<Self> {
        let copies = tempfile::tempdir_in(scratch)?;
        // Adapters may inspect the names of the folders above a file.
        let path = copies.path().join(name);
        std::fs::create_dir(&path)?;
        Ok(Self {
            _copies: Some(copies),
            ..Self::in_place(&path)
        })
    }

    fn in_place(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            root: path.to_string_lossy().trim_end_matches('/').to_owned(),
            _copies: None,
        }
    }
}

impl Folder for NativeFolder {
    type Error = io::Error;

    fn root(&self) -> &str {
        &self.root
    }

    fn content(&self, file: &str) -> io::Result<Vec<u8>> {
        std::fs::read(self.path.join(file))
    }

    fn write(&self, file: &str, bytes: &[u8]) -> io::Result<()> {
        let path = self.path.join(file);
        std::fs::create_dir_all(path.parent().unwrap_or(&self.path))?;
        std::fs::write(&path, bytes)?;
        let file = File::options().write(true).open(&path)?;
        file.set_modified(SystemTime::UNIX_EPOCH + MODIFIED)
    }
}

/// Turns a panic into a failed check.
fn caught<T>(call: &'static str, run: impl FnOnce() -> T) -> Result<T, NativeFailure> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| Reason::Trapped {
        call,
        found: format!("{call} panicked: {}", message(&*panic)),
    })
}

fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied())
        .unwrap_or("no message")
}

fn name_of(folder: &Path) -> String {
    let name = folder.file_name().unwrap_or_default();
    match &*name.to_string_lossy() {
        "" => "fixtures".to_owned(),
        name => name.to_owned(),
    }
}

fn relative(folder: &Path, files: &[PathBuf]) -> Vec<String> {
    let beneath = files
        .iter()
        .filter_map(|path| path.strip_prefix(folder).ok());
    beneath
        .map(|path| path.to_string_lossy().into_owned())
        .collect()
}
