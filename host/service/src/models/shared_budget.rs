//! The day's budget of a project where machines share the state: every call is reserved on the server first, under the
//! project that all machines know. If the server cannot be reached, nothing is reserved and no model is asked.
//!
//! A call whose usage could not be recorded is settled before the next one is reserved, as long as this process lives.

use std::sync::OnceLock;

use acreta_llm::{
    Day, DayLedger, LedgerAnswer, LedgerEntry, LedgerError, Money, SpentAmount, WorstCall,
};
use acreta_state::{
    Project, ReservationId, SpendingAmount, SpendingDay, SpendingLimits, SpendingReservation,
    StateLocation,
};
use camino::{Utf8Path, Utf8PathBuf};

use crate::models::unsettled::{Settlement, Unsettled};
use crate::process::caches::{Catalogs, LentCatalog};
use crate::process::clock::now_ms;
use crate::{Context, Failure, process::state};

/// Time beyond a call's timeout until its reservation is given back: a program has to be stopped, and usage recorded.
const MARGIN_MS: u64 = 2 * 60_000;

/// The account of calls that belong to no known project, such as a trial of a model.
const NO_PROJECT: &str = "no project";

/// The ledger of one project in the catalog.
pub(crate) struct SharedBudget {
    catalogs: Catalogs,
    location: StateLocation,
    root: Utf8PathBuf,
    /// Known since the first call.
    account: OnceLock<String>,
    unsettled: Unsettled,
}

impl SharedBudget {
    /// Returns the budget of the project at `root`; `None` if the state is this machine's own. Does not connect.
    pub(crate) fn of(context: &Context, root: &Utf8Path) -> Result<Option<Self>, Failure> {
        let location = state::location(context)?;
        Ok(location
            .is_shared()
            .then(|| Self::at(context, location, root)))
    }

    fn at(context: &Context, location: StateLocation, root: &Utf8Path) -> Self {
        let kept = &context.process.kept;
        Self {
            catalogs: kept.catalogs.clone(),
            location,
            root: root.to_owned(),
            account: OnceLock::new(),
            unsettled: kept.unsettled.clone(),
        }
    }

    fn open(&self) -> Result<(LentCatalog, &str), Failure> {
        let catalog = self.catalogs.lend(&self.location)?;
        let account = match self.account.get() {
            Some(account) => account,
            None => {
                let project = catalog.project_at(&self.root)?;
                self.account.get_or_init(|| account_of(project.as_ref()))
            }
        };
        Ok((catalog, account))
    }

    fn try_reserve(&self, call: &WorstCall) -> Result<LedgerAnswer, Failure> {
        let (catalog, account) = self.open()?;
        self.unsettled.settle(&catalog)?;
        let limits = SpendingLimits {
            calls: call.limits.calls,
            tokens: call.limits.tokens,
            picodollars: call.limits.cost.map(Money::picodollars),
        };
        let longest_ms = u64::try_from(call.longest.as_millis()).unwrap_or(u64::MAX);
        let reserved = catalog.reserve_spending(
            SpendingDay {
                account,
                day: call.day,
            },
            stored(call.amount),
            limits,
            longest_ms.saturating_add(MARGIN_MS),
            now_ms(),
        )?;
        Ok(match reserved {
            SpendingReservation::Reserved(ReservationId(number)) => {
                LedgerAnswer::Reserved(LedgerEntry {
                    day: call.day,
                    amount: call.amount,
                    number,
                })
            }
            SpendingReservation::OverLimit { taken, .. } => LedgerAnswer::Over {
                spent: amount(taken),
            },
        })
    }
}

impl DayLedger for SharedBudget {
    fn reserve(&self, call: &WorstCall) -> Result<LedgerAnswer, LedgerError> {
        self.try_reserve(call).map_err(unreachable)
    }

    fn settle(&self, entry: &LedgerEntry, used: SpentAmount) -> Result<(), LedgerError> {
        let account = self.account.get().map_or(NO_PROJECT, String::as_str);
        self.unsettled.add(Settlement {
            account: account.to_owned(),
            day: entry.day,
            reservation: ReservationId(entry.number),
            used: stored(used),
        });
        let catalog = self.catalogs.lend(&self.location);
        let settled = catalog.and_then(|catalog| Ok(self.unsettled.settle(&catalog)?));
        settled.map_err(unreachable)
    }

    fn spent(&self, day: Day) -> Result<SpentAmount, LedgerError> {
        let spent = self.open().and_then(|(catalog, account)| {
            Ok(catalog.spending(SpendingDay { account, day }, now_ms())?)
        });
        spent.map(amount).map_err(unreachable)
    }
}

/// Names a project by what all machines know of it; one that only this machine has, by its number.
fn account_of(project: Option<&Project>) -> String {
    let Some(project) = project else {
        return NO_PROJECT.to_owned();
    };
    let identity = &project.identity;
    match identity.root_commit.as_ref().zip(identity.remote.as_ref()) {
        Some((commit, remote)) => format!("{commit} {remote}"),
        None => format!("project {}", project.id),
    }
}

fn stored(amount: SpentAmount) -> SpendingAmount {
    SpendingAmount {
        calls: amount.calls,
        tokens: amount.tokens,
        picodollars: amount.cost.picodollars(),
        list_picodollars: amount.list_price.picodollars(),
    }
}

fn amount(stored: SpendingAmount) -> SpentAmount {
    SpentAmount {
        calls: stored.calls,
        tokens: stored.tokens,
        cost: Money::from_picodollars(stored.picodollars),
        list_price: Money::from_picodollars(stored.list_picodollars),
    }
}

fn unreachable(failure: Failure) -> LedgerError {
    LedgerError {
        message: failure.to_string(),
        hint: failure.hints.into_iter().next(),
        is_passing: true,
    }
}

#[cfg(test)]
mod tests {
    use acreta_llm::DayBudget;
    use acreta_state::{Catalog, CatalogOptions};
    use acreta_types::Identity;

    use super::*;

    const NOW: u64 = 1_900_000_000_000;

    /// A folder for a catalog. Any catalog can hold a budget; a file needs no server.
    struct Place(tempfile::TempDir);

    impl Place {
        fn path(&self, name: &str) -> Utf8PathBuf {
            let path = self.0.path().join(name);
            Utf8PathBuf::from_path_buf(path).unwrap()
        }

        /// Returns the budget of a project as a process with its own connections sees it.
        fn budget(&self, root: &str) -> SharedBudget {
            SharedBudget {
                catalogs: Catalogs::default(),
                location: self.path("state/state.db").into(),
                root: root.into(),
                account: OnceLock::new(),
                unsettled: Unsettled::default(),
            }
        }
    }

    fn place() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        let folder = place.path("state");
        acreta_fs::Directory::open_or_create_private(&folder, acreta_fs::NoFaults::shared())
            .unwrap();
        place
    }

    fn one_call() -> WorstCall {
        WorstCall {
            day: NOW / 86_400_000,
            amount: SpentAmount {
                calls: 1,
                tokens: 100,
                cost: Money::from_picodollars(5),
                list_price: Money::ZERO,
            },
            limits: DayBudget {
                calls: Some(1),
                ..DayBudget::default()
            },
            longest: std::time::Duration::from_secs(60),
        }
    }

    fn reserved(answer: LedgerAnswer) -> LedgerEntry {
        match answer {
            LedgerAnswer::Reserved(entry) => entry,
            over => panic!("{over:?}"),
        }
    }

    #[test]
    fn checkouts_of_one_repository_share_a_budget() {
        let place = place();
        let catalog = Catalog::open(&place.path("state/state.db"), CatalogOptions::default());
        let catalog = catalog.unwrap();
        let identity = |commit: &str, remote: Option<&str>| Identity {
            root_commit: Some(commit.to_owned()),
            remote: remote.map(str::to_owned),
        };
        for (root, identity) in [
            ("/ann/app", identity("c1", Some("host/app"))),
            ("/worker/clones/0", identity("c1", Some("host/app"))),
            ("/ann/fork", identity("c1", Some("host/fork"))),
            ("/ann/notes", identity("c2", None)),
        ] {
            catalog.register(root.into(), &identity, NOW).unwrap();
        }
        // Columns: project; whether its only call is left.
        for (root, is_left) in [
            ("/ann/app", true),
            ("/worker/clones/0", false),
            ("/ann/fork", true),
            ("/ann/notes", true),
            ("/ann/notes", false),
            ("/nowhere", true),
            ("/elsewhere", false),
        ] {
            let answer = place.budget(root).reserve(&one_call()).unwrap();
            let found = matches!(answer, LedgerAnswer::Reserved(_));
            assert_eq!(found, is_left, "{root}: {answer:?}");
        }
    }

    #[test]
    fn usage_replaces_the_reservation() {
        let place = place();
        let budget = place.budget("/ann/app");
        let call = one_call();
        let entry = reserved(budget.reserve(&call).unwrap());
        assert_eq!(budget.spent(call.day).unwrap(), call.amount);
        let over = place.budget("/ann/app").reserve(&call).unwrap();
        assert_eq!(over, LedgerAnswer::Over { spent: call.amount });
        budget.settle(&entry, SpentAmount::default()).unwrap();
        let entry = reserved(place.budget("/ann/app").reserve(&call).unwrap());
        let used = SpentAmount {
            tokens: 40,
            ..call.amount
        };
        budget.settle(&entry, used).unwrap();
        assert_eq!(place.budget("/ann/app").spent(call.day).unwrap(), used);
    }

    #[test]
    fn usage_is_kept_while_the_state_is_away() {
        let place = place();
        let call = WorstCall {
            limits: DayBudget::default(),
            ..one_call()
        };
        let budget = place.budget("/ann/app");
        let entry = reserved(budget.reserve(&call).unwrap());
        let away = SharedBudget {
            // A file is in the way of its folder.
            location: place.path("state/state.db/state.db").into(),
            unsettled: budget.unsettled.clone(),
            ..place.budget("/ann/app")
        };
        assert!(away.reserve(&call).is_err(), "nothing is reserved");
        let used = SpentAmount {
            tokens: 40,
            ..call.amount
        };
        let error = away.settle(&entry, used).unwrap_err();
        assert!(error.is_passing, "{error}");
        assert!(error.message.contains("state.db"), "{error}");
        reserved(budget.reserve(&call).unwrap());
        let spent = budget.spent(call.day).unwrap();
        assert_eq!((spent.calls, spent.tokens), (2, 140));
    }
}
