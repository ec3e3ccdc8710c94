//! The final verification: a model sees each finding with its quotes, the turns around them and the person's later
//! words on the same subject, and decides which stay and their wording. A finding that it does not name is dropped. If
//! no model is available, only findings that were certain from the start stay.

use std::collections::BTreeSet;

use crate::Failure;
use crate::batch::{NOTHING_LEFT, Reserve, UNUSABLE, affordable, ask};
use crate::findings::Finding;
use crate::reply::{RetainedMemory, Verdicts, verdicts};
use crate::request::{self, worst_case};
use crate::script::Script;
use crate::shorten::{one_line, plain};
use crate::study::{Study, sure};
use crate::transcript::{TranscriptLine, Voice};
use crate::wording::fit_text;

/// Result of the verification.
#[derive(Debug, Default)]
pub(crate) struct Verified {
    pub(crate) kept: Vec<Finding>,
    /// Reason why some findings were not verified.
    pub(crate) trouble: Option<String>,
}

/// Verifies all findings. Fails only if the trace cannot be read.
pub(crate) fn verify(study: &Study<'_>, script: &Script) -> Result<Verified, Failure> {
    let findings = &study.findings.list;
    let batches = batches(study, script);
    let requests: Vec<_> = batches
        .iter()
        .map(|batch| request::verify(study.settings, &study.types, &batch.text))
        .collect();
    let priority: Vec<usize> = (0..requests.len()).collect();
    let costs: Vec<u64> = requests.iter().map(worst_case).collect();
    let left = study.ports.models.left();
    let chosen = affordable(left, &costs, &priority, Reserve::default());
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
        let own = &findings[batch.first..batch.end];
        match outcome {
            Ok(verdicts) => keep(&mut verified.kept, study, own, batch.first, verdicts),
            Err(reason) => {
                let surest = own.iter().filter(|one| one.confidence >= SURE_UNSEEN);
                verified.kept.extend(surest.cloned());
                verified.trouble.get_or_insert(reason);
            }
        }
    }
    verified.kept.sort_by_key(|one| (one.span(), one.id));
    Ok(verified)
}

/// Minimum confidence at which an unverified finding stays.
const SURE_UNSEEN: f32 = 0.85;

/// Findings `first..end`, rendered. A finding's number is its index plus one.
struct Batch {
    first: usize,
    end: usize,
    text: String,
}

fn batches(study: &Study<'_>, script: &Script) -> Vec<Batch> {
    let limit = study.settings.window_bytes();
    let mut batches: Vec<Batch> = Vec::new();
    for (index, finding) in study.findings.list.iter().enumerate() {
        let text = rendered(study, index + 1, finding, script);
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
    batches
}

/// Maximum number of findings in one reply.
const MOST_ITEMS: usize = 24;

fn rendered(study: &Study<'_>, number: usize, finding: &Finding, script: &Script) -> String {
    let mut text = format!(
        "#{number} {}, confidence {:.2}\n    title: {}\n    body: {}\n",
        finding.label(),
        finding.confidence,
        finding.title,
        finding.body
    );
    let mut subject = format!("{} {}", finding.title, finding.body);
    let mut cited = BTreeSet::new();
    for (number, one) in &finding.evidence {
        // The speaker determines the value of evidence.
        let voice = study
            .shown
            .get(number)
            .map_or(Voice::Gap, |line| line.voice);
        let quote = plain(&one.quote);
        text.push_str(&format!("    quote [{number} {}]: {quote}\n", voice.name()));
        subject.push(' ');
        subject.push_str(&quote);
        cited.insert(*number);
    }
    for number in &cited {
        if let Some(passage) = passage(study, finding, *number) {
            text.push_str(&format!("    in line {number}: {passage}\n"));
        }
    }
    let around = around(study, &cited);
    for line in &around {
        let words = one_line(line.body(), AROUND_WORDS);
        let voice = line.voice.name();
        text.push_str(&format!("    around [{} {voice}]: {words}\n", line.number));
    }
    let shown: BTreeSet<u64> = around.iter().map(|line| line.number).collect();
    for prompt in script.said_later(finding.span().1, &subject) {
        if !shown.contains(&prompt.number) {
            text.push_str(&format!(
                "    person later [{}]: {}\n",
                prompt.number, prompt.words
            ));
        }
    }
    text.push('\n');
    text
}

/// Returns the text of a line around its quotes; `None` if it adds nothing to them.
fn passage(study: &Study<'_>, finding: &Finding, number: u64) -> Option<String> {
    let body = plain(study.shown.get(&number)?.body());
    let quotes = finding
        .evidence
        .iter()
        .filter(|(cited, _)| *cited == number);
    let quotes: Vec<String> = quotes.map(|(_, one)| plain(&one.quote)).collect();
    let starts = quotes.iter().filter_map(|quote| body.find(quote.as_str()));
    let ends = quotes
        .iter()
        .filter_map(|quote| Some(body.find(quote.as_str())? + quote.len()));
    let (start, end) = (starts.min()?, ends.max()?);
    if body.len() <= end - start + LITTLE_MORE {
        return None;
    }
    let start = body.floor_char_boundary(start.saturating_sub(PASSAGE_BEFORE));
    let end = body.ceil_char_boundary((end + PASSAGE_AFTER).min(body.len()));
    let opening = if start > 0 { "…" } else { "" };
    let shown = acreta_text::head(&body[start..end], LONGEST_PASSAGE);
    let closing = if start + shown.len() < body.len() {
        "…"
    } else {
        ""
    };
    Some(format!("{opening}{shown}{closing}"))
}

const LITTLE_MORE: usize = 30;
const PASSAGE_BEFORE: usize = 160;
const PASSAGE_AFTER: usize = 260;
const LONGEST_PASSAGE: usize = 760;

/// Returns the lines right before and after the evidence, and the person's next message after it.
fn around<'a>(study: &'a Study<'_>, cited: &BTreeSet<u64>) -> Vec<&'a TranscriptLine> {
    let is_said = |line: &TranscriptLine| {
        line.voice.is_person() || matches!(line.voice, Voice::Agent | Voice::Error | Voice::Note)
    };
    let mut numbers: BTreeSet<u64> = BTreeSet::new();
    for number in cited {
        let mut before = study.shown.range(..number).rev();
        numbers.extend(
            before
                .find(|(_, line)| is_said(line))
                .map(|(number, _)| *number),
        );
        let mut after = study.shown.range(number + 1..);
        numbers.extend(
            after
                .find(|(_, line)| is_said(line))
                .map(|(number, _)| *number),
        );
    }
    if let Some(last) = cited.last() {
        let mut after = study.shown.range(last + 1..);
        let next = after.find(|(_, line)| line.voice.is_person());
        numbers.extend(next.map(|(number, _)| *number));
    }
    let lines = numbers.difference(cited);
    let lines = lines.filter_map(|number| study.shown.get(number));
    lines.take(MOST_AROUND).collect()
}

const MOST_AROUND: usize = 7;
const AROUND_WORDS: usize = 220;

/// Applies the verdicts on `findings`, whose numbers begin after `before`.
fn keep(
    kept: &mut Vec<Finding>,
    study: &Study<'_>,
    findings: &[Finding],
    before: usize,
    verdicts: Verdicts,
) {
    let mut is_free = vec![true; findings.len()];
    let place = |number: usize| {
        number
            .checked_sub(before + 1)
            .filter(|at| *at < findings.len())
    };
    // A finding named as dropped is dropped, wherever else it is named.
    for (number, reason) in verdicts.dropped {
        if let Some(at) = place(number)
            && std::mem::take(&mut is_free[at])
        {
            study
                .ports
                .info(&format!("dropped: {} ({reason})", findings[at].title));
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
        let mut finding = findings[*first].clone();
        for other in others {
            finding.cite(findings[*other].evidence.clone());
        }
        rewrite(&mut finding, &memory, study);
        kept.push(finding);
    }
}

/// Applies the model's text as far as it is usable.
fn rewrite(finding: &mut Finding, memory: &RetainedMemory, study: &Study<'_>) {
    if let Some((title, body)) = fit_text(&memory.title, &memory.body) {
        finding.title = title;
        finding.body = body;
    }
    if let Some(kind) = study.types.fit(memory.category.trim(), memory.kind.trim()) {
        memory.category.trim().clone_into(&mut finding.category);
        kind.clone_into(&mut finding.kind);
    }
    finding.confidence = sure(memory.confidence);
}
