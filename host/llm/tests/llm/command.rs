//! A program as provider: its input, its answers, and its failures.

use std::time::{Duration, Instant};

use acreta_llm::{Code, ProviderKind};
use acreta_types::with_causes;

use crate::support::{KEY, ModelHome, ask, ask_for_json};

#[test]
fn it_reads_json_and_answers_json_or_text() {
    let cases = [
        ("echo Yes.", "Yes.", None),
        (
            r#"echo '{"content":"Yes.","input_tokens":9,"output_tokens":2}'"#,
            "Yes.",
            Some((9, 2)),
        ),
        (
            r#"echo '{"result":"Yes.","usage":{"input_tokens":9,"output_tokens":2}}'"#,
            "Yes.",
            Some((9, 2)),
        ),
        (r#"echo '{"other":1}'"#, r#"{"other":1}"#, None),
        (
            "exec sed 's/.*\"model\":\"\\([a-z]*\\)\".*/\\1/'",
            "model",
            None,
        ),
        ("pwd | sed 's|.*/||'", "run", None),
    ];
    for (script, content, tokens) in cases {
        let reply = ModelHome::command(script)
            .session()
            .complete(&ask("Is it?"))
            .unwrap();
        assert_eq!(reply.content, content, "{script}");
        if let Some(tokens) = tokens {
            assert_eq!(
                (reply.input_tokens, reply.output_tokens),
                tokens,
                "{script}"
            );
        }
    }
    let json = ModelHome::command(r#"echo '{"answer":7}'"#).session();
    assert_eq!(
        json.complete(&ask_for_json("How many?")).unwrap().content,
        r#"{"answer":7}"#
    );
}

#[test]
fn it_sees_its_own_part_of_the_environment() {
    let mut home = ModelHome::command("env | sort | tr '\\n' ' '");
    home.environment
        .insert("EXTRA".to_owned(), "yes".to_owned());
    home.environment.insert("OTHER".to_owned(), "no".to_owned());
    let seen = |home: &ModelHome| {
        home.session()
            .complete(&ask("What do you see?"))
            .unwrap()
            .content
    };
    let plain = seen(&home);
    assert!(
        plain.contains("HOME=/nowhere") && plain.contains("PATH=/usr/bin:/bin"),
        "{plain}"
    );
    for absent in ["EXTRA", "OTHER", "TEST_KEY", KEY, "CLAUDE_CONFIG_DIR"] {
        assert!(!plain.contains(absent), "{plain}");
    }

    if let ProviderKind::Command(command) = &mut home.provider().kind {
        command.environment = vec!["EXTRA".to_owned()];
        command.persist_sessions_in_workspace = true;
        command.arguments.push("{model}".to_owned());
    }
    let configured = seen(&home);
    assert!(
        configured.contains("EXTRA=yes") && !configured.contains("OTHER"),
        "{configured}"
    );
    for (name, folder) in [("CLAUDE_CONFIG_DIR", "claude"), ("CODEX_HOME", "codex")] {
        let expected = format!("{name}={}/agent/{folder}", home.run_folder());
        assert!(configured.contains(&expected), "{configured}");
    }
}

#[test]
fn a_program_that_fails_is_an_error_with_what_it_said() {
    let cases = [
        ("echo no luck >&2; exit 3", Code::Provider, "no luck"),
        ("exit 1", Code::Provider, "it gave no reason"),
        ("true", Code::InvalidReply, "wrote nothing"),
        ("printf '\\377\\376'", Code::InvalidReply, "not UTF-8"),
        (
            "exec head -c 9000000 /dev/zero",
            Code::TooLarge,
            "more than 8388608 bytes",
        ),
        ("kill -9 $$", Code::Provider, "failed"),
    ];
    for (script, code, says) in cases {
        let session = ModelHome::command(script).session();
        let error = session.complete(&ask("Is it?")).unwrap_err();
        assert_eq!(error.code(), code, "{script}: {}", with_causes(&error));
        assert!(
            with_causes(&error).contains(says),
            "{}",
            with_causes(&error)
        );
        // The cost is not known, so the worst case is charged.
        assert_eq!(session.usage().output_tokens, 100, "{script}");
    }
    let mut home = ModelHome::command("");
    if let ProviderKind::Command(command) = &mut home.provider().kind {
        command.program = "no-such-program-anywhere".to_owned();
    }
    let session = home.session();
    let error = session.complete(&ask("Is it?")).unwrap_err();
    assert_eq!(error.code(), Code::Provider);
    assert_eq!(session.usage().output_tokens, 0);
}

#[test]
fn garbage_is_no_json_however_often_it_is_asked() {
    let session = ModelHome::command("echo '{{{ %%%'").session();
    let error = session.complete(&ask_for_json("How many?")).unwrap_err();
    assert_eq!(
        (error.code(), session.usage().calls),
        (Code::InvalidReply, 2)
    );
}

#[test]
fn one_that_never_returns_is_killed_with_all_it_started() {
    let mut home = ModelHome::command("sleep 600 & echo $! > child; sleep 600");
    home.provider().timeout = Duration::from_millis(250);
    let note = home.run_folder().join("child");
    // On a busy machine the timeout may pass before the program has started anything.
    let child = (0..50).find_map(|_| {
        let session = home.session();
        let error = session.complete(&ask("Is it?")).unwrap_err();
        assert_eq!(error.code(), Code::Timeout);
        assert!(error.is_retryable());
        assert_eq!(session.usage().output_tokens, 100);
        let child = std::fs::read_to_string(&note).unwrap_or_default();
        (!child.trim().is_empty()).then_some(child)
    });
    let child = child.unwrap();
    let deadline = Instant::now() + Duration::from_secs(20);
    while !has_ended(child.trim()) {
        assert!(Instant::now() < deadline, "process {child} is still there");
        std::thread::yield_now();
    }
}

/// Returns true if a process is gone, or is a zombie.
fn has_ended(id: &str) -> bool {
    let Ok(stat) = std::fs::read_to_string(format!("/proc/{id}/stat")) else {
        return true;
    };
    stat.rsplit(')')
        .next()
        .is_some_and(|rest| rest.trim_start().starts_with(['Z', 'X']))
}
