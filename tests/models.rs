//! Language models in a run: what they are sent, what happens to their answers, and what happens if they fail.

use serde_json::{Value, json};

use crate::support::{Project, Provider, ProviderRequest, fixture};

const DEMO: &str = "claude/demo-queue-retries.jsonl";

/// Returns the lines of the record as a model sees them: number, speaker, first line of the text.
fn lines(asked: &ProviderRequest) -> Vec<(u64, String, String)> {
    asked
        .text
        .lines()
        .filter_map(|line| {
            let (head, text) = line.strip_prefix('[')?.split_once("] ")?;
            let (number, voice) = head.split_once(' ')?;
            Some((number.parse().ok()?, voice.to_owned(), text.to_owned()))
        })
        .collect()
}

/// Returns the reply of a model that keeps every proposal as it is.
fn keep_all(asked: &ProviderRequest) -> String {
    let mut memories: Vec<Value> = Vec::new();
    let mut number = 0;
    let (mut kind, mut title) = (String::new(), String::new());
    for line in asked.text.lines() {
        if let Some((item, rest)) = line.strip_prefix('#').and_then(|line| line.split_once(' ')) {
            number = item.parse().unwrap();
            kind = rest.split(", ").next().unwrap_or_default().to_owned();
        } else if let Some(text) = line.strip_prefix("    title: ") {
            title = text.to_owned();
        } else if let Some(body) = line.strip_prefix("    body: ") {
            let (category, kind) = kind.split_once('/').unwrap_or((&kind, ""));
            memories.push(json!({
                "items": [number], "type": category, "kind": kind, "title": title, "body": body,
                "confidence": 0.9,
            }));
        }
    }
    json!({ "memories": memories, "dropped": [] }).to_string()
}

fn summary() -> String {
    let body = "## Asked\nSomething.\n\n## Done\nIt was done.";
    json!({ "title": "A session", "description": "Something was done.", "body": body, "open": [] })
        .to_string()
}

/// Returns a model that answers each step: proposals by `propose`, everything kept, always the same summary.
fn scripted(
    propose: impl Fn(&[(u64, String, String)]) -> Vec<Value> + Send + Sync + 'static,
) -> Provider {
    Provider::new(move |asked| Ok(say(asked, &propose)))
}

/// Proposes findings from lines: number, speaker, text.
pub(crate) type Propose<'a> = &'a dyn Fn(&[(u64, String, String)]) -> Vec<Value>;

/// Returns the answer to one step.
pub(crate) fn say(asked: &ProviderRequest, propose: Propose<'_>) -> String {
    let has = |field: &str| asked.fields.iter().any(|name| name == field);
    if has("add") {
        json!({ "add": propose(&lines(asked)), "change": [], "withdraw": [] }).to_string()
    } else if has("memories") {
        keep_all(asked)
    } else if has("answers") {
        json!({ "answers": [{ "question": 1, "relation": "unrelated" }] }).to_string()
    } else {
        summary()
    }
}

/// Proposes one decision from what the person said about the queue.
pub(crate) fn about_the_queue(lines: &[(u64, String, String)]) -> Vec<Value> {
    let said = lines
        .iter()
        .find(|(_, voice, text)| voice == "person" && text.contains("PostgreSQL table"));
    let Some((number, _, text)) = said else {
        return Vec::new();
    };
    vec![
        json!({
            "type": "decision", "kind": "", "confidence": 0.9,
            "title": "Webhook jobs live in a PostgreSQL table",
            "body": "Webhook jobs are kept in a PostgreSQL table instead of Redis Streams, so that a job commits with its ledger entry.",
            "evidence": [
                { "event": number, "quote": text.chars().take(40).collect::<String>() },
            ],
        }),
        json!({
            "type": "decision", "kind": "", "confidence": 0.9,
            "title": "Kafka carries the webhooks",
            "body": "All webhooks of the ledger go through Kafka.",
            "evidence": [{ "event": number, "quote": "we have always used Kafka for this" }],
        }),
    ]
}

fn run(project: &Project, arguments: &[&str]) -> crate::support::Ran {
    let trace = fixture(DEMO);
    let arguments = [&["run", trace.to_str().unwrap()], arguments].concat();
    project.acreta(&arguments)
}

#[test]
fn what_a_model_says_is_kept_where_its_quotes_are_true() {
    let provider = scripted(about_the_queue);
    let mut project = Project::new();
    // One model is enough: it also writes the summary.
    project.configure(&provider.settings(&["extract"]));
    let report = run(&project, &["--json"]).succeeded().json();
    assert_eq!(report["metrics"]["llm"]["failed"], 0, "{report}");
    let used = &report["metrics"]["llm"];
    assert_eq!(used["calls"].as_u64(), Some(provider.calls()), "{used}");
    assert!(used["input_tokens"].as_u64() > Some(500), "{used}");
    let titles: Vec<String> = project
        .statements()
        .into_iter()
        .map(|(title, _)| title)
        .collect();
    assert!(
        titles.contains(&"Webhook jobs live in a PostgreSQL table".to_owned()),
        "{titles:?}"
    );
    assert!(!titles.iter().any(|title| title.contains("Kafka")));
    let asked = provider.calls();
    let again = run(&project, &["--json"]).succeeded().json();
    assert_eq!(provider.calls(), asked, "the second time costs nothing");
    assert_eq!(again["metrics"]["llm"]["cached"].as_u64(), Some(asked));
}

/// A model that reads a session is asked how its findings relate to memory.
#[test]
fn a_model_says_that_a_later_decision_replaces_an_earlier_one() {
    let about = |thing: &'static str| {
        move |lines: &[(u64, String, String)]| {
            let said = lines
                .iter()
                .find(|(_, voice, text)| voice == "person" && text.contains(thing));
            let Some((number, _, text)) = said else {
                return Vec::new();
            };
            vec![json!({
                "type": "decision", "kind": "", "confidence": 0.9,
                "title": format!("Webhook jobs go with the {thing}"),
                "body": format!("We go with the {thing} for webhook jobs."),
                "evidence": [{ "event": number, "quote": text.chars().take(40).collect::<String>() }],
            })]
        }
    };
    for (relation, expected) in [("supersedes", 1), ("unrelated", 2)] {
        let provider = Provider::new(move |asked| {
            let has = |field: &str| asked.fields.iter().any(|name| name == field);
            Ok(if has("answers") {
                json!({ "answers": [{ "question": 1, "relation": relation }] }).to_string()
            } else if asked.text.contains("RabbitMQ exchange") {
                say(asked, &about("RabbitMQ exchange"))
            } else {
                say(asked, &about("PostgreSQL table"))
            })
        });
        let mut project = Project::new();
        project.configure(&provider.settings(&["extract"]));
        run(&project, &[]).succeeded();
        let later = std::fs::read_to_string(fixture(DEMO)).unwrap();
        let later = later
            .replace(
                "3e9d6b70-51c8-4a2f-8d14-c7f0a9b2e635",
                "4e9d6b70-51c8-4a2f-8d14-c7f0a9b2e635",
            )
            .replace("2026-05-11", "2026-06-11")
            .replace("PostgreSQL table", "RabbitMQ exchange");
        let later = project.write("later.jsonl", later.as_bytes());
        project
            .acreta(&["run", later.to_str().unwrap()])
            .succeeded();
        let shown = project
            .acreta(&["memory", "list", "--json"])
            .succeeded()
            .json();
        let active: Vec<&str> = shown["memories"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|one| one["type"] == "decision" && one["status"] == "active")
            .map(|one| one["title"].as_str().unwrap())
            .collect();
        assert_eq!(active.len(), expected, "{relation}: {shown}");
        let is_later = |title: &&str| title.contains("RabbitMQ exchange");
        assert!(active.iter().any(is_later), "{active:?}");
    }
}

#[test]
fn memories_are_written_in_the_language_that_is_set() {
    let provider = scripted(about_the_queue);
    let mut project = Project::new();
    project.configure(&provider.settings(&["extract"]));
    run(&project, &[]).succeeded();
    assert!(
        provider
            .heard()
            .contains("in the language in which the person types")
    );
    let provider = scripted(|lines| {
        let mut proposals = about_the_queue(lines);
        for proposal in &mut proposals {
            proposal["title"] = "Webhook-Jobs liegen in einer PostgreSQL-Tabelle".into();
            proposal["body"] = "Jobs stehen in `PostgreSQL`, damit sie zusammen mit dem Eintrag festgeschrieben werden.".into();
        }
        proposals
    });
    let mut project = Project::new();
    project.configure(&provider.settings(&["extract"]));
    project.configure("[memory]\nlanguage = \"German\"");
    run(&project, &[]).succeeded();
    assert!(provider.heard().contains("in this language: German"));
    let titles: Vec<String> = project
        .statements()
        .into_iter()
        .map(|(title, _)| title)
        .collect();
    // A decision is told in the person's words, whatever the language of its finder.
    let is_said = |title: &String| title.starts_with("We go with the PostgreSQL table");
    assert!(titles.iter().any(is_said), "{titles:?}");
}

#[test]
fn an_estimate_asks_nobody() {
    let provider = scripted(about_the_queue);
    let mut project = Project::new();
    project.configure(&provider.settings(&["extract", "summarise"]));
    project.configure("[llm]\nprices = [\"scripted 1.00 4.00\"]");
    let total = run(&project, &["--estimate", "--json"]).succeeded().json();
    assert_eq!(provider.calls(), 0);
    assert!(total["requests"].as_u64() >= Some(2), "{total}");
    assert!(total["input_tokens"].as_u64() > Some(500), "{total}");
    assert!(total["cost_dollars"].as_f64() > Some(0.0), "{total}");
    assert!(project.statements().is_empty(), "nothing was written");
    let shown = run(&project, &["--estimate"]).succeeded().stdout;
    assert!(
        shown.contains("local/scripted") && shown.contains("at most"),
        "{shown}"
    );
    let without = run(&project, &["--estimate", "--no-llm"]).succeeded();
    assert!(
        without.stderr.contains("no model would be asked"),
        "{}",
        without.stderr
    );
}

#[test]
fn without_a_model_rules_take_over_and_it_is_said() {
    let by_rules = {
        let project = Project::new();
        run(&project, &[]).succeeded();
        project.statements()
    };
    assert!(!by_rules.is_empty());
    for status in [401, 400, 500] {
        let provider = Provider::new(move |_| Err(status));
        let mut project = Project::new();
        project.configure(&provider.settings(&["extract", "summarise"]));
        project.configure("[llm.budget]\nrun_calls = 3");
        let ran = run(&project, &[]).succeeded();
        assert!(
            ran.stderr.contains("rules were used instead"),
            "{status}: {}",
            ran.stderr
        );
        assert_eq!(project.statements(), by_rules, "{status}");
    }
    let provider = scripted(about_the_queue);
    let mut project = Project::new();
    project.configure(&provider.settings(&["extract", "summarise"]));
    run(&project, &["--no-llm"]).succeeded();
    assert_eq!(provider.calls(), 0);
    assert_eq!(project.statements(), by_rules);
}

#[test]
fn no_secret_leaves_and_prompts_can_be_replaced() {
    let provider = scripted(about_the_queue);
    let mut project = Project::new();
    project.configure(&provider.settings(&["extract", "summarise"]));
    let prompt = project.write("extract.md", b"My own words about what to keep.\n");
    project.configure(&format!(
        "[plugin.extractor-llm.prompts]\nextract = {:?}",
        prompt.to_str().unwrap()
    ));
    let canary = ["gh", "p_16C7e42F292c6912E7710c838347Ae178B4a"].concat();
    let session = std::fs::read_to_string(fixture(DEMO)).unwrap().replace(
        "Webhook deliveries get lost",
        &format!("My token is {canary}. Webhook deliveries get lost"),
    );
    let session = project.write("session.jsonl", session.as_bytes());
    project.run(&session);
    let heard = provider.heard();
    assert!(heard.contains("Webhook deliveries get lost"));
    assert!(!heard.contains(&canary[4..]), "the canary left");
    assert!(heard.contains("My own words about what to keep."));
    let shown = project
        .acreta(&["plugin", "inspect", "extractor-llm"])
        .succeeded()
        .stdout;
    for part in [
        "prompt extract (from ",
        "My own words about",
        "prompt verify",
        "prompt navigate",
    ] {
        assert!(shown.contains(part), "{part}: {shown}");
    }
    // An untrusted project must not change a model's prompts.
    let project = Project::new();
    project.write(
        "home/config.toml",
        provider.settings(&["extract"]).as_bytes(),
    );
    project.write(
        "project/.acreta/config.toml",
        b"[plugin.extractor-llm.prompts]\nextract = \"evil.md\"\n[plugin.extractor-llm.settings]\nprompt = { extract = \"evil words\" }\n",
    );
    let ran = run(&project, &[]).succeeded();
    assert!(
        ran.stderr.contains("plugin.extractor-llm.prompts"),
        "{}",
        ran.stderr
    );
    assert!(!provider.heard().contains("evil words"));
}
