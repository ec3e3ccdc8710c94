//! Qwen Code.

use super::{ALL_MOMENTS, KEY, PLAIN, Program, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "qwen",
    package: Package::Npm("@qwen-code/qwen-code"),
    binary: "qwen",
    settings: |_| {
        let settings = "{\n  \"security\": { \"auth\": { \"selectedType\": \"openai\" } },\n  \"privacy\": { \"usageStatisticsEnabled\": false },\n  \"general\": { \"disableAutoUpdate\": true }\n}\n";
        vec![(".qwen/settings.json".to_owned(), settings.to_owned())]
    },
    variables: |scratch| {
        vec![
            ("OPENAI_BASE_URL", format!("{}/v1", scratch.url)),
            ("OPENAI_API_KEY", KEY.to_owned()),
            ("OPENAI_MODEL", "scripted".to_owned()),
        ]
    },
    fresh: |turn| words(&["-p", turn.prompt, "--yolo"]),
    resume: Some(|turn| words(&["--continue", "-p", turn.prompt, "--yolo"])),
    subagent: Some("general-purpose"),
    connected: Some((&["mcp", "list"], "Connected")),
    init: ALL_MOMENTS,
    ..PLAIN
};
