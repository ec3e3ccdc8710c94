//! Requests and valid replies in each protocol.

use acreta_llm::{
    Code, Mode, OutputLimit, Price, ProviderKind, ProviderSettings, Purpose, StructuredOutput,
};
use serde_json::json;

use crate::server::{ScriptedServer, ServerStep};
use crate::support::{KEY, ModelHome, ask, ask_for_json};

#[test]
fn anthropic_is_asked_in_its_own_words() {
    let server = ScriptedServer::start([ServerStep::anthropic(
        &json!({ "type": "text", "text": "Seven." }),
        "end_turn",
        (21, 3),
    )]);
    let session = ModelHome::anthropic(&server).session();
    let reply = session.complete(&ask("How many?")).unwrap();
    assert_eq!(reply.content, "Seven.");
    assert_eq!((reply.input_tokens, reply.output_tokens), (21, 3));
    assert!(!reply.cached);

    let call = server.calls().remove(0);
    assert!(call.starts_with("POST /v1/messages HTTP/1.1\r\n"), "{call}");
    assert!(call.contains(&format!("x-api-key: {KEY}\r\n")), "{call}");
    assert!(call.contains("anthropic-version: 2023-06-01\r\n"), "{call}");
    assert_eq!(
        server.body(0),
        json!({
            "model": "model", "max_tokens": 100, "system": "You are brief.",
            "messages": [{ "role": "user", "content": "How many?" }],
        })
    );
    let usage = session.usage();
    assert_eq!(
        (usage.calls, usage.input_tokens, usage.output_tokens),
        (1, 21, 3)
    );
    assert_eq!(usage.unpriced_calls, 1);
}

#[test]
fn openai_is_asked_in_its_own_words() {
    let server = ScriptedServer::start([ServerStep::openai("Seven.", (20, 2))]);
    let mut home = ModelHome::openai(&server);
    for (limit, name) in [
        (OutputLimit::MaxTokens, "max_tokens"),
        (OutputLimit::MaxCompletionTokens, "max_completion_tokens"),
    ] {
        if let ProviderKind::OpenAi(settings) = &mut home.provider().kind {
            settings.output_limit = limit;
        }
        let question = format!("How many by {name}?");
        let reply = home.session().complete(&ask(&question)).unwrap();
        assert_eq!((reply.input_tokens, reply.output_tokens), (20, 2));
        let index = server.calls().len() - 1;
        assert_eq!(
            server.body(index),
            json!({
                "model": "model", name: 100,
                "messages": [
                    { "role": "system", "content": "You are brief." },
                    { "role": "user", "content": question },
                ],
            })
        );
    }
    let call = server.calls().remove(0);
    assert!(
        call.starts_with("POST /chat/completions HTTP/1.1\r\n"),
        "{call}"
    );
    assert!(
        call.contains(&format!("authorization: Bearer {KEY}\r\n")),
        "{call}"
    );
}

#[test]
fn anthropic_gives_json_through_a_tool() {
    let server = ScriptedServer::start([ServerStep::anthropic(
        &json!({ "type": "tool_use", "id": "1", "name": "reply", "input": { "answer": 7 } }),
        "tool_use",
        (50, 9),
    )]);
    let reply = ModelHome::anthropic(&server)
        .session()
        .complete(&ask_for_json("How many?"));
    assert_eq!(reply.unwrap().content, r#"{"answer":7}"#);
    let body = server.body(0);
    assert_eq!(
        body["tool_choice"],
        json!({ "type": "tool", "name": "reply" })
    );
    assert_eq!(
        body["tools"][0]["input_schema"]["required"],
        json!(["answer"])
    );
}

#[test]
fn openai_gives_json_in_every_way_it_is_told() {
    let fenced = "<think>\nhm\n</think>\n```json\n{\"answer\": 7}\n```";
    for way in [
        StructuredOutput::Schema,
        StructuredOutput::JsonObject,
        StructuredOutput::Prompt,
    ] {
        let server = ScriptedServer::start([ServerStep::openai(fenced, (20, 2))]);
        let mut home = ModelHome::openai(&server);
        if let ProviderKind::OpenAi(settings) = &mut home.provider().kind {
            settings.structured_output = way;
        }
        let reply = home.session().complete(&ask_for_json("How many?")).unwrap();
        assert_eq!(reply.content, "{\"answer\": 7}", "{way:?}");
        let body = server.body(0);
        let format = &body["response_format"]["type"];
        let in_words = body["messages"][0]["content"]
            .as_str()
            .unwrap()
            .contains("JSON schema");
        match way {
            StructuredOutput::Schema => {
                assert_eq!((format, in_words), (&json!("json_schema"), false));
            }
            StructuredOutput::JsonObject => {
                assert_eq!((format, in_words), (&json!("json_object"), true));
            }
            StructuredOutput::Prompt => assert!(format.is_null() && in_words),
        }
    }
}

#[test]
fn a_reply_that_does_not_fit_is_repaired_once() {
    let server = ScriptedServer::start([
        ServerStep::openai(r#"{"answer": 0}"#, (20, 2)),
        ServerStep::openai(r#"{"answer": 7}"#, (40, 3)),
    ]);
    let session = ModelHome::openai(&server).session();
    let reply = session.complete(&ask_for_json("How many?")).unwrap();
    assert_eq!(reply.content, r#"{"answer": 7}"#);
    assert_eq!((reply.input_tokens, reply.output_tokens), (60, 5));
    assert_eq!(session.usage().calls, 2);
    let messages = server.body(1)["messages"].clone();
    assert_eq!(messages[2]["content"], json!(r#"{"answer": 0}"#));
    let complaint = messages[3]["content"].as_str().unwrap();
    assert!(
        complaint.contains("`/answer` is against `minimum` 1"),
        "{complaint}"
    );
}

#[test]
fn several_are_asked_at_once_and_answered_in_order() {
    let server = ScriptedServer::start([ServerStep::openai("Yes.", (20, 2))]);
    let home = ModelHome::openai(&server);
    let session = home.session();
    let mut requests: Vec<_> = (0..9)
        .map(|index| ask(&format!("Number {index}?")))
        .collect();
    requests[4].json_schema = Some("{".to_owned());
    let replies = session.complete_all(&requests);
    for (index, reply) in replies.iter().enumerate() {
        match reply {
            Ok(reply) => assert_eq!((reply.content.as_str(), index == 4), ("Yes.", false)),
            Err(error) => assert_eq!((error.code(), index), (Code::Refused, 4)),
        }
    }
    assert_eq!((session.usage().calls, server.calls().len()), (8, 8));
    assert!(session.complete_all(&[]).is_empty());
}

/// Estimated tokens of the system prompt and "Is it?", with 4 for the frame of each.
const ASKED: u64 = 17;

#[test]
fn an_estimate_sends_nothing_and_knows_the_cache() {
    let server = ScriptedServer::start([ServerStep::openai("Yes.", (20, 2))]);
    let mut home = ModelHome::openai(&server);
    let session = home.session();
    let estimate = session.estimate(&ask("Is it?")).unwrap();
    assert_eq!((estimate.cost, estimate.cached), (None, false));
    assert_eq!(
        (estimate.input_tokens, estimate.max_output_tokens),
        (ASKED, 100)
    );
    assert_eq!((server.calls().len(), session.usage().calls), (0, 0));

    let price = Price::per_million(1.0, 2.0).unwrap();
    home.settings.prices.set("main/model", price);
    let session = home.session();
    assert_eq!(
        session.estimate(&ask("Is it?")).unwrap().cost,
        Some(price.of(ASKED, 100))
    );
    session.complete(&ask("Is it?")).unwrap();
    assert!(session.estimate(&ask("Is it?")).unwrap().cached);
    let usage = session.usage();
    assert_eq!((usage.cost, usage.unpriced_calls), (price.of(20, 2), 0));
}

#[test]
fn nothing_is_sent_without_provider_role_key_or_leave() {
    let server = ScriptedServer::start([ServerStep::openai("Yes.", (20, 2))]);
    let none = ModelHome::empty();
    let off = ModelHome::openai(&server).mode(Mode::Off);
    let mut no_role = ModelHome::openai(&server);
    no_role.settings.roles.remove(&Purpose::Extract);
    let mut unknown = ModelHome::openai(&server);
    unknown.settings.providers.clear();
    let mut no_key = ModelHome::openai(&server);
    no_key.environment.remove("TEST_KEY");
    let cases = [
        (none, Code::NoProvider),
        (off, Code::NoProvider),
        (no_role, Code::NoProvider),
        (unknown, Code::NoProvider),
        (no_key, Code::NoKey),
    ];
    for (home, code) in cases {
        let session = home.session();
        let error = session.complete(&ask("Is it?")).unwrap_err();
        assert_eq!(error.code(), code, "{error}");
        assert!(!error.is_retryable());
        assert_eq!(session.usage().calls, 0);
    }
    let session = ModelHome::openai(&server).session();
    session.cancel();
    let error = session.complete(&ask("Is it?")).unwrap_err();
    assert_eq!(error.code(), Code::Cancelled);
    assert!(server.calls().is_empty());
}

#[test]
fn every_preset_is_a_provider() {
    for name in ProviderSettings::PRESETS {
        let preset = ProviderSettings::preset(name).unwrap();
        let endpoint = match &preset.kind {
            ProviderKind::Agent(agent) => {
                assert_eq!(agent.program.name(), name);
                assert_eq!((preset.max_parallel, preset.attempts), (1, 1), "{name}");
                continue;
            }
            ProviderKind::Anthropic(endpoint) | ProviderKind::Ollama(endpoint) => endpoint,
            ProviderKind::OpenAi(settings) => &settings.endpoint,
            ProviderKind::Command(_) => panic!("{name} has no address"),
        };
        let is_local = endpoint.base_url.starts_with("http://localhost:");
        assert!(
            is_local || endpoint.base_url.starts_with("https://"),
            "{name}"
        );
        assert_eq!(is_local, preset.key_env().is_none(), "{name}");
    }
    assert_eq!(ProviderSettings::preset("nobody"), None);
}
