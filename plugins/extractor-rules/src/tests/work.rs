//! What the work shows: causes that were confirmed, calls that failed, checks that need to be known.

use super::*;

#[test]
fn a_cause_counts_when_the_fix_held() {
    let cause = "Found it! The `Cache` never drops entries because `evict()` compares seconds with milliseconds.";
    let mended = [
        user("the cache grows until the process crashes, that is a bug"),
        agent(cause),
        (
            "assistant",
            "tool-call",
            r#"{"file_path":"src/cache.rs"}"#,
            EDIT,
        ),
        ("tool", "tool-result", "ok", EDIT),
        (
            "assistant",
            "tool-call",
            r#"{"command":"cargo test"}"#,
            SHELL,
        ),
        ("tool", "tool-result", "12 passed", SHELL),
        agent("The tests pass. The `Cache` compared seconds with milliseconds in `evict()`."),
    ];
    let found = found(&mended);
    assert!(
        found
            .iter()
            .any(|(kind, body)| kind == "pitfall" && body.contains("`evict()` compares seconds")),
        "{found:?}"
    );
    let mut rejected = mended.to_vec();
    rejected.push(user("no, that's not it, it still grows"));
    rejected.push(agent("Let me look again."));
    assert!(
        check(&rejected).candidates.is_empty(),
        "{:?}",
        check(&rejected).candidates
    );
}

#[test]
fn a_call_that_failed_until_another_one_worked_is_friction() {
    let found = found(&[
        user("run the script"),
        (
            "assistant",
            "tool-call",
            r#"{"command":"cd app && python main.py"}"#,
            SHELL,
        ),
        (
            "tool",
            "tool-result",
            "Exit code 127\nbash: python: command not found",
            SHELL,
        ),
        (
            "assistant",
            "tool-call",
            r#"{"command":"cd app && python3 main.py"}"#,
            SHELL_AGAIN,
        ),
        ("tool", "tool-result", "2", SHELL_AGAIN),
        agent("It prints 2."),
    ]);
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "friction");
    assert_eq!(
        found[0].1,
        "`python main.py` fails with \"bash: python: command not found\", while `python3 main.py` works."
    );
}

#[test]
fn a_cause_nobody_confirmed_is_a_guess() {
    let guess = [
        user("the cache grows until the process crashes, that is a bug"),
        agent(
            "**Root cause**: The `Cache` never drops entries because `evict()` compares seconds with milliseconds.",
        ),
    ];
    assert!(check(&guess).candidates.is_empty());
    let mut agreed = guess.to_vec();
    agreed.push(user("perfect, thanks"));
    agreed.push(agent("You are welcome."));
    let kept = check(&agreed).candidates;
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert_eq!(kept[0].title, "The `Cache` never drops entries");
}

#[test]
fn only_checks_that_need_a_flag_are_told() {
    let session = |command: &'static str| {
        let mut steps = vec![user("rename the button")];
        for _ in 0..3 {
            steps.extend([
                (
                    "assistant",
                    "tool-call",
                    r#"{"file_path":"src/button.ts"}"#,
                    EDIT,
                ),
                ("tool", "tool-result", "ok", EDIT),
                ("assistant", "tool-call", command, SHELL),
                ("tool", "tool-result", "ok", SHELL),
            ]);
        }
        steps.push(agent("Renamed."));
        let found = check(&steps).candidates;
        found.into_iter().map(|one| one.title).collect::<Vec<_>>()
    };
    assert_eq!(
        session(r#"{"command":"pnpm --filter @shop/web lint"}"#),
        ["Check changes with `pnpm --filter @shop/web lint`"]
    );
    assert!(session(r#"{"command":"npm run lint && npm run test"}"#).is_empty());
}
