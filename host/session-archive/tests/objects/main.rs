//! Archives in shared storage: a folder, a server that fails in every way, and moto if it is installed.
//! Needs the feature `s3`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod moto;
mod server;

use std::io::Read;
use std::sync::Arc;
use std::time::Duration;

use acreta_fs::{Directory, NoFaults};
use acreta_session_archive::{
    FolderStore, ObjectError, ObjectStore, RawArchive, RescueAs, RescueError, RescueLimits,
    RescueSource, S3Settings, S3Store, probe,
};
use camino::{Utf8Path, Utf8PathBuf};

use server::{Fault, Server};

const NAME: &str = "claude/one.zst";
const CONTENT: &[u8] = b"a session of some length, so that half of it is not all of it";

struct Place {
    folder: tempfile::TempDir,
}

impl Place {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> Utf8PathBuf {
        Utf8Path::from_path(self.folder.path()).unwrap().join(name)
    }

    fn directory(&self, name: &str) -> Directory {
        Directory::open_or_create_private(&self.path(name), NoFaults::shared()).unwrap()
    }

    /// Returns the folder with a file to upload.
    fn content(&self) -> Directory {
        let folder = self.directory("content");
        folder.replace("out", CONTENT).unwrap();
        folder
    }

    /// Returns a folder as storage.
    fn shared(&self) -> Arc<dyn ObjectStore> {
        let path = self.path("shared");
        std::fs::create_dir_all(&path).unwrap();
        Arc::new(FolderStore::new(&format!("file://{path}")).unwrap())
    }
}

fn store(url: &str) -> S3Store {
    let settings = S3Settings {
        access_key: "key".to_owned(),
        secret_key: "hunter2secret".to_owned(),
        endpoint: Some(url.to_owned()),
        timeout: Duration::from_millis(400),
        pause: Duration::from_millis(1),
        ..S3Settings::default()
    };
    S3Store::new("s3://archives/team a", settings, || 1_800_000_000_000).unwrap()
}

fn round_trip(store: &dyn ObjectStore) {
    let place = Place::new();
    let folder = place.content();
    assert!(!store.contains(NAME).unwrap());
    let error = store.get(NAME, &folder, "back").unwrap_err();
    assert!(matches!(error, ObjectError::Missing { .. }), "{error}");
    store.put(NAME, &folder, "out").unwrap();
    assert!(store.contains(NAME).unwrap());
    // An object that is there stays as it is.
    folder.replace("other", b"something else").unwrap();
    store.put(NAME, &folder, "other").unwrap();
    store.get(NAME, &folder, "back").unwrap();
    assert_eq!(folder.read("back", 1000).unwrap(), CONTENT);
    store.delete(NAME).unwrap();
    store.delete(NAME).unwrap();
    assert!(!store.contains(NAME).unwrap());
    probe(store, &folder, 7).unwrap();
    let left = folder.list(".", 100).unwrap();
    let left: Vec<&str> = left.iter().map(|entry| entry.path.as_str()).collect();
    assert_eq!(
        left,
        ["back", "other", "out"],
        "nothing else is left behind"
    );
}

#[test]
fn a_folder_keeps_objects() {
    let place = Place::new();
    round_trip(&*place.shared());
}

#[test]
fn a_folder_that_is_not_mounted_is_an_error_and_is_not_created() {
    let place = Place::new();
    let path = place.path("not-mounted");
    let store = FolderStore::new(&format!("file://{path}")).unwrap();
    let error = store.put(NAME, &place.content(), "out").unwrap_err();
    assert!(error.to_string().contains("not-mounted"), "{error}");
    assert!(error.hint().unwrap().contains("mount"), "{error:?}");
    assert!(error.is_passing());
    assert!(!path.exists());
}

#[test]
fn an_object_store_keeps_objects() {
    let server = Server::start();
    round_trip(&store(&server.url));
    assert!(server.objects().is_empty(), "{:?}", server.objects().keys());
    let requests = server.requests();
    let expected = "HEAD /archives/team%20a/claude/one.zst";
    assert_eq!(requests.first().unwrap(), expected);
}

#[test]
fn moto_keeps_objects() {
    let Some(moto) = moto::Moto::start() else {
        return;
    };
    round_trip(&store(&moto.url));
}

/// What comes of a fault that passes: the number of attempts is known, and the content is there once.
#[test]
fn faults_that_pass_are_retried() {
    let slow = Fault::Slow(Duration::from_millis(900));
    let table: &[(&str, &[Fault])] = &[
        (
            "errors",
            &[
                Fault::Status(500, "InternalError"),
                Fault::Status(503, "SlowDown"),
            ],
        ),
        ("too many requests", &[Fault::Status(429, "")]),
        (
            "a conflict",
            &[Fault::Status(409, "ConditionalRequestConflict")],
        ),
        ("slow", &[slow]),
        ("a cut request", &[Fault::CutRequest, Fault::CutRequest]),
        ("a lost answer", &[Fault::LostAnswer]),
        ("no conditions", &[Fault::NoConditions]),
    ];
    for (name, faults) in table {
        let (place, server) = (Place::new(), Server::start());
        let store = store(&server.url);
        server.fail(faults);
        store
            .put(NAME, &place.content(), "out")
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(server.requests().len(), faults.len() + 1, "{name}");
        let objects = server.objects();
        assert_eq!(objects.values().collect::<Vec<_>>(), [CONTENT], "{name}");

        let get: Vec<Fault> = faults.iter().cloned().chain([Fault::CutAnswer]).collect();
        server.fail(&get);
        store
            .get(NAME, &place.content(), "back")
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(
            place.content().read("back", 1000).unwrap(),
            CONTENT,
            "{name}"
        );
    }
}

#[test]
fn faults_that_stay_end_after_a_known_number_of_attempts() {
    let table: &[(&str, Fault)] = &[
        ("500 InternalError", Fault::Status(500, "InternalError")),
        ("", Fault::CutAnswer),
        ("", Fault::CutRequest),
        ("timeout", Fault::Slow(Duration::from_millis(900))),
    ];
    for (text, fault) in table {
        let (place, server) = (Place::new(), Server::start());
        let store = store(&server.url);
        store.put(NAME, &place.content(), "out").unwrap();
        server.requests();
        server.fail(&vec![fault.clone(); 20]);
        let error = store.get(NAME, &place.content(), "back").unwrap_err();
        assert!(
            matches!(error, ObjectError::Unreachable { .. }),
            "{fault:?}: {error}"
        );
        assert!(error.to_string().contains(text), "{error}");
        assert!(error.is_passing());
        assert_eq!(server.requests().len(), 4, "{fault:?}");
        assert!(!place.content().exists("back").unwrap(), "{fault:?}");
    }
    let store = store("http://127.0.0.1:9");
    let error = store.contains(NAME).unwrap_err();
    assert!(
        error.to_string().contains("s3://archives/team a"),
        "{error}"
    );
}

#[test]
fn a_cut_upload_leaves_nothing_to_read() {
    let (place, server) = (Place::new(), Server::start());
    let store = store(&server.url);
    server.fail(&vec![Fault::CutRequest; 20]);
    store.put(NAME, &place.content(), "out").unwrap_err();
    assert!(server.objects().is_empty());
}

#[test]
fn refusals_are_not_retried_and_say_what_to_do() {
    let table = [
        (403, "AccessDenied", "s3:PutObject"),
        (403, "SignatureDoesNotMatch", "AWS_SECRET_ACCESS_KEY"),
        (403, "RequestTimeTooSkewed", "clock"),
        (404, "NoSuchBucket", "archive.url"),
        (301, "PermanentRedirect", "AWS_REGION"),
    ];
    for (status, code, hint) in table {
        let (place, server) = (Place::new(), Server::start());
        server.fail(&[Fault::Status(status, code)]);
        let error = store(&server.url)
            .put(NAME, &place.content(), "out")
            .unwrap_err();
        let text = error.to_string();
        assert!(text.contains(&format!("{status} {code}")), "{text}");
        assert!(
            text.contains("s3://archives") && text.contains(NAME),
            "{text}"
        );
        assert!(
            error.hint().unwrap().contains(hint),
            "{code}: {:?}",
            error.hint()
        );
        assert!(!error.is_passing(), "{code}");
        assert_eq!(server.requests().len(), 1, "{code}");
        assert!(!format!("{error:?} {:?}", store(&server.url)).contains("hunter2"));
    }
}

#[test]
fn addresses_are_checked() {
    let make = |address: &str, endpoint: Option<&str>| {
        let settings = S3Settings {
            endpoint: endpoint.map(str::to_owned),
            ..S3Settings::default()
        };
        S3Store::new(address, settings, || 0)
            .map(|_| ())
            .map_err(|error| error.to_string())
    };
    make("s3://bucket", None).unwrap();
    make("s3://bucket/a/b/", Some("https://storage.example")).unwrap();
    make("s3://bucket", Some("http://127.0.0.1:9000")).unwrap();
    for (address, endpoint, reason) in [
        ("s3://", None, "no bucket"),
        ("https://bucket", None, "s3://"),
        ("s3://key:hunter2@bucket", None, "environment"),
        ("s3://bucket", Some("http://storage.example"), "unencrypted"),
        ("s3://bucket", Some("storage.example"), "AWS_ENDPOINT_URL"),
    ] {
        let error = make(address, endpoint).unwrap_err();
        assert!(error.contains(reason), "{address}: {error}");
        assert!(!error.contains("hunter2"), "{error}");
    }
    assert!(FolderStore::new("file://relative").is_err());
}

fn archive(place: &Place, name: &str, shared: &Arc<dyn ObjectStore>) -> RawArchive {
    RawArchive::new(&place.directory(name)).shared_in(Some(Arc::clone(shared)))
}

fn keep(archive: &RawArchive, content: &[u8]) -> String {
    let source = RescueSource {
        path: Utf8Path::new("session.jsonl"),
        reader: content,
        bytes: None,
    };
    let stored = archive.store_source("claude", source, RescueAs::Trace, &RescueLimits::default());
    stored.unwrap().digest
}

fn read(archive: &RawArchive, digest: &str) -> Result<Vec<u8>, RescueError> {
    let mut content = Vec::new();
    let mut reader = archive.open("claude", digest, &RescueLimits::default())?;
    reader
        .read_to_end(&mut content)
        .map_err(|cause| cause.downcast::<RescueError>().unwrap())?;
    Ok(content)
}

fn publish_all(archive: &RawArchive) -> Result<usize, RescueError> {
    let waiting = archive.waiting()?;
    waiting
        .iter()
        .try_for_each(|upload| archive.publish(upload))?;
    Ok(waiting.len())
}

#[test]
fn another_machine_reads_what_one_published_and_not_what_it_removed() {
    let place = Place::new();
    let shared = place.shared();
    let (ann, bob) = (
        archive(&place, "ann", &shared),
        archive(&place, "bob", &shared),
    );
    // Archived before the address was set.
    let before = keep(&RawArchive::new(&place.directory("ann")), b"before");
    assert_eq!(publish_all(&ann).unwrap(), 1);
    let after = keep(&ann, b"after");
    // Stored by a process that does not know the address.
    let between = keep(&RawArchive::new(&place.directory("ann")), b"between");
    assert!(matches!(
        read(&bob, &after),
        Err(RescueError::Missing { .. })
    ));
    assert_eq!(publish_all(&ann).unwrap(), 2);
    assert_eq!(publish_all(&ann).unwrap(), 0, "nothing is uploaded twice");
    for (digest, content) in [
        (&before, "before"),
        (&after, "after"),
        (&between, "between"),
    ] {
        assert_eq!(read(&bob, digest).unwrap(), content.as_bytes());
    }
    assert!(
        bob.list().unwrap().is_empty(),
        "what was fetched is not kept"
    );
    assert_eq!(ann.list().unwrap().len(), 3);

    assert!(ann.remove("claude", &before).unwrap());
    assert_eq!(publish_all(&ann).unwrap(), 1);
    assert!(matches!(
        read(&bob, &before),
        Err(RescueError::Missing { .. })
    ));
    assert_eq!(read(&bob, &after).unwrap(), b"after");
}

#[test]
fn an_upload_that_failed_is_repeated_and_a_wrong_content_is_not_believed() {
    let (place, server) = (Place::new(), Server::start());
    let shared: Arc<dyn ObjectStore> = Arc::new(store(&server.url));
    let (ann, bob) = (
        archive(&place, "ann", &shared),
        archive(&place, "bob", &shared),
    );
    assert_eq!(ann.waiting().unwrap().len(), 0);
    let digest = keep(&ann, CONTENT);
    server.fail(&vec![Fault::CutRequest; 20]);
    let error = publish_all(&ann).unwrap_err();
    assert!(error.is_passing(), "{error}");
    assert!(error.hint().is_some());
    assert_eq!(ann.waiting().unwrap().len(), 1, "it still waits");
    assert_eq!(
        read(&ann, &digest).unwrap(),
        CONTENT,
        "the own copy needs no server"
    );

    server.fail(&[]);
    assert_eq!(publish_all(&ann).unwrap(), 1);
    assert_eq!(read(&bob, &digest).unwrap(), CONTENT);

    // The first request asks for a raw session, the second for a trace.
    server.fail(&[Fault::None, Fault::WrongContent]);
    let error = read(&bob, &digest).unwrap_err();
    let is_refused = matches!(
        error,
        RescueError::Undecodable { .. } | RescueError::Damaged { .. }
    );
    assert!(is_refused, "{error}");
    assert_eq!(read(&bob, &digest).unwrap(), CONTENT);
}
