//! The suite of memory-writers: for any actions, one file for each, at the expected path, with the decided content, and
//! the same bytes every time.
//!
//! A writer gets only actions that need a file: add, update and merge. No-ops and archiving never reach it, so a run
//! with nothing else gives it an empty list.

mod actions;
mod checks;
mod content;

use std::cell::OnceCell;
use std::sync::Arc;

use acreta_fs::EntryKind;
use acreta_store::{DraftError, DraftFile, DraftLimits, ExpectedDraft, check_draft};
use acreta_types::{
    Failure, Limits, MemoryType, MemoryWriter, Role, WriteAction, WriteContext, Written,
};
use camino::Utf8PathBuf;

use crate::conformance::bench::{Bench, Reason, RoleCheck, failed};
use crate::conformance::case::Case;
use crate::conformance::input::Input;
use crate::conformance::stage::{CASE_LIMITS, DRAFT};

pub(crate) struct WriterBench {
    bench: Bench,
    writer: Arc<dyn MemoryWriter>,
    orders: Vec<ActionSet>,
}

/// A set of actions for one call.
struct ActionSet {
    /// Its description, or the name of its case.
    name: String,
    context: WriteContext,
    actions: Vec<WriteAction>,
    drafted: OnceCell<Drafted>,
}

/// Result of one call.
struct Drafted {
    written: Result<Vec<Written>, Failure>,
    /// Every regular file, by its path.
    files: Vec<(Utf8PathBuf, Vec<u8>)>,
    checked: Result<Vec<DraftFile>, NotTaken>,
}

/// Reason why the host would refuse a draft.
enum NotTaken {
    Report(String),
    Draft(DraftError),
    Failed,
}

pub(crate) const CHECKS: &[RoleCheck<WriterBench>] = &[
    RoleCheck {
        name: "nothing-to-write",
        promise: "no file is written without an action",
        mend: "write files only for actions: no index, no marker, no log",
        run: checks::nothing,
    },
    RoleCheck {
        name: "writes",
        promise: "every action can be written",
        mend: "expect every operation, type and kind of the registry, and any words",
        run: checks::writes,
    },
    RoleCheck {
        name: "reports-each",
        promise: "it says for every action which file it wrote, once",
        mend: "return one `written` for each action, with the action's id and the path under `/draft`",
        run: checks::reports_each,
    },
    RoleCheck {
        name: "asked-files",
        promise: "the draft has exactly the requested files, at the expected paths",
        mend: "write `<folder of the type>/<YYYYMMDD>-<slug>.md` for a new memory and the target for an old one; \
               give a taken name `-2`; leave nothing else behind",
        run: checks::asked_files,
    },
    RoleCheck {
        name: "front-matter",
        promise: "every file has the front matter of its type, with the id that the host gave",
        mend: "write all keys of the type, quote what YAML would read as something else, and keep `memory-id`",
        run: checks::front_matter,
    },
    RoleCheck {
        name: "decided-words",
        promise: "title, kind, tags, related ids, times and body are what was decided",
        mend: "copy them from the action; change the form, not the content",
        run: content::decided,
    },
    RoleCheck {
        name: "unknown-keys",
        promise: "keys that a person added to the front matter stay",
        mend: "take over the keys of `current` that the type does not have",
        run: content::unknown_keys,
    },
    RoleCheck {
        name: "same-twice",
        promise: "the same actions give the same bytes every time",
        mend: "take times from the action; do not depend on random numbers or the order of a hash map",
        run: checks::same_twice,
    },
    RoleCheck {
        name: "bad-action",
        promise: "an action without content is a failure, not a breakdown",
        mend: "return a failure if an action has neither a candidate nor a summary",
        run: checks::bad_action,
    },
    RoleCheck {
        name: "within-limits",
        promise: "no call uses more than it may",
        mend: "write one file after the other",
        run: |bench| bench.bench.within_limits(),
    },
    RoleCheck {
        name: "keeps-to-draft",
        promise: "it accesses nothing outside of its draft",
        mend: "open only files under `/draft`, and no network",
        run: |bench| bench.bench.refused("nothing tried", |_, _| false),
    },
];

impl WriterBench {
    pub(crate) fn new(bench: Bench, writer: Arc<dyn MemoryWriter>, cases: &[Case]) -> Self {
        let mut orders = actions::built_in();
        orders.extend(cases.iter().filter_map(|case| match &case.input {
            Input::MemoryWriter {
                context, actions, ..
            } => Some(ActionSet {
                name: format!("case `{}`", case.name),
                context: context.clone(),
                actions: actions.clone(),
                drafted: OnceCell::new(),
            }),
            _ => None,
        }));
        Self {
            bench,
            writer,
            orders,
        }
    }

    /// Runs the actions on a fresh draft and inspects it as the host does.
    fn draft(&self, order: &ActionSet) -> Result<Drafted, Reason> {
        let draft = acreta_fs::scratch(&self.bench.scratch, DRAFT)?;
        let job = &self.bench.job;
        let applied = self
            .writer
            .apply(job, draft.path(), &order.context, &order.actions);
        let written = self.bench.value("apply", applied)?;
        let mut files = Vec::new();
        for entry in draft.directory().walk(".", CASE_LIMITS)? {
            if entry.metadata.kind == EntryKind::File {
                let bytes = draft.directory().read(&entry.path, CASE_LIMITS.bytes)?;
                files.push((entry.path, bytes));
            }
        }
        let checked = match &written {
            Err(_) => Err(NotTaken::Failed),
            Ok(written) => match expected(order, written) {
                Err(problem) => Err(NotTaken::Report(problem)),
                Ok(expected) => {
                    check_draft(draft.path(), &expected, limits()).map_err(NotTaken::Draft)
                }
            },
        };
        if let Err(NotTaken::Draft(DraftError::Fs(error))) = checked {
            return Err(error.into());
        }
        Ok(Drafted {
            written,
            files,
            checked,
        })
    }

    /// Returns the draft for a set of actions; calls the plugin only once.
    fn drafted<'b>(&self, order: &'b ActionSet) -> Result<&'b Drafted, Reason> {
        if let Some(drafted) = order.drafted.get() {
            return Ok(drafted);
        }
        let drafted = self.draft(order)?;
        Ok(order.drafted.get_or_init(|| drafted))
    }

    /// Runs a check on every set of actions and its draft.
    fn each_draft(
        &self,
        mut run: impl FnMut(&ActionSet, &Drafted) -> Result<(), Reason>,
    ) -> Result<(), Reason> {
        for order in &self.orders {
            run(order, self.drafted(order)?)?;
        }
        Ok(())
    }
}

impl ActionSet {
    fn failed(&self, expected: &str, found: &str) -> Reason {
        failed(expected, format!("{}: {found}", self.name))
    }
}

fn limits() -> DraftLimits {
    let limits = Limits::for_role(Role::MemoryWriter);
    DraftLimits {
        files: limits.draft_files,
        bytes: limits.draft_bytes,
    }
}

/// Lists the files that the host expects, at the reported paths.
fn expected(order: &ActionSet, written: &[Written]) -> Result<Vec<ExpectedDraft>, String> {
    if let Some(stranger) = written.iter().find(|one| {
        order
            .actions
            .iter()
            .all(|action| action.id != one.action_id)
    }) {
        return Err(format!(
            "it reports a file for `{}`, which was not asked for",
            stranger.action_id
        ));
    }
    order
        .actions
        .iter()
        .map(|action| {
            let mut reported = written.iter().filter(|one| one.action_id == action.id);
            match (reported.next(), reported.next()) {
                (Some(one), None) => Ok(ExpectedDraft {
                    action_id: action.id.clone(),
                    memory_id: action.memory_id.clone(),
                    memory_type: type_of(action),
                    path: one.path.clone(),
                    target: action.target.clone().map(Utf8PathBuf::from),
                }),
                (None, _) => Err(format!("it reports no file for `{}`", action.id)),
                (Some(_), Some(_)) => Err(format!("it reports two files for `{}`", action.id)),
            }
        })
        .collect()
}

fn type_of(action: &WriteAction) -> MemoryType {
    let category = action.candidate.as_ref().map(|one| one.category.as_str());
    category
        .and_then(MemoryType::from_name)
        .unwrap_or(MemoryType::Summary)
}

/// Reports whether the host misses a file, has an extra one, or has one at the wrong path.
fn is_about_files(error: &DraftError) -> bool {
    !matches!(
        error,
        DraftError::NotUtf8 { .. }
            | DraftError::FrontMatter { .. }
            | DraftError::Incomplete { .. }
            | DraftError::WrongId { .. }
            | DraftError::BadTitle { .. }
            | DraftError::Hidden { .. }
    )
}

/// Formats a writer's failure.
fn said(failure: &Failure) -> String {
    format!("failed with `{}`: {}", failure.code, failure.message)
}
