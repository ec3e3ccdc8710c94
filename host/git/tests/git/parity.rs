//! Changes since a revision equal those of `git diff --name-status -M` and `git ls-files --others`, after each of many
//! random edits, commits and renames.

use std::os::unix::fs::PermissionsExt;

use crate::support::{Chance, ScratchRepository, lines};

/// Returns git's report, as lines.
fn expected(scratch: &ScratchRepository, revision: &str) -> Vec<String> {
    let diff = scratch.git(&["diff", "-z", "--name-status", "-M", revision]);
    let mut fields = diff.split('\0').filter(|field| !field.is_empty());
    let mut expected = Vec::new();
    while let (Some(status), Some(path)) = (fields.next(), fields.next()) {
        expected.push(match &status[..1] {
            "R" => format!("R {path} {}", fields.next().unwrap()),
            "A" => format!("A {path}"),
            "D" => format!("D {path}"),
            _ => format!("M {path}"),
        });
    }
    let others = scratch.git(&["ls-files", "-z", "--others", "--exclude-standard"]);
    let others = others.split('\0').filter(|path| !path.is_empty());
    expected.extend(others.map(|path| format!("A {path}")));
    expected.sort();
    expected
}

fn content(chance: &mut Chance) -> String {
    let lines = 2 + chance.below(30);
    (0..lines)
        .map(|_| format!("line {}\n", chance.below(40)))
        .collect()
}

#[expect(clippy::disallowed_methods, reason = "the disk is the input of tests")]
fn edit(scratch: &ScratchRepository, chance: &mut Chance, step: usize) {
    let tracked: Vec<String> = scratch
        .git(&["ls-files", "-z"])
        .split('\0')
        .filter(|path| !path.is_empty())
        .map(ToOwned::to_owned)
        .collect();
    let any = tracked.get(chance.below(tracked.len())).cloned();
    let any = any.unwrap_or_else(|| "a.txt".to_owned());
    let path = scratch.root.join(&any);
    // An earlier step may have replaced it with a folder.
    let put = |path: &str, text: String| {
        if !scratch.root.join(path).is_dir() {
            scratch.write(path, text);
        }
    };
    match chance.below(12) {
        0 | 1 => {
            let mut text = std::fs::read_to_string(&path).unwrap_or_default();
            text.push_str(&format!("more {step}\n"));
            put(&any, text);
        }
        2 => drop(std::fs::remove_file(&path)),
        3 => {
            let text = content(chance);
            put(&format!("new{}/n{step}.txt", step % 3), text);
        }
        4 => {
            let to = format!("moved{}/{}", step % 4, any.rsplit('/').next().unwrap());
            std::fs::create_dir_all(scratch.root.join(&to).parent().unwrap()).unwrap();
            drop(std::fs::rename(&path, scratch.root.join(to)));
        }
        5 => {
            if let Ok(found) = path.symlink_metadata()
                && found.is_file()
            {
                let mode = found.permissions().mode() ^ 0o111;
                std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
            }
        }
        6 => {
            scratch.git(&["add", "-A"]);
        }
        7 => scratch.commit(&format!("step {step}")),
        8 => {
            // A link in place of a file.
            if std::fs::remove_file(&path).is_ok() {
                std::os::unix::fs::symlink("nowhere", &path).unwrap();
            }
        }
        9 => {
            if std::fs::remove_file(&path).is_ok() {
                put(&format!("{any}/inner.txt"), "inner\n".to_owned());
            }
        }
        10 => {
            let line = ["*.log", "new1/", "/moved2", "!keep.log"][chance.below(4)];
            put("sub/.gitignore", format!("{line}\n"));
            put("sub/x.log", "log\n".to_owned());
        }
        _ => {
            // Staged with one content, on disk with another.
            if path.symlink_metadata().is_ok_and(|found| found.is_file()) {
                put(&any, format!("staged {step}\n"));
                scratch.git(&["add", "-A"]);
                put(&any, format!("on disk {step}\n"));
            }
        }
    }
}

#[test]
fn changes_since_a_revision_are_gits() {
    for seed in 1..=4 {
        let mut chance = Chance(seed);
        let scratch = ScratchRepository::repository();
        for number in 0..25 {
            let text = content(&mut chance);
            scratch.write(&format!("src/d{}/f{number}.txt", number % 5), text);
        }
        scratch.commit("first");
        scratch.git(&["tag", "start"]);
        for step in 0..60 {
            edit(&scratch, &mut chance, step);
            for revision in ["HEAD", "start"] {
                let told = scratch.changes(revision);
                assert_eq!(
                    told,
                    expected(&scratch, revision),
                    "seed {seed}, step {step}, since {revision}"
                );
            }
        }
    }
}

#[test]
fn a_folder_of_a_repository_is_told_by_itself() {
    let scratch = ScratchRepository::repository();
    scratch.write(".gitignore", "*.log\n");
    scratch.write("part/a.txt", "a\n");
    scratch.write("part/deep/b.txt", "b\n");
    scratch.write("other/c.txt", "c\n");
    scratch.commit("first");
    scratch.write("part/a.txt", "changed\n");
    scratch.write("part/new.txt", "new\n");
    scratch.write("part/x.log", "ignored from above\n");
    scratch.write("other/c.txt", "changed\n");
    let repository = scratch.open();
    let head = repository.head().unwrap();
    let told = repository.changes_since(&head, "part/", None).unwrap();
    assert_eq!(lines(told), ["A new.txt", "M a.txt"]);
}

/// Renames by content: half the lines stay, the name stays, or neither.
#[test]
fn renames_are_gits() {
    let scratch = ScratchRepository::repository();
    let mut chance = Chance(7);
    let text: Vec<String> = (0..12).map(|_| content(&mut chance)).collect();
    for (number, text) in text.iter().enumerate() {
        scratch.write(&format!("old/f{number}.txt"), text);
    }
    scratch.commit("first");
    scratch.git(&["mv", "old", "kept"]);
    for (number, text) in text.iter().enumerate() {
        let lines: Vec<&str> = text.lines().collect();
        let keep = lines.len() * (number + 1) / 13;
        let mut changed: String = lines[..keep].join("\n");
        for line in 0..lines.len() - keep {
            changed.push_str(&format!("\nother {number} {line}"));
        }
        scratch.write(&format!("kept/f{number}.txt"), changed);
        if number % 3 == 0 {
            let to = format!("kept/renamed{number}.txt");
            scratch.git(&["mv", "-f", &format!("kept/f{number}.txt"), &to]);
        }
    }
    scratch.git(&["add", "-A"]);
    let told = scratch.changes("HEAD");
    assert_eq!(told, expected(&scratch, "HEAD"));
    assert!(told.iter().any(|line| line.starts_with('R')), "{told:?}");
    assert!(told.iter().any(|line| line.starts_with('D')), "{told:?}");
}

#[test]
fn revisions_are_resolved_as_git_resolves_them() {
    let scratch = ScratchRepository::repository();
    for step in 0..6 {
        scratch.write("a.txt", format!("{step}\n"));
        scratch.commit(&format!("step {step}"));
    }
    scratch.git(&["tag", "-a", "v1", "-m", "tagged", "HEAD~2"]);
    scratch.git(&["tag", "-a", "v2", "-m", "a tag of a tag", "v1"]);
    scratch.git(&["checkout", "-q", "-b", "side/branch", "HEAD~3"]);
    scratch.write("b.txt", "b\n");
    scratch.commit("side");
    scratch.git(&["checkout", "-q", "main"]);
    scratch.git(&["merge", "-q", "--no-edit", "side/branch"]);
    let rev_parse = |revision: &str| {
        let commit = format!("{revision}^{{commit}}");
        scratch.git(&["rev-parse", &commit]).trim().to_owned()
    };
    let long = rev_parse("HEAD~1");
    for packed in [false, true] {
        if packed {
            scratch.git(&["pack-refs", "--all"]);
            scratch.git(&["gc", "-q"]);
        }
        let repository = scratch.open();
        for revision in [
            "HEAD",
            "@",
            "main",
            "HEAD~2",
            "HEAD^",
            "HEAD^2",
            "HEAD^2~1",
            "HEAD^^",
            "v1",
            "v2",
            "v1~1",
            "refs/tags/v1",
            "tags/v1",
            "heads/main",
            "side/branch",
            "v2^{}",
            "HEAD^{commit}",
            "HEAD^0",
            &long,
            &long[..8],
            "v1-0-g0000",
        ] {
            let told = repository.resolve(revision).ok();
            if revision == "v1-0-g0000" {
                assert_eq!(told, None);
                continue;
            }
            assert_eq!(
                told,
                Some(rev_parse(revision)),
                "{revision}, packed {packed}"
            );
        }
        for revision in [
            "",
            "nothing",
            "HEAD~100",
            "HEAD^3",
            "--output=/tmp/x",
            "-1",
            "../../HEAD",
            "config",
            "HEAD^{tree}",
            "HEAD:a.txt",
            ":/step",
            "@{1}",
            "refs/../HEAD",
            "index",
            "~",
            "^",
            "0000",
            "ffffffffffffffffffffffffffffffffffffffff",
        ] {
            assert!(repository.resolve(revision).is_err(), "{revision}");
        }
    }
}

#[test]
fn files_are_those_of_ls_files() {
    let scratch = ScratchRepository::repository();
    scratch.write(".gitignore", "build/\n*.tmp\n!keep.tmp\n");
    scratch.write("src/a.rs", "a");
    scratch.write("build/forced.txt", "tracked though ignored");
    scratch.git(&["add", "-A", "-f"]);
    scratch.git(&["commit", "-q", "-m", "first"]);
    scratch.write("src/new.rs", "new");
    scratch.write("src/x.tmp", "ignored");
    scratch.write("src/keep.tmp", "kept");
    scratch.write("build/out.txt", "ignored");
    scratch.write(".git/info/exclude", "secret*\n");
    scratch.write("secret.txt", "excluded");
    std::os::unix::fs::symlink("/etc", scratch.root.join("link")).unwrap();
    let listed = scratch.git(&["ls-files", "-z", "-c", "-o", "--exclude-standard"]);
    let mut listed: Vec<&str> = listed.split('\0').filter(|path| !path.is_empty()).collect();
    listed.sort_unstable();
    assert_eq!(scratch.open().files(None).unwrap(), listed);
    let tree = scratch.git(&["ls-tree", "-r", "-z", "--name-only", "HEAD"]);
    let tree: Vec<&str> = tree.split('\0').filter(|path| !path.is_empty()).collect();
    let head = scratch.open().head().unwrap();
    let told = scratch.open().tree(&head).unwrap();
    let told: Vec<&str> = told.iter().map(|file| &*file.path).collect();
    assert_eq!(told, tree);
}
