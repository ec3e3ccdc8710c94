//! Access to language models for the host. [`Llm`] is the entry point and knows the providers; an [`LlmSession`] counts
//! the spending of one run. Everything sent is redacted, everything spent was reserved from the budget first, and
//! without a configured provider nothing touches the network.
//!
//! Callers are plain threads: every call blocks until there is a reply or an error with a stable code.

mod account;
mod anthropic;
mod blocked;
mod cache;
mod clock;
mod command;
mod conversation;
mod discover;
mod endpoint;
mod error;
mod estimates;
mod exchange;
mod file_ledger;
mod http;
mod ledger;
mod llm;
mod ollama;
mod openai;
mod pace;
mod plugins;
mod prices;
mod process;
mod program;
mod programs;
mod provider;
mod request;
mod run;
mod schema;
mod scrub;
mod session;
mod settings;
mod shared;
mod spans;
mod spending;
mod tape;
mod tokens;

pub use clock::Clock;
pub use discover::{ModelAccess, ModelOption, Readiness, Whereabouts, discover, probe};
pub use error::{Code, LlmError};
pub use estimates::{Estimates, Total};
pub use file_ledger::FileLedger;
pub use ledger::{Day, DayLedger, LedgerAnswer, LedgerEntry, LedgerError, SpentAmount, WorstCall};
pub use llm::{Llm, Mode, Stores, Surroundings};
pub use prices::{Money, PRICES_AS_OF, Price, PriceTable, RecordedTokens};
pub use process::stop_programs;
pub use program::{OWN_DEFAULT, Program};
pub use request::{
    Estimate, Message, Purpose, RemainingBudget, Reply, Request, Speaker, UnknownWord, Usage,
};
pub use run::Run;
pub use schema::{Schema, SchemaError};
pub use session::LlmSession;
pub use settings::{
    AgentSettings, Budget, CommandSettings, DayBudget, Endpoint, ModelChoice, OpenAiSettings,
    OutputLimit, ProviderKind, ProviderSettings, RoleSettings, RunBudget, Settings,
    StructuredOutput,
};
pub use spending::{Blocked, Spending, spending, unblock};
pub use tape::TapeError;
