//! The on-disk format of sidecars: it is stable, so it is spelled out here.

use acreta_store::{
    ContributedCandidate, Contribution, EvidenceFile, Proposal, ProposalOperation, QuotedEvent,
    StateFile, Status, Trust,
};
use acreta_types::MemoryType;

const EVIDENCE: &str = r#"{
"id": "01A",
"contributions": [
{"agent":"claude","session_id":"s1","run_id":"run-1","events":12,"last_ms":null,"newest_ms":1700000000000,"created_ms":1600000000000,"candidate":{"type":"learning","kind":"pitfall","title":"Title","body":"Body","confidence":0.7,"tags":["a"]},"evidence":[{"event_id":"e1","record":"r1","start":0,"end":9,"role":"user","at_ms":1700000000000,"quote":"so „quoted“"}]}
]
}
"#;

const STATE: &str = r#"{
"id": "01A",
"status": "superseded",
"supersedes": ["01B"],
"superseded_by": "01C",
"stale": true,
"last_verified": "2026-01-02T03:04:05Z",
"written": "abc",
"proposals": [{"run_id":"run-2","operation":"update","title":"T","body":"B","kind":"","tags":[],"confidence":0.5,"reason":"edited by a person"}]
}
"#;

#[test]
fn evidence_reads_and_writes_as_promised() {
    let file = EvidenceFile {
        id: "01A".to_owned(),
        contributions: vec![Contribution {
            agent: "claude".to_owned(),
            session_id: "s1".to_owned(),
            run_id: "run-1".to_owned(),
            events: 12,
            last_ms: None,
            newest_ms: 1_700_000_000_000,
            created_ms: 1_600_000_000_000,
            found_by: Vec::new(),
            reading: None,
            candidate: ContributedCandidate {
                memory_type: MemoryType::Learning,
                kind: "pitfall".to_owned(),
                title: "Title".to_owned(),
                body: "Body".to_owned(),
                confidence: 0.7,
                tags: vec!["a".to_owned()],
            },
            evidence: vec![QuotedEvent {
                event_id: "e1".to_owned(),
                record: "r1".to_owned(),
                start: 0,
                end: 9,
                role: "user".to_owned(),
                at_ms: Some(1_700_000_000_000),
                quote: "so „quoted“".to_owned(),
            }],
        }],
    };
    assert_eq!(String::from_utf8(file.to_json()).unwrap(), EVIDENCE);
    assert_eq!(
        serde_json::from_str::<EvidenceFile>(EVIDENCE).unwrap(),
        file
    );
}

#[test]
fn state_reads_and_writes_as_promised() {
    let file = StateFile {
        status: Status::Superseded,
        supersedes: vec!["01B".to_owned()],
        superseded_by: Some("01C".to_owned()),
        stale: true,
        last_verified: Some("2026-01-02T03:04:05Z".to_owned()),
        proposals: vec![Proposal {
            run_id: "run-2".to_owned(),
            operation: ProposalOperation::Update,
            title: "T".to_owned(),
            body: "B".to_owned(),
            kind: String::new(),
            tags: Vec::new(),
            confidence: 0.5,
            reason: "edited by a person".to_owned(),
        }],
        ..StateFile::new("01A", "abc")
    };
    assert_eq!(String::from_utf8(file.to_json()).unwrap(), STATE);
    assert_eq!(serde_json::from_str::<StateFile>(STATE).unwrap(), file);
    // Trust that earlier versions stored here, or that somebody wrote here, does not count.
    let old = STATE.replacen('{', "{\n  \"trust\": \"confirmed\",", 1);
    assert_eq!(serde_json::from_str::<StateFile>(&old).unwrap(), file);
}

#[test]
fn names_are_as_in_the_file() {
    for trust in Trust::ALL {
        assert_eq!(serde_json::to_value(trust).unwrap(), trust.name());
    }
    for status in [Status::Active, Status::Archived, Status::Superseded] {
        assert_eq!(serde_json::to_value(status).unwrap(), status.name());
    }
    assert!(Trust::ALL.is_sorted());
}
