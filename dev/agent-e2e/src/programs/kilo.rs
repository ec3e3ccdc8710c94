//! Kilo, a fork of OpenCode.

use super::{PLAIN, Program, opencode, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "kilo",
    package: Package::Npm("@kilocode/cli-linux-x64"),
    binary: "node_modules/@kilocode/cli-linux-x64/bin/kilo",
    settings: |scratch| {
        let path = ".config/kilo/kilo.json".to_owned();
        vec![(path, opencode::settings(scratch))]
    },
    variables: |_| vec![("KILO_DISABLE_AUTOUPDATE", "1".to_owned())],
    fresh: |turn| words(&["run", turn.prompt]),
    resume: Some(|turn| words(&["run", "--continue", turn.prompt])),
    subagent: Some("general"),
    connected: Some((&["mcp", "list"], "connected")),
    compaction: opencode::COMPACTION,
    init: super::ALL_MOMENTS,
    ..PLAIN
};
