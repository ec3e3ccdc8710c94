//! Compares two labellings of one session: the upper bound for any extractor.

use crate::scoring::label::{Citation, Extracted, Label, LabelItem, Proposal};

/// Converts a labelling to an extractor's result: its gold items, each citing its own passages.
pub fn as_extracted(label: &Label) -> Extracted {
    let mut extracted = Extracted::default();
    for (index, item) in label.gold.iter().enumerate() {
        let mut proposal = proposal(item);
        for (place, passage) in item.evidence.iter().enumerate() {
            let event_id = format!("{index}.{place}");
            extracted
                .cited
                .insert(event_id.clone(), passage.quote.clone());
            proposal.evidence.push(Citation { event_id });
        }
        extracted.candidates.push(proposal);
    }
    extracted
}

fn proposal(item: &LabelItem) -> Proposal {
    Proposal {
        memory_type: item.memory_type.clone(),
        kind: item.kind.clone().unwrap_or_default(),
        body: item.statement.clone(),
        ..Proposal::default()
    }
}
