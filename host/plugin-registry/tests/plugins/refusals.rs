//! Every rejection at installation: one row each, with what, why and how to fix it, and no files left behind.

use acreta_plugin_registry::{
    Consent, Demand, Digest, Refused, SignaturePolicy, ToChanges, ToWishes,
};

use crate::registry::{push, reference};
use crate::server::{FileServer, ServedFile};
use crate::signatures::signer;
use crate::support::{NOW, PluginHome, UNASKED, component, manifest, manifest_with_digest, wasm};

/// Setup of a row in an empty home: the source to install from, and the signature policy.
type Prepared = (String, SignaturePolicy);

struct RefusalCase {
    name: &'static str,
    prepare: fn(&PluginHome, &FileServer) -> Prepared,
    /// Expected in the message: what and why.
    says: &'static str,
    /// Expected in the hint: how to fix it.
    mend: &'static str,
}

fn tree(home: &PluginHome, manifest: &str, component: &[u8]) -> Prepared {
    let folder = home.tree("tree", manifest, component);
    (folder.into_string(), SignaturePolicy::default())
}

fn with_component(home: &PluginHome, component: &[u8]) -> Prepared {
    tree(home, &manifest(""), component)
}

fn of_version(version: &str) -> Vec<u8> {
    wasm(&format!(
        r#"(component (instance $i) (export "acreta:adapter/adapter@{version}" (instance $i)))"#
    ))
}

fn asking_for(home: &PluginHome, candidate: &str) -> Prepared {
    let manifest = manifest("").replace("~/.mine/sessions", candidate);
    tree(home, &manifest, &component("adapter", ""))
}

fn named(home: &PluginHome, id: &str) -> Prepared {
    let manifest = manifest("").replace("adapter-mine", id);
    tree(home, &manifest, &component("adapter", ""))
}

fn published(server: &FileServer, manifest: &str, component: ServedFile) -> Prepared {
    server.set("/mine/plugin.toml", ServedFile::ok(manifest));
    server.set("/mine/mine.wasm", component);
    (server.url("/mine/mine.wasm"), SignaturePolicy::default())
}

const ROWS: &[RefusalCase] = &[
    RefusalCase {
        name: "not wasm",
        prepare: |home, _| with_component(home, b"#!/bin/sh"),
        says: "not a WebAssembly file",
        mend: "the one you built",
    },
    RefusalCase {
        name: "core module",
        prepare: |home, _| with_component(home, &wasm("(module)")),
        says: "core WebAssembly module, not a component",
        mend: "wasm32-wasip2",
    },
    RefusalCase {
        name: "cwasm",
        prepare: |home, _| with_component(home, b"\x7fELF\x02\x01\x01"),
        says: "precompiled native code",
        mend: "install the `.wasm` component",
    },
    RefusalCase {
        name: "wrong role",
        prepare: |home, _| with_component(home, &component("extractor", "")),
        says: "`adapter-mine` has role adapter in its manifest, but its component has role extractor",
        mend: "role = \"extractor\"",
    },
    RefusalCase {
        name: "newer WIT",
        prepare: |home, _| with_component(home, &of_version("0.2.0")),
        says: "0.2.0 of the adapter interface, this acreta speaks 0.1.0: it is newer than this acreta",
        mend: "update acreta",
    },
    RefusalCase {
        name: "older WIT",
        prepare: |home, _| with_component(home, &of_version("0.0.9")),
        says: "0.0.9 of the adapter interface, this acreta speaks 0.1.0: it is older than this acreta",
        mend: "rebuild it against acreta:adapter@0.1.0",
    },
    RefusalCase {
        name: "wasi:http",
        prepare: |home, _| {
            let component = wasm(
                r#"(component (import "wasi:http/outgoing-handler@0.2.0" (instance))
                   (instance $i) (export "acreta:adapter/adapter@0.1.0" (instance $i)))"#,
            );
            with_component(home, &component)
        },
        says: "imports `wasi:http/outgoing-handler@0.2.0`, which adapter plugins may not use",
        mend: "may import wasi:{io,cli,clocks,random,filesystem,sockets}@0.2",
    },
    RefusalCase {
        name: "digest mismatch in a tree",
        prepare: |home, _| {
            let manifest = manifest_with_digest(&component("adapter", "other"));
            tree(home, &manifest, &component("adapter", ""))
        },
        says: "does not match its manifest: expected sha256:",
        mend: "write `digest = \"sha256:",
    },
    RefusalCase {
        name: "no digest at an address",
        prepare: |_, server| {
            published(
                server,
                &manifest(""),
                ServedFile::ok(component("adapter", "")),
            )
        },
        says: "has no `digest`, which a published plugin needs",
        mend: "add `digest = \"sha256:…\"`",
    },
    RefusalCase {
        name: "bad signature",
        prepare: |home, _| {
            let (key, sign) = signer();
            let made = component("adapter", "");
            let (source, _) = with_component(home, &made);
            home.write(
                "tree/mine.wasm.minisig",
                sign(&component("adapter", "other")),
            );
            (
                source,
                SignaturePolicy::new(Demand::WhenPresent, &[key]).unwrap(),
            )
        },
        says: "its signature is not of this component",
        mend: "do not install this one",
    },
    RefusalCase {
        name: "damaged signature",
        prepare: |home, _| {
            let (source, signatures) = with_component(home, &component("adapter", ""));
            home.write("tree/mine.wasm.minisig", "signed, honestly");
            (source, signatures)
        },
        says: "its signature is damaged",
        mend: "do not install this one",
    },
    RefusalCase {
        name: "signature required",
        prepare: |home, _| {
            let (source, _) = with_component(home, &component("adapter", ""));
            let (key, _) = signer();
            (
                source,
                SignaturePolicy::new(Demand::Required, &[key]).unwrap(),
            )
        },
        says: "it is not signed, and signatures are required",
        mend: "ask its author for a `.minisig` or `.sigstore.json` file",
    },
    RefusalCase {
        name: "signed by somebody else",
        prepare: |home, _| {
            let made = component("adapter", "");
            let (source, _) = with_component(home, &made);
            let ((_, sign), (trusted, _)) = (signer(), signer());
            home.write("tree/mine.wasm.minisig", sign(&made));
            (
                source,
                SignaturePolicy::new(Demand::Required, &[trusted]).unwrap(),
            )
        },
        says: "signed by a key that is not trusted",
        mend: "`plugins.trusted_keys`",
    },
    RefusalCase {
        name: "half download",
        prepare: |_, server| {
            let made = component("adapter", "");
            let half = made.len() / 2;
            published(
                server,
                &manifest_with_digest(&made),
                ServedFile::ok(made).cut(half),
            )
        },
        says: "was interrupted after",
        mend: "nothing was installed; try again",
    },
    RefusalCase {
        name: "half file at an address",
        prepare: |_, server| {
            let made = component("adapter", "");
            let half = made[..made.len() / 2].to_vec();
            published(server, &manifest_with_digest(&made), ServedFile::ok(half))
        },
        says: "does not match its manifest",
        mend: "get both again",
    },
    RefusalCase {
        name: "half layer",
        prepare: |_, server| {
            let made = component("adapter", "");
            push(server, "mine", "1", &manifest(""), &made);
            let half = made[..made.len() / 2].to_vec();
            server.set(
                &format!("/v2/mine/blobs/{}", Digest::of(&made)),
                ServedFile::ok(half),
            );
            (reference(server, "mine:1"), SignaturePolicy::default())
        },
        says: "was interrupted after",
        mend: "nothing was installed; try again",
    },
    RefusalCase {
        name: "name of a built-in",
        prepare: |home, _| named(home, "adapter-claude"),
        says: "the name `adapter-claude` is taken: a built-in plugin uses it",
        mend: "give it another `id`",
    },
    RefusalCase {
        name: "name of a file",
        prepare: |home, _| {
            home.write("own/plugins/adapter-mine.wasm", component("adapter", "old"));
            with_component(home, &component("adapter", ""))
        },
        says: "the name `adapter-mine` is taken: `",
        mend: "remove `",
    },
    RefusalCase {
        name: "reserved name",
        prepare: |home, _| named(home, "auto"),
        says: "tree/plugin.toml:2: `id`: the plugin id `auto` is reserved",
        mend: "choose another one",
    },
    RefusalCase {
        name: "no name",
        prepare: |home, _| named(home, "../../etc"),
        says: "`id`: `../../etc` is not a valid plugin id",
        mend: "lower-case letters, digits and hyphens",
    },
    RefusalCase {
        name: "whole disk",
        prepare: |home, _| asking_for(home, "/"),
        says: "it asks for `/` as root `mine`, which is the whole disk",
        mend: "the agent's own folder alone",
    },
    RefusalCase {
        name: "another agent's folder",
        prepare: |home, _| asking_for(home, "~/.claude"),
        says: "overlaps with the folder of claude, which `adapter-claude` reads",
        mend: "the agent's own folder alone",
    },
    RefusalCase {
        name: "no manifest",
        prepare: |home, _| {
            let file = home.write("loose/mine.wasm", component("adapter", ""));
            (file.into_string(), SignaturePolicy::default())
        },
        says: "no `plugin.toml` found at",
        mend: "acreta plugin new",
    },
    RefusalCase {
        name: "manifest of another file",
        prepare: |home, _| {
            with_component(home, &component("adapter", ""));
            let file = home.write("tree/other.wasm", component("adapter", ""));
            (file.into_string(), SignaturePolicy::default())
        },
        says: "is for the component `mine.wasm`, not for `other.wasm`",
        mend: "install the file that `component` names",
    },
];

#[test]
fn every_bad_plugin_is_refused_with_what_why_and_how_to_mend() {
    for row in ROWS {
        let (home, server) = (PluginHome::new(), FileServer::new());
        let (source, signatures) = (row.prepare)(&home, &server);
        let refused = home.plan_signed(&source, &signatures).expect_err(row.name);
        let name = row.name;
        let text = refused.to_string();
        assert!(text.contains(row.says), "{name}: {text}");
        let hint = refused.hint().unwrap_or_default();
        assert!(hint.contains(row.mend), "{name}: {hint}");
        let own = home.root.join("own");
        assert!(!own.join("acreta.lock").exists(), "{name}");
        assert!(!own.join("plugins/adapter-mine").exists(), "{name}");
    }
}

/// Rows that need an installed plugin.
#[test]
fn what_was_confirmed_is_not_replaced_unasked() {
    let granted = Consent {
        changes: ToChanges::Unconfirmed,
        wishes: ToWishes::Granted,
    };
    type Then = fn(&PluginHome, &FileServer) -> String;
    let cases: [(&str, Then, &str); 5] = [
        (
            "moved tag",
            |_, server| {
                push(
                    server,
                    "mine",
                    "1",
                    &manifest(""),
                    &component("adapter", "evil"),
                );
                reference(server, "mine:1")
            },
            "the tag was moved",
        ),
        (
            "another component",
            |_, server| {
                push(
                    server,
                    "mine",
                    "2",
                    &manifest(""),
                    &component("adapter", "evil"),
                );
                reference(server, "mine:2")
            },
            "its component was sha256:",
        ),
        (
            "another source",
            |home, _| {
                home.tree("tree", &manifest(""), &component("adapter", ""))
                    .into_string()
            },
            "and comes from `",
        ),
        (
            "older version",
            |_, server| {
                let older = manifest("").replace("1.2.0", "1.1.0");
                push(server, "mine", "1", &older, &component("adapter", ""));
                reference(server, "mine:1")
            },
            "version 1.2.0 is installed, this is 1.1.0",
        ),
        (
            "grown wish",
            |_, server| {
                let grown = manifest("").replace(r#"["~/.mine/sessions"]"#, r#"["~/.mine"]"#);
                push(server, "mine", "1", &grown, &component("adapter", ""));
                reference(server, "mine:1")
            },
            "it asks to read ~/.mine (mine)",
        ),
    ];
    for (name, then, says) in cases {
        let (home, server) = (PluginHome::new(), FileServer::new());
        push(
            &server,
            "mine",
            "1",
            &manifest(""),
            &component("adapter", ""),
        );
        home.install(&reference(&server, "mine:1"));
        let (lock, grants) = (home.text("own/acreta.lock"), home.text("own/grants.toml"));

        let source = then(&home, &server);
        for consent in [UNASKED, granted] {
            let plan = home.plan(&source).unwrap();
            assert!(plan.to_string().contains(says), "{name}: {plan}");
            let refused = home.library().install(plan, consent, NOW).unwrap_err();
            assert!(matches!(refused, Refused::Unconfirmed { .. }), "{name}");
            assert!(refused.to_string().contains(says), "{name}: {refused}");
            assert!(refused.hint().unwrap().contains("--confirm"), "{name}");
        }
        assert_eq!(home.text("own/acreta.lock"), lock, "{name}");
        assert_eq!(home.text("own/grants.toml"), grants, "{name}");

        home.install(&source);
        assert_ne!(home.text("own/acreta.lock"), lock, "{name}: confirmed");
    }
}
