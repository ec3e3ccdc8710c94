//! Settings stored elsewhere.

use acreta_agent_setup::{Agent, Problem, undo};

use crate::support::{Home, Node, Unsynced};

#[test]
fn a_linked_file_is_edited_where_it_lies() {
    let home = Home::with(&[("dotfiles/claude.json", "{}\n")]);
    home.link(".claude.json", "dotfiles/claude.json");
    let receipt = home.connect(&[Agent::Claude]);
    assert!(home.read("dotfiles/claude.json").contains("acreta"));
    let snapshot = home.snapshot();
    let link = Node::Link(home.path("dotfiles/claude.json"));
    assert_eq!(snapshot[&home.path(".claude.json")], link);
    undo(&receipt, Unsynced::shared());
    assert_eq!(home.read("dotfiles/claude.json"), "{}\n");
}

#[test]
fn a_linked_folder_is_written_into() {
    let home = Home::with(&[("dotfiles/cursor/mcp.json", "{}")]);
    home.link(".cursor", "dotfiles/cursor");
    let start = home.snapshot();
    let receipt = home.connect(&[Agent::Cursor]);
    assert!(
        home.read("dotfiles/cursor/hooks.json")
            .contains("session-start")
    );
    assert!(undo(&receipt, Unsynced::shared()).is_complete());
    assert_eq!(home.snapshot(), start);
}

#[test]
fn two_paths_to_one_file_are_one_change() {
    let home = Home::with(&[(".claude/skills/mine/SKILL.md", "")]);
    home.link(".agents/skills", ".claude/skills");
    let start = home.snapshot();
    let plan = home.plan(&[Agent::Claude, Agent::Codex]);
    let skills: Vec<_> = plan
        .changes
        .iter()
        .filter(|change| change.target.ends_with("acreta/SKILL.md"))
        .collect();
    assert_eq!(skills.len(), 1);
    assert_eq!(skills[0].agents, [Agent::Claude, Agent::Codex]);
    let receipt = home.connect(&[Agent::Claude, Agent::Codex]);
    assert!(home.plan(&[Agent::Claude, Agent::Codex]).is_empty());
    assert!(undo(&receipt, Unsynced::shared()).is_complete());
    assert_eq!(home.snapshot(), start);
}

#[test]
fn a_link_that_leads_nowhere_is_told() {
    let home = Home::new();
    home.link(".gemini/settings.json", "gone");
    let plan = home.plan(&[Agent::Gemini]);
    assert!(matches!(plan.problems[..], [Problem::DeadLink { .. }]));
    assert!(
        plan.changes
            .iter()
            .all(|change| !change.path.as_str().contains(".gemini"))
    );
}

#[test]
fn a_folder_in_the_place_of_settings_is_told() {
    let home = Home::with(&[(".gemini/settings.json/x", "")]);
    let plan = home.plan(&[Agent::Gemini]);
    assert!(
        matches!(plan.problems[..], [Problem::Disk(_)]),
        "{:?}",
        plan.problems
    );
}
