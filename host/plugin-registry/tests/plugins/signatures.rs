//! Signatures: valid ones of trusted keys count, and an update without one is reported.

use acreta_plugin_registry::{Demand, Refused, SignaturePolicy, SignatureProblem, Signed};
use minisign::KeyPair;

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
    for text in ["", "RWabc", "untrusted comment: x"] {
        let error = SignaturePolicy::new(Demand::Required, &[text.to_owned()]).unwrap_err();
        assert!(
            error
                .to_string()
                .contains(&format!("`{text}` is not a minisign public key"))
        );
    }
}
