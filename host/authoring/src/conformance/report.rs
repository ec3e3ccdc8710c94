//! What a suite says: one row per check, as a value, as JSON and as plain text. Whatever a guest
//! said in it is made visible before it gets here.

use std::fmt;

use acreta_model::Role;
use serde::Serialize;

/// How a plugin did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    pub plugin: String,
    pub role: Role,
    /// In the order of the role's table.
    pub checks: Vec<Check>,
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Stays the same for good.
    pub name: &'static str,
    /// What has to hold.
    pub promise: &'static str,
    #[serde(flatten)]
    pub verdict: Verdict,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "verdict", rename_all = "lowercase")]
pub enum Verdict {
    Passed {
        found: String,
    },
    Failed {
        expected: String,
        found: String,
        /// What an author does about it.
        mend: &'static str,
    },
    /// It could not be tried.
    Skipped {
        reason: String,
    },
}

/// How many checks ended in which way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

impl Report {
    /// Whether nothing failed.
    pub fn is_passed(&self) -> bool {
        self.counts().failed == 0
    }

    pub fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        for check in &self.checks {
            match check.verdict {
                Verdict::Passed { .. } => counts.passed += 1,
                Verdict::Failed { .. } => counts.failed += 1,
                Verdict::Skipped { .. } => counts.skipped += 1,
            }
        }
        counts
    }
}

/// A line per check, three more for one that failed, and a last line with the counts.
impl fmt::Display for Report {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.checks.iter().map(|check| check.name.len()).max();
        let width = width.unwrap_or(0);
        for Check {
            name,
            promise,
            verdict,
        } in &self.checks
        {
            match verdict {
                Verdict::Passed { found } => writeln!(formatter, "ok    {name:width$}  {found}")?,
                Verdict::Skipped { reason } => {
                    writeln!(formatter, "skip  {name:width$}  {reason}")?;
                }
                Verdict::Failed {
                    expected,
                    found,
                    mend,
                } => {
                    writeln!(formatter, "FAIL  {name:width$}  {promise}")?;
                    writeln!(formatter, "      expected: {expected}")?;
                    writeln!(formatter, "      found:    {found}")?;
                    writeln!(formatter, "      to mend:  {mend}")?;
                }
            }
        }
        let Counts {
            passed,
            failed,
            skipped,
        } = self.counts();
        let Self { plugin, role, .. } = self;
        writeln!(
            formatter,
            "{plugin} ({role}): {passed} passed, {failed} failed, {skipped} skipped"
        )
    }
}
