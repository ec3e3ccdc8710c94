//! OpenCode. Resuming a session of another directory works in that directory and does not end.

use serde_json::json;

use super::{ALL_MOMENTS, Compaction, KEY, PLAIN, Program, words};
use crate::cache::Package;
use crate::scratch::Scratch;

pub(super) const PROGRAM: Program = Program {
    name: "opencode",
    package: Package::Npm("opencode-ai"),
    binary: "opencode",
    settings: |scratch| {
        let path = ".config/opencode/opencode.json".to_owned();
        vec![(path, settings(scratch))]
    },
    variables: |_| {
        vec![
            ("OPENCODE_DISABLE_AUTOUPDATE", "1".to_owned()),
            ("OPENCODE_DISABLE_MODELS_FETCH", "1".to_owned()),
            ("OPENCODE_DISABLE_LSP_DOWNLOAD", "1".to_owned()),
        ]
    },
    fresh: |turn| words(&["run", turn.prompt]),
    resume: Some(|turn| words(&["run", "--continue", turn.prompt])),
    compaction: COMPACTION,
    subagent: Some("general"),
    connected: Some((&["mcp", "list"], "connected")),
    init: ALL_MOMENTS,
    ..PLAIN
};

const CONTEXT: u64 = 128_000;
pub(super) const COMPACTION: Compaction = Compaction::Tokens(CONTEXT);

/// Settings with the scripted model as provider; Kilo reads the same.
pub(super) fn settings(scratch: &Scratch) -> String {
    let settings = json!({
        "model": "scripted/scripted",
        "small_model": "scripted/scripted",
        "autoupdate": false,
        "share": "disabled",
        "snapshot": false,
        "permission": { "*": "allow" },
        "provider": { "scripted": {
            "npm": "@ai-sdk/openai-compatible",
            "name": "Scripted",
            "options": { "baseURL": format!("{}/v1", scratch.url), "apiKey": KEY },
            "models": { "scripted": {
                "name": "Scripted", "tool_call": true,
                "limit": { "context": CONTEXT, "output": 8000 },
            } },
        } },
    });
    format!("{settings:#}\n")
}
