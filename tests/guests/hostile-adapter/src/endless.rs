//! Attacks that cost the guest next to nothing and the host its time or memory.

use acreta_sdk::adapter::{Event, Failure, Origin, host};

/// Counts to a billion, over and over, in a database of its root.
pub(crate) fn queries() -> Result<(), Failure> {
    let database = host::sqlite::Database::open("/hostile/numbers.db")?;
    loop {
        let sql = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n LIMIT 1000000000) SELECT count(*) FROM n";
        if let Ok(rows) = database.query(sql, &[]) {
            // It may be stopped; then the next one is tried.
            let _ = rows.next(1, 1_000);
        }
    }
}

/// Emits events without any text.
pub(crate) fn empty_events() -> Result<(), Failure> {
    let event = Event {
        id: String::new(),
        origin: Origin {
            record: String::new(),
            start: 0,
            end: 0,
        },
        role: String::new(),
        kind: String::new(),
        at_ms: None,
        text: String::new(),
        attrs: Vec::new(),
    };
    let batch = vec![event; 1_000];
    loop {
        host::sink::emit(&batch)?;
    }
}

/// Reports problems without any text.
pub(crate) fn empty_diagnostics() -> ! {
    loop {
        host::sink::diagnose("", 0, 0, "");
    }
}
