//! Loading memory: results and problems, neither of which hides the other.

use acreta_fs::NoFaults;
use acreta_store::{EvidenceFile, Memory, Snapshot, StateFile, Trust, digest};
use acreta_types::MemoryType;

use crate::support::{Project, decision};

fn load(project: &Project) -> Snapshot {
    project.store(NoFaults::shared()).load().unwrap()
}

fn shown(snapshot: &Snapshot) -> Vec<String> {
    snapshot.problems.iter().map(ToString::to_string).collect()
}

#[test]
fn an_empty_project_has_no_memory_and_gets_no_files() {
    let project = Project::new();
    let snapshot = load(&project);
    assert!(snapshot.memories.is_empty() && snapshot.problems.is_empty());
    assert!(project.image().nodes.is_empty());
}

#[test]
fn memories_come_with_their_sidecars_in_order() {
    let project = Project::new();
    let text = decision("01B", "Second", "Body\n---\nstill body");
    project.put("memory/decisions/20260102-b.md", &text);
    project.put(
        "memory/decisions/20260101-a.md",
        decision("01A", "First", "x"),
    );
    let archived = decision("01C", "Old", "x");
    project.put("memory/archived/decisions/20250101-c.md", &archived);
    project.put(
        "memory/summaries/20260101-101112-s.md",
        "---\nid: 01S\ntitle: What happened\ndescription: d\ndate: 2026-01-01\ntime: 10:11:12\ncoding_agent: claude\n\
         raw_trace_path: meta/traces/x.jsonl\nrun_id: r\nrepo_name: n\ntags: []\nrelated: []\n\
         created: 2026-01-01T10:11:12Z\nupdated: 2026-01-01T10:11:12Z\n---\nBody\n",
    );
    project.put("memory/decisions/.hidden.md", "ignored");
    project.put("memory/decisions/notes.txt", "ignored");
    project.put("meta/evidence/01B.json", EvidenceFile::new("01B").to_json());
    project.put(
        "meta/state/01B.json",
        StateFile::new("01B", digest(&text)).to_json(),
    );
    project.put(
        "meta/state/01C.json",
        StateFile::new("01C", "other").to_json(),
    );

    let snapshot = load(&project);
    assert_eq!(shown(&snapshot), Vec::<String>::new());
    let ids: Vec<_> = snapshot
        .memories
        .iter()
        .map(|memory| memory.id.as_str())
        .collect();
    assert_eq!(ids, ["01A", "01B", "01S", "01C"]);
    let [first, second, summary, old] = &snapshot.memories[..] else {
        panic!("four memories");
    };

    assert_eq!(
        (first.trust(), first.edited(), first.is_protected()),
        (Trust::Untrusted, false, true)
    );
    assert_eq!(
        (second.trust(), second.edited(), second.is_protected()),
        (Trust::Untrusted, false, false)
    );
    assert_eq!(second.evidence, Some(EvidenceFile::new("01B")));
    assert_eq!(second.path, "decisions/20260102-b.md");
    assert_eq!(second.body(), "\nBody\n---\nstill body\n");
    assert_eq!(second.digest, digest(&text));
    assert_eq!(second.front_matter.tags, ["a", "b"]);
    assert_eq!(second.front_matter.confidence, Some(0.8));
    assert_eq!(summary.memory_type, MemoryType::Summary);
    assert_eq!(summary.front_matter.time.as_deref(), Some("10:11:12"));
    assert_eq!(
        (old.trust(), old.edited(), old.is_protected()),
        (Trust::Untrusted, true, true)
    );
    assert!(old.is_archived() && !second.is_archived());
}

#[test]
fn what_is_broken_is_a_problem_and_the_rest_is_read() {
    let project = Project::new();
    let good = decision("01A", "Good", "x");
    project.put("memory/decisions/20260101-good.md", &good);
    project.put(
        "memory/decisions/20260102-twin.md",
        decision("01a", "Twin", "x"),
    );
    project.put("memory/decisions/20260103-nothing.md", "just text\n");
    project.put(
        "memory/decisions/20260104-yaml.md",
        "---\nid: x\ntitle: [\n---\n",
    );
    project.put(
        "memory/decisions/20260105-id.md",
        decision("../../etc/passwd", "Escape", "x"),
    );
    project.put(
        "memory/decisions/20260106-bytes.md",
        b"---\nid: \xff\n---\n",
    );
    project.put(
        "memory/decisions/20260107-large.md",
        vec![b'x'; 1024 * 1024 + 1],
    );
    project.put(
        "memory/decisions/deeper/20260101-x.md",
        decision("01D", "Deep", "x"),
    );
    project.put(
        "memory/learnings/20260101-kind.md",
        "---\nid: 01K\ntitle: Kind\nkind: poem\nconfidence: 2\ncreated: yesterday\nsource: s\n---\n",
    );
    project.put("meta/state/01A.json", "{\n  \"id\": ");
    project.put("meta/evidence/01A.json", EvidenceFile::new("01Z").to_json());

    let snapshot = load(&project);
    let ids: Vec<_> = snapshot
        .memories
        .iter()
        .map(|memory| memory.id.as_str())
        .collect();
    assert_eq!(ids, ["01A", "01K"]);
    assert_eq!(snapshot.memories[0].state, None);
    assert_eq!(snapshot.memories[0].trust(), Trust::Untrusted);
    assert!(
        snapshot.memories[0].is_protected(),
        "a broken state must not open a memory to runs"
    );
    let expected = [
        "meta/evidence/01A.json: has an id that does not match its file name",
        "meta/state/01A.json:2:8: EOF while parsing a value",
        "memory/decisions/20260102-twin.md: has the same id as `memory/decisions/20260101-good.md`, which is used instead",
        "memory/decisions/20260103-nothing.md:1:1: file does not start with a line `---`",
        "memory/decisions/20260104-yaml.md:3:8: ",
        "memory/decisions/20260105-id.md:1:1: id `../../etc/passwd` is not a plain name",
        "memory/decisions/20260106-bytes.md: is not valid UTF-8",
        "memory/decisions/20260107-large.md: is larger than 1048576 bytes",
        "memory/decisions/deeper: is a directory; memory files must be directly in `decisions`",
        "memory/learnings/20260101-kind.md:1:1: front matter has no `updated`",
        "memory/learnings/20260101-kind.md:1:1: `created` is not a time in UTC like 2026-01-31T12:00:00Z",
        "memory/learnings/20260101-kind.md:1:1: `confidence` is not between 0 and 1",
        "memory/learnings/20260101-kind.md:1:1: `poem` is not a kind of learning",
    ];
    let shown = shown(&snapshot);
    assert_eq!(shown.len(), expected.len(), "{shown:#?}");
    for (shown, expected) in shown.iter().zip(expected) {
        assert!(shown.starts_with(expected), "{shown}\n{expected}");
    }
}

#[cfg(unix)]
#[test]
fn links_are_problems_and_not_followed() {
    use acreta_store::{Layout, Store};
    use std::os::unix::fs::symlink;
    let project = Project::new();
    project.put("secret.md", decision("01S", "Secret", "x"));
    project.put("memory/decisions/20260101-a.md", decision("01A", "A", "x"));
    symlink(
        project.base().join("secret.md"),
        project.base().join("memory/decisions/20260102-link.md"),
    )
    .unwrap();
    symlink(project.base(), project.base().join("memory/learnings")).unwrap();
    let snapshot = load(&project);
    assert_eq!(snapshot.memories.len(), 1);
    assert_eq!(
        shown(&snapshot),
        [
            "memory/decisions/20260102-link.md: is a symbolic link, not a regular file",
            "memory/learnings: is skipped: it is a symbolic link"
        ]
    );

    // A cloned repository whose `.acreta` is a link does not choose where memory is read and written.
    let clone = Project::new();
    symlink(project.base(), clone.base()).unwrap();
    let refused = Store::open(Layout::for_project(&clone.root), NoFaults::shared());
    assert!(refused.unwrap_err().to_string().contains("symbolic link"));
}

/// Twice the files must not take much more than twice the work, and every file is loaded.
#[test]
fn many_files_are_read_in_one_go() {
    let project = Project::new();
    for number in 0..3_000 {
        project.put(
            &format!("memory/decisions/20260101-{number}.md"),
            decision(&format!("id{number}"), "Title", "Body"),
        );
    }
    let snapshot = load(&project);
    assert_eq!(snapshot.memories.len(), 3_000);
    assert!(snapshot.problems.is_empty());
}

#[test]
fn a_text_alone_makes_a_memory() {
    let memory = Memory::parse(
        MemoryType::Decision,
        "decisions/x.md".into(),
        decision("01A", "T", "b"),
    )
    .unwrap();
    assert_eq!(memory.title(), "T");
    assert_eq!(memory.kind(), "");
    assert_eq!(memory.body(), "\nb\n");
}
