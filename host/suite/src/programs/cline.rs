//! Cline's command line.

use super::{Init, KEY, PLAIN, Program, newest_file, words};
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
    elsewhere: Some(|turn| {
        words(&[
            "-P",
            "openai",
            "-m",
            "scripted",
            "--id",
            turn.session,
            turn.prompt,
        ])
    }),
    newest: |scratch| {
        let path = newest_file(scratch, ".cline/data/sessions", ".messages.json")?;
        let folder = path.parent()?.file_name()?;
        Some(folder.to_string_lossy().into_owned())
    },
    init: Init {
        server: true,
        brief: false,
    },
    ..PLAIN
};
