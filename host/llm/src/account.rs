//! What one run spends. Every call reserves its worst case here, from the run and from the day,
//! before it is made; afterwards what it took is charged instead. What is charged never goes over
//! what was reserved, so the sum never goes over the budget, whatever a provider claims.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::ledger::{Amount, Day, Denied, Ledger};
use crate::settings::RunBudget;
use crate::spending::DAY_MS;
use crate::{Clock, Code, Left, LlmError, Money, Price, Usage};

pub(crate) struct Account {
    budget: RunBudget,
    /// None when nothing that is spent is real.
    ledger: Option<Arc<Ledger>>,
    clock: Arc<dyn Clock>,
    state: Mutex<State>,
    settled: Condvar,
}

/// The most a call can take.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WorstCase {
    pub(crate) input_tokens: u64,
    pub(crate) output_tokens: u64,
    pub(crate) price: Option<Price>,
}

/// What a call did take.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Taken {
    Nothing,
    Tokens {
        input: u64,
        output: u64,
    },
    /// Nobody knows: charged as the worst case.
    Unknown,
}

/// Budget set aside for one call. Dropped without a word, it is charged in full.
pub(crate) struct Reservation<'a> {
    account: &'a Account,
    worst: WorstCase,
    day: Day,
    open: bool,
}

#[derive(Default)]
struct State {
    calls: u64,
    /// Charged and reserved together.
    committed: Amount,
    in_flight: u64,
    usage: Usage,
}

impl Account {
    pub(crate) fn new(
        budget: RunBudget,
        ledger: Option<Arc<Ledger>>,
        clock: Arc<dyn Clock>,
    ) -> Self {
        Self {
            budget,
            ledger,
            clock,
            state: Mutex::new(State::default()),
            settled: Condvar::new(),
        }
    }

    /// Sets aside the worst case of a call, or says that it does not fit. What only other calls of
    /// this run hold for the moment is waited for.
    pub(crate) fn reserve(&self, worst: WorstCase) -> Result<Reservation<'_>, LlmError> {
        if worst.price.is_none() && self.has_cost_budget() {
            return Err(LlmError::new(
                Code::Budget,
                "the price of the model is not known, so the budget in dollars cannot be kept",
            )
            .hint(
                "give its price with `llm.prices = [\"MODEL INPUT OUTPUT\"]`, in dollars per million \
                 tokens, or limit tokens with `llm.budget.day_tokens` instead of dollars",
            ));
        }
        let amount = worst.amount();
        let mut state = self.state();
        loop {
            let day = self.today();
            match self.try_reserve(&mut state, day, amount) {
                Ok(()) => {
                    return Ok(Reservation {
                        account: self,
                        worst,
                        day,
                        open: true,
                    });
                }
                Err(Denied::Over(_) | Denied::OverDay(_))
                    if state.in_flight > 0 && self.has_calls_left(&state) =>
                {
                    state = self
                        .settled
                        .wait(state)
                        .unwrap_or_else(PoisonError::into_inner);
                }
                Err(Denied::Over(reason)) => {
                    return Err(LlmError::new(Code::Budget, reason)
                        .hint("raise the budget in the user config, if that is worth it"));
                }
                Err(Denied::OverDay(reason)) => {
                    return Err(LlmError::new(Code::Budget, reason)
                        .hint("it begins anew at midnight UTC; `llm.budget` sets it")
                        .retry_at((day + 1).saturating_mul(DAY_MS)));
                }
                Err(Denied::Books(error)) => return Err(error),
            }
        }
    }

    pub(crate) fn left(&self) -> Left {
        let state = self.state();
        let mut left = Left {
            calls: self
                .budget
                .calls
                .map(|most| most.saturating_sub(state.calls)),
            tokens: self
                .budget
                .tokens
                .map(|most| most.saturating_sub(state.committed.tokens)),
            cost: self
                .budget
                .cost
                .map(|most| most.minus(state.committed.cost)),
        };
        if let Some(ledger) = &self.ledger {
            let budget = ledger.budget();
            // Where the books cannot be read nothing will be spent either.
            let spent = ledger.spent(self.today()).unwrap_or(Amount {
                calls: u64::MAX,
                tokens: u64::MAX,
                cost: Money::from_picodollars(u64::MAX),
                list_price: Money::ZERO,
            });
            let calls = budget.calls.map(|most| most.saturating_sub(spent.calls));
            let tokens = budget.tokens.map(|most| most.saturating_sub(spent.tokens));
            let cost = budget.cost.map(|most| most.minus(spent.cost));
            left.calls = least(left.calls, calls);
            left.tokens = least(left.tokens, tokens);
            left.cost = least(left.cost, cost);
        }
        left
    }

    pub(crate) fn usage(&self) -> Usage {
        self.state().usage
    }

    /// Notes something that costs nothing.
    pub(crate) fn note(&self, note: impl FnOnce(&mut Usage)) {
        note(&mut self.state().usage);
    }

    fn try_reserve(&self, state: &mut State, day: Day, amount: Amount) -> Result<(), Denied> {
        if !self.has_calls_left(state) {
            let calls = state.calls;
            return Err(Denied::Over(format!(
                "the run's budget of {calls} calls is used up"
            )));
        }
        let after = state.committed.plus(amount);
        if let Some(tokens) = self.budget.tokens.filter(|most| after.tokens > *most) {
            return Err(Denied::Over(format!(
                "the run's budget is {tokens} tokens, {} are spent or reserved, and this call could take {}",
                state.committed.tokens, amount.tokens
            )));
        }
        if let Some(cost) = self.budget.cost.filter(|most| after.cost > *most) {
            return Err(Denied::Over(format!(
                "the run's budget is {cost}, {} are spent or reserved, and this call could take {}",
                state.committed.cost, amount.cost
            )));
        }
        if let Some(ledger) = &self.ledger {
            ledger.reserve(day, amount)?;
        }
        state.committed = after;
        state.calls += 1;
        state.in_flight += 1;
        Ok(())
    }

    fn has_calls_left(&self, state: &State) -> bool {
        self.budget.calls.is_none_or(|most| state.calls < most)
    }

    fn has_cost_budget(&self) -> bool {
        let by_day = self.ledger.as_ref().and_then(|ledger| ledger.budget().cost);
        self.budget.cost.or(by_day).is_some()
    }

    fn today(&self) -> Day {
        self.clock.now_ms() / DAY_MS
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Reservation<'_> {
    pub(crate) fn settle(mut self, taken: Taken, list_price: Option<Money>) {
        self.close(taken, list_price.unwrap_or_default());
    }

    fn close(&mut self, taken: Taken, list_price: Money) {
        if !std::mem::replace(&mut self.open, false) {
            return;
        }
        let worst = self.worst;
        let (claimed_input, claimed_output) = match taken {
            Taken::Nothing => (0, 0),
            Taken::Tokens { input, output } => (input, output),
            Taken::Unknown => (worst.input_tokens, worst.output_tokens),
        };
        // No more than the call could take is believed.
        let input = claimed_input.min(worst.input_tokens);
        let output = claimed_output.min(worst.output_tokens);
        let charged = WorstCase {
            input_tokens: input,
            output_tokens: output,
            price: worst.price,
        };
        let charged = Amount {
            // A call that took nothing, such as one nobody was logged in for, is none of the day's.
            calls: u64::from(!matches!(taken, Taken::Nothing)),
            list_price,
            ..charged.amount()
        };

        if let Some(ledger) = &self.account.ledger {
            // What cannot be corrected stays on the books as the worst case: the safe side.
            let _ = ledger.settle(self.day, worst.amount(), charged);
        }
        let mut state = self.account.state();
        state.committed = state.committed.minus(worst.amount()).plus(charged);
        state.in_flight -= 1;
        state.usage.calls += 1;
        state.usage.input_tokens += input;
        state.usage.output_tokens += output;
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
        self.close(Taken::Unknown, Money::ZERO);
    }
}

impl WorstCase {
    fn amount(&self) -> Amount {
        let price = self.price;
        Amount {
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
