//! Resolves Ruby requires: files beside the importing one, or on the load path of the repository's gems.

use super::{ImportSite, inside};
use crate::outline::ImportKind;
use crate::paths;

pub(super) fn resolve(site: &ImportSite<'_>) -> Option<String> {
    let path = site.import.path.as_str();
    let file = if path.ends_with(".rb") {
        path.to_owned()
    } else {
        format!("{path}.rb")
    };
    let own = paths::folder(site.from);
    if site.import.kind == ImportKind::Relative {
        return site.existing(paths::join(own, &file)?);
    }
    let around = paths::ancestors(own).find_map(|folder| {
        ["lib", "spec", "test"]
            .iter()
            .find_map(|part| site.existing(inside(&inside(folder, part), &file)))
    });
    let found = around.or_else(|| {
        let folders = site.roots.ruby.iter();
        folders
            .into_iter()
            .find_map(|folder| site.existing(inside(folder, &file)))
    });
    if found.is_some() || site.import.kind == ImportKind::System {
        return found;
    }
    site.files.find_suffix(&format!("/lib/{file}"))
}
