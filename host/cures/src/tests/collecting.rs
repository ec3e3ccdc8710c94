//! Commands that are the cure of a failure, and failures without a cure.

use acreta_types::{Attrs, Event, Origin};

use super::ScriptStep::{Bad, Ok, Person, Tool};
use super::{collected, commands, cures};

const NO_TSC: &str = "Exit code 127\n/usr/bin/bash: line 1: tsc: command not found\nerror: script \"typecheck\" exited with code 127";
const NO_MODULE: &str = "Error: Cannot find module 'left-pad'\nRequire stack: app.js";

/// A name, a session, and the commands of each cure with whether it is sure.
type Case<'a> = (
    &'a str,
    &'a [super::ScriptStep<'a>],
    &'a [(&'a [&'a str], bool)],
);

#[test]
fn a_cure_is_what_was_run_between_a_failure_and_the_success_of_the_same_command() {
    let table: &[Case<'_>] = &[
        (
            "what was missing is installed",
            &[
                Bad("bun run typecheck", NO_TSC),
                Ok("ls node_modules", ""),
                Ok("bun install", "42 packages installed"),
                Ok("bun run typecheck", ""),
            ],
            &[(&["bun install"], true)],
        ),
        (
            "the folder, redirections and filters of the output do not matter",
            &[
                Bad("cd app && bun run typecheck 2>&1", NO_TSC),
                Ok(
                    "cd app && bun install 2>&1 | tail -3",
                    "42 packages installed",
                ),
                Ok("bun run typecheck | tail -5", "done"),
            ],
            &[(&["bun install 2>&1 | tail -3"], true)],
        ),
        (
            "edits do not install anything",
            &[
                Bad("bun run typecheck", NO_TSC),
                Tool("Edit"),
                Ok("bun install", ""),
                Ok("bun run typecheck", ""),
            ],
            &[(&["bun install"], true)],
        ),
        (
            "reading with sed and find changes nothing",
            &[
                Bad("npm run seed", "AssertionError: expected a to be b"),
                Ok("sed -n 1,20p seed.js", "x"),
                Ok("find . -name seed.js", "seed.js"),
                Ok("npm run migrate", ""),
                Ok("npm run seed", ""),
            ],
            &[(&["npm run migrate"], false)],
        ),
        (
            "a setting of git is a cure, looking at one is none",
            &[
                Bad(
                    "git commit -m x",
                    "Author identity unknown\nfatal: unable to auto-detect email address",
                ),
                Ok("git config --get user.email", ""),
                Ok("git remote -v", ""),
                Ok("git config user.useConfigOnly false", ""),
                Ok("git commit -m x", ""),
            ],
            &[(&["git config user.useConfigOnly false"], false)],
        ),
        (
            "both in one line",
            &[Bad("npm test", NO_MODULE), Ok("npm ci && npm test", "")],
            &[(&["npm ci && npm test"], true)],
        ),
        (
            "an unrelated command may be a coincidence",
            &[
                Bad("npm test", "AssertionError: expected a to be b"),
                Ok("npm run seed", ""),
                Ok("npm test", ""),
            ],
            &[(&["npm run seed"], false)],
        ),
        (
            "a formatter cures what a formatter complains of",
            &[
                Bad(
                    "npm run check",
                    "src/a.ts format: File not formatted, formatter would have printed",
                ),
                Ok("npm run format", ""),
                Ok("npm run check", ""),
            ],
            &[(&["npm run format"], true)],
        ),
        (
            "the last failure has the cure, once",
            &[
                Bad("npm test", NO_MODULE),
                Ok("npm run build", ""),
                Bad("npm test", NO_MODULE),
                Ok("npm ci", ""),
                Ok("npm test", ""),
            ],
            &[(&["npm ci"], true)],
        ),
    ];
    for (name, session, expected) in table {
        let expected: Vec<(Vec<String>, bool)> = expected
            .iter()
            .map(|(lines, sure)| (lines.iter().map(|line| (*line).to_owned()).collect(), *sure))
            .collect();
        assert_eq!(commands(session), expected, "{name}");
    }
}

#[test]
fn a_corrected_command_is_its_own_cure() {
    let table = [
        (
            "python run.py",
            "zsh: command not found: python",
            "python3 run.py",
            true,
        ),
        ("tsc -b", "zsh: command not found: tsc", "npx tsc -b", true),
        (
            "npm test",
            "Error: too many open files",
            "npm test -- --runInBand",
            true,
        ),
        (
            "gh issue create --json number,closedBy,url",
            "Unknown JSON field: \"closedBy\"",
            "gh issue create --json number,url",
            true,
        ),
        (
            "bd unlink a b",
            "Error: unknown command \"unlink\" for \"bd\"",
            "bd detach a b",
            true,
        ),
        (
            "git rebase --continue",
            "error: There was a problem with the editor 'editor'.",
            "GIT_EDITOR=true git rebase --continue",
            true,
        ),
        (
            "golangci-lint run --enable=unused --disable-all ./x",
            "Error: unknown flag: --disable-all",
            "golangci-lint run --enable-only=unused ./x",
            true,
        ),
        (
            "rtk bun run test",
            "error: unrecognized subcommand 'bun'",
            "bun run test",
            true,
        ),
        (
            "rtk bun run test",
            "error: unrecognized subcommand 'bun'",
            "rtk test bun run test",
            true,
        ),
        // Other work, or less work.
        ("rtk bun run test", "error: boom", "bun run test", false),
        (
            "go test -v ./cmd/x",
            "stat ./cmd/x: directory not found",
            "go test -v",
            false,
        ),
        (
            "mux capture one",
            "Error: no agent found matching 'one'",
            "mux capture two",
            false,
        ),
        ("node a.js", "Error: boom", "node b.js", false),
        (
            "go test ./...",
            "panic: boom",
            "go test ./... -run TestOther",
            false,
        ),
        (
            "go test ./...",
            "panic: boom",
            "go test ./... -short",
            false,
        ),
        ("cargo test", "error: boom", "cargo build", false),
        (
            "git commit -m x",
            "error: hook failed",
            "git commit -m x --no-verify",
            false,
        ),
        ("git push", "error: rejected", "git push --force", false),
        (
            "docker ps -x",
            "unknown shorthand flag: 'x'",
            "sudo docker ps",
            false,
        ),
    ];
    for (failed, output, worked, is_cure) in table {
        let found = commands(&[Bad(failed, output), Ok(worked, "")]);
        let expected = match is_cure {
            true => vec![(vec![worked.to_owned()], true)],
            false => Vec::new(),
        };
        assert_eq!(found, expected, "{failed}: {worked}");
    }
}

#[test]
fn in_doubt_there_is_no_cure() {
    let table: &[(&str, &[super::ScriptStep<'_>])] = &[
        (
            "it never worked",
            &[Bad("npm test", NO_MODULE), Ok("npm ci", "")],
        ),
        (
            "the person spoke meanwhile",
            &[
                Bad("npm test", NO_MODULE),
                Ok("npm ci", ""),
                Person("I fixed it"),
                Ok("npm test", ""),
            ],
        ),
        (
            "an edit may have done it",
            &[
                Bad("npm test", "AssertionError: expected a to be b"),
                Tool("Edit"),
                Ok("npm run build", ""),
                Ok("npm test", ""),
            ],
        ),
        (
            "a tool that nobody knows may have done it",
            &[
                Bad("npm test", "AssertionError: expected a to be b"),
                Tool("mcp__db__apply"),
                Ok("npm run build", ""),
                Ok("npm test", ""),
            ],
        ),
        (
            "a file was written by a command",
            &[
                Bad("npm test", "AssertionError: expected a to be b"),
                Ok("echo fixed > src/a.js", ""),
                Ok("npm run build", ""),
                Ok("npm test", ""),
            ],
        ),
        (
            "a file was changed in the line that worked",
            &[
                Bad("npm test", "AssertionError: expected a to be b"),
                Ok("cp a.json b.json && npm test", ""),
            ],
        ),
        (
            "only looks lie between",
            &[
                Bad("npm test", NO_MODULE),
                Ok("git status", ""),
                Ok("cat package.json", ""),
                Ok("npm test", ""),
            ],
        ),
        (
            "too many commands to tell which",
            &[
                Bad("npm test", NO_MODULE),
                Ok("npm ci", ""),
                Ok("npm run build", ""),
                Ok("npm run generate", ""),
                Ok("npm test", ""),
            ],
        ),
        (
            "a filter hides how it ended",
            &[
                Bad("npm test", NO_MODULE),
                Ok("npm ci", ""),
                Ok(
                    "npm test 2>&1 | tail -5",
                    "Error: Cannot find module 'other'",
                ),
            ],
        ),
        (
            "a search that finds nothing did not fail",
            &[
                Bad("rg needle", "error: no"),
                Ok("npm ci", ""),
                Ok("rg needle", ""),
            ],
        ),
        (
            "the output says nothing",
            &[
                Bad("npm test", "Exit code 1"),
                Ok("npm ci", ""),
                Ok("npm test", ""),
            ],
        ),
        (
            "a refusal is no failure",
            &[
                Bad(
                    "npm test",
                    "The user doesn't want to proceed with this tool use. Error",
                ),
                Ok("npm ci", ""),
                Ok("npm test", ""),
            ],
        ),
        (
            "a script of the moment",
            &[
                Bad("npm test", NO_MODULE),
                Ok("node -e 'install()'", ""),
                Ok("npm test", ""),
            ],
        ),
    ];
    for (name, session) in table {
        assert_eq!(commands(session), [], "{name}");
    }
}

#[test]
fn a_cure_knows_which_words_it_needs() {
    let session = [
        Bad(
            "git push origin topic-7",
            "! [rejected] topic-7 (fetch first)\nerror: failed to push some refs to 'x'",
        ),
        Ok("git pull --rebase origin topic-7", ""),
        Ok("git push origin topic-7", ""),
    ];
    let cure = &cures(&session)[0];
    assert_eq!(cure.specifics, ["origin", "topic-7"]);
    assert!(crate::specifics_are_in(
        &cure.specifics,
        "git push origin topic-7",
        ""
    ));
    assert!(!crate::specifics_are_in(
        &cure.specifics,
        "git push origin topic-8",
        ""
    ));
}

#[test]
fn outcomes_are_read_as_each_agent_tells_them() {
    // Columns: is_error, text of the failure, text of the success; whether the success is known to be one.
    let table = [
        (true, "command not found: tsc", "fine", true),
        (
            false,
            "command not found: tsc\n<exited with exit code 127>",
            "fine\n<exited with exit code 0>",
            true,
        ),
        (
            false,
            "Exit Code: 127\ncommand not found: tsc",
            "Exit Code: 0\nfine",
            true,
        ),
        // Nothing indicates that this one worked.
        (
            false,
            "command not found: tsc\n<exited with exit code 127>",
            "fine",
            false,
        ),
    ];
    for (is_error, bad, good, is_cured) in table {
        let result = |at: usize, text: &str, is_error: bool| {
            let mut attrs = vec![("call_id".to_owned(), at.to_string())];
            attrs.extend(is_error.then(|| ("is_error".to_owned(), "true".to_owned())));
            event(at, "tool", "tool-result", text, attrs)
        };
        let call = |at: usize, line: &str| {
            let attrs = [("tool", "bash"), ("call_id", &at.to_string())];
            let attrs = attrs.map(|(key, value)| (key.to_owned(), value.to_owned()));
            let input = serde_json::json!({ "cmd": ["bash", "-lc", line] }).to_string();
            event(at, "assistant", "tool-call", &input, attrs.to_vec())
        };
        let session = [
            call(0, "bun run typecheck"),
            result(0, bad, is_error),
            call(1, "bun install"),
            result(1, good, false),
            call(2, "bun run typecheck"),
            result(2, good, false),
        ];
        assert_eq!(!collected(&session).is_empty(), is_cured, "{bad}");
    }
}

fn event(at: usize, role: &str, kind: &str, text: &str, attrs: Vec<(String, String)>) -> Event {
    Event {
        id: format!("{kind}-{at}"),
        origin: Origin::default(),
        role: role.to_owned(),
        kind: kind.to_owned(),
        at_ms: None,
        text: text.to_owned(),
        attrs: Attrs(attrs),
    }
}

#[test]
fn a_command_that_goes_on_ends_with_what_is_read_later() {
    let mut session = super::events(&[
        Bad("bun run typecheck", NO_TSC),
        Ok("bun install", "Process running with session ID 58265"),
        Tool("write_stdin"),
        Ok("bun run typecheck", ""),
    ]);
    for event in &mut session {
        if event.id == "tool-call-2" {
            event.text = "{\"session_id\":58265,\"chars\":\"\"}".to_owned();
        }
    }
    assert_eq!(collected(&session)[0].commands, ["bun install"]);
}

#[test]
fn results_of_real_programs_give_the_same_cure() {
    // Columns: agent, text of the failure, text of a success.
    let table = [
        (
            "grok",
            "exit: 2\nerror: Cannot find module 'rows'\n",
            "exit: 0\nprepared 3 rows\n",
        ),
        (
            "gemini",
            "<untrusted_context>\nOutput: error: Cannot find module 'rows'\nExit Code: 2\nProcess Group PGID: 25153\n</untrusted_context>",
            "<untrusted_context>\nOutput: prepared 3 rows\nProcess Group PGID: 25224\n</untrusted_context>",
        ),
        (
            "qwen",
            "Command: sh tools/check.sh\nDirectory: (root)\nOutput: error: Cannot find module 'rows'\nError: (none)\nExit Code: 2\nSignal: (none)\nProcess Group PGID: (none)",
            "Command: sh tools/prepare.sh\nDirectory: (root)\nOutput: prepared 3 rows\nError: (none)\nExit Code: 0\nSignal: (none)\nProcess Group PGID: (none)",
        ),
        (
            "copilot",
            "error: Cannot find module 'rows'\n<shellId: 0 completed with exit code 2>",
            "prepared 3 rows\n<shellId: 1 completed with exit code 0>",
        ),
        (
            "cline",
            r#"{"query":"sh tools/check.sh","result":"[Command exited with code 2]\n[stderr]\nerror: Cannot find module 'rows'\n","error":"Command exited with code 2","success":false}"#,
            r#"{"query":"sh tools/prepare.sh","result":"prepared 3 rows\n","success":true}"#,
        ),
    ];
    let (check, prepare) = ("sh tools/check.sh", "sh tools/prepare.sh");
    let plain = crate::signatures(check, "error: Cannot find module 'rows'\n");
    for (agent, bad, good) in table {
        let session = super::events(&[Ok(check, bad), Ok(prepare, good), Ok(check, good)]);
        let cures = collected(&session);
        assert_eq!(cures.len(), 1, "{agent}");
        assert_eq!(cures[0].commands, [prepare], "{agent}");
        assert_eq!(cures[0].signatures, plain, "{agent}");
        assert!(crate::tells_failure(bad), "{agent}");
        assert!(!crate::tells_failure(good), "{agent}");
    }
    assert!(crate::tells_failure("error: Cannot find module 'rows'\n"));
    assert!(!crate::tells_failure("prepared 3 rows\n"));
}

/// Cline lists the lines of a call.
#[test]
fn a_list_of_one_command_is_that_command() {
    let call = |input: &str| {
        let attrs = vec![("tool".to_owned(), "run_commands".to_owned())];
        crate::command_line(&event(0, "assistant", "tool-call", input, attrs))
    };
    let table = [
        (
            r#"{"commands":["sh tools/check.sh"]}"#,
            Some("sh tools/check.sh"),
        ),
        (r#"{"commands":["a","b"]}"#, None),
        (r#"{"commands":[]}"#, None),
        (r#"{"commands":"a"}"#, None),
    ];
    for (input, line) in table {
        assert_eq!(call(input).as_deref(), line, "{input}");
    }
}

/// Codex with a model that writes JavaScript: each command follows the script that ran it.
#[test]
fn a_script_that_only_runs_commands_changes_nothing_itself() {
    let scripted = |other: &str| {
        let mut session = Vec::new();
        let commands = [
            ("make check", "error: stale index", true),
            ("make index", "", false),
            ("make check", "", false),
        ];
        for (at, (line, output, is_error)) in commands.into_iter().enumerate() {
            let script = format!("const r = await tools.exec_command({{cmd: \"{line}\"}});{other}");
            let tool = |name: &str, call: &str| {
                let attrs = [("tool", name), ("call_id", call)];
                attrs
                    .map(|(key, value)| (key.to_owned(), value.to_owned()))
                    .to_vec()
            };
            let call = format!("exec-{at}");
            let input = serde_json::json!({ "command": ["/bin/bash", "-lc", line] }).to_string();
            let mut result = tool("exec_command", &call);
            result.push(("is_error".to_owned(), is_error.to_string()));
            let outer = tool("functions__exec", &format!("call-{at}"));
            session.extend([
                event(at * 10, "assistant", "tool-call", &script, outer),
                event(
                    at * 10 + 1,
                    "assistant",
                    "tool-call",
                    &input,
                    tool("exec_command", &call),
                ),
                event(at * 10 + 2, "tool", "tool-result", output, result),
            ]);
        }
        collected(&session).len()
    };
    assert_eq!(scripted(" text(r.output);"), 1);
    assert_eq!(scripted(" await tools.apply_patch(patch);"), 0);
}
