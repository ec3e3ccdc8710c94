//! Every call goes through the day's ledger, whoever keeps it: reserved before the call, settled once afterwards, and not
//! made if the ledger refuses or cannot be reached.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use acreta_llm::{
    Budget, Code, Day, DayBudget, DayLedger, LedgerAnswer, LedgerEntry, LedgerError, SpentAmount,
    WorstCall,
};
use acreta_types::with_causes;

use crate::server::{ScriptedServer, ServerStep};
use crate::support::{ModelHome, ask, openai};

const DAY_MS: u64 = 24 * 60 * 60 * 1000;
const LIMITS: DayBudget = DayBudget {
    calls: Some(7),
    tokens: None,
    cost: None,
};

/// Behaviour of the ledger.
#[derive(Clone, Copy)]
enum Behaviour {
    Grants,
    /// Somebody else has spent this.
    Spent(SpentAmount),
    Fails,
    /// Grants, and cannot record usage.
    FailsToSettle,
}

struct FakeLedger {
    behaviour: Behaviour,
    log: Mutex<LedgerLog>,
}

#[derive(Default)]
struct LedgerLog {
    reserved: Vec<WorstCall>,
    /// Number and amount of each settlement.
    settled: Vec<(i64, SpentAmount)>,
    most_open: usize,
}

impl FakeLedger {
    fn new(behaviour: Behaviour) -> Arc<Self> {
        Arc::new(Self {
            behaviour,
            log: Mutex::default(),
        })
    }
}

fn away() -> LedgerError {
    LedgerError {
        message: "could not use `postgres://db.example`".to_owned(),
        hint: Some("check that the server runs".to_owned()),
        is_passing: true,
    }
}

impl DayLedger for FakeLedger {
    fn reserve(&self, call: &WorstCall) -> Result<LedgerAnswer, LedgerError> {
        match self.behaviour {
            Behaviour::Fails => return Err(away()),
            Behaviour::Spent(spent) => return Ok(LedgerAnswer::Over { spent }),
            Behaviour::Grants | Behaviour::FailsToSettle => {}
        }
        let mut log = self.log.lock().unwrap();
        log.reserved.push(*call);
        log.most_open = log.most_open.max(log.reserved.len() - log.settled.len());
        Ok(LedgerAnswer::Reserved(LedgerEntry {
            day: call.day,
            amount: call.amount,
            number: log.reserved.len() as i64,
        }))
    }

    fn settle(&self, entry: &LedgerEntry, used: SpentAmount) -> Result<(), LedgerError> {
        let mut log = self.log.lock().unwrap();
        log.settled.push((entry.number, used));
        match self.behaviour {
            Behaviour::FailsToSettle => Err(away()),
            _ => Ok(()),
        }
    }

    fn spent(&self, _day: Day) -> Result<SpentAmount, LedgerError> {
        match self.behaviour {
            Behaviour::Fails => Err(away()),
            Behaviour::Spent(spent) => Ok(spent),
            Behaviour::Grants | Behaviour::FailsToSettle => Ok(SpentAmount::default()),
        }
    }
}

fn home(server: &ScriptedServer, ledger: &Arc<FakeLedger>) -> ModelHome {
    let mut home = ModelHome::openai(server).budget(Budget {
        per_day: LIMITS,
        ..Budget::default()
    });
    home.ledger = Some(Arc::clone(ledger) as Arc<dyn DayLedger>);
    home
}

#[test]
fn a_call_is_reserved_first_and_settled_once() {
    let ok = || ServerStep::openai("Yes.", (20, 2));
    let busy = || ServerStep::error(503, "later");
    // Columns: replies of the server; calls and tokens of each settlement, `None` for the worst case.
    let table = [
        ("an answer", vec![ok()], vec![(1, Some(22))]),
        (
            "no key",
            vec![ServerStep::error(401, "no")],
            vec![(0, Some(0))],
        ),
        ("a lost connection", vec![ServerStep::Cut], vec![(1, None)]),
        (
            "an answer at the third attempt",
            vec![busy(), busy(), ok()],
            vec![(0, Some(0)), (0, Some(0)), (1, Some(22))],
        ),
    ];
    for (name, steps, expected) in table {
        let server = ScriptedServer::start(steps);
        let ledger = FakeLedger::new(Behaviour::Grants);
        let home = home(&server, &ledger);
        let _reply = home.session().complete(&ask("Is it?"));
        let log = ledger.log.lock().unwrap();
        assert_eq!(log.reserved.len(), server.calls().len(), "{name}");
        for call in &log.reserved {
            assert_eq!(
                (call.day, call.limits, call.longest, call.amount.calls),
                (home.clock_ms() / DAY_MS, LIMITS, Duration::from_secs(20), 1),
                "{name}"
            );
        }
        let expected: Vec<_> = expected
            .into_iter()
            .zip(&log.reserved)
            .zip(1..)
            .map(|(((calls, tokens), worst), number)| {
                (number, calls, tokens.unwrap_or(worst.amount.tokens))
            })
            .collect();
        let settled: Vec<_> = (log.settled.iter())
            .map(|(number, used)| (*number, used.calls, used.tokens))
            .collect();
        assert_eq!(settled, expected, "{name}");
        assert_eq!(log.most_open, 1, "{name}");
    }
}

#[test]
fn a_refusal_or_a_lost_ledger_stops_the_call() {
    let spent = SpentAmount {
        calls: 7,
        ..SpentAmount::default()
    };
    let table = [
        (
            Behaviour::Spent(spent),
            (Code::Budget, false, true),
            "the day's budget of 7 calls is used up",
            "midnight UTC",
        ),
        (
            Behaviour::Fails,
            (Code::NoLedger, true, false),
            "cannot be recorded, so the model is not asked: could not use `postgres://db.example`",
            "check that the server runs",
        ),
    ];
    for (behaviour, expected, says, hint) in table {
        let server = ScriptedServer::start([ServerStep::openai("Yes.", (20, 2))]);
        let ledger = FakeLedger::new(behaviour);
        let mut home = home(&server, &ledger);
        // A fallback would be paid from the same budget.
        home.fall_back_on(openai(&server));
        let session = home.session();
        let error = session.complete(&ask("Is it?")).unwrap_err();
        let midnight = (home.clock_ms() / DAY_MS + 1) * DAY_MS;
        let is_until_midnight = error.retry_at_ms() == Some(midnight);
        assert_eq!(
            (error.code(), error.is_retryable(), is_until_midnight),
            expected,
            "{says}"
        );
        assert!(
            with_causes(&error).contains(says),
            "{}",
            with_causes(&error)
        );
        assert!(error.help().unwrap().contains(hint), "{error}");
        assert_eq!(session.left().calls, Some(0), "{says}");
        assert!(server.calls().is_empty(), "{says}");
        assert!(ledger.log.lock().unwrap().settled.is_empty(), "{says}");
    }
}

#[test]
fn usage_that_cannot_be_recorded_does_not_cost_the_reply() {
    let server = ScriptedServer::start([ServerStep::openai("Yes.", (20, 2))]);
    let ledger = FakeLedger::new(Behaviour::FailsToSettle);
    let session = home(&server, &ledger).session();
    assert_eq!(session.complete(&ask("Is it?")).unwrap().content, "Yes.");
    assert_eq!(ledger.log.lock().unwrap().settled.len(), 1);
}

#[test]
fn nothing_is_reserved_for_a_call_that_waits_for_its_turn() {
    let server = ScriptedServer::start([ServerStep::openai("Yes.", (20, 2))]);
    let ledger = FakeLedger::new(Behaviour::Grants);
    let mut home = home(&server, &ledger);
    home.provider().max_parallel = 1;
    let llm = home.llm();
    std::thread::scope(|scope| {
        for number in 0..4 {
            let session = llm.session(acreta_llm::Run {
                id: format!("run-{number}"),
                folder: home.run_folder(),
            });
            scope.spawn(move || session.complete(&ask(&format!("Is it {number}?"))).unwrap());
        }
    });
    let log = ledger.log.lock().unwrap();
    assert_eq!((log.reserved.len(), log.settled.len()), (4, 4));
    assert_eq!(log.most_open, 1);
}
