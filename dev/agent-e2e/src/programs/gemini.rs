//! Gemini CLI. Sessions belong to a project, so none can be resumed in another.

use super::{ALL_MOMENTS, KEY, PLAIN, Program, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "gemini",
    package: Package::Npm("@google/gemini-cli"),
    binary: "gemini",
    settings: |_| {
        let settings = "{\n  \"security\": { \"auth\": { \"selectedType\": \"gemini-api-key\" } },\n  \"privacy\": { \"usageStatisticsEnabled\": false },\n  \"general\": { \"disableAutoUpdate\": true }\n}\n";
        vec![(".gemini/settings.json".to_owned(), settings.to_owned())]
    },
    variables: |scratch| {
        vec![
            ("GEMINI_API_KEY", KEY.to_owned()),
            ("GOOGLE_GEMINI_BASE_URL", scratch.url.clone()),
            ("GEMINI_CLI_TRUST_WORKSPACE", "true".to_owned()),
        ]
    },
    fresh: |turn| words(&["-p", turn.prompt, "--yolo"]),
    resume: Some(|turn| words(&["--resume", "latest", "-p", turn.prompt, "--yolo"])),
    subagent: Some("generalist"),
    connected: Some((&["mcp", "list"], "Connected")),
    init: ALL_MOMENTS,
    ..PLAIN
};
