//! Plan of an installation, which a person reviews before anything is written. Planning runs no code of the plugin:
//! everything is read from bytes.

use std::collections::BTreeSet;
use std::fmt;

use acreta_types::Role;

use crate::capabilities::Wish;
use crate::change::Change;
use crate::error::{Clash, Refused, listed};
use crate::fetch::{Fetched, FetchedKind};
use crate::grants::{Grants, missing};
use crate::identity::Digest;
use crate::inspect::{Inspection, inspect};
use crate::lock::{Lock, Locked};
use crate::manifest::Manifest;
use crate::roots::{Neighbours, check_roots};
use crate::signature::{SignaturePolicy, Signed};
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
) -> Result<InstallPlan, Refused> {
    let manifest = Manifest::parse(&fetched.manifest.place, &fetched.manifest.text)?;
    let plugin = &manifest.id;
    let digest = Digest::of(&fetched.component);
    match manifest.digest {
        None if fetched.kind == FetchedKind::Published => {
            return Err(Refused::NoDigest {
                place: fetched.manifest.place,
            });
        }
        Some(expected) if expected != digest => {
            return Err(Refused::WrongDigest {
                plugin: plugin.clone(),
                expected,
                found: digest,
            });
        }
        _ => {}
    }
    let inspection = inspect(&fetched.component).map_err(|cause| Refused::Component {
        plugin: plugin.clone(),
        cause,
    })?;
    check_role(&manifest, inspection.role)?;
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
        if old.digest != self.digest && !moved {
            changes.push(Change::Component {
                old: old.digest,
                new: self.digest,
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
        let signed = match &self.signed {
            Signed::No => "not signed".to_owned(),
            Signed::By(key) => format!("signed by {key}, which you trust"),
            Signed::ByUnknownKey => "signed by a key that you do not trust".to_owned(),
        };
        writeln!(formatter, "  {signed}")?;
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
