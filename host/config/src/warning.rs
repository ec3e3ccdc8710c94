//! What was wrong with a setting that was passed over.

use crate::Origin;

/// One setting that does not count, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Warning {
    pub origin: Origin,
    /// In a file, counted from 1.
    pub line: Option<usize>,
    /// Dotted path, or the variable's name where it stands for no key.
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
    /// From a project file that nobody vouched for.
    Untrusted,
    /// Keys and passwords come from the environment only.
    Secret,
}

impl std::fmt::Display for Warning {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match (&self.origin, self.line) {
            (Origin::File(path), Some(line)) => write!(formatter, "{path}:{line}: ")?,
            (origin, _) => write!(formatter, "{origin}: ")?,
        }
        let key = &self.key;
        match &self.problem {
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
            Problem::Untrusted => write!(
                formatter,
                "`{key}` is ignored: this project is not trusted; `acreta project trust` changes that"
            ),
            Problem::Secret => write!(
                formatter,
                "`{key}` is ignored: keys and passwords are taken from the environment only"
            ),
        }
    }
}
