//! One-time login codes, and the browsers that logged in. Nothing is stored on disk: after a restart every browser has
//! to log in again.

use std::sync::Mutex;
use std::sync::PoisonError;

use subtle::ConstantTimeEq;

#[derive(Default)]
pub(crate) struct Logins {
    state: Mutex<LoginState>,
}

#[derive(Default)]
struct LoginState {
    codes: Vec<ExpiringSecret>,
    browsers: Vec<ExpiringSecret>,
}

struct ExpiringSecret {
    value: String,
    until_ms: u64,
}

impl Logins {
    /// Accepts a code for half a minute.
    pub(crate) fn expect(&self, code: String, now_ms: u64) {
        self.with(now_ms, |state| {
            keep(&mut state.codes, code, now_ms + CODE_MS, CODES);
        });
    }

    /// Consumes the code and admits the browser, if the code is valid.
    pub(crate) fn burn(&self, code: &str, browser: String, now_ms: u64) -> bool {
        self.with(now_ms, |state| {
            // All codes are compared, so that timing reveals nothing.
            let mut found = None;
            for (index, secret) in state.codes.iter().enumerate() {
                if same(code, &secret.value) {
                    found = Some(index);
                }
            }
            let Some(index) = found else {
                return false;
            };
            state.codes.remove(index);
            keep(&mut state.browsers, browser, now_ms + BROWSER_MS, BROWSERS);
            true
        })
    }

    /// Returns the number of codes that were neither used nor expired.
    pub(crate) fn waiting(&self, now_ms: u64) -> usize {
        self.with(now_ms, |state| state.codes.len())
    }

    pub(crate) fn knows(&self, browser: &str, now_ms: u64) -> bool {
        self.with(now_ms, |state| {
            let known = state.browsers.iter();
            known.fold(false, |found, secret| found | same(browser, &secret.value))
        })
    }

    pub(crate) fn forget(&self, browser: &str) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state
            .browsers
            .retain(|secret| !same(browser, &secret.value));
    }

    fn with<T>(&self, now_ms: u64, work: impl FnOnce(&mut LoginState) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.codes.retain(|secret| now_ms < secret.until_ms);
        state.browsers.retain(|secret| now_ms < secret.until_ms);
        work(&mut state)
    }
}

const CODE_MS: u64 = 30_000;
const BROWSER_MS: u64 = 7 * 86_400_000;
const CODES: usize = 16;
const BROWSERS: usize = 64;

/// Adds a secret and removes the oldest one beyond the limit.
fn keep(secrets: &mut Vec<ExpiringSecret>, value: String, until_ms: u64, most: usize) {
    if secrets.len() >= most {
        secrets.remove(0);
    }
    secrets.push(ExpiringSecret { value, until_ms });
}

/// Compares in constant time.
pub(crate) fn same(given: &str, expected: &str) -> bool {
    given.as_bytes().ct_eq(expected.as_bytes()).into()
}
