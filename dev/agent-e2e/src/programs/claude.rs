//! Claude Code. Sessions cannot be resumed from another directory.

use super::{ALL_MOMENTS, Compaction, KEY, PLAIN, Program, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "claude",
    package: Package::Npm("@anthropic-ai/claude-code"),
    binary: "claude",
    variables: |scratch| {
        vec![
            ("ANTHROPIC_BASE_URL", scratch.url.clone()),
            ("ANTHROPIC_API_KEY", KEY.to_owned()),
            ("DISABLE_TELEMETRY", "1".to_owned()),
            ("DISABLE_AUTOUPDATER", "1".to_owned()),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1".to_owned()),
        ]
    },
    fresh: |turn| words(&["-p", turn.prompt, "--allowedTools", TOOLS]),
    resume: Some(|turn| words(&["-p", turn.prompt, "--continue", "--allowedTools", TOOLS])),
    compaction: Compaction::Told(|_| words(&["-p", "/compact", "--continue"])),
    subagent: Some("general-purpose"),
    connected: Some((&["mcp", "list"], "Connected")),
    init: ALL_MOMENTS,
    ..PLAIN
};

/// `acreta init` allows `memory_note`.
const TOOLS: &str =
    "Bash,Write,Agent,Task,ToolSearch,mcp__acreta__memory_search,mcp__acreta__memory_add";
