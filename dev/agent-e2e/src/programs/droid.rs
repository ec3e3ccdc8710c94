//! Factory's Droid, with a custom model and without a login, so that it cannot resume sessions.

use serde_json::json;

use super::{KEY, PLAIN, Program, SERVER, words};
use crate::cache::Package;

pub(super) const PROGRAM: Program = Program {
    name: "droid",
    package: Package::Npm("droid"),
    binary: "droid",
    settings: |scratch| {
        let settings = json!({ "customModels": [{
            "model": "scripted", "displayName": "Scripted", "apiKey": KEY,
            "baseUrl": format!("{}/v1", scratch.url), "maxOutputTokens": 8000,
            "provider": "generic-chat-completion-api",
        }] });
        let path = ".factory/settings.json".to_owned();
        vec![(path, format!("{settings:#}\n"))]
    },
    fresh: |turn| words(&["exec", "-m", MODEL, FREE, turn.prompt]),
    init: SERVER,
    ..PLAIN
};

const MODEL: &str = "custom:Scripted-0";
const FREE: &str = "--skip-permissions-unsafe";
