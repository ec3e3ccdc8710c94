//! Undo after a person or an agent changed the files.

use acreta_agent_setup::{Agent, Receipt, ReceiptError, Refused, undo};

use crate::support::{Home, Unsynced};

#[test]
fn only_our_entries_come_out_of_settings_that_went_on() {
    // Settings before, an edit of the written file, and the expected rest.
    type Edit = fn(String) -> String;
    let cases: [(Agent, &str, Option<&str>, Edit, &str); 6] = [
        (
            Agent::Claude,
            ".claude.json",
            Some("{\n  \"starts\": 1\n}\n"),
            |text| text.replace("\"starts\": 1", "\"starts\": 2"),
            "{\n  \"starts\": 2\n}\n",
        ),
        (
            Agent::Claude,
            ".claude/settings.json",
            None,
            |text| text.replacen('{', "{\n  \"theme\": \"dark\", // mine", 1),
            "{\n  \"theme\": \"dark\" // mine\n}\n",
        ),
        (
            Agent::Cursor,
            ".cursor/mcp.json",
            Some("{\n  \"mcpServers\": {\n    // none yet\n  }\n}\n"),
            |text| text.replace("// none yet", "\"a\": {}, // one"),
            "{\n  \"mcpServers\": {\n    \"a\": {} // one\n  }\n}\n",
        ),
        (
            Agent::Gemini,
            ".gemini/settings.json",
            Some("{\"a\":1}"),
            |text| text.replace("{\"a\":1", "{\"a\":1,\"b\":2"),
            "{\"a\":1,\"b\":2}",
        ),
        (
            Agent::Codex,
            ".codex/config.toml",
            Some("model = \"m\"\n"),
            |text| text.replace("\"m\"", "\"n\"") + "\n[projects]\n",
            "model = \"n\"\n\n\n[projects]\n",
        ),
        (
            Agent::Cursor,
            ".cursor/hooks.json",
            Some(
                "{\n  \"hooks\": {\n    \"sessionEnd\": [\n      {\"command\": \"a\"}\n    ]\n  }\n}\n",
            ),
            |text| text.replace("{\"command\": \"a\"}", "{\"command\": \"b\"}"),
            "{\n  \"hooks\": {\n    \"sessionEnd\": [\n      {\"command\": \"b\"}\n    ]\n  }\n}\n",
        ),
    ];
    for (agent, path, before, edit, left) in cases {
        let home = Home::new();
        if let Some(before) = before {
            home.write(path, before);
        }
        let receipt = home.connect(&[agent]);
        let edited = edit(home.read(path));
        assert_ne!(edited, home.read(path), "{path}: the edit took hold");
        home.write(path, &edited);
        let undone = undo(&receipt, Unsynced::shared());
        assert!(undone.is_complete(), "{path}: {:?}", undone.refused);
        assert_eq!(undone.taken_out, [home.path(path)]);
        assert_eq!(home.read(path), left);
    }
}

#[test]
fn an_entry_that_changed_keeps_its_file_and_the_others_are_undone() {
    let home = Home::with(&[(".claude/projects/x", "")]);
    let receipt = home.connect(&[Agent::Claude]);
    let mine = home
        .read(".claude.json")
        .replace("\"mcp\"", "\"mcp\", \"--mine\"");
    home.write(".claude.json", &mine);
    home.write(".claude/skills/acreta/SKILL.md", "my own words");
    let undone = undo(&receipt, Unsynced::shared());
    let refused: Vec<_> = undone
        .refused
        .iter()
        .map(|refusal| {
            (
                refusal.path.clone(),
                matches!(refusal.why, Refused::Changed),
            )
        })
        .collect();
    let expected = [".claude.json", ".claude/skills/acreta/SKILL.md"];
    assert_eq!(refused, expected.map(|path| (home.path(path), true)));
    assert_eq!(undone.removed, [home.path(".claude/settings.json")]);
    assert_eq!(home.read(".claude.json"), mine);
    assert_eq!(home.read(".claude/skills/acreta/SKILL.md"), "my own words");
}

#[test]
fn settings_that_are_gone_or_broken_by_now_are_named() {
    let home = Home::with(&[(".claude.json", "{}"), (".codex/config.toml", "")]);
    let receipt = home.connect(&[Agent::Claude, Agent::Codex]);
    home.remove(".claude.json");
    home.write(".codex/hooks.json", "{ broken");
    home.write(".codex/config.toml", "model = \"m\"\n");
    let undone = undo(&receipt, Unsynced::shared());
    let why: Vec<String> = undone
        .refused
        .iter()
        .map(|refusal| format!("{}: {}", refusal.path.file_name().unwrap(), refusal.why))
        .collect();
    let changed = "it changed since, and acreta's entries can no longer be identified";
    let expected = [
        format!("hooks.json: {changed}"),
        format!("config.toml: {changed}"),
        ".claude.json: it is gone".to_owned(),
    ];
    assert_eq!(why, expected);
    assert_eq!(home.read(".codex/hooks.json"), "{ broken");
}

#[test]
fn a_damaged_backup_is_not_put_back() {
    let home = Home::with(&[(".claude.json", "{}")]);
    let receipt = home.connect(&[Agent::Claude]);
    let written = home.read(".claude.json");
    let backup = receipt.written.iter().find_map(|file| file.before.as_ref());
    let backup = format!("../backups-0/{}", backup.unwrap().backup);
    assert_eq!(home.read(&backup), "{}");
    home.write(&backup, "{\"other\": 1}");
    let undone = undo(&receipt, Unsynced::shared());
    assert!(matches!(undone.refused[..], [ref refusal] if matches!(refusal.why, Refused::Backup)));
    assert_eq!(home.read(".claude.json"), written);
}

#[test]
fn a_receipt_reads_back_as_it_was_written_and_nothing_else_passes() {
    let home = Home::with(&[(".codex/config.toml", "a = 1\n")]);
    let receipt = home.connect(&Agent::ALL);
    assert_eq!(Receipt::read(&home.backups(0)).unwrap(), receipt);
    for text in [
        "",
        "{}",
        "[]",
        "{\"written\": [], \"made_folders\": [], \"more\": 1}",
    ] {
        home.write("receipts/receipt.json", text);
        let error = Receipt::read(&home.path("receipts")).unwrap_err();
        assert!(matches!(error, ReceiptError::Form { .. }), "{text}");
    }
    let error = Receipt::read(&home.path("nowhere")).unwrap_err();
    assert!(matches!(error, ReceiptError::Disk(_)));
}
