//! Agent names in evidence for text that no session said.

/// Agent name in evidence of a person's own words.
pub const PERSON: &str = "person";

/// Agent name in evidence from a file of notes; its session is the file's name.
pub const IMPORT: &str = "import";

/// Agent name in evidence of an agent's own words over MCP; its session starts with the agent's name.
pub const CLIENT: &str = "mcp";
