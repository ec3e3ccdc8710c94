//! Kimi Code.

use super::{Init, KEY, PLAIN, Program, SERVER, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "kimi",
    package: Package::Npm("@moonshot-ai/kimi-code"),
    binary: "kimi",
    settings: |scratch| {
        let url = &scratch.url;
        let text = format!(
            "default_model = \"scripted\"\n\n[providers.scripted]\ntype = \"openai\"\n\
             base_url = \"{url}/v1\"\napi_key = \"{KEY}\"\n\n[models.scripted]\n\
             provider = \"scripted\"\nmodel = \"scripted\"\nmax_context_size = 128000\n"
        );
        vec![(".kimi-code/config.toml".to_owned(), text)]
    },
    fresh: |turn| words(&["-p", turn.prompt]),
    resume: Some(|turn| words(&["--continue", "-p", turn.prompt])),
    subagent: Some("coder"),
    init: Init {
        brief: true,
        prompt: true,
        ..SERVER
    },
    ..PLAIN
};
