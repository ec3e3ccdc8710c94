//! Secrets of a trace never occur in a request or file, and the key never outside its own header.

use std::time::Duration;

use acreta_llm::{Mode, ProviderKind};
use acreta_types::with_causes;

use crate::server::{ScriptedServer, ServerStep};
use crate::support::{KEY, ModelHome, ask, ask_for_json};

/// Invented, in the form of a real one.
const CANARY: &str = "ghp_Zq3vX8mN2kLp7RtYw5HsJd9FbGc1Va4Ue6Io";

#[test]
fn a_secret_never_leaves_by_the_network() {
    let echo = format!("{{\"token\": \"{CANARY}\"}}");
    for home in [ModelHome::anthropic, ModelHome::openai] {
        let server = ScriptedServer::start([ServerStep::openai(&echo, (20, 2))]);
        let mut home = home(&server);
        home.mode = Mode::Record(home.path().join("tape.jsonl"));
        let session = home.session();
        let mut requests = vec![
            ask(&format!("export GITHUB_TOKEN={CANARY}")),
            ask(&format!("the key is {KEY}, keep it")),
            ask_for_json(&format!("curl -H 'Authorization: Bearer {CANARY}'")),
            ask(&format!("{{\\\"token\\\": \\\"{CANARY}\\\"}}")),
        ];
        requests[2].json_schema = Some(format!(r#"{{"description": "like {CANARY}"}}"#));
        for reply in session.complete_all(&requests) {
            let shown = format!("{reply:?}");
            assert!(!shown.contains(CANARY) && !shown.contains(KEY), "{shown}");
        }
        assert!(server.calls().len() >= 4);
        for call in server.calls() {
            assert!(!call.contains(CANARY), "{call}");
            assert_eq!(call.matches(KEY).count(), 1, "{call}");
            let (head, _) = call.split_once("\r\n\r\n").unwrap();
            assert!(head.contains(KEY));
        }
        let files = home.all_files();
        assert!(files.contains("spending.json") && files.contains("tape.jsonl"));
        assert!(!files.contains(CANARY) && !files.contains(KEY), "{files}");
    }
}

#[test]
fn a_secret_never_leaves_by_a_command() {
    let home = ModelHome::command("tee seen");
    let reply = home
        .session()
        .complete(&ask(&format!("token {CANARY} and {KEY}")))
        .unwrap();
    let seen = std::fs::read_to_string(home.run_folder().join("seen")).unwrap();
    assert!(seen.contains("token "), "{seen}");
    for text in [seen, reply.content, home.all_files()] {
        assert!(!text.contains(CANARY) && !text.contains(KEY), "{text}");
    }
}

#[test]
fn no_error_shows_a_key_or_a_secret() {
    let echo = format!("you sent {KEY} and {CANARY}");
    let steps = [
        ServerStep::error(400, &echo),
        ServerStep::error(401, &echo),
        ServerStep::error(429, &echo),
        ServerStep::error(500, &echo),
        ServerStep::text(200, &echo),
        ServerStep::text(302, &echo),
        ServerStep::openai(&echo, (20, 2)),
        ServerStep::Cut,
    ];
    for step in steps {
        let server = ScriptedServer::start([step.clone()]);
        let home = ModelHome::openai(&server);
        let llm = home.llm();
        let error = home
            .session()
            .complete(&ask_for_json("Is it?"))
            .unwrap_err();
        let shown = format!(
            "{error} {error:?} {} {:?} {llm:?} {:?}",
            with_causes(&error),
            error.to_failure(),
            home.settings
        );
        assert!(
            !shown.contains(KEY) && !shown.contains(CANARY),
            "{step:?}: {shown}"
        );
    }
    let mut failing = ModelHome::command(&format!("echo {CANARY} $PASSED_KEY >&2; exit 1"));
    failing
        .environment
        .insert("PASSED_KEY".to_owned(), KEY.to_owned());
    failing.provider().timeout = Duration::from_secs(5);
    if let ProviderKind::Command(command) = &mut failing.provider().kind {
        command.environment = vec!["PASSED_KEY".to_owned()];
    }
    let error = failing.session().complete(&ask("Is it?")).unwrap_err();
    let shown = format!("{error:?}");
    assert!(shown.contains("[redacted:key]"), "{shown}");
    assert!(!shown.contains(KEY) && !shown.contains(CANARY), "{shown}");
}
