//! The last look: a model sees each proposal with its quotes and with what the person said
//! afterwards, and says which stay and how they read. What it does not name falls; where it cannot be
//! asked, what the offline extractor proposed stands as it is.

use crate::batch::{NOTHING_LEFT, Reserve, UNUSABLE, affordable, ask};
use crate::pool::{By, Item, Pool, fit_text};
use crate::reply::{Kept, Verdicts, verdicts};
use crate::request;
use crate::script::Script;
use crate::shorten::plain;
use crate::study::{Study, sure};
use crate::transcript::{Voice, voice};
use crate::{Candidate, Failure, Ports};

/// What came of the last look.
#[derive(Debug, Default)]
pub(crate) struct Verified {
    pub(crate) kept: Pool,
    /// Proposals of the offline extractor that no model judged.
    pub(crate) unjudged: Vec<Candidate>,
    /// Why some were not judged.
    pub(crate) trouble: Option<String>,
}

/// Judges all proposals. Fails only when the trace cannot be read.
pub(crate) fn verify(study: &Study<'_>, script: &Script) -> Result<Verified, Failure> {
    let items = &study.pool.items;
    let batches = batches(study, script)?;
    let requests: Vec<_> = batches
        .iter()
        .map(|batch| request::verify(study.settings, &study.types, &batch.text))
        .collect();
    let priority: Vec<usize> = (0..requests.len()).collect();
    let left = study.ports.models.left();
    let chosen = affordable(left, &requests, &priority, Reserve::default());
    let sent = requests.into_iter().enumerate();
    let sent = sent.filter(|(index, _)| chosen.binary_search(index).is_ok());
    let replies = ask(&study.ports, sent.map(|(_, request)| request).collect());
    let mut judged = chosen.into_iter().zip(replies).peekable();
    let mut verified = Verified::default();
    for (index, batch) in batches.iter().enumerate() {
        let outcome = match judged.next_if(|(chosen, _)| *chosen == index) {
            None => Err(NOTHING_LEFT.to_owned()),
            Some((_, reply)) => {
                reply.and_then(|content| verdicts(&content).ok_or_else(|| UNUSABLE.to_owned()))
            }
        };
        let own = &items[batch.first..batch.end];
        match outcome {
            Ok(verdicts) => keep(&mut verified.kept, study, own, batch.first, verdicts),
            Err(reason) => {
                let rules = own.iter().flat_map(|item| item.rules.iter().cloned());
                verified.unjudged.extend(rules);
                verified.trouble.get_or_insert(reason);
            }
        }
    }
    Ok(verified)
}

/// Items `first..end`, rendered. An item has its index and one as its number.
struct Batch {
    first: usize,
    end: usize,
    text: String,
}

fn batches(study: &Study<'_>, script: &Script) -> Result<Vec<Batch>, Failure> {
    let limit = study.settings.window_bytes();
    let mut batches: Vec<Batch> = Vec::new();
    for (index, item) in study.pool.items.iter().enumerate() {
        let text = rendered(&study.ports, index + 1, item, script)?;
        match batches.last_mut() {
            Some(batch)
                if batch.text.len() + text.len() <= limit && index - batch.first < MOST_ITEMS =>
            {
                batch.text.push_str(&text);
                batch.end = index + 1;
            }
            _ => batches.push(Batch {
                first: index,
                end: index + 1,
                text,
            }),
        }
    }
    Ok(batches)
}

/// What one reply has room for.
const MOST_ITEMS: usize = 24;

fn rendered(
    ports: &Ports<'_>,
    number: usize,
    item: &Item,
    script: &Script,
) -> Result<String, Failure> {
    let kind = if item.kind.is_empty() {
        String::new()
    } else {
        format!("/{}", item.kind)
    };
    let mut text = format!(
        "#{number} by {}, {}{kind}, confidence {:.2}\n    title: {}\n    body: {}\n",
        item.by.name(),
        item.category,
        item.confidence,
        item.title,
        item.body
    );
    for one in &item.evidence {
        // Whose word it is decides what it is worth.
        let event = ports.trace.read(&one.event_id)?;
        let voice = event.as_ref().and_then(voice).unwrap_or(Voice::Gap);
        let quote = plain(&one.quote);
        text.push_str(&format!("    quote ({}): {quote}\n", voice.name()));
    }
    let subject = format!("{} {}", item.title, item.body);
    for prompt in script.said_after(item.last, &subject) {
        text.push_str(&format!("    person later: {}\n", prompt.words));
    }
    text.push('\n');
    Ok(text)
}

/// Takes the verdicts on `items`, whose numbers begin after `before`.
fn keep(kept: &mut Pool, study: &Study<'_>, items: &[Item], before: usize, verdicts: Verdicts) {
    let mut is_free = vec![true; items.len()];
    let place = |number: usize| {
        number
            .checked_sub(before + 1)
            .filter(|at| *at < items.len())
    };
    // What is named as dropped falls, wherever else it is named.
    for number in verdicts.dropped {
        if let Some(at) = place(number) {
            is_free[at] = false;
        }
    }
    for memory in verdicts.kept {
        let mut places: Vec<usize> = Vec::new();
        for at in memory.items.iter().filter_map(|number| place(*number)) {
            if std::mem::take(&mut is_free[at]) {
                places.push(at);
            }
        }
        let Some((first, others)) = places.split_first() else {
            continue;
        };
        let mut item = items[*first].clone();
        for other in others {
            let other = &items[*other];
            item.first = item.first.min(other.first);
            item.last = item.last.max(other.last);
            item.cite(other.evidence.clone());
        }
        rewrite(&mut item, &memory, study);
        kept.add(item);
    }
}

/// The text a model gave it, as far as that can be used; its own otherwise.
fn rewrite(item: &mut Item, memory: &Kept, study: &Study<'_>) {
    if let Some((title, body)) = fit_text(&memory.title, &memory.body)
        && (title != item.title || body != item.body)
    {
        item.title = title;
        item.body = body;
        item.by = By::Model;
    }
    if let Some(kind) = study.types.fit(memory.category.trim(), memory.kind.trim()) {
        memory.category.trim().clone_into(&mut item.category);
        kind.clone_into(&mut item.kind);
    }
    item.confidence = sure(memory.confidence);
}
