//! Counts the work of the redactor, in tests only: the bytes that its parts read. A count says the same on every
//! machine, so that a test can hold it against the length of the text.

#[cfg(not(test))]
pub(crate) fn did(_bytes: usize) {}

#[cfg(not(test))]
pub(crate) fn did_match(_rule: usize, _text: &[u8]) {}

#[cfg(test)]
pub(crate) use counting::{did, did_match, total};

#[cfg(test)]
mod counting {
    use std::cell::{Cell, RefCell};
    use std::collections::HashMap;

    use regex_automata::Input;
    use regex_automata::hybrid::dfa::{Cache, DFA};

    use crate::rulebook::RULEBOOK;
    use crate::rules::Finder;

    thread_local! {
        static READ: Cell<u64> = const { Cell::new(0) };
        static PATTERNS: RefCell<HashMap<usize, (DFA, Cache)>> = RefCell::default();
    }

    /// Adds bytes that were read.
    pub(crate) fn did(bytes: usize) {
        READ.with(|read| read.set(read.get() + bytes as u64));
    }

    /// Adds the bytes that a rule's pattern reads at the start of a text: up to where nothing can match any more.
    pub(crate) fn did_match(rule: usize, text: &[u8]) {
        let Finder::Pattern(pattern) = RULEBOOK.rules[rule].finder else {
            return;
        };
        PATTERNS.with_borrow_mut(|patterns| {
            let (pattern, cache) = patterns.entry(rule).or_insert_with(|| {
                let config = DFA::config()
                    .skip_cache_capacity_check(true)
                    .unicode_word_boundary(true);
                let pattern = DFA::builder()
                    .configure(config)
                    .build(&format!(r"\A(?:{pattern})"))
                    .unwrap();
                let cache = pattern.create_cache();
                (pattern, cache)
            });
            let mut state = pattern
                .start_state_forward(cache, &Input::new(text))
                .unwrap();
            let read = text.iter().take_while(|byte| {
                state = pattern.next_state(cache, state, **byte).unwrap();
                !state.is_dead() && !state.is_quit()
            });
            did(1 + read.count());
        });
    }

    /// Returns the number of bytes read since the last call.
    pub(crate) fn total() -> u64 {
        READ.with(|read| read.replace(0))
    }
}
