//! The table in `docs/agents.md` is the one of `docs/agents.json`. `ACRETA_UPDATE=1` writes it.

use std::path::{Path, PathBuf};

use acreta_agent_e2e::report::{self, AgentRow, Verdict};

fn document(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../docs")
        .join(name)
}

#[test]
fn the_table_is_the_last_run_of_each_agent() {
    let path = document("agents.md");
    let rows = std::fs::read_to_string(document("agents.json")).unwrap();
    let rows: Vec<AgentRow> = serde_json::from_str(&rows).unwrap();
    for row in &rows {
        for check in row.verdicts.keys() {
            assert!(report::CHECKS.contains(&&**check), "{}: {check}", row.agent);
        }
    }
    let text = std::fs::read_to_string(&path).unwrap();
    let expected = report::with_table(&text, &rows).unwrap();
    if std::env::var_os("ACRETA_UPDATE").is_some() {
        #[expect(clippy::disallowed_methods, reason = "a document of this repository")]
        std::fs::write(&path, expected).unwrap();
        return;
    }
    assert!(
        text == expected,
        "docs/agents.md is not what docs/agents.json says: run this test with ACRETA_UPDATE=1"
    );
}

#[test]
fn a_run_of_one_agent_changes_its_row_alone() {
    let row = |agent: &str, version: &str, skipped: Option<&str>| AgentRow {
        agent: agent.to_owned(),
        version: version.to_owned(),
        skipped: skipped.map(ToOwned::to_owned),
        verdicts: [
            ("turn".to_owned(), Verdict::Held),
            ("brief".to_owned(), Verdict::Failed("not there".to_owned())),
            ("edit".to_owned(), Verdict::NotOffered),
        ]
        .into(),
        ..AgentRow::default()
    };
    let mut rows = vec![row("a", "1", None), row("b", "1", None)];
    let skipped = row("b", "3", Some("not installed"));
    report::merge(
        &mut rows,
        &[row("a", "2", None), skipped, row("c", "1", None)],
    );
    let expected = [
        row("a", "2", None),
        row("b", "1", None),
        row("c", "1", None),
    ];
    assert_eq!(rows, expected);
    let text = report::json(&rows).unwrap();
    assert_eq!(serde_json::from_str::<Vec<AgentRow>>(&text).unwrap(), rows);

    let table = report::table(&rows[..1]);
    let cells: Vec<&str> = table.lines().nth(2).unwrap().split('|').collect();
    assert_eq!(cells[1..5], [" a ", " 2 ", "  ", " yes "]);
    // Not run, failed, not offered.
    assert_eq!((cells[5], cells[14], cells[17]), ("  ", " no ", " – "));
    assert!(table.ends_with("\n- a, `brief`: not there\n"), "{table}");
    assert_eq!(report::with_table("no place", &rows), None);
}
