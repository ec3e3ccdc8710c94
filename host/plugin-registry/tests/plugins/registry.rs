//! Registries: content is checked, tokens stay with their registry, and a pinned digest holds.

use acreta_plugin_registry::{Digest, FetchOptions, Login, SignaturePolicy, Source, fetch, tags};
use serde_json::json;

use crate::embedded::built;
use crate::server::{FileServer, ServedFile};
use crate::signatures::signer;
use crate::support::{PluginHome, component, fetched, id, manifest};

const IMAGE: &str = "application/vnd.oci.image.manifest.v1+json";
const TITLE: &str = "org.opencontainers.image.title";

/// Pushes a plugin to a registry; returns the digest of its manifest.
pub(crate) fn push(
    server: &FileServer,
    name: &str,
    tag: &str,
    manifest: &str,
    component: &[u8],
) -> Digest {
    let image = image(&[
        ("application/wasm", "mine.wasm", component),
        ("application/toml", "plugin.toml", manifest.as_bytes()),
    ]);
    for blob in [component, manifest.as_bytes()] {
        server.set(
            &format!("/v2/{name}/blobs/{}", Digest::of(blob)),
            ServedFile::ok(blob),
        );
    }
    let digest = Digest::of(&image);
    let answer = ServedFile::ok(image)
        .header("content-type", IMAGE)
        .header("docker-content-digest", digest.to_string());
    server.set(&format!("/v2/{name}/manifests/{tag}"), answer.clone());
    server.set(&format!("/v2/{name}/manifests/{digest}"), answer);
    digest
}

pub(crate) fn reference(server: &FileServer, rest: &str) -> String {
    format!("oci://{}/{rest}", server.place)
}

fn image(layers: &[(&str, &str, &[u8])]) -> Vec<u8> {
    let layers: Vec<_> = layers
        .iter()
        .map(|(media_type, title, bytes)| {
            json!({
                "mediaType": media_type,
                "digest": Digest::of(bytes).to_string(),
                "size": bytes.len(),
                "annotations": { TITLE: title },
            })
        })
        .collect();
    let config = json!({ "mediaType": "application/vnd.oci.empty.v1+json", "digest": Digest::of(b"{}").to_string(), "size": 2 });
    let image =
        json!({ "schemaVersion": 2, "mediaType": IMAGE, "config": config, "layers": layers });
    serde_json::to_vec(&image).unwrap()
}

#[test]
fn a_plugin_is_pulled_by_tag_and_by_digest() {
    let (home, server) = (PluginHome::new(), FileServer::new());
    let made = component("adapter", "");
    let digest = push(&server, "team/mine", "1.2", &manifest(""), &made);
    let by_tag = home.plan(&reference(&server, "team/mine:1.2")).unwrap();
    assert_eq!(by_tag.resolved, Some(digest));
    assert_eq!(by_tag.digest, Digest::of(&made));
    let pinned = reference(&server, &format!("team/mine@{digest}"));
    assert_eq!(home.plan(&pinned).unwrap().resolved, Some(digest));

    home.install(&pinned);
    let lock = home.library().lock().unwrap();
    let locked = &lock.plugins[&id("adapter-mine")];
    assert_eq!(locked.source.to_string(), pinned);
    assert_eq!(locked.resolved, Some(digest));
    let installed = home
        .library()
        .load(&id("adapter-mine"), &SignaturePolicy::default());
    assert_eq!(installed.unwrap().component, made);
}

#[test]
fn a_registry_that_sends_something_else_is_refused() {
    let made = component("adapter", "");
    let blob = |bytes: &[u8]| format!("/v2/mine/blobs/{}", Digest::of(bytes));
    let mut evil = made.clone();
    *evil.last_mut().unwrap() ^= 1;
    type Spoil = Box<dyn Fn(&FileServer)>;
    let (component_path, manifest_path) = (blob(&made), blob(manifest("").as_bytes()));
    let two = image(&[
        ("application/wasm", "a.wasm", b"a"),
        ("application/wasm", "b.wasm", b"b"),
    ]);
    let huge = json!({ "layers": [
        { "mediaType": "application/wasm", "digest": Digest::of(b"").to_string(), "size": 1_u64 << 40 },
        { "mediaType": "x", "digest": Digest::of(manifest("").as_bytes()).to_string(), "size": manifest("").len(),
          "annotations": { TITLE: "plugin.toml" } },
    ]});
    let list = |body: Vec<u8>| -> Spoil {
        Box::new(move |server| server.set("/v2/mine/manifests/1", ServedFile::ok(body.clone())))
    };
    let cases: Vec<(&str, Spoil, &str)> = vec![
        (
            "another component",
            Box::new(move |server| server.set(&component_path, ServedFile::ok(evil.clone()))),
            "the component of",
        ),
        (
            "longer manifest",
            Box::new(move |server| server.set(&manifest_path, ServedFile::ok("x".repeat(4000)))),
            "is larger than",
        ),
        (
            "no image",
            list(b"<html>".to_vec()),
            "its list of layers cannot be read",
        ),
        (
            "index",
            list(
                json!({ "manifests": [{ "digest": "x" }] })
                    .to_string()
                    .into(),
            ),
            "an index of several images",
        ),
        ("no layers", list(b"{}".to_vec()), "it has no component"),
        ("two components", list(two), "it has several components"),
        (
            "no manifest",
            list(image(&[("application/wasm", "a.wasm", &made)])),
            "neither in its component nor in a layer titled `plugin.toml`",
        ),
        (
            "bad digest",
            list(
                json!({ "layers": [
                    { "mediaType": "application/wasm", "digest": "sha512:00", "size": 1 },
                    { "digest": "md5:../../x", "size": 1, "annotations": { TITLE: "plugin.toml" } },
                ]})
                .to_string()
                .into(),
            ),
            "is not a digest",
        ),
        (
            "huge",
            list(huge.to_string().into()),
            "is larger than 134217728 bytes",
        ),
        (
            "gone",
            Box::new(|server| server.set("/v2/mine/manifests/1", ServedFile::status(404))),
            "status 404",
        ),
        (
            "said otherwise",
            Box::new(|server| {
                let answer = ServedFile::ok("{}")
                    .header("docker-content-digest", Digest::of(b"").to_string());
                server.set("/v2/mine/manifests/1", answer);
            }),
            "the list of layers of",
        ),
        (
            "login",
            Box::new(|server| {
                let answer = ServedFile::ok("").for_token("t", "Basic realm=\"x\"");
                server.set("/v2/mine/manifests/1", answer);
            }),
            "it requires a login",
        ),
        (
            "another login",
            Box::new(|server| {
                let answer = ServedFile::ok("").for_token("t", "Negotiate abc");
                server.set("/v2/mine/manifests/1", answer);
            }),
            "requires an unsupported kind of login",
        ),
        (
            "token from elsewhere",
            Box::new(|server| {
                let answer = ServedFile::ok("")
                    .for_token("t", "Bearer realm=\"http://registry.example/token\"");
                server.set("/v2/mine/manifests/1", answer);
            }),
            "is not encrypted",
        ),
        (
            "no token",
            Box::new(|server| {
                let realm = format!("Bearer realm=\"{}\"", server.url("/token"));
                server.set(
                    "/v2/mine/manifests/1",
                    ServedFile::ok("").for_token("t", &realm),
                );
                server.set("/token?scope=repository:mine:pull", ServedFile::status(401));
            }),
            "issues no token without a login",
        ),
        (
            "junk token",
            Box::new(|server| {
                let realm = format!("Bearer realm=\"{}\"", server.url("/token"));
                server.set(
                    "/v2/mine/manifests/1",
                    ServedFile::ok("").for_token("t", &realm),
                );
                server.set(
                    "/token?scope=repository:mine:pull",
                    ServedFile::ok(r#"{"token":"a\r\nb: c"}"#),
                );
            }),
            "its reply contains no valid token",
        ),
    ];
    for (name, spoil, says) in cases {
        let server = FileServer::new();
        push(&server, "mine", "1", &manifest(""), &made);
        spoil(&server);
        let refused = fetched(&reference(&server, "mine:1")).expect_err(name);
        assert!(refused.to_string().contains(says), "{name}: {refused}");
        assert!(refused.hint().is_some(), "{name}");
    }
}

#[test]
fn a_pinned_digest_is_what_is_pulled() {
    let server = FileServer::new();
    let pinned = push(
        &server,
        "mine",
        "1",
        &manifest(""),
        &component("adapter", ""),
    );
    let other = image(&[("application/wasm", "mine.wasm", b"evil")]);
    server.set(
        &format!("/v2/mine/manifests/{pinned}"),
        ServedFile::ok(other),
    );
    let refused = fetched(&reference(&server, &format!("mine@{pinned}"))).unwrap_err();
    let says = format!(
        "the list of layers of `oci://{}/mine@{pinned}` does not match its digest",
        server.place
    );
    assert!(refused.to_string().contains(&says), "{refused}");
}

#[test]
fn a_token_is_fetched_where_wanted_and_stays_with_its_registry() {
    let (server, elsewhere) = (FileServer::new(), FileServer::new());
    let made = component("adapter", "");
    push(&server, "mine", "1", &manifest(""), &made);
    let challenge = format!(
        "Bearer realm=\"{}\",service=\"registry.example\",scope=\"repository:mine:pull\"",
        server.url("/token")
    );
    let image = image(&[
        ("application/wasm", "mine.wasm", &made),
        ("application/toml", "plugin.toml", manifest("").as_bytes()),
    ]);
    server.set(
        "/v2/mine/manifests/1",
        ServedFile::ok(image).for_token("secret", &challenge),
    );
    let token_path = "/token?service=registry.example&scope=repository:mine:pull";
    server.set(token_path, ServedFile::ok(r#"{"access_token":"secret"}"#));
    let blob = format!("/v2/mine/blobs/{}", Digest::of(&made));
    server.set(
        &blob,
        ServedFile::redirect(elsewhere.url("/storage/1?signature=x")),
    );
    elsewhere.set("/storage/1?signature=x", ServedFile::ok(made.clone()));

    let fetched = fetched(&reference(&server, "mine:1")).unwrap();
    assert_eq!(fetched.component(), made);
    let with_token: Vec<bool> = server
        .asked()
        .iter()
        .map(|asked| asked.authorization.as_deref() == Some("Bearer secret"))
        .collect();
    // Request, challenge, token, request again, then both layers.
    assert_eq!(with_token, [false, false, true, true, true]);
    let elsewhere: Vec<_> = elsewhere.asked();
    assert_eq!(elsewhere.len(), 1);
    assert_eq!(elsewhere[0].authorization, None);
}

/// What `wkg oci push` makes: a config of its type, and one layer without a title.
#[test]
fn a_wasm_artifact_is_one_layer_with_its_manifest_inside() {
    let (home, server) = (PluginHome::new(), FileServer::new());
    let made = built(&component("adapter", ""), &manifest(""));
    let (key, sign) = signer();
    let config = json!({ "mediaType": "application/vnd.wasm.config.v0+json", "digest": Digest::of(b"{}").to_string(), "size": 2 });
    let layer = json!({ "mediaType": "application/wasm", "digest": Digest::of(&made).to_string(), "size": made.len() });
    let mut artifact =
        json!({ "schemaVersion": 2, "mediaType": IMAGE, "config": config, "layers": [layer] });
    let blob = format!("/v2/mine/blobs/{}", Digest::of(&made));
    server.set(&blob, ServedFile::ok(made.clone()));
    server.set("/v2/mine/manifests/1", ServedFile::ok(artifact.to_string()));
    let trusting = SignaturePolicy::new(Default::default(), &[key]).unwrap();
    let source = reference(&server, "mine:1");
    let plan = home.plan_signed(&source, &trusting).unwrap();
    assert_eq!(plan.signature_state().name(), "not-signed");
    home.install(&source);

    // Its signature is an annotation.
    for (signature, state) in [(sign(&made), Some("verified")), (sign(b"else"), None)] {
        artifact["annotations"] = json!({ "acreta.minisig": signature });
        server.set("/v2/mine/manifests/1", ServedFile::ok(artifact.to_string()));
        let plan = home.plan_signed(&source, &trusting).ok();
        let found = plan.map(|plan| plan.signature_state().name());
        assert_eq!(found, state);
    }
}

#[test]
fn a_login_goes_to_the_registry_and_its_token_server_alone() {
    let options = |login: Login| FetchOptions {
        login: Some(login),
        ..FetchOptions::default()
    };
    let made = built(&component("adapter", ""), &manifest(""));
    let layer = json!({ "mediaType": "application/wasm", "digest": Digest::of(&made).to_string(), "size": made.len() });
    let artifact = json!({ "layers": [layer] }).to_string();
    let blob = format!("/v2/mine/blobs/{}", Digest::of(&made));
    let basic = Login::new("me", "secret");

    // By itself, where the registry wants that.
    let (server, elsewhere) = (FileServer::new(), FileServer::new());
    let wanted = ServedFile {
        token: Some((
            "Basic bWU6c2VjcmV0".to_owned(),
            "Basic realm=\"x\"".to_owned(),
        )),
        ..ServedFile::ok(artifact.clone())
    };
    server.set("/v2/mine/manifests/1", wanted);
    server.set(&blob, ServedFile::redirect(elsewhere.url("/storage")));
    elsewhere.set("/storage", ServedFile::ok(made.clone()));
    let source = Source::parse(&reference(&server, "mine:1")).unwrap();
    fetch(&source, &options(basic.clone())).unwrap();
    assert_eq!(elsewhere.asked()[0].authorization, None);
    let refused = fetch(&source, &options(Login::new("me", "wrong"))).unwrap_err();
    assert!(
        refused.to_string().contains("the login has no permission"),
        "{refused}"
    );
    assert!(refused.hint().unwrap().contains("docker login"));

    // For a token, where it names a server for tokens.
    let server = FileServer::new();
    let challenge = format!("Bearer realm=\"{}\",service=\"r\"", server.url("/token"));
    server.set(
        "/v2/mine/manifests/1",
        ServedFile::ok(artifact).for_token("t", &challenge),
    );
    server.set(&blob, ServedFile::ok(made));
    let token = "/token?service=r&scope=repository:mine:pull";
    server.set(token, ServedFile::ok(r#"{"token":"t"}"#));
    server.set("POST /token", ServedFile::ok(r#"{"access_token":"t"}"#));
    let source = Source::parse(&reference(&server, "mine:1")).unwrap();
    for login in [basic, Login::Identity("refresh".to_owned())] {
        fetch(&source, &options(login)).unwrap();
    }
    let asked = server.asked();
    let asked = asked.iter().filter(|one| one.path.contains("/token"));
    let asked: Vec<_> = asked
        .map(|one| (one.path.as_str(), one.authorization.as_deref()))
        .collect();
    assert_eq!(
        asked,
        [(token, Some("Basic bWU6c2VjcmV0")), ("POST /token", None)]
    );
}

#[test]
fn tags_are_listed_to_the_last_page() {
    let server = FileServer::new();
    let page = |tags: &[&str], next: Option<&str>| {
        let page = ServedFile::ok(json!({ "name": "mine", "tags": tags }).to_string());
        match next {
            Some(next) => page.header("link", format!("<{next}>; rel=\"next\"")),
            None => page,
        }
    };
    let second = "/v2/mine/tags/list?last=b&n=1000";
    server.set("/v2/mine/tags/list?n=1000", page(&["a", "b"], Some(second)));
    server.set(second, page(&["c"], None));
    let Source::Oci(source) = Source::parse(&reference(&server, "mine:1")).unwrap() else {
        panic!("a reference is one");
    };
    let found = tags(&source, &FetchOptions::default()).unwrap();
    assert_eq!(found, ["a", "b", "c"]);
    // Another host is not followed with anything but the address.
    server.set(second, page(&["c"], Some("http://registry.example/x")));
    assert!(tags(&source, &FetchOptions::default()).is_err());
}
