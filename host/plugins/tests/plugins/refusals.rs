//! Everything that is refused at installation: one row each, with what, why and how to mend it, and
//! nothing left behind.

use acreta_plugins::{Consent, Demand, Digest, Refused, SignaturePolicy, ToChanges, ToWishes};

use crate::registry::{push, reference};
use crate::server::{Answer, Server};
use crate::signatures::signer;
use crate::support::{Home, NOW, UNASKED, component, manifest, manifest_with_digest, wasm};

/// What a row puts into an empty home: the source to install from, and the signatures that count.
type Prepared = (String, SignaturePolicy);

struct Row {
    name: &'static str,
    prepare: fn(&Home, &Server) -> Prepared,
    /// In the message: what and why.
    says: &'static str,
    /// In the hint: how to mend.
    mend: &'static str,
}

fn tree(home: &Home, manifest: &str, component: &[u8]) -> Prepared {
    let folder = home.tree("tree", manifest, component);
    (folder.into_string(), SignaturePolicy::default())
}

fn with_component(home: &Home, component: &[u8]) -> Prepared {
    tree(home, &manifest(""), component)
}

fn of_version(version: &str) -> Vec<u8> {
    wasm(&format!(
        r#"(component (instance $i) (export "acreta:adapter/adapter@{version}" (instance $i)))"#
    ))
}

fn asking_for(home: &Home, candidate: &str) -> Prepared {
    let manifest = manifest("").replace("~/.mine/sessions", candidate);
    tree(home, &manifest, &component("adapter", ""))
}

fn named(home: &Home, id: &str) -> Prepared {
    let manifest = manifest("").replace("adapter-mine", id);
    tree(home, &manifest, &component("adapter", ""))
}

fn published(server: &Server, manifest: &str, component: Answer) -> Prepared {
    server.set("/mine/plugin.toml", Answer::ok(manifest));
    server.set("/mine/mine.wasm", component);
    (server.url("/mine/mine.wasm"), SignaturePolicy::default())
}

const ROWS: &[Row] = &[
    Row {
        name: "not wasm",
        prepare: |home, _| with_component(home, b"#!/bin/sh"),
        says: "not a WebAssembly file",
        mend: "the one you built",
    },
    Row {
        name: "core module",
        prepare: |home, _| with_component(home, &wasm("(module)")),
        says: "core WebAssembly module, not a component",
        mend: "wasm32-wasip2",
    },
    Row {
        name: "cwasm",
        prepare: |home, _| with_component(home, b"\x7fELF\x02\x01\x01"),
        says: "precompiled native code",
        mend: "install the `.wasm` component",
    },
    Row {
        name: "wrong role",
        prepare: |home, _| with_component(home, &component("extractor", "")),
        says: "`adapter-mine` says that it is of role adapter, its component is of role extractor",
        mend: "role = \"extractor\"",
    },
    Row {
        name: "newer WIT",
        prepare: |home, _| with_component(home, &of_version("0.2.0")),
        says: "0.2.0 of the adapter interface, this acreta speaks 0.1.0: it is newer than this acreta",
        mend: "update acreta",
    },
    Row {
        name: "older WIT",
        prepare: |home, _| with_component(home, &of_version("0.0.9")),
        says: "0.0.9 of the adapter interface, this acreta speaks 0.1.0: it is older than this acreta",
        mend: "rebuild it against acreta:adapter@0.1.0",
    },
    Row {
        name: "wasi:http",
        prepare: |home, _| {
            let component = wasm(
                r#"(component (import "wasi:http/outgoing-handler@0.2.0" (instance))
                   (instance $i) (export "acreta:adapter/adapter@0.1.0" (instance $i)))"#,
            );
            with_component(home, &component)
        },
        says: "imports `wasi:http/outgoing-handler@0.2.0`, which adapter plugins are not given",
        mend: "may import wasi:{io,cli,clocks,random,filesystem,sockets}@0.2",
    },
    Row {
        name: "digest mismatch in a tree",
        prepare: |home, _| {
            let manifest = manifest_with_digest(&component("adapter", "other"));
            tree(home, &manifest, &component("adapter", ""))
        },
        says: "is not the one of its manifest: sha256:",
        mend: "write `digest = \"sha256:",
    },
    Row {
        name: "no digest at an address",
        prepare: |_, server| published(server, &manifest(""), Answer::ok(component("adapter", ""))),
        says: "has no `digest`, which a published plugin needs",
        mend: "add `digest = \"sha256:…\"`",
    },
    Row {
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
    Row {
        name: "damaged signature",
        prepare: |home, _| {
            let (source, signatures) = with_component(home, &component("adapter", ""));
            home.write("tree/mine.wasm.minisig", "signed, honestly");
            (source, signatures)
        },
        says: "its signature is damaged",
        mend: "do not install this one",
    },
    Row {
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
        mend: "ask its author for a `.minisig` file",
    },
    Row {
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
    Row {
        name: "half download",
        prepare: |_, server| {
            let made = component("adapter", "");
            let half = made.len() / 2;
            published(
                server,
                &manifest_with_digest(&made),
                Answer::ok(made).cut(half),
            )
        },
        says: "broke off after",
        mend: "nothing was installed; try again",
    },
    Row {
        name: "half file at an address",
        prepare: |_, server| {
            let made = component("adapter", "");
            let half = made[..made.len() / 2].to_vec();
            published(server, &manifest_with_digest(&made), Answer::ok(half))
        },
        says: "is not the one of its manifest",
        mend: "get both again",
    },
    Row {
        name: "half layer",
        prepare: |_, server| {
            let made = component("adapter", "");
            push(server, "mine", "1", &manifest(""), &made);
            let half = made[..made.len() / 2].to_vec();
            server.set(
                &format!("/v2/mine/blobs/{}", Digest::of(&made)),
                Answer::ok(half),
            );
            (reference(server, "mine:1"), SignaturePolicy::default())
        },
        says: "broke off after",
        mend: "nothing was installed; try again",
    },
    Row {
        name: "name of a built-in",
        prepare: |home, _| named(home, "adapter-claude"),
        says: "the name `adapter-claude` is taken: a built-in plugin has it",
        mend: "give it another `id`",
    },
    Row {
        name: "name of a file",
        prepare: |home, _| {
            home.write("own/plugins/adapter-mine.wasm", component("adapter", "old"));
            with_component(home, &component("adapter", ""))
        },
        says: "the name `adapter-mine` is taken: `",
        mend: "remove `",
    },
    Row {
        name: "reserved name",
        prepare: |home, _| named(home, "auto"),
        says: "tree/plugin.toml:2: `id`: the plugin id `auto` is reserved",
        mend: "choose another one",
    },
    Row {
        name: "no name",
        prepare: |home, _| named(home, "../../etc"),
        says: "`id`: `../../etc` is no plugin id",
        mend: "small letters, digits and hyphens",
    },
    Row {
        name: "whole disk",
        prepare: |home, _| asking_for(home, "/"),
        says: "it asks for `/` as root `mine`, which is the whole disk",
        mend: "the agent's own folder alone",
    },
    Row {
        name: "another agent's folder",
        prepare: |home, _| asking_for(home, "~/.claude"),
        says: "is or holds the folder of claude, or lies in it; `adapter-claude` reads that",
        mend: "the agent's own folder alone",
    },
    Row {
        name: "no manifest",
        prepare: |home, _| {
            let file = home.write("loose/mine.wasm", component("adapter", ""));
            (file.into_string(), SignaturePolicy::default())
        },
        says: "there is no `plugin.toml` at",
        mend: "acreta plugin new",
    },
    Row {
        name: "manifest of another file",
        prepare: |home, _| {
            with_component(home, &component("adapter", ""));
            let file = home.write("tree/other.wasm", component("adapter", ""));
            (file.into_string(), SignaturePolicy::default())
        },
        says: "is of the component `mine.wasm`, not of `other.wasm`",
        mend: "install the file that `component` names",
    },
];

#[test]
fn every_bad_plugin_is_refused_with_what_why_and_how_to_mend() {
    for row in ROWS {
        let (home, server) = (Home::new(), Server::new());
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

/// The rows that need something installed before.
#[test]
fn what_was_confirmed_is_not_replaced_unasked() {
    let granted = Consent {
        changes: ToChanges::Unconfirmed,
        wishes: ToWishes::Granted,
    };
    type Then = fn(&Home, &Server) -> String;
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
        let (home, server) = (Home::new(), Server::new());
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
