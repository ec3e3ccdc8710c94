//! Object storage that speaks S3 (`s3://bucket/prefix`): put, get, head and delete over HTTPS, or over HTTP on this
//! machine. Each attempt has a time limit and their number is bounded; redirects are not followed, because they would
//! carry the signature elsewhere.

mod sign;

use std::fmt;
use std::io::{self, Read};
use std::sync::Arc;
use std::time::Duration;

use acreta_fs::Directory;
use sha2::{Digest, Sha256};
use ureq::http::{Response, StatusCode, Uri};
use ureq::tls::{Certificate, PemItem, RootCerts, TlsConfig, parse_pem};
use ureq::{Agent, Body, SendBody};

use self::sign::SignedRequest;
use super::{ObjectError, ObjectStore};

/// Returns milliseconds since 1970.
pub type S3Clock = fn() -> u64;

/// Keys and server of an object store, from the environment only.
#[derive(Clone)]
pub struct S3Settings {
    pub access_key: String,
    pub secret_key: String,
    pub session_token: Option<String>,
    pub region: String,
    /// A server other than Amazon's, as `https://host` or, on this machine, `http://127.0.0.1:9000`.
    pub endpoint: Option<String>,
    /// Certificates (PEM) to trust instead of the public authorities.
    pub root_certificates: Option<Vec<u8>>,
    pub connect_timeout: Duration,
    /// Time limit of one attempt, plus [`Self::slowest_bytes_per_second`] for its content.
    pub timeout: Duration,
    pub slowest_bytes_per_second: u64,
    pub attempts: u32,
    /// Pause after the first failed attempt, doubled with each further one.
    pub pause: Duration,
}

impl Default for S3Settings {
    fn default() -> Self {
        Self {
            access_key: String::new(),
            secret_key: String::new(),
            session_token: None,
            region: "us-east-1".to_owned(),
            endpoint: None,
            root_certificates: None,
            connect_timeout: Duration::from_secs(10),
            timeout: Duration::from_secs(30),
            slowest_bytes_per_second: 64 * 1024,
            attempts: 4,
            pause: Duration::from_millis(250),
        }
    }
}

pub struct S3Store {
    address: String,
    settings: S3Settings,
    agent: Agent,
    /// Scheme and host, without a path.
    server: String,
    host: String,
    /// The bucket, unless it is in the host, and the prefix.
    path: String,
    clock: S3Clock,
}

/// Maximum size of an object.
const MOST_BYTES: u64 = 5 << 30;

/// Maximum size of an error's description.
const ERROR_BYTES: u64 = 64 * 1024;

/// SHA-256 of nothing.
const EMPTY: &str = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

impl S3Store {
    /// Takes an address `s3://bucket/prefix`. Nothing is sent yet.
    pub fn new(address: &str, settings: S3Settings, clock: S3Clock) -> Result<Self, ObjectError> {
        let wrong = |reason: &str| ObjectError::Address {
            // Text before an `@` would be a key.
            address: address.rsplit('@').next().unwrap_or_default().to_owned(),
            reason: reason.to_owned(),
        };
        let rest = address
            .strip_prefix("s3://")
            .ok_or_else(|| wrong("it does not begin with `s3://`"))?;
        if address.contains('@') {
            return Err(wrong("keys belong in the environment"));
        }
        let (bucket, prefix) = rest.split_once('/').unwrap_or((rest, ""));
        let is_name = |letter: u8| letter.is_ascii_alphanumeric() || b"-._".contains(&letter);
        if bucket.is_empty() || !bucket.bytes().all(is_name) {
            return Err(wrong("it names no bucket"));
        }
        let (server, in_path) = server_of(bucket, &settings).map_err(|reason| wrong(&reason))?;
        let uri: Uri = server
            .parse()
            .map_err(|_| wrong("`AWS_ENDPOINT_URL` is not an address"))?;
        let host = uri.authority().map_or("", |place| place.as_str());
        let prefix = prefix.trim_matches('/');
        let parts = [if in_path { bucket } else { "" }, prefix];
        let parts = parts.iter().filter(|part| !part.is_empty());
        Ok(Self {
            path: parts.map(|part| format!("/{part}")).collect(),
            host: host.to_owned(),
            agent: agent(&settings).map_err(|reason| wrong(&reason))?,
            address: address.trim_end_matches('/').to_owned(),
            server,
            settings,
            clock,
        })
    }

    /// Sends a request until there is an answer that a retry would not change.
    fn ask(
        &self,
        action: &'static str,
        name: &str,
        mut once: impl FnMut(&Self) -> Result<Attempt, ObjectError>,
    ) -> Result<(), ObjectError> {
        let mut pause = self.settings.pause;
        let mut left = self.settings.attempts.max(1);
        loop {
            let cause = match once(self)? {
                Attempt::Done => return Ok(()),
                Attempt::Answer(status, code) if !is_passing(status) => {
                    return Err(self.refused(action, name, status, code));
                }
                Attempt::Answer(status, code) => format!("{} {code}", status.as_u16()),
                Attempt::Broken(cause) => cause,
            };
            left -= 1;
            if left == 0 {
                return Err(ObjectError::Unreachable {
                    store: self.address.clone(),
                    cause: cause.trim().to_owned(),
                });
            }
            std::thread::sleep(pause);
            pause = pause.saturating_mul(2);
        }
    }

    fn refused(
        &self,
        action: &'static str,
        name: &str,
        status: StatusCode,
        code: String,
    ) -> ObjectError {
        let (store, name) = (self.address.clone(), name.to_owned());
        // Some servers send no description of a missing object.
        if status == StatusCode::NOT_FOUND && matches!(code.as_str(), "" | "NoSuchKey") {
            return ObjectError::Missing { store, name };
        }
        ObjectError::Refused {
            store,
            action,
            name,
            status: status.as_u16(),
            code,
        }
    }

    /// Returns the URL of an object, and the headers that sign a request for it.
    fn request(
        &self,
        method: &str,
        name: &str,
        body_digest: &str,
    ) -> (String, Vec<(&'static str, String)>) {
        let path = sign::encoded(&format!("{}/{name}", self.path));
        let request = SignedRequest {
            method,
            host: &self.host,
            path: &path,
            body_digest,
            now_ms: (self.clock)(),
        };
        let headers = sign::headers(&request, &self.settings);
        (format!("{}{path}", self.server), headers)
    }

    fn time_for(&self, bytes: u64) -> Option<Duration> {
        let transfer = Duration::from_secs(bytes / self.settings.slowest_bytes_per_second.max(1));
        Some(self.settings.timeout + transfer)
    }

    fn put_once(&self, name: &str, upload: &Upload<'_>) -> Result<Attempt, ObjectError> {
        let mut reader = upload.from.open_reader(upload.file)?;
        let (url, headers) = self.request("PUT", name, &upload.digest);
        let mut request = self
            .agent
            .put(url)
            .config()
            .timeout_global(self.time_for(upload.bytes))
            .build()
            .header("content-length", upload.bytes);
        if upload.only_if_new {
            request = request.header("if-none-match", "*");
        }
        for (name, value) in headers {
            request = request.header(name, value);
        }
        Ok(answer(request.send(SendBody::from_reader(&mut reader))))
    }

    fn get_once(&self, name: &str, into: &Directory, file: &str) -> Result<Attempt, ObjectError> {
        let (url, headers) = self.request("GET", name, EMPTY);
        // The size is known only once the answer begins.
        let mut request = self
            .agent
            .get(url)
            .config()
            .timeout_global(None)
            .timeout_recv_response(Some(self.settings.timeout))
            .timeout_recv_body(self.time_for(MOST_BYTES))
            .build();
        for (name, value) in headers {
            request = request.header(name, value);
        }
        let mut response = match request.call() {
            Ok(response) if response.status().is_success() => response,
            other => return Ok(answer(other)),
        };
        let expected = length(&response);
        let mut body = response.body_mut().as_reader().take(MOST_BYTES + 1);
        let mut pending = into.pending(file)?;
        let mut buffer = vec![0; 128 * 1024];
        let mut read = 0_u64;
        loop {
            match body.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    read += count as u64;
                    pending.append(&buffer[..count])?;
                }
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => return Ok(Attempt::Broken(cause.to_string())),
            }
        }
        if expected.is_some_and(|expected| expected != read) || read > MOST_BYTES {
            return Ok(Attempt::Broken(format!(
                "the answer ended after {read} bytes"
            )));
        }
        pending.commit()?;
        Ok(Attempt::Done)
    }
}

impl ObjectStore for S3Store {
    fn address(&self) -> &str {
        &self.address
    }

    fn put(&self, name: &str, from: &Directory, file: &str) -> Result<(), ObjectError> {
        let mut upload = Upload::of(from, file)?;
        let put = |upload: &Upload<'_>| {
            self.ask("store", name, |store| {
                Ok(match store.put_once(name, upload)? {
                    // It was there, or an attempt whose answer was lost has stored it.
                    Attempt::Answer(StatusCode::PRECONDITION_FAILED, _) => Attempt::Done,
                    attempt => attempt,
                })
            })
        };
        match put(&upload) {
            // The server cannot store conditionally. Storing the same content again changes nothing.
            Err(ObjectError::Refused { status: 501, .. }) => {
                upload.only_if_new = false;
                put(&upload)
            }
            done => done,
        }
    }

    fn get(&self, name: &str, into: &Directory, file: &str) -> Result<(), ObjectError> {
        self.ask("read", name, |store| store.get_once(name, into, file))
    }

    fn contains(&self, name: &str) -> Result<bool, ObjectError> {
        let asked = self.ask("find", name, |store| {
            let (url, headers) = store.request("HEAD", name, EMPTY);
            let mut request = store.agent.head(url);
            for (name, value) in headers {
                request = request.header(name, value);
            }
            Ok(answer(request.call()))
        });
        match asked {
            Ok(()) => Ok(true),
            Err(ObjectError::Missing { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    fn delete(&self, name: &str) -> Result<(), ObjectError> {
        let asked = self.ask("delete", name, |store| {
            let (url, headers) = store.request("DELETE", name, EMPTY);
            let mut request = store.agent.delete(url);
            for (name, value) in headers {
                request = request.header(name, value);
            }
            Ok(answer(request.call()))
        });
        match asked {
            Err(ObjectError::Missing { .. }) => Ok(()),
            other => other,
        }
    }
}

impl fmt::Debug for S3Store {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.address)
    }
}

/// A file to upload. It does not change: its name is the digest of its content.
struct Upload<'a> {
    from: &'a Directory,
    file: &'a str,
    digest: String,
    bytes: u64,
    only_if_new: bool,
}

impl<'a> Upload<'a> {
    fn of(from: &'a Directory, file: &'a str) -> Result<Self, ObjectError> {
        let mut reader = from.open_reader(file)?;
        let mut hasher = Sha256::new();
        let mut buffer = vec![0; 128 * 1024];
        let mut bytes = 0;
        loop {
            match reader.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => {
                    bytes += count as u64;
                    hasher.update(&buffer[..count]);
                }
                Err(cause) if cause.kind() == io::ErrorKind::Interrupted => {}
                Err(cause) => {
                    return Err(ObjectError::Fs(acreta_fs::FsError::Io {
                        path: from.path().join(file),
                        action: acreta_fs::OperationKind::Read,
                        cause,
                    }));
                }
            }
        }
        Ok(Self {
            from,
            file,
            digest: acreta_text::hex(&hasher.finalize()),
            bytes,
            only_if_new: true,
        })
    }
}

/// Result of one attempt.
enum Attempt {
    Done,
    /// An error of the server, with its name for it.
    Answer(StatusCode, String),
    /// There was no complete answer.
    Broken(String),
}

fn answer(result: Result<Response<Body>, ureq::Error>) -> Attempt {
    match result {
        Err(error) => Attempt::Broken(error.to_string()),
        Ok(response) if response.status().is_success() => Attempt::Done,
        Ok(mut response) => {
            let mut text = Vec::new();
            let body = response.body_mut().as_reader();
            // An error without a readable description is still an error.
            let _ = body.take(ERROR_BYTES).read_to_end(&mut text);
            Attempt::Answer(response.status(), code_of(&String::from_utf8_lossy(&text)))
        }
    }
}

/// Returns the name of an error from its description in XML.
fn code_of(text: &str) -> String {
    let code = text
        .split_once("<Code>")
        .and_then(|(_, rest)| rest.split_once("</Code>"));
    let code = code.map_or("", |(code, _)| code);
    code.chars()
        .filter(char::is_ascii_alphanumeric)
        .take(64)
        .collect()
}

/// Returns true if the same request may succeed later.
fn is_passing(status: StatusCode) -> bool {
    status.is_server_error() && status != StatusCode::NOT_IMPLEMENTED
        || matches!(status.as_u16(), 408 | 409 | 425 | 429)
}

fn length(response: &Response<Body>) -> Option<u64> {
    let value = response.headers().get("content-length")?;
    value.to_str().ok()?.trim().parse().ok()
}

/// Returns scheme and host of the server, and whether the bucket is part of the path.
fn server_of(bucket: &str, settings: &S3Settings) -> Result<(String, bool), String> {
    let Some(endpoint) = &settings.endpoint else {
        let region = &settings.region;
        // A certificate for `*.s3…` does not cover a name with dots.
        return Ok(match bucket.contains('.') {
            true => (format!("https://s3.{region}.amazonaws.com"), true),
            false => (format!("https://{bucket}.s3.{region}.amazonaws.com"), false),
        });
    };
    let endpoint = endpoint.trim_end_matches('/');
    let uri: Option<Uri> = endpoint.parse().ok();
    let uri = uri.filter(|uri| matches!(uri.path(), "" | "/") && uri.query().is_none());
    let host = uri.as_ref().and_then(Uri::host).unwrap_or_default();
    let is_this_machine = matches!(host, "localhost" | "127.0.0.1" | "[::1]");
    match uri.as_ref().and_then(Uri::scheme_str) {
        Some("https") => Ok((endpoint.to_owned(), true)),
        Some("http") if is_this_machine => Ok((endpoint.to_owned(), true)),
        Some("http") => {
            Err("`AWS_ENDPOINT_URL` would send sessions over an unencrypted connection".to_owned())
        }
        _ => Err("`AWS_ENDPOINT_URL` is not an address like `https://host`".to_owned()),
    }
}

fn agent(settings: &S3Settings) -> Result<Agent, String> {
    let mut tls = TlsConfig::builder();
    if let Some(pem) = &settings.root_certificates {
        let certificates: Vec<Certificate<'static>> = parse_pem(pem)
            .filter_map(|item| match item {
                Ok(PemItem::Certificate(certificate)) => Some(certificate),
                _ => None,
            })
            .collect();
        if certificates.is_empty() {
            return Err("`AWS_CA_BUNDLE` contains no certificate".to_owned());
        }
        tls = tls.root_certs(RootCerts::Specific(Arc::new(certificates)));
    }
    let config = Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .tls_config(tls.build())
        .timeout_connect(Some(settings.connect_timeout))
        .timeout_global(Some(settings.timeout))
        .user_agent(concat!("acreta/", env!("CARGO_PKG_VERSION")))
        .build();
    Ok(config.new_agent())
}
