//! Labelled sessions: the figures of the scorer, the contribution of each kind of evidence, and the figures for
//! repositories that no threshold was fitted to.

use std::collections::BTreeSet;
use std::path::Path;

use crate::Outcome;
use crate::extract::ExtractArguments;
use crate::extract::driver::{Driver, ExtractFigures, SessionResult};
use acreta_bench::scoring::{
    Extracted, Interval, Label, Rule, SessionScore, Totals, as_extracted, intervals, score, totals,
};

/// Kinds of evidence, as the rules extractor names them in its setting `without`.
const EVIDENCE: &[&str] = &["standing", "choice", "answer", "cure"];

/// A labelled session and its results.
struct LabelledSession {
    name: String,
    label: Label,
    taken: Option<SessionResult>,
}

pub(crate) fn bench(asked: &ExtractArguments, labels: &Path, sessions: &Path) -> Outcome<()> {
    let labels = read_labels(labels)?;
    let rows = extract(asked, &asked.config, &labels, sessions)?;
    let scores = scores(&rows, None, Rule::Terms);
    print_sessions(&scores, asked.verbose);
    let plain = totals(&scores);
    print_totals(&plain);
    let strict = self::scores(&rows, None, Rule::Evidence);
    let ranges = intervals(&scores, asked.seed.unwrap_or(1));
    let strict_ranges = intervals(&strict, asked.seed.unwrap_or(1));
    let strict = totals(&strict);
    println!(
        "       strict (the evidence is in the label's event): weighted recall {}   precision {}   F1 {}",
        shown(strict.weighted_recall),
        shown(strict.precision),
        shown(strict.f1)
    );
    println!(
        "       95 % of resampled sessions: precision {}   weighted recall {}   F1 {}   strict F1 {}",
        range(ranges.precision),
        range(ranges.weighted_recall),
        range(ranges.f1),
        range(strict_ranges.f1)
    );
    let asked_models = rows.iter().filter_map(|row| row.taken.as_ref());
    let asked_models = asked_models.fold(ExtractFigures::default(), |mut all, taken| {
        all.calls += taken.figures.calls;
        all.input_tokens += taken.figures.input_tokens;
        all.output_tokens += taken.figures.output_tokens;
        all.failed += taken.figures.failed;
        all
    });
    println!(
        "       models: {} calls, {} tokens in, {} out, {} requests without a reply",
        asked_models.calls,
        asked_models.input_tokens,
        asked_models.output_tokens,
        asked_models.failed
    );
    let figures = rows.iter().filter_map(|row| row.taken.as_ref());
    let speed = speed(figures.map(|taken| taken.figures));
    println!(
        "\nthe extractor alone: {:.1} MB of session files a second, {:.1} MB of memory at most",
        speed.0, speed.1
    );
    let others = other_repositories(&rows);
    println!(
        "threshold fitted on the other repositories: precision {}  weighted recall {}  F1 {}",
        shown(others.precision),
        shown(others.weighted_recall),
        shown(others.f1)
    );
    if asked.ablate {
        ablation(asked, &labels, sessions, &plain)?;
    }
    let mut printed = serde_json::to_value(&plain)?;
    if let Some(printed) = printed.as_object_mut() {
        let strict = serde_json::json!({
            "weighted_recall": strict.weighted_recall,
            "precision": strict.precision,
            "f1": strict.f1,
            "intervals": strict_ranges,
        });
        printed.insert("strict".to_owned(), strict);
        printed.insert("intervals".to_owned(), serde_json::to_value(&ranges)?);
        printed.insert("calls".to_owned(), asked_models.calls.into());
        printed.insert("input_tokens".to_owned(), asked_models.input_tokens.into());
        printed.insert(
            "output_tokens".to_owned(),
            asked_models.output_tokens.into(),
        );
        printed.insert("unanswered".to_owned(), asked_models.failed.into());
    }
    println!("{printed}");
    Ok(())
}

/// Compares two labellings of the same sessions.
pub(crate) fn agreement(left: &Path, right: &Path) -> Outcome<()> {
    let (left, right) = (read_labels(left)?, read_labels(right)?);
    let mut figures = serde_json::Map::new();
    for (name, gold, other) in [
        ("second_against_first", &left, &right),
        ("first_against_second", &right, &left),
    ] {
        for (rule, suffix) in [(Rule::Terms, ""), (Rule::Evidence, "_strict")] {
            let scores: Vec<(String, SessionScore)> = gold
                .iter()
                .map(|(session, label)| {
                    let other = other.iter().find(|(known, _)| known == session);
                    let extracted = other.map(|(_, label)| as_extracted(label));
                    (session.clone(), score(label, extracted.as_ref(), rule))
                })
                .collect();
            let totals = totals(&scores);
            println!(
                "{:<28} precision {}  weighted recall {}  F1 {}  negatives kept clean {}",
                format!("{name}{suffix}"),
                shown(totals.precision),
                shown(totals.weighted_recall),
                shown(totals.f1),
                shown(totals.clean_negatives)
            );
            figures.insert(format!("{name}{suffix}"), serde_json::json!(totals.f1));
        }
    }
    let same_verdict = left.iter().filter(|(session, label)| {
        let other = right.iter().find(|(known, _)| known == session);
        other.is_some_and(|(_, other)| other.verdict == label.verdict)
    });
    let same_verdict = same_verdict.count();
    println!(
        "{same_verdict} of {} sessions have the same verdict",
        left.len()
    );
    figures.insert("same_verdict".to_owned(), same_verdict.into());
    figures.insert("sessions".to_owned(), left.len().into());
    println!("{}", serde_json::Value::Object(figures));
    Ok(())
}

fn range(interval: Option<Interval>) -> String {
    interval.map_or_else(
        || "-".to_owned(),
        |Interval { low, high }| format!("{low:.2}–{high:.2}"),
    )
}

/// Reads labels by name, sorted.
pub(crate) fn read_labels(folder: &Path) -> Outcome<Vec<(String, Label)>> {
    let mut labels = Vec::new();
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        if path
            .extension()
            .is_some_and(|extension| extension == "json")
        {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let label = serde_json::from_slice(&std::fs::read(&path)?)
                .map_err(|error| format!("{}: {error}", path.display()))?;
            labels.push((name.into_owned(), label));
        }
    }
    labels.sort_by(|left, right| left.0.cmp(&right.0));
    Ok(labels)
}

fn extract(
    asked: &ExtractArguments,
    config: &str,
    labels: &[(String, Label)],
    sessions: &Path,
) -> Outcome<Vec<LabelledSession>> {
    let mut driver = Driver::new(&asked.binary, config)?;
    let mut rows = Vec::new();
    for (name, label) in labels {
        let taken = driver.extract(&sessions.join(&label.file), label.session.as_deref());
        if let Err(error) = &taken {
            eprintln!("{name}: {error}");
        }
        rows.push(LabelledSession {
            name: name.clone(),
            label: label.clone(),
            taken: taken.ok(),
        });
    }
    Ok(rows)
}

/// Scores the kept candidates, or all candidates from a confidence on.
fn scores(rows: &[LabelledSession], least: Option<f64>, rule: Rule) -> Vec<(String, SessionScore)> {
    rows.iter()
        .map(|row| {
            let extracted = row.taken.as_ref().map(|taken| at(taken, least));
            (
                row.name.clone(),
                score(&row.label, extracted.as_ref(), rule),
            )
        })
        .collect()
}

fn at(taken: &SessionResult, least: Option<f64>) -> Extracted {
    let mut extracted = taken.kept.clone();
    if let Some(least) = least {
        extracted.candidates.extend(taken.unsure.iter().cloned());
        extracted.candidates.retain(|one| one.confidence >= least);
    }
    extracted
}

/// Scores each repository with the threshold that was best for the others.
fn other_repositories(rows: &[LabelledSession]) -> Totals {
    let repository = |row: &LabelledSession| {
        let parts: Vec<&str> = row.label.file.split('/').collect();
        parts.get(1).unwrap_or(&"").to_string()
    };
    let repositories: BTreeSet<String> = rows.iter().map(repository).collect();
    let mut all = Vec::new();
    for left_out in &repositories {
        let (own, others): (Vec<_>, Vec<_>) = rows
            .iter()
            .enumerate()
            .partition(|(_, row)| repository(row) == *left_out);
        let at_threshold =
            |chosen: &[(usize, &LabelledSession)], least: f64| -> Vec<(String, SessionScore)> {
                let scores = scores(rows, Some(least), Rule::Terms);
                chosen
                    .iter()
                    .map(|(index, _)| scores[*index].clone())
                    .collect()
            };
        let quality = |least: &f64| {
            let totals = totals(&at_threshold(&others, *least));
            totals.f1_incl_negatives.unwrap_or(0.0)
        };
        let best = (8..=18)
            .map(|step| f64::from(step) * 0.05)
            .max_by(|left, right| quality(left).total_cmp(&quality(right)));
        all.extend(at_threshold(&own, best.unwrap_or(0.5)));
    }
    totals(&all)
}

/// Leaves each kind of evidence out in turn.
fn ablation(
    asked: &ExtractArguments,
    labels: &[(String, Label)],
    sessions: &Path,
    plain: &Totals,
) -> Outcome<()> {
    println!("\nwithout            w-rec  prec    F1   change of F1");
    for kind in EVIDENCE {
        let config = format!(
            "{}\n[plugin.extractor-rules.settings]\nwithout = [\"{kind}\"]\n",
            asked.config
        );
        let rows = extract(asked, &config, labels, sessions)?;
        let without = totals(&scores(&rows, None, Rule::Terms));
        let change = without.f1.unwrap_or(0.0) - plain.f1.unwrap_or(0.0);
        println!(
            "{kind:<18} {}  {}  {}   {change:+.3}",
            shown(without.weighted_recall),
            shown(without.precision),
            shown(without.f1)
        );
    }
    Ok(())
}

/// Returns megabytes per second, and the peak memory in megabytes.
fn speed(figures: impl Iterator<Item = ExtractFigures>) -> (f64, f64) {
    let mut all = ExtractFigures::default();
    for one in figures {
        all.bytes += one.bytes;
        all.guest_ms += one.guest_ms;
        all.peak_memory = all.peak_memory.max(one.peak_memory);
    }
    let seconds = (all.guest_ms as f64 / 1000.0).max(0.001);
    (
        all.bytes as f64 / 1e6 / seconds,
        all.peak_memory as f64 / 1e6,
    )
}

fn print_sessions(scores: &[(String, SessionScore)], verbose: bool) {
    println!(
        "{:<30} {:<9} cand right acc wrong dup trap  w-rec  prec    F1  summ",
        "session", "verdict"
    );
    for (name, score) in scores {
        let facts = (score.facts > 0).then(|| score.facts_found as f64 / score.facts as f64);
        println!(
            "{:<30} {:<9} {:>4} {:>5} {:>3} {:>5} {:>3} {:>4}  {}  {}  {}  {}{}",
            name.chars().take(30).collect::<String>(),
            score.verdict,
            score.candidates,
            score.right_gold,
            score.right_acceptable,
            score.wrong,
            score.duplicates,
            score.traps,
            shown(score.recall()),
            shown(score.precision()),
            shown(score.f1()),
            shown(facts),
            if score.missing { "  NO RESULT" } else { "" }
        );
        if verbose {
            if !score.missed.is_empty() {
                println!("      missed: {}", score.missed.join(", "));
            }
            for title in &score.wrong_titles {
                println!("      wrong : {title}");
            }
        }
    }
}

fn print_totals(totals: &Totals) {
    println!(
        "\nTOTAL  weighted recall {}   precision {} (with negatives {})   F1 {}",
        shown(totals.weighted_recall),
        shown(totals.precision),
        shown(totals.precision_incl_negatives),
        shown(totals.f1)
    );
    println!(
        "       type accuracy {}   kind accuracy {}   duplicates {}   trap hits {}   gold found {}/{}",
        shown(totals.type_accuracy),
        shown(totals.kind_accuracy),
        totals.duplicates,
        totals.trap_hits,
        totals.gold_found,
        totals.gold_items
    );
    println!(
        "       junk per negative session {}   negatives kept clean {}   summary facts {}",
        shown(totals.junk_per_negative),
        shown(totals.clean_negatives),
        shown(totals.summary_coverage)
    );
}

fn shown(figure: Option<f64>) -> String {
    figure.map_or_else(|| "   -".to_owned(), |figure| format!("{figure:4.2}"))
}
