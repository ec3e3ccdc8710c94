//! The source of a setting's value.

use camino::Utf8PathBuf;
use serde::{Serialize, Serializer};

/// The source of a value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    Builtin,
    File(Utf8PathBuf),
    /// Name of the variable.
    Environment(String),
    Flag,
}

impl std::fmt::Display for Origin {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Origin::Builtin => formatter.write_str("built-in"),
            Origin::File(path) => formatter.write_str(path.as_str()),
            Origin::Environment(variable) => formatter.write_str(variable),
            Origin::Flag => formatter.write_str("flag"),
        }
    }
}

impl Serialize for Origin {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}
