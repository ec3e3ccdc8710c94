//! Spending of one run. Every call first reserves its worst case from the run's and the day's budget; afterwards the
//! actual usage is charged instead. A charge never exceeds its reservation, so the sum never exceeds the budget,
//! whatever a provider claims.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::ledger::{Day, DayLedger, LedgerAnswer, LedgerEntry, SpentAmount, WorstCall};
use crate::spending::DAY_MS;
use crate::{Budget, Clock, Code, LlmError, Money, Price, RemainingBudget, Usage};

pub(crate) struct RunAccount {
    budget: Budget,
    /// `None` if nothing is really spent, as in replay; then the day has no limits.
    ledger: Option<Arc<dyn DayLedger>>,
    clock: Arc<dyn Clock>,
    state: Mutex<AccountState>,
    settled: Condvar,
}

/// Upper bound of what a call can use.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorstCase {
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
    pub(crate) price: Option<Price>,
    /// Timeout of the call.
    pub(crate) longest: Duration,
}

/// Actual usage of a call.
#[derive(Debug, Clone, Copy)]
pub(crate) enum CallUsage {
    Nothing,
    Tokens {
        input: u64,
        output: u64,
    },
    /// Not known: charged as the worst case.
    Unknown,
}

/// Budget reserved for one call. Charged in full if it is dropped without being settled.
pub(crate) struct Reservation<'a> {
    account: &'a RunAccount,
    worst: WorstCase,
    /// `None` without a ledger.
    entry: Option<LedgerEntry>,
    open: bool,
}

/// Reason why nothing was reserved.
enum ReservationDenied {
    /// The run's budget would be exceeded.
    Over(String),
    /// The day's budget would be exceeded.
    OverDay(String),
    /// The ledger cannot be used, so nothing is spent.
    NoLedger(LlmError),
}

#[derive(Default)]
struct AccountState {
    calls: u64,
    /// Charged plus reserved.
    committed: SpentAmount,
    in_flight: u64,
    usage: Usage,
}

impl RunAccount {
    pub(crate) fn new(
        budget: Budget,
        ledger: Option<Arc<dyn DayLedger>>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            budget,
            ledger,
            clock,
            state: Mutex::new(AccountState::default()),
            settled: Condvar::new(),
        }
    }

    /// Reserves the worst case of a call, or returns an error if it does not fit. Waits for budget that other calls of
    /// this run hold temporarily.
    pub(crate) fn reserve(&self, worst: WorstCase) -> Result<Reservation<'_>, LlmError> {
        if worst.price.is_none() && self.has_cost_budget() {
            return Err(LlmError::new(
                Code::Budget,
                "the price of the model is not known, so the budget in dollars cannot be enforced",
            )
            .hint(
                "give its price with `llm.prices = [\"MODEL INPUT OUTPUT\"]`, in dollars per million \
                 tokens, or limit tokens with `llm.budget.day_tokens` instead of dollars",
            ));
        }
        let mut state = self.state();
        loop {
            let day = self.today();
            match self.try_reserve(&mut state, day, &worst) {
                Ok(entry) => {
                    return Ok(Reservation {
                        account: self,
                        worst,
                        entry,
                        open: true,
                    });
                }
                Err(ReservationDenied::Over(_) | ReservationDenied::OverDay(_))
                    if state.in_flight > 0 && self.has_calls_left(&state) =>
                {
                    state = self
                        .settled
                        .wait(state)
                        .unwrap_or_else(PoisonError::into_inner);
                }
                Err(ReservationDenied::Over(reason)) => {
                    return Err(LlmError::new(Code::Budget, reason)
                        .hint("raise the budget in the user config"));
                }
                Err(ReservationDenied::OverDay(reason)) => {
                    return Err(LlmError::new(Code::Budget, reason)
                        .hint("the budget resets at midnight UTC; `llm.budget` sets it")
                        .retry_at((day + 1).saturating_mul(DAY_MS)));
                }
                Err(ReservationDenied::NoLedger(error)) => return Err(error),
            }
        }
    }

    pub(crate) fn left(&self) -> RemainingBudget {
        let state = self.state();
        let run = &self.budget.per_run;
        let mut left = RemainingBudget {
            calls: run.calls.map(|most| most.saturating_sub(state.calls)),
            tokens: run
                .tokens
                .map(|most| most.saturating_sub(state.committed.tokens)),
            cost: run.cost.map(|most| most.minus(state.committed.cost)),
        };
        if let Some(ledger) = &self.ledger {
            let day = &self.budget.per_day;
            // If the ledger cannot be read, nothing will be spent either.
            let spent = ledger.spent(self.today()).unwrap_or(SpentAmount {
                calls: u64::MAX,
                tokens: u64::MAX,
                cost: Money::from_picodollars(u64::MAX),
                list_price: Money::ZERO,
            });
            let calls = day.calls.map(|most| most.saturating_sub(spent.calls));
            let tokens = day.tokens.map(|most| most.saturating_sub(spent.tokens));
            let cost = day.cost.map(|most| most.minus(spent.cost));
            left.calls = least(left.calls, calls);
            left.tokens = least(left.tokens, tokens);
            left.cost = least(left.cost, cost);
        }
        left
    }

    pub(crate) fn usage(&self) -> Usage {
        self.state().usage
    }

    /// Updates the usage counters at no cost.
    pub(crate) fn note(&self, note: impl FnOnce(&mut Usage)) {
        note(&mut self.state().usage);
    }

    fn try_reserve(
        &self,
        state: &mut AccountState,
        day: Day,
        worst: &WorstCase,
    ) -> Result<Option<LedgerEntry>, ReservationDenied> {
        if !self.has_calls_left(state) {
            let calls = state.calls;
            return Err(ReservationDenied::Over(format!(
                "the run's budget of {calls} calls is used up"
            )));
        }
        let run = &self.budget.per_run;
        let amount = worst.amount();
        let after = state.committed.plus(amount);
        if let Some(tokens) = run.tokens.filter(|most| after.tokens > *most) {
            return Err(ReservationDenied::Over(format!(
                "the run's budget is {tokens} tokens, {} are spent or reserved, and this call could take {}",
                state.committed.tokens, amount.tokens
            )));
        }
        if let Some(cost) = run.cost.filter(|most| after.cost > *most) {
            return Err(ReservationDenied::Over(format!(
                "the run's budget is {cost}, {} are spent or reserved, and this call could take {}",
                state.committed.cost, amount.cost
            )));
        }
        let entry = match &self.ledger {
            Some(ledger) => Some(self.reserve_of_day(ledger.as_ref(), day, worst)?),
            None => None,
        };
        state.committed = after;
        state.calls += 1;
        state.in_flight += 1;
        Ok(entry)
    }

    fn reserve_of_day(
        &self,
        ledger: &dyn DayLedger,
        day: Day,
        worst: &WorstCase,
    ) -> Result<LedgerEntry, ReservationDenied> {
        let limits = self.budget.per_day;
        let call = WorstCall {
            day,
            amount: worst.amount(),
            limits,
            longest: worst.longest,
        };
        match ledger.reserve(&call) {
            Ok(LedgerAnswer::Reserved(entry)) => Ok(entry),
            Ok(LedgerAnswer::Over { spent }) => Err(ReservationDenied::OverDay(
                (limits.refusal(spent, call.amount))
                    .unwrap_or_else(|| "the day's budget is used up".to_owned()),
            )),
            Err(error) => Err(ReservationDenied::NoLedger(error.into())),
        }
    }

    fn has_calls_left(&self, state: &AccountState) -> bool {
        let most = self.budget.per_run.calls;
        most.is_none_or(|most| state.calls < most)
    }

    fn has_cost_budget(&self) -> bool {
        let by_day = self.ledger.as_ref().and(self.budget.per_day.cost);
        self.budget.per_run.cost.or(by_day).is_some()
    }

    fn today(&self) -> Day {
        self.clock.now_ms() / DAY_MS
    }

    fn state(&self) -> MutexGuard<'_, AccountState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation<'_> {
    pub(crate) fn settle(mut self, taken: CallUsage, list_price: Option<Money>) {
        self.close(taken, list_price.unwrap_or_default());
    }

    fn close(&mut self, taken: CallUsage, list_price: Money) {
        if !std::mem::replace(&mut self.open, false) {
            return;
        }
        let worst = self.worst;
        let (claimed_input, claimed_output) = match taken {
            CallUsage::Nothing => (0, 0),
            CallUsage::Tokens { input, output } => (input, output),
            CallUsage::Unknown => (worst.input_tokens, worst.output_tokens),
        };
        // A claim is capped at the most that the call could use.
        let input = claimed_input.min(worst.input_tokens);
        let output = claimed_output.min(worst.output_tokens);
        let charged = WorstCase {
            input_tokens: input,
            output_tokens: output,
            ..worst
        };
        let charged = SpentAmount {
            // A call that used nothing, for example without a login, does not count for the day.
            calls: u64::from(!matches!(taken, CallUsage::Nothing)),
            list_price,
            ..charged.amount()
        };

        if let Some((ledger, entry)) = self.account.ledger.as_ref().zip(self.entry.as_ref()) {
            // If the correction fails, the worst case stays in the ledger, which is the safe side.
            if let Err(error) = ledger.settle(entry, charged) {
                tracing::warn!(%error, "a call's usage could not be recorded");
            }
        }
        let mut state = self.account.state();
        state.committed = state.committed.minus(worst.amount()).plus(charged);
        state.in_flight -= 1;
        state.usage.calls += 1;
        state.usage.input_tokens += input;
        state.usage.output_tokens += output;
        if matches!(taken, CallUsage::Unknown) {
            state.usage.assumed_input_tokens += input;
            state.usage.assumed_output_tokens += output;
        }
        state.usage.cost = state.usage.cost.plus(charged.cost);
        state.usage.list_price = state.usage.list_price.plus(list_price);
        state.usage.unpriced_calls += u64::from(worst.price.is_none());
        let disputed = (claimed_input - input).saturating_add(claimed_output - output);
        state.usage.disputed_tokens = state.usage.disputed_tokens.saturating_add(disputed);
        drop(state);
        self.account.settled.notify_all();
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.close(CallUsage::Unknown, Money::ZERO);
    }
}

impl WorstCase {
    fn amount(&self) -> SpentAmount {
        let price = self.price;
        SpentAmount {
            calls: 1,
            tokens: self.input_tokens.saturating_add(self.output_tokens),
            cost: price.map_or(Money::ZERO, |price| {
                price.of(self.input_tokens, self.output_tokens)
            }),
            list_price: Money::ZERO,
        }
    }
}

fn least<T: Ord>(left: Option<T>, right: Option<T>) -> Option<T> {
    match (left, right) {
        (Some(left), Some(right)) => Some(left.min(right)),
        (one, other) => one.or(other),
    }
}
