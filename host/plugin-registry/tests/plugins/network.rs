//! URLs: fetching, redirects, and invalid addresses.

use std::time::Duration;

use acreta_fs::{Directory, NoFaults};
use acreta_plugin_registry::{
    Address, Digest, FetchError, FetchOptions, KnownFile, Refused, Source, download, fetch,
};
use camino::Utf8Path;

use crate::server::{FileServer, ServedFile};
use crate::signatures::signer;
use crate::support::{PluginHome, component, fetched, id, manifest_with_digest};

fn published(server: &FileServer) -> Vec<u8> {
    let made = component("adapter", "");
    server.set(
        "/mine/plugin.toml",
        ServedFile::ok(manifest_with_digest(&made)),
    );
    server.set("/mine/mine.wasm", ServedFile::ok(made.clone()));
    made
}

#[test]
fn a_published_folder_is_installed_by_either_file() {
    for name in ["mine.wasm", "plugin.toml"] {
        let (home, server) = (PluginHome::new(), FileServer::new());
        let made = published(&server);
        let (_, sign) = signer();
        let signature = sign(&made);
        server.set("/mine/mine.wasm.minisig", ServedFile::ok(signature.clone()));
        let url = server.url(&format!("/mine/{name}"));
        home.install(&url);
        let locked = home.library().lock().unwrap().plugins[&id("adapter-mine")].clone();
        assert_eq!(locked.source.to_string(), url);
        assert_eq!(locked.digest, Digest::of(&made));
        assert_eq!(
            home.text("own/plugins/adapter-mine/component.wasm.minisig"),
            signature
        );
    }
}

#[test]
fn redirects_are_followed_where_they_may_lead() {
    let followed = |to: &str| {
        let server = FileServer::new();
        let made = published(&server);
        server.set("/far/mine.wasm", ServedFile::ok(made));
        server.set(
            "/mine/mine.wasm",
            ServedFile::redirect(to.replace("PLACE", &server.place)),
        );
        fetched(&server.url("/mine/mine.wasm"))
    };
    for to in ["/far/mine.wasm", "http://PLACE/far/mine.wasm"] {
        assert!(followed(to).is_ok(), "{to}");
    }
    for to in [
        "http://plugins.example/mine.wasm",
        "file:///etc/passwd",
        "//plugins.example/mine.wasm",
        "http://me:secret@127.0.0.1/x",
        "",
    ] {
        let refused = followed(to).expect_err(to);
        assert!(
            matches!(refused, Refused::Fetch(FetchError::Redirect { .. })),
            "{to}: {refused}"
        );
    }
    let refused = followed("/mine/mine.wasm").unwrap_err();
    assert!(
        refused.to_string().contains("more than 5 redirects"),
        "{refused}"
    );
}

#[test]
fn servers_that_do_not_answer_are_told_apart() {
    let server = FileServer::new();
    published(&server);
    let url = server.url("/mine/mine.wasm");
    let cases = [
        (
            "/mine/plugin.toml",
            ServedFile::status(404),
            "no `plugin.toml` found at `http",
        ),
        (
            "/mine/plugin.toml",
            ServedFile::status(500),
            "answered with status 500",
        ),
        (
            "/mine/plugin.toml",
            ServedFile::ok([0xff, 0xfe]),
            "is not text",
        ),
        (
            "/mine/plugin.toml",
            ServedFile::ok(vec![b'#'; 300_000]),
            "is larger than 262144 bytes",
        ),
        (
            "/mine/plugin.toml",
            ServedFile::ok("id = 1"),
            "/mine/plugin.toml:1: ",
        ),
        (
            "/mine/mine.wasm",
            ServedFile::status(404),
            "answered with status 404",
        ),
        (
            "/mine/mine.wasm.minisig",
            ServedFile::status(403),
            "answered with status 403",
        ),
    ];
    for (path, answer, says) in cases {
        published(&server);
        server.set(path, answer);
        let refused = fetched(&url).unwrap_err();
        assert!(refused.to_string().contains(says), "{says}: {refused}");
        assert!(refused.hint().is_some());
    }
    let huge = ServedFile {
        claimed: Some(200_000_000),
        ..ServedFile::ok("")
    };
    published(&server);
    server.set("/mine/mine.wasm", huge);
    let refused = fetched(&url).unwrap_err();
    assert!(
        refused
            .to_string()
            .contains("is larger than 134217728 bytes"),
        "{refused}"
    );

    let silent = ServedFile {
        silent: true,
        ..ServedFile::ok("")
    };
    server.set("/mine/mine.wasm", silent);
    let hasty = FetchOptions {
        timeout: Duration::from_millis(200),
        ..FetchOptions::default()
    };
    let refused = fetch(&Source::parse(&url).unwrap(), &hasty).unwrap_err();
    assert!(matches!(refused, FetchError::Timeout { .. }), "{refused}");

    // Nothing listens on the port of a closed listener.
    let gone = std::net::TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap();
    let refused = fetched(&format!("http://{gone}/mine.wasm")).unwrap_err();
    assert!(
        refused.to_string().contains("could not be reached"),
        "{refused}"
    );
}

#[test]
fn sources_are_read_as_they_are_written() {
    let digest = Digest::of(b"");
    let pinned = format!("oci://registry.example/team/mine@{digest}");
    for text in [
        "mine.wasm",
        "./build/mine.wasm",
        "/srv/plugins/mine",
        "https://plugins.example/mine/mine.wasm",
        "https://plugins.example:8443/mine/plugin.toml",
        "http://127.0.0.1:8080/mine.wasm",
        "http://[::1]:8080/mine.wasm",
        "http://localhost/mine.wasm",
        "oci://registry.example/team/mine:1.2.0",
        "oci://localhost:5000/mine:latest",
        pinned.as_str(),
    ] {
        assert_eq!(Source::parse(text).unwrap().to_string(), text);
    }
    for (text, says) in [
        ("http://plugins.example/mine.wasm", "is not encrypted"),
        (
            "http://localhost.plugins.example/mine.wasm",
            "is not encrypted",
        ),
        (
            "http://127.0.0.1.plugins.example/mine.wasm",
            "is not encrypted",
        ),
        (
            "https://me:secret@plugins.example/mine.wasm",
            "a user or a password",
        ),
        (
            "https://plugins.example/mine.wasm?token=secret",
            "has a query",
        ),
        ("https://plugins.example/?x=/mine.wasm", "has a query"),
        ("https://plugins.example/", "is not the address of a plugin"),
        ("https:///mine.wasm", "is not an address"),
        ("ftp://plugins.example/mine.wasm", "is not of a known kind"),
        ("oci://registry.example/mine", "is not a reference"),
        ("oci://registry.example/Mine:1", "is not a reference"),
        ("oci://registry.example/../mine:1", "is not a reference"),
        (
            "oci://registry.example/mine@sha256:12",
            "is not a reference",
        ),
        ("oci://registry.example/mine:a b", "is not a reference"),
        (
            "oci://me:secret@registry.example/mine:1",
            "is not a reference",
        ),
        ("", "is not a path"),
    ] {
        let error = Source::parse(text).expect_err(text);
        assert!(error.to_string().contains(says), "{text}: {error}");
        assert!(!error.hint.is_empty());
    }
}

/// Downloads `/far/file` of a server through a redirect, as model hubs answer, into a folder.
fn downloaded(
    server: &FileServer,
    content: &[u8],
    folder: &tempfile::TempDir,
) -> (Result<(), FetchError>, Vec<u64>) {
    let into = Utf8Path::from_path(folder.path()).unwrap();
    let into = Directory::open(into, NoFaults::shared()).unwrap();
    let file = KnownFile {
        name: "model.bin",
        bytes: content.len() as u64,
        digest: Digest::of(content),
    };
    server.set("/near/file", ServedFile::redirect("/far/file?signed=1"));
    let address = Address::parse(&server.url("/near/file")).unwrap();
    let mut told = Vec::new();
    let done = download(
        &address,
        &file,
        &into,
        &FetchOptions::default(),
        &mut |bytes| {
            told.push(bytes);
        },
    );
    (done, told)
}

#[test]
fn a_download_goes_on_where_it_broke_off() {
    let content: Vec<u8> = (0..3_000_000u32).map(|number| number as u8).collect();
    for continues in [true, false] {
        let (server, folder) = (FileServer::new(), tempfile::tempdir().unwrap());
        let whole = ServedFile {
            continues,
            ..ServedFile::ok(content.clone())
        };
        server.set("/far/file?signed=1", whole.clone().cut(2_000_000));
        let (broken, _) = downloaded(&server, &content, &folder);
        assert!(
            matches!(broken, Err(FetchError::HalfDownload { .. })),
            "{broken:?}"
        );
        assert!(!folder.path().join("model.bin").exists());
        server.set("/far/file?signed=1", whole);
        let (done, told) = downloaded(&server, &content, &folder);
        assert!(done.is_ok(), "{done:?}");
        assert_eq!(server.asked().last().unwrap().from, 2_000_000);
        assert_eq!(told.last(), Some(&3_000_000));
        assert_eq!(
            std::fs::read(folder.path().join("model.bin")).unwrap(),
            content
        );
        // A second download sends no request.
        let asked = server.asked().len();
        assert!(downloaded(&server, &content, &folder).0.is_ok());
        assert_eq!(server.asked().len(), asked);
    }
}

#[test]
fn a_download_that_is_not_what_was_promised_is_refused() {
    let content = vec![1u8; 100_000];
    type Case = (ServedFile, fn(&FetchError) -> bool);
    let cases: [Case; 4] = [
        (ServedFile::ok(vec![2u8; 100_000]), |error| {
            matches!(error, FetchError::Digest { .. })
        }),
        (ServedFile::ok(vec![1u8; 100_001]), |error| {
            matches!(error, FetchError::TooLarge { .. })
        }),
        (ServedFile::status(404), |error| {
            matches!(error, FetchError::Status { status: 404, .. })
        }),
        (ServedFile::redirect("http://hub.example/file"), |error| {
            matches!(error, FetchError::Redirect { .. })
        }),
    ];
    for (answer, is_expected) in cases {
        let (server, folder) = (FileServer::new(), tempfile::tempdir().unwrap());
        server.set("/far/file?signed=1", answer);
        let error = downloaded(&server, &content, &folder).0.unwrap_err();
        assert!(is_expected(&error), "{error:?}");
        let left: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        assert!(left.is_empty(), "{left:?}");
    }
}
