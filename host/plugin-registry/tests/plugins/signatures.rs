//! Signatures of minisign and cosign: valid ones of trusted keys count, and an update without one is reported.

use acreta_plugin_registry::{
    Demand, Refused, SignaturePolicy, SignatureProblem, SignatureState, Signed,
};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use minisign::KeyPair;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::support::{NOW, PluginHome, UNASKED, YES, component, id, manifest};

/// Creates a key and a function that signs with it.
pub(crate) fn signer() -> (String, impl Fn(&[u8]) -> String) {
    let KeyPair { pk, sk } = KeyPair::generate_unencrypted_keypair().unwrap();
    let sign = move |bytes: &[u8]| {
        minisign::sign(None, &sk, bytes, Some("for tests"), None)
            .unwrap()
            .into_string()
    };
    (pk.to_base64(), sign)
}

#[test]
fn a_good_signature_is_written_down_and_missed_when_it_is_gone() {
    let home = PluginHome::new();
    let (key, sign) = signer();
    let trusting = SignaturePolicy::new(Demand::Required, std::slice::from_ref(&key)).unwrap();
    let made = component("adapter", "");
    let source = home.tree("tree", &manifest(""), &made);
    home.write("tree/mine.wasm.minisig", sign(&made));
    let plan = home.plan_signed(source.as_str(), &trusting).unwrap();
    assert_eq!(plan.signed, Signed::By(key.clone()));
    home.library().install(plan, YES, NOW).unwrap();
    let locked = &home.library().lock().unwrap().plugins[&id("adapter-mine")];
    assert_eq!(locked.signed_by.as_ref(), Some(&key));
    assert!(home.library().load(&id("adapter-mine"), &trusting).is_ok());

    // Without the file the same component is rejected if signatures are required.
    let optional = SignaturePolicy::new(Demand::WhenPresent, std::slice::from_ref(&key)).unwrap();
    #[expect(clippy::disallowed_methods, reason = "a test takes a file away")]
    for file in [
        "tree/mine.wasm.minisig",
        "own/plugins/adapter-mine/component.wasm.minisig",
    ] {
        std::fs::remove_file(home.root.join(file)).unwrap();
    }
    let refused = home
        .library()
        .load(&id("adapter-mine"), &trusting)
        .unwrap_err();
    let missing = SignatureProblem::Missing;
    assert!(
        matches!(refused, Refused::Signature { cause, .. } if cause == missing),
        "{refused}"
    );
    assert!(home.library().load(&id("adapter-mine"), &optional).is_ok());

    // If they are optional, a missing one is a change that a person confirms.
    let plan = home.plan_signed(source.as_str(), &optional).unwrap();
    let refused = home.library().install(plan, UNASKED, NOW).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("no trusted key signed this one"),
        "{refused}"
    );
}

#[test]
fn a_signature_of_an_unknown_key_says_nothing() {
    let home = PluginHome::new();
    let ((_, sign), (trusted, _)) = (signer(), signer());
    let made = component("adapter", "");
    let source = home.tree("tree", &manifest(""), &made);
    home.write("tree/mine.wasm.minisig", sign(&made));
    let optional = SignaturePolicy::new(Demand::WhenPresent, &[trusted]).unwrap();
    let plan = home.plan_signed(source.as_str(), &optional).unwrap();
    assert_eq!(plan.signed, Signed::ByUnknownKey);
    assert!(plan.to_string().contains("a key that you do not trust"));
}

#[test]
fn what_is_no_key_is_named() {
    for text in [
        "",
        "RWabc",
        "untrusted comment: x",
        "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE",
    ] {
        let error = SignaturePolicy::new(Demand::Required, &[text.to_owned()]).unwrap_err();
        assert!(error.to_string().contains(&format!(
            "`{text}` is not a public key of minisign or cosign"
        )));
    }
}

/// A key of `cosign generate-key-pair`.
struct Cosigner {
    pair: EcdsaKeyPair,
    /// In one line.
    key: String,
}

impl Cosigner {
    fn new() -> Self {
        let (algorithm, random) = (&ECDSA_P256_SHA256_ASN1_SIGNING, SystemRandom::new());
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, pkcs8.as_ref(), &random).unwrap();
        let prefix = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgA=";
        let mut der = STANDARD.decode(prefix).unwrap();
        der.extend(pair.public_key().as_ref());
        let key = STANDARD.encode(&der);
        Self { pair, key }
    }

    fn pem(&self) -> String {
        let (first, second) = self.key.split_at(64);
        format!("-----BEGIN PUBLIC KEY-----\n{first}\n{second}\n-----END PUBLIC KEY-----\n")
    }

    /// A bundle as `cosign sign-blob --key` writes it, with the fields that are read and one that is not.
    fn bundle(&self, bytes: &[u8]) -> Value {
        let signature = self.pair.sign(&SystemRandom::new(), bytes).unwrap();
        let der = STANDARD.decode(&self.key).unwrap();
        json!({
            "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
            "verificationMaterial": {
                "publicKey": { "hint": STANDARD.encode(Sha256::digest(&der)) },
                "tlogEntries": [{ "logIndex": "1" }],
            },
            "messageSignature": {
                "messageDigest": {
                    "algorithm": "SHA2_256",
                    "digest": STANDARD.encode(Sha256::digest(bytes)),
                },
                "signature": STANDARD.encode(signature.as_ref()),
            },
        })
    }
}

#[test]
fn a_bundle_of_cosign_has_one_of_three_states() {
    let (author, stranger) = (Cosigner::new(), Cosigner::new());
    let (made, other) = (component("adapter", ""), component("adapter", "other"));
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut bundle = author.bundle(&made);
        change(&mut bundle);
        bundle
    };
    let verified = SignatureState::Verified(author.key.clone());
    let not_signed = SignatureState::NotSigned {
        by_unknown_key: true,
    };
    let wrong = SignatureState::Failed(SignatureProblem::Wrong);
    let malformed = SignatureState::Failed(SignatureProblem::Malformed);
    let cases = [
        ("the author's", author.bundle(&made), &verified),
        ("a stranger's", stranger.bundle(&made), &not_signed),
        ("of another component", author.bundle(&other), &wrong),
        (
            "of another component, without its digest",
            changed(&|bundle| {
                let mut signed = author.bundle(&other)["messageSignature"].take();
                signed["messageDigest"].take();
                bundle["messageSignature"] = signed;
            }),
            &wrong,
        ),
        (
            "a stranger's signature under the author's name",
            changed(&|bundle| {
                bundle["messageSignature"] = stranger.bundle(&made)["messageSignature"].take();
            }),
            &wrong,
        ),
        (
            "a signature that is no base64",
            changed(&|bundle| bundle["messageSignature"]["signature"] = json!("?")),
            &wrong,
        ),
        (
            "by a certificate",
            changed(&|bundle| {
                let certificate = json!({ "certificate": { "rawBytes": "" } });
                bundle["verificationMaterial"] = certificate;
                let signed = stranger.bundle(&made)["messageSignature"].take();
                bundle["messageSignature"] = signed;
            }),
            &not_signed,
        ),
        (
            "an attestation",
            changed(&|bundle| {
                bundle["messageSignature"].take();
                bundle["dsseEnvelope"] = json!({ "payload": "" });
            }),
            &not_signed,
        ),
        (
            "another format",
            changed(&|bundle| bundle["mediaType"] = json!("text/plain")),
            &malformed,
        ),
        ("no bundle", json!({}), &malformed),
    ];
    let (minisign, _) = signer();
    for trusted in [author.key.clone(), author.pem()] {
        let keys = [minisign.clone(), trusted];
        let policy = SignaturePolicy::new(Demand::WhenPresent, &keys).unwrap();
        for (name, bundle, state) in &cases {
            let found = policy.state(&made, Some(&bundle.to_string()));
            assert_eq!(&found, *state, "{name}");
        }
    }
}

#[test]
fn a_bundle_beside_the_component_is_installed_with_it() {
    let (home, author) = (PluginHome::new(), Cosigner::new());
    let trusting = SignaturePolicy::new(Demand::Required, &[author.pem()]).unwrap();
    let made = component("adapter", "");
    let source = home.tree("tree", &manifest(""), &made);
    let bundle = author.bundle(&made).to_string();
    home.write("tree/mine.wasm.sigstore.json", bundle);
    let plan = home.plan_signed(source.as_str(), &trusting).unwrap();
    assert_eq!(plan.signed, Signed::By(author.key.clone()));
    home.library().install(plan, YES, NOW).unwrap();
    let locked = &home.library().lock().unwrap().plugins[&id("adapter-mine")];
    assert_eq!(locked.signed_by.as_ref(), Some(&author.key));
    assert!(home.library().load(&id("adapter-mine"), &trusting).is_ok());
}
