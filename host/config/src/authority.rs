//! Who may set which key. Keys that can spend, send, run, loosen or delete belong to the user alone. Keys that can hide
//! or shape memory need a project that the user trusts. Keys that only make acreta stricter may be set by any project.
//! A key that is not listed belongs to the user alone.

/// The weakest file that may set a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SetBy {
    /// Any project's file.
    Project,
    /// The file of a project after `acreta project trust`.
    TrustedProject,
    /// The user's own file, variables and flags.
    User,
}

/// The class of each key and the reason for it, which completes a sentence that begins with "it".
const TABLE: &[(SetBy, &str, &[&str])] = &[
    (
        SetBy::Project,
        "only makes acreta read less",
        &["context.sensitive.deny"],
    ),
    (
        SetBy::TrustedProject,
        "can hide memory or change what is remembered",
        &[
            "decide.update_overlap",
            "extract.max_candidates",
            "extract.min_confidence",
            "hooks.edit",
            "hooks.failure",
            "hooks.prompt",
            "memory.language",
            "memory.scope",
            "memory.summaries",
        ],
    ),
    (
        SetBy::TrustedProject,
        "chooses which plugins take part, and how",
        &[
            "plugin.<id>.settings.<key>",
            "plugins.adapters",
            "plugins.explorers",
            "plugins.extractor",
            "plugins.extractors",
            "plugins.writer",
        ],
    ),
    (
        SetBy::User,
        "can stop acreta from learning",
        &[
            "hooks.learn",
            "hooks.notes",
            "serve.maintain_minutes",
            "serve.sync_minutes",
            "serve.watch",
            "sync.exclude",
            "team.learn",
        ],
    ),
    (SetBy::User, "can delete run folders", &["runs.keep"]),
    (
        SetBy::User,
        "governs an index of all projects",
        &["sessions.index_mb", "sessions.wait_seconds"],
    ),
    (
        SetBy::User,
        "can spend money",
        &[
            "llm.budget.day_calls",
            "llm.budget.day_dollars",
            "llm.budget.day_tokens",
            "llm.budget.run_calls",
            "llm.budget.run_dollars",
            "llm.budget.run_tokens",
            "llm.catch_up",
            "llm.enabled",
            "llm.prices",
        ],
    ),
    (
        SetBy::User,
        "decides where sessions are sent",
        &[
            "archive.url",
            "llm.providers.<name>.base_url",
            "llm.providers.<name>.key_env",
            "llm.providers.<name>.kind",
            "llm.providers.<name>.persist_sessions_in_workspace",
            "llm.providers.<name>.timeout_seconds",
            "llm.roles.<role>.fallback",
            "llm.roles.<role>.model",
            "llm.roles.<role>.provider",
            "plugin.<id>.prompts.<name>",
            "state.url",
            "sync.without_project",
            "team.branch",
            "team.clone_url",
            "tracing.enabled",
            "tracing.endpoint",
            "tracing.headers",
            "tracing.include_http",
        ],
    ),
    (
        SetBy::User,
        "can run a program",
        &[
            "llm.providers.<name>.command",
            "llm.providers.<name>.environment",
            "plugins.folder",
            "search.hub",
            "search.model",
        ],
    ),
    (
        SetBy::User,
        "can loosen a safeguard",
        &[
            "context.sensitive.allow",
            "mcp.sessions",
            "plugin.<id>.limits.draft_bytes",
            "plugin.<id>.limits.draft_files",
            "plugin.<id>.limits.emitted_bytes",
            "plugin.<id>.limits.handles",
            "plugin.<id>.limits.log_bytes",
            "plugin.<id>.limits.memory_bytes",
            "plugin.<id>.limits.table_elements",
            "plugin.<id>.limits.value_bytes",
            "plugin.<id>.limits.wall_ms",
            "plugins.indexes",
            "plugins.signatures",
            "plugins.trusted_keys",
            "redact.allow",
            "serve.host",
            "serve.port",
            "sync.agent_memories",
            "sync.homes",
            "sync.workers",
        ],
    ),
];

/// Returns the class of a key and the reason for it, or `None` if the key is not listed.
pub(crate) fn class_of(key: &str) -> Option<(SetBy, &'static str)> {
    let listed = TABLE.iter().find(|(_, _, keys)| keys.contains(&key));
    listed.map(|(set_by, reason, _)| (*set_by, *reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::KEYS;

    #[test]
    fn every_key_has_one_class() {
        let mut listed: Vec<&str> = TABLE
            .iter()
            .flat_map(|(_, _, keys)| *keys)
            .copied()
            .collect();
        listed.sort_unstable();
        let known: Vec<&str> = KEYS.iter().map(|entry| entry.path).collect();
        assert_eq!(listed, known);
    }

    /// Returns the keys of decision 0020 with the class that it gives them; `*` stands for any rest.
    fn decided() -> Vec<(SetBy, String)> {
        let page = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/decisions/0020-settings-and-links.md"
        );
        let page = std::fs::read_to_string(page).unwrap();
        let mut keys = Vec::new();
        for row in page.lines().filter(|line| line.starts_with("| ")) {
            let cells: Vec<&str> = row.split('|').map(str::trim).collect();
            let set_by = match cells[1] {
                "any project" => SetBy::Project,
                "a trusted project" => SetBy::TrustedProject,
                "the user alone" => SetBy::User,
                _ => continue,
            };
            let mut table = "";
            for name in cells[2].split('`').skip(1).step_by(2) {
                match name.split_once('.') {
                    Some((of, _)) => {
                        table = of;
                        keys.push((set_by, name.to_owned()));
                    }
                    None => keys.push((set_by, format!("{table}.{name}"))),
                }
            }
        }
        keys
    }

    #[test]
    fn the_decision_says_what_the_table_says() {
        let decided = decided();
        assert!(decided.len() > 20, "{decided:?}");
        let is_named = |pattern: &str, key: &str| match pattern.strip_suffix('*') {
            Some(start) => key.starts_with(start),
            None => key == pattern,
        };
        for (set_by, pattern) in &decided {
            let keys = KEYS.iter().map(|entry| entry.path);
            let mut keys = keys.filter(|key| is_named(pattern, key)).peekable();
            assert!(keys.peek().is_some(), "`{pattern}` is no setting");
            for key in keys {
                let class = class_of(key).map(|(set_by, _)| set_by);
                assert_eq!(class, Some(*set_by), "`{key}`, decided as `{pattern}`");
            }
        }
        // What a project may set is named there.
        for (set_by, _, keys) in TABLE.iter().filter(|row| row.0 != SetBy::User) {
            for key in *keys {
                let mut named = decided.iter();
                let is_decided = named.any(|(by, name)| by == set_by && is_named(name, key));
                assert!(is_decided, "`{key}` is not in the decision");
            }
        }
    }
}
