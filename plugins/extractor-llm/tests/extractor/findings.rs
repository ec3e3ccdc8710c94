//! The list of findings through several windows, and valid evidence.

use crate::support::{
    Log, Script, Session, changes, content, extract, failure, findings, finds, keeps_all_but,
    number_of, proposal, proposals, record, step,
};
use extractor_llm::{Level, Request, Settings};
use serde_json::json;

const REDIS: &str = "let us keep the jobs in Redis Streams, it is fast enough for us";
const TABLE: &str = "no Redis after all, the jobs go into a PostgreSQL table with the ledger";
const NAMES: &str = "all tables have names in the singular here, that is our convention";

/// Three windows of small size, with a decision in each.
fn reversed() -> Session {
    let filler = "this is what I have done in this part of the work, as you asked. ".repeat(16);
    Session::of(&[
        ("person", REDIS),
        ("agent", &filler),
        ("person", NAMES),
        ("agent", &filler),
        ("person", TABLE),
        ("agent", &filler),
    ])
}

fn small() -> Settings {
    Settings {
        window_tokens: 500,
        ..Settings::default()
    }
}

/// Adds what it sees; withdraws Redis and corrects the convention when it reads of the table.
fn careful(request: &Request) -> Result<String, extractor_llm::Failure> {
    if step(request) == "verify" {
        return keeps_all_but(request, &[]);
    }
    let list = findings(request);
    if number_of(request, TABLE).is_none() {
        let mut seen = vec![("", "Jobs are kept in Redis Streams", REDIS)];
        seen.push(("convention", "Tables have names in the singular", NAMES));
        seen.retain(|(_, title, _)| !list.contains(title));
        return finds(request, &seen);
    }
    let id = |title: &str| -> u64 {
        let line = list
            .lines()
            .find(|line| line.contains(title))
            .expect("is on the list");
        line[1..]
            .split(' ')
            .next()
            .expect("a number")
            .parse()
            .expect("a number")
    };
    let number = number_of(request, TABLE).expect("was seen");
    let table = proposal(
        "",
        "Jobs go into a PostgreSQL table, not into Redis",
        number,
        TABLE,
    );
    let mut corrected = proposal(
        "convention",
        "Tables and the ledger have singular names",
        0,
        "",
    );
    corrected["id"] = id("in the singular").into();
    corrected["evidence"] = json!([]);
    let withdrawn = json!({"id": id("Redis Streams"), "reason": "taken back"});
    let unknown = json!({"id": 99, "reason": "never was"});
    changes(&[table], &[corrected], &[withdrawn, unknown])
}

#[test]
fn each_window_sees_the_list_and_adds_corrects_or_withdraws() {
    let (models, log) = (Script::new(careful), Log::default());
    let found = extract(&reversed(), &models, &log, &small());
    let titles: Vec<&str> = found.iter().map(|one| one.title.as_str()).collect();
    assert_eq!(
        titles,
        [
            "Tables and the ledger have singular names",
            "Jobs go into a PostgreSQL table, not into Redis"
        ]
    );
    assert_eq!(
        found[0].evidence[0].quote, NAMES,
        "a correction keeps its evidence"
    );
    let asked = models.asked.borrow();
    assert_eq!(findings(&asked[0]), "nothing");
    let last = asked
        .iter()
        .rfind(|request| step(request) == "window")
        .expect("a window");
    let list = findings(last);
    assert!(
        list.starts_with("#1 decision: Jobs are kept in Redis Streams (lines 1)"),
        "{list}"
    );
    assert!(log.holds(
        Level::Info,
        "withdrawn: Jobs are kept in Redis Streams (taken back)"
    ));
    assert!(
        log.holds(Level::Info, "1 added, 1 changed, 1 withdrawn"),
        "{:?}",
        log.0
    );
}

#[test]
fn a_window_that_fails_leaves_the_list_as_it_was() {
    let models = Script::new(|request| {
        let is_second = number_of(request, TABLE).is_none() && number_of(request, REDIS).is_none();
        if step(request) == "window" && is_second {
            return Err(failure("timeout"));
        }
        match step(request).as_str() {
            "window" if number_of(request, TABLE).is_some() => {
                assert!(findings(request).contains("#1 decision: Jobs are kept in Redis"));
                assert!(!findings(request).contains("singular"));
                proposals(&[])
            }
            _ => careful(request),
        }
    });
    let log = Log::default();
    let found = extract(&reversed(), &models, &log, &small());
    let titles: Vec<&str> = found.iter().map(|one| one.title.as_str()).collect();
    assert_eq!(titles, ["Jobs are kept in Redis Streams"], "{:?}", log.0);
    assert!(
        log.holds(Level::Warn, "was not read: timeout"),
        "{:?}",
        log.0
    );
}

#[test]
fn a_short_answer_is_evidence_with_the_question_it_answers() {
    let session = Session::of(&[
        (
            "person",
            "where should the jobs of the webhooks be kept, what do you think?",
        ),
        (
            "agent",
            "Two ways:\nA) keep the jobs in a PostgreSQL table\nB) use Redis Streams\nWhich one?",
        ),
        ("person", "A"),
        ("agent", "Done."),
    ]);
    // It cites the answer alone, or with its question.
    for with_question in [false, true] {
        let models = Script::new(move |request| match step(request).as_str() {
            "window" => {
                let mut one = proposal("", "Keep the jobs in a PostgreSQL table", 3, "A");
                if with_question {
                    let question =
                        json!({"event": 2, "quote": "A) keep the jobs in a PostgreSQL table"});
                    one["evidence"]
                        .as_array_mut()
                        .expect("a list")
                        .push(question);
                }
                proposals(&[one, proposal("", "Something else entirely here", 4, "one.")])
            }
            _ => keeps_all_but(request, &[]),
        });
        let found = extract(&session, &models, &Log::default(), &Settings::default());
        assert_eq!(found.len(), 1, "{found:?}");
        let quotes: Vec<&str> = found[0]
            .evidence
            .iter()
            .map(|one| one.quote.as_str())
            .collect();
        assert_eq!(
            quotes,
            ["A", "A) keep the jobs in a PostgreSQL table"],
            "{with_question}"
        );
    }
}

#[test]
fn all_options_of_a_question_are_shown_and_can_be_cited() {
    let options: Vec<_> = (1..=4)
        .map(|at| json!({"label": format!("Way {at}"), "description": "with its merits and its costs. ".repeat(12)}))
        .collect();
    let asked = json!({"questions": [{"question": "Which way?", "options": options}]}).to_string();
    let session = Session::of(&[
        (
            "person",
            "find a way to store it, and ask me before you begin",
        ),
        ("ask", &asked),
        (
            "answer",
            "User has answered your questions: \"Which way?\"=\"Way 3\".",
        ),
        ("agent", "Way 3 it is."),
    ]);
    let models = Script::new(|request| match step(request).as_str() {
        "window" => {
            for at in 1..=4 {
                assert!(record(request).contains(&format!("- Way {at}: with its merits")));
            }
            let mut one = proposal("", "Store it the third way", 3, "\"Which way?\"=\"Way 3\"");
            let option =
                json!({"event": 2, "quote": "with its merits and its costs. with its merits"});
            one["evidence"].as_array_mut().expect("a list").push(option);
            proposals(&[one])
        }
        _ => keeps_all_but(request, &[]),
    });
    let found = extract(&session, &models, &Log::default(), &Settings::default());
    assert_eq!(found[0].evidence.len(), 2, "{found:?}");
}

#[test]
fn quotes_are_matched_back_through_what_is_not_seen() {
    let said = "keep the proxy\u{200b} at port 4711, because the\u{feff}\n    firewall knows **only** this one";
    let session = Session::of(&[("person", said), ("agent", "Understood.")]);
    let models = Script::new(|request| match step(request).as_str() {
        "window" => {
            let shown = record(request);
            assert!(
                shown.contains("keep the proxy at port 4711, because the\n"),
                "{shown}"
            );
            let quote = "at port 4711, because the firewall knows only this one";
            proposals(&[proposal(
                "convention",
                "The proxy stays at port 4711",
                1,
                quote,
            )])
        }
        _ => keeps_all_but(request, &[]),
    });
    let found = extract(&session, &models, &Log::default(), &Settings::default());
    let quote = &found[0].evidence[0].quote;
    assert!(
        said.contains(quote.as_str()) && quote.contains("only"),
        "{quote:?}"
    );
}

#[test]
fn memories_are_written_in_the_language_that_is_set() {
    for (language, rule) in [
        (None, "in the language in which the person types"),
        (
            Some("German"),
            "Write every title and body in this language: German.",
        ),
    ] {
        let settings = Settings {
            language: language.map(str::to_owned),
            ..Settings::default()
        };
        let models = Script::new(|request| match step(request).as_str() {
            "window" => finds(
                request,
                &[("convention", "Tabellen heißen in der Einzahl", NAMES)],
            ),
            _ => keeps_all_but(request, &[]),
        });
        let found = extract(&reversed(), &models, &Log::default(), &settings);
        assert_eq!(
            found[0].evidence[0].quote, NAMES,
            "the quote stays as it is"
        );
        for request in models.asked.borrow().iter() {
            let (before, _) = content(request).split_once("\n⟦").expect("a fence");
            assert!(before.contains(rule), "{before}");
        }
    }
}

#[test]
fn reading_takes_a_quarter_of_the_tokens_of_the_text() {
    // Turns as agents make them: a request, narration, reads, commands, an edit, a conclusion.
    let output = "a line of some file or output, as tools give it\n".repeat(60);
    let session = Session::made(2_000, move |number| match number % 10 {
        1 => crate::support::event(
            number,
            "person",
            &format!("please do step {number} of the plan, and mind the tests"),
        ),
        2 => crate::support::event(
            number,
            "agent",
            "Let me look at the files first, then I will change them.",
        ),
        3 | 5 | 7 => crate::support::event(
            number,
            "call",
            &json!({"command": format!("cat src/{number}.rs")}).to_string(),
        ),
        0 => crate::support::event(
            number,
            "agent",
            &"It is done, and here is what I did. ".repeat(10),
        ),
        _ => crate::support::event(number, "result", &output),
    });
    let text: usize = (1..=2_000)
        .filter_map(|number| extractor_llm::Trace::read(&session, &format!("x-{number}")).ok()?)
        .map(|event| event.text.len())
        .sum();
    let models = Script::new(|_| proposals(&[]));
    extract(&session, &models, &Log::default(), &Settings::default());
    let asked: usize = models
        .asked
        .borrow()
        .iter()
        .flat_map(|request| &request.messages)
        .map(|message| message.content.len())
        .sum();
    // 79,000 tokens for each MB, at four bytes a token.
    assert!(
        asked * 1_000_000 <= text * 79_000 * 4,
        "{asked} bytes for {text}"
    );
}
