//! Ollama's native API: a context large enough for the request, and the schema unchanged.

use acreta_llm::{Code, Endpoint, ProviderKind};
use serde_json::{Value, json};

use crate::server::{ScriptedServer, ServerStep};
use crate::support::{ModelHome, SCHEMA, ask, ask_for_json};

fn home(server: &ScriptedServer, path: &str) -> ModelHome {
    ModelHome::with(ProviderKind::Ollama(Endpoint {
        base_url: format!("{}{path}", server.url()),
        key_env: None,
    }))
}

fn reply(content: &str, reason: &str) -> ServerStep {
    ServerStep::json(
        200,
        &json!({
            "model": "model", "done": true, "done_reason": reason,
            "message": { "role": "assistant", "content": content },
            "prompt_eval_count": 21, "eval_count": 5,
        }),
    )
}

fn body(call: &str) -> Value {
    let (_, body) = call.split_once("\r\n\r\n").unwrap();
    serde_json::from_str(body).unwrap()
}

#[test]
fn a_long_prompt_gets_a_context_that_holds_it() {
    // The address of its OpenAI-compatible API, from earlier configurations, means the same server.
    for path in ["", "/", "/v1", "/v1/"] {
        let server = ScriptedServer::start([reply(r#"{"answer":7}"#, "stop")]);
        let session = home(&server, path).session();
        let answer = session.complete(&ask_for_json("How many?")).unwrap();
        assert_eq!(answer.content, r#"{"answer":7}"#);
        assert_eq!((answer.input_tokens, answer.output_tokens), (21, 5));
        let calls = server.calls();
        assert!(calls[0].starts_with("POST /api/chat "), "{}", calls[0]);
        let asked = body(&calls[0]);
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        assert_eq!(asked["format"], schema);
        assert_eq!(asked["options"]["num_ctx"], 8_192);
        assert_eq!(asked["options"]["num_predict"], 100);
        assert_eq!(
            (&asked["stream"], &asked["truncate"]),
            (&json!(false), &json!(false))
        );
    }
    let server = ScriptedServer::start([reply("Yes.", "stop")]);
    let long = "word ".repeat(20_000);
    home(&server, "").session().complete(&ask(&long)).unwrap();
    let context = body(&server.calls()[0])["options"]["num_ctx"]
        .as_u64()
        .unwrap();
    assert!((20_000..=131_072).contains(&context), "{context}");
}

#[test]
fn its_failures_have_codes() {
    let cases = [
        (reply(r#"{"answer""#, "length"), Code::InvalidReply),
        (
            ServerStep::json(404, &json!({ "error": "model 'model' not found" })),
            Code::Provider,
        ),
        (
            ServerStep::json(200, &json!({ "done": true })),
            Code::InvalidReply,
        ),
    ];
    for (step, code) in cases {
        let server = ScriptedServer::start([step]);
        let error = home(&server, "")
            .session()
            .complete(&ask_for_json("How many?"));
        assert_eq!(error.unwrap_err().code(), code);
    }
}
