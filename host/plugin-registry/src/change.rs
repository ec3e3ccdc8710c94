//! Differences between an installed plugin and its replacement.

use std::fmt;

use semver::Version;

use crate::capabilities::Wanted;
use crate::identity::Digest;
use crate::source::Source;

/// A difference from the confirmed state.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    Component {
        old: Digest,
        new: Digest,
    },
    /// Another component under the version that is installed.
    SameVersion {
        version: Version,
        old: Digest,
        new: Digest,
    },
    /// Built against another version of the contract.
    Wit {
        old: String,
        new: String,
    },
    /// The tag now refers to different content.
    MovedTag {
        reference: String,
        old: Digest,
        new: Digest,
    },
    From {
        old: Source,
        new: Source,
    },
    Older {
        old: Version,
        new: Version,
    },
    /// It was signed by a trusted key; now it is unsigned, or signed by another.
    Signer {
        old: String,
        new: Option<String>,
    },
    Grown(Wanted),
}

impl Change {
    /// Returns true for what every update brings: a newer component, from the same repository or index.
    pub fn is_routine(&self) -> bool {
        match self {
            Change::Component { .. } | Change::Wit { .. } => true,
            Change::From {
                old: Source::Oci(old),
                new: Source::Oci(new),
            } => old.registry == new.registry && old.name == new.name,
            _ => false,
        }
    }
}

impl fmt::Display for Change {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Change::Component { old, new } => {
                write!(formatter, "its component was {old} and is {new}")
            }
            Change::SameVersion { version, old, new } => write!(
                formatter,
                "its component was {old} and is {new}, both under version {version}"
            ),
            Change::Wit { old, new } => {
                write!(
                    formatter,
                    "it was built against WIT {old} and is against {new}"
                )
            }
            Change::MovedTag {
                reference,
                old,
                new,
            } => write!(
                formatter,
                "`{reference}` was {old} and is {new} now: the tag was moved"
            ),
            Change::From { old, new } => {
                write!(formatter, "it came from `{old}` and comes from `{new}`")
            }
            Change::Older { old, new } => {
                write!(formatter, "version {old} is installed, this is {new}")
            }
            Change::Signer {
                old,
                new: Some(new),
            } => {
                write!(formatter, "it was signed by {old} and is signed by {new}")
            }
            Change::Signer { old, new: None } => {
                write!(
                    formatter,
                    "it was signed by {old}, and no trusted key signed this one"
                )
            }
            Change::Grown(wanted) => write!(formatter, "it asks to {wanted}"),
        }
    }
}
