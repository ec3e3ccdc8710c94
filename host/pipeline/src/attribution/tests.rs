//! Sessions and candidates, and whose words attribution says they are.

mod cases;
mod measured;

use acreta_types::{Attrs, Candidate, Event, Evidence, Failure, Origin, TraceReader};

use super::{Attribution, Proven, Speaker, instructs};
use crate::decide::accepted::ResolvedCitation;

/// Events, and whether the next page is the first.
struct EventPages(Vec<Event>, bool);

impl TraceReader for EventPages {
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

/// Returns whose words the candidate is, or the reason why it is refused.
fn judged(events: Vec<Event>, candidate: &Candidate) -> Result<Speaker, String> {
    let cited = candidate.evidence.iter().map(|evidence| {
        let event = events.iter().find(|event| event.id == evidence.event_id);
        let event = event.expect("a cited event is there").clone();
        assert!(event.text.contains(&evidence.quote), "{}", evidence.quote);
        ResolvedCitation {
            event,
            quote: evidence.quote.clone(),
        }
    });
    let citations: Vec<ResolvedCitation> = cited.collect();
    let mut said = EventPages(events, true);
    let attribution = Attribution::read(std::slice::from_ref(candidate), &mut said, |_| {});
    attribution.judge(candidate, &citations)
}

/// Returns the line that a brief tells; `None` if it tells nothing.
fn told(events: Vec<Event>, candidate: &Candidate) -> Option<String> {
    match judged(events, candidate) {
        Ok(Speaker::Person(Proven {
            title, quotation, ..
        })) => Some(quotation.told(&title)),
        Ok(Speaker::Agent) if !instructs(candidate) => Some(candidate.title.clone()),
        _ => None,
    }
}
