//! Files on disk: cached replies, and tapes.

use acreta_fs::{Directory, NoFaults};
use acreta_llm::{Code, FileLedger, Llm, Mode, Stores, Surroundings, TapeError};
use acreta_types::with_causes;
use camino::Utf8Path;

use crate::server::{ScriptedServer, ServerStep};
use crate::support::{ModelHome, SCHEMA, ask, ask_for_json};

#[test]
fn the_same_question_is_paid_for_once() {
    let server = ScriptedServer::start([
        ServerStep::openai("nothing that fits", (20, 2)),
        ServerStep::openai(r#"{"answer": 7}"#, (40, 3)),
    ]);
    let home = ModelHome::openai(&server);
    home.session().complete(&ask_for_json("How many?")).unwrap();
    let session = home.session();
    let reply = session.complete(&ask_for_json("How many?")).unwrap();
    assert!(reply.cached);
    assert_eq!(reply.content, r#"{"answer": 7}"#);
    let usage = session.usage();
    assert_eq!((usage.calls, usage.cached, usage.input_tokens), (0, 1, 0));
    assert_eq!(server.calls().len(), 2);
}

#[test]
fn another_question_is_another_reply() {
    let server = ScriptedServer::start([ServerStep::openai(r#"{"answer": 7}"#, (20, 2))]);
    let mut home = ModelHome::openai(&server);
    home.session().complete(&ask_for_json("How many?")).unwrap();
    let mut longer = ask_for_json("How many?");
    longer.max_output_tokens += 1;
    let mut schema = ask_for_json("How many?");
    schema.json_schema = Some(SCHEMA.replace('1', "2"));
    for request in [ask_for_json("How many"), longer, schema, ask("How many?")] {
        assert!(
            !home.session().complete(&request).unwrap().cached,
            "{request:?}"
        );
    }
    for role in home.settings.roles.values_mut() {
        role.main.model = "another".to_owned();
    }
    assert!(
        !home
            .session()
            .complete(&ask_for_json("How many?"))
            .unwrap()
            .cached
    );
    assert_eq!(server.calls().len(), 6);
}

#[test]
fn a_damaged_reply_is_asked_for_again() {
    let server = ScriptedServer::start([ServerStep::openai(r#"{"answer": 7}"#, (20, 2))]);
    let home = ModelHome::openai(&server);
    home.session().complete(&ask_for_json("How many?")).unwrap();
    let cache = Directory::open(&home.path().join("cache"), NoFaults::shared()).unwrap();
    let folder = only(&home.path().join("cache"));
    let file = format!(
        "{folder}/{}",
        only(&home.path().join("cache").join(&folder))
    );
    let whole = cache.read_to_string(&file, 10_000).unwrap();
    for damaged in [
        "",
        "{}",
        &whole[..20],
        &whole.replace('7', "0"),
        &whole.replace("digest\":\"", "digest\":\"0"),
    ] {
        cache.replace(&file, damaged.as_bytes()).unwrap();
        assert!(
            !home
                .session()
                .complete(&ask_for_json("How many?"))
                .unwrap()
                .cached,
            "{damaged}"
        );
        assert!(
            home.session()
                .complete(&ask_for_json("How many?"))
                .unwrap()
                .cached
        );
    }
}

#[test]
fn a_tape_plays_what_was_recorded_without_the_server() {
    let server = ScriptedServer::start([
        ServerStep::error(429, "slow down"),
        ServerStep::openai("Seven.", (20, 2)),
        ServerStep::openai(r#"{"answer": 0}"#, (20, 2)),
        ServerStep::openai(r#"{"answer": 7}"#, (40, 3)),
        ServerStep::error(404, "gone"),
    ]);
    let mut home = ModelHome::openai(&server);
    let tape = home.path().join("tapes/one.jsonl");
    home.mode = Mode::Record(tape.clone());
    let requests = [ask("How many?"), ask_for_json("How many?"), ask("And now?")];
    let outcomes = |home: &ModelHome| -> Vec<_> {
        let session = home.session();
        let replies = requests.iter().map(|request| session.complete(request));
        let told = replies.map(|reply| reply.map_err(|error| (error.code(), error.to_string())));
        told.collect()
    };
    let live = outcomes(&home);
    assert_eq!(live[2].as_ref().unwrap_err().0, Code::Provider);
    // Replies from the cache are recorded as well.
    let second = home.path().join("tapes/two.jsonl");
    home.mode = Mode::Record(second.clone());
    assert!(home.session().complete(&requests[1]).unwrap().cached);
    drop(server);

    home.mode = Mode::Replay(tape);
    home.environment.clear();
    let ledger = home.path().join("ledger/spending.json");
    let spent = std::fs::read(&ledger).unwrap();
    assert_eq!(outcomes(&home), live);
    assert_eq!(outcomes(&home), live);
    assert_eq!(std::fs::read(&ledger).unwrap(), spent);
    let error = home
        .session()
        .complete(&ask("Something else?"))
        .unwrap_err();
    assert_eq!(error.code(), Code::Provider);
    assert!(
        error.to_string().contains("has no reply to this request"),
        "{error}"
    );

    home.mode = Mode::Replay(second);
    let reply = home.session().complete(&requests[1]).unwrap();
    assert_eq!(reply.content, r#"{"answer": 7}"#);
}

#[test]
fn a_tape_that_cannot_be_read_says_where() {
    let home = ModelHome::empty();
    let folder = Directory::open(home.path(), NoFaults::shared()).unwrap();
    folder.replace("bad.jsonl", b"{}\n").unwrap();
    for (path, says) in [
        ("missing.jsonl", "does not exist"),
        ("bad.jsonl", "line 1"),
        ("/", "not a file path"),
    ] {
        let around = Surroundings {
            environment: Default::default(),
            redactor: std::sync::Arc::new(acreta_redact::Redactor::new(&[]).unwrap()),
            stores: Stores {
                cache: folder.clone(),
                limits: folder.clone(),
            },
            ledger: std::sync::Arc::new(FileLedger::new(&folder)),
            programs: home.path().join("model"),
            clock: std::sync::Arc::clone(&home.clock) as _,
            seed: 0,
        };
        let mode = Mode::Replay(home.path().join(path));
        let error: TapeError = Llm::new(home.settings.clone(), around, mode).unwrap_err();
        assert!(
            with_causes(&error).contains(says),
            "{}",
            with_causes(&error)
        );
    }
}

/// Returns the name of the only entry of a folder.
fn only(folder: &Utf8Path) -> String {
    let mut names: Vec<_> = folder.read_dir_utf8().unwrap().collect();
    assert_eq!(names.len(), 1);
    names.remove(0).unwrap().file_name().to_owned()
}
