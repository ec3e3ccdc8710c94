//! Pi. It has neither MCP nor subagents.

use serde_json::json;

use super::{ALL_MOMENTS, Init, KEY, PLAIN, Program, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "pi",
    package: Package::Npm("@earendil-works/pi-coding-agent"),
    binary: "pi",
    settings: |scratch| {
        let models = json!({ "providers": { "scripted": {
            "baseUrl": format!("{}/v1", scratch.url), "apiKey": KEY, "api": "openai-completions",
            "models": [{ "id": "scripted" }],
        } } });
        let path = ".pi/agent/models.json".to_owned();
        vec![(path, format!("{models:#}\n"))]
    },
    variables: |_| vec![("PI_OFFLINE", "1".to_owned())],
    fresh: |turn| words(&["--model", MODEL, "-p", turn.prompt]),
    resume: Some(|turn| words(&["--model", MODEL, "--continue", "-p", turn.prompt])),
    init: Init {
        server: false,
        ..ALL_MOMENTS
    },
    ..PLAIN
};

const MODEL: &str = "scripted/scripted";
