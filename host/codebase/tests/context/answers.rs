//! Content of answers: envelopes with stable keys, plausible slices, budgets that hold, measured savings.

use acreta_codebase::{Detail, Request};
use acreta_text::count_tokens;

use crate::support::{Project, changes, verbose};

fn service() -> Project {
    let project = Project::with(&[
        (
            "Cargo.toml",
            "[package]\nname = \"shop\"\n[[bin]]\nname = \"shop-server\"\npath = \"src/server.rs\"\n",
        ),
        ("src/lib.rs", "pub mod cart;\npub mod money;\n"),
        (
            "src/server.rs",
            "use shop::cart::Cart;\nfn main() { Cart::new(); }\n",
        ),
        (
            "src/cart.rs",
            "use crate::money::Money;\npub struct Cart;\nimpl Cart { pub fn new() {} }\n",
        ),
        ("src/money.rs", "pub struct Money(i64);\n"),
        (
            "tests/cart_test.rs",
            "use shop::cart::Cart;\n#[test]\nfn adds() {}\n",
        ),
        ("examples/demo.rs", "fn main() {}\n"),
        (
            "justfile",
            "build:\n    cargo build\ntest-all:\n    cargo test\nname := \"x\"\n",
        ),
        ("README.md", "# Shop\n"),
        (".github/README.md", "# CI\n"),
    ]);
    project.commit();
    for round in 0..4 {
        project.write(
            "src/money.rs",
            &format!("pub struct Money(i64);\n// {round}\n"),
        );
        project.commit();
    }
    project
}

#[test]
fn keys_and_their_order_are_a_promise() {
    let project = service();
    let json = project.explore().to_json();
    let keys = [
        "command",
        "project_root",
        "project_id",
        "cache_status",
        "freshness",
        "stats",
        "file_count",
        "reused_entries",
        "rehashed_entries",
        "delta",
        "added",
        "modified",
        "removed",
        "renamed",
        "files",
        "slice",
        "entry_points",
        "hot_paths",
        "top_imports",
        "graph",
        "nodes",
        "edges",
    ];
    let mut at = 0;
    for key in keys {
        let quoted = format!("\"{key}\":");
        at += json[at..]
            .find(&quoted)
            .unwrap_or_else(|| panic!("no {key} after {at}: {json}"));
    }
}

#[test]
fn a_slice_points_at_what_matters() {
    let project = service();
    let slice = project.explore().slice.unwrap();
    let entries: Vec<&str> = slice
        .entry_points
        .iter()
        .map(|entry| entry.path.as_str())
        .collect();
    assert_eq!(entries[..2], ["src/server.rs", "src/lib.rs"]);
    assert_eq!(slice.entry_points[0].name.as_deref(), Some("shop-server"));
    assert!(!entries.contains(&".github/README.md"));
    assert_eq!(slice.hot_paths[0].path, "src/money.rs");
    assert_eq!(slice.hot_paths[0].changes, 5);
    assert!(slice.hot_paths[0].dependents >= 1);
    let commands: Vec<&str> = slice
        .commands
        .iter()
        .map(|one| one.command.as_str())
        .collect();
    assert_eq!(
        commands,
        ["cargo build", "cargo test", "just build", "just test-all"]
    );
    let of_cart = slice
        .tests
        .iter()
        .find(|tests| tests.path == "src/cart.rs")
        .unwrap();
    assert_eq!(of_cart.tests, ["tests/cart_test.rs"]);
    assert!(slice.graph.edges >= 3, "{:?}", slice.graph);
}

#[test]
fn the_same_project_gives_the_same_bytes_however_it_was_reached() {
    let project = service();
    project.explore();
    project.write("src/cart.rs", "pub struct Cart;\n");
    project.write("src/extra.rs", "use crate::money::Money;\n");
    project.remove("src/server.rs");
    let step_by_step = project.explore().slice;
    let mut options = project.options();
    options.cache_root = project.cache.with_file_name("another-cache");
    let cold = acreta_codebase::Context::open(options)
        .unwrap()
        .explore(&project.root, &Request::default(), None)
        .unwrap();
    assert_eq!(step_by_step, cold.slice);
}

#[test]
fn an_import_finds_a_file_that_comes_later_and_loses_one_that_goes() {
    let project = Project::with(&[
        ("app/main.py", "from app.tools import run\n"),
        ("app/__init__.py", ""),
    ]);
    let hot = || {
        let slice = project.explore().slice.unwrap();
        slice
            .hot_paths
            .into_iter()
            .map(|hot| hot.path)
            .collect::<Vec<_>>()
    };
    let before = hot();
    project.write("app/tools.py", "def run(): pass\n");
    assert!(hot().contains(&"app/tools.py".to_owned()));
    project.write("app/tools.py", "def run(): return 1\n");
    assert!(hot().contains(&"app/tools.py".to_owned()));
    project.remove("app/tools.py");
    assert_eq!(hot(), before);
}

#[test]
fn detail_grows_and_budgets_hold() {
    let project = service();
    for number in 0..80 {
        project.write(&format!("src/m{number}.rs"), "use crate::money::Money;\n");
    }
    project.commit();
    let context = project.context();
    let ask = |detail, budget| {
        let request = Request {
            detail,
            budget,
            query: Some("money is lost in the cart".to_owned()),
            ..Request::default()
        };
        context.explore(&project.root, &request, None).unwrap()
    };
    ask(Detail::Compact, None);
    let lengths: Vec<usize> = [Detail::Compact, Detail::Normal, Detail::Verbose]
        .map(|detail| ask(detail, None).to_json().len())
        .to_vec();
    assert!(
        lengths.is_sorted_by(|left, right| left < right),
        "{lengths:?}"
    );
    for budget in [400, 800, 20_000] {
        let response = ask(Detail::Verbose, Some(budget));
        let tokens = count_tokens(&response.to_json());
        assert!(tokens <= budget, "{tokens} of {budget}");
        assert_eq!(response.truncated, budget < 20_000, "{budget}: {tokens}");
        assert!(!response.matches.unwrap().is_empty(), "{budget}");
    }
}

#[test]
fn context_has_a_slice_and_no_delta() {
    let project = service();
    let request = Request {
        query: Some("cart".to_owned()),
        ..Request::default()
    };
    let response = project
        .context()
        .context(&project.root, &request, None)
        .unwrap();
    assert!(response.delta.is_none());
    assert!(response.slice.is_some());
    assert_eq!(response.matches.unwrap()[0].path, "src/cart.rs");
}

#[test]
fn changes_since_a_revision_are_gits() {
    let project = service();
    project.write("src/new.rs", "");
    project.rename("src/cart.rs", "src/basket.rs");
    project.git(&["add", "-A"]);
    let request = Request {
        since: Some("HEAD~1".to_owned()),
        ..verbose()
    };
    let context = project.context();
    let told = changes(&context.delta(&project.root, &request).unwrap());
    let expected = [
        ('A', "src/basket.rs"),
        ('A', "src/new.rs"),
        ('D', "src/cart.rs"),
        ('M', "src/money.rs"),
    ];
    assert_eq!(
        told,
        expected.map(|(change, path)| (change, path.to_owned()))
    );
    for revision in ["no-such-revision", "--output=/tmp/x"] {
        let request = Request {
            since: Some(revision.to_owned()),
            ..Request::default()
        };
        assert!(
            context.delta(&project.root, &request).is_err(),
            "{revision}"
        );
    }
}

#[test]
fn a_project_without_git_and_one_within_a_repository_are_answered() {
    let project = Project::with(&[
        (".gitignore", "*.out\n"),
        ("part/a.py", "a = 1\n"),
        ("part/b.out", "ignored from above\n"),
    ]);
    project.commit();
    let response = project
        .context()
        .explore(&project.root.join("part"), &Request::default(), None)
        .unwrap();
    assert_eq!(response.stats.file_count, 1);
    let plain = Project::with(&[
        (".gitignore", "*.out\n"),
        ("a.py", "a = 1\n"),
        ("b.out", ""),
    ]);
    assert_eq!(plain.explore().stats.file_count, 2);
}

#[test]
fn gain_is_what_was_measured() {
    let project = service();
    let context = project.context();
    assert_eq!(context.gain(&project.root).unwrap().served, 0);
    project.write("src/lib.rs", &"pub fn something_long() {}\n".repeat(400));
    let first = project.explore();
    let second = project.explore();
    let gain = context.gain(&project.root).unwrap();
    assert_eq!((gain.served, gain.hits), (2, 1));
    let tokens = count_tokens(&first.to_json()) + count_tokens(&second.to_json());
    assert_eq!(gain.served_tokens, tokens as u64);
    let long = "pub fn something_long() {}\n".repeat(400);
    assert!(gain.file_tokens > 2 * count_tokens(&long) as u64);
    assert!(gain.reduction > 0.5, "{gain:?}");
}

#[test]
fn gain_tells_latencies_and_changes_of_real_use() {
    let project = service();
    project.explore();
    project.explore();
    project.write("src/money.rs", "pub struct Money(i128);\n");
    let context = project.context();
    context.delta(&project.root, &Request::default()).unwrap();
    let gain = context.gain(&project.root).unwrap();
    assert_eq!((gain.served, gain.hit_ratio), (3, 0.667));
    let (hit, delta) = (gain.hit_ms.unwrap(), gain.delta_ms.unwrap());
    assert_eq!((hit.answers, delta.answers), (1, 1));
    assert!(hit.p50 > 0.0 && delta.p95 > 0.0, "{gain:?}");
    assert_eq!(
        gain.changed_ratio, 0.05,
        "one of ten files, in one of two hits"
    );
}
