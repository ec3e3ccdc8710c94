//! Cline's command line. It resumes a session by its id only at a terminal.

use super::{ALL_MOMENTS, KEY, PLAIN, Program, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "cline",
    package: Package::Npm("cline"),
    binary: "cline",
    prepare: |scratch| {
        let url = format!("{}/v1", scratch.url);
        vec![words(&[
            "auth", "-p", "openai", "-k", KEY, "-m", "scripted", "-b", &url,
        ])]
    },
    fresh: |turn| words(&["-P", "openai", "-m", "scripted", turn.prompt]),
    subagent: Some("helper"),
    init: ALL_MOMENTS,
    ..PLAIN
};
