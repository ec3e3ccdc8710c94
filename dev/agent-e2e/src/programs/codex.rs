//! Codex. Its `mcp list` shows only the configuration, so the tools that it offers to the model show whether it is
//! connected.

use super::{ALL_MOMENTS, Compaction, Init, KEY, PLAIN, Program, newest_file, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "codex",
    package: Package::Npm("@openai/codex"),
    binary: "codex",
    settings: |scratch| {
        let url = &scratch.url;
        let mut text = format!(
            "model = \"gpt-5\"\nmodel_provider = \"scripted\"\nmodel_auto_compact_token_limit = {LIMIT}\n\n\
             [model_providers.scripted]\nname = \"scripted\"\nbase_url = \"{url}/v1\"\n\
             wire_api = \"responses\"\nenv_key = \"SCRIPTED_KEY\"\n"
        );
        for name in ["alpha", "beta", "alpha-tree"] {
            let project = scratch.project(name);
            let project = project.display();
            text.push_str(&format!(
                "\n[projects.\"{project}\"]\ntrust_level = \"trusted\"\n"
            ));
        }
        vec![(".codex/config.toml".to_owned(), text)]
    },
    variables: |_| vec![("SCRIPTED_KEY", KEY.to_owned())],
    fresh: |turn| words(&["exec", FREE, HOOKS, turn.prompt]),
    resume: Some(|turn| words(&["exec", FREE, HOOKS, "resume", "--last", turn.prompt])),
    elsewhere: Some(|turn| words(&["exec", FREE, HOOKS, "resume", turn.session, turn.prompt])),
    newest: |scratch| {
        let path = newest_file(scratch, ".codex/sessions", ".jsonl")?;
        let stem = path.file_stem()?.to_string_lossy().into_owned();
        stem.len()
            .checked_sub(36)
            .and_then(|at| stem.get(at..))
            .map(str::to_owned)
    },
    compaction: Compaction::Tokens(LIMIT + 10_000),
    subagent: Some("default"),
    connected: Some((&["mcp", "list"], "acreta")),
    // It offers no edit tool to an unknown model.
    init: Init {
        edit: false,
        ..ALL_MOMENTS
    },
    ..PLAIN
};

const FREE: &str = "--dangerously-bypass-approvals-and-sandbox";
const HOOKS: &str = "--dangerously-bypass-hook-trust";
const LIMIT: u64 = 150_000;
