//! Plan of an installation, which a person reviews before anything is written. Planning runs no code of the plugin:
//! everything is read from bytes.

use std::collections::BTreeSet;
use std::fmt;

use acreta_types::Role;

use crate::capabilities::Wish;
use crate::change::Change;
use crate::embedded::Embedded;
use crate::error::{Clash, Refused, listed};
use crate::fetch::{Fetched, FetchedKind};
use crate::grants::{Grants, missing};
use crate::identity::Digest;
use crate::inspect::{Inspection, inspect};
use crate::lock::{Lock, Locked};
use crate::manifest::Manifest;
use crate::revocations::Revocations;
use crate::roots::{Neighbours, check_roots};
use crate::signature::{SignaturePolicy, SignatureState, Signed};
use crate::source::{OciVersion, Source};

/// Rules that an installation must follow.
#[derive(Clone, Copy)]
pub struct Rules<'a> {
    /// Ids of the built-in plugins.
    pub builtin: &'a BTreeSet<String>,
    pub neighbours: Neighbours<'a>,
    pub signatures: &'a SignaturePolicy,
}

/// A valid installation that still needs a person's consent.
#[derive(Debug)]
pub struct InstallPlan {
    pub manifest: Manifest,
    pub inspection: Inspection,
    pub digest: Digest,
    pub source: Source,
    /// Digest that a tag resolves to now.
    pub resolved: Option<Digest>,
    pub signed: Signed,
    /// All its requests with reasons.
    pub wishes: Vec<Wish>,
    /// The undecided requests.
    pub missing: Vec<Wish>,
    /// The plugin installed under its id now.
    pub replaces: Option<Locked>,
    /// Differences from the installed plugin. All of them need a person's confirmation.
    pub changes: Vec<Change>,
    pub(crate) manifest_text: String,
    pub(crate) component: Vec<u8>,
    pub(crate) signature: Option<String>,
}

/// A person's answer to a plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Consent {
    pub changes: ToChanges,
    pub wishes: ToWishes,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToChanges {
    /// Nobody was asked: a plan with changes is rejected.
    Unconfirmed,
    Confirmed,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToWishes {
    /// Installed without any grant yet.
    Later,
    Granted,
}

/// Inspects a fetched plugin and returns what installing it would do.
pub(crate) fn plan(
    fetched: Fetched,
    rules: &Rules<'_>,
    lock: &Lock,
    grants: &Grants,
    revocations: &Revocations,
) -> Result<InstallPlan, Refused> {
    let manifest = Manifest::parse(&fetched.manifest.place, &fetched.manifest.text)?;
    let plugin = &manifest.id;
    if let Some(beside) = &fetched.beside {
        let beside_manifest = Manifest::parse(&beside.place, &beside.text)?;
        check_same(&manifest, &beside_manifest, beside.place.as_str())?;
        check_digest(&beside_manifest, &fetched.component)?;
    }
    let digest = Digest::of(&fetched.component);
    if manifest.digest.is_none() && fetched.kind == FetchedKind::Published {
        return Err(Refused::NoDigest {
            place: fetched.manifest.place,
        });
    }
    check_digest(&manifest, &fetched.component)?;
    let inspection = inspect(&fetched.component).map_err(|cause| Refused::Component {
        plugin: plugin.clone(),
        cause,
    })?;
    check_role(&manifest, inspection.role)?;
    check_metadata(&manifest, &inspection.embedded)?;
    if let Some(reason) = revocations.reason(&digest) {
        return Err(Refused::Revoked {
            plugin: plugin.clone(),
            reason: reason.to_owned(),
        });
    }
    let signature = fetched.signature.as_deref();
    let signed = rules.signatures.check(&fetched.component, signature);
    let signed = signed.map_err(|cause| Refused::Signature {
        plugin: plugin.clone(),
        cause,
    })?;
    let replaces = lock.plugins.get(plugin).cloned();
    check_name(&manifest, rules, replaces.as_ref())?;
    check_roots(plugin, &manifest.roots, &rules.neighbours).map_err(|cause| Refused::Root {
        plugin: plugin.clone(),
        cause,
    })?;
    let mut plan = InstallPlan {
        wishes: manifest.wishes(),
        missing: missing(&manifest, grants),
        inspection,
        digest,
        source: fetched.source,
        resolved: fetched.resolved,
        signed,
        replaces,
        changes: Vec::new(),
        manifest,
        manifest_text: fetched.manifest.text,
        component: fetched.component,
        signature: fetched.signature,
    };
    plan.changes = plan.changes();
    Ok(plan)
}

fn check_digest(manifest: &Manifest, component: &[u8]) -> Result<(), Refused> {
    let found = Digest::of(component);
    match manifest.digest {
        Some(expected) if expected != found => Err(Refused::WrongDigest {
            plugin: manifest.id.clone(),
            expected,
            found,
        }),
        _ => Ok(()),
    }
}

/// Refuses a manifest at `place` that says something else than the one in the component.
pub fn check_same(embedded: &Manifest, other: &Manifest, place: &str) -> Result<(), Refused> {
    let keys = embedded.differing(other);
    match keys.is_empty() {
        true => Ok(()),
        false => Err(Refused::ManifestDiffers {
            plugin: embedded.id.clone(),
            place: place.to_owned(),
            keys,
        }),
    }
}

/// Refuses a component whose standard metadata says something else than the manifest beside it in the component: other
/// tools would show a person another version, licence or author than acreta does.
fn check_metadata(manifest: &Manifest, embedded: &Embedded) -> Result<(), Refused> {
    if embedded.manifest.is_none() {
        return Ok(());
    }
    let mut expected = manifest.metadata();
    expected.retain(|name, text| {
        embedded
            .metadata
            .get(name)
            .is_some_and(|found| found != text)
    });
    match expected.is_empty() {
        true => Ok(()),
        false => Err(Refused::ManifestDiffers {
            plugin: manifest.id.clone(),
            place: "its standard metadata".to_owned(),
            keys: expected.into_keys().collect(),
        }),
    }
}

fn check_role(manifest: &Manifest, component: Role) -> Result<(), Refused> {
    if manifest.role == component {
        return Ok(());
    }
    Err(Refused::WrongRole {
        plugin: manifest.id.clone(),
        manifest: manifest.role,
        component,
    })
}

fn check_name(
    manifest: &Manifest,
    rules: &Rules<'_>,
    installed: Option<&Locked>,
) -> Result<(), Refused> {
    let clash = |taken| Refused::NameClash {
        plugin: manifest.id.clone(),
        taken,
    };
    if rules.builtin.contains(manifest.id.as_str()) {
        return Err(clash(Clash::Builtin));
    }
    match installed {
        Some(locked) if locked.role != manifest.role => {
            Err(clash(Clash::OtherRole { role: locked.role }))
        }
        _ => Ok(()),
    }
}

impl InstallPlan {
    /// Returns the trusted key that signed it.
    pub fn signed_by(&self) -> Option<&str> {
        match &self.signed {
            Signed::By(key) => Some(key),
            Signed::No | Signed::ByUnknownKey => None,
        }
    }

    /// Returns true if a newer version is installed.
    pub fn is_older(&self) -> bool {
        let is_older = |old: &Locked| self.manifest.version < old.version;
        self.replaces.as_ref().is_some_and(is_older)
    }

    /// Returns the changes that not every update brings. An older version is told apart by [`Self::is_older`].
    pub fn unusual(&self) -> Vec<&Change> {
        let is_unusual = |change: &&Change| {
            let is_older = matches!(change, Change::Older { .. });
            !change.is_routine() && !is_older
        };
        self.changes.iter().filter(is_unusual).collect()
    }

    pub fn signature_state(&self) -> SignatureState {
        SignatureState::from(&self.signed)
    }

    fn changes(&self) -> Vec<Change> {
        let Some(old) = &self.replaces else {
            return Vec::new();
        };
        let mut changes = Vec::new();
        let mut moved = false;
        if let (Source::Oci(reference), Some(before), Some(now)) =
            (&self.source, old.resolved, self.resolved)
            && old.source == self.source
            && matches!(reference.version, OciVersion::Tag(_))
            && before != now
        {
            moved = true;
            changes.push(Change::MovedTag {
                reference: reference.to_string(),
                old: before,
                new: now,
            });
        }
        let (before, now) = (old.digest, self.digest);
        match before == now {
            true => {}
            false if self.manifest.version == old.version => changes.push(Change::SameVersion {
                version: old.version.clone(),
                old: before,
                new: now,
            }),
            false if !moved => changes.push(Change::Component {
                old: before,
                new: now,
            }),
            false => {}
        }
        if old.wit != self.inspection.wit {
            changes.push(Change::Wit {
                old: old.wit.clone(),
                new: self.inspection.wit.clone(),
            });
        }
        if old.source != self.source {
            changes.push(Change::From {
                old: old.source.clone(),
                new: self.source.clone(),
            });
        }
        if self.manifest.version < old.version {
            changes.push(Change::Older {
                old: old.version.clone(),
                new: self.manifest.version.clone(),
            });
        }
        if let Some(key) = &old.signed_by
            && self.signed_by() != Some(key)
        {
            changes.push(Change::Signer {
                old: key.clone(),
                new: self.signed_by().map(str::to_owned),
            });
        }
        let grown = self
            .wishes
            .iter()
            .filter(|wish| !old.asked.covers(&wish.what));
        changes.extend(grown.map(|wish| Change::Grown(wish.what.clone())));
        changes
    }
}

/// Text for a person: identity, requests with reasons, and changes.
impl fmt::Display for InstallPlan {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Manifest {
            id,
            version,
            role,
            description,
            ..
        } = &self.manifest;
        writeln!(formatter, "{id} {version}, {role}: {description}")?;
        writeln!(formatter, "  from {}", self.source)?;
        writeln!(
            formatter,
            "  {}, {} bytes",
            self.digest,
            self.component.len()
        )?;
        writeln!(formatter, "  signature {}", self.signature_state())?;
        if self.wishes.is_empty() {
            writeln!(formatter, "It asks for nothing beyond its role.")?;
        }
        for wish in &self.wishes {
            let new = self.missing.contains(wish);
            let mark = if new { "" } else { " [decided]" };
            writeln!(
                formatter,
                "It asks to {}{mark}\n    because: {}",
                wish.what, wish.reason
            )?;
        }
        if !self.changes.is_empty() {
            writeln!(formatter, "Changed: {}", listed(&self.changes))?;
        }
        Ok(())
    }
}
