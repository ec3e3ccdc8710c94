//! Determines the program of a store. OpenCode's forks took its tables over and added their own.

use acreta_sdk::adapter::database::{Database, Table};
use acreta_sdk::adapter::{Failure, path};

/// A program that stores its sessions as OpenCode does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Program {
    OpenCode,
    /// Kilo Code, since it is OpenCode underneath.
    Kilo,
    /// The program that the OpenCode written in Go became.
    Crush,
}

impl Program {
    pub fn agent(self) -> &'static str {
        match self {
            Program::OpenCode => crate::AGENT,
            Program::Kilo => "kilo",
            Program::Crush => "crush",
        }
    }

    /// Determines the program of a file by its name or its root: the content is the same for all.
    pub(crate) fn of_file(file: &str) -> Self {
        let stem = path::stem(file);
        let root = match path::folders(file).position(|name| name == "storage") {
            Some(storage) => path::folders(file).nth(storage + 1),
            None => path::folders(file).next(),
        };
        if stem == "kilo" || stem.starts_with("kilo-") || root == Some("kilo") {
            Program::Kilo
        } else {
            Program::OpenCode
        }
    }

    /// Determines the program of a database: by its own tables, or else by its path.
    pub(crate) fn of_database(file: &str, database: &Database) -> Result<Self, Failure> {
        if !database.columns("kilo_board")?.is_empty() {
            return Ok(Program::Kilo);
        }
        Ok(Self::of_file(file))
    }

    /// Determines the program of a database with the tables of the OpenCode written in Go.
    pub(crate) fn of_messages(messages: &Table) -> Self {
        if messages.has("provider") || messages.has("is_summary_message") {
            Program::Crush
        } else {
            Program::OpenCode
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Program;

    #[test]
    fn a_file_is_known_by_its_root() {
        let table = [
            ("/kilo/kilo.db", Program::Kilo),
            ("/trace/kilo-beta.db", Program::Kilo),
            ("/kilo/storage/session/p1/ses_1.json", Program::Kilo),
            ("/opencode/opencode.db", Program::OpenCode),
            (
                "/opencode/storage/session/kilo/ses_1.json",
                Program::OpenCode,
            ),
            ("/home/kilo/work/export.json", Program::OpenCode),
        ];
        for (file, expected) in table {
            assert_eq!(Program::of_file(file), expected, "{file}");
        }
    }
}
