//! The record of a failed command and the commands that cured it.

/// One failure of a command in a session, and the commands that cured it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CureRecord {
    /// The signatures of the failure, one for each program of the failed line.
    pub signatures: Vec<String>,
    /// The command line that failed.
    pub failed: String,
    /// The command lines that cured it, as the agent issued them, in order.
    pub commands: Vec<String>,
    /// Words that another failure must have for this cure to fit it.
    pub specifics: Vec<String>,
    /// Commands of this kind are known to cure such failures. Another cure may be a coincidence until it worked twice.
    pub is_sure: bool,
    /// The event of the failed call.
    pub event_id: String,
    /// When the last of the commands was run, in milliseconds since 1970.
    pub at_ms: Option<u64>,
}
