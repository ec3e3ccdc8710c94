//! The plugins of a user: install, remove, grant, and load if they match what was confirmed. Every change is atomic,
//! even if the machine stops.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::{Directory, Faults, FsError};
use camino::Utf8PathBuf;

use crate::capabilities::Capabilities;
use crate::error::{Clash, Refused};
use crate::fetch::{COMPONENT_BYTES, Fetched, MANIFEST_BYTES, SIGNATURE_BYTES};
use crate::grants::{Grant, Grants, edited};
use crate::identity::{Digest, PluginId};
use crate::inspect::inspect;
use crate::installed::Installed;
use crate::journal::{
    self, COMPONENT_FILE, ChangeTarget, KEPT_COMPONENT_FILE, KEPT_LOCK_FILE, KEPT_MANIFEST_FILE,
    KEPT_SIGNATURE_FILE, LockedPlugins, Paths, PluginChange, SIGNATURE_FILE, Steps,
};
use crate::lock::{Lock, Locked, verify};
use crate::manifest::{MANIFEST, Manifest, with_component};
use crate::plan::{Consent, InstallPlan, Rules, ToChanges, ToWishes, check_same, plan};
use crate::revocations::Revocations;
use crate::signature::SignaturePolicy;
use crate::state::StateError;

/// Installed plugins and their state files.
#[derive(Debug, Clone)]
pub struct Library {
    paths: Paths,
    faults: Arc<dyn Faults>,
}

/// A folder in the plugins directory, and its plugin.
#[derive(Debug)]
pub struct LibraryEntry {
    pub id: PluginId,
    pub state: Result<Installed, Refused>,
}

impl Library {
    /// Opens the library; finishes a decided change first.
    pub fn open(paths: Paths, faults: Arc<dyn Faults>) -> Result<Self, StateError> {
        journal::recover(&paths, &faults)?;
        Ok(Self { paths, faults })
    }

    pub fn lock(&self) -> Result<Lock, StateError> {
        Lock::load_with(&self.paths.lock, &self.faults)
    }

    pub fn grants(&self) -> Result<Grants, StateError> {
        Grants::load_with(&self.paths.grants, Arc::clone(&self.faults))
    }

    /// Returns every installed plugin, by id; one that differs from what was confirmed comes with the reason.
    pub fn all(&self, signatures: &SignaturePolicy) -> Result<Vec<LibraryEntry>, StateError> {
        let Some(directory) = self.directory()? else {
            return Ok(Vec::new());
        };
        let mut entries = Vec::new();
        for entry in directory.list(".", MOST_ENTRIES)? {
            let has_manifest = || directory.exists(entry.path.join(MANIFEST));
            if let Ok(id) = PluginId::new(entry.path.as_str())
                && has_manifest()?
            {
                let state = self.load(&id, signatures);
                entries.push(LibraryEntry { id, state });
            }
        }
        Ok(entries)
    }

    /// Loads a plugin if it matches what was confirmed. Its grants are checked separately, by
    /// [`require`](crate::require).
    pub fn load(&self, id: &PluginId, signatures: &SignaturePolicy) -> Result<Installed, Refused> {
        self.load_once(id, signatures).or_else(|_| {
            // Another process may be in the middle of a change; this waits for it.
            journal::recover(&self.paths, &self.faults)?;
            self.load_once(id, signatures)
        })
    }

    fn load_once(&self, id: &PluginId, signatures: &SignaturePolicy) -> Result<Installed, Refused> {
        let installed = self.read(id)?;
        let installed = installed.ok_or_else(|| Refused::NotInstalled { plugin: id.clone() })?;
        verify(&self.lock()?, &installed)?;
        if let Some(reason) = self.revocations()?.reason(&installed.digest) {
            return Err(Refused::Revoked {
                plugin: id.clone(),
                reason: reason.to_owned(),
            });
        }
        let signature = installed.signature.as_deref();
        match signatures.check(&installed.component, signature) {
            Ok(_) => Ok(installed),
            Err(cause) => Err(Refused::Signature {
                plugin: id.clone(),
                cause,
            }),
        }
    }

    /// Reads a plugin from disk without verification; `None` if there is none.
    pub fn read(&self, id: &PluginId) -> Result<Option<Installed>, Refused> {
        let Some(directory) = self.directory()? else {
            return Ok(None);
        };
        let file = |name: &str| format!("{id}/{name}");
        let state = |error: FsError| Refused::State(error.into());
        let Some(text) =
            found(directory.read_to_string(file(MANIFEST), MANIFEST_BYTES)).map_err(state)?
        else {
            return Ok(None);
        };
        let manifest = Manifest::parse(&directory.path().join(file(MANIFEST)), &text)?;
        let component = directory
            .read(file(COMPONENT_FILE), COMPONENT_BYTES)
            .map_err(state)?;
        let signature = directory.read_to_string(file(SIGNATURE_FILE), SIGNATURE_BYTES);
        if manifest.id != *id {
            return Err(Refused::ChangedManifest { plugin: id.clone() });
        }
        let inspection = inspect(&component).map_err(|cause| Refused::Component {
            plugin: id.clone(),
            cause,
        })?;
        if let Some(text) = &inspection.embedded.manifest {
            let place = directory.path().join(file(COMPONENT_FILE));
            let embedded = Manifest::parse(&place, text)?;
            check_same(
                &embedded,
                &manifest,
                place.with_file_name(MANIFEST).as_str(),
            )?;
        }
        Ok(Some(Installed {
            manifest,
            inspection,
            digest: Digest::of(&component),
            component,
            signature: found(signature).map_err(state)?,
        }))
    }

    /// Inspects a fetched plugin and returns what installing it would do. Nothing is written.
    pub fn plan(&self, fetched: Fetched, rules: &Rules<'_>) -> Result<InstallPlan, Refused> {
        let (lock, grants) = (self.lock()?, self.grants()?);
        let plan = plan(fetched, rules, &lock, &grants, &self.revocations()?)?;
        // Earlier versions stored a plugin as a file named after it.
        let loose = format!("{}.wasm", plan.manifest.id);
        if let Some(directory) = self.directory()?
            && directory.exists(&loose).map_err(StateError::from)?
        {
            return Err(Refused::NameClash {
                plugin: plan.manifest.id,
                taken: Clash::LooseFile {
                    path: directory.path().join(loose),
                },
            });
        }
        Ok(plan)
    }

    /// Installs what a person agreed to: folder, lock and grant together.
    pub fn install(
        &self,
        plan: InstallPlan,
        consent: Consent,
        now_ms: u64,
    ) -> Result<Locked, Refused> {
        let plugin = plan.manifest.id.clone();
        if consent.changes == ToChanges::Unconfirmed && !plan.changes.is_empty() {
            let changes = plan.changes;
            return Err(Refused::Unconfirmed { plugin, changes });
        }
        let held = LockedPlugins::new(&self.paths, &self.faults)?;
        let mut lock = self.lock()?;
        if lock.plugins.get(&plugin) != plan.replaces.as_ref() {
            return Err(Refused::Meanwhile { plugin });
        }
        let mut grants = None;
        let granted = match consent.wishes {
            ToWishes::Granted if !plan.wishes.is_empty() => {
                let grant = self.whole_grant(&plan.manifest, now_ms)?;
                let text = self.grants_with(&plugin, Some(&grant))?;
                grants = Some((ChangeTarget::Grants, Some(text.into_bytes())));
                grant.given
            }
            _ => self.given(&plugin)?,
        };
        let locked = Locked {
            version: plan.manifest.version.clone(),
            role: plan.manifest.role,
            digest: plan.digest,
            wit: plan.inspection.wit.clone(),
            signed_by: plan.signed_by().map(str::to_owned),
            asked: plan.manifest.asks(),
            granted,
            source: plan.source,
            resolved: plan.resolved,
        };
        let kept = match lock.plugins.insert(plugin.clone(), locked.clone()) {
            Some(old) if old.digest != locked.digest => self.kept_steps(&plugin, old)?,
            _ => Vec::new(),
        };
        let manifest = with_component(&plan.manifest_text, COMPONENT_FILE, &plan.digest);
        let manifest = manifest.unwrap_or(plan.manifest_text);
        // The version before is set aside first: the journal applies its steps in order, from its own copies.
        let mut steps = kept;
        steps.extend([
            (ChangeTarget::Component, Some(plan.component)),
            (ChangeTarget::Manifest, Some(manifest.into_bytes())),
            (
                ChangeTarget::Signature,
                plan.signature.map(String::into_bytes),
            ),
        ]);
        steps.extend(grants);
        steps.push((ChangeTarget::Lock, Some(lock.to_text().into_bytes())));
        held.commit(&PluginChange { plugin, steps })?;
        Ok(locked)
    }

    /// Returns the changes that keep the installed version for a rollback; none if it is not what the lock says.
    fn kept_steps(&self, id: &PluginId, old: Locked) -> Result<Steps, Refused> {
        let Some(files) = self.files(id, [MANIFEST, COMPONENT_FILE, SIGNATURE_FILE])? else {
            return Ok(Vec::new());
        };
        if Digest::of(&files.component) != old.digest {
            return Ok(Vec::new());
        }
        let lock = Lock {
            plugins: BTreeMap::from([(id.clone(), old)]),
        };
        Ok(vec![
            (ChangeTarget::KeptComponent, Some(files.component)),
            (
                ChangeTarget::KeptManifest,
                Some(files.manifest.into_bytes()),
            ),
            (
                ChangeTarget::KeptSignature,
                files.signature.map(String::into_bytes),
            ),
            (ChangeTarget::KeptLock, Some(lock.to_text().into_bytes())),
        ])
    }

    /// Plans to install the version before again, from its kept files.
    pub fn plan_rollback(&self, id: &PluginId, rules: &Rules<'_>) -> Result<InstallPlan, Refused> {
        let nothing = || Refused::NothingKept { plugin: id.clone() };
        let names = [KEPT_MANIFEST_FILE, KEPT_COMPONENT_FILE, KEPT_SIGNATURE_FILE];
        let files = self.files(id, names)?.ok_or_else(nothing)?;
        let folder = self.paths.plugins.join(id.as_str());
        let mut lock = Lock::load_with(&folder.join(KEPT_LOCK_FILE), &self.faults)?;
        let locked = lock.plugins.remove(id).ok_or_else(nothing)?;
        let found = Digest::of(&files.component);
        if found != locked.digest {
            return Err(Refused::ChangedComponent {
                plugin: id.clone(),
                locked: locked.digest,
                found,
            });
        }
        self.plan(Fetched::kept(folder, files, locked), rules)
    }

    /// Reads manifest, component and signature of a plugin's folder; `None` if there is no component.
    fn files(&self, id: &PluginId, names: [&str; 3]) -> Result<Option<PluginFiles>, StateError> {
        let [manifest, component, signature] = names.map(|name| format!("{id}/{name}"));
        let Some(directory) = self.directory()? else {
            return Ok(None);
        };
        let Some(component) = found(directory.read(component, COMPONENT_BYTES))? else {
            return Ok(None);
        };
        Ok(Some(PluginFiles {
            component,
            manifest: directory.read_to_string(manifest, MANIFEST_BYTES)?,
            signature: found(directory.read_to_string(signature, SIGNATURE_BYTES))?,
        }))
    }

    /// Returns the components that must not run on this machine.
    pub fn revocations(&self) -> Result<Revocations, StateError> {
        Revocations::load(&self.paths.revoked, &self.faults)
    }

    /// Changes the list of revoked components, undisturbed by other processes.
    pub fn change_revocations<T>(
        &self,
        change: impl FnOnce(&mut Revocations) -> T,
    ) -> Result<T, StateError> {
        let _held = LockedPlugins::new(&self.paths, &self.faults)?;
        let mut revocations = self.revocations()?;
        let before = revocations.clone();
        let answer = change(&mut revocations);
        if revocations != before {
            revocations.write(&self.paths.revoked, &self.faults)?;
        }
        Ok(answer)
    }

    /// Returns the installed plugins whose component was revoked, with the reason.
    pub fn revoked(&self) -> Result<Vec<(PluginId, String)>, StateError> {
        let (lock, revocations) = (self.lock()?, self.revocations()?);
        let reason = |locked: &Locked| revocations.reason(&locked.digest).map(str::to_owned);
        let plugins = lock.plugins.iter();
        Ok(plugins
            .filter_map(|(id, locked)| Some((id.clone(), reason(locked)?)))
            .collect())
    }

    /// Removes a plugin: its folder, its lock entry and its grant.
    pub fn remove(&self, id: &PluginId) -> Result<(), Refused> {
        let held = LockedPlugins::new(&self.paths, &self.faults)?;
        let mut lock = self.lock()?;
        let locked = lock.plugins.remove(id).is_some();
        let folder = match self.directory()? {
            Some(directory) => directory.exists(id.as_str()).map_err(StateError::from)?,
            None => false,
        };
        if !locked && !folder {
            return Err(Refused::NotInstalled { plugin: id.clone() });
        }
        let mut steps = vec![(ChangeTarget::Folder, None)];
        if self.grants()?.get(id.as_str()).is_some() {
            let text = self.grants_with(id, None)?;
            steps.push((ChangeTarget::Grants, Some(text.into_bytes())));
        }
        steps.push((ChangeTarget::Lock, Some(lock.to_text().into_bytes())));
        let plugin = id.clone();
        Ok(held.commit(&PluginChange { plugin, steps })?)
    }

    /// Grants an installed plugin everything it asks for and, if it is an adapter, these projects besides those that it
    /// has already.
    pub fn grant(
        &self,
        id: &PluginId,
        projects: &[Utf8PathBuf],
        signatures: &SignaturePolicy,
        now_ms: u64,
    ) -> Result<Grant, Refused> {
        let installed = self.load(id, signatures)?;
        let mut grant = self.whole_grant(&installed.manifest, now_ms)?;
        for project in projects {
            if !grant.projects.contains(project) {
                grant.projects.push(project.clone());
            }
        }
        self.decide(id, &grant)?;
        Ok(grant)
    }

    /// Revokes a plugin's grant; it stays installed.
    pub fn revoke(&self, id: &PluginId) -> Result<(), Refused> {
        self.decide(id, &Grant::default())
    }

    /// Stores a grant, also in the lock.
    pub fn decide(&self, id: &PluginId, grant: &Grant) -> Result<(), Refused> {
        let held = LockedPlugins::new(&self.paths, &self.faults)?;
        let text = self.grants_with(id, Some(grant))?;
        let mut steps = vec![(ChangeTarget::Grants, Some(text.into_bytes()))];
        let mut lock = self.lock()?;
        if let Some(locked) = lock.plugins.get_mut(id) {
            locked.granted = effective(grant);
            steps.push((ChangeTarget::Lock, Some(lock.to_text().into_bytes())));
        }
        let plugin = id.clone();
        Ok(held.commit(&PluginChange { plugin, steps })?)
    }

    /// Builds a grant of everything, with the folders that a person chose.
    fn whole_grant(&self, manifest: &Manifest, now_ms: u64) -> Result<Grant, StateError> {
        let grants = self.grants()?;
        let before = grants.get(manifest.id.as_str());
        Ok(Grant {
            roots: before.map(|grant| grant.roots.clone()).unwrap_or_default(),
            projects: before
                .map(|grant| grant.projects.clone())
                .unwrap_or_default(),
            ..Grant::of(manifest, now_ms)
        })
    }

    fn given(&self, id: &PluginId) -> Result<Capabilities, StateError> {
        let grants = self.grants()?;
        Ok(grants.get(id.as_str()).map(effective).unwrap_or_default())
    }

    /// Returns the text of the grants with a new one for a plugin.
    fn grants_with(&self, id: &PluginId, grant: Option<&Grant>) -> Result<String, StateError> {
        let grants = self.grants()?;
        let old = grants.get(id.as_str());
        Ok(edited(
            &self.paths.grants,
            grants.text(),
            id.as_str(),
            old,
            grant,
        )?)
    }

    fn directory(&self) -> Result<Option<Directory>, StateError> {
        let directory = Directory::open(&self.paths.plugins, Arc::clone(&self.faults));
        Ok(found(directory)?)
    }
}

/// The files of one version.
pub(crate) struct PluginFiles {
    pub(crate) manifest: String,
    pub(crate) component: Vec<u8>,
    pub(crate) signature: Option<String>,
}

/// Maximum number of entries read from the plugins folder.
const MOST_ENTRIES: u64 = 10_000;

/// Returns the effective capabilities of a grant.
fn effective(grant: &Grant) -> Capabilities {
    if grant.granted {
        grant.given.clone()
    } else {
        Capabilities::default()
    }
}

fn found<T>(read: Result<T, FsError>) -> Result<Option<T>, FsError> {
    match read {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(error),
    }
}
