//! Folders and projects that a person excluded: none of their sessions is archived or processed. A session file that
//! its path alone identifies is not opened; for other files the adapter is asked for their sessions, and excluded ones
//! are dropped.

use acreta_fs::canonical;
use acreta_session_archive::{DirectoryFacts, KnownProject, resolve};
use acreta_types::Session;
use camino::{Utf8Path, Utf8PathBuf};

/// Excluded folders, with everything below them.
#[derive(Debug, Clone, Default)]
pub struct Excluded {
    /// As named and, if different, with links resolved.
    folders: Vec<Utf8PathBuf>,
}

impl Excluded {
    /// Creates a set from absolute paths.
    pub fn new(named: impl IntoIterator<Item = Utf8PathBuf>) -> Self {
        let mut folders = Vec::new();
        for folder in named {
            let resolved = canonical(&folder).ok();
            folders.extend(resolved.filter(|resolved| *resolved != folder));
            folders.push(folder);
        }
        Self { folders }
    }

    pub fn is_empty(&self) -> bool {
        self.folders.is_empty()
    }

    /// Returns true if a path is an excluded folder or inside one.
    pub fn has(&self, path: &Utf8Path) -> bool {
        self.folders.iter().any(|folder| path.starts_with(folder))
    }

    /// Returns true if a session file is in an excluded folder, or in one that an agent named after an excluded
    /// project.
    pub fn has_file(&self, file: &Utf8Path) -> bool {
        self.has(file)
            || !self.is_empty()
                && (file.parent().into_iter())
                    .flat_map(Utf8Path::components)
                    .any(|part| self.is_named(DirectoryFacts::Slug(part.as_str().to_owned())))
    }

    /// Returns true if a session ran in an excluded folder. If its agent recorded no directory, the agent's slug or
    /// digest of the excluded folder itself is compared.
    pub fn has_session(&self, session: &Session) -> bool {
        let attr = |name| session.attrs.get(name).map(str::to_owned);
        match &session.project_dir {
            Some(directory) => self.has(Utf8Path::new(directory)),
            None => {
                let slug = attr("project_slug").map(DirectoryFacts::Slug);
                let digest = attr("project_digest").map(DirectoryFacts::Hash);
                let mut facts = slug.into_iter().chain(digest);
                facts.any(|facts| self.is_named(facts))
            }
        }
    }

    fn is_named(&self, facts: DirectoryFacts) -> bool {
        self.folders.iter().any(|folder| {
            let project = KnownProject {
                id: String::new(),
                root: folder.clone(),
                former_paths: Vec::new(),
            };
            resolve(&facts, &[project]).is_some()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_in_an_excluded_folder_is_excluded() {
        let excluded = Excluded::new(["/srv/clients".into(), "/home/me/diary".into()]);
        let table = [
            ("/srv/clients", true),
            ("/srv/clients/one/src", true),
            ("/srv/clients-old", false),
            ("/work", false),
        ];
        for (path, expected) in table {
            assert_eq!(excluded.has(Utf8Path::new(path)), expected, "{path}");
        }
        let files = [
            ("/home/me/.claude/projects/-home-me-diary/a.jsonl", true),
            (
                "/home/me/.claude/projects/-home-me-diary-two/a.jsonl",
                false,
            ),
            ("/home/me/diary/.aider.chat.history.md", true),
            ("/home/me/.claude/projects/-home-me/-home-me-diary", false),
        ];
        for (file, expected) in files {
            assert_eq!(excluded.has_file(Utf8Path::new(file)), expected, "{file}");
        }
        assert!(!Excluded::default().has_file(Utf8Path::new("/home/me/a.jsonl")));
    }
}
