//! Detached signatures of components, by minisign or cosign. A present signature is checked against the trusted keys; a wrong one is
//! always rejected, and if signatures are required, a component without a valid one is rejected too.

use std::fmt;

use minisign_verify::{Error, PublicKey, Signature};

use crate::identity::shown;
use crate::sigstore::{Bundle, Checked, CosignKey};

/// Trusted keys, and if a signature is required.
#[derive(Debug, Clone, Default)]
pub struct SignaturePolicy {
    pub demand: Demand,
    keys: Vec<TrustedKey>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Demand {
    /// Checked if present.
    #[default]
    WhenPresent,
    Required,
}

#[derive(Debug, Clone)]
enum TrustedKey {
    Minisign { text: String, key: PublicKey },
    Cosign(CosignKey),
}

/// Result of checking a signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Signed {
    No,
    /// By this trusted key, as written in the settings.
    By(String),
    /// By a key that is not trusted: counts as unsigned.
    ByUnknownKey,
}

/// What a person is told about a component's signature.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SignatureState {
    /// By nobody whose key is trusted.
    NotSigned { by_unknown_key: bool },
    /// There is a signature, and it is not of this component.
    Failed(SignatureProblem),
    /// By this trusted key.
    Verified(String),
}

impl SignatureState {
    /// Returns the state's name in JSON.
    pub fn name(&self) -> &'static str {
        match self {
            SignatureState::NotSigned { .. } => "not-signed",
            SignatureState::Failed(_) => "failed",
            SignatureState::Verified(_) => "verified",
        }
    }
}

impl From<&Signed> for SignatureState {
    fn from(signed: &Signed) -> Self {
        match signed {
            Signed::By(key) => SignatureState::Verified(key.clone()),
            Signed::No | Signed::ByUnknownKey => SignatureState::NotSigned {
                by_unknown_key: *signed == Signed::ByUnknownKey,
            },
        }
    }
}

impl fmt::Display for SignatureState {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SignatureState::NotSigned {
                by_unknown_key: false,
            } => formatter.write_str("not signed"),
            SignatureState::NotSigned {
                by_unknown_key: true,
            } => formatter.write_str("not verified: by a key that you do not trust"),
            SignatureState::Failed(problem) => write!(formatter, "failed: {problem}"),
            SignatureState::Verified(key) => write!(formatter, "verified, by {key}"),
        }
    }
}

/// A text that is not a public key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a public key of minisign or cosign", shown(.0))]
pub struct InvalidKey(pub String);

/// Reason why a component's signature is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum SignatureProblem {
    #[error("its signature is damaged")]
    Malformed,
    #[error("its signature is not of this component: one of them was changed")]
    Wrong,
    #[error("it is not signed, and signatures are required")]
    Missing,
    #[error("it is signed by a key that is not trusted, and signatures are required")]
    UnknownKey,
}

impl SignatureProblem {
    /// Returns advice on how to resolve the error.
    pub fn hint(self) -> &'static str {
        match self {
            SignatureProblem::Malformed | SignatureProblem::Wrong => {
                "get component and signature again from their author; do not install this one"
            }
            SignatureProblem::Missing => {
                "ask its author for a `.minisig` or `.sigstore.json` file, or set `plugins.signatures` to `optional`"
            }
            SignatureProblem::UnknownKey => {
                "add its author's public key to `plugins.trusted_keys`, if you trust it"
            }
        }
    }
}

impl SignaturePolicy {
    /// Trusts these keys, each given as the line of a minisign public key that starts with `RW`, or as a public key on
    /// P-256 in PEM, with or without its first and last line.
    pub fn new(demand: Demand, keys: &[String]) -> Result<Self, InvalidKey> {
        let keys = keys
            .iter()
            .map(|text| {
                if let Some(key) = CosignKey::parse(text) {
                    return Ok(TrustedKey::Cosign(key));
                }
                let text = text.trim().to_owned();
                match PublicKey::from_base64(&text) {
                    Ok(key) => Ok(TrustedKey::Minisign { text, key }),
                    Err(_) => Err(InvalidKey(text)),
                }
            })
            .collect::<Result<_, _>>()?;
        Ok(Self { demand, keys })
    }

    /// Checks a component's signature.
    pub fn check(
        &self,
        component: &[u8],
        signature: Option<&str>,
    ) -> Result<Signed, SignatureProblem> {
        let signed = match signature {
            None => Signed::No,
            Some(text) => self.signer(component, text)?,
        };
        match (self.demand, &signed) {
            (Demand::WhenPresent, _) | (Demand::Required, Signed::By(_)) => Ok(signed),
            (Demand::Required, Signed::No) => Err(SignatureProblem::Missing),
            (Demand::Required, Signed::ByUnknownKey) => Err(SignatureProblem::UnknownKey),
        }
    }

    /// Returns the state of a signature, whether one is required or not.
    pub fn state(&self, component: &[u8], signature: Option<&str>) -> SignatureState {
        let Some(text) = signature else {
            return SignatureState::from(&Signed::No);
        };
        match self.signer(component, text) {
            Ok(signed) => SignatureState::from(&signed),
            Err(problem) => SignatureState::Failed(problem),
        }
    }

    fn signer(&self, component: &[u8], text: &str) -> Result<Signed, SignatureProblem> {
        if let Some(bundle) = Bundle::parse(text) {
            return self.signer_of_bundle(component, &bundle);
        }
        let signature = Signature::decode(text).map_err(|_| SignatureProblem::Malformed)?;
        for trusted in &self.keys {
            let TrustedKey::Minisign { text, key } = trusted else {
                continue;
            };
            match key.verify(component, &signature, false) {
                Ok(()) => return Ok(Signed::By(text.clone())),
                Err(Error::UnexpectedKeyId) => {}
                Err(_) => return Err(SignatureProblem::Wrong),
            }
        }
        Ok(Signed::ByUnknownKey)
    }

    fn signer_of_bundle(
        &self,
        component: &[u8],
        bundle: &Bundle,
    ) -> Result<Signed, SignatureProblem> {
        for trusted in &self.keys {
            let TrustedKey::Cosign(key) = trusted else {
                continue;
            };
            match bundle.check(component, key) {
                Checked::Verified => return Ok(Signed::By(key.text())),
                Checked::OtherKey => {}
                Checked::Wrong => return Err(SignatureProblem::Wrong),
            }
        }
        Ok(Signed::ByUnknownKey)
    }
}
