//! Makes the commit and the tag of a release: the version in every file that has it, and the changelog. Everything is
//! computed and checked before the first file is written, so that a mistake changes nothing.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use crate::archive::VERSION;
use crate::files::put;
use crate::process::{TaskError, read, run};

/// Where the version stands: a file, and the text before it. Every place must be there. `""` stands for the lock files,
/// in which the crates of the workspace have it.
const PLACES: [(&str, &[&str]); 9] = [
    ("Cargo.toml", &["[workspace.package]\nversion = \""]),
    ("Cargo.lock", &[""]),
    ("fuzz/Cargo.lock", &[""]),
    (
        "README.md",
        &[
            "npm/acreta-linux-x64-",
            "npm/acreta-",
            "./acreta_",
            "./acreta-",
        ],
    ),
    ("docs/openapi.json", &["\"version\": \""]),
    ("sdk/js/package.json", &["\"version\": \""]),
    ("sdk/python/pyproject.toml", &["\nversion = \""]),
    ("sdk/rust/template/vendor.toml", &["\nversion = \""]),
    ("CHANGELOG.md", &[]),
];

/// `cargo xtask release VERSION --date YYYY-MM-DD [--sign] [--dry-run]`
pub(crate) fn release(arguments: &[&str]) -> Result<(), TaskError> {
    let (mut version, mut date, mut sign, mut dry_run) = (None, None, false, false);
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        match *word {
            "--date" => date = words.next().copied(),
            "--sign" => sign = true,
            "--dry-run" => dry_run = true,
            word if version.is_none() && !word.starts_with('-') => version = Some(word),
            _ => return Err(TaskError(format!("unknown argument `{word}`"))),
        }
    }
    let usage =
        || TaskError("usage: release VERSION --date YYYY-MM-DD [--sign] [--dry-run]".to_owned());
    let (version, date) = version.zip(date).ok_or_else(usage)?;
    let step = ReleaseStep {
        from: VERSION,
        to: version,
        date,
    };
    step.check()?;
    let root = acreta_plugin_build::workspace_root();
    let git = |arguments: &[&str]| {
        let mut command = Command::new("git");
        command.current_dir(&root).args(arguments);
        command
    };
    let changed = read(&mut git(&["status", "--porcelain"]))?;
    if !changed.is_empty() {
        return Err(TaskError(format!(
            "the tree has changes; commit or stash them first:\n{}",
            changed.trim_end()
        )));
    }
    let tag = format!("v{version}");
    if !read(&mut git(&["tag", "--list", &tag]))?.is_empty() {
        return Err(TaskError(format!("there is a tag `{tag}` already")));
    }
    let mut files = Vec::new();
    for (name, before) in PLACES {
        let path = root.join(name);
        let text = fs::read_to_string(&path).map_err(|error| TaskError::at(&path, &error))?;
        let new = match name {
            "CHANGELOG.md" => step.changelog(&text),
            name => step.in_text(&text, before, name.ends_with(".lock")),
        };
        let new = new.map_err(|problem| TaskError::at(Path::new(name), &problem))?;
        let old: BTreeSet<&str> = text.lines().collect();
        let count = new.lines().filter(|line| !old.contains(line)).count();
        println!("{name}: {count} changed");
        files.push((path, new));
    }
    if dry_run {
        println!("nothing was written; without --dry-run this is committed and tagged `{tag}`");
        return Ok(());
    }
    for (path, text) in &files {
        put(path, text.as_bytes())?;
    }
    let message = format!("Release {version}");
    run(&mut git(&[
        "commit",
        "--quiet",
        "--all",
        "--message",
        &message,
    ]))?;
    let kind = if sign { "--sign" } else { "--annotate" };
    run(&mut git(&["tag", kind, &tag, "--message", &message]))?;
    println!("committed and tagged `{tag}`; `git push --follow-tags` starts the release workflow");
    Ok(())
}

struct ReleaseStep<'a> {
    from: &'a str,
    to: &'a str,
    date: &'a str,
}

impl ReleaseStep<'_> {
    fn check(&self) -> Result<(), TaskError> {
        let (Some(from), Some(to)) = (numbers(self.from), numbers(self.to)) else {
            return Err(TaskError(format!(
                "`{}` is no version MAJOR.MINOR.PATCH",
                self.to
            )));
        };
        // The first release has the version that the repository began with.
        if to < from {
            return Err(TaskError(format!(
                "{} is older than {}",
                self.to, self.from
            )));
        }
        let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let parts: Vec<&str> = self.date.split('-').collect();
        let is_date = parts.iter().map(|part| part.len()).eq([4, 2, 2]);
        if !is_date || !parts.iter().all(|part| digits(part)) {
            return Err(TaskError(format!("`{}` is no date YYYY-MM-DD", self.date)));
        }
        Ok(())
    }

    /// Puts the new version after each of these texts. In a lock file the crates without a source have it.
    fn in_text(&self, text: &str, before: &[&str], is_lock: bool) -> Result<String, String> {
        if is_lock {
            return Ok(self.in_lock(text));
        }
        let mut text = text.to_owned();
        for before in before {
            let (old, new) = (
                format!("{before}{}", self.from),
                format!("{before}{}", self.to),
            );
            if !text.contains(&old) {
                return Err(format!("`{}` is not in it", old.escape_debug()));
            }
            text = text.replace(&old, &new);
        }
        Ok(text)
    }

    fn in_lock(&self, text: &str) -> String {
        let (old, new) = (
            format!("version = \"{}\"\n", self.from),
            format!("version = \"{}\"\n", self.to),
        );
        let packages = text.split("[[package]]\n").map(|package| {
            match package.contains("\nsource = ") || !package.starts_with("name = ") {
                true => package.to_owned(),
                false => package.replacen(&old, &new, 1),
            }
        });
        packages.collect::<Vec<_>>().join("[[package]]\n")
    }

    /// Turns *Unreleased* into the version, with an empty *Unreleased* above it.
    fn changelog(&self, text: &str) -> Result<String, String> {
        const HEAD: &str = "\n## Unreleased\n";
        let heading = format!("\n## {} ", self.to);
        if text.contains(&heading) {
            return Err(format!("it has `{}` already", heading.trim()));
        }
        let (before, after) = text.split_once(HEAD).ok_or("it has no `## Unreleased`")?;
        let body = after.split("\n## ").next().unwrap_or_default();
        if !body.contains("\n- ") {
            return Err("*Unreleased* is empty".to_owned());
        }
        Ok(format!("{before}{HEAD}{heading}- {}\n{after}", self.date))
    }
}

fn numbers(version: &str) -> Option<[u64; 3]> {
    let parts: Option<Vec<u64>> = version.split('.').map(|part| part.parse().ok()).collect();
    parts?.try_into().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: ReleaseStep<'_> = ReleaseStep {
        from: "0.1.0",
        to: "0.2.0",
        date: "2026-12-01",
    };

    #[test]
    fn only_a_later_version_with_a_date_is_released() {
        let cases = [
            ("0.1.0", "2026-12-01", None),
            ("0.1.1", "2026-12-01", None),
            ("0.0.9", "2026-12-01", Some("older")),
            ("v0.2.0", "2026-12-01", Some("no version")),
            ("0.2", "2026-12-01", Some("no version")),
            ("0.2.0", "today", Some("no date")),
            ("0.2.0", "2026-1-01", Some("no date")),
        ];
        for (to, date, problem) in cases {
            let step = ReleaseStep { to, date, ..STEP };
            match (step.check(), problem) {
                (Ok(()), None) => {}
                (Err(TaskError(message)), Some(problem)) => {
                    assert!(message.contains(problem), "{to} {date}: {message}");
                }
                _ => panic!("{to} {date}"),
            }
        }
    }

    #[test]
    fn the_changelog_gets_a_section_of_its_own() {
        let text = "# Changelog\n\n## Unreleased\n\n### Added\n- One\n";
        let new = STEP.changelog(text).unwrap();
        let expected =
            "# Changelog\n\n## Unreleased\n\n## 0.2.0 - 2026-12-01\n\n### Added\n- One\n";
        assert_eq!(new, expected);
        for (text, problem) in [
            (new.as_str(), "already"),
            (
                "# Changelog\n\n## Unreleased\n\n## 0.1.0 - x\n\n- One\n",
                "empty",
            ),
            ("# Changelog\n", "no `## Unreleased`"),
        ] {
            assert!(
                STEP.changelog(text).unwrap_err().contains(problem),
                "{text}"
            );
        }
    }

    #[test]
    fn a_lock_file_keeps_the_versions_of_others() {
        let own = "[[package]]\nname = \"acreta\"\nversion = \"0.1.0\"\ndependencies = [\n \"other 0.1.0\",\n]\n\n";
        let other = "[[package]]\nname = \"other\"\nversion = \"0.1.0\"\nsource = \"x\"\n";
        let text = format!("version = 4\n\n{own}{other}");
        let new = STEP.in_lock(&text);
        let expected = own.replace("version = \"0.1.0\"", "version = \"0.2.0\"");
        assert_eq!(new, format!("version = 4\n\n{expected}{other}"));
    }

    #[test]
    fn every_place_has_the_version_of_today() {
        let root = acreta_plugin_build::workspace_root();
        let step = ReleaseStep {
            from: VERSION,
            to: "987.6.5",
            date: "2026-12-01",
        };
        for (name, before) in PLACES {
            let text = fs::read_to_string(root.join(name)).unwrap();
            let new = match name {
                "CHANGELOG.md" => step.changelog(&text),
                name => step.in_text(&text, before, name.ends_with(".lock")),
            };
            assert!(new.unwrap().contains("987.6.5"), "{name}");
        }
    }
}
