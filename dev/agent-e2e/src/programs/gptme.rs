//! gptme. Its servers wait for a switch of the person's, so it has no memory tools.

use super::{KEY, PLAIN, Program, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "gptme",
    package: Package::PyPi("gptme"),
    binary: "gptme",
    variables: |scratch| {
        vec![
            ("OPENAI_BASE_URL", format!("{}/v1", scratch.url)),
            ("OPENAI_API_KEY", KEY.to_owned()),
        ]
    },
    fresh: |turn| told(&[], turn.prompt),
    resume: Some(|turn| told(&["--resume"], turn.prompt)),
    ..PLAIN
};

/// Calls of tools in the provider's form; its own default writes them into the text.
fn told(how: &[&str], prompt: &str) -> Vec<String> {
    let model = ["--non-interactive", "-m", "local/scripted"];
    let tools = ["--tool-format", "tool", "-t", "shell,save"];
    words(&[how, &model, &tools, &[prompt]].concat())
}
