//! What the gates said about the candidates of a run, as JUnit XML: a case for each gate, which fails with
//! every candidate that it did not let through.

use acreta_fs::{Directory, NoFaults};
use acreta_lead::{GATES, RunReport};
use acreta_service::Failure;
use camino::Utf8Path;
use serde_json::Value;

/// Largest artifact that is read.
const ARTIFACT_BYTES: u64 = 64 * 1024 * 1024;

/// A candidate that did not pass.
pub(crate) struct Dropped {
    gate: String,
    title: String,
    reason: String,
}

/// The candidates of a run that a gate refused. What only waits to be said again was not refused.
pub(crate) fn dropped(report: &RunReport) -> Result<Vec<Dropped>, Failure> {
    let folder = Directory::open(&report.run_folder, NoFaults::shared())?;
    let text = folder.read("extract.json", ARTIFACT_BYTES)?;
    let extract: Value = serde_json::from_slice(&text).unwrap_or_default();
    let candidates = extract["candidates"].as_array().into_iter().flatten();
    let text =
        |candidate: &Value, name: &str| candidate[name].as_str().unwrap_or_default().to_owned();
    Ok(candidates
        .filter(|candidate| candidate["kept"] == false && candidate["gate"] != "pending")
        .map(|candidate| Dropped {
            gate: text(candidate, "gate"),
            title: text(candidate, "title"),
            reason: text(candidate, "reason"),
        })
        .collect())
}

/// Writes the cases of a run.
pub(crate) fn write(
    file: &Utf8Path,
    report: &RunReport,
    dropped: &[Dropped],
) -> Result<(), Failure> {
    let parent = file.parent().filter(|parent| !parent.as_str().is_empty());
    let folder =
        Directory::open_or_create(parent.unwrap_or(Utf8Path::new(".")), NoFaults::shared())?;
    let text = xml(&report.run_id, dropped);
    folder.replace(file.file_name().unwrap_or_default(), text.as_bytes())?;
    Ok(())
}

fn xml(run_id: &str, dropped: &[Dropped]) -> String {
    let of_gate =
        |gate: &str| -> Vec<&Dropped> { dropped.iter().filter(|one| one.gate == gate).collect() };
    let failures = GATES
        .iter()
        .filter(|gate| !of_gate(gate).is_empty())
        .count();
    let mut text = format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <testsuite name=\"acreta\" tests=\"{}\" failures=\"{failures}\" errors=\"0\" skipped=\"0\">\n",
        GATES.len()
    );
    for gate in GATES {
        let stopped = of_gate(gate);
        let head = format!(
            "  <testcase classname=\"{}\" name=\"{gate}\"",
            escaped(run_id)
        );
        if stopped.is_empty() {
            text.push_str(&format!("{head}/>\n"));
            continue;
        }
        let lines: Vec<String> = stopped
            .iter()
            .map(|one| format!("{}: {}", one.title, one.reason))
            .collect();
        text.push_str(&format!(
            "{head}>\n    <failure message=\"{} dropped\">{}</failure>\n  </testcase>\n",
            stopped.len(),
            escaped(&lines.join("\n"))
        ));
    }
    text.push_str("</testsuite>\n");
    text
}

/// What XML may hold: no markup, and nothing that it has no place for.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(character),
            hidden if hidden.is_control() || acreta_text::is_hidden(hidden) => {
                safe.push_str(&format!("\\u{{{:x}}}", u32::from(hidden)));
            }
            other => safe.push(other),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_for_each_gate_and_nothing_that_breaks_out() {
        let dropped = [
            Dropped {
                gate: "secret".to_owned(),
                title: "a < b & \"c\"".to_owned(),
                reason: "contains ]]> \u{1b}".to_owned(),
            },
            Dropped {
                gate: "secret".to_owned(),
                title: "other".to_owned(),
                reason: "too".to_owned(),
            },
        ];
        let text = xml("sync-1", &dropped);
        assert!(text.contains("tests=\"7\" failures=\"1\""), "{text}");
        assert!(
            text.contains("<testcase classname=\"sync-1\" name=\"form\"/>"),
            "{text}"
        );
        assert!(text.contains("2 dropped"), "{text}");
        assert!(
            text.contains("a &lt; b &amp; &quot;c&quot;: contains ]]&gt; \\u{1b}"),
            "{text}"
        );
    }
}
