//! Names under which evidence keeps words that no session said.

/// The agent that evidence of a person's own words names.
pub const PERSON: &str = "person";

/// The agent that evidence from a file of notes names; its session is the file's name.
pub const IMPORT: &str = "import";

/// The agent that evidence of an agent's own words names; its session starts with the agent's name.
pub const CLIENT: &str = "mcp";
