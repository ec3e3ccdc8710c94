//! OpenCode.

use serde_json::json;

use super::{BOTH, Compaction, KEY, PLAIN, Program, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "opencode",
    package: Package::Npm("opencode-ai"),
    binary: "opencode",
    settings: |scratch| {
        let settings = json!({
            "$schema": "https://opencode.ai/config.json",
            "model": "scripted/scripted",
            "small_model": "scripted/scripted",
            "autoupdate": false,
            "share": "disabled",
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
        let path = ".config/opencode/opencode.json".to_owned();
        vec![(path, format!("{settings:#}\n"))]
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
    compaction: Compaction::Tokens(CONTEXT),
    has_subagents: true,
    connected: Some((&["mcp", "list"], "connected")),
    init: BOTH,
    ..PLAIN
};

const CONTEXT: u64 = 128_000;
