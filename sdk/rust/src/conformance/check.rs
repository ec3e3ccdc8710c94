//! Results of checks as values, as JSON and as plain text: one row per check.

use std::fmt;

use serde::Serialize;

/// Result of one check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Check {
    /// Never changes.
    pub name: &'static str,
    /// The property that has to hold.
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
        /// Advice for the author.
        mend: &'static str,
    },
    /// The check could not run.
    Skipped {
        reason: String,
    },
}

/// Number of checks by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    pub passed: usize,
    pub failed: usize,
    pub skipped: usize,
}

impl Counts {
    pub fn of(checks: &[Check]) -> Self {
        let mut counts = Self::default();
        for check in checks {
            match check.verdict {
                Verdict::Passed { .. } => counts.passed += 1,
                Verdict::Failed { .. } => counts.failed += 1,
                Verdict::Skipped { .. } => counts.skipped += 1,
            }
        }
        counts
    }
}

/// `3 passed, 0 failed, 1 skipped`
impl fmt::Display for Counts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            passed,
            failed,
            skipped,
        } = self;
        write!(
            formatter,
            "{passed} passed, {failed} failed, {skipped} skipped"
        )
    }
}

/// Writes a line per check, and three more for one that failed.
pub fn write_rows(checks: &[Check], out: &mut impl fmt::Write) -> fmt::Result {
    let width = checks.iter().map(|check| check.name.len()).max();
    let width = width.unwrap_or(0);
    for Check {
        name,
        promise,
        verdict,
    } in checks
    {
        match verdict {
            Verdict::Passed { found } => writeln!(out, "ok    {name:width$}  {found}")?,
            Verdict::Skipped { reason } => writeln!(out, "skip  {name:width$}  {reason}")?,
            Verdict::Failed {
                expected,
                found,
                mend,
            } => {
                writeln!(out, "FAIL  {name:width$}  {promise}")?;
                writeln!(out, "      expected: {expected}")?;
                writeln!(out, "      found:    {found}")?;
                writeln!(out, "      to mend:  {mend}")?;
            }
        }
    }
    Ok(())
}
