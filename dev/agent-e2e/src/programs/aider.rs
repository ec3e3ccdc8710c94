//! Aider: words and edits, no tools. It writes one history per repository.

use super::{KEY, PLAIN, Program, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "aider",
    package: Package::PyPi("aider-chat"),
    binary: "aider",
    variables: |scratch| {
        vec![
            ("OPENAI_API_BASE", format!("{}/v1", scratch.url)),
            ("OPENAI_API_KEY", KEY.to_owned()),
            ("AIDER_ANALYTICS", "false".to_owned()),
            ("AIDER_CHECK_UPDATE", "false".to_owned()),
            ("AIDER_SHOW_MODEL_WARNINGS", "false".to_owned()),
            ("AIDER_AUTO_COMMITS", "false".to_owned()),
            ("AIDER_GITIGNORE", "false".to_owned()),
        ]
    },
    fresh: |turn| words(&["--model", MODEL, "--yes-always", "--message", turn.prompt]),
    resume: Some(|turn| {
        let restore = "--restore-chat-history";
        words(&[
            "--model",
            MODEL,
            "--yes-always",
            restore,
            "--message",
            turn.prompt,
        ])
    }),
    has_tools: false,
    ..PLAIN
};

const MODEL: &str = "openai/scripted";
