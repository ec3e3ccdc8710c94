//! What a project is known by beside its path.

/// What a repository takes along when its folder moves.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Identity {
    /// The commit all others descend from; of several the smallest.
    pub root_commit: Option<String>,
    /// The address it was cloned from, without credentials and in one spelling.
    pub remote: Option<String>,
}
