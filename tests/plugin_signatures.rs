//! The three states of a signature, in every command that shows a plugin.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::json;

use crate::plugin_life::built;
use crate::support::Project;

/// Beginning of a public key on P-256: what is signed with it is what `cosign sign-blob --key` signs.
const PREFIX: &str = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgA=";

/// Returns a public key, and what makes bundles with it.
fn cosigner() -> (String, impl Fn(&[u8]) -> String) {
    let (algorithm, random) = (&ECDSA_P256_SHA256_ASN1_SIGNING, SystemRandom::new());
    let pkcs8 = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
    let pair = EcdsaKeyPair::from_pkcs8(algorithm, pkcs8.as_ref(), &random).unwrap();
    let mut key = STANDARD.decode(PREFIX).unwrap();
    key.extend(pair.public_key().as_ref());
    let sign = move |bytes: &[u8]| {
        let signature = pair.sign(&random, bytes).unwrap();
        let digest = acreta_plugin_registry::Digest::of(bytes).hex();
        let digest: Vec<u8> = (0..32)
            .map(|at| u8::from_str_radix(&digest[2 * at..][..2], 16).unwrap())
            .collect();
        let bundle = json!({
            "mediaType": "application/vnd.dev.sigstore.bundle.v0.3+json",
            "verificationMaterial": { "publicKey": { "hint": "" } },
            "messageSignature": {
                "messageDigest": { "algorithm": "SHA2_256", "digest": STANDARD.encode(digest) },
                "signature": STANDARD.encode(signature.as_ref()),
            },
        });
        bundle.to_string()
    };
    (STANDARD.encode(key), sign)
}

#[test]
fn every_command_says_which_state_a_signature_has() {
    let ((key, author), (_, stranger)) = (cosigner(), cosigner());
    let made = built("0.1.0", "");
    let failed = "its signature is not of this component";
    let verified = format!("verified, by {key}");
    let cases = [
        (None, "not-signed", "not signed"),
        (
            Some(stranger(&made)),
            "not-signed",
            "not verified: by a key that you do not trust",
        ),
        (Some(author(b"another")), "failed", failed),
        (Some(author(&made)), "verified", &*verified),
    ];
    for (bundle, state, says) in cases {
        let mut project = Project::new();
        project.configure(&format!("[plugins]\ntrusted_keys = [\"{key}\"]"));
        let file = project.write("mine.wasm", &made);
        let file = file.to_str().unwrap();
        if let Some(bundle) = &bundle {
            project.write("mine.wasm.sigstore.json", bundle.as_bytes());
        }
        for command in ["check", "inspect"] {
            let shown = project.acreta(&["plugin", command, file]);
            let shown = format!("{}{}", shown.stdout, shown.stderr);
            assert!(shown.contains(says), "{command}: {shown}");
        }
        let install = project.acreta(&["plugin", "install", file, "--yes"]);
        if state == "failed" {
            install.failed(1, says);
            continue;
        }
        let installed = install.succeeded().stdout;
        assert!(installed.contains(says), "{installed}");
        let listed = project
            .acreta(&["plugin", "list", "--json"])
            .succeeded()
            .json();
        let mut rows = listed["plugins"].as_array().unwrap().iter();
        let row = rows.find(|row| row["id"] == "mine").unwrap();
        assert_eq!(row["signature"], state, "{row}");
        let lock = project.home().join("acreta.lock");
        let verify = ["plugin", "verify", "--lock", lock.to_str().unwrap()];
        let ok = project.acreta(&verify).succeeded().stdout;
        assert!(ok.contains(&format!("({state})")), "{ok}");

        // Installed, and then replaced by another signature of the same author.
        project.write(
            "home/plugins/mine/component.wasm.minisig",
            author(b"another").as_bytes(),
        );
        let listed = project.acreta(&["plugin", "list"]).succeeded().stdout;
        assert!(listed.contains(failed), "{listed}");
        project.write("mine.wasm.sigstore.json", author(b"another").as_bytes());
        let verified = project
            .acreta(&verify)
            .failed(1, "is not what the lock says");
        assert!(verified.stdout.contains(failed), "{}", verified.stdout);
    }
}
