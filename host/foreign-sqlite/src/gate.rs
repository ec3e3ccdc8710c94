//! Authorizes queries. While a statement is compiled, SQLite asks the gate about every action, including those of
//! views: only reading is allowed, and the first refusal is remembered by name. While it runs, its steps are counted.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rusqlite::Connection;
use rusqlite::hooks::{AuthAction, AuthContext, Authorization};

use crate::functions;

/// State shared with the hooks of one connection.
#[derive(Debug, Clone)]
pub(crate) struct QueryGate {
    allowed_steps: u64,
    steps: Arc<AtomicU64>,
    refused: Arc<Mutex<Option<String>>>,
}

impl QueryGate {
    pub(crate) fn new(allowed_steps: u64) -> Self {
        Self {
            allowed_steps,
            steps: Arc::default(),
            refused: Arc::default(),
        }
    }

    /// Installs the authorizer and the step counter on a connection.
    pub(crate) fn install(&self, connection: &mut Connection) -> rusqlite::Result<()> {
        let gate = self.clone();
        connection.authorizer(Some(move |context: AuthContext<'_>| gate.decide(&context)))?;
        let gate = self.clone();
        connection.progress_handler(
            STEPS_AT_ONCE as i32,
            Some(move || {
                let before = gate.steps.fetch_add(STEPS_AT_ONCE, Ordering::Relaxed);
                before + STEPS_AT_ONCE > gate.allowed_steps
            }),
        )
    }

    /// Starts a new call: its steps are counted from zero.
    pub(crate) fn begin(&self) {
        self.steps.store(0, Ordering::Relaxed);
        self.take_refusal();
    }

    pub(crate) fn is_out_of_steps(&self) -> bool {
        self.steps.load(Ordering::Relaxed) > self.allowed_steps
    }

    /// Takes the first refusal since the call began.
    pub(crate) fn take_refusal(&self) -> Option<String> {
        self.refused
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take()
    }

    fn decide(&self, context: &AuthContext<'_>) -> Authorization {
        let refusal = match context.action {
            AuthAction::Select | AuthAction::Read { .. } | AuthAction::Recursive => {
                return Authorization::Allow;
            }
            AuthAction::Function { function_name } if functions::is_offered(function_name) => {
                return Authorization::Allow;
            }
            ref action => describe(action),
        };
        self.refused
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .get_or_insert(refusal);
        Authorization::Deny
    }
}

/// Interval at which the steps are checked.
const STEPS_AT_ONCE: u64 = 1_000;

/// Describes an action in SQL terms.
fn describe(action: &AuthAction<'_>) -> String {
    match action {
        AuthAction::Function { function_name } => format!("function `{function_name}`"),
        AuthAction::Pragma { pragma_name, .. } => format!("PRAGMA `{pragma_name}`"),
        AuthAction::Insert { table_name } if !is_schema(table_name) => {
            format!("INSERT into `{table_name}`")
        }
        AuthAction::Update { table_name, .. } if !is_schema(table_name) => {
            format!("UPDATE of `{table_name}`")
        }
        AuthAction::Delete { table_name } if !is_schema(table_name) => {
            format!("DELETE from `{table_name}`")
        }
        AuthAction::Attach { .. } => "ATTACH".to_owned(),
        AuthAction::Detach { .. } => "DETACH".to_owned(),
        AuthAction::Transaction { .. } => "a transaction".to_owned(),
        AuthAction::Savepoint { .. } => "SAVEPOINT".to_owned(),
        AuthAction::Reindex { .. } => "REINDEX".to_owned(),
        // CREATE, DROP and ALTER of any kind.
        _ => "a change of the schema".to_owned(),
    }
}

/// Statements that change the schema first ask to write its table.
fn is_schema(table: &str) -> bool {
    table.starts_with("sqlite_")
}
