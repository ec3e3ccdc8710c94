//! What words alone prove, in several languages, and what they must never claim.

use acreta_compare::{Relation, Statement, relate};
use acreta_types::MemoryType;
use proptest::prelude::*;

const UPDATE_OVERLAP: f64 = 0.72;

fn decision(title: &str, body: &str) -> Statement {
    Statement::new(MemoryType::Decision, "", title, body)
}

/// Returns the relation, with a `?` if it is uncertain.
fn judged(older: &Statement, newer: &Statement) -> String {
    let judgement = relate(older, newer, UPDATE_OVERLAP);
    let doubt = match judgement.relation {
        Relation::Similar | Relation::Unrelated => "",
        _ if judgement.is_certain => "",
        _ => "?",
    };
    format!("{}{doubt}", judgement.relation.name())
}

#[test]
fn case_punctuation_and_markup_do_not_count() {
    let table = [
        ("Use tabs in Makefiles", "use **tabs** in `Makefiles`!"),
        ("# Use tabs in Makefiles", "> “Use tabs” in Makefiles."),
        ("the command-line client", "The command line client"),
        ("- Don't push to main", "* Don’t push to main."),
        (
            "Wir deployen nie am Freitag",
            "Wir deployen nie am FREITAG.",
        ),
        ("Cafe\u{301} crème", "Café crème"),
        ("部署前必须运行测试", "部署前，必须运行测试。"),
        ("ポートは 8080 です", "「ポートは8080です」"),
        ("ห้ามดีพลอยวันศุกร์", "ห้ามดีพลอย วันศุกร์"),
        ("لا تنشر يوم الجمعة", "لا تنشر يوم الجمعة."),
    ];
    for (older, newer) in table {
        for (older, newer) in [(older, newer), (newer, older)] {
            let (older, newer) = (decision(older, ""), decision(newer, ""));
            assert_eq!(judged(&older, &newer), "same", "{older:?} {newer:?}");
        }
    }
    // The body may repeat the title as a heading or as its first sentence.
    let (older, newer) = (
        decision("Use tabs", "Use tabs. Spaces break Makefiles."),
        decision("Use tabs.", "Spaces break Makefiles."),
    );
    assert_eq!(judged(&older, &newer), "same");
}

#[test]
fn what_differs_in_a_word_name_or_sign_is_never_the_same() {
    let table = [
        (
            "Deploy the shop on Fridays",
            "Never deploy the shop on Fridays",
        ),
        ("The cache is worth it", "The cache is not worth it"),
        ("Wir deployen am Freitag", "Wir deployen nicht am Freitag"),
        (
            "Nous déployons le vendredi",
            "Nous ne déployons pas le vendredi",
        ),
        (
            "Používejte tabulátory v Makefile",
            "Nepoužívejte tabulátory v Makefile",
        ),
        (
            "Cuma günü dağıtım yapılmalı",
            "Cuma günü dağıtım yapılmamalı",
        ),
        ("جمعه‌ها استقرار کنید", "جمعه‌ها استقرار نکنید"),
        ("Деплоим по пятницам", "Не деплоим по пятницам"),
        ("周五部署商店", "周五不部署商店"),
        ("金曜日にデプロイします", "金曜日にデプロイしません"),
        ("금요일에 배포합니다", "금요일에 배포 안 합니다"),
        ("ดีพลอยวันศุกร์", "ไม่ดีพลอยวันศุกร์"),
        ("Write the engine in C++", "Write the engine in C#"),
        ("Run it on *.rs files", "Run it on .rs files"),
        ("Retry if x > 5 holds", "Retry if x < 5 holds"),
        ("The limit of uploads is 1.5", "The limit of uploads is 15"),
        ("Calls are synchronous here", "Calls are asynchronous here"),
        ("Do we use tabs?", "Do we use tabs."),
        ("Tests run before deploys", "Deploys run before tests"),
        (
            "Upload debug symbols for iOS",
            "Upload debug symbols for Android",
        ),
        ("Uploads are ✅ here", "Uploads are ❌ here"),
    ];
    for (older, newer) in table {
        for (older, newer) in [(older, newer), (newer, older)] {
            let judgement = relate(&decision(older, ""), &decision(newer, ""), UPDATE_OVERLAP);
            assert!(
                !matches!(judgement.relation, Relation::Same | Relation::Update),
                "{older} / {newer}"
            );
        }
    }
}

#[test]
fn another_value_in_the_same_words_replaces_or_is_shown() {
    let table = [
        (
            "Prometheus keeps metrics for 15 days",
            "Prometheus keeps metrics for 30 days",
            "contradiction",
        ),
        (
            "Der Server lauscht auf Port 8080",
            "Der Server lauscht auf Port 9090.",
            "contradiction",
        ),
        (
            "服务器监听的端口是8080",
            "服务器监听的端口是9090",
            "contradiction",
        ),
        (
            "サーバーのポートは8080です",
            "サーバーのポートは9090です",
            "contradiction",
        ),
        (
            "The API listens on 8080",
            "The API listens on 9090 instead of 8080",
            "contradiction",
        ),
        (
            "Die Queue läuft auf SQLite",
            "Die Queue läuft auf Postgres statt SQLite",
            "contradiction",
        ),
        ("端口是8080号", "端口是9090而不是8080号", "contradiction"),
        // A narrower rule replaces nothing.
        ("Tests need Docker", "Tests on macOS need Docker", "similar"),
        (
            "Retries for HTTP 404 are off",
            "Retries for HTTP 500 are off",
            "contradiction?",
        ),
        // Part of the subject: both may hold.
        (
            "Python 3.9 fails on ARM machines",
            "Python 3.10 fails on ARM machines",
            "contradiction?",
        ),
        // Names: parallel rules look the same.
        (
            "Crash reports go to Crashlytics",
            "Crash reports go to Sentry",
            "contradiction?",
        ),
        ("Retry failed uploads", "Retry failed downloads", "similar"),
        (
            "Never deploy on Fridays",
            "Never deploy at all on Fridays",
            "contradiction?",
        ),
        // Other words: a person decides.
        (
            "The API port is 8080, never another",
            "Use 9090 instead of 8080 as API port",
            "contradiction?",
        ),
        (
            "The staging API listens on port 8080",
            "Staging API port: 9090",
            "contradiction?",
        ),
        // Two subjects.
        (
            "Avatars may have 2 MB",
            "Attachments may have 25 MB",
            "similar",
        ),
        (
            "Format with two spaces",
            "Keep the queue in SQLite",
            "unrelated",
        ),
    ];
    for (older, newer, expected) in table {
        let found = judged(&decision(older, ""), &decision(newer, ""));
        assert_eq!(found, expected, "{older} / {newer}");
    }
}

/// Rules in other words: those that may be about one subject are shown to the person, and never settled.
#[test]
fn rules_with_other_values_for_one_subject_are_asked_about() {
    let asked = [
        (
            (
                "Service port",
                "> The API runs on port 8080, never another.",
            ),
            ("Dev server", "> Use port 9090 instead of 8080 from now on."),
        ),
        (
            (
                "API-Port",
                "> Der API-Server läuft auf Port 8080, nie woanders.",
            ),
            ("Neuer Port", "> Ab jetzt Port 9090 statt 8080 nehmen."),
        ),
        (
            ("Node version", "> We build with Node 20.11, please."),
            ("Build image", "> Build with Node 22.3 and not 20.11."),
        ),
        (
            ("Settings", "> All settings live in config/ledger.toml."),
            ("Settings", "> Settings live in etc/ledger.toml."),
        ),
    ];
    let not_asked = [
        // Two subjects with a number each.
        (
            ("Avatar size", "> Avatars may have 2 MB."),
            ("Attachment size", "> Attachments may have 25 MB."),
        ),
        (
            ("Redis port", "> Redis listens on port 6379."),
            ("Postgres port", "> Postgres listens on port 5432."),
        ),
        (
            ("Unit tests", "> Unit tests live in tests/unit."),
            (
                "End to end",
                "> Integration tests live in tests/integration.",
            ),
        ),
        (
            ("Retries", "> Retry webhooks 5 times."),
            ("Workers", "> Start 8 workers for the importer."),
        ),
        (
            ("Retries", "> Retry webhooks 2 times."),
            ("Importer", "> Start 8 workers on 2 machines."),
        ),
        (
            ("Timeouts", "> The gateway gives up after 30s."),
            ("Log files", "> Keep log files for 30 days and 2 releases."),
        ),
        (
            ("Port", "> The API runs on port 8080."),
            ("Health", "> The API on port 8080 has a health check."),
        ),
    ];
    let rule = |(title, body)| Statement::new(MemoryType::Learning, "convention", title, body);
    for (pairs, expected) in [(&asked[..], "contradiction?"), (&not_asked, "not asked")] {
        for (one, other) in pairs {
            for (older, newer) in [(*one, *other), (*other, *one)] {
                let found = judged(&rule(older), &rule(newer));
                let found = match found.as_str() {
                    "similar" | "unrelated" => "not asked",
                    other => other,
                };
                assert_eq!(found, expected, "{older:?} / {newer:?}");
            }
        }
    }
}

#[test]
fn a_quote_counts_and_its_title_is_a_label() {
    let friday = "> We never deploy on Fridays.";
    let table = [
        // Another wording of the title, and the same words of the person.
        (
            ("No Friday deploys", friday),
            ("Never deploy on Fridays", friday),
            "same",
        ),
        (
            ("Deploys", friday),
            ("Deploys", "> We never deploy on Mondays."),
            "contradiction?",
        ),
        // The quote leaves out its subject: only the title has it.
        (
            ("Run the linter", "> Always do that."),
            ("Use tabs", "> Always do that."),
            "similar",
        ),
        (
            (
                "Run the linter",
                "> Yes.\n\nTo:\n\n> Shall I run the linter first?",
            ),
            (
                "Linter first",
                "> Yes!\n\nTo:\n> Shall I run the linter first?",
            ),
            "same",
        ),
        (
            (
                "Run the linter",
                "> Yes.\n\nTo:\n\n> Shall I run the linter first?",
            ),
            (
                "Run the tests",
                "> Yes.\n\nTo:\n\n> Shall I run the tests first?",
            ),
            "similar",
        ),
        (
            ("Retry limit", "> Use 3 instead of more."),
            ("Workers", "> Use 5 instead of more."),
            "similar",
        ),
        (("Tabs", "> Use tabs."), ("Use tabs", ""), "same"),
    ];
    for ((title, body), (newer_title, newer_body), expected) in table {
        let found = judged(&decision(title, body), &decision(newer_title, newer_body));
        assert_eq!(
            found, expected,
            "{title}: {body} / {newer_title}: {newer_body}"
        );
    }
}

#[test]
fn more_sentences_under_one_title_are_an_update() {
    let title = "Cache images in the browser for a day";
    let first = "They change rarely, and phones on trains reload them all the time.";
    let [shorter, longer] = [first.to_owned(), format!("{first} Ask before changing it.")]
        .map(|body| decision(title, &body));
    assert_eq!(judged(&shorter, &longer), "update");
    assert_eq!(judged(&longer, &shorter), "same");
    let other = decision("Cache icons in the browser for a day", first);
    assert_eq!(judged(&shorter, &other), "similar");
}

#[test]
fn types_are_kept_apart() {
    let text = "Run the linter before every push";
    let decided = decision(text, "");
    let learned = |kind: &str, text: &str| Statement::new(MemoryType::Learning, kind, text, "");
    assert_eq!(judged(&decided, &learned("pitfall", text)), "similar");
    let decided = decision("Metrics are kept for 15 days", "");
    let revoked = "Metrics are kept for 30 days";
    assert_eq!(
        judged(&decided, &learned("convention", revoked)),
        "contradiction"
    );
    assert_eq!(judged(&decided, &learned("insight", revoked)), "similar");
}

/// Words of several languages and scripts, with names and numbers.
fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => "[a-z]{1,8}",
        1 => "[A-Z][a-z]{2,5}",
        1 => "[0-9]{1,4}",
        1 => prop_oneof![Just("не"), Just("nicht"), Just("不"), Just("لا"), Just("ません")]
            .prop_map(str::to_owned),
    ]
}

fn words() -> impl Strategy<Value = Vec<String>> {
    proptest::collection::vec(word(), 1..12)
}

proptest! {
    #[test]
    fn a_text_is_the_same_as_itself(title in ".{0,60}", body in "(.|\n){0,120}") {
        let statement = decision(&title, &body);
        let spaced = decision(&format!("  {title} "), &format!("\n{body}\n\n"));
        let has_words = title.chars().chain(body.chars()).any(char::is_alphanumeric);
        if has_words {
            prop_assert_eq!(judged(&statement, &statement), "same");
            prop_assert_eq!(judged(&statement, &spaced), "same");
        }
    }

    #[test]
    fn a_word_more_less_or_other_is_never_joined(
        words in words(),
        other in word(),
        at in any::<prop::sample::Index>(),
        what in 0..3,
    ) {
        let at = at.index(words.len());
        let mut changed = words.clone();
        match what {
            0 => changed.insert(at, other),
            1 => { changed.remove(at); }
            _ => changed[at] = other,
        }
        let (left, right) = (words.join(" "), changed.join(" "));
        prop_assume!(left.to_lowercase() != right.to_lowercase());
        // Spaces between characters of a script without spaces mean nothing.
        prop_assume!(left.replace(' ', "").to_lowercase() != right.replace(' ', "").to_lowercase());
        for (older, newer) in [(&left, &right), (&right, &left)] {
            let judgement = relate(&decision(older, ""), &decision(newer, ""), UPDATE_OVERLAP);
            let joins = matches!(judgement.relation, Relation::Same | Relation::Update);
            prop_assert!(!joins, "{} / {}", older, newer);
        }
    }

    #[test]
    fn sameness_and_conflicts_are_symmetric(left in words(), right in words(), shared in words()) {
        let [left, right] = [left, right].map(|own| {
            decision(&shared.join(" "), &format!("{} {}", shared.join(" "), own.join(" ")))
        });
        let (forth, back) = (judged(&left, &right), judged(&right, &left));
        let is_joined = |one: &str| one == "same" || one == "update";
        prop_assert_eq!(is_joined(&forth), is_joined(&back), "{} {}", forth, back);
        prop_assert_eq!(
            forth.starts_with("contradiction"),
            back.starts_with("contradiction"),
            "{:?} {:?}", left, right
        );
        prop_assert_eq!(left.overlap(&right), right.overlap(&left));
    }
}
