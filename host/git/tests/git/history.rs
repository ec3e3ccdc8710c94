//! Histories equal `git log`: the same commits in the same order with the same paths; of the whole repository or a
//! folder, with merges and without.

use std::ops::ControlFlow;

use acreta_git::{HistoryCommit, HistoryEnd, HistoryOptions, TreeChange};

use crate::support::{Chance, ScratchRepository, git};

fn told(scratch: &ScratchRepository, options: &HistoryOptions) -> Vec<String> {
    let mut told = Vec::new();
    let end = scratch.open().history(options, &mut |commit| {
        told.push(line(&commit));
        ControlFlow::Continue(())
    });
    assert!(
        matches!(end, HistoryEnd::Complete | HistoryEnd::Enough),
        "{end:?}"
    );
    told
}

fn line(commit: &HistoryCommit) -> String {
    let mut line = format!("{} {} {}", commit.id, commit.time, commit.author);
    for (path, change) in &commit.changes {
        let change = match change {
            TreeChange::Added => 'A',
            TreeChange::Modified => 'M',
            TreeChange::Removed => 'D',
        };
        line.push_str(&format!("|{change} {path}"));
    }
    line
}

fn expected(scratch: &ScratchRepository, arguments: &[&str]) -> Vec<String> {
    let all = [
        &[
            "log",
            "--no-renames",
            "--name-status",
            "--format=%x01%H %ct %an <%ae>",
        ],
        arguments,
    ]
    .concat();
    let output = scratch.git(&all);
    let commits = output.split('\u{1}').skip(1);
    commits
        .map(|commit| {
            let mut lines = commit.lines().filter(|line| !line.is_empty());
            let mut line = lines.next().unwrap().to_owned();
            let mut paths: Vec<&str> = lines.collect();
            paths.sort_by_key(|path| path.split('\t').nth(1));
            for path in paths {
                // A change of type is a change.
                line.push_str(&format!(
                    "|{}",
                    path.replace('\t', " ").replacen('T', "M", 1)
                ));
            }
            line
        })
        .collect()
}

/// Branches, merges, merges that keep one side, empty commits and equal dates.
fn repository(seed: u64) -> ScratchRepository {
    let scratch = ScratchRepository::repository();
    let mut chance = Chance(seed);
    scratch.write("a/first.txt", "first\n");
    scratch.commit("first");
    let mut time = 1_700_000_000;
    for step in 0..50 {
        // Some commits have the same date, and some are older than their parents.
        time += [0, 0, 1, 5, 100, -50][chance.below(6)];
        let date = format!("{time} +0000");
        let commit = |arguments: &[&str]| {
            let all = [&["commit", "-q", "--allow-empty", "-m", "step"], arguments].concat();
            let status = std::process::Command::new("git")
                .args(["-c", "user.name=Ann", "-c", "user.email=ann@example.org"])
                .args(all)
                .current_dir(&scratch.root)
                .env("GIT_AUTHOR_DATE", &date)
                .env("GIT_COMMITTER_DATE", &date)
                .env("GIT_CONFIG_GLOBAL", "/dev/null")
                .status();
            assert!(status.unwrap().success());
        };
        match chance.below(8) {
            0 => commit(&[]),
            1 => {
                let name = format!("b{step}");
                let back = format!("HEAD~{}", chance.below(2));
                let known = scratch.git(&["rev-list", "--count", "--first-parent", "HEAD"]);
                let known: usize = known.trim().parse().unwrap();
                let back = if known > 2 { back.as_str() } else { "HEAD" };
                scratch.git(&["checkout", "-q", "-b", &name, back]);
                scratch.write(&format!("side/{step}.txt"), format!("{step}\n"));
                scratch.git(&["add", "-A"]);
                commit(&[]);
                scratch.git(&["checkout", "-q", "main"]);
                let how = ["--no-edit", "-s", "ours"];
                let how = if chance.below(3) == 0 {
                    &how[..]
                } else {
                    &how[..1]
                };
                let merge = [&["merge", "-q", "--no-ff", &name], how, &["-m", "merge"]].concat();
                scratch.git(&merge);
            }
            2 => {
                scratch.git(&[
                    "rm",
                    "-q",
                    "-r",
                    "--ignore-unmatch",
                    &format!("b/{}", step % 4),
                ]);
                commit(&[]);
            }
            _ => {
                let folder = ["a", "b/0", "b/1", "c/d/e"][chance.below(4)];
                for _ in 0..=chance.below(3) {
                    let name = chance.below(6);
                    scratch.write(&format!("{folder}/{name}.txt"), format!("{step}\n"));
                }
                scratch.git(&["add", "-A"]);
                commit(&[]);
            }
        }
    }
    scratch
}

#[test]
fn histories_are_those_of_git_log() {
    for seed in 1..=4 {
        let scratch = repository(seed);
        for packed in [false, true] {
            if packed {
                scratch.git(&["gc", "-q"]);
            }
            let whole = HistoryOptions::default();
            assert_eq!(
                told(&scratch, &whole),
                expected(&scratch, &[]),
                "seed {seed}"
            );
            for (within, path) in [
                ("", "."),
                ("a/", "a"),
                ("b/", "b"),
                ("c/d/", "c/d"),
                ("x/", "x"),
            ] {
                let options = HistoryOptions {
                    skip_merges: true,
                    within: Some(within.to_owned()),
                    commits: 20,
                    ..HistoryOptions::default()
                };
                let relative = format!("--relative={within}");
                let mut arguments = vec!["--no-merges", "-n", "20"];
                if !within.is_empty() {
                    arguments.push(&relative);
                }
                arguments.extend(["--", path]);
                assert_eq!(
                    told(&scratch, &options),
                    expected(&scratch, &arguments),
                    "seed {seed}, within {within}, packed {packed}"
                );
            }
        }
        let removed: Vec<String> = scratch.open().removed_paths(5_000).into_iter().collect();
        let arguments = [
            "log",
            "--no-renames",
            "--diff-filter=D",
            "--name-only",
            "--format=",
        ];
        let log = scratch.git(&arguments);
        let mut expected: Vec<&str> = log.lines().filter(|line| !line.is_empty()).collect();
        expected.sort_unstable();
        expected.dedup();
        assert_eq!(removed, expected);
        let newest = scratch.git(&["rev-list", "--all", "-n", "6"]);
        let repository = scratch.open();
        for (left, right) in newest
            .lines()
            .flat_map(|left| newest.lines().map(move |right| (left, right)))
        {
            // Where git has several, any of them is one.
            let of_git = scratch.git(&["merge-base", "--all", left, right]);
            let base = repository.merge_base(left, right, 5_000).unwrap();
            assert!(
                of_git.lines().any(|one| one == base),
                "seed {seed}: {left} and {right}: {base}, not {of_git}"
            );
        }
        let count = scratch.git(&["rev-list", "--max-parents=0", "HEAD"]);
        assert_eq!(scratch.open().root_commit().as_deref(), Some(count.trim()));
    }
}

#[test]
fn the_base_of_a_branch_is_the_commit_it_shares_with_the_default_branch() {
    // Commits of one second are told apart by their ids alone, so several sets of ids are tried.
    for variant in 0..6 {
        base_of_a_branch(variant);
    }
}

fn base_of_a_branch(variant: u32) {
    let scratch = ScratchRepository::repository();
    scratch.write("a.txt", format!("{variant}"));
    scratch.commit("first");
    let default = scratch.open().default_branch().unwrap();
    assert_eq!(default.name, "main");
    let head = || scratch.git(&["rev-parse", "HEAD"]).trim().to_owned();
    assert_eq!(default.tip, head());
    let base = head();
    scratch.git(&["checkout", "-q", "-b", "side"]);
    for step in 0..3 {
        scratch.write("side.txt", format!("{step}"));
        scratch.commit("side");
    }
    let side = head();
    scratch.git(&["checkout", "-q", "main"]);
    scratch.write("b.txt", "b");
    scratch.commit("main");
    let main = head();
    let repository = scratch.open();
    assert_eq!(repository.merge_base(&side, &main, 100), Some(base.clone()));
    assert_eq!(repository.merge_base(&main, &side, 100), Some(base));
    assert_eq!(repository.merge_base(&main, &main, 0), Some(main.clone()));
    assert_eq!(repository.merge_base(&side, &main, 2), None, "too far back");
    assert_eq!(repository.merge_base(&side, &"0".repeat(40), 100), None);
    // A merge moves the base.
    scratch.git(&["merge", "-q", "--no-ff", "side", "-m", "merge"]);
    assert_eq!(scratch.open().merge_base(&side, &head(), 100), Some(side));
}

#[test]
fn a_shallow_clone_ends_where_copying_stopped() {
    let scratch = ScratchRepository::repository();
    for step in 0..4 {
        scratch.write("a.txt", format!("{step}\n"));
        scratch.commit("step");
    }
    let outer = ScratchRepository::new();
    let from = format!("file://{}", scratch.root);
    git(&outer.root, &["clone", "-q", "--depth=2", &from, "clone"]);
    let clone = acreta_git::GitRepository::at(&outer.root.join("clone")).unwrap();
    assert!(clone.is_shallow());
    assert_eq!(clone.root_commit(), None);
    let mut told = Vec::new();
    let end = clone.history(&HistoryOptions::default(), &mut |commit| {
        told.push(commit.changes);
        ControlFlow::Continue(())
    });
    assert_eq!(end, HistoryEnd::Complete);
    let path = "a.txt".to_owned();
    let expected = [
        vec![(path.clone(), TreeChange::Modified)],
        vec![(path, TreeChange::Added)],
    ];
    assert_eq!(told, expected);
}

/// What was checked out when, by the log of `HEAD`, and the files of such a commit.
#[test]
fn a_branch_that_was_left_is_known_by_its_time() {
    let scratch = ScratchRepository::repository();
    scratch.write("a.md", "main");
    scratch.commit("first");
    let main = scratch.git(&["rev-parse", "HEAD"]).trim().to_owned();
    scratch.git(&["checkout", "-q", "-b", "branch"]);
    scratch.write(".tool/commands/go.md", "x".repeat(100));
    scratch.write(".tool/other.md", "other");
    scratch.commit("second");
    let branch = scratch.git(&["rev-parse", "HEAD"]).trim().to_owned();
    scratch.git(&["checkout", "-q", "main"]);
    // The times of the log, which git takes from the clock.
    let line = |old: &str, new: &str, at: u64| {
        format!("{old} {new} T <t@example.com> {at} +0000\tcheckout: moving\n")
    };
    let log = [
        line(&"0".repeat(40), &main, 100),
        line(&main, &branch, 200),
        line(&branch, &main, 300),
    ];
    scratch.write(".git/logs/HEAD", log.concat());
    let repository = scratch.open();
    let heads = |from, to| repository.heads_between(from, to, 10);
    let table: [(u64, u64, &[&str]); 6] = [
        (0, 50, &[]),
        (110, 120, &[&main]),
        (210, 220, &[&branch]),
        (190, 210, &[&branch, &main]),
        (310, 900, &[&main]),
        (0, 900, &[&main, &branch]),
    ];
    for (from, to, expected) in table {
        let (from_ms, to_ms) = (from * 1_000, to * 1_000);
        assert_eq!(heads(from_ms, to_ms), expected, "{from}..{to}");
    }
    assert_eq!(repository.heads_between(0, u64::MAX, 1), [main.as_str()]);
    let enters = |path: &str| path.starts_with(".tool");
    let takes = |path: &str| path.ends_with("go.md");
    let found = repository.texts(&branch, &enters, &takes, 5).unwrap();
    assert_eq!(
        found,
        [(".tool/commands/go.md".to_owned(), b"xxxxx".to_vec())]
    );
    assert!(
        repository
            .texts(&main, &enters, &takes, 5)
            .unwrap()
            .is_empty()
    );
    scratch.write(".git/logs/HEAD", "junk\n\tjunk\na b c\n");
    assert!(heads(0, u64::MAX).is_empty());
}
