//! The list of trusted projects. Settings of a trusted project apply, except those that belong to the user alone. The
//! list is stored outside of every project, readable by its owner only, and holds canonical paths.

use acreta_fs::canonical;
use camino::{Utf8Path, Utf8PathBuf};
use toml_edit::{Array, DocumentMut, Item, value};

use crate::ConfigError;
use crate::file::{self, LinkPolicy};

const HEADER: &str = "# Projects whose settings apply, except those reserved for your own config; managed by `acreta project trust`.\n";
const PROJECTS: &str = "projects";

/// The list of trusted projects.
#[derive(Debug, Clone)]
pub struct TrustStore {
    file: Utf8PathBuf,
    projects: Vec<Utf8PathBuf>,
}

impl TrustStore {
    /// Reads the list; a missing file is an empty list.
    pub fn load(file: &Utf8Path) -> Result<Self, ConfigError> {
        let mut projects = Vec::new();
        if let Some(text) = file::read(file, LinkPolicy::Followed)? {
            let document = file::parse(file, text)?;
            let listed = document.as_table().get(PROJECTS).and_then(Item::as_array);
            let listed = listed
                .into_iter()
                .flatten()
                .filter_map(toml_edit::Value::as_str);
            projects.extend(listed.map(Utf8PathBuf::from));
        }
        Ok(Self {
            file: file.to_owned(),
            projects,
        })
    }

    pub fn projects(&self) -> &[Utf8PathBuf] {
        &self.projects
    }

    /// Returns whether a project is on the list. A project that does not exist is never trusted.
    pub fn is_trusted(&self, project: &Utf8Path) -> bool {
        canonical(project).is_ok_and(|project| self.projects.contains(&project))
    }

    /// Adds a project to the list; returns whether it was added.
    pub fn trust(&mut self, project: &Utf8Path) -> Result<bool, ConfigError> {
        let project = canonical(project)?;
        if self.projects.contains(&project) {
            return Ok(false);
        }
        let mut projects = self.projects.clone();
        projects.push(project);
        projects.sort();
        self.store(projects)?;
        Ok(true)
    }

    /// Removes a project from the list, even if its folder no longer exists; returns whether it was listed.
    pub fn revoke(&mut self, project: &Utf8Path) -> Result<bool, ConfigError> {
        let project = canonical(project).unwrap_or_else(|_| project.to_owned());
        let left: Vec<_> = self
            .projects
            .iter()
            .filter(|known| **known != project)
            .cloned()
            .collect();
        let revoked = left.len() < self.projects.len();
        if revoked {
            self.store(left)?;
        }
        Ok(revoked)
    }

    fn store(&mut self, projects: Vec<Utf8PathBuf>) -> Result<(), ConfigError> {
        let mut array: Array = projects.iter().map(|project| project.as_str()).collect();
        for project in array.iter_mut() {
            project.decor_mut().set_prefix("\n    ");
        }
        array.set_trailing("\n");
        array.set_trailing_comma(true);
        let mut document = DocumentMut::new();
        document.insert(PROJECTS, value(array));
        file::write(
            &self.file,
            &format!("{HEADER}{document}"),
            LinkPolicy::Followed,
        )?;
        self.projects = projects;
        Ok(())
    }
}
