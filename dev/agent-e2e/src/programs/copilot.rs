//! Copilot CLI, with a custom model.

use super::{ALL_MOMENTS, Compaction, KEY, PLAIN, Program, newest_file, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "copilot",
    package: Package::Npm("@github/copilot"),
    binary: "copilot",
    variables: |scratch| {
        vec![
            ("COPILOT_OFFLINE", "true".to_owned()),
            ("COPILOT_PROVIDER_BASE_URL", format!("{}/v1", scratch.url)),
            ("COPILOT_PROVIDER_API_KEY", KEY.to_owned()),
            ("COPILOT_MODEL", "gpt-5".to_owned()),
            ("COPILOT_AUTO_UPDATE", "false".to_owned()),
        ]
    },
    fresh: |turn| words(&["-p", turn.prompt, "--allow-all-tools", "--allow-all-paths"]),
    resume: Some(|turn| {
        words(&[
            "--continue",
            "-p",
            turn.prompt,
            "--allow-all-tools",
            "--allow-all-paths",
        ])
    }),
    elsewhere: Some(|turn| {
        let resume = format!("--resume={}", turn.session);
        words(&[
            &resume,
            "-p",
            turn.prompt,
            "--allow-all-tools",
            "--allow-all-paths",
        ])
    }),
    newest: |scratch| {
        let path = newest_file(scratch, ".copilot/session-state", "events.jsonl")?;
        let folder = path.parent()?.file_name()?;
        Some(folder.to_string_lossy().into_owned())
    },
    compaction: Compaction::None,
    subagent: Some("general-purpose"),
    connected: Some((&["mcp", "list"], "acreta")),
    init: ALL_MOMENTS,
    ..PLAIN
};
