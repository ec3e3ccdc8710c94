//! Resolving a directory to its project: a table of the things that can happen to a project.

use acreta_model::Identity;
use acreta_sessions::{DirectoryFacts, KnownProject, Resolution, resolve};
use sha2::{Digest, Sha256};

fn identity(root_commit: &str, remote: &str) -> Identity {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    Identity {
        root_commit: some(root_commit),
        remote: some(remote),
    }
}

/// Creates a project that exists at its root.
fn project(id: &str, root: &str, who: Identity) -> KnownProject {
    KnownProject {
        id: id.to_owned(),
        root: root.into(),
        root_exists: true,
        identity: who,
        former_paths: Vec::new(),
    }
}

/// Creates a project whose root is gone.
fn lost(id: &str, root: &str, who: Identity) -> KnownProject {
    KnownProject {
        root_exists: false,
        ..project(id, root, who)
    }
}

fn moved_from(former: &[&str], project: KnownProject) -> KnownProject {
    KnownProject {
        former_paths: former.iter().map(|path| (*path).into()).collect(),
        ..project
    }
}

fn living(root: &str, who: Identity) -> DirectoryFacts {
    DirectoryFacts::Living {
        root: root.into(),
        identity: who,
    }
}

fn gone(path: &str) -> DirectoryFacts {
    DirectoryFacts::Gone { path: path.into() }
}

fn existing(id: &str) -> Resolution {
    Resolution::Existing(id.to_owned())
}

fn new_project(root: &str) -> Resolution {
    Resolution::NewProject { root: root.into() }
}

type Case = (&'static str, DirectoryFacts, Vec<KnownProject>, Resolution);

fn check(cases: Vec<Case>) {
    for (name, facts, known, expected) in cases {
        assert_eq!(resolve(&facts, &known), expected, "{name}");
        // The result does not depend on the order of the catalog.
        let turned: Vec<KnownProject> = known.into_iter().rev().collect();
        assert_eq!(resolve(&facts, &turned), expected, "{name}, turned round");
    }
}

#[test]
fn directories_that_live() {
    let app = || identity("c0ffee", "github.com/ann/app");
    let local = || identity("c0ffee", "");
    let nothing = Identity::default;
    let to = |id: &str, path: &str| Resolution::Moved {
        id: id.to_owned(),
        to: path.into(),
    };
    check(vec![
        (
            "same path",
            living("/p/app", app()),
            vec![project("app", "/p/app", app())],
            existing("app"),
        ),
        (
            "a worktree, told by its main checkout",
            living("/p/app", app()),
            vec![
                project("app", "/p/app", app()),
                project("side", "/p/side", app()),
            ],
            existing("app"),
        ),
        (
            "same path, history rewritten",
            living("/p/app", identity("beef", "")),
            vec![project("app", "/p/app", app())],
            existing("app"),
        ),
        (
            "moved",
            living("/q/app2", app()),
            vec![lost("app", "/p/app", app())],
            to("app", "/q/app2"),
        ),
        (
            "moved, without any remote",
            living("/q/app", local()),
            vec![lost("app", "/p/app", local())],
            to("app", "/q/app"),
        ),
        (
            "moved, while a clone lives on",
            living("/q/app", app()),
            vec![
                lost("app", "/p/app", app()),
                project("clone", "/p/clone", app()),
            ],
            to("app", "/q/app"),
        ),
        (
            "moved back",
            living("/p/app", app()),
            vec![moved_from(&["/p/app"], lost("app", "/q/app", app()))],
            to("app", "/p/app"),
        ),
        (
            "one of two that are gone",
            living("/q/app", app()),
            vec![lost("one", "/p/one", app()), lost("two", "/p/two", app())],
            new_project("/q/app"),
        ),
        (
            "two living clones",
            living("/q/app", app()),
            vec![project("app", "/p/app", app())],
            new_project("/q/app"),
        ),
        (
            "a new clone at a former path",
            living("/p/app", app()),
            vec![moved_from(&["/p/app"], project("app", "/q/app", app()))],
            new_project("/p/app"),
        ),
        (
            "a fork",
            living("/q/app", identity("c0ffee", "github.com/bob/app")),
            vec![lost("app", "/p/app", app())],
            new_project("/q/app"),
        ),
        (
            "a remote was added on the way",
            living("/q/app", app()),
            vec![lost("app", "/p/app", local())],
            new_project("/q/app"),
        ),
        (
            "the same remote, and no commit to tell by",
            living("/q/app", identity("", "github.com/ann/app")),
            vec![lost("app", "/p/app", identity("", "github.com/ann/app"))],
            new_project("/q/app"),
        ),
        (
            "no git at all",
            living("/p/notes", nothing()),
            vec![lost("other", "/p/other", nothing())],
            new_project("/p/notes"),
        ),
        (
            "no git at all, known",
            living("/p/notes", nothing()),
            vec![project("notes", "/p/notes", nothing())],
            existing("notes"),
        ),
        (
            "a project within a project",
            living("/p/app/vendor/lib", identity("abc", "")),
            vec![project("app", "/p/app", app())],
            new_project("/p/app/vendor/lib"),
        ),
        (
            "the first of all",
            living("/p/app", app()),
            vec![],
            new_project("/p/app"),
        ),
    ]);
}

#[test]
fn directories_that_are_gone() {
    let who = || identity("c0ffee", "github.com/ann/app");
    check(vec![
        (
            "a root that is gone",
            gone("/p/app"),
            vec![lost("app", "/p/app", who())],
            existing("app"),
        ),
        (
            "a former path",
            gone("/old/app"),
            vec![
                moved_from(&["/older/app", "/old/app"], project("app", "/p/app", who())),
                project("other", "/p/other", who()),
            ],
            existing("app"),
        ),
        (
            "a folder of a former path",
            gone("/old/app/src"),
            vec![moved_from(&["/old/app"], project("app", "/p/app", who()))],
            existing("app"),
        ),
        (
            "a worktree within its project",
            gone("/p/app/.worktrees/x"),
            vec![project("app", "/p/app", who())],
            existing("app"),
        ),
        (
            "the nearest of several",
            gone("/p/app/vendor/lib/src"),
            vec![
                project("app", "/p/app", who()),
                project("lib", "/p/app/vendor/lib", who()),
                moved_from(&["/p/app/vendor"], project("vendor", "/p/v", who())),
            ],
            existing("lib"),
        ),
        (
            "one that is there now before one that was",
            gone("/p/app/src"),
            vec![
                moved_from(&["/p/app"], project("old", "/q/app", who())),
                project("new", "/p/app", who()),
            ],
            existing("new"),
        ),
        (
            "a path that two had, within a third",
            gone("/p/app/src"),
            vec![
                project("all", "/p", who()),
                moved_from(&["/p/app"], project("one", "/q/one", who())),
                moved_from(&["/p/app"], project("two", "/q/two", who())),
            ],
            Resolution::Unknown,
        ),
        (
            "a name that only starts the same",
            gone("/p/app-2"),
            vec![project("app", "/p/app", who())],
            Resolution::Unknown,
        ),
        ("nothing known", gone("/p/app"), vec![], Resolution::Unknown),
    ]);
}

#[test]
fn only_a_slug_is_left() {
    let slug = |text: &str| DirectoryFacts::Slug(text.to_owned());
    let at = |id: &str, root: &str| project(id, root, Identity::default());
    check(vec![
        (
            "one that fits",
            slug("-home-ann-my-proj"),
            vec![at("a", "/home/ann/my_proj"), at("b", "/home/ann/my_proj2")],
            existing("a"),
        ),
        (
            "a path of Windows, with a small drive letter",
            slug("c--Work-Ledger"),
            vec![at("a", r"C:\work\ledger"), at("b", r"D:\work\ledger")],
            existing("a"),
        ),
        (
            "case matters elsewhere",
            slug("-home-ann-App"),
            vec![at("a", "/home/ann/app")],
            Resolution::Unknown,
        ),
        (
            "a dot and a space",
            slug("-home-ann-my-proj-v1"),
            vec![at("a", "/home/ann/my proj.v1")],
            existing("a"),
        ),
        (
            "two that fit",
            slug("-home-ann-my-proj"),
            vec![at("a", "/home/ann/my_proj"), at("b", "/home/ann/my/proj")],
            Resolution::Unknown,
        ),
        (
            "two that fit, one of them long ago",
            slug("-home-ann-my-proj"),
            vec![
                at("a", "/home/ann/my_proj"),
                moved_from(&["/home/ann/my.proj"], at("b", "/srv/b")),
            ],
            Resolution::Unknown,
        ),
        (
            "one that fits twice",
            slug("-home-ann-my-proj"),
            vec![moved_from(
                &["/home/ann/my.proj"],
                at("a", "/home/ann/my_proj"),
            )],
            existing("a"),
        ),
        (
            "a former path",
            slug("-home-ann-old"),
            vec![moved_from(&["/home/ann/old"], at("a", "/srv/a"))],
            existing("a"),
        ),
        (
            "without the dash in front",
            slug("home-ann-app"),
            vec![at("a", "/home/ann/app")],
            existing("a"),
        ),
        (
            "as an agent wrote it that kept more",
            slug("-home-ann-my_proj"),
            vec![at("a", "/home/ann/my_proj")],
            existing("a"),
        ),
        (
            "letters beyond ASCII, as JavaScript counts them",
            slug("-home-ann-b-cher---"),
            vec![at("a", "/home/ann/bücher-🦀")],
            existing("a"),
        ),
        (
            "another platform",
            slug("C--Users-ann-app"),
            vec![at("a", r"C:\Users\ann\app")],
            existing("a"),
        ),
        (
            "case matters",
            slug("-home-ann-App"),
            vec![at("a", "/home/ann/app")],
            Resolution::Unknown,
        ),
        ("none", slug("-home-ann-app"), vec![], Resolution::Unknown),
    ]);
}

#[test]
fn only_a_hash_is_left() {
    let hash = |text: &str| DirectoryFacts::Hash(text.to_owned());
    let sha256 = |path: &str| acreta_text::hex(&Sha256::digest(path));
    let at = |id: &str, root: &str| project(id, root, Identity::default());
    // `printf /home/ann/app | md5sum`
    let md5 = "540a174dd488a60b7f016c21d9d1ecc0";
    check(vec![
        (
            "SHA-256 of a root",
            hash(&sha256("/home/ann/app")),
            vec![at("a", "/home/ann/app"), at("b", "/home/ann/b")],
            existing("a"),
        ),
        (
            "a path of Windows, with a small drive letter",
            hash(&sha256(r"c:\Work\App")),
            vec![at("a", r"C:\Work\App"), at("b", r"C:\Work\Other")],
            existing("a"),
        ),
        (
            "in capitals",
            hash(&sha256("/home/ann/app").to_uppercase()),
            vec![at("a", "/home/ann/app")],
            existing("a"),
        ),
        (
            "of a former path",
            hash(&sha256("/home/ann/old")),
            vec![moved_from(&["/home/ann/old"], at("a", "/home/ann/app"))],
            existing("a"),
        ),
        (
            "of a former path that two had",
            hash(&sha256("/home/ann/old")),
            vec![
                moved_from(&["/home/ann/old"], at("a", "/home/ann/app")),
                moved_from(&["/home/ann/old"], at("b", "/home/ann/b")),
            ],
            Resolution::Unknown,
        ),
        (
            "MD5",
            hash(md5),
            vec![at("a", "/home/ann/app")],
            existing("a"),
        ),
        (
            "of another path",
            hash(&sha256("/home/bob/app")),
            vec![at("a", "/home/ann/app")],
            Resolution::Unknown,
        ),
        (
            "no hash",
            hash("app"),
            vec![at("a", "app")],
            Resolution::Unknown,
        ),
    ]);
}
