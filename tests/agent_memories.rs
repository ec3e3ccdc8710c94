//! Agents' own memories, imported as untrusted notes: on request, and by a sync.

use serde_json::Value;

use crate::support::{Project, fixture};

impl Project {
    /// Puts one of our memory files where an agent stores its own.
    fn agent_memory(&self, from: &str, to: &str) -> std::path::PathBuf {
        let text = std::fs::read(fixture(&format!("memories/{from}"))).unwrap();
        self.write(to, &text)
    }

    /// Returns the folder name that Claude uses for the project.
    fn claude_slug(&self) -> String {
        let root = std::fs::canonicalize(self.root()).unwrap();
        let dash = |letter: char| match letter.is_ascii_alphanumeric() {
            true => letter,
            false => '-',
        };
        root.to_str().unwrap().chars().map(dash).collect()
    }

    fn memories_of_agents(&self) {
        let claude = format!(".claude/projects/{}/memory", self.claude_slug());
        self.agent_memory("claude-MEMORY.md", &format!("{claude}/MEMORY.md"));
        self.agent_memory("claude-ports.md", &format!("{claude}/ports.md"));
        // Another project's memory must not be imported.
        self.agent_memory(
            "claude-ports.md",
            ".claude/projects/-elsewhere/memory/ports.md",
        );
        self.agent_memory("codex-MEMORY.md", ".codex/memories/MEMORY.md");
        self.agent_memory("GEMINI.md", ".gemini/GEMINI.md");
        self.agent_memory("errors.mdc", "project/.cursor/rules/errors.mdc");
    }

    fn all_memories(&self) -> Vec<Value> {
        let listed = self
            .acreta(&["memory", "list", "--json"])
            .succeeded()
            .json();
        listed["memories"].as_array().unwrap().clone()
    }
}

fn titles(memories: &[Value], scope: &str) -> Vec<String> {
    let mut titles: Vec<String> = memories
        .iter()
        .filter(|memory| memory["scope"] == scope)
        .map(|memory| memory["title"].as_str().unwrap().to_owned())
        .collect();
    titles.sort();
    titles
}

#[test]
fn agents_own_memories_become_untrusted_notes() {
    let project = Project::new();
    project.memories_of_agents();
    let before = crate::support::tree(&project.outside().join(".claude"), &[]);
    let imported = project
        .acreta(&["memory", "import", "--from-agents", "--json"])
        .succeeded()
        .json();
    let mut agents: Vec<&str> = (imported["files"].as_array().unwrap().iter())
        .map(|file| file["agent"].as_str().unwrap())
        .collect();
    agents.sort_unstable();
    assert_eq!(
        agents,
        ["claude", "claude", "codex", "cursor", "gemini"],
        "{imported}"
    );

    let memories = project.all_memories();
    for memory in &memories {
        assert_eq!(memory["trust"], "untrusted", "{memory}");
        // Only a person sets a rule.
        assert!(
            !["preference", "convention"].contains(&memory["kind"].as_str().unwrap()),
            "{memory}"
        );
    }
    let own = titles(&memories, "project").join("\n");
    for said in ["staging database", "7410", "errors"] {
        assert!(own.to_lowercase().contains(said), "{said}: {own}");
    }
    let global = titles(&memories, "global").join("\n");
    for said in ["linker", "release branch"] {
        assert!(global.contains(said), "{said}: {global}");
    }
    assert!(!global.contains("typed by a person"), "{global}");

    // Each has its file as evidence.
    let of_claude = memories
        .iter()
        .find(|memory| memory["title"].as_str().unwrap().contains("staging"))
        .unwrap();
    let shown = project
        .acreta(&[
            "memory",
            "show",
            of_claude["id"].as_str().unwrap(),
            "--json",
        ])
        .succeeded()
        .json();
    let session = &shown["evidence"]["contributions"][0]["session_id"];
    assert!(
        session.as_str().unwrap().ends_with("/memory/MEMORY.md"),
        "{session}"
    );
    assert_eq!(
        before,
        crate::support::tree(&project.outside().join(".claude"), &[])
    );

    // A repetition changes nothing, and a brief has none of it.
    project
        .acreta(&["memory", "import", "--from-agents"])
        .succeeded();
    assert_eq!(project.all_memories().len(), memories.len());
}

#[test]
fn a_dry_run_and_a_disconnected_agent_take_nothing_in() {
    let project = Project::new();
    project.memories_of_agents();
    project
        .acreta(&["memory", "import", "--from-agents", "--dry-run"])
        .succeeded();
    assert!(project.all_memories().is_empty());
    project.acreta(&["connect", "remove", "claude"]).succeeded();
    let imported = project
        .acreta(&["memory", "import", "--from-agents", "--json"])
        .succeeded()
        .json();
    let files = imported["files"].as_array().unwrap();
    assert!(
        files.iter().all(|file| file["agent"] != "claude"),
        "{imported}"
    );
    assert_eq!(files.len(), 3, "{imported}");
}

#[test]
fn a_sync_follows_them_when_it_is_asked_to() {
    let mut project = Project::new();
    project.memories_of_agents();
    project.acreta(&["project", "add"]).succeeded();
    let report = project.acreta(&["sync", "--json"]).succeeded().json();
    assert!(report.get("agent_memories").is_none(), "{report}");
    assert!(project.all_memories().is_empty());

    project.configure("[sync]\nagent_memories = true");
    let report = project.acreta(&["sync", "--json"]).succeeded().json();
    assert_eq!(report["agent_memories"], 5, "{report}");
    let taken = project.all_memories().len();
    assert!(taken >= 5, "{taken}");

    // An unchanged file is not read again; a changed one replaces its earlier notes.
    let report = project.acreta(&["sync", "--json"]).succeeded().json();
    assert_eq!(report["agent_memories"], 0, "{report}");
    project.write(
        ".codex/memories/MEMORY.md",
        b"# Toolchain\n\n- The profiler needs a kernel with frame pointers.\n",
    );
    let report = project.acreta(&["sync", "--json"]).succeeded().json();
    assert_eq!(report["agent_memories"], 1, "{report}");
    let global = titles(&project.all_memories(), "global").join("\n");
    assert!(
        global.contains("profiler") && !global.contains("linker"),
        "{global}"
    );
}
