//! Bad days: killed processes, damaged clones, remotes that vanish, answers that are lost.

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use acreta_git_publish::{Clones, ClonesError, GitFailure, MEMORY_BRANCH, Published, Settings};
use camino::{Utf8Path, Utf8PathBuf};

use crate::support::{Remote, change, contribute, git, read, settings, write};

/// Nothing of a run that was killed before its push is in the next one; its clone works.
#[test]
fn a_kill_between_commit_and_push_costs_only_the_run() {
    let remote = Remote::with_history();
    let address = remote.address();
    let clones = remote.machine("worker");
    contribute(&clones, &address, ".acreta/memory/a.md", 1);
    // The push never starts: a git that dies as if its worker were killed.
    let killed = Clones::open(
        &remote.root.join("worker"),
        Settings {
            git: wrapper(&remote.root, "push", "kill -9 $$").into_string(),
            ..settings()
        },
    )
    .unwrap();
    let mut checkout = killed.checkout(&address, MEMORY_BRANCH).unwrap();
    write(checkout.path(), ".acreta/memory/half.md", "half");
    write(checkout.path(), ".acreta/meta/commit/journal", "half");
    let failed = checkout.publish(&change("killed")).unwrap_err();
    assert!(failed.is_temporary(), "{failed}");
    drop(checkout);
    let folder = remote.clones_folder("worker");
    write(&folder, "index.lock", "");
    write(&folder, "repository.git/shallow.lock", "");
    write(&folder, "repository.git/refs/acreta/base.lock", "");

    let mut checkout = clones.checkout(&address, MEMORY_BRANCH).unwrap();
    assert!(!checkout.path().join(".acreta/memory/half.md").exists());
    assert!(!checkout.path().join(".acreta/meta/commit").exists());
    write(checkout.path(), ".acreta/memory/b.md", "b");
    checkout.publish(&change("again")).unwrap();
    assert_eq!(remote.log()[..2], ["again", "learn .acreta/memory/a.md"]);
}

/// A name, and what it does to the folder of a repository.
type Damage = (&'static str, fn(&Utf8Path));

#[test]
fn a_damaged_clone_is_made_again() {
    let remote = Remote::with_history();
    let address = remote.address();
    let clones = remote.machine("worker");
    contribute(&clones, &address, ".acreta/memory/a.md", 1);
    let folder = remote.clones_folder("worker").join("repository.git");
    let damages: &[Damage] = &[
        ("config", |folder| write(folder, "config", "[core\n")),
        ("HEAD", |folder| write(folder, "HEAD", "nonsense")),
        ("objects", |folder| {
            overwrite_objects(&folder.join("objects"))
        }),
        ("ref", |folder| {
            write(folder, "refs/acreta/base", "nonsense\n")
        }),
        ("shallow", |folder| write(folder, "shallow", "nonsense\n")),
        ("no objects", |folder| remove_all(&folder.join("objects"))),
        ("empty", |folder| {
            remove_all(folder);
            std::fs::create_dir(folder).unwrap();
        }),
        ("a file", |folder| {
            remove_all(folder);
            let (parent, name) = (folder.parent().unwrap(), folder.file_name().unwrap());
            write(parent, name, "no folder");
        }),
        ("locks", |folder| {
            write(folder, "shallow.lock", "");
            write(folder, "refs/acreta/base.lock", "");
        }),
    ];
    for (number, (name, damage)) in damages.iter().enumerate() {
        // The remote moves on, so that the clone has to fetch.
        let other = remote.machine("other");
        contribute(
            &other,
            &address,
            &format!(".acreta/memory/other-{number}.md"),
            1,
        );
        damage(&folder);
        let path = format!(".acreta/memory/{number}.md");
        let updated = contribute(&clones, &address, &path, 7);
        assert!(updated.commit.is_some(), "{name}");
        assert_eq!(remote.file(&path), format!("{path}\n"), "{name}");
    }
    assert_eq!(remote.paths().len(), 2 + 1 + 2 * damages.len());
    remote.git(&["fsck", "--strict"]);
}

#[test]
fn strange_files_in_a_checkout_are_removed() {
    let remote = Remote::with_history();
    let address = remote.address();
    let clones = remote.machine("worker");
    contribute(&clones, &address, ".acreta/memory/a.md", 1);
    let folder = remote.clones_folder("worker").join("tree/.acreta");
    let outside = remote.root.join("outside");
    write(&outside, "precious.md", "precious");
    remove_all(&folder.join("memory"));
    std::os::unix::fs::symlink(&outside, folder.join("memory")).unwrap();
    std::os::unix::fs::symlink("/etc", folder.join("link")).unwrap();
    write(&folder, "a/b/c/left.md", "left");
    let checkout = clones.checkout(&address, MEMORY_BRANCH).unwrap();
    assert_eq!(
        read(checkout.path(), ".acreta/memory/a.md"),
        ".acreta/memory/a.md\n"
    );
    for gone in ["link", "a"] {
        assert!(!folder.join(gone).exists(), "{gone}");
    }
    assert_eq!(read(&outside, "precious.md"), "precious");
    drop(checkout);
    // The folder itself as a link.
    remove_all(&folder);
    std::os::unix::fs::symlink(&outside, &folder).unwrap();
    let checkout = clones.checkout(&address, MEMORY_BRANCH).unwrap();
    assert!(checkout.path().join(".acreta/memory/a.md").exists());
    let names: Vec<_> = std::fs::read_dir(&outside).unwrap().collect();
    assert_eq!(names.len(), 1, "nothing was written outside");
}

#[test]
fn a_remote_may_vanish_and_return() {
    let remote = Remote::with_history();
    let address = remote.address();
    let clones = remote.machine("worker");
    contribute(&clones, &address, ".acreta/memory/a.md", 1);
    let clone = remote.clones_folder("worker").join("repository.git/config");
    let made = std::fs::metadata(&clone).unwrap().modified().unwrap();
    let mut checkout = clones.checkout(&address, MEMORY_BRANCH).unwrap();
    let away = remote.root.join("away");
    rename(&remote.path(), &away);

    write(checkout.path(), ".acreta/memory/b.md", "b");
    let failed = checkout.publish(&change("learn b")).unwrap_err();
    assert!(matches!(failed, ClonesError::Uncertain { .. }), "{failed}");
    assert!(failed.is_temporary() && failed.hint().is_some());
    drop(checkout);
    let failed = clones.checkout(&address, MEMORY_BRANCH).unwrap_err();
    assert!(matches!(failed, ClonesError::Git { .. }), "{failed}");
    assert!(failed.to_string().contains("ls-remote"), "{failed}");

    rename(&away, &remote.path());
    contribute(&clones, &address, ".acreta/memory/b.md", 2);
    assert_eq!(remote.log()[0], "learn .acreta/memory/b.md");
    let now = std::fs::metadata(&clone).unwrap().modified().unwrap();
    assert_eq!(made, now, "the clone was not the problem and stays");
}

/// The push arrives, but its answer does not: the remote is asked, and nothing is pushed twice.
#[test]
fn a_lost_answer_is_looked_up() {
    let remote = Remote::with_history();
    let address = remote.address();
    let lossy = Clones::open(
        &remote.root.join("lossy"),
        Settings {
            git: wrapper(
                &remote.root,
                "push",
                r#"git "$@" >/dev/null 2>&1; exit 128"#,
            )
            .into_string(),
            ..settings()
        },
    )
    .unwrap();
    let mut checkout = lossy.checkout(&address, MEMORY_BRANCH).unwrap();
    write(checkout.path(), ".acreta/memory/a.md", "a");
    let published = checkout.publish(&change("first")).unwrap();
    assert!(matches!(published, Published::Pushed(_)));
    assert_eq!(
        checkout.publish(&change("first")).unwrap(),
        Published::Unchanged
    );
    drop(checkout);

    // Somebody pushes on top of it before the remote is asked.
    let other = remote.root.join("other.sh");
    let person = remote.person("writer");
    let push = format!(
        "cd {person} && git fetch -q && git checkout -q -f --detach origin/{MEMORY_BRANCH} && \
         git -c user.name=A -c user.email=a@b commit -q --allow-empty -m onto && \
         git push -q origin HEAD:refs/heads/{MEMORY_BRANCH}"
    );
    write(&remote.root, "other.sh", &push);
    let script =
        format!(r#"git "$@" >/dev/null 2>&1; (unset ACRETA_GIT_REMOTE; sh {other}) >&2; exit 128"#);
    let overtaken = Clones::open(
        &remote.root.join("lossy"),
        Settings {
            git: wrapper(&remote.root, "push", &script).into_string(),
            ..settings()
        },
    )
    .unwrap();
    let mut checkout = overtaken.checkout(&address, MEMORY_BRANCH).unwrap();
    write(checkout.path(), ".acreta/memory/b.md", "b");
    let published = checkout.publish(&change("second")).unwrap();
    assert!(matches!(published, Published::Pushed(_)), "{published:?}");
    assert_eq!(remote.log()[..3], ["onto", "second", "first"]);
}

#[test]
fn a_refusal_is_told_with_its_reason() {
    let remote = Remote::with_history();
    remote.git(&["config", "receive.denyNonFastForwards", "true"]);
    remote.git(&["config", "receive.hideRefs", "refs/heads/acreta"]);
    let clones = remote.machine("worker");
    let mut checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    write(checkout.path(), ".acreta/memory/a.md", "a");
    let refused = checkout.publish(&change("learn")).unwrap_err();
    assert!(matches!(refused, ClonesError::Refused { .. }), "{refused}");
    assert!(refused.to_string().contains("hidden ref"), "{refused}");
    assert!(refused.hint().is_some());
}

#[test]
fn a_git_that_hangs_is_stopped() {
    let remote = Remote::with_history();
    let slow = Clones::open(
        &remote.root.join("slow"),
        Settings {
            git: wrapper(&remote.root, "ls-remote", "sleep 60").into_string(),
            network_timeout: Duration::from_millis(300),
            ..settings()
        },
    )
    .unwrap();
    let failed = slow.checkout(&remote.address(), MEMORY_BRANCH).unwrap_err();
    let cause = match &failed {
        ClonesError::Git { cause, .. } => cause,
        other => panic!("{other}"),
    };
    assert!(matches!(cause, GitFailure::Timeout { .. }), "{cause}");
    assert!(failed.hint().is_some());
}

#[test]
fn a_machine_without_git_is_told_so() {
    let remote = Remote::with_history();
    let none = Settings {
        git: remote.root.join("no-git-here").into_string(),
        ..settings()
    };
    let clones = Clones::open(&remote.root.join("none"), none).unwrap();
    let failed = clones
        .checkout(&remote.address(), MEMORY_BRANCH)
        .unwrap_err();
    assert_eq!(failed.hint(), Some("install git 2.31 or newer"));
}

#[test]
fn a_second_process_waits_for_the_clone() {
    let remote = Remote::with_history();
    let clones = remote.machine("worker");
    let impatient = Settings {
        lock_wait: Duration::from_millis(50),
        ..settings()
    };
    let other = Clones::open(&remote.root.join("worker"), impatient).unwrap();
    let checkout = clones.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
    let busy = other
        .checkout(&remote.address(), MEMORY_BRANCH)
        .unwrap_err();
    assert!(matches!(busy, ClonesError::Lock(_)), "{busy}");
    assert!(busy.is_temporary());
    drop(checkout);
    other.checkout(&remote.address(), MEMORY_BRANCH).unwrap();
}

/// Returns a program that does something else for one command of git.
fn wrapper(folder: &Utf8Path, command: &str, instead: &str) -> Utf8PathBuf {
    let name = format!("git-{command}-{}.sh", instead.len());
    let script = format!(
        "#!/bin/sh\nfor word in \"$@\"; do\n  if [ \"$word\" = {command} ]; then\n    {instead}\n  fi\ndone\nexec git \"$@\"\n"
    );
    write(folder, &name, &script);
    let path = folder.join(name);
    std::fs::set_permissions(&path, PermissionsExt::from_mode(0o755)).unwrap();
    path
}

#[expect(clippy::disallowed_methods, reason = "the disk is the input of tests")]
fn overwrite_objects(folder: &Utf8Path) {
    for path in walk(folder) {
        let mut permissions = std::fs::metadata(&path).unwrap().permissions();
        permissions.set_mode(0o644);
        std::fs::set_permissions(&path, permissions).unwrap();
        std::fs::write(&path, "damaged").unwrap();
    }
}

fn walk(folder: &Utf8Path) -> Vec<Utf8PathBuf> {
    let mut found = Vec::new();
    for entry in folder.read_dir_utf8().unwrap() {
        let path = entry.unwrap().into_path();
        match path.is_dir() {
            true => found.extend(walk(&path)),
            false => found.push(path),
        }
    }
    found
}

#[expect(clippy::disallowed_methods, reason = "the disk is the input of tests")]
fn remove_all(path: &Utf8Path) {
    std::fs::remove_dir_all(path).unwrap();
}

#[expect(clippy::disallowed_methods, reason = "the disk is the input of tests")]
fn rename(from: &Utf8Path, to: &Utf8Path) {
    std::fs::rename(from, to).unwrap();
}

/// Checks the wrapper itself.
#[test]
fn the_wrapper_passes_other_commands_on() {
    let remote = Remote::with_history();
    let script = wrapper(&remote.root, "push", "exit 3");
    let status = |word: &str| {
        let mut command = std::process::Command::new(&script);
        command.args(["-C", remote.path().as_str(), word]);
        command.output().unwrap().status.code()
    };
    assert_eq!(status("push"), Some(3));
    assert_eq!(status("show-ref"), Some(0));
    git(&remote.path(), &["show-ref"]);
}
