//! Writes the gates' verdicts on a run's candidates as JUnit XML: a case for each gate, which fails with every
//! candidate that it stopped.

use acreta_service::learn::candidates::CandidateVerdict;
use acreta_service::learn::one_file::{GATES, RunReport};
use acreta_service::{Failure, is_hidden, write_text};
use camino::Utf8Path;

/// Writes the cases of a run.
pub(crate) fn write(
    file: &Utf8Path,
    report: &RunReport,
    dropped: &[CandidateVerdict],
) -> Result<(), Failure> {
    write_text(file, &xml(&report.run_id, dropped))
}

fn xml(run_id: &str, dropped: &[CandidateVerdict]) -> String {
    let of_gate = |gate: &str| -> Vec<&CandidateVerdict> {
        dropped.iter().filter(|one| one.gate == gate).collect()
    };
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

/// Escapes markup and hidden characters for XML.
fn escaped(text: &str) -> String {
    let mut safe = String::new();
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\n' | '\t' => safe.push(character),
            hidden if hidden.is_control() || is_hidden(hidden) => {
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
            CandidateVerdict {
                gate: "secret".to_owned(),
                title: "a < b & \"c\"".to_owned(),
                reason: "contains ]]> \u{1b}".to_owned(),
                ..CandidateVerdict::default()
            },
            CandidateVerdict {
                gate: "secret".to_owned(),
                title: "other".to_owned(),
                reason: "too".to_owned(),
                ..CandidateVerdict::default()
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
