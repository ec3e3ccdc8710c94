//! `acreta memory search|related`.

use acreta_service::find::for_people::{self, FoundRow, MemorySearchRequest, MemorySearchResult};
use acreta_service::find::short_ids::ShortIds;
use acreta_service::find::show::{self, EvidenceFile, Status, Trust};
use acreta_service::plugins::NOTES;
use acreta_service::{Failure, Kind, process::clock, projects::scopes};

use crate::args::SearchArguments;
use crate::context::Context;
use crate::output::{json, line, line_of_id, talk};

pub(super) fn search(arguments: &SearchArguments, context: &Context) -> Result<(), Failure> {
    let text = arguments.query.join(" ");
    if text.matches('"').count() % 2 == 1 {
        let message = format!("the query `{text}` has a quote that is not closed");
        return Err(Failure::new(Kind::Usage, message)
            .hint("close it to find the phrase word for word, or leave it out"));
    }
    let request = MemorySearchRequest {
        text,
        offset: 0,
        limit: arguments.limit,
        wanted: arguments.filter.wanted(),
        with_evidence: arguments.evidence,
        explain: arguments.explain,
    };
    let found = for_people::search(&request, context)?;
    match context.json {
        true => json(&found),
        false => print(&found, &ShortIds::known(context)?),
    }
    Ok(())
}

fn print(found: &MemorySearchResult, short_ids: &ShortIds) {
    if found.hits.is_empty() {
        talk("nothing found");
    }
    for hit in &found.hits {
        let kind = if hit.kind.is_empty() {
            hit.memory_type.name()
        } else {
            &hit.kind
        };
        let id = short_ids.of(&hit.id);
        line_of_id(&id, &format!("{kind}  {}{}", hit.title, remarks(hit)));
        line(&format!("    {}", hit.snippet.replace('\n', " ")));
        for text in evidence_lines(hit.evidence.as_ref()) {
            line(&format!("    {text}"));
        }
        if let Some(explanation) = &hit.explanation {
            let terms: Vec<String> = explanation
                .terms
                .iter()
                .map(|part| format!("{} {:.2}", part.term, part.score))
                .collect();
            line(&format!(
                "    score {:.2} = (memory {:.2} + passage {:.2} + next {:.2}) × recency {:.2} × confidence {:.2} × access {:.2} × helped {:.2} × standing {:.2}; {}",
                explanation.score,
                explanation.memory,
                explanation.passage,
                explanation.next,
                explanation.recency,
                explanation.confidence,
                explanation.access,
                explanation.helped,
                explanation.standing,
                terms.join(", ")
            ));
        }
    }
}

fn remarks(hit: &FoundRow) -> String {
    let mut remarks = Vec::new();
    if hit.scope != "project" {
        remarks.push(hit.scope.as_str());
    }
    if hit.trust == Trust::Untrusted {
        remarks.push("untrusted");
    }
    if hit.status != Status::Active {
        remarks.push(hit.status.name());
    }
    if hit.stale {
        remarks.push("stale");
    }
    if remarks.is_empty() {
        String::new()
    } else {
        format!(" ({})", remarks.join(", "))
    }
}

/// Formats evidence: quotes with who said them.
pub(crate) fn evidence_lines(evidence: Option<&EvidenceFile>) -> Vec<String> {
    let mut lines = Vec::new();
    let contributions = evidence.iter().flat_map(|evidence| &evidence.contributions);
    for contribution in contributions {
        let by = match contribution.found_by.iter().any(|id| id == NOTES) {
            true => format!(", noted by {}", contribution.agent),
            false => String::new(),
        };
        lines.push(format!(
            "from {} session {}{by}",
            contribution.agent, contribution.session_id
        ));
        for quoted in &contribution.evidence {
            let at = quoted.at_ms.map(clock::shown).unwrap_or_default();
            let place = if quoted.record.is_empty() {
                String::new()
            } else {
                format!(" ({})", quoted.record)
            };
            lines.push(format!(
                "  {at} {}{place}: “{}”",
                quoted.role,
                quoted.quote.trim()
            ));
        }
    }
    lines
}

pub(super) fn related(id: &str, limit: usize, context: &Context) -> Result<(), Failure> {
    let scopes = scopes::configured(context)?;
    let neighbours = show::related(id, limit, &scopes, context)?;
    if context.json {
        json(&neighbours);
        return Ok(());
    }
    if neighbours.related.is_empty() {
        talk("no related memories");
    }
    for other in &neighbours.related {
        let id = neighbours.short_ids.of(&other.id);
        line(&format!("{id}  {}: {}", other.why, other.title));
    }
    Ok(())
}
