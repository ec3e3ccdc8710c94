//! Shared code of the hostile guests: attacks on the sandbox that any role can try.
//!
//! An attack never fails by itself. It reports one line for each attempt, whose first word is the verdict: `escaped`
//! must never occur, `refused` is expected, `noted` is a fact for the test to check.

mod exhaustion;
mod links;
mod machine;
mod paths;
mod readonly;
mod report;
mod roots;

#[doc(hidden)]
pub mod raw {
    wit_bindgen::generate!({
        path: "wit",
        world: "hostile:raw/raw",
        generate_all,
    });
}

pub use report::Report;

/// Every attack of [`run`].
pub const ATTACKS: &[&str] = &[
    "absolute",
    "clock-random",
    "dotdot",
    "empty-log-flood",
    "environment",
    "exit",
    "handles",
    "hardlink-across",
    "huge-read",
    "huge-value",
    "log-flood",
    "loop",
    "memory",
    "open-fifo",
    "open-flags",
    "random-flood",
    "read-any",
    "recursion",
    "rename-across",
    "set-times",
    "sockets",
    "symlink-slash",
    "trap",
    "truncate-readonly",
    "write-memory",
];

/// A test's instructions to a hostile guest, in the guest's config.
#[derive(Debug)]
pub struct Order {
    /// `attack`: the attack to run.
    pub attack: String,
    /// `victim`: absolute host path of a file outside of every root. Default: `/etc/passwd`.
    pub victim: String,
    /// `stage`: the exported function that attacks; each guest has a default.
    pub stage: Option<String>,
    /// `variant`: which of several, if an attack has variants.
    pub variant: Option<String>,
}

/// Next action of a hostile guest's function.
#[derive(Debug)]
pub enum Turn {
    /// Do its work.
    Honest,
    /// Nothing more: an attack was carried out, and this is the report.
    Reported(String),
    /// Run an attack that only this role has.
    Special(Order),
}

impl Order {
    /// Returns `None` if no attack is set: the guest is honest then.
    pub fn from_config(get: impl Fn(&str) -> Option<String>) -> Option<Self> {
        let text = |key| get(key).and_then(|json| self::text(&json));
        Some(Self {
            attack: text("attack")?,
            victim: text("victim").unwrap_or_else(|| "/etc/passwd".to_owned()),
            stage: text("stage"),
            variant: text("variant"),
        })
    }
}

/// Parses a setting that is a JSON string.
pub fn text(json: &str) -> Option<String> {
    serde_json::from_str(json).ok()
}

/// Attacks if the config says so. `stage` is the calling function, `usual` the one that attacks unless the config names
/// another.
pub fn turn(
    stage: &str,
    usual: &str,
    get: impl Fn(&str) -> Option<String>,
    log: impl Fn(&str, &str),
) -> Turn {
    match Order::from_config(get) {
        Some(order) if order.stage.as_deref().unwrap_or(usual) == stage => match run(&order, log) {
            Some(report) => Turn::Reported(report),
            None => Turn::Special(order),
        },
        _ => Turn::Honest,
    }
}

/// Runs an attack and returns its report; `None` if it is not one of [`ATTACKS`].
pub fn run(order: &Order, log: impl Fn(&str, &str)) -> Option<String> {
    let mut report = Report::default();
    match order.attack.as_str() {
        "absolute" => paths::absolute(&mut report, &order.victim),
        "clock-random" => machine::clock_random(&mut report),
        "dotdot" => paths::dotdot(&mut report, &order.victim),
        "empty-log-flood" => exhaustion::empty_log_flood(&mut report, log),
        "environment" => machine::environment(&mut report),
        "exit" => std::process::exit(0),
        "handles" => exhaustion::handles(&mut report),
        "hardlink-across" => links::hardlink_across(&mut report),
        "huge-read" => exhaustion::huge_read(&mut report),
        "huge-value" => return Some(exhaustion::huge_value()),
        "log-flood" => exhaustion::log_flood(&mut report, log),
        "loop" => exhaustion::spin(),
        "memory" => exhaustion::memory(&mut report),
        "open-fifo" => paths::open_fifo(&mut report),
        "open-flags" => readonly::open_flags(&mut report),
        "random-flood" => exhaustion::random_flood(&mut report),
        "read-any" => paths::read_any(&mut report, &order.victim),
        "recursion" => exhaustion::recursion(&mut report),
        "rename-across" => links::rename_across(&mut report),
        "set-times" => readonly::set_times(&mut report),
        "sockets" => machine::sockets(&mut report),
        "symlink-slash" => links::symlink_slash(&mut report, &order.victim),
        "trap" => panic!("a hostile guest gives up on purpose"),
        "truncate-readonly" => readonly::truncate(&mut report),
        "write-memory" => readonly::write_memory(&mut report),
        _ => return None,
    }
    Some(report.text())
}
