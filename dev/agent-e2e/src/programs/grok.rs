//! Grok Build.

use super::{Init, KEY, PLAIN, Program, SERVER, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "grok",
    package: Package::Npm("@xai-official/grok"),
    binary: "grok",
    settings: |scratch| {
        let url = &scratch.url;
        let text = format!(
            "default_model = \"scripted\"\n\n[models]\ndefault = \"scripted\"\n\n[model.scripted]\n\
             model = \"scripted\"\nname = \"Scripted\"\nbase_url = \"{url}/v1\"\napi_key = \"{KEY}\"\n\
             api_backend = \"chat_completions\"\ncontext_window = 128000\n"
        );
        vec![(".grok/config.toml".to_owned(), text)]
    },
    variables: |_| vec![("XAI_API_KEY", KEY.to_owned())],
    fresh: |turn| words(&["-m", "scripted", "--always-approve", "-p", turn.prompt]),
    resume: Some(|turn| {
        words(&[
            "-m",
            "scripted",
            "--always-approve",
            "--continue",
            "-p",
            turn.prompt,
        ])
    }),
    subagent: Some("general-purpose"),
    init: Init {
        brief: true,
        failure: true,
        edit: true,
        ..SERVER
    },
    is_briefed_by_tool: true,
    ..PLAIN
};
