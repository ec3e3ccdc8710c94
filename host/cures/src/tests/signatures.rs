//! Equal failures have one signature; different ones have different signatures.

use proptest::prelude::*;

use crate::{normalise, signatures};

#[test]
fn lines_are_normalised() {
    let table = [
        (
            "cmd/entire/cli/rewind.go:579:13: undefined: agent",
            "<path>: undefined: agent",
        ),
        ("mid_session_test.go:46: boom", "<path>: boom"),
        ("C:\\Users\\a\\x.py failed", "<path> failed"),
        (
            "Exported 12 of 3.5 in 28.500042ms",
            "Exported # of # in <time>",
        ),
        ("at 2026-01-16 20:30:58,493 error", "at # #,# error"),
        (
            "could not apply 669232e1... add budget",
            "could not apply <hash> add budget",
        ),
        (
            "id 3a782158-6c7c-4d4d-9c73-eae031da5b18 not found",
            "id <hash> not found",
        ),
        ("read failed, 0x8000234E0", "read failed, <hash>"),
        (
            "connect ECONNREFUSED 127.0.0.1:5432",
            "connect ECONNREFUSED #",
        ),
        (
            "fatal: unable to access 'https://x.y/z.git'",
            "fatal: unable to access '<url>'",
        ),
        (
            "error TS2322: Type \"press\" is wrong",
            "error TS2322: Type 'press' is wrong",
        ),
        (
            "Cannot find module '@testing-library/react'",
            "Cannot find module '@testing-library/react'",
        ),
        ("\u{1b}[31merror\u{1b}[0m: boom", "error: boom"),
        ("Bun v1.3.13 failed", "Bun # failed"),
        ("and/or I/O", "and/or I/O"),
        ("progress 10%\rfatal: boom", "fatal: boom"),
    ];
    for (line, expected) in table {
        assert_eq!(normalise(line), expected, "{line}");
    }
}

#[test]
fn failures_that_are_the_same_have_one_signature() {
    let same = [
        (
            "npm test",
            "Exit code 1\nError: Cannot find module 'x'\n    at a.js:3:1",
        ),
        (
            "cd /srv/a && npm test 2>&1",
            "Error: Cannot find module 'x'\n    at b.js:9:2\n1 failed",
        ),
        (
            "timeout 60 npm test",
            "npm warn old\nError: Cannot find module 'x'",
        ),
        (
            "CI=1 npm test",
            "\u{1b}[31mError: Cannot find module \"x\"\u{1b}[0m",
        ),
    ];
    let first = signatures(same[0].0, same[0].1);
    assert_eq!(first.len(), 1);
    for (command, output) in &same[1..] {
        assert_eq!(signatures(command, output), first, "{command}: {output}");
    }
    let different = [
        ("yarn test", "Error: Cannot find module 'x'"),
        ("npm test", "Error: Cannot find module 'y'"),
        ("npm test", "Error: Cannot find package 'x'"),
    ];
    for (command, output) in different {
        assert_ne!(signatures(command, output), first, "{command}: {output}");
    }
}

#[test]
fn an_output_that_does_not_say_what_was_wrong_has_none() {
    for output in [
        "",
        "Exit code 1",
        "error: script \"lint\" exited with code 1",
        "FAIL",
        "#",
        "a\nb\nc\nd\ne",
    ] {
        assert_eq!(
            signatures("npm test", output),
            Vec::<String>::new(),
            "{output}"
        );
    }
    assert_eq!(signatures("cd x", "error: boom"), Vec::<String>::new());
}

#[test]
fn each_program_of_a_line_has_a_signature() {
    let alone = signatures("mise run lint", "error: boom");
    let both = signatures("go build ./... && mise run lint", "error: boom");
    assert_eq!(both.len(), 2);
    assert!(both.contains(&alone[0]));
}

/// A program and what its error says, without anything that varies.
fn program() -> impl Strategy<Value = String> {
    "[a-z]{3,8}".prop_filter("a program that does something", |name| {
        !crate::signatures(name, "error: boom").is_empty()
    })
}

fn varying() -> impl Strategy<Value = [String; 2]> {
    let number = "[0-9]{1,6}";
    let path = "(/[a-z]{1,6}){1,4}\\.[a-z]{2}";
    let hash = "[0-9][a-f][0-9a-f]{8,30}";
    let time = "[0-9]{1,3}\\.[0-9]{1,3}ms";
    let address = "0x[0-9a-f]{4,12}";
    prop_oneof![
        [number, number],
        [path, path],
        [hash, hash],
        [time, time],
        [address, address],
    ]
}

proptest! {
    #[test]
    fn what_varies_does_not_matter(
        program in program(),
        words in "[a-z]{3,9}( [a-z]{3,9}){1,4}",
        varying in proptest::collection::vec(varying(), 1..5),
    ) {
        let output = |which: usize| {
            let parts: Vec<String> = varying.iter().map(|pair| format!("{words} {}", pair[which])).collect();
            format!("error: {}", parts.join(", "))
        };
        prop_assert_eq!(signatures(&program, &output(0)), signatures(&program, &output(1)));
    }

    #[test]
    fn two_programs_never_share_a_signature(
        left in program(),
        right in program(),
        output in "(error: [a-z0-9/. ]{0,40}\n){1,4}",
    ) {
        prop_assume!(left != right);
        for signature in signatures(&left, &output) {
            prop_assert!(!signatures(&right, &output).contains(&signature));
        }
    }

    #[test]
    fn any_text_is_read(command in "\\PC{0,80}", output in "\\PC{0,200}") {
        let _signatures = signatures(&command, &output);
        let _key = crate::command_key(&command);
    }
}
