//! Problems of settings that were ignored.

use crate::environment::variable_of;
use crate::{Origin, SetBy};

/// One setting that was ignored, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    pub origin: Origin,
    /// Line in the file, counted from 1.
    pub line: Option<usize>,
    /// Dotted path, or the variable's name if it matches no key; empty for a whole file.
    pub key: String,
    pub problem: Problem,
}

#[derive(Debug, Clone, PartialEq)]
pub enum Problem {
    Unknown {
        nearest: Option<String>,
    },
    WrongValue {
        expected: String,
        found: String,
    },
    /// A project's file may not set it.
    NotAllowed {
        needed: SetBy,
        reason: &'static str,
    },
    /// Keys and passwords come from the environment only.
    Secret,
    /// The whole file of a project is ignored.
    Unreadable {
        reason: String,
    },
}

impl std::fmt::Display for Warning {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.origin, self.line) {
            (Origin::File(path), Some(line)) => write!(formatter, "{path}:{line}: ")?,
            (origin, _) => write!(formatter, "{origin}: ")?,
        }
        let key = &self.key;
        match &self.problem {
            Problem::Unknown { nearest } if matches!(self.origin, Origin::Environment(_)) => {
                write!(formatter, "has no effect: unknown setting `{key}`")?;
                match nearest {
                    Some(nearest) => {
                        let variable = variable_of(nearest);
                        write!(formatter, ", did you mean `{variable}`?")
                    }
                    None => write!(formatter, "; `acreta config list` shows every variable"),
                }
            }
            Problem::Unknown { nearest: None } => write!(formatter, "unknown key `{key}`"),
            Problem::Unknown {
                nearest: Some(nearest),
            } => {
                write!(formatter, "unknown key `{key}`, did you mean `{nearest}`?")
            }
            Problem::WrongValue { expected, found } => {
                write!(
                    formatter,
                    "`{key}` is ignored: expected {expected}, found {found}"
                )
            }
            Problem::NotAllowed {
                needed: SetBy::User,
                reason,
            } => write!(
                formatter,
                "`{key}` is ignored: it {reason}, so only your own config can set it"
            ),
            Problem::NotAllowed { reason, .. } => write!(
                formatter,
                "`{key}` is ignored: it {reason}, and this project is not trusted; `acreta project trust` changes that"
            ),
            Problem::Unreadable { reason } => write!(formatter, "ignored: {reason}"),
            Problem::Secret => write!(
                formatter,
                "`{key}` is ignored: keys and passwords are taken from the environment only"
            ),
        }
    }
}
