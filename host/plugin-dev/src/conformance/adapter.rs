//! An adapter's component as a subject of the SDK's suite (`acreta_sdk::conformance::adapter`): calls go through the
//! role trait, files are copies that the sandbox may see, and usage is measured.

mod convert;

use std::sync::Arc;

use acreta_fs::{Directory, FsError};
use acreta_sdk::conformance::adapter as suite;
use acreta_types::{Adapter, Description};
use camino::Utf8Path;

use crate::conformance::bench::{Bench, Outcome, Reason};
use crate::conformance::case::Case;
use crate::conformance::case_file::SESSIONS;
use crate::conformance::input::Input;
use crate::conformance::ports::listening;
use crate::conformance::record::root_of;
use crate::conformance::stage::{CASE_LIMITS, Staged};

/// Calls of a component cost more than native ones.
const EFFORT: suite::Effort = suite::Effort {
    damaged_copies: 16,
    growth_steps: 16,
};

pub(crate) struct AdapterBench {
    bench: Bench,
    adapter: Arc<dyn Adapter>,
    fixtures: Vec<suite::Fixture>,
    /// The folder of each fixture's files, and the root that its case names.
    sources: Vec<(Directory, Option<String>)>,
}

impl AdapterBench {
    pub(crate) fn new(bench: Bench, adapter: Arc<dyn Adapter>, cases: &[Case]) -> Self {
        let (mut fixtures, mut sources) = (Vec::new(), Vec::new());
        for case in cases {
            let Input::Adapter { files, root } = &case.input else {
                continue;
            };
            fixtures.push(suite::Fixture {
                name: case.name.clone(),
                files: files.iter().map(ToString::to_string).collect(),
            });
            sources.push((case.directory.clone(), root.clone()));
        }
        Self {
            bench,
            adapter,
            fixtures,
            sources,
        }
    }

    fn described(&self) -> Result<Description, Reason> {
        let described = self.adapter.describe(&self.bench.job);
        self.bench.result("describe", described)
    }
}

impl suite::Subject for AdapterBench {
    type Folder = Staged;
    type Error = FsError;

    fn describe(&self) -> Result<suite::Description, Reason> {
        Ok(convert::description(self.described()?))
    }

    fn sessions(&self, staged: &Staged, file: &str) -> suite::Answer<Vec<suite::Session>, FsError> {
        let path = staged.guest(Utf8Path::new(file));
        let found = self.adapter.sessions(&self.bench.job, &staged.roots, &path);
        let found = self.bench.value("sessions", found)?;
        Ok(found
            .map(|found| found.into_iter().map(convert::session).collect())
            .map_err(convert::failure))
    }

    fn read(
        &self,
        staged: &Staged,
        session: &suite::Session,
        from: &suite::Cursor,
    ) -> Result<suite::Reading, Reason> {
        let (session, from) = (convert::asked(session), convert::from_cursor(from));
        let (end, told) = listening(|sink| {
            self.adapter
                .read(&self.bench.job, &staged.roots, &session, &from, sink)
        });
        let end = self.bench.value("read", end)?;
        Ok(suite::Reading {
            end: end.map(convert::cursor).map_err(convert::failure),
            events: told.events.into_iter().map(convert::event).collect(),
            diagnostics: told
                .diagnostics
                .into_iter()
                .map(convert::diagnostic)
                .collect(),
        })
    }

    fn fixtures(&self) -> &[suite::Fixture] {
        &self.fixtures
    }

    /// Copies a case's files under the root that the adapter requests.
    fn stage(&self, fixture: &suite::Fixture) -> Result<Staged, Reason> {
        let described = self.described()?;
        let mut all = self.fixtures.iter().zip(&self.sources);
        let Some((_, (directory, root))) = all.find(|(one, _)| one.name == fixture.name) else {
            return self.empty_under(&described);
        };
        let root = root.as_deref();
        let root = root.unwrap_or_else(|| root_of(Some(&described)));
        let sessions = directory.subdirectory(SESSIONS)?;
        Ok(Staged::copy_of(&self.bench.scratch, root, &sessions)?)
    }

    fn empty(&self) -> Result<Staged, Reason> {
        self.empty_under(&self.described()?)
    }

    /// Empty: cases contain only the adapter's own files.
    fn strangers(&self) -> Result<Vec<(Staged, suite::Fixture)>, Reason> {
        Ok(Vec::new())
    }

    fn effort(&self) -> suite::Effort {
        EFFORT
    }

    fn within_limits(&self) -> Outcome {
        self.bench.within_limits()
    }

    /// An adapter may look for more files of its agent; any other refused access is a failure.
    fn keeps_to_its_roots(&self) -> Outcome {
        let description = self.described()?;
        let names = description.roots.iter().map(|root| root.name.as_str());
        let names = names.chain([root_of(Some(&description))]);
        let roots: Vec<String> = names.map(|name| format!("/{name}")).collect();
        self.bench
            .refused("nothing tried but its roots", |call, denial| {
                let is_own = |root: &String| Utf8Path::new(&denial.path).starts_with(root);
                call != "describe" && roots.iter().any(is_own)
            })
    }
}

impl AdapterBench {
    fn empty_under(&self, described: &Description) -> Result<Staged, Reason> {
        let root = root_of(Some(described));
        Ok(Staged::empty(&self.bench.scratch, root)?)
    }
}

impl suite::Folder for Staged {
    type Error = FsError;

    fn root(&self) -> &str {
        &self.roots[0].guest
    }

    fn content(&self, file: &str) -> Result<Vec<u8>, FsError> {
        self.directory()
            .read(Utf8Path::new(file), CASE_LIMITS.bytes)
    }

    fn write(&self, file: &str, bytes: &[u8]) -> Result<(), FsError> {
        Staged::write(self, Utf8Path::new(file), bytes)
    }
}
