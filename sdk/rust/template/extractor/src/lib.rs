//! Finds rules that a person states for good ("always …", "never …") and summarises the session. Quotes evidence for
//! every candidate, and leaves out what is uncertain.

use acreta_sdk::extractor::{
    Candidate, Event, Events, Evidence, Extractor, Failure, Host, Session, Summary,
};

/// Beginnings of sentences that state a rule.
const CUES: [&str; 4] = ["always ", "never ", "from now on ", "we use "];

/// Maximum length of a title, in characters.
const TITLE: usize = 80;

/// The extractor.
pub struct ExamplePlugin;

acreta_sdk::extractor!(ExamplePlugin);

impl Extractor for ExamplePlugin {
    fn extract(
        _session: &Session,
        events: &impl Events,
        host: &impl Host,
    ) -> Result<Vec<Candidate>, Failure> {
        let mut found = Vec::new();
        // The host's table defines the allowed types.
        let types = host.memory_types();
        let is_known = |one: &Candidate| {
            let entry = types.iter().find(|entry| entry.name == one.category);
            entry.is_some_and(|entry| entry.kinds.contains(&one.kind))
        };
        events.each(|event| {
            for sentence in laid_down(event) {
                let one = candidate(format!("rule-{}", found.len() + 1), event, sentence);
                found.extend(Some(one).filter(is_known));
            }
            Ok(())
        })?;
        Ok(found)
    }

    fn summarise(
        _session: &Session,
        events: &impl Events,
        _host: &impl Host,
    ) -> Result<Summary, Failure> {
        let (mut asked, mut answered) = (None, None);
        events.each(|event| {
            match (&*event.role, &*event.kind) {
                ("user", "text") if asked.is_none() => asked = Some(event.clone()),
                ("assistant", "text") => answered = Some(event.clone()),
                _ => {}
            }
            Ok(())
        })?;
        let Some(asked) = asked else {
            return Err(Failure::new(
                "nothing-said",
                "nobody asked for anything in this session",
            ));
        };
        let request = first_line(&asked.text);
        let mut evidence = vec![Evidence::new(&asked, request)];
        let mut body = format!("Asked: {request}\n");
        if let Some(answered) = &answered {
            let reply = first_line(&answered.text);
            body.push_str(&format!("\nIn the end: {reply}\n"));
            evidence.push(Evidence::new(answered, reply));
        }
        Ok(Summary {
            title: title(request),
            description: request.to_owned(),
            body,
            tags: Vec::new(),
            evidence,
            attrs: Vec::new(),
        })
    }
}

fn candidate(id: String, event: &Event, sentence: &str) -> Candidate {
    Candidate {
        id,
        category: "learning".to_owned(),
        kind: "convention".to_owned(),
        title: title(sentence),
        body: sentence.to_owned(),
        confidence: 0.7,
        tags: Vec::new(),
        evidence: vec![Evidence::new(event, sentence)],
        attrs: Vec::new(),
    }
}

/// Finds the sentences in which a person states a rule. Only `text` of the `user` is written by the person.
fn laid_down(event: &Event) -> Vec<&str> {
    if (&*event.role, &*event.kind) != ("user", "text") {
        return Vec::new();
    }
    let sentences = event.text.split(['.', '\n']).map(str::trim);
    sentences
        .filter(|sentence| {
            let lower = sentence.to_lowercase();
            CUES.iter().any(|cue| lower.contains(cue))
        })
        .collect()
}

fn first_line(text: &str) -> &str {
    text.trim().lines().next().unwrap_or_default()
}

fn title(text: &str) -> String {
    text.chars().take(TITLE).collect()
}
