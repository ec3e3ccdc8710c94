//! Drafts with one defect. Each starts from an honest draft, so that a host that accepts it has missed exactly that
//! defect.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;

use acreta_sdk::memory_writer::{Failure, Written};
use hostile_attacks::Order;

use crate::failure;
use crate::spoil;

/// Every attack of [`spoil`].
pub const DRAFT_ATTACKS: &[&str] = &[
    "draft-bad-front-matter",
    "draft-dotdot",
    "draft-extra",
    "draft-fifo",
    "draft-hardlink",
    "draft-missing",
    "draft-odd-names",
    "draft-other-folder",
    "draft-overwrite",
    "draft-sparse",
    "draft-symlink",
    "draft-symlink-folder",
    "draft-too-large",
    "draft-too-many",
    "draft-unreported",
    "draft-wrong-id",
];

/// Names that no memory may have, for `draft-odd-names`; `variant` picks one, otherwise all are used.
pub const ODD_NAMES: &[&str] = &[
    "decisions/..md",
    "decisions/.md",
    "decisions/.hidden.md",
    "decisions/a b.md",
    "decisions/UPPER.md",
    "decisions/20260220-Upper.md",
    "decisions/-rf.md",
    "decisions/con.md",
    "decisions/COM\u{b9}.md",
    "decisions/20260220-x.MD",
    "decisions/20260220-x.md.txt",
    "decisions/20260220-x",
    "decisions/20260220-x.md~",
    "decisions/20260220-line\nbreak.md",
    "decisions/20260220-\u{1b}[31mred.md",
    "decisions/20260220-\u{202e}dm.md",
    "decisions/20260220-caf\u{e9}.md",
    "decisions/20260220-cafe\u{301}.md",
    "decisions/20260220-back\\slash.md",
    "decisions/20260220-colon:stream.md",
    "decisions/deep/20260220-x.md",
    "decisions/20260220-folder.md/",
    "20260220-top.md",
    "meta/state/20260220-x.md",
    "decisions\u{2215}20260220-x.md",
];

/// Returns a name that is too long: 240 letters and the extension.
fn long_name() -> String {
    format!("decisions/20260220-{}.md", "n".repeat(230))
}

/// Spoils an honest draft as ordered, and returns what was written.
pub(crate) fn spoil(
    root: &Path,
    order: &Order,
    mut written: Vec<Written>,
) -> Result<Vec<Written>, Failure> {
    let variant = order.variant.as_deref();
    let Some(first) = written.first_mut() else {
        return Err(failure(
            "report",
            "noted there is nothing to spoil".to_owned(),
        ));
    };
    let spoilt = match order.attack.as_str() {
        "draft-bad-front-matter" => spoil::front_matter(&root.join(&first.path), variant),
        "draft-dotdot" => {
            let folder = first.path.split('/').next().unwrap_or_default();
            first.path = match variant {
                Some(path) => path.to_owned(),
                None => format!("{folder}/../{}", first.path),
            };
            Ok(())
        }
        "draft-extra" => copy(root, &first.path, "decisions/20260220-nobody-asked.md"),
        "draft-fifo" => {
            let report = "noted WASI has no call that makes a pipe, a socket or a device";
            return Err(failure("report", report.to_owned()));
        }
        "draft-hardlink" => {
            let twin = root.join("decisions/20260220-twin.md");
            make_parent(&twin).and_then(|()| fs::hard_link(root.join(&first.path), twin))
        }
        "draft-missing" => remove(&root.join(&first.path)),
        "draft-odd-names" => odd_names(root, variant, first),
        "draft-other-folder" => {
            let name = first.path.rsplit('/').next().unwrap_or_default();
            let other = if first.path.starts_with("summaries/") {
                format!("decisions/{name}")
            } else {
                format!("archived/{}", first.path)
            };
            move_to(root, first, variant.unwrap_or(&other))
        }
        "draft-overwrite" => move_to(
            root,
            first,
            variant.unwrap_or("decisions/20260101-victim.md"),
        ),
        "draft-sparse" => sparse(&root.join("decisions/20260220-sparse.md")),
        "draft-symlink" => link_instead(root, first, &order.victim),
        "draft-symlink-folder" => link_folder(root, first),
        "draft-too-large" => too_large(&root.join("decisions/20260220-large.md")),
        "draft-too-many" => too_many(root, &first.path),
        "draft-unreported" => {
            let path = root.join(&first.path);
            written.remove(0);
            remove(&path)
        }
        "draft-wrong-id" => spoil::id(&root.join(&first.path)),
        other => return Err(failure("unknown-attack", other.to_owned())),
    };
    match spoilt {
        Ok(()) => Ok(written),
        Err(cause) => Err(failure(
            "report",
            format!("refused {}: {cause:?}", order.attack),
        )),
    }
}

fn odd_names(root: &Path, variant: Option<&str>, first: &mut Written) -> io::Result<()> {
    if let Some(name) = variant {
        return move_to(root, first, name);
    }
    let long = long_name();
    for name in ODD_NAMES.iter().copied().chain([long.as_str()]) {
        copy(root, &first.path, name)?;
    }
    Ok(())
}

/// Replaces a file by a link to the victim.
fn link_instead(root: &Path, first: &Written, victim: &str) -> io::Result<()> {
    let path = root.join(&first.path);
    remove(&path)?;
    let target = format!("{}{}", "../".repeat(12), victim.trim_start_matches('/'));
    link(&target, &path)
}

/// Moves a folder aside and replaces it by a link. The link stays within the draft.
fn link_folder(root: &Path, first: &Written) -> io::Result<()> {
    let folder = first.path.split('/').next().unwrap_or_default();
    rename(&root.join(folder), &root.join("aside"))?;
    link("aside", &root.join(folder))
}

fn too_large(path: &Path) -> io::Result<()> {
    make_parent(path)?;
    let mut file = File::create(path)?;
    let chunk = vec![b'x'; 1024 * 1024];
    for _ in 0..100 {
        file.write_all(&chunk)?;
    }
    Ok(())
}

/// Creates a sparse file of a terabyte.
fn sparse(path: &Path) -> io::Result<()> {
    make_parent(path)?;
    File::create(path)?.set_len(1 << 40)
}

fn too_many(root: &Path, file: &str) -> io::Result<()> {
    for number in 0..20_000 {
        copy(
            root,
            file,
            &format!("decisions/20260220-one-of-many-{number}.md"),
        )?;
    }
    Ok(())
}

fn move_to(root: &Path, first: &mut Written, path: &str) -> io::Result<()> {
    let to = root.join(path);
    if path.ends_with('/') {
        fs::create_dir_all(&to)?;
    } else {
        make_parent(&to)?;
        rename(&root.join(&first.path), &to)?;
    }
    first.path = path.to_owned();
    Ok(())
}

fn copy(root: &Path, from: &str, path: &str) -> io::Result<()> {
    let to = root.join(path);
    if path.ends_with('/') {
        return fs::create_dir_all(to);
    }
    make_parent(&to)?;
    File::create(to)?.write_all(&fs::read(root.join(from))?)
}

fn make_parent(path: &Path) -> io::Result<()> {
    path.parent().map_or(Ok(()), fs::create_dir_all)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a guest has nothing but its standard library"
)]
fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

#[expect(
    clippy::disallowed_methods,
    reason = "a guest has nothing but its standard library"
)]
fn remove(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

#[expect(
    deprecated,
    reason = "the only call for it that is stable on every system"
)]
fn link(target: &str, path: &Path) -> io::Result<()> {
    fs::soft_link(target, path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HONEST: &str = "---\nid: 01A\ntitle: T\n---\n\n# T\n";

    fn spoilt(
        attack: &str,
        variant: Option<&str>,
    ) -> (tempfile::TempDir, Result<Vec<Written>, Failure>) {
        let root = tempfile::tempdir().unwrap();
        let path = "decisions/20260220-honest.md";
        make_parent(&root.path().join(path)).unwrap();
        let mut file = File::create(root.path().join(path)).unwrap();
        file.write_all(HONEST.as_bytes()).unwrap();
        let written = vec![Written {
            action_id: "a-1".to_owned(),
            path: path.to_owned(),
            attrs: Vec::new(),
        }];
        let order = Order {
            attack: attack.to_owned(),
            victim: "/etc/passwd".to_owned(),
            stage: None,
            variant: variant.map(str::to_owned),
        };
        let result = spoil(root.path(), &order, written);
        (root, result)
    }

    #[cfg(unix)]
    fn is_as_honest_as_before(root: &Path, written: &[Written]) -> bool {
        let files = walk(root);
        let honest = "decisions/20260220-honest.md";
        let text = fs::read_to_string(root.join(honest)).unwrap_or_default();
        files == [honest] && text == HONEST && written.len() == 1 && written[0].path == honest
    }

    #[cfg(unix)]
    fn walk(root: &Path) -> Vec<String> {
        let mut found = Vec::new();
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let entry = entry.unwrap();
                if entry.file_type().unwrap().is_dir() {
                    folders.push(entry.path());
                } else {
                    found.push(
                        entry
                            .path()
                            .strip_prefix(root)
                            .unwrap()
                            .display()
                            .to_string(),
                    );
                }
            }
        }
        found
    }

    #[cfg(unix)]
    #[test]
    fn every_attack_spoils_the_draft() {
        for attack in DRAFT_ATTACKS
            .iter()
            .filter(|attack| **attack != "draft-fifo")
        {
            let (root, result) = spoilt(attack, None);
            let written = result.unwrap_or_else(|failure| panic!("{attack}: {}", failure.message));
            assert!(!is_as_honest_as_before(root.path(), &written), "{attack}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn every_odd_name_can_be_made() {
        let long = long_name();
        for name in ODD_NAMES.iter().copied().chain([long.as_str()]) {
            let (root, result) = spoilt("draft-odd-names", Some(name));
            assert_eq!(result.unwrap()[0].path, name);
            assert!(root.path().join(name).exists(), "{name:?}");
        }
    }

    #[test]
    fn every_bad_front_matter_differs_from_an_honest_one() {
        for variant in spoil::BAD_FRONT_MATTER {
            let (root, result) = spoilt("draft-bad-front-matter", Some(variant));
            assert_eq!(result.unwrap().len(), 1);
            let bytes = fs::read(root.path().join("decisions/20260220-honest.md")).unwrap();
            assert_ne!(bytes, HONEST.as_bytes(), "{variant}");
        }
    }

    #[test]
    fn an_unknown_attack_is_no_honest_draft() {
        let (_root, result) = spoilt("draft-of-the-devil", None);
        assert_eq!(result.unwrap_err().code, "unknown-attack");
    }
}
