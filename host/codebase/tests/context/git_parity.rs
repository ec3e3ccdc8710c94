//! Deltas agree with git: after each of many random edits, `delta` against an artifact built at a clean commit equals
//! `git status --porcelain -uall --no-renames`.

use std::os::unix::fs::PermissionsExt;

use camino::{Utf8Path, Utf8PathBuf};

use crate::support::{Chance, Project, changes, git, system_clock, verbose};

const STEPS: usize = 200;

#[test]
fn two_hundred_edits_are_told_as_git_tells_them() {
    for seed in [1, 2] {
        let project = Project::with(&[
            (".gitignore", "*.log\nbuild/\n/only-here\n!keep.log\n"),
            ("docs/.gitignore", "draft-*\n"),
            ("logs/forced.log", "tracked though ignored\n"),
            ("build/forced/out.txt", "tracked in an ignored folder\n"),
            ("node_modules/tracked/index.js", "module.exports = 1\n"),
            (".env", "TOKEN=never-opened\n"),
            ("name with space/ümläut.txt", "a name\n"),
        ]);
        for number in 0..60 {
            let path = format!("src/area{}/file{number}.py", number % 7);
            project.write(&path, &format!("value = {number}\n"));
        }
        std::os::unix::fs::symlink("src/area0/file0.py", project.root.join("link")).unwrap();
        project.git(&["init", "-q"]);
        project.git(&["add", "-A", "-f"]);
        project.git(&["commit", "-q", "-m", "clean"]);
        series(&project.root, &project.cache, seed);
    }
}

/// Like the test above, on a checkout named by the environment; it is cloned, not edited.
#[test]
fn edits_of_a_given_checkout_are_told_as_git_tells_them() {
    #[expect(
        clippy::disallowed_methods,
        reason = "a person names a checkout to try, no code does"
    )]
    let Ok(given) = std::env::var("ACRETA_CONTEXT_CHECKOUT") else {
        acreta_testing::skip(acreta_testing::CHECKOUT, "no checkout is named");
        return;
    };
    let project = Project::new();
    let clone = project.root.join("clone");
    git(
        &project.root,
        &["clone", "-q", "--shared", &given, clone.as_str()],
    );
    series(&clone, &project.cache, 3);
}

fn series(root: &Utf8Path, cache: &Utf8Path, seed: u64) {
    let options = acreta_codebase::ContextOptions::new(cache.to_owned(), system_clock());
    let context = acreta_codebase::Context::open(options).unwrap();
    let explored = context.explore(root, &verbose(), None).unwrap();
    let unopened: Vec<&str> = explored
        .stats
        .skipped
        .iter()
        .map(|skipped| skipped.path.as_str())
        .collect();
    let tracked: Vec<String> = git(root, &["ls-files", "-z"])
        .split('\0')
        .filter(|path| !path.is_empty() && root.join(path).symlink_metadata().is_ok())
        .map(ToOwned::to_owned)
        .collect();
    let mut chance = Chance(seed);
    let mut done = Vec::new();
    for step in 0..STEPS {
        done.push(edit(root, &tracked, &mut chance, step));
        let mut told = changes(&context.delta(root, &verbose()).unwrap());
        let expected = status(root);
        // Sensitive files are reported whenever they were written, even if the content is the same.
        told.retain(|change| expected.contains(change) || !unopened.contains(&change.1.as_str()));
        let recent = &done[done.len().saturating_sub(5)..];
        assert_eq!(told, expected, "seed {seed}, step {step}: {recent:?}");
    }
}

fn status(root: &Utf8Path) -> Vec<(char, String)> {
    let output = git(
        root,
        &["status", "--porcelain", "-z", "-uall", "--no-renames"],
    );
    let mut told: Vec<(char, String)> = output
        .split('\0')
        .filter(|line| line.len() > 3)
        .map(|line| {
            let change = match &line[..2] {
                "??" => 'A',
                code if code.contains('D') => 'D',
                _ => 'M',
            };
            (change, line[3..].to_owned())
        })
        .collect();
    told.sort();
    told
}

/// Makes one random change and returns its description, for failure messages.
#[expect(
    clippy::disallowed_methods,
    reason = "the disk is the input of these tests"
)]
fn edit(root: &Utf8Path, tracked: &[String], chance: &mut Chance, step: usize) -> String {
    let files: Vec<&String> = tracked
        .iter()
        .filter(|path| {
            root.join(path)
                .symlink_metadata()
                .is_ok_and(|found| found.is_file())
        })
        .collect();
    let any = |chance: &mut Chance| -> Utf8PathBuf {
        match files.get(chance.below(files.len())) {
            Some(path) => root.join(path),
            None => root.join("nothing-left.txt"),
        }
    };
    let path = any(chance);
    let write = |path: &Utf8Path, bytes: &[u8]| {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let content = || std::fs::read(&path).unwrap_or_default();
    match chance.below(14) {
        0 => {
            write(
                &path,
                &[content(), format!("# {step}\n").into_bytes()].concat(),
            );
            format!("append to {path}")
        }
        1 | 2 => {
            // Same size and modification time: only the system's own change time differs.
            let before = path.metadata().and_then(|found| found.modified());
            let mut bytes = content();
            if let Some(last) = bytes.last_mut() {
                *last = b'a' + (step % 26) as u8;
            }
            write(&path, &bytes);
            if let Ok(before) = before {
                let file = std::fs::File::options().append(true).open(&path).unwrap();
                file.set_modified(before).unwrap();
            }
            format!("rewrite {path} with its size and time")
        }
        3 => {
            // Touching a file is not a change.
            write(&path, &content());
            format!("touch {path}")
        }
        4 => {
            std::fs::remove_file(&path).ok();
            format!("remove {path}")
        }
        5 => {
            let to = root.join(format!("moved{}/renamed{step}.py", step % 3));
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::rename(&path, &to).ok();
            format!("rename {path} to {to}")
        }
        6 | 7 => {
            let to = root.join(format!("new/deep{}/added{step}.py", step % 4));
            write(&to, format!("added = {step}\n").as_bytes());
            format!("add {to}")
        }
        8 => {
            let name = [
                "noise.log",
                "build/made.txt",
                "docs/draft-1",
                "only-here",
                "keep.log",
            ];
            let to = root.join(name[chance.below(name.len())]);
            write(&to, format!("{step}").as_bytes());
            format!("write {to}")
        }
        9 => {
            git(root, &["checkout", "-q", "--", "."]);
            "restore everything tracked".to_owned()
        }
        10 => {
            let to = root.join(".gitignore");
            let line = ["*.tmp", "new/", "src/area1/", "moved1"][chance.below(4)];
            let text = std::fs::read_to_string(&to).unwrap_or_default();
            write(&to, format!("{text}{line}\n").as_bytes());
            format!("ignore {line}")
        }
        11 => {
            let mut permissions = path.metadata().map_or_else(
                |_| std::fs::Permissions::from_mode(0o644),
                |found| found.permissions(),
            );
            permissions.set_mode(permissions.mode() ^ 0o111);
            std::fs::set_permissions(&path, permissions).ok();
            format!("change the mode of {path}")
        }
        12 => {
            // A file becomes a folder.
            if std::fs::remove_file(&path).is_ok() {
                write(&path.join("inner.txt"), b"inner\n");
            }
            format!("make {path} a folder")
        }
        _ => {
            std::fs::remove_dir_all(root.join("new")).ok();
            "remove the folder of what was added".to_owned()
        }
    }
}
