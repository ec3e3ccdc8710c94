//! The life of an installed plugin: newer versions, updates, the way back, revoked components, indexes, and locks that
//! are verified in CI. Nothing here grants anything, and only these commands use a network: `sync` reads the list of
//! revoked components from this machine.

use std::collections::BTreeMap;

use acreta_fs::{Directory, NoFaults};
use acreta_plugin_registry::{
    Address, Demand, Digest, FetchOptions, INDEX_BYTES, Index, IndexedPlugin, Inspection, Lock,
    Locked, OciReference, OciVersion, PluginId, Refused, Revocations, Revoked, SignaturePolicy,
    SignatureState, Source, WIT_VERSION, fetch, fetch_text, inspect as look, resolve, tags,
};
use camino::{Utf8Path, Utf8PathBuf};
use semver::Version;
use serde::Serialize;

use crate::plugins::inspect::component_of;
use crate::plugins::install::{InstallPlan, plan_source, plugin_id, with_rules};
use crate::plugins::login::options;
use crate::{Context, Failure, Kind, plugins};

/// An index that was read, with the name it has in the settings.
struct NamedIndex {
    name: String,
    index: Index,
}

/// Reads the indexes of the settings, and adds what they revoke to the list of this machine. One that cannot be read is
/// a warning. Returns them with what is newly revoked.
fn indexes(context: &Context) -> Result<(Vec<NamedIndex>, Vec<Revoked>), Failure> {
    let mut indexes = Vec::new();
    let mut revoked = Vec::new();
    for name in context.config.text_list("plugins.indexes") {
        match index(&name, context) {
            Ok(index) => {
                let all = index.revocations.all().cloned();
                revoked.extend(all.map(|revoked| Revoked {
                    from: Some(name.clone()),
                    ..revoked
                }));
                indexes.push(NamedIndex { name, index });
            }
            Err(failure) => context.warn_once(&format!("index `{name}` is left out: {failure}")),
        }
    }
    let added = match revoked.is_empty() {
        true => Vec::new(),
        false => plugins::library(context)?.change_revocations(|list| list.add(revoked))?,
    };
    Ok((indexes, added))
}

fn index(name: &str, context: &Context) -> Result<Index, Failure> {
    let is_address = name.starts_with("https://") || name.starts_with("http://");
    let (place, text) = match is_address {
        true => {
            let address = Address::parse(name).map_err(acreta_plugin_registry::FetchError::from);
            let text = address
                .and_then(|address| fetch_text(&address, INDEX_BYTES, &FetchOptions::default()));
            let text = text
                .map_err(Refused::from)?
                .ok_or_else(|| Failure::new(Kind::Missing, "its address has no such file"))?;
            (Utf8PathBuf::from(name), text)
        }
        false => {
            let file = context.home.expand(name);
            let text = text_of(&file)?;
            (file, text)
        }
    };
    Ok(Index::parse(&place, &text).map_err(Refused::from)?)
}

fn text_of(file: &Utf8Path) -> Result<String, Failure> {
    let parent = file.parent().filter(|parent| !parent.as_str().is_empty());
    let folder = Directory::open(parent.unwrap_or(Utf8Path::new(".")), NoFaults::shared())?;
    Ok(folder.read_to_string(file.file_name().unwrap_or_default(), INDEX_BYTES)?)
}

/// A plugin that an index names.
#[derive(Debug, Clone, Serialize)]
pub struct FoundPlugin {
    pub id: String,
    pub role: String,
    pub description: String,
    pub license: Option<String>,
    pub homepage: Option<String>,
    /// Newest version and its source.
    pub version: String,
    pub source: String,
    pub sha256: String,
    pub index: String,
    /// The version that is installed.
    pub installed: Option<String>,
    /// The newest version was revoked, for this reason.
    pub revoked: Option<String>,
}

/// Searches the indexes for plugins that have all these words.
pub fn search(words: &[String], context: &Context) -> Result<Vec<FoundPlugin>, Failure> {
    let (indexes, _) = indexes(context)?;
    if context.config.text_list("plugins.indexes").is_empty() {
        return Err(Failure::new(Kind::Usage, "no index is set").hint(
            "`acreta config set plugins.indexes '[\"https://example.org/plugins.json\"]'` names one; docs/plugins.md has the format",
        ));
    }
    let library = plugins::library(context)?;
    let (lock, revocations) = (library.lock()?, library.revocations()?);
    let mut found = Vec::new();
    for NamedIndex { name, index } in &indexes {
        let plugins = index.search(words).into_iter();
        found.extend(plugins.filter_map(|plugin| found_plugin(plugin, name, &lock, &revocations)));
    }
    Ok(found)
}

fn found_plugin(
    plugin: &IndexedPlugin,
    index: &str,
    lock: &Lock,
    revocations: &Revocations,
) -> Option<FoundPlugin> {
    let newest = plugin.newest()?;
    let id = PluginId::new(&plugin.id).ok()?;
    let digest = Digest::from_hex(&newest.sha256).ok()?;
    let installed = lock.plugins.get(&id);
    Some(FoundPlugin {
        id: plugin.id.clone(),
        role: plugin.role.clone(),
        description: plugin.description.clone(),
        license: plugin.license.clone(),
        homepage: plugin.homepage.clone(),
        version: newest.version.to_string(),
        source: newest.source.clone(),
        sha256: newest.sha256.clone(),
        index: index.to_owned(),
        installed: installed.map(|locked| locked.version.to_string()),
        revoked: revocations.reason(&digest).map(str::to_owned),
    })
}

/// An installed plugin and what its source has now.
#[derive(Debug, Clone, Serialize)]
pub struct OutdatedPlugin {
    pub id: String,
    pub installed: String,
    /// Version at the source, if it says one.
    pub available: Option<String>,
    pub source: String,
    pub state: SourceState,
    /// Why the source could not be asked, or why the plugin was revoked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceState {
    Current,
    Newer,
    /// Another component under the installed version or tag.
    Changed,
    Older,
    /// The installed component was revoked.
    Revoked,
    Unknown,
}

/// Returns what the sources of the installed plugins have now. Installs nothing.
pub fn outdated(context: &Context) -> Result<Vec<OutdatedPlugin>, Failure> {
    let (indexes, _) = indexes(context)?;
    let library = plugins::library(context)?;
    let (lock, revocations) = (library.lock()?, library.revocations()?);
    let rows = lock.plugins.iter().map(|(id, locked)| {
        let compared = newest(id, locked, &indexes, context).and_then(|newest| {
            Ok((
                newest.source.to_string(),
                compared(locked, &newest, context)?,
            ))
        });
        let (source, state, available, problem) = match compared {
            Ok((source, (state, available))) => (source, state, available, None),
            Err(failure) => {
                let problem = Some(failure.to_string());
                (
                    locked.source.to_string(),
                    SourceState::Unknown,
                    None,
                    problem,
                )
            }
        };
        let revoked = revocations.reason(&locked.digest);
        OutdatedPlugin {
            id: id.to_string(),
            installed: locked.version.to_string(),
            available: available.map(|version| version.to_string()),
            source,
            state: revoked.map_or(state, |_| SourceState::Revoked),
            problem: revoked.map(str::to_owned).or(problem),
        }
    });
    Ok(rows.collect())
}

/// The newest version of a plugin, as far as its source or an index says.
struct Newest {
    source: Source,
    /// `None` if only the component itself says it.
    version: Option<Version>,
    /// Digest that an index promises.
    promised: Option<Digest>,
}

/// Finds where the newest version is: an index that names a newer one, a higher tag in the same repository, or else the
/// place that the plugin came from.
fn newest(
    id: &PluginId,
    locked: &Locked,
    indexes: &[NamedIndex],
    context: &Context,
) -> Result<Newest, Failure> {
    let indexed = indexes
        .iter()
        .filter_map(|named| named.index.newest(id.as_str()));
    let indexed = indexed.max_by(|left, right| left.version.cmp(&right.version));
    if let Some(indexed) = indexed.filter(|indexed| indexed.version > locked.version) {
        let digest = Digest::from_hex(&indexed.sha256);
        let promised = digest.map_err(|error| Failure::from_error(&error))?;
        return Ok(Newest {
            source: Source::parse(&indexed.source).map_err(|error| Failure::from_error(&error))?,
            version: Some(indexed.version.clone()),
            promised: Some(promised),
        });
    }
    let same = |version| Newest {
        source: locked.source.clone(),
        version,
        promised: None,
    };
    let Source::Oci(reference) = &locked.source else {
        return Ok(same(None));
    };
    let OciVersion::Tag(tag) = &reference.version else {
        // A digest names one artifact for ever.
        return Ok(same(Some(locked.version.clone())));
    };
    let Some(own) = version_of(tag) else {
        return Ok(same(None));
    };
    let all = tags(reference, &options(&locked.source, context)?).map_err(Refused::from)?;
    let all = all.iter().filter_map(|tag| Some((version_of(tag)?, tag)));
    let stable = all.filter(|(version, _)| version.pre.is_empty() || !own.pre.is_empty());
    Ok(match stable.max() {
        Some((version, tag)) if version > own => Newest {
            source: Source::Oci(OciReference {
                version: OciVersion::Tag(tag.clone()),
                ..reference.clone()
            }),
            version: Some(version),
            promised: None,
        },
        _ => same(Some(own)),
    })
}

fn version_of(tag: &str) -> Option<Version> {
    Version::parse(&tag.strip_prefix('v').unwrap_or(tag).replace('_', "+")).ok()
}

/// Compares the installed version with the newest one. A registry is asked for a digest only.
fn compared(
    locked: &Locked,
    newest: &Newest,
    context: &Context,
) -> Result<(SourceState, Option<Version>), Failure> {
    if let Some(version) = newest
        .version
        .as_ref()
        .filter(|version| **version > locked.version)
    {
        return Ok((SourceState::Newer, Some(version.clone())));
    }
    let options = options(&newest.source, context)?;
    if let (Source::Oci(reference), Some(version)) = (&newest.source, &newest.version) {
        let found = resolve(reference, &options).map_err(Refused::from)?;
        let state = match locked.resolved == Some(found) {
            true => SourceState::Current,
            false => SourceState::Changed,
        };
        return Ok((state, Some(version.clone())));
    }
    let fetched = fetch(&newest.source, &options).map_err(Refused::from)?;
    let version = fetched.version().map_err(Refused::from)?;
    let state = match version.cmp(&locked.version) {
        std::cmp::Ordering::Greater => SourceState::Newer,
        std::cmp::Ordering::Less => SourceState::Older,
        _ if Digest::of(fetched.component()) == locked.digest => SourceState::Current,
        std::cmp::Ordering::Equal => SourceState::Changed,
    };
    Ok((state, Some(version)))
}

/// Plans the update of a plugin; `None` if it is what its source has.
pub fn plan_update(id: &str, context: &Context) -> Result<Option<InstallPlan>, Failure> {
    let id = plugin_id(id)?;
    let lock = plugins::library(context)?.lock()?;
    let locked = lock.plugins.get(&id);
    let locked = locked.ok_or_else(|| Refused::NotInstalled { plugin: id.clone() })?;
    let (indexes, _) = indexes(context)?;
    let newest = newest(&id, locked, &indexes, context)?;
    let plan = plan_source(&newest.source, context)?;
    if plan.manifest.id != id {
        let message = format!(
            "`{}` is the plugin `{}` now, not `{id}`",
            newest.source, plan.manifest.id
        );
        return Err(Failure::new(Kind::Refused, message).hint("install it from where it is now"));
    }
    if let Some(promised) = newest.promised.filter(|promised| *promised != plan.digest) {
        let message = format!(
            "`{}` is not what the index says: {promised} expected, {} found",
            newest.source, plan.digest
        );
        return Err(Failure::new(Kind::Refused, message)
            .hint("nothing was installed; tell whoever hosts the index"));
    }
    Ok(Some(plan).filter(|plan| plan.digest != locked.digest || !plan.changes.is_empty()))
}

/// Returns the ids of the installed plugins.
pub fn installed(context: &Context) -> Result<Vec<String>, Failure> {
    let lock = plugins::library(context)?.lock()?;
    Ok(lock.plugins.keys().map(ToString::to_string).collect())
}

/// Plans to put the version before back in place.
pub fn plan_rollback(id: &str, context: &Context) -> Result<InstallPlan, Failure> {
    let id = plugin_id(id)?;
    let library = plugins::library(context)?;
    with_rules(context, |rules| library.plan_rollback(&id, rules))
}

/// Revokes a component on this machine, or takes that back. `what` is a digest or the id of an installed plugin. Returns
/// false if nothing changed.
pub fn revoke(what: &str, reason: &str, undo: bool, context: &Context) -> Result<bool, Failure> {
    let library = plugins::library(context)?;
    let (digest, plugin) = match what.parse::<Digest>().or_else(|_| Digest::from_hex(what)) {
        Ok(digest) => (digest, None),
        Err(_) => {
            let id = plugin_id(what)?;
            let lock = library.lock()?;
            let locked = lock.plugins.get(&id);
            let locked = locked.ok_or_else(|| Refused::NotInstalled { plugin: id.clone() })?;
            (locked.digest, Some(id.to_string()))
        }
    };
    let revoked = Revoked {
        sha256: digest.hex(),
        plugin,
        reason: reason.to_owned(),
        from: None,
    };
    Ok(library.change_revocations(|list| match undo {
        true => list.remove(&digest),
        false => !list.add([revoked]).is_empty(),
    })?)
}

/// Returns the list of revoked components.
pub fn revoked(context: &Context) -> Result<Vec<Revoked>, Failure> {
    let revocations = plugins::library(context)?.revocations()?;
    Ok(revocations.all().cloned().collect())
}

/// Returns the installed plugins that do not run because their component was revoked, with the reason.
pub fn revoked_plugins(context: &Context) -> Result<BTreeMap<String, String>, Failure> {
    let revoked = plugins::library(context)?.revoked()?.into_iter();
    Ok(revoked
        .map(|(id, reason)| (id.to_string(), reason))
        .collect())
}

/// A locked plugin, and what is wrong with what its source has.
#[derive(Debug, Clone, Serialize)]
pub struct VerifiedPlugin {
    pub id: String,
    pub version: String,
    pub source: String,
    pub signature: &'static str,
    pub problems: Vec<String>,
}

/// Verifies every plugin of a lock: fetches it, or takes it from one of `files`, and compares it with the lock. `revoked`
/// is a list or an index beside the one of this machine.
pub fn verify(
    lock_file: Option<&Utf8Path>,
    files: &[Utf8PathBuf],
    revoked: Option<&Utf8Path>,
    context: &Context,
) -> Result<Vec<VerifiedPlugin>, Failure> {
    let file = match lock_file {
        Some(file) => file.to_owned(),
        None => context.project.join(acreta_plugin_registry::LOCK),
    };
    if !file.is_file() {
        return Err(
            Failure::new(Kind::Missing, format!("`{file}` does not exist"))
                .hint("`acreta plugin lock` writes it"),
        );
    }
    let lock = Lock::load(&file)?;
    let mut revocations = plugins::library(context)?.revocations()?;
    if let Some(list) = revoked {
        let list = Revocations::parse(list, &text_of(list)?).map_err(Refused::from)?;
        revocations.add(list.all().cloned());
    }
    let mut given = BTreeMap::new();
    for name in files {
        let source = plugins::from_file(&component_of(name)?)?;
        given.insert(
            source.id.clone(),
            (source.bytes().into_owned(), source.signature.clone()),
        );
    }
    let folder = file.parent().unwrap_or(Utf8Path::new("."));
    let verified = lock.plugins.iter().map(|(id, locked)| {
        let bytes = match given.remove(id.as_str()) {
            Some(bytes) => Ok(bytes),
            None => fetched(locked, folder, context),
        };
        let (signature, problems) = match bytes {
            Ok((component, signature)) => {
                let state = signature_of(locked, &component, signature.as_deref(), context);
                let name = state.as_ref().map_or("failed", SignatureState::name);
                let mut problems = problems(locked, &component, &revocations);
                match state {
                    Ok(SignatureState::Failed(problem)) => problems.push(problem.to_string()),
                    Ok(SignatureState::NotSigned { .. }) if locked.signed_by.is_some() => {
                        problems.push("the lock says that it is signed, and it is not".to_owned());
                    }
                    Ok(_) => {}
                    Err(failure) => problems.push(failure.to_string()),
                }
                (name, problems)
            }
            Err(failure) => ("not-signed", vec![failure.to_string()]),
        };
        VerifiedPlugin {
            id: id.to_string(),
            version: locked.version.to_string(),
            source: locked.source.to_string(),
            signature,
            problems,
        }
    });
    Ok(verified.collect())
}

/// Fetches a locked plugin. A path in a lock is relative to its folder.
fn fetched(
    locked: &Locked,
    folder: &Utf8Path,
    context: &Context,
) -> Result<(Vec<u8>, Option<String>), Failure> {
    let source = match &locked.source {
        Source::File(path) => Source::File(folder.join(path)),
        Source::Folder(path) => Source::Folder(folder.join(path)),
        // What the tag named when it was locked, wherever it points to now.
        Source::Oci(reference) => Source::Oci(OciReference {
            version: match locked.resolved {
                Some(digest) => OciVersion::Digest(digest),
                None => reference.version.clone(),
            },
            ..reference.clone()
        }),
        url => url.clone(),
    };
    let fetched = fetch(&source, &options(&source, context)?).map_err(Refused::from)?;
    Ok((
        fetched.component().to_vec(),
        fetched.signature().map(str::to_owned),
    ))
}

fn signature_of(
    locked: &Locked,
    component: &[u8],
    signature: Option<&str>,
    context: &Context,
) -> Result<SignatureState, Failure> {
    let policy = match &locked.signed_by {
        Some(key) => SignaturePolicy::new(Demand::WhenPresent, std::slice::from_ref(key))
            .map_err(|error| Failure::from_error(&error))?,
        None => plugins::signatures(context)?,
    };
    Ok(policy.state(component, signature))
}

fn problems(locked: &Locked, component: &[u8], revocations: &Revocations) -> Vec<String> {
    let mut problems = Vec::new();
    let found = Digest::of(component);
    if found != locked.digest {
        problems.push(format!("{} is locked, {found} was found", locked.digest));
        return problems;
    }
    if let Some(reason) = revocations.reason(&found) {
        problems.push(format!("it was revoked: {reason}"));
    }
    match look(component) {
        Ok(Inspection { role, wit, .. }) => {
            if role != locked.role {
                problems.push(format!(
                    "{} is locked, its component is a {role}",
                    locked.role
                ));
            }
            if wit != locked.wit {
                problems.push(format!(
                    "it is locked with WIT {}, its component has {wit}, this acreta speaks {WIT_VERSION}",
                    locked.wit
                ));
            }
        }
        Err(refused) => problems.push(refused.to_string()),
    }
    problems
}
