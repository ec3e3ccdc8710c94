//! Every kind of bad reply: a clear error with its code, the budget intact, and no useless calls.

use std::time::Duration;

use acreta_llm::{Code, LlmError};
use acreta_types::with_causes;
use serde_json::json;

use crate::server::{ScriptedServer, ServerStep};
use crate::support::{KEY, ModelHome, ask, ask_for_json, openai};

/// Expected result of a reply.
struct ExpectedFailure {
    code: Code,
    calls: u64,
    retryable: bool,
    /// True if the call may have been billed, and is charged in full.
    charged: bool,
    says: &'static str,
}

fn check(steps: &[ServerStep], expected: &ExpectedFailure) {
    let name = expected.says;
    for home in [ModelHome::anthropic, ModelHome::openai] {
        let server = ScriptedServer::start(steps.iter().cloned());
        let session = home(&server).session();
        let error = session.complete(&ask("Is it?")).unwrap_err();
        let message = with_causes(&error);
        assert_eq!(error.code(), expected.code, "{name}: {message}");
        assert_eq!(error.is_retryable(), expected.retryable, "{name}");
        assert!(
            message.contains(expected.says),
            "{message} does not say {name}"
        );
        assert_eq!(
            (error.provider(), error.model()),
            (Some("main"), Some("model"))
        );
        assert!(
            message.starts_with("provider `main`, model `model`: "),
            "{message}"
        );
        assert_no_key(&error);
        let usage = session.usage();
        assert_eq!(usage.calls, expected.calls, "{name}");
        assert_eq!(server.calls().len() as u64, expected.calls, "{name}");
        assert_eq!(
            usage.output_tokens,
            if expected.charged { 100 } else { 0 },
            "{name}"
        );
        assert_eq!(usage.assumed_output_tokens, usage.output_tokens, "{name}");
        assert_eq!(usage.assumed_input_tokens, usage.input_tokens, "{name}");
    }
}

fn assert_no_key(error: &LlmError) {
    let all = format!("{error} {error:?} {:?}", error.to_failure());
    assert!(!all.contains(KEY), "{all}");
}

#[test]
fn what_the_server_turns_down_costs_nothing() {
    let once = |code, says| ExpectedFailure {
        code,
        calls: 1,
        retryable: false,
        charged: false,
        says,
    };
    let echo = format!("invalid key {KEY} given");
    check(
        &[ServerStep::error(401, &echo)],
        &once(Code::NoKey, "[redacted:key]"),
    );
    check(
        &[ServerStep::error(401, "who are you")],
        &once(Code::NoKey, "`TEST_KEY`"),
    );
    check(
        &[ServerStep::error(403, "not yours")],
        &once(Code::NoKey, "not yours"),
    );
    check(
        &[ServerStep::error(404, "no such model")],
        &once(Code::Provider, "no such model"),
    );
    check(
        &[ServerStep::text(413, "")],
        &once(Code::TooLarge, "too large"),
    );
    let long = "prompt is too long: 300000 tokens";
    check(&[ServerStep::error(400, long)], &once(Code::TooLarge, long));
    check(
        &[ServerStep::error(400, "bad field")],
        &once(Code::Provider, "bad field"),
    );
    let elsewhere = ServerStep::text(307, "").with("location", "http://127.0.0.1:1/");
    check(&[elsewhere], &once(Code::Provider, "status 307"));
    let empty = ServerStep::json(429, &json!({ "error": { "code": "insufficient_quota" } }));
    check(&[empty], &once(Code::Provider, "no credit left"));
    check(
        &[ServerStep::text(418, "\u{1b}[31mred")],
        &once(Code::Provider, "\\u{1b}[31mred"),
    );
}

#[test]
fn what_may_pass_is_tried_three_times() {
    let thrice = |code, says| ExpectedFailure {
        code,
        calls: 3,
        retryable: true,
        charged: false,
        says,
    };
    check(
        &[ServerStep::error(500, "oops")],
        &thrice(Code::Provider, "oops"),
    );
    check(
        &[ServerStep::text(503, "<html>busy")],
        &thrice(Code::Provider, "status 503"),
    );
    check(
        &[ServerStep::error(529, "overloaded")],
        &thrice(Code::Provider, "overloaded"),
    );
    check(
        &[ServerStep::error(429, "slow down")],
        &thrice(Code::RateLimited, "slow down"),
    );
}

#[test]
fn what_may_have_been_paid_for_is_charged_and_not_repeated() {
    let paid = |code, retryable, says| ExpectedFailure {
        code,
        calls: 1,
        retryable,
        charged: true,
        says,
    };
    check(
        &[ServerStep::Cut],
        &paid(Code::Provider, true, "the connection was lost"),
    );
    let html = "<!doctype html><title>Sign in</title>";
    check(
        &[ServerStep::text(200, html)],
        &paid(Code::InvalidReply, false, "Sign in"),
    );
    check(
        &[ServerStep::text(200, "")],
        &paid(Code::InvalidReply, false, "not JSON"),
    );
    check(
        &[ServerStep::text(200, "{}")],
        &paid(Code::InvalidReply, false, "cannot be read"),
    );
    let huge = format!("\"{}\"", "x".repeat(10_000_000));
    check(
        &[ServerStep::text(200, &huge)],
        &paid(Code::TooLarge, false, "larger than 8388608 bytes"),
    );
}

#[test]
fn a_server_that_hangs_is_given_up_on() {
    let server = ScriptedServer::start([ServerStep::Hang]);
    let mut home = ModelHome::anthropic(&server);
    home.provider().timeout = Duration::from_millis(200);
    let session = home.session();
    let error = session.complete(&ask("Is it?")).unwrap_err();
    assert_eq!(error.code(), Code::Timeout);
    assert!(error.is_retryable());
    assert!(
        error.to_string().contains("no reply within 0.2 s"),
        "{error}"
    );
    let usage = session.usage();
    assert_eq!((usage.calls, usage.output_tokens), (1, 100));
}

#[test]
fn a_server_that_is_not_there_costs_nothing() {
    let server = ScriptedServer::start([ServerStep::Hang]);
    let home = ModelHome::openai(&server);
    drop(server);
    let session = home.session();
    let error = session.complete(&ask("Is it?")).unwrap_err();
    assert_eq!(error.code(), Code::Provider);
    assert!(
        error.to_string().contains("could not be reached"),
        "{error}"
    );
    let usage = session.usage();
    assert_eq!(
        (usage.calls, usage.input_tokens, usage.output_tokens),
        (3, 0, 0)
    );
    assert_eq!(home.clock.slept().len(), 2);
}

#[test]
fn a_refusal_is_told_and_paid_for() {
    let refused = [
        (
            ModelHome::anthropic as fn(&ScriptedServer) -> ModelHome,
            ServerStep::anthropic(
                &json!({ "type": "text", "text": "I cannot." }),
                "refusal",
                (20, 4),
            ),
        ),
        (
            ModelHome::openai,
            ServerStep::json(
                200,
                &json!({
                    "choices": [{ "finish_reason": "stop",
                        "message": { "content": null, "refusal": "I cannot." } }],
                    "usage": { "prompt_tokens": 20, "completion_tokens": 4 },
                }),
            ),
        ),
    ];
    for (home, step) in refused {
        let server = ScriptedServer::start([step]);
        let session = home(&server).session();
        let error = session.complete(&ask_for_json("Is it?")).unwrap_err();
        assert_eq!(error.code(), Code::Refused);
        assert!(with_causes(&error).ends_with("I cannot."), "{error}");
        let usage = session.usage();
        assert_eq!(
            (usage.calls, usage.input_tokens, usage.output_tokens),
            (1, 20, 4)
        );
    }
}

#[test]
fn a_reply_that_never_fits_is_an_error_after_two() {
    let cases = [
        (
            ServerStep::openai(r#"{"answer": "seven"}"#, (20, 4)),
            2,
            "must be integer",
        ),
        (ServerStep::openai("Seven, I think.", (20, 4)), 2, "no JSON"),
        (ServerStep::openai("", (20, 4)), 2, "no JSON"),
        (cut_off(), 1, "cut off after 100 tokens"),
    ];
    for (step, calls, says) in cases {
        let server = ScriptedServer::start([step]);
        let session = ModelHome::openai(&server).session();
        let error = session.complete(&ask_for_json("How many?")).unwrap_err();
        assert_eq!(error.code(), Code::InvalidReply, "{says}");
        assert!(
            with_causes(&error).contains(says),
            "{}",
            with_causes(&error)
        );
        assert_eq!(session.usage().calls, calls, "{says}");
        // The reply is not cached.
        assert!(!session.estimate(&ask_for_json("How many?")).unwrap().cached);
    }
}

#[test]
fn the_fallback_answers_when_the_main_model_does_not() {
    let main = ScriptedServer::start([ServerStep::error(500, "oops")]);
    let second = ScriptedServer::start([
        ServerStep::openai("Yes.", (20, 2)),
        ServerStep::error(404, "gone"),
    ]);
    let mut home = ModelHome::anthropic(&main);
    home.fall_back_on(openai(&second));
    let session = home.session();
    assert_eq!(session.complete(&ask("Is it?")).unwrap().content, "Yes.");
    assert_eq!(session.usage().fallbacks, 1);

    let error = session.complete(&ask("Is it not?")).unwrap_err();
    assert_eq!(error.provider(), Some("second"));
    let message = with_causes(&error);
    assert!(
        message.contains("gone") && message.contains("oops"),
        "{message}"
    );
}

fn cut_off() -> ServerStep {
    ServerStep::json(
        200,
        &json!({
            "choices": [{ "finish_reason": "length", "message": { "content": "{\"answer\": " } }],
            "usage": { "prompt_tokens": 20, "completion_tokens": 100 },
        }),
    )
}
