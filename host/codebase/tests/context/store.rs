//! The cache: stored, reloaded, discarded when damaged, old or too large, and written by one process at a time.

use std::sync::Arc;
use std::time::Duration;

use acreta_codebase::{CacheStatus, Context, ContextError, Freshness, Request};
use acreta_fs::{Directory, NoFaults};
use camino::Utf8PathBuf;

use crate::support::{Ahead, Project, changes, verbose};

fn small() -> Project {
    Project::with(&[
        ("src/a.py", "import src.b\n"),
        ("src/b.py", "def b(): pass\n"),
        ("README.md", "words\n"),
    ])
}

fn cache_file(project: &Project, ending: &str) -> Utf8PathBuf {
    let entries = std::fs::read_dir(&project.cache).unwrap();
    entries
        .map(|entry| Utf8PathBuf::try_from(entry.unwrap().path()).unwrap())
        .find(|path| path.as_str().ends_with(ending))
        .unwrap()
}

#[test]
fn the_second_question_is_a_hit_and_reads_nothing() {
    let project = small();
    let ahead = Ahead::default();
    let mut options = project.options();
    options.now = ahead.clock();
    let context = Context::open(options).unwrap();
    let explore = || {
        context
            .explore(&project.root, &Request::default(), None)
            .unwrap()
    };
    let first = explore();
    assert_eq!(first.cache_status, CacheStatus::Miss);
    assert_eq!(first.stats.rehashed_entries, 3);
    // Racy stamps are checked once more; a second later they are reliable.
    ahead.put_forward(Duration::from_secs(5));
    explore();
    let hit = explore();
    assert_eq!(hit.cache_status, CacheStatus::Hit);
    assert_eq!(hit.freshness, Freshness::Fresh);
    assert_eq!(
        (hit.stats.reused_entries, hit.stats.rehashed_entries),
        (3, 0)
    );
    assert_eq!(hit.to_json(), explore().to_json());
}

#[test]
fn a_stamp_of_this_moment_is_not_trusted() {
    let project = small();
    project.explore();
    // This write differs from the first only in content.
    project.write("src/b.py", "def c(): pass\n");
    assert_eq!(project.delta(), [('M', "src/b.py".to_owned())]);
}

#[test]
fn explore_keeps_and_delta_only_tells() {
    let project = small();
    project.explore();
    project.write("src/c.py", "c = 1\n");
    let added = [('A', "src/c.py".to_owned())];
    assert_eq!(project.delta(), added);
    assert_eq!(project.delta(), added);
    let response = project.explore();
    assert_eq!(response.cache_status, CacheStatus::Hit);
    assert_eq!(response.freshness, Freshness::Dirty);
    assert_eq!(changes(&response), added);
    assert_eq!(project.delta(), []);
}

#[test]
fn a_file_that_moved_was_renamed() {
    let project = small();
    project.explore();
    project.rename("src/b.py", "lib/c.py");
    let delta = project
        .context()
        .delta(&project.root, &verbose())
        .unwrap()
        .delta
        .unwrap();
    assert_eq!((delta.renamed, delta.added, delta.removed), (1, 0, 0));
    assert_eq!(delta.files[0].path, "lib/c.py");
    assert_eq!(delta.files[0].from.as_deref(), Some("src/b.py"));
}

#[test]
fn damage_of_any_byte_costs_a_rebuild_and_nothing_else() {
    let project = small();
    project.explore();
    let tree = cache_file(&project, ".tree");
    let bytes = std::fs::read(&tree).unwrap();
    let expected = project.explore().slice;
    for at in (0..bytes.len()).step_by(bytes.len() / 60 + 1) {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x55;
        overwrite(&tree, &damaged);
        let response = project.explore();
        assert_eq!(response.slice, expected, "byte {at}");
        assert_eq!(response.delta.unwrap().files, [], "byte {at}");
    }
    for length in [0, 1, 100, bytes.len() / 2] {
        overwrite(&tree, &bytes[..length]);
        let response = project.explore();
        assert_eq!(
            response.cache_status,
            CacheStatus::StaleRebuild,
            "{length} bytes"
        );
        assert_eq!(response.slice, expected, "{length} bytes");
    }
}

#[test]
fn lost_facts_are_gathered_again() {
    let project = small();
    project.explore();
    let facts = cache_file(&project, ".facts");
    let whole = std::fs::read(&facts).unwrap();
    overwrite(&facts, &vec![7; whole.len()]);
    project.write("src/b.py", "import src.a\n");
    let response = project.explore();
    assert_eq!(response.slice.unwrap().graph.edges, 2);
    overwrite(&cache_file(&project, ".facts"), b"lost");
    project.write("src/b.py", "def b(): pass\n");
    project.write("src/c.py", "import src.b\n");
    let response = project.explore();
    assert_eq!(response.cache_status, CacheStatus::StaleRebuild);
    assert_eq!(response.slice.unwrap().graph.edges, 2);
    let refreshed = project
        .context()
        .refresh(&project.root, &Request::default())
        .unwrap();
    assert_eq!(refreshed.cache_status, CacheStatus::Refreshed);
}

#[test]
fn an_old_artifact_is_read_anew_and_still_tells_the_delta() {
    let project = small();
    let ahead = Ahead::default();
    let mut options = project.options();
    options.now = ahead.clock();
    let context = Context::open(options).unwrap();
    let request = Request::default();
    context.explore(&project.root, &request, None).unwrap();
    ahead.put_forward(Duration::from_secs(25 * 60 * 60));
    project.write("src/b.py", "def longer(): pass\n");
    let response = context.explore(&project.root, &request, None).unwrap();
    assert_eq!(response.cache_status, CacheStatus::StaleRebuild);
    assert_eq!(response.freshness, Freshness::Stale);
    assert_eq!(response.stats.rehashed_entries, 3);
    assert_eq!(changes(&response), [('M', "src/b.py".to_owned())]);
}

#[test]
fn the_project_used_longest_ago_goes_first() {
    let scratch = Project::new();
    let ahead = Ahead::default();
    let mut options = scratch.options();
    options.now = ahead.clock();
    options.limits.projects = 2;
    let context = Context::open(options).unwrap();
    let explore = |name: &str| {
        ahead.put_forward(Duration::from_secs(3600));
        let root = scratch.root.join(name);
        context
            .explore(&root, &Request::default(), None)
            .unwrap()
            .cache_status
    };
    for name in ["one", "two", "three"] {
        scratch.write(&format!("{name}/a.py"), "a = 1\n");
    }
    assert_eq!(explore("one"), CacheStatus::Miss);
    assert_eq!(explore("two"), CacheStatus::Miss);
    explore("one");
    assert_eq!(explore("one"), CacheStatus::Hit);
    explore("three");
    assert_eq!(explore("one"), CacheStatus::Hit);
    assert_eq!(explore("two"), CacheStatus::Miss);
}

#[test]
fn who_cannot_write_is_still_answered() {
    let project = small();
    project.explore();
    let lock = cache_file(&project, ".lock");
    let directory = Directory::open(&project.cache, NoFaults::shared()).unwrap();
    let _held = directory
        .lock(lock.file_name().unwrap(), Duration::ZERO)
        .unwrap();
    project.write("src/c.py", "c = 1\n");
    let response = project.explore();
    assert_eq!(changes(&response), [('A', "src/c.py".to_owned())]);
    // Nothing was stored.
    assert_eq!(project.delta(), [('A', "src/c.py".to_owned())]);
}

#[test]
fn many_at_once_agree() {
    let project = Arc::new(small());
    for number in 0..50 {
        project.write(&format!("src/f{number}.py"), &format!("f = {number}\n"));
    }
    let answers: Vec<_> = std::thread::scope(|scope| {
        let ask = || project.explore().stats.file_count;
        let asking: Vec<_> = (0..8).map(|_| scope.spawn(ask)).collect();
        asking.into_iter().map(|one| one.join().unwrap()).collect()
    });
    assert_eq!(answers, [53; 8]);
}

#[test]
fn a_disk_that_fails_is_an_error_with_a_cause() {
    #[derive(Debug)]
    struct Full;
    impl acreta_fs::Faults for Full {
        fn before(&self, operation: &acreta_fs::Operation<'_>) -> std::io::Result<()> {
            let is_write = operation.kind == acreta_fs::OperationKind::Write;
            if is_write && operation.path.as_str().contains(".tmp") {
                return Err(std::io::ErrorKind::StorageFull.into());
            }
            Ok(())
        }
    }
    let project = small();
    let mut options = project.options();
    options.faults = Arc::new(Full);
    let error = Context::open(options)
        .unwrap()
        .explore(&project.root, &Request::default(), None)
        .unwrap_err();
    assert!(matches!(error, ContextError::Cache(_)), "{error}");
    assert!(std::error::Error::source(&error).is_some());
    assert_eq!(project.explore().stats.file_count, 3);
}

fn overwrite(path: &Utf8PathBuf, bytes: &[u8]) {
    use std::io::Write;
    std::fs::File::create(path)
        .unwrap()
        .write_all(bytes)
        .unwrap();
}
