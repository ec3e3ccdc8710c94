//! Sessions and candidates, and whose word the grounds say they are.

mod cases;
mod further;
mod measured;
mod own_words;
mod speakers;

use acreta_model::{Attrs, Candidate, Event, Evidence, Failure, Origin, TraceReader};

use super::{Grounds, Speaker, instructs};
use crate::decide::kept::Cited;

/// Events, and whether the next page is the first.
struct Said(Vec<Event>, bool);

impl TraceReader for Said {
    fn count(&self) -> u64 {
        self.0.len() as u64
    }
    fn next(&mut self, _max_bytes: u32) -> Result<Vec<Event>, Failure> {
        let page = match std::mem::take(&mut self.1) {
            true => self.0.clone(),
            false => Vec::new(),
        };
        Ok(page)
    }
    fn read(&mut self, id: &str) -> Result<Option<Event>, Failure> {
        Ok(self.0.iter().find(|event| event.id == id).cloned())
    }
    fn find(&mut self, text: &str, _limit: u32) -> Result<Vec<Event>, Failure> {
        let wanted = text.to_lowercase();
        let holds = |event: &&Event| event.text.to_lowercase().contains(&wanted);
        Ok(self.0.iter().filter(holds).cloned().collect())
    }
    fn rewind(&mut self) {
        self.1 = true;
    }
}

fn event(index: usize, role: &str, kind: &str, text: &str) -> Event {
    Event {
        id: format!("e{index}"),
        origin: Origin::default(),
        role: role.to_owned(),
        kind: kind.to_owned(),
        at_ms: None,
        text: text.to_owned(),
        attrs: Attrs::default(),
    }
}

fn candidate(kind: &str, title: &str, body: &str, quotes: &[(usize, &str)]) -> Candidate {
    let kind = if kind == "decision" { "" } else { kind };
    let category = if kind.is_empty() {
        "decision"
    } else {
        "learning"
    };
    let evidence = quotes.iter().map(|(index, quote)| Evidence {
        event_id: format!("e{index}"),
        quote: (*quote).to_owned(),
    });
    Candidate {
        id: "c1".to_owned(),
        category: category.to_owned(),
        kind: kind.to_owned(),
        title: title.to_owned(),
        body: body.to_owned(),
        confidence: 0.9,
        tags: Vec::new(),
        evidence: evidence.collect(),
        attrs: Attrs::default(),
    }
}

/// Whose word the candidate is, or why it is not believed.
fn judged(events: Vec<Event>, candidate: &Candidate) -> Result<Speaker, String> {
    let cited = candidate.evidence.iter().map(|evidence| {
        let event = events.iter().find(|event| event.id == evidence.event_id);
        let event = event.expect("a cited event is there").clone();
        assert!(event.text.contains(&evidence.quote), "{}", evidence.quote);
        Cited {
            event,
            quote: evidence.quote.clone(),
        }
    });
    let citations: Vec<Cited> = cited.collect();
    let mut said = Said(events, true);
    let grounds = Grounds::read(std::slice::from_ref(candidate), &mut said, |_| {});
    grounds.judge(candidate, &citations)
}

/// What a verdict makes of a candidate.
#[derive(Debug, PartialEq, Eq)]
enum Outcome {
    /// Grounded memory, as the candidate words it.
    AsWorded,
    /// Grounded memory in the words that the person typed.
    OwnWords,
    NotGrounded,
}

fn outcome(candidate: &Candidate, verdict: &Result<Speaker, String>) -> Outcome {
    match verdict {
        Ok(Speaker::Person) => Outcome::AsWorded,
        Ok(Speaker::OwnWords(_)) => Outcome::OwnWords,
        Ok(Speaker::Agent) if !instructs(candidate) => Outcome::AsWorded,
        Ok(Speaker::Agent | Speaker::Nobody) | Err(_) => Outcome::NotGrounded,
    }
}
