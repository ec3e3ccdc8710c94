//! Pushes a plugin as a Wasm OCI artifact: a config that lists imports and exports, and one layer, the component. Tools
//! for components (`wkg oci pull`) read the same. The same component gives the same artifact, byte for byte.

use std::collections::BTreeMap;

use serde_json::json;
use ureq::http::Method;

use super::http::FetchReply;
use super::oci::{IMAGE_TYPE, Registry, SIGNATURE_ANNOTATION};
use super::{FetchError, FetchOptions};
use crate::identity::Digest;
use crate::inspect::Inspection;
use crate::source::{Address, OciReference, OciVersion};

/// What is in the registry now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pushed {
    /// Digest of the artifact: `oci://registry/name@DIGEST` pins it.
    pub artifact: Digest,
    /// Digest of the component, its layer.
    pub component: Digest,
    /// False if the registry had all of it.
    pub is_new: bool,
}

const CONFIG_TYPE: &str = "application/vnd.wasm.config.v0+json";
const LAYER_TYPE: &str = "application/wasm";
/// Time of creation that the format requires. The real one would make every artifact a different one.
const CREATED: &str = "1970-01-01T00:00:00Z";

/// Pushes a component, which `inspection` is of. A tag that names another artifact is moved only if `replace` says so.
pub fn push(
    reference: &OciReference,
    component: &[u8],
    inspection: &Inspection,
    signature: Option<&str>,
    replace: bool,
    options: &FetchOptions,
) -> Result<Pushed, FetchError> {
    let OciVersion::Tag(tag) = &reference.version else {
        return Err(FetchError::NoTag {
            reference: reference.to_string(),
        });
    };
    let layer = Digest::of(component);
    let config = config(inspection, &layer);
    let image = image(inspection, component.len(), &layer, &config, signature);
    let artifact = Digest::of(&image);
    let mut registry = Registry::new(reference, options, "pull,push");
    let tagged = registry.tagged(tag)?;
    if let Some(found) = tagged
        && found != artifact
        && !replace
    {
        return Err(FetchError::TagTaken {
            reference: reference.to_string(),
            found,
            pushed: artifact,
        });
    }
    if tagged != Some(artifact) {
        for (digest, blob) in [(layer, component), (Digest::of(&config), &config)] {
            registry.upload(&digest, blob)?;
        }
        let address = registry.own(&format!("manifests/{tag}"))?;
        let reply = registry.authorized(&address, &|http, authorization| {
            let content = Some((IMAGE_TYPE, &image[..]));
            http.send(Method::PUT, &address, authorization, content)
        })?;
        accepted(&address, &reply)?;
    }
    Ok(Pushed {
        artifact,
        component: layer,
        is_new: tagged != Some(artifact),
    })
}

fn config(inspection: &Inspection, layer: &Digest) -> Vec<u8> {
    let config = json!({
        "created": CREATED,
        "author": inspection.embedded.metadata.get("authors"),
        "architecture": "wasm",
        "os": "wasip2",
        "layerDigests": [layer.to_string()],
        "component": {
            "exports": inspection.exports,
            "imports": inspection.imports,
            "target": null,
        },
    });
    config.to_string().into_bytes()
}

fn image(
    inspection: &Inspection,
    bytes: usize,
    layer: &Digest,
    config: &[u8],
    signature: Option<&str>,
) -> Vec<u8> {
    let metadata = inspection.embedded.metadata.iter();
    let mut annotations: BTreeMap<String, &str> = metadata
        .map(|(name, text)| {
            let name = if *name == "homepage" { "url" } else { name };
            (format!("org.opencontainers.image.{name}"), text.as_str())
        })
        .collect();
    annotations.extend(signature.map(|text| (SIGNATURE_ANNOTATION.to_owned(), text)));
    let image = json!({
        "schemaVersion": 2,
        "mediaType": IMAGE_TYPE,
        "config": {
            "mediaType": CONFIG_TYPE,
            "digest": Digest::of(config).to_string(),
            "size": config.len(),
        },
        "layers": [{
            "mediaType": LAYER_TYPE,
            "digest": layer.to_string(),
            "size": bytes,
        }],
        "annotations": annotations,
    });
    image.to_string().into_bytes()
}

impl Registry<'_> {
    /// Returns the digest of the artifact that a tag names.
    fn tagged(&mut self, tag: &str) -> Result<Option<Digest>, FetchError> {
        match self.image_of(tag) {
            Ok((digest, _)) => Ok(Some(digest)),
            Err(FetchError::Status { status: 404, .. }) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Uploads a blob that the registry does not have.
    fn upload(&mut self, digest: &Digest, blob: &[u8]) -> Result<(), FetchError> {
        let there = self.own(&format!("blobs/{digest}"))?;
        let reply = self.authorized(&there, &|http, authorization| {
            http.head(&there, authorization)
        })?;
        if reply.status == 200 {
            return Ok(());
        }
        let begin = self.own("blobs/uploads/")?;
        let reply = self.authorized(&begin, &|http, authorization| {
            http.send(Method::POST, &begin, authorization, None)
        })?;
        accepted(&begin, &reply)?;
        let location = reply.header("location").unwrap_or_default();
        let join = if location.contains('?') { '&' } else { '?' };
        let location = begin.redirected(&format!("{location}{join}digest={digest}"))?;
        let reply = self.authorized(&location, &|http, authorization| {
            let content = Some(("application/octet-stream", blob));
            http.send(Method::PUT, &location, authorization, content)
        })?;
        accepted(&location, &reply)
    }
}

fn accepted(address: &Address, reply: &FetchReply) -> Result<(), FetchError> {
    match reply.status {
        200..=299 => Ok(()),
        status => Err(FetchError::Status {
            url: address.as_str().to_owned(),
            status,
        }),
    }
}
