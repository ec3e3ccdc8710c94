//! Gates that every candidate must pass, whoever proposed it. A candidate is kept, or dropped with a reason; nothing
//! is dropped silently.

use crate::attribution::{self, Attribution, Speaker};
use crate::decide::accepted::{AcceptedCandidate, ResolvedCitation};
use crate::decide::thresholds::Thresholds;
use std::collections::BTreeSet;

use acreta_redact::Redactor;
use acreta_text::bounds::{self, QUOTE_BYTES, TAGS, TITLE};
use acreta_text::{is_hidden, tokens};
use acreta_types::{Candidate, Evidence, MemoryType, Summary, TraceReader};
use serde::Serialize;

use crate::decide::accepted::{FOUND_BY, is_pending, is_spoken};
use crate::decide::cleaned::{characters, clean_candidate, cleaned, cleaned_citation};
use crate::decide::near::Near;
use crate::decide::open_ends;
use crate::decide::recall::Recalls;
use crate::decide::taken_back::{TakenBackNote, take_back};

/// A candidate with the result of the gates: an entry of `extract.json`.
#[derive(Debug, Clone, Serialize)]
pub struct Judged {
    #[serde(flatten)]
    pub candidate: Candidate,
    pub kept: bool,
    /// Another kept candidate stands for it: it says nearly the same, or is the later word that replaces it.
    #[serde(skip)]
    pub(crate) is_settled: bool,
    /// The gate that stopped it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gate: Option<&'static str>,
    pub reason: String,
}

/// The gates, in order.
pub const GATES: [&str; 7] = [
    BATCH,
    FORM,
    SECRET,
    EVIDENCE,
    ATTRIBUTION,
    DUPLICATE,
    PENDING,
];

/// The candidate has a unique id and is within the limit of the batch.
const BATCH: &str = "batch";
/// Type, kind, lengths, confidence.
const FORM: &str = "form";
const SECRET: &str = "secret";
/// Every quote occurs in its event.
const EVIDENCE: &str = "evidence";
/// The cited speaker said it; what instructs is the person's own typed words.
const ATTRIBUTION: &str = "attribution";
const DUPLICATE: &str = "duplicate";
/// Uncertain, and no other session has repeated it yet.
pub(crate) const PENDING: &str = "pending";

/// The gate that stopped a candidate, and the reason.
type GateStop = (&'static str, String);

/// Maximum length of a note that a person writes.
const NOTE_CHARACTERS: usize = 8_000;
const NEAR_DUPLICATE: f64 = 0.72;

/// Result of judging a batch.
#[derive(Clone)]
pub(crate) struct GateResults {
    pub(crate) judged: Vec<Judged>,
    pub(crate) kept: Vec<AcceptedCandidate>,
    /// Passed every gate, but uncertain.
    pub(crate) pending: Vec<AcceptedCandidate>,
    /// Passed every gate, but the person took them back.
    pub(crate) taken_back: Vec<TakenBackNote>,
}

/// Judges a batch. `fallback_ms` is the time of evidence whose events have none.
pub(crate) fn judge(
    mut candidates: Vec<Candidate>,
    trace: &mut dyn TraceReader,
    redactor: &Redactor,
    thresholds: &Thresholds,
    fallback_ms: u64,
) -> GateResults {
    // Highest confidence first, so that the better of two near-duplicates stays; ties in the order proposed.
    candidates.sort_by(|left, right| {
        (is_pending(left).cmp(&is_pending(right)))
            .then(right.confidence.total_cmp(&left.confidence))
    });
    let mut recalls = Recalls::new(&candidates);
    let attribution = Attribution::read(&candidates, trace, |event| recalls.see(event));
    recalls.end();
    let strict = redactor.strict();
    let mut ids = BTreeSet::new();
    let mut kept: Vec<AcceptedCandidate> = Vec::new();
    let mut pending: Vec<AcceptedCandidate> = Vec::new();
    let mut passed = PassedCandidates::new();
    let mut judged = Vec::new();
    for mut candidate in candidates {
        let unsure = is_pending(&candidate);
        let mut twin_id = None;
        let verdict = if candidate.id.is_empty() {
            Err((BATCH, "has no id".to_owned()))
        } else if !ids.insert(candidate.id.clone()) {
            Err((BATCH, "its id occurs twice in the batch".to_owned()))
        } else if of_same(if unsure { &pending } else { &kept }, &candidate)
            >= thresholds.max_candidates
        {
            let most = thresholds.max_candidates;
            Err((BATCH, format!("over the cap of {most} per session")))
        } else {
            pass(
                &candidate,
                trace,
                &attribution,
                &recalls,
                redactor,
                thresholds,
                fallback_ms,
            )
            .and_then(|kept| match unsure && !is_persons(&kept) {
                true => Err((
                    ATTRIBUTION,
                    "is pending and not a person's own words".to_owned(),
                )),
                false if kept.untrusted && is_spoken(&candidate) => {
                    Err((ATTRIBUTION, "no person said it as their own".to_owned()))
                }
                false => passed.once(cleaned(kept, &strict)).map_err(|twin| {
                    let reason = says_the_same(&twin);
                    twin_id = Some(twin);
                    (DUPLICATE, reason)
                }),
            })
        };
        clean_candidate(&mut candidate, &strict);
        let found_by = candidate.attrs.get(FOUND_BY);
        let mut known = kept.iter_mut().chain(&mut pending);
        let twin = known.find(|one| twin_id.as_ref() == Some(&one.candidate.id));
        if let (Some(twin), Some(found_by)) = (twin, found_by)
            && !twin.found_by.iter().any(|known| known == found_by)
        {
            twin.found_by.push(found_by.to_owned());
            twin.found_by.sort();
        }
        judged.push(Judged {
            is_settled: twin_id.is_some(),
            kept: verdict.is_ok(),
            gate: verdict.as_ref().err().map(|(gate, _)| *gate),
            reason: match &verdict {
                Ok(kept) if kept.untrusted => {
                    "passed every gate; untrusted: no person said it".to_owned()
                }
                Ok(kept) if kept.candidate.body != candidate.body => {
                    "passed every gate; told in the person's own words".to_owned()
                }
                Ok(_) => "passed every gate".to_owned(),
                Err((_, reason)) => reason.clone(),
            },
            candidate,
        });
        if unsure { &mut pending } else { &mut kept }.extend(verdict.ok());
    }
    kept.sort_by(|left, right| {
        (left.newest_ms, &left.candidate.id).cmp(&(right.newest_ms, &right.candidate.id))
    });
    let taken_back = take_back(&mut kept);
    for note in &taken_back {
        let mut judged = judged.iter_mut();
        if let Some(judged) = judged.find(|one| one.candidate.id == note.candidate_id()) {
            judged.kept = false;
            judged.is_settled = true;
            judged.gate = Some(ATTRIBUTION);
            judged.reason = "a later note of this session replaces it".to_owned();
        }
    }
    GateResults {
        judged,
        kept,
        pending,
        taken_back,
    }
}

/// Returns how many of the accepted candidates the same extractor found.
fn of_same(accepted: &[AcceptedCandidate], candidate: &Candidate) -> usize {
    let found_by = candidate.attrs.get(FOUND_BY);
    let is_same = |one: &&AcceptedCandidate| one.candidate.attrs.get(FOUND_BY) == found_by;
    accepted.iter().filter(is_same).count()
}

/// Reports whether it is a person's word.
fn is_persons(kept: &AcceptedCandidate) -> bool {
    !kept.untrusted && kept.citations.iter().any(attribution::is_persons)
}

fn pass(
    candidate: &Candidate,
    trace: &mut dyn TraceReader,
    attribution: &Attribution,
    recalls: &Recalls,
    redactor: &Redactor,
    thresholds: &Thresholds,
    fallback_ms: u64,
) -> Result<AcceptedCandidate, GateStop> {
    let memory_type = well_formed(candidate, thresholds.min_confidence, bounds::TEXT)
        .map_err(|reason| (FORM, reason))?;
    if let Some(rule) = secret_in(candidate, redactor) {
        return Err((SECRET, format!("contains a secret ({rule})")));
    }
    let citations = resolve(&candidate.evidence, trace).map_err(|reason| (EVIDENCE, reason))?;
    if recalls.hold(&citations) {
        return Err((
            ATTRIBUTION,
            "was said only while memory was read".to_owned(),
        ));
    }
    let speaker = attribution.judge(candidate, &citations);
    let mut candidate = candidate.clone();
    let mut citations = citations;
    let untrusted = match speaker.map_err(|reason| (ATTRIBUTION, reason))? {
        Speaker::Person(proven) => {
            candidate.title = proven.title;
            candidate.body = proven.quotation.to_body();
            citations = proven.citations;
            false
        }
        Speaker::Agent => attribution::instructs(&candidate),
        Speaker::Nobody => true,
    };
    let newest_ms = citations
        .iter()
        .filter_map(|cited| cited.event.at_ms)
        .max()
        .unwrap_or(fallback_ms);
    let found_by = candidate.attrs.get(FOUND_BY).map(str::to_owned);
    Ok(AcceptedCandidate {
        found_by: found_by.into_iter().collect(),
        candidate,
        memory_type,
        citations,
        untrusted,
        newest_ms,
    })
}

/// Applies the gates to a person's note: like those of candidates, with longer texts and no minimum confidence.
pub(crate) fn well_formed_note(
    candidate: &Candidate,
    redactor: &Redactor,
) -> Result<MemoryType, String> {
    let memory_type = well_formed(candidate, 0.0, NOTE_CHARACTERS)?;
    match secret_in(candidate, redactor) {
        Some(rule) => Err(format!("contains a secret ({rule})")),
        None => Ok(memory_type),
    }
}

fn well_formed(
    candidate: &Candidate,
    min_confidence: f32,
    most_characters: usize,
) -> Result<MemoryType, String> {
    let memory_type = MemoryType::from_name(&candidate.category)
        .filter(|memory_type| memory_type.entry().extractable)
        .ok_or_else(|| format!("`{}` is not a candidate type", candidate.category))?;
    if !memory_type.allows_kind(&candidate.kind) {
        return Err(format!(
            "`{}` is not a kind of {} (expected {})",
            candidate.kind,
            memory_type.name(),
            match memory_type.entry().kinds {
                [] => "none".to_owned(),
                kinds => kinds.join(", "),
            }
        ));
    }
    let (title, body) = (candidate.title.trim(), candidate.body.trim());
    if title.is_empty() || body.is_empty() {
        return Err("has no title or no body".to_owned());
    }
    if title.contains('\n') || title.chars().count() > TITLE {
        return Err(format!(
            "its title is not one line of at most {TITLE} characters; the rest belongs in the body (`--body`)"
        ));
    }
    let length = title.chars().count() + body.chars().count();
    if length > most_characters {
        return Err(format!(
            "{length} characters long, {most_characters} allowed"
        ));
    }
    if candidate
        .title
        .chars()
        .chain(candidate.body.chars())
        .any(is_hidden)
    {
        return Err("contains control or invisible characters".to_owned());
    }
    if candidate.tags.len() > TAGS || !candidate.tags.iter().all(|tag| is_tag(tag)) {
        return Err(format!(
            "has more than {TAGS} tags, or a tag that is not a short word"
        ));
    }
    let confidence = candidate.confidence;
    if !(0.0..=1.0).contains(&confidence) {
        return Err(format!(
            "its confidence {confidence} is not between 0 and 1"
        ));
    }
    if confidence < min_confidence {
        return Err(format!(
            "confidence {confidence:.2} is under {min_confidence:.2}"
        ));
    }
    Ok(memory_type)
}

fn is_tag(tag: &str) -> bool {
    !tag.trim().is_empty()
        && tag.chars().count() <= bounds::TAG
        && !tag.contains(['\n', '\t'])
        && !tag.chars().any(is_hidden)
}

fn secret_in(candidate: &Candidate, redactor: &Redactor) -> Option<String> {
    let text = format!(
        "{}\n{}\n{}",
        candidate.title,
        candidate.body,
        candidate.tags.join(" ")
    );
    let redacted = redactor.redact(&text);
    redacted
        .counts
        .iter()
        .next()
        .map(|(rule, _)| rule.to_owned())
}

/// Resolves every quote, verbatim: one forged citation refuses the candidate.
fn resolve(
    evidence: &[Evidence],
    trace: &mut dyn TraceReader,
) -> Result<Vec<ResolvedCitation>, String> {
    if evidence.is_empty() {
        return Err("cites nothing".to_owned());
    }
    evidence
        .iter()
        .map(|evidence| {
            let id = &evidence.event_id;
            if evidence.quote.trim().is_empty() || evidence.quote.len() > QUOTE_BYTES {
                return Err(format!(
                    "its quote of `{id}` is empty or over {QUOTE_BYTES} bytes"
                ));
            }
            let event = trace
                .read(id)
                .map_err(|failure| format!("event `{id}` could not be read: {}", failure.message))?
                .ok_or_else(|| format!("cites event `{id}`, which is not in the trace"))?;
            if !event.text.contains(&evidence.quote) {
                return Err(format!("its quote is not in event `{id}`"));
            }
            Ok(ResolvedCitation {
                event,
                quote: evidence.quote.clone(),
            })
        })
        .collect()
}

/// Candidates that passed so far. The first of two near-duplicates stays.
pub(crate) struct PassedCandidates {
    near: Near,
    ids: Vec<(MemoryType, String)>,
}

impl PassedCandidates {
    pub(crate) fn new() -> Self {
        Self {
            near: Near::new(NEAR_DUPLICATE),
            ids: Vec::new(),
        }
    }

    /// Adds a candidate, or returns the id of the one that says nearly the same.
    pub(crate) fn once(&mut self, kept: AcceptedCandidate) -> Result<AcceptedCandidate, String> {
        let (candidate, memory_type) = (&kept.candidate, kept.memory_type);
        let words = tokens(&format!("{}\n{}", candidate.title, candidate.body));
        let twins = self.near.find(&words);
        let twin = twins.filter(|twin| self.ids[*twin].0 == memory_type).min();
        if let Some(twin) = twin {
            return Err(self.ids[twin].1.clone());
        }
        self.near.add(words);
        self.ids.push((memory_type, candidate.id.clone()));
        Ok(kept)
    }
}

/// Returns the reason to drop a candidate that has a twin.
pub(crate) fn says_the_same(twin: &str) -> String {
    format!("says nearly the same as `{twin}`")
}

const SUMMARY_WORDS: usize = 300;

/// Cleans a summary. It is always kept; forbidden content is removed, and so are citations that do not resolve.
pub(crate) fn tidy_summary(
    mut summary: Summary,
    trace: &mut dyn TraceReader,
    redactor: &Redactor,
) -> (Summary, Vec<ResolvedCitation>) {
    let strict = redactor.strict();
    let clean = |text: &str| -> String {
        let text: String = text
            .chars()
            .filter(|character| !is_hidden(*character))
            .collect();
        strict.redact(&text).text.into_owned()
    };
    summary.title = clean(&summary.title)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    summary.title = characters(&summary.title, TITLE).trim().to_owned();
    if summary.title.is_empty() {
        summary.title = "Session without a title".to_owned();
    }
    summary.tags.iter_mut().for_each(|tag| strict.clean(tag));
    summary.tags.retain(|tag| is_tag(tag));
    summary.tags.truncate(TAGS);
    summary.description = clean(&summary.description)
        .split_whitespace()
        .collect::<Vec<_>>()
        .join(" ");
    summary.body = open_ends::marked(&first_words(&clean(&summary.body), SUMMARY_WORDS), trace);
    let citations = summary
        .evidence
        .iter()
        .filter_map(|evidence| resolve(std::slice::from_ref(evidence), trace).ok())
        .flatten()
        .map(|cited| cleaned_citation(cited, &strict))
        .collect();
    (summary, citations)
}

/// Returns the text up to its n-th word, with line breaks.
fn first_words(text: &str, limit: usize) -> String {
    let mut words = 0;
    let mut inside = false;
    for (index, character) in text.char_indices() {
        if character.is_whitespace() {
            inside = false;
        } else if !inside {
            inside = true;
            words += 1;
            if words > limit {
                return format!("{} …", text[..index].trim_end());
            }
        }
    }
    text.trim().to_owned()
}
