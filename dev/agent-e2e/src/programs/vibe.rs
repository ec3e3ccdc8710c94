//! Mistral Vibe. It gives the tools of servers to code that the model writes, and not to the model.

use super::{KEY, PLAIN, Program, SERVER, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "vibe",
    package: Package::PyPi("mistral-vibe"),
    binary: "vibe",
    settings: |scratch| {
        let url = &scratch.url;
        let text = format!(
            "active_model = \"scripted\"\nenable_telemetry = false\nenable_update_checks = false\n\n\
             [[providers]]\nname = \"scripted\"\napi_base = \"{url}/v1\"\n\
             api_key_env_var = \"SCRIPTED_KEY\"\napi_style = \"openai\"\nbackend = \"generic\"\n\n\
             [[models]]\nname = \"scripted\"\nprovider = \"scripted\"\nalias = \"scripted\"\n"
        );
        vec![(".vibe/config.toml".to_owned(), text)]
    },
    variables: |_| vec![("SCRIPTED_KEY", KEY.to_owned())],
    fresh: |turn| words(&["-p", turn.prompt, "--auto-approve", "--trust"]),
    resume: Some(|turn| words(&["--continue", "-p", turn.prompt, "--auto-approve", "--trust"])),
    init: SERVER,
    ..PLAIN
};
