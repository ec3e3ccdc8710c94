//! Continue's command line.

use super::{KEY, PLAIN, Program, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "continue",
    package: Package::Npm("@continuedev/cli"),
    binary: "cn",
    settings: |scratch| {
        let url = &scratch.url;
        let text = format!(
            "name: scripted\nversion: 1.0.0\nschema: v1\nmodels:\n  - name: scripted\n    \
             provider: openai\n    model: scripted\n    apiBase: {url}/v1\n    apiKey: {KEY}\n    \
             roles: [chat]\n    capabilities: [tool_use]\n"
        );
        vec![(".continue/config.yaml".to_owned(), text)]
    },
    variables: |_| vec![("CONTINUE_TELEMETRY_ENABLED", "0".to_owned())],
    fresh: |turn| words(&["-p", "--auto", turn.prompt]),
    resume: Some(|turn| words(&["-p", "--auto", "--resume", turn.prompt])),
    ..PLAIN
};
