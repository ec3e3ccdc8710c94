//! The request to connect agents: machine, program and agents.

use camino::Utf8Path;

use crate::{Agent, Machine};

/// The agents to connect, and their environment.
#[derive(Debug, Clone, Copy)]
pub struct Setup<'a> {
    pub machine: &'a Machine,
    /// The `acreta` that agents run; absolute.
    pub binary: &'a Utf8Path,
    pub agents: &'a [Agent],
    /// Agents may make notes without asking, where they have a list of permissions.
    pub notes: bool,
    /// Whether OpenCode and its forks get acreta's plugin, or instructions in its place: their first start with a plugin
    /// waits for an installation. `None` leaves it as it is, and means the plugin where there is neither.
    pub plugins: Option<bool>,
    /// The repository that is set up with them.
    pub project: Option<&'a Utf8Path>,
}
