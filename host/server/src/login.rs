//! Codes that work once and the browsers that came in by one. Nothing of it is on disk: when the
//! server ends, every browser has to come in again.

use std::sync::Mutex;
use std::sync::PoisonError;

use subtle::ConstantTimeEq;

#[derive(Default)]
pub(crate) struct Logins {
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    codes: Vec<Secret>,
    browsers: Vec<Secret>,
}

struct Secret {
    value: String,
    until_ms: u64,
}

impl Logins {
    /// Lets a code in for a minute.
    pub(crate) fn expect(&self, code: String, now_ms: u64) {
        self.with(now_ms, |state| {
            keep(&mut state.codes, code, now_ms + CODE_MS, CODES);
        });
    }

    /// Burns the code and lets the browser in, if there was such a code.
    pub(crate) fn burn(&self, code: &str, browser: String, now_ms: u64) -> bool {
        self.with(now_ms, |state| {
            // All are compared, so that the time says nothing.
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
            keep(
                &mut state.browsers,
                browser,
                now_ms + COOKIE_SECONDS * 1000,
                BROWSERS,
            );
            true
        })
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

    fn with<T>(&self, now_ms: u64, work: impl FnOnce(&mut State) -> T) -> T {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.codes.retain(|secret| now_ms < secret.until_ms);
        state.browsers.retain(|secret| now_ms < secret.until_ms);
        work(&mut state)
    }
}

/// The cookie that a browser brings from now on.
pub(crate) fn cookie_for(browser: &str) -> String {
    format!("acreta={browser}; HttpOnly; SameSite=Strict; Path=/; Max-Age={COOKIE_SECONDS}")
}

pub(crate) const NO_COOKIE: &str = "acreta=; HttpOnly; SameSite=Strict; Path=/; Max-Age=0";

const CODE_MS: u64 = 60_000;
const COOKIE_SECONDS: u64 = 7 * 86_400;
const CODES: usize = 16;
const BROWSERS: usize = 64;

/// The oldest makes room.
fn keep(secrets: &mut Vec<Secret>, value: String, until_ms: u64, most: usize) {
    if secrets.len() >= most {
        secrets.remove(0);
    }
    secrets.push(Secret { value, until_ms });
}

/// Takes as long for a wrong one as for the right one.
pub(crate) fn same(given: &str, expected: &str) -> bool {
    given.as_bytes().ct_eq(expected.as_bytes()).into()
}
