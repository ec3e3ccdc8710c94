//! Resolves imports of languages with namespaces: Java, C# and PHP. A type is in a file of its name, in a folder of its
//! namespace.

use super::{ImportSite, inside};
use crate::manifests::JAVA_FOLDERS;
use crate::outline::ImportKind;
use crate::paths;
use crate::roots::NamespaceFolder;

/// Resolves `a.b.Type`, `a.b.Type.member` and `a.b.Type.Inner`. A whole package has no file.
pub(super) fn resolve_java(site: &ImportSite<'_>) -> Option<String> {
    if site.import.kind == ImportKind::System {
        return None;
    }
    let parts: Vec<&str> = site.import.path.split('.').collect();
    let is_whole = parts.last() == Some(&"*");
    let parts = &parts[..parts.len() - usize::from(is_whole)];
    (2..=parts.len())
        .rev()
        // Only a type has members, and types begin with a capital.
        .filter(|length| parts[length - 1].starts_with(char::is_uppercase))
        .find_map(|length| java_type(site, &parts[..length].join("/")))
}

fn java_type(site: &ImportSite<'_>, path: &str) -> Option<String> {
    let own = JAVA_FOLDERS
        .iter()
        .find_map(|folder| Some(site.from.split_once(&format!("{folder}/"))?.0))
        .filter(|module| module.is_empty() || module.ends_with('/'));
    for ending in ["java", "kt"] {
        let file = format!("{path}.{ending}");
        let in_own = own.and_then(|module| {
            JAVA_FOLDERS
                .iter()
                .find_map(|folder| site.existing(format!("{module}{folder}/{file}")))
        });
        let found = in_own
            .or_else(|| site.files.find_suffix(&format!("/{file}")))
            .or_else(|| {
                let mut folders = site.roots.java.iter();
                folders.find_map(|folder| site.existing(inside(folder, &file)))
            });
        if found.is_some() {
            return found;
        }
    }
    None
}

/// Resolves `A\B\Type` by Composer's folder mapping, or to the only file of that name and namespace.
pub(super) fn resolve_php(site: &ImportSite<'_>) -> Option<String> {
    let path = site.import.path.as_str();
    if site.import.kind == ImportKind::Relative {
        let beside = paths::join(paths::folder(site.from), path)?;
        return site.existing(beside).or_else(|| {
            let from_root = paths::join("", path)?;
            site.existing(from_root)
        });
    }
    let mapped = site.roots.php.iter().find_map(|known| {
        let rest = below(path, known, '\\')?;
        site.existing(inside(
            &known.folder,
            &format!("{}.php", rest.replace('\\', "/")),
        ))
    });
    mapped.or_else(|| {
        let parts: Vec<&str> = path.split('\\').collect();
        let [.., namespace, name] = parts.as_slice() else {
            return None;
        };
        site.files.find_suffix(&format!("/{namespace}/{name}.php"))
    })
}

/// Resolves types, and namespaces with a single file; other namespaces have no file.
pub(super) fn resolve_csharp(site: &ImportSite<'_>) -> Option<String> {
    if site.import.kind == ImportKind::System {
        return None;
    }
    let path = site.import.path.as_str();
    let mapped = site.roots.csharp.iter().find_map(|known| {
        let rest = below(path, known, '.')?;
        csharp_in(site, &inside(&known.folder, &rest.replace('.', "/")))
    });
    mapped.or_else(|| {
        let parts: Vec<&str> = path.split('.').collect();
        let [.., namespace, name] = parts.as_slice() else {
            return None;
        };
        site.files.find_suffix(&format!("/{namespace}/{name}.cs"))
    })
}

fn csharp_in(site: &ImportSite<'_>, path: &str) -> Option<String> {
    if let Some(file) = site.existing(format!("{path}.cs")) {
        return Some(file);
    }
    let mut files = site.files.files_in(path);
    files.retain(|file| file.ends_with(".cs"));
    match files.as_slice() {
        [_] => files.pop(),
        _ => None,
    }
}

/// Returns the part of a name below a known namespace; the whole name for the root namespace.
fn below<'path>(path: &'path str, known: &NamespaceFolder, separator: char) -> Option<&'path str> {
    if known.namespace.is_empty() {
        return Some(path);
    }
    let rest = path.strip_prefix(known.namespace.as_str())?;
    if rest.is_empty() {
        return Some(rest);
    }
    rest.strip_prefix(separator)
}
