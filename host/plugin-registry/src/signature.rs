//! Detached minisign signatures of components. A present signature is checked against the trusted keys; a wrong one is
//! always rejected, and if signatures are required, a component without a valid one is rejected too.

use minisign_verify::{Error, PublicKey, Signature};

use crate::identity::shown;

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
struct TrustedKey {
    text: String,
    key: PublicKey,
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

/// A text that is not a public key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{}` is not a minisign public key", shown(.0))]
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
                "ask its author for a `.minisig` file, or set `plugins.signatures` to `optional`"
            }
            SignatureProblem::UnknownKey => {
                "add its author's public key to `plugins.trusted_keys`, if you trust it"
            }
        }
    }
}

impl SignaturePolicy {
    /// Trusts these keys, each given as the line of a minisign public key that starts with `RW`.
    pub fn new(demand: Demand, keys: &[String]) -> Result<Self, InvalidKey> {
        let keys = keys
            .iter()
            .map(|text| {
                let key = PublicKey::from_base64(text.trim());
                Ok(TrustedKey {
                    text: text.trim().to_owned(),
                    key: key.map_err(|_| InvalidKey(text.clone()))?,
                })
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

    fn signer(&self, component: &[u8], text: &str) -> Result<Signed, SignatureProblem> {
        let signature = Signature::decode(text).map_err(|_| SignatureProblem::Malformed)?;
        for trusted in &self.keys {
            match trusted.key.verify(component, &signature, false) {
                Ok(()) => return Ok(Signed::By(trusted.text.clone())),
                Err(Error::UnexpectedKeyId) => {}
                Err(_) => return Err(SignatureProblem::Wrong),
            }
        }
        Ok(Signed::ByUnknownKey)
    }
}
