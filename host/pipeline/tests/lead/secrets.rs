//! Passwords that only their form gives away: none reaches memory, whoever says it.

use acreta_pipeline::NoteSource;

use crate::amend::note;
use crate::fakes::{Project, ScriptedSession};

const PASSWORDS: [&str; 3] = ["Wisla!Krakow88", "tulipe-42-azur", "Zh7!kLm2Qp"];

/// Fails if a file of memory, or a sidecar, contains one of the passwords.
fn assert_clean(project: &Project) {
    let files = project.bytes();
    assert!(!files.is_empty());
    let mut marks = 0;
    for (path, bytes) in files {
        let text = String::from_utf8(bytes).unwrap();
        marks += text.matches("[redacted:").count();
        for password in PASSWORDS {
            assert!(
                !text.contains(password) && !path.as_str().contains(password),
                "{path}: {text}"
            );
        }
    }
    assert!(marks >= 3, "{marks} marks");
}

#[test]
fn of_a_session_titles_texts_quotes_and_summaries_are_clean() {
    let project = Project::new();
    let session = ScriptedSession {
        summary: "Zalogowano jako tester: Wisla!Krakow88 na stronie testowej.",
        ..ScriptedSession::new(
            "s1",
            1_000,
            &[
                (
                    "Logowanie tester: Wisla!Krakow88",
                    "Zawsze loguj się jako tester: Wisla!Krakow88 przed testem strony.",
                ),
                (
                    "Base de recette",
                    "Le mot de passe est tulipe-42-azur pour la base de recette, toujours.",
                ),
            ],
        )
    };
    let report = project.run(&session);
    // Two memories and the summary.
    assert_eq!(report.counts.add, 3, "{report:?}");
    assert_clean(&project);
    // Read again, it changes nothing.
    let before = project.bytes();
    project.run(&session);
    assert_eq!(project.bytes(), before);
}

#[test]
fn of_notes_titles_and_texts_are_clean() {
    let project = Project::new();
    let mut writable = project.writable(1_000_000);
    let notes = vec![
        note("Login 登录用 admin", "登录用 admin 和 Zh7!kLm2Qp 就行。"),
        note(
            "Wisla!Krakow88 für den Test",
            "Nimm tulipe-42-azur als Passwort.",
        ),
        // The mark is longer than what it replaces.
        note(
            &format!("{} Zh7!kLm2Qp", "x".repeat(109)),
            "A title as long as one may be.",
        ),
    ];
    let report = writable
        .remember(notes, &NoteSource::Person, false)
        .unwrap();
    assert_eq!(report.counts.add, 3, "{:?}", report.refused);
    drop(writable);
    assert_clean(&project);
}
