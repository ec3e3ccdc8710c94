//! Prints what context answers saved and how long they took: one figure per line.

use acreta_service::codebase::pilot::PilotReport;
use acreta_service::codebase::{Gain, Latency};

use crate::output::{count, line};

pub(super) fn print_gain(gain: &Gain) {
    figure(
        "answers",
        &format!("{} ({} hits)", gain.served, gain.hits),
        "",
    );
    figure("served", &format!("{} tokens", gain.served_tokens), "");
    figure(
        "stands for",
        &format!("{} tokens of files", gain.file_tokens),
        "",
    );
    figure("saved", &percent(gain.reduction), "");
    figure("hit ratio", &percent(gain.hit_ratio), "");
    latency("hit", gain.hit_ms, "");
    latency("delta", gain.delta_ms, "");
    figure("changed files", &percent(gain.changed_ratio), "");
}

pub(super) fn print_pilot(report: &PilotReport) {
    let (pilot, goals) = (&report.pilot, &report.goals);
    let source = match pilot.edits_from_history {
        true => "files change as in the newest commits",
        false => "every hundredth file changes",
    };
    line(&format!(
        "{}  {}, {}, {} after changes ({source})",
        pilot.project_root,
        count(pilot.files, "file", "files"),
        count(pilot.questions, "question", "questions"),
        pilot.edits,
    ));
    figure(
        "without acreta",
        &format!("{} tokens of files", pilot.baseline_tokens),
        "",
    );
    figure(
        "with acreta",
        &format!("{} tokens of answers", pilot.served_tokens),
        "",
    );
    let least = |share: f64| format!("goal: at least {}", percent(share));
    let most = |ms: f64| format!("goal: p95 at most {ms:.0} ms");
    figure(
        "saved",
        &percent(pilot.token_reduction),
        &least(goals.token_reduction),
    );
    figure(
        "hit ratio",
        &percent(pilot.hit_ratio),
        &least(goals.hit_ratio),
    );
    latency("hit", pilot.hit_ms, &most(goals.hit_ms));
    latency("delta", pilot.delta_ms, &most(goals.delta_ms));
    figure("changed files", &percent(pilot.changed_ratio), "");
    latency("reading files", pilot.baseline_ms, "");
    figure("first answer", &format!("{:.1} ms", pilot.build_ms), "");
    line(match report.reached {
        true => "all goals are reached",
        false => "not all goals are reached",
    });
}

fn figure(name: &str, value: &str, goal: &str) {
    line(format!("{name:<14} {value:<28} {goal}").trim_end());
}

fn latency(name: &str, measured: Option<Latency>, goal: &str) {
    match measured {
        Some(it) => figure(
            name,
            &format!("p50 {:.1} ms, p95 {:.1} ms", it.p50, it.p95),
            goal,
        ),
        None => figure(name, "not measured", goal),
    }
}

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    // A small share must not be shown as zero.
    let digits = if percent != 0.0 && percent.abs() < 0.1 {
        4
    } else {
        1
    };
    format!("{percent:.digits$} %")
}
