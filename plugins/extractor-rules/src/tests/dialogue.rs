//! Dialogues and what they give: standing instructions, answers bound to what they answer, cures.

use super::*;

#[test]
fn standing_instructions_are_quoted() {
    let cases: &[(&str, &[&str])] = &[
        ("ok, please always use tabs.", &["Always use tabs"]),
        (
            "Fix the header. From now on always run the suite before you tag, and never push tags yourself. Thanks!",
            &["From now on always run the suite before you tag, and never push tags yourself"],
        ),
        (
            "One convention here: money is always an integer number of cents in a BIGINT column that ends in _cents. Never NUMERIC.",
            &["Money is always an integer number of cents in a BIGINT column"],
        ),
        (
            "invalid themes must NEVER crash",
            &["Invalid themes must NEVER crash"],
        ),
        (
            "remember: staging is reset at midnight",
            &["Remember: staging is reset at midnight"],
        ),
        (
            "Commit-Nachrichten bitte immer auf Englisch",
            &["Commit-Nachrichten bitte immer auf Englisch"],
        ),
        (
            "以后所有提交信息都必须用英文。",
            &["以后所有提交信息都必须用英文"],
        ),
        // Likely, but not certain.
        (
            "we never use floats for money",
            &["? We never use floats for money"],
        ),
        (
            "the importer must accept empty files",
            &["? The importer must accept empty files"],
        ),
        // Reports, questions, tasks and lines that lead to something else.
        ("you always force-push to main", &[]),
        ("it never works on windows", &[]),
        ("should we always squash?", &[]),
        ("always like this:", &[]),
        ("add a retry budget to the uploader", &[]),
        ("intentional - keep it local!", &[]),
    ];
    for (said, expected) in cases {
        assert_eq!(&titles(&[user(said), agent("OK.")]), expected, "{said}");
    }
}

#[test]
fn an_instruction_is_the_whole_sentence_of_the_person() {
    let said =
        "Look at the log. Never push to main, the deploy starts on every push. Always open a PR.";
    let outcome = check(&[user(said), agent("OK.")]);
    let [one] = outcome.candidates.as_slice() else {
        panic!("{:?}", outcome.candidates);
    };
    assert_eq!(
        one.title,
        "Never push to main, the deploy starts on every push"
    );
    assert_eq!(
        (one.category.as_str(), one.kind.as_str()),
        ("learning", "convention")
    );
    assert_eq!(one.attrs, [("certainty".to_owned(), "spoken".to_owned())]);
    assert_eq!(one.evidence.len(), 1);
    assert_eq!(one.evidence[0].quote, said["Look at the log. ".len()..]);
    assert_eq!(one.body, one.evidence[0].quote);
}

#[test]
fn what_is_noted_for_agents_is_sure() {
    let noted = (
        "user",
        "text",
        "staging is reset at midnight",
        &[("command", "#")][..],
    );
    assert_eq!(
        titles(&[noted, agent("OK.")]),
        ["Staging is reset at midnight"]
    );
}

#[test]
fn nobody_said_what_was_pasted_injected_or_claimed() {
    let log =
        "❯ ./run.sh\n".to_owned() + &"[warn] never use this flag, always use --new\n".repeat(14);
    let cases: [Vec<Step<'_>>; 7] = [
        vec![user(&log)],
        vec![user("why?"), agent("Always run the linter before pushing.")],
        vec![("user", "injected", "Always use tabs, never spaces.", &[])],
        vec![("tool", "tool-result", "You must always run npm ci.", &[])],
        vec![user(
            "<command-name>/review</command-name>\n<command-args>Always check the tests.</command-args>",
        )],
        vec![user("```\nAlways use tabs.\n```")],
        vec![("user", "text", "Always use tabs.", &[("sidechain", "true")])],
    ];
    for steps in cases {
        assert!(titles(&steps).is_empty(), "{:?}", titles(&steps));
    }
}

const OPTIONS: &str = "Where should the settings live?\n\nA) In a TOML file in the repository\nB) In environment variables – nothing to commit\n";
const STEPS: &str = "Three ways for the checkout:\n\n1. **A mandatory account** – most work\n2. **Guest checkout** with a link by mail\n3. Orders by phone\n";

/// The agent's text, the person's reply, the title and what it is about.
#[test]
fn replies_mean_what_they_answer() {
    let asked = format!("{STEPS}\nWhich one do you want to have?");
    let environment = "Where should the settings live? → In environment variables";
    let variables = "B) In environment variables – nothing to commit";
    let guest = "Which one do you want to have? → Guest checkout";
    let link = "2. **Guest checkout** with a link by mail";
    let cases = [
        // Labels.
        (OPTIONS, "B", environment, variables),
        (OPTIONS, "b", environment, variables),
        (
            OPTIONS,
            "B. is fine, log which ones are read",
            environment,
            variables,
        ),
        (
            OPTIONS,
            "I think B, nested per strategy",
            environment,
            variables,
        ),
        (OPTIONS, "yes, go with B", environment, variables),
        (
            OPTIONS,
            "B doesn't work in the container",
            "? Where should the settings live? → B doesn't work in the container",
            "Where should the settings live?",
        ),
        (
            OPTIONS,
            "for that B doesn't work in the container",
            "? For that B doesn't work in the container",
            variables,
        ),
        (
            OPTIONS,
            "A test is missing",
            "? Where should the settings live? → A test is missing",
            "Where should the settings live?",
        ),
        (OPTIONS, "B?", "", ""),
        (&asked, "2", guest, link),
        (
            &asked,
            "option 2, nobody opens an account for fifty flyers",
            guest,
            link,
        ),
        (
            &asked,
            "2) nobody opens an account for fifty flyers",
            guest,
            link,
        ),
        (
            &asked,
            "2 of the tests fail",
            "? Which one do you want to have? → 2 of the tests fail",
            "Which one do you want to have?",
        ),
        // Places.
        (&asked, "the second one please", guest, link),
        // Own words of an option; without a question two of them, steps have numbers as well.
        (
            &asked,
            "guest checkout, nobody likes accounts",
            "Guest checkout, nobody likes accounts",
            link,
        ),
        (STEPS, "2", "", ""),
        (STEPS, "make the guest checkout work", "", ""),
        (
            STEPS,
            "We take the guest checkout instead of a mandatory account, because nobody opens one",
            "We take the guest checkout instead of a mandatory account",
            link,
        ),
        // A plain question: perhaps an answer, unless it is about the agent's next step or names nothing.
        (
            "Do you want exports to be public in v1?",
            "yes, for members only",
            "? Do you want exports to be public in v1? → yes, for members only",
            "Do you want exports to be public in v1?",
        ),
        (
            "Should I commit and push the changes?",
            "yes, go on then",
            "",
            "",
        ),
        ("Does this look right to you?", "yes, looks good", "", ""),
        ("Do you want exports to be public in v1?", "yes", "", ""),
    ];
    for (said, answer, title, about) in cases {
        let steps = [user("go on"), agent(said), user(answer), agent("OK.")];
        let expected: &[&str] = if title.is_empty() { &[] } else { &[title] };
        assert_eq!(titles(&steps), expected, "{said} / {answer}");
        let outcome = check(&steps);
        for one in outcome
            .candidates
            .iter()
            .chain(&outcome.pending)
            .filter(|_| !about.is_empty())
        {
            let [words, cited] = one.evidence.as_slice() else {
                panic!("{one:?}");
            };
            assert_eq!(
                (words.event_id.as_str(), cited.event_id.as_str()),
                ("e2", "e1")
            );
            assert_eq!(cited.quote, about, "{answer}");
            assert!(one.body.ends_with(&words.quote), "{}", one.body);
            assert_eq!(
                one.category,
                if one.kind.is_empty() {
                    "decision"
                } else {
                    "learning"
                }
            );
        }
    }
}

#[test]
fn numbered_questions_have_numbered_answers() {
    let asked = "Two things:\n\n1. **Where does the index live?**\n   a) in the home folder\n   b) in the project\n2. How often is it rebuilt?\n";
    let cases: &[(&str, &[&str])] = &[
        (
            "1. in the home folder\n2. once a day, at night",
            &[
                "Where does the index live? → in the home folder",
                "How often is it rebuilt? → once a day, at night",
            ],
        ),
        (
            "1. later\n2. what do you think?",
            &["Where does the index live? → later"],
        ),
        ("3. never mind", &[]),
    ];
    for (answer, expected) in cases {
        let steps = [user("go on"), agent(asked), user(answer), agent("OK.")];
        assert_eq!(&titles(&steps), expected, "{answer}");
    }
    let both = asked.to_owned() + "   a) on request only\n   b) before each change\n";
    let steps = [
        user("go on"),
        agent(&both),
        user("1a. 2b, the rest later"),
        agent("OK."),
    ];
    assert_eq!(
        titles(&steps),
        [
            "Where does the index live? → in the home folder",
            "How often is it rebuilt? → before each change"
        ]
    );
}

const ASK: &[(&str, &str)] = &[("tool", "AskUserQuestion"), ("call_id", "q1")];
const REFUSED: &[(&str, &str)] = &[
    ("tool", "AskUserQuestion"),
    ("call_id", "q1"),
    ("is_error", "true"),
];

#[test]
fn answers_to_a_tool_come_with_their_question() {
    let call = r#"{"questions":[{"id":"store","header":"Store","question":"Which store should we use for the queue?","options":[{"label":"SQLite (Recommended)","description":"One file, no service."},{"label":"Redis"}]}]}"#;
    let sqlite = "Which store should we use for the queue? → SQLite";
    let cases = [
        (
            r#"User has answered your questions: "Which store should we use for the queue?"="SQLite (Recommended)". You can now continue."#,
            sqlite,
        ),
        (
            r#"{"answers":{"store":{"answers":["SQLite (Recommended)"]}}}"#,
            sqlite,
        ),
        ("User selected: SQLite (Recommended)", sqlite),
        (
            r#"User has answered your questions: "Which store should we use for the queue?"="neither, keep it in memory for now, that is enough". You can now continue."#,
            "Store → neither, keep it in memory for now, that is enough",
        ),
        // Nobody's words, or none that say anything.
        (
            r#"User has answered your questions: "Which store should we use for the queue?"="(No answer provided)"."#,
            "",
        ),
        (
            r#"User has answered your questions: "Which store should we use for the queue?"="you decide"."#,
            "",
        ),
        (
            r#"User has answered your questions: "Which store should we use for the queue?"="what would Redis cost us?"."#,
            "",
        ),
        (
            "The user wants to clarify these questions. This means they may have additional information.",
            "",
        ),
        ("[User dismissed the question]", ""),
    ];
    for (result, title) in cases {
        let steps = |attrs: &'static [(&'static str, &'static str)]| {
            [
                user("build the queue"),
                ("assistant", "tool-call", call, ASK),
                ("tool", "tool-result", result, attrs),
            ]
        };
        let expected: &[&str] = if title.is_empty() { &[] } else { &[title] };
        assert_eq!(titles(&steps(ASK)), expected, "{result}");
        assert!(titles(&steps(REFUSED)).is_empty(), "{result}");
    }
    let answered = cases[0].0;
    let steps = [
        ("assistant", "tool-call", call, ASK),
        ("tool", "tool-result", answered, ASK),
    ];
    let outcome = check(&steps);
    let quotes: Vec<(&str, &str)> = outcome.candidates[0]
        .evidence
        .iter()
        .map(|one| (one.event_id.as_str(), one.quote.as_str()))
        .collect();
    assert_eq!(
        quotes,
        [
            ("e1", "SQLite (Recommended)"),
            ("e0", "Which store should we use for the queue?"),
        ]
    );
}

#[test]
fn the_last_word_on_a_matter_stays() {
    let said = titles(&[
        user("always use tabs for indentation in the parser"),
        agent("OK."),
        user("always use spaces for indentation in the parser"),
        agent("OK."),
    ]);
    assert_eq!(said, ["Always use spaces for indentation in the parser"]);
}

/// A failing command and the one that works, repeated.
#[test]
fn a_cure_counts_when_it_was_needed_twice() {
    let names = ["main.py", "seed.py"];
    let mut texts = Vec::new();
    for name in names {
        for program in ["python", "python3"] {
            texts.push(format!(r#"{{"command":"cd app && {program} {name}"}}"#));
        }
    }
    let calls = ["b0", "b1", "b2", "b3"].map(|call| [("tool", "Bash"), ("call_id", call)]);
    let results = ["Exit code 127\nbash: python: command not found", "2"];
    let mut steps = vec![user("run the scripts")];
    for (at, text) in texts.iter().enumerate() {
        steps.push(("assistant", "tool-call", text, &calls[at]));
        steps.push(("tool", "tool-result", results[at % 2], &calls[at]));
    }
    assert!(titles(&steps[..5]).is_empty());
    assert_eq!(
        titles(&steps),
        ["Run `python3 main.py`, not `python main.py`"]
    );
}
