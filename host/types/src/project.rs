//! Identity of a project besides its path.

/// Properties of a repository that stay the same when its folder moves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The root commit; if there are several, the smallest.
    pub root_commit: Option<String>,
    /// The URL it was cloned from, without credentials and normalised.
    pub remote: Option<String>,
}
