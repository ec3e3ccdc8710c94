//! The only place that decides where archived sessions are: in acreta's folder and, with `archive.url`, also in storage
//! that other machines read. A repository's config cannot set it, and keys come from the environment only.

use std::sync::Arc;

use acreta_fs::{Directory, NoFaults};
use acreta_session_archive::{FolderStore, ObjectError, ObjectStore, RawArchive, probe};

use crate::process::clock::seed;
use crate::{Context, Failure, Kind};

/// The setting with the address of shared storage.
const URL: &str = "archive.url";

/// The variable with the address; it takes precedence over the setting.
const URL_VARIABLE: &str = "ACRETA_ARCHIVE_URL";

/// Opens the archive of raw sessions.
pub(crate) fn open(context: &Context) -> Result<RawArchive, Failure> {
    let folder = Directory::open_or_create_private(&context.home.archive(), NoFaults::shared())?;
    Ok(RawArchive::new(&folder).shared_in(shared(context)?))
}

/// Returns the storage that other machines read, if one is configured.
pub(crate) fn shared(context: &Context) -> Result<Option<Arc<dyn ObjectStore>>, Failure> {
    // A frozen run depends on nothing of the user's own.
    if context.is_frozen() {
        return Ok(None);
    }
    let variable = context.environment.get(URL_VARIABLE).map(String::as_str);
    let variable = variable.map(str::trim).filter(|url| !url.is_empty());
    let (name, url) = match variable {
        Some(url) => (URL_VARIABLE, url),
        None => (URL, context.config.text(URL).trim()),
    };
    if url.is_empty() {
        return Ok(None);
    }
    if url.starts_with("file://") {
        return Ok(Some(Arc::new(FolderStore::new(url)?)));
    }
    if url.starts_with("s3://") {
        return Ok(Some(object_store(context, name, url)?));
    }
    let message = format!(
        "`{name}` is not an address of storage: it begins with neither `s3://` nor `file://`"
    );
    Err(Failure::new(Kind::Failure, message)
        .hint("an address looks like `s3://bucket/prefix` or `file:///folder`"))
}

/// Stores, reads and deletes a small object. Returns the address of the storage; `None` if there is none.
pub(crate) fn check(context: &Context) -> Result<Option<String>, Failure> {
    let Some(store) = shared(context)? else {
        return Ok(None);
    };
    let work = Directory::open_or_create_private(&context.home.scratch(), NoFaults::shared())?;
    probe(store.as_ref(), &work, seed())?;
    Ok(Some(store.address().to_owned()))
}

impl From<ObjectError> for Failure {
    fn from(error: ObjectError) -> Self {
        let hint = error.hint();
        Self::of(Kind::Failure, &error, hint)
    }
}

#[cfg(not(feature = "team"))]
fn object_store(
    _context: &Context,
    name: &str,
    _url: &str,
) -> Result<Arc<dyn ObjectStore>, Failure> {
    let message = format!("`{name}` is set, but this acreta was built without the feature `team`");
    Err(Failure::new(Kind::Failure, message).hint(
        "build it with `cargo build --release -p acreta --features team`, or use a folder (`file://`)",
    ))
}

#[cfg(feature = "team")]
fn object_store(
    context: &Context,
    _name: &str,
    url: &str,
) -> Result<Arc<dyn ObjectStore>, Failure> {
    use acreta_session_archive::{S3Settings, S3Store};

    use crate::process::clock::now_ms;
    use crate::process::state::certificates;

    let variable = |name: &str| {
        let value = context
            .environment
            .get(name)
            .map(|value| value.trim().to_owned());
        value.filter(|value| !value.is_empty())
    };
    let needed = |name: &str| {
        variable(name).ok_or_else(|| {
            let message = format!("`{url}` needs a key, but `{name}` is not set");
            Failure::new(Kind::Failure, message).hint(
                "set `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`; they do not belong in a file",
            )
        })
    };
    let settings = S3Settings {
        access_key: needed("AWS_ACCESS_KEY_ID")?,
        secret_key: needed("AWS_SECRET_ACCESS_KEY")?,
        session_token: variable("AWS_SESSION_TOKEN"),
        endpoint: variable("AWS_ENDPOINT_URL_S3").or_else(|| variable("AWS_ENDPOINT_URL")),
        root_certificates: certificates(context, "AWS_CA_BUNDLE")?,
        ..S3Settings::default()
    };
    let region = variable("AWS_REGION").or_else(|| variable("AWS_DEFAULT_REGION"));
    let settings = S3Settings {
        region: region.unwrap_or_else(|| settings.region.clone()),
        ..settings
    };
    Ok(Arc::new(S3Store::new(url, settings, now_ms)?))
}
