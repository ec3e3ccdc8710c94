//! Sessions that their agent resumes, forks, compacts or rewrites: what an earlier reading proved stays, whichever agent's
//! they are.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::{Value, json};

use crate::agents::take_all_in;
use crate::support::{AGENTS, Project, each_text, files, json_file, lay_out, ran};

/// Sentences that a person typed in fixtures that teach nothing, and rules that take their place.
const PLANTED: [(&str, &str); 8] = [
    (
        "Add a lock so that only one can run.",
        "From now on, always take the lock before the import.",
    ),
    (
        "Keep it in metres per second inside; only the view shows knots.",
        "From now on, always keep wind in metres per second.",
    ),
    (
        "Read the sensor on the GPIO pin and poll it, as we decided for the others.",
        "From now on, always read the sensor on the GPIO pin.",
    ),
    (
        "Warn when the lens has salt on it",
        "From now on, always warn about salt on the lens.",
    ),
    (
        "Gulls that sit count as one per visit.",
        "From now on, always count sitting gulls once per visit.",
    ),
    (
        "rename the column amount to total",
        "From now on, always call the column total.",
    ),
    (
        "Read @tides.csv and plot the tides",
        "From now on, always plot the tides from the file.",
    ),
    (
        "Detect the noises of seals",
        "From now on, always detect the noises of seals.",
    ),
];

/// A memory that a person's words in a session prove.
#[derive(Debug, Clone)]
struct Proven {
    agents: BTreeSet<String>,
    sessions: BTreeSet<String>,
    quotes: BTreeSet<String>,
}

/// Returns the active memories of all scopes that people's words prove, by id.
fn proven(project: &Project) -> BTreeMap<String, Proven> {
    let mut found = BTreeMap::new();
    for file in files(project.outside()) {
        if !file.parent().unwrap().ends_with("meta/memories") {
            continue;
        }
        let id = file.file_stem().unwrap().to_str().unwrap().to_owned();
        let sidecar = json_file(&file);
        let contributions = sidecar["contributions"].as_array().unwrap();
        let is_active = sidecar["status"]
            .as_str()
            .is_none_or(|status| status == "active");
        if !is_active {
            continue;
        }
        let texts = |field: &str| {
            let texts = contributions.iter().map(|one| one[field].as_str().unwrap());
            texts.map(str::to_owned).collect()
        };
        let quoted = contributions
            .iter()
            .flat_map(|one| one["evidence"].as_array().unwrap())
            .filter(|quoted| quoted["role"] == "user");
        let quotes: BTreeSet<String> = quoted
            .map(|quoted| quoted["quote"].as_str().unwrap().trim().to_owned())
            .collect();
        if !quotes.is_empty() {
            let proven = Proven {
                agents: texts("agent"),
                sessions: texts("session_id"),
                quotes,
            };
            found.insert(id, proven);
        }
    }
    found
}

fn sync(project: &Project) -> Value {
    let command = project
        .command(&["sync", "--json"])
        .current_dir(project.outside())
        .output();
    let report = ran(command.unwrap()).json_before_failure();
    assert_eq!(report["failed"], 0, "{report}");
    report
}

fn project() -> Project {
    let mut project = Project::new();
    project.configure("[sync]\nwithout_project = \"global\"");
    project
}

/// Lays the sessions of all agents out, with other words in the place of some.
fn lay_out_without(project: &Project, quotes: &BTreeSet<String>, instead: &str) {
    let change = |text: &str| {
        let mut text = text.to_owned();
        for (sentence, rule) in PLANTED {
            text = text.replace(sentence, rule);
        }
        for quote in quotes {
            text = text.replace(quote.as_str(), instead);
        }
        text
    };
    lay_out(project, &|bytes| each_text(bytes, &change));
}

#[track_caller]
fn assert_kept(before: &BTreeMap<String, Proven>, project: &Project, case: &str) {
    let after = proven(project);
    for (id, proven) in before {
        assert!(after.contains_key(id), "{case}: {id} is lost: {proven:?}");
    }
}

#[test]
fn a_changed_session_of_any_agent_takes_nothing_back() {
    let whole = project();
    lay_out_without(&whole, &BTreeSet::new(), "");
    take_all_in(&whole, &sync(&whole));
    sync(&whole);
    let said = proven(&whole);
    let agents: BTreeSet<&str> = said
        .values()
        .flat_map(|one| one.agents.iter().map(String::as_str))
        .collect();
    assert_eq!(
        agents,
        BTreeSet::from(AGENTS),
        "every agent taught something"
    );
    let quotes: BTreeSet<String> = said.values().flat_map(|one| one.quotes.clone()).collect();

    // Rewritten, and compacted: the words are no longer there.
    for instead in ["Let us go on with the rest of it.", ""] {
        lay_out_without(&whole, &quotes, instead);
        let report = sync(&whole);
        assert!(report["ran"].as_u64().unwrap() > 0, "{report}");
        assert_kept(&said, &whole, instead);
    }

    // Resumed: half of it is said later.
    let later: BTreeSet<String> = quotes.iter().skip(1).step_by(2).cloned().collect();
    let grown = project();
    lay_out_without(&grown, &later, "Let us go on with the rest of it.");
    take_all_in(&grown, &sync(&grown));
    sync(&grown);
    let earlier = proven(&grown);
    assert!(!earlier.is_empty() && earlier.len() < said.len());
    lay_out_without(&grown, &BTreeSet::new(), "");
    sync(&grown);
    assert_kept(&earlier, &grown, "resumed");

    // Forked: a copy under another id.
    for session in earlier.values().flat_map(|one| &one.sessions) {
        fork(&grown, session);
    }
    let before = proven(&grown);
    let report = sync(&grown);
    assert!(report["discovered"].as_u64().unwrap() > 5, "{report}");
    assert_kept(&before, &grown, "forked");
}

/// Copies every file that names a session, under another name.
fn fork(project: &Project, session: &str) {
    let (start, end) = session.split_at(session.len() - 1);
    let copy = format!("{start}{}", if end == "0" { "1" } else { "0" });
    let own = [project.home(), project.root()];
    let is_own = |file: &Path| {
        let mut parts = file.components();
        own.iter().any(|folder| file.starts_with(folder))
            || parts.any(|part| part.as_os_str() == ".acreta")
    };
    for file in files(project.outside()) {
        let path = file.to_str().unwrap();
        let Ok(text) = std::fs::read_to_string(&file) else {
            continue;
        };
        if is_own(&file) || !(path.contains(session) || text.contains(session)) {
            continue;
        }
        let name = file.file_name().unwrap().to_str().unwrap();
        let target = match path.contains(session) {
            true => path.replace(session, &copy),
            false => file
                .with_file_name(format!("0-{name}"))
                .display()
                .to_string(),
        };
        let relative = Path::new(&target).strip_prefix(project.outside()).unwrap();
        let text = text.replace(session, &copy);
        project.write(relative.to_str().unwrap(), text.as_bytes());
    }
}

/// A session of Gemini CLI 0.61, as `gemini -p` and then `gemini --resume latest -p` write it: on resuming it writes its
/// description of the project anew, at the beginning, with the names of acreta's files.
fn gemini_session(is_resumed: bool, listed: &str) -> String {
    let context = |listed: &str| {
        format!(
            "<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\n- **Directory \
             Structure:**\n\n/home/dev/shop/\n├───.acreta/\n│   └───memory/\n│       └───learnings/\n{listed}└───src/\n\n\
             </session_context>"
        )
    };
    let user = |id: &str, at: &str, text: &str| json!({ "id": id, "timestamp": format!("2026-11-18T06:{at}Z"), "type": "user", "content": [{ "text": text }] });
    let gemini = |id: &str, at: &str, content: Value| {
        json!({
            "id": id, "timestamp": format!("2026-11-18T06:{at}Z"), "type": "gemini", "content": content,
            "thoughts": [], "tokens": { "input": 120, "output": 30, "total": 150 }, "model": "gemini-3.8-flash",
        })
    };
    let rule = user(
        "7c36",
        "09:49.226",
        "From now on, never deploy on a Friday afternoon.",
    );
    let mut records = vec![
        json!({
            "sessionId": "28955b34-1a11-4e7d-b377-06dcdbdd6302", "projectHash": "cf8c",
            "startTime": "2026-11-18T06:09:48.767Z", "lastUpdated": "2026-11-18T06:09:48.767Z", "kind": "main",
        }),
        json!({ "$set": { "messages": [user("d049", "09:48.768", &context(""))] } }),
        rule.clone(),
        gemini("a918", "09:50.072", json!("Noted.")),
        json!({ "$set": { "lastUpdated": "2026-11-18T06:09:50.082Z" } }),
    ];
    if is_resumed {
        let messages = json!([
            user("d049", "09:48.768", &context(listed)),
            rule,
            gemini("a918", "09:50.072", json!([{ "text": "Noted." }])),
        ]);
        records.extend([
            json!({ "$set": { "sessionId": "28955b34-1a11-4e7d-b377-06dcdbdd6302" } }),
            json!({ "$set": { "messages": messages, "lastUpdated": "2026-11-18T06:10:19.472Z" } }),
            user("32ca", "10:19.964", "All table names are plural, always."),
            gemini("75d2", "10:21.141", json!("Noted.")),
        ]);
    }
    records.iter().map(|record| format!("{record}\n")).collect()
}

#[test]
fn resuming_a_session_of_gemini_adds_to_what_it_taught() {
    let said = [
        "All table names are plural, always.",
        "From now on, never deploy on a Friday afternoon.",
    ];
    let quoted = |project: &Project| -> Vec<String> {
        let quotes = proven(project).into_values().flat_map(|one| one.quotes);
        let quotes: BTreeSet<String> = quotes.collect();
        quotes.into_iter().collect()
    };
    let project = Project::new();
    let run = |project: &Project, text: &str| {
        project.run(&project.write("session-2026-11-18T06-09-28955b34.jsonl", text.as_bytes()))
    };
    run(&project, &gemini_session(false, ""));
    assert_eq!(quoted(&project), said[1..]);
    let file = files(&project.memory().join("learnings")).remove(0);
    let name = file.file_name().unwrap().to_str().unwrap();
    assert!(name.contains("never-deploy-on-a-friday"), "{name}");
    let listed = format!("│           └───{name}\n");
    let report = run(&project, &gemini_session(true, &listed));
    assert_eq!(report["counts"]["archived"], 0, "{report}");
    assert_eq!(quoted(&project), said);
    // The listing is no echo: whoever reads the session for the first time learns both.
    let fresh = Project::new();
    run(&fresh, &gemini_session(true, &listed));
    assert_eq!(quoted(&fresh), said);
}
