//! Classification of the ways in which a program ends.

use std::time::Duration;

use acreta_llm::{Code, Program};
use acreta_types::with_causes;

use super::FakeProgram;

#[test]
fn every_end_of_a_program_has_its_code() {
    use Program::{Claude, Codex, Copilot, Gemini, OpenCode};
    // Stdout, stderr and exit code; the expected code, and the minutes until a retry.
    type Case = (Program, &'static str, &'static str, i32, Code, Option<u64>);
    let cases: &[Case] = &[
        (
            Claude,
            r#"{"is_error":true,"subtype":"success","result":"Not logged in · Please run /login"}"#,
            "",
            1,
            Code::LoggedOut,
            None,
        ),
        (
            Claude,
            r#"{"is_error":true,"api_error_status":401,"result":"Failed to authenticate"}"#,
            "",
            1,
            Code::LoggedOut,
            None,
        ),
        (
            Claude,
            r#"{"is_error":true,"api_error_status":429,"result":"You've hit your limit · resets 11am"}"#,
            "",
            1,
            Code::RateLimited,
            Some(120),
        ),
        (
            Claude,
            r#"{"is_error":true,"api_error_status":429,"result":"API Error: 429"}"#,
            "",
            1,
            Code::RateLimited,
            Some(60),
        ),
        (
            Claude,
            r#"{"is_error":true,"api_error_status":529,"result":"Overloaded","subtype":"success","terminal_reason":"api_error"}"#,
            "",
            1,
            Code::Provider,
            None,
        ),
        (
            Claude,
            r#"{"is_error":true,"subtype":"error_max_budget_usd","terminal_reason":"budget_exhausted"}"#,
            "",
            1,
            Code::Provider,
            None,
        ),
        (
            Claude,
            r#"{"is_error":true,"result":"Prompt is too long"}"#,
            "",
            1,
            Code::TooLarge,
            None,
        ),
        (
            Claude,
            r#"{"is_error":false,"subtype":"success","result":"I would rather not."}"#,
            "",
            0,
            Code::InvalidReply,
            None,
        ),
        (
            Claude,
            "",
            "error: unknown option '--safe-mode'",
            1,
            Code::Provider,
            None,
        ),
        (
            Codex,
            r#"{"type":"turn.failed","error":{"message":"You’ve hit your usage limit. Upgrade to Plus or try again at 10:05 AM."}}"#,
            "",
            1,
            Code::RateLimited,
            Some(65),
        ),
        (
            Codex,
            r#"{"type":"turn.failed","error":{"message":"exceeded retry limit, last status: 429 Too Many Requests"}}"#,
            "",
            1,
            Code::RateLimited,
            Some(60),
        ),
        (
            Codex,
            r#"{"type":"turn.failed","error":{"message":"unexpected status 401 Unauthorized: no"}}"#,
            "",
            1,
            Code::LoggedOut,
            None,
        ),
        (Codex, "", "Not logged in", 1, Code::LoggedOut, None),
        (
            Codex,
            r#"{"type":"turn.started"}"#,
            "",
            0,
            Code::InvalidReply,
            None,
        ),
        (
            Codex,
            "",
            "error: unexpected argument '--ephemeral' found",
            2,
            Code::Provider,
            None,
        ),
        (
            OpenCode,
            r#"{"type":"error","error":{"name":"APIError","data":{"statusCode":401,"message":"no"}}}"#,
            "",
            1,
            Code::LoggedOut,
            None,
        ),
        (
            OpenCode,
            r#"{"type":"error","error":{"name":"APIError","data":{"statusCode":429,"message":"try again in 2 hours"}}}"#,
            "",
            1,
            Code::RateLimited,
            Some(120),
        ),
        (
            OpenCode,
            r#"{"type":"error","error":{"name":"UnknownError","data":{"message":"boom"}}}"#,
            "",
            1,
            Code::Provider,
            None,
        ),
        (
            Copilot,
            "",
            "Error: No authentication information found.",
            1,
            Code::LoggedOut,
            None,
        ),
        (
            Copilot,
            r#"{"type":"session.error","data":{"errorType":"quota","statusCode":429,"message":"no premium requests left, retry-after: 300"}}"#,
            "",
            1,
            Code::RateLimited,
            Some(5),
        ),
        (
            Copilot,
            r#"{"type":"session.error","data":{"errorType":"authentication","statusCode":401}}"#,
            "",
            1,
            Code::LoggedOut,
            None,
        ),
        (
            Gemini,
            "",
            "{\n \"error\": {\"type\":\"Error\",\"message\":\"you must specify the GEMINI_API_KEY\",\"code\":41}}",
            41,
            Code::LoggedOut,
            None,
        ),
        (
            Gemini,
            "",
            "A warning.\n{\n\"error\": {\"message\":\"API key not valid\",\"code\":401}}",
            145,
            Code::LoggedOut,
            None,
        ),
        (
            Gemini,
            "",
            "{\n\"error\": {\"message\":\"Quota exceeded. Please retry in 30s.\",\"code\":429}}",
            173,
            Code::RateLimited,
            None,
        ),
        (
            Gemini,
            r#"{"response":""}"#,
            "",
            0,
            Code::InvalidReply,
            None,
        ),
    ];
    for (program, stdout, stderr, exit, code, minutes) in cases {
        let behaviour =
            format!("cat \"$SEEN/../answer\"\ncat \"$SEEN/../complaint\" >&2\nexit {exit}");
        let fake = FakeProgram::new(*program, &behaviour);
        fake.write("answer", stdout);
        fake.write("complaint", stderr);
        // It is 08:00 UTC, 09:00 for the user.
        let now = fake.home.clock_ms();
        let error = fake.fails();
        let told = format!("{program:?} {stdout}{stderr}: {}", with_causes(&error));
        assert_eq!(error.code(), *code, "{told}");
        assert!(!with_causes(&error).contains("api_error"), "{told}");
        assert_eq!(fake.left(), ["empty", "lock"], "{told}");
        if let Some(minutes) = minutes {
            assert_eq!(error.retry_at_ms(), Some(now + minutes * 60_000), "{told}");
        }
        assert_eq!(
            error.retry_at_ms().is_some(),
            *code == Code::RateLimited,
            "{told}"
        );
        if *code == Code::LoggedOut {
            let help = error.help().unwrap_or_default();
            assert!(help.contains(program.login_command()), "{told}");
        }
        if stderr.contains("unknown option") || stderr.contains("unexpected argument") {
            assert!(
                error.help().unwrap_or_default().contains("update"),
                "{told}"
            );
        }
    }
}

#[test]
fn junk_floods_hangs_and_absence_are_told_apart() {
    for program in Program::ALL {
        let cases = [
            ("echo '%%% no json'", Code::InvalidReply, "not JSON"),
            ("true", Code::InvalidReply, "wrote nothing"),
            (
                "exec head -c 10000000 /dev/zero",
                Code::TooLarge,
                "8388608 bytes",
            ),
            ("kill -9 $$", Code::Provider, "gave no reason"),
        ];
        for (behaviour, code, says) in cases {
            let fake = FakeProgram::new(program, behaviour);
            let error = fake.fails();
            let told = format!("{program:?} {behaviour}: {}", with_causes(&error));
            assert_eq!(error.code(), code, "{told}");
            assert!(with_causes(&error).contains(says), "{told}");
        }
        let mut absent = FakeProgram::new(program, "");
        absent.agent().command = Some("no-such-program-anywhere".to_owned());
        let error = absent.fails();
        assert!(with_causes(&error).contains("is not installed"), "{error}");
        assert_eq!(absent.starts(), 0);
    }
    let mut slow = FakeProgram::new(Program::Codex, "sleep 600 & sleep 600");
    slow.home.provider().timeout = Duration::from_millis(400);
    assert_eq!(slow.fails().code(), Code::Timeout);
    assert_eq!(slow.left(), ["empty", "lock"]);
    // A program that reports the limit when asked to terminate.
    let mut told = FakeProgram::new(
        Program::Copilot,
        "trap 'cat $SEEN/../answer; exit 1' TERM\nsleep 600 & wait",
    );
    told.write(
        "answer",
        r#"{"type":"model.call_final_result","data":{"result":"http_429"}}"#,
    );
    told.home.provider().timeout = Duration::from_millis(2_000);
    let error = told.fails();
    assert_eq!(error.code(), Code::RateLimited, "{}", with_causes(&error));
    // A session whose text mentions limits is not limited.
    let mut quoting = FakeProgram::new(
        Program::Copilot,
        "echo '{\"type\":\"user.message\",\"data\":{\"content\":\"usage limit\"}}'; sleep 600",
    );
    quoting.home.provider().timeout = Duration::from_millis(1_000);
    assert_eq!(quoting.fails().code(), Code::Timeout);
}

/// Programs repeat a refused call for minutes. What they say meanwhile ends the call at once.
#[test]
fn a_limit_is_known_when_the_program_says_it() {
    let table = [
        (
            Program::Gemini,
            "echo 'Attempt 1 failed with status 429. Retrying with backoff... _ApiError: {}' >&2",
        ),
        (
            Program::OpenCode,
            "echo 'level=ERROR message=\"stream error\" error.error=\"AI_APICallError: Resource has been exhausted\"' >&2",
        ),
        (
            Program::OpenCode,
            "echo 'level=ERROR error.error=\"AI_APICallError: Too Many Requests\"' >&2",
        ),
        (
            Program::Codex,
            "echo '{\"type\":\"error\",\"message\":\"Reconnecting... 1/5 (unexpected status 429 Too Many Requests)\"}'",
        ),
    ];
    for (program, says) in table {
        let mut fake = FakeProgram::new(program, &format!("{says}; sleep 600"));
        fake.home.provider().timeout = Duration::from_secs(600);
        let begun = std::time::Instant::now();
        let error = fake.fails();
        assert_eq!(error.code(), Code::RateLimited, "{}", with_causes(&error));
        assert!(error.retry_at_ms().is_some(), "{program:?}");
        assert!(begun.elapsed() < Duration::from_secs(60), "{program:?}");
    }
}

/// A process that makes itself a session of its own is in no group that could be killed.
#[cfg(target_os = "linux")]
#[test]
fn nothing_that_a_program_started_outlives_it() {
    for (end, timeout) in [("true", 30_000), ("sleep 600", 5_000)] {
        let behaviour = format!(
            "export SEEN\nsetsid sh -c 'echo $$ > $SEEN/../new; mv $SEEN/../new $SEEN/../process; exec sleep 600' \
             >/dev/null 2>&1 </dev/null &\nwhile [ ! -e $SEEN/../process ]; do sleep 0.01; done\n{end}"
        );
        let mut fake = FakeProgram::new(Program::Codex, &behaviour);
        fake.home.provider().timeout = Duration::from_millis(timeout);
        fake.fails();
        let process = std::fs::read_to_string(fake.home.path().join("process")).unwrap();
        let state = std::fs::read_to_string(format!("/proc/{}/stat", process.trim()));
        // Whoever inherits a process that was killed may not have reaped it yet.
        let is_running = state.is_ok_and(|state| !state.contains(") Z "));
        assert!(!is_running, "{end}: {process}");
    }
}
