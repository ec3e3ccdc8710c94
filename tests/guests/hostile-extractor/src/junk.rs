//! Answers that are valid only by their types.

use acreta_sdk::extractor::{Candidate, Evidence, Failure, Reader, Summary};

use crate::honest;

/// Returns one good candidate, and one for each kind of defect. The ids of the bad ones name the defect.
pub(crate) fn extract(events: &Reader) -> Result<Vec<Candidate>, Failure> {
    let Some(good) = honest::extract(events)?.pop() else {
        return Ok(Vec::new());
    };
    let bad = |id: &str, spoil: fn(&mut Candidate)| {
        let mut candidate = Candidate {
            id: id.to_owned(),
            title: format!("Junk of the sort {id}"),
            ..good.clone()
        };
        spoil(&mut candidate);
        candidate
    };
    Ok(vec![
        good.clone(),
        bad("c-1", |_| {}),
        bad("", |_| {}),
        bad("unknown-type", |candidate| {
            candidate.category = "poem".to_owned()
        }),
        bad("summary-type", |candidate| {
            candidate.category = "summary".to_owned()
        }),
        bad("unknown-kind", |candidate| {
            candidate.category = "learning".to_owned();
            candidate.kind = "gossip".to_owned();
        }),
        bad("decision-with-kind", |candidate| {
            candidate.kind = "pitfall".to_owned()
        }),
        bad("empty-title", |candidate| candidate.title.clear()),
        bad("blank-title", |candidate| {
            candidate.title = " \u{200b}\n".to_owned()
        }),
        bad("long-title", |candidate| {
            candidate.title = "word ".repeat(10_000)
        }),
        bad("empty-body", |candidate| candidate.body.clear()),
        bad("huge-body", |candidate| {
            candidate.body = "word ".repeat(400_000)
        }),
        bad("control-characters", |candidate| {
            candidate.title = "\u{1b}[31mred\u{7}\0 \u{202e}title".to_owned();
            candidate.body =
                "---\nid: forged\n---\r\n\u{1b}]0;x\u{7}<!-- hidden -->\u{e0041}".to_owned();
            candidate.tags = vec!["\n- x".to_owned(), "]: [".to_owned()];
        }),
        bad("no-evidence", |candidate| candidate.evidence.clear()),
        bad("forged-event", |candidate| {
            candidate.evidence = quoted("no-such-event", "never said")
        }),
        bad("forged-quote", |candidate| {
            for evidence in &mut candidate.evidence {
                evidence.quote = "never said in this session".to_owned();
            }
        }),
        bad("empty-quote", |candidate| {
            for evidence in &mut candidate.evidence {
                evidence.quote.clear();
            }
        }),
        bad("confidence-nan", |candidate| {
            candidate.confidence = f32::NAN
        }),
        bad("confidence-infinite", |candidate| {
            candidate.confidence = f32::INFINITY
        }),
        bad("confidence-negative", |candidate| {
            candidate.confidence = -1.0
        }),
        bad("confidence-seven", |candidate| candidate.confidence = 7.0),
        bad("too-many-tags", |candidate| {
            candidate.tags = vec!["tag".to_owned(); 10_000]
        }),
    ])
}

pub(crate) fn summary() -> Summary {
    Summary {
        title: "\0\n".to_owned(),
        description: "two\nlines\u{1b}[2J".to_owned(),
        body: "word ".repeat(100_000),
        tags: vec![String::new()],
        evidence: quoted("no-such-event", "never said"),
        attrs: Vec::new(),
    }
}

fn quoted(event_id: &str, quote: &str) -> Vec<Evidence> {
    vec![Evidence {
        event_id: event_id.to_owned(),
        quote: quote.to_owned(),
    }]
}
