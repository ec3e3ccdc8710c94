//! Resolving a directory to its project: a table of the things that can happen to a project.

use acreta_session_archive::{DirectoryFacts, KnownProject, resolve};
use sha2::{Digest, Sha256};

fn project(id: &str, root: &str) -> KnownProject {
    KnownProject {
        id: id.to_owned(),
        root: root.into(),
        former_paths: Vec::new(),
    }
}

fn moved_from(former: &[&str], project: KnownProject) -> KnownProject {
    KnownProject {
        former_paths: former.iter().map(|path| (*path).into()).collect(),
        ..project
    }
}

fn gone(path: &str) -> DirectoryFacts {
    DirectoryFacts::Gone { path: path.into() }
}

fn existing(id: &'static str) -> Option<&'static str> {
    Some(id)
}

type Case = (
    &'static str,
    DirectoryFacts,
    Vec<KnownProject>,
    Option<&'static str>,
);

fn check(cases: Vec<Case>) {
    for (name, facts, known, expected) in cases {
        assert_eq!(resolve(&facts, &known), expected, "{name}");
        // The result does not depend on the order of the catalog.
        let turned: Vec<KnownProject> = known.into_iter().rev().collect();
        assert_eq!(resolve(&facts, &turned), expected, "{name}, turned round");
    }
}

#[test]
fn directories_that_are_gone() {
    check(vec![
        (
            "a root that is gone",
            gone("/p/app"),
            vec![project("app", "/p/app")],
            existing("app"),
        ),
        (
            "a former path",
            gone("/old/app"),
            vec![
                moved_from(&["/older/app", "/old/app"], project("app", "/p/app")),
                project("other", "/p/other"),
            ],
            existing("app"),
        ),
        (
            "a folder of a former path",
            gone("/old/app/src"),
            vec![moved_from(&["/old/app"], project("app", "/p/app"))],
            existing("app"),
        ),
        (
            "a worktree within its project",
            gone("/p/app/.worktrees/x"),
            vec![project("app", "/p/app")],
            existing("app"),
        ),
        (
            "the nearest of several",
            gone("/p/app/vendor/lib/src"),
            vec![
                project("app", "/p/app"),
                project("lib", "/p/app/vendor/lib"),
                moved_from(&["/p/app/vendor"], project("vendor", "/p/v")),
            ],
            existing("lib"),
        ),
        (
            "one that is there now before one that was",
            gone("/p/app/src"),
            vec![
                moved_from(&["/p/app"], project("old", "/q/app")),
                project("new", "/p/app"),
            ],
            existing("new"),
        ),
        (
            "a path that two had, within a third",
            gone("/p/app/src"),
            vec![
                project("all", "/p"),
                moved_from(&["/p/app"], project("one", "/q/one")),
                moved_from(&["/p/app"], project("two", "/q/two")),
            ],
            None,
        ),
        (
            "a name that only starts the same",
            gone("/p/app-2"),
            vec![project("app", "/p/app")],
            None,
        ),
        ("nothing known", gone("/p/app"), vec![], None),
    ]);
}

#[test]
fn only_a_slug_is_left() {
    let slug = |text: &str| DirectoryFacts::Slug(text.to_owned());
    check(vec![
        (
            "one that fits",
            slug("-home-ann-my-proj"),
            vec![
                project("a", "/home/ann/my_proj"),
                project("b", "/home/ann/my_proj2"),
            ],
            existing("a"),
        ),
        (
            "a path of Windows, with a small drive letter",
            slug("c--Work-Ledger"),
            vec![
                project("a", r"C:\work\ledger"),
                project("b", r"D:\work\ledger"),
            ],
            existing("a"),
        ),
        (
            "case matters elsewhere",
            slug("-home-ann-App"),
            vec![project("a", "/home/ann/app")],
            None,
        ),
        (
            "a dot and a space",
            slug("-home-ann-my-proj-v1"),
            vec![project("a", "/home/ann/my proj.v1")],
            existing("a"),
        ),
        (
            "two that fit",
            slug("-home-ann-my-proj"),
            vec![
                project("a", "/home/ann/my_proj"),
                project("b", "/home/ann/my/proj"),
            ],
            None,
        ),
        (
            "two that fit, one of them long ago",
            slug("-home-ann-my-proj"),
            vec![
                project("a", "/home/ann/my_proj"),
                moved_from(&["/home/ann/my.proj"], project("b", "/srv/b")),
            ],
            None,
        ),
        (
            "one that fits twice",
            slug("-home-ann-my-proj"),
            vec![moved_from(
                &["/home/ann/my.proj"],
                project("a", "/home/ann/my_proj"),
            )],
            existing("a"),
        ),
        (
            "a former path",
            slug("-home-ann-old"),
            vec![moved_from(&["/home/ann/old"], project("a", "/srv/a"))],
            existing("a"),
        ),
        (
            "without the dash in front",
            slug("home-ann-app"),
            vec![project("a", "/home/ann/app")],
            existing("a"),
        ),
        (
            "as an agent wrote it that kept more",
            slug("-home-ann-my_proj"),
            vec![project("a", "/home/ann/my_proj")],
            existing("a"),
        ),
        (
            "letters beyond ASCII, as JavaScript counts them",
            slug("-home-ann-b-cher---"),
            vec![project("a", "/home/ann/bücher-🦀")],
            existing("a"),
        ),
        (
            "another platform",
            slug("C--Users-ann-app"),
            vec![project("a", r"C:\Users\ann\app")],
            existing("a"),
        ),
        (
            "case matters",
            slug("-home-ann-App"),
            vec![project("a", "/home/ann/app")],
            None,
        ),
        ("none", slug("-home-ann-app"), vec![], None),
    ]);
}

#[test]
fn only_a_hash_is_left() {
    let hash = |text: &str| DirectoryFacts::Hash(text.to_owned());
    let sha256 = |path: &str| acreta_text::hex(&Sha256::digest(path));
    // `printf /home/ann/app | md5sum`
    let md5 = "540a174dd488a60b7f016c21d9d1ecc0";
    check(vec![
        (
            "SHA-256 of a root",
            hash(&sha256("/home/ann/app")),
            vec![project("a", "/home/ann/app"), project("b", "/home/ann/b")],
            existing("a"),
        ),
        (
            "a path of Windows, with a small drive letter",
            hash(&sha256(r"c:\Work\App")),
            vec![project("a", r"C:\Work\App"), project("b", r"C:\Work\Other")],
            existing("a"),
        ),
        (
            "in capitals",
            hash(&sha256("/home/ann/app").to_uppercase()),
            vec![project("a", "/home/ann/app")],
            existing("a"),
        ),
        (
            "of a former path",
            hash(&sha256("/home/ann/old")),
            vec![moved_from(
                &["/home/ann/old"],
                project("a", "/home/ann/app"),
            )],
            existing("a"),
        ),
        (
            "of a former path that two had",
            hash(&sha256("/home/ann/old")),
            vec![
                moved_from(&["/home/ann/old"], project("a", "/home/ann/app")),
                moved_from(&["/home/ann/old"], project("b", "/home/ann/b")),
            ],
            None,
        ),
        (
            "MD5",
            hash(md5),
            vec![project("a", "/home/ann/app")],
            existing("a"),
        ),
        (
            "of another path",
            hash(&sha256("/home/bob/app")),
            vec![project("a", "/home/ann/app")],
            None,
        ),
        ("no hash", hash("app"), vec![project("a", "app")], None),
    ]);
}
