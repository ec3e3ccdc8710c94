//! Several writers of one branch: nothing that anybody pushed is lost.

use std::collections::BTreeSet;
use std::sync::Mutex;

use acreta_git_publish::{MEMORY_BRANCH, Published};

use crate::support::{Remote, change, commit, contribute, git, read, write};

#[test]
fn three_racing_writers_lose_nothing() {
    const EACH: usize = 6;
    let remote = Remote::with_history();
    let address = remote.address();
    let commits = Mutex::new(Vec::new());
    let attempts = Mutex::new(0);
    std::thread::scope(|scope| {
        for writer in 0..3 {
            let (remote, address, commits, attempts) = (&remote, &address, &commits, &attempts);
            scope.spawn(move || {
                let clones = remote.machine(&format!("worker-{writer}"));
                for number in 0..EACH {
                    let path = format!(".acreta/memory/{writer}-{number}.md");
                    let seed = (writer * 100 + number) as u64;
                    let updated = contribute(&clones, address, &path, seed);
                    commits.lock().unwrap().extend(updated.commit);
                    *attempts.lock().unwrap() += updated.attempts;
                }
            });
        }
    });
    let paths: BTreeSet<String> = remote.paths().into_iter().collect();
    for writer in 0..3 {
        for number in 0..EACH {
            assert!(paths.contains(&format!(".acreta/memory/{writer}-{number}.md")));
        }
    }
    // Every commit that was reported is in the history, which is a line.
    let history = remote.git(&["log", "--format=%H %P", MEMORY_BRANCH]);
    let commits = commits.into_inner().unwrap();
    assert_eq!(commits.len(), 3 * EACH);
    for commit in &commits {
        assert!(
            history
                .lines()
                .any(|line| line.starts_with(commit.as_str()))
        );
    }
    assert!(history.lines().all(|line| line.split(' ').count() == 2));
    assert_eq!(remote.log().len(), 3 * EACH + 3);
    let attempts = attempts.into_inner().unwrap();
    println!(
        "{} commits by three writers in {attempts} attempts",
        commits.len()
    );
}

#[test]
fn threads_of_one_machine_wait_for_each_other() {
    let remote = Remote::empty();
    let address = remote.address();
    let clones = remote.machine("worker");
    std::thread::scope(|scope| {
        for writer in 0..4 {
            let (clones, address) = (&clones, &address);
            scope.spawn(move || {
                let path = format!(".acreta/memory/{writer}.md");
                let updated = contribute(clones, address, &path, writer);
                assert_eq!(updated.attempts, 1, "the lock keeps them apart");
            });
        }
    });
    assert_eq!(remote.paths().len(), 4);
}

#[test]
fn a_persons_commit_in_between_stays() {
    let remote = Remote::with_history();
    let clones = remote.machine("worker");
    let address = remote.address();
    contribute(&clones, &address, ".acreta/memory/a.md", 1);
    let person = remote.person("writer");
    git(&person, &["checkout", "-q", MEMORY_BRANCH]);

    let mut checkout = clones.checkout(&address, MEMORY_BRANCH).unwrap();
    write(&person, ".acreta/memory/a.md", "corrected by hand\n");
    write(&person, "src/main.rs", "fn main() { by_hand() }\n");
    commit(&person, "by hand");
    git(&person, &["push", "-q", "origin", "HEAD"]);
    write(checkout.path(), ".acreta/memory/b.md", "learnt\n");
    assert_eq!(checkout.publish(&change("late")).unwrap(), Published::Moved);
    assert_eq!(remote.log()[0], "by hand", "nothing was overwritten");
    drop(checkout);

    let mut checkout = clones.checkout(&address, MEMORY_BRANCH).unwrap();
    assert_eq!(
        read(checkout.path(), ".acreta/memory/a.md"),
        "corrected by hand\n"
    );
    assert!(!checkout.path().join(".acreta/memory/b.md").exists());
    write(checkout.path(), ".acreta/memory/b.md", "learnt\n");
    let published = checkout.publish(&change("again")).unwrap();
    assert!(matches!(published, Published::Pushed(_)));
    assert_eq!(remote.log()[..2], ["again", "by hand"]);
    assert_eq!(remote.file(".acreta/memory/a.md"), "corrected by hand\n");
    assert_eq!(remote.file("src/main.rs"), "fn main() { by_hand() }\n");
}

#[test]
fn a_rewritten_or_deleted_branch_is_noticed() {
    let remote = Remote::with_history();
    let clones = remote.machine("worker");
    let address = remote.address();
    contribute(&clones, &address, ".acreta/memory/a.md", 1);
    let name = format!("refs/heads/{MEMORY_BRANCH}");

    let mut checkout = clones.checkout(&address, MEMORY_BRANCH).unwrap();
    remote.git(&["update-ref", &name, "main"]);
    write(checkout.path(), ".acreta/memory/b.md", "b");
    assert_eq!(checkout.publish(&change("late")).unwrap(), Published::Moved);
    drop(checkout);

    let mut checkout = clones.checkout(&address, MEMORY_BRANCH).unwrap();
    remote.git(&["update-ref", "-d", &name]);
    write(checkout.path(), ".acreta/memory/b.md", "b");
    assert_eq!(checkout.publish(&change("late")).unwrap(), Published::Moved);
    drop(checkout);

    // A branch that somebody else created first.
    let mut checkout = clones.checkout(&address, MEMORY_BRANCH).unwrap();
    assert!(!checkout.branch_exists());
    remote.git(&["update-ref", &name, "main~1"]);
    write(checkout.path(), ".acreta/memory/b.md", "b");
    assert_eq!(checkout.publish(&change("late")).unwrap(), Published::Moved);
    assert_eq!(remote.log(), ["code 1", "code 0"]);
}
