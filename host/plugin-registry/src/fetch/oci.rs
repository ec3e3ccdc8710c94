//! Fetches from an OCI registry: one manifest and the layers it names, each checked against its digest. Supports only
//! anonymous pulls, with the token that a registry issues.

use serde::Deserialize;

use super::http::{FetchClient, FetchReply, FetchRequest};
use super::{
    COMPONENT_BYTES, FetchError, FetchOptions, Fetched, FetchedKind, FetchedManifest,
    MANIFEST_BYTES, SIGNATURE_BYTES,
};
use crate::identity::Digest;
use crate::manifest::MANIFEST;
use crate::source::{Address, OciReference, OciVersion, Source};

pub(crate) fn fetch(
    reference: &OciReference,
    options: &FetchOptions,
) -> Result<Fetched, FetchError> {
    let mut registry = Registry {
        http: FetchClient::new(options),
        reference,
        token: None,
    };
    let (resolved, image) = registry.image()?;
    let parts = parts(reference, &image)?;
    let manifest = registry.blob(parts.manifest, "the manifest", MANIFEST_BYTES)?;
    let component = registry.blob(parts.component, "the component", COMPONENT_BYTES)?;
    let signature = match parts.signature {
        None => None,
        Some(layer) => Some(registry.blob(layer, "the signature", SIGNATURE_BYTES)?),
    };
    let place = format!("{reference}/{MANIFEST}");
    let text = |bytes| {
        let not_text = |_| FetchError::NotText { url: place.clone() };
        String::from_utf8(bytes).map_err(not_text)
    };
    Ok(Fetched {
        source: Source::Oci(reference.clone()),
        resolved: Some(resolved),
        component,
        signature: signature.map(text).transpose()?,
        manifest: FetchedManifest {
            text: text(manifest)?,
            place: place.clone().into(),
        },
        kind: FetchedKind::Registry,
    })
}

/// The relevant fields of an image manifest.
#[derive(Debug, Deserialize)]
struct OciImage {
    #[serde(default)]
    layers: Vec<OciLayer>,
    /// Entries of an index: images for several platforms.
    #[serde(default)]
    manifests: Vec<serde::de::IgnoredAny>,
}

#[derive(Debug, Deserialize)]
struct OciLayer {
    #[serde(rename = "mediaType", default)]
    media_type: String,
    digest: String,
    size: u64,
    #[serde(default)]
    annotations: Option<Annotations>,
}

#[derive(Debug, Deserialize)]
struct Annotations {
    #[serde(rename = "org.opencontainers.image.title", default)]
    title: Option<String>,
}

#[derive(Deserialize)]
struct Token {
    #[serde(default)]
    token: Option<String>,
    #[serde(default)]
    access_token: Option<String>,
}

struct PluginLayers<'a> {
    manifest: &'a OciLayer,
    component: &'a OciLayer,
    signature: Option<&'a OciLayer>,
}

impl OciLayer {
    fn title(&self) -> &str {
        let annotations = self.annotations.as_ref();
        let title = annotations.and_then(|annotations| annotations.title.as_deref());
        title.unwrap_or_default()
    }

    fn is_component(&self) -> bool {
        self.media_type == "application/wasm"
            || self.media_type.ends_with(".content.layer.v1+wasm")
            || self.title().ends_with(".wasm")
    }
}

fn parts<'a>(
    reference: &OciReference,
    image: &'a OciImage,
) -> Result<PluginLayers<'a>, FetchError> {
    let not_plugin = |problem: &str| FetchError::NotPlugin {
        reference: reference.to_string(),
        problem: problem.to_owned(),
    };
    if !image.manifests.is_empty() {
        return Err(not_plugin("it is an index of several images"));
    }
    let only = |is: &dyn Fn(&OciLayer) -> bool, many: &str| {
        let mut found = image.layers.iter().filter(|layer| is(layer));
        match (found.next(), found.next()) {
            (first, None) => Ok(first),
            (_, Some(_)) => Err(not_plugin(many)),
        }
    };
    let component = only(&OciLayer::is_component, "it has several components")?;
    let manifest = only(
        &|layer| layer.title() == MANIFEST,
        "it has several layers titled `plugin.toml`",
    )?;
    Ok(PluginLayers {
        component: component.ok_or_else(|| not_plugin("it has no component"))?,
        manifest: manifest.ok_or_else(|| not_plugin("it has no layer titled `plugin.toml`"))?,
        signature: only(
            &|layer| layer.title().ends_with(".minisig"),
            "it has several signatures",
        )?,
    })
}

struct Registry<'a> {
    http: FetchClient,
    reference: &'a OciReference,
    token: Option<String>,
}

impl Registry<'_> {
    /// Fetches the image manifest and its digest.
    fn image(&mut self) -> Result<(Digest, OciImage), FetchError> {
        let version = match &self.reference.version {
            OciVersion::Tag(tag) => tag.clone(),
            OciVersion::Digest(digest) => digest.to_string(),
        };
        let reply = self.get(
            &format!("manifests/{version}"),
            Some(IMAGE_TYPES),
            IMAGE_BYTES,
        )?;
        let found = Digest::of(&reply.body);
        let promised = match &self.reference.version {
            OciVersion::Digest(digest) => Some(*digest),
            // If the registry announces a digest, the reply must match it.
            OciVersion::Tag(_) => {
                let header = reply.header("docker-content-digest");
                header.and_then(|header| header.parse().ok())
            }
        };
        if let Some(expected) = promised.filter(|promised| *promised != found) {
            return Err(self.wrong("the list of layers", expected, found));
        }
        let image = serde_json::from_slice(&reply.body).map_err(|error| FetchError::NotPlugin {
            reference: self.reference.to_string(),
            problem: format!("its list of layers cannot be read ({error})"),
        })?;
        Ok((found, image))
    }

    fn blob(
        &mut self,
        layer: &OciLayer,
        what: &'static str,
        most: u64,
    ) -> Result<Vec<u8>, FetchError> {
        let expected: Digest = layer
            .digest
            .parse()
            .map_err(|error: crate::InvalidDigest| FetchError::NotPlugin {
                reference: self.reference.to_string(),
                problem: error.to_string(),
            })?;
        let url = format!("{}/blobs/{expected}", self.reference);
        if layer.size > most {
            return Err(FetchError::TooLarge { url, allowed: most });
        }
        let reply = self.get(&format!("blobs/{expected}"), None, layer.size)?;
        let received = reply.body.len() as u64;
        if received != layer.size {
            return Err(FetchError::HalfDownload {
                url,
                expected: Some(layer.size),
                received,
            });
        }
        let found = Digest::of(&reply.body);
        if found != expected {
            return Err(self.wrong(what, expected, found));
        }
        Ok(reply.body)
    }

    /// Requests a path of this repository, with a token if one is required.
    fn get(
        &mut self,
        path: &str,
        accept: Option<&str>,
        most: u64,
    ) -> Result<FetchReply, FetchError> {
        let OciReference { name, .. } = self.reference;
        let address = Address::parse(&format!("{}/v2/{name}/{path}", self.reference.base()))?;
        let ask = |token| FetchRequest {
            accept,
            token,
            from: 0,
        };
        let mut reply = self.http.get(&address, ask(self.token.as_deref()), most)?;
        if reply.status == 401 {
            let token = self.new_token(&reply)?;
            reply = self.http.get(&address, ask(Some(&token)), most)?;
            self.token = Some(token);
        }
        match reply.status {
            200 => Ok(reply),
            401 | 403 => Err(self.denied("it requires a login")),
            status => Err(FetchError::Status {
                url: address.as_str().to_owned(),
                status,
            }),
        }
    }

    /// Requests an anonymous token from the address that the registry names.
    fn new_token(&self, reply: &FetchReply) -> Result<String, FetchError> {
        let challenge = reply.header("www-authenticate").unwrap_or_default();
        let Some(challenge) = Challenge::parse(challenge) else {
            return Err(self.denied("it requires an unsupported kind of login"));
        };
        let own = format!("repository:{}:pull", self.reference.name);
        let scope = challenge.scope.unwrap_or(own);
        let mut url = challenge.realm.clone();
        let pairs = [("service", challenge.service), ("scope", Some(scope))];
        for (name, value) in pairs {
            if let Some(value) = value {
                url.push(if url.contains('?') { '&' } else { '?' });
                url.push_str(&format!("{name}={}", escaped(&value)));
            }
        }
        let from = Address::parse(&self.reference.base())?;
        // The token is a credential, so its address must be encrypted or local.
        let address = from.redirected(&url)?;
        let reply = self
            .http
            .get(&address, FetchRequest::default(), TOKEN_BYTES)?;
        if reply.status != 200 {
            return Err(self.denied("it issues no token without a login"));
        }
        let token: Option<Token> = serde_json::from_slice(&reply.body).ok();
        let token = token.and_then(|token| token.token.or(token.access_token));
        token
            .filter(|token| !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic()))
            .ok_or_else(|| self.denied("its reply contains no valid token"))
    }

    fn denied(&self, problem: &str) -> FetchError {
        FetchError::Denied {
            reference: self.reference.to_string(),
            problem: problem.to_owned(),
        }
    }

    fn wrong(&self, what: &'static str, expected: Digest, found: Digest) -> FetchError {
        FetchError::Digest {
            reference: self.reference.to_string(),
            what,
            expected,
            found,
        }
    }
}

const IMAGE_TYPES: &str = "application/vnd.oci.image.manifest.v1+json, \
     application/vnd.docker.distribution.manifest.v2+json";
const IMAGE_BYTES: u64 = 4 * 1024 * 1024;
const TOKEN_BYTES: u64 = 1024 * 1024;

/// `Bearer realm="…",service="…",scope="…"`.
struct Challenge {
    realm: String,
    service: Option<String>,
    scope: Option<String>,
}

impl Challenge {
    fn parse(header: &str) -> Option<Self> {
        let (scheme, mut rest) = header.trim().split_once(' ')?;
        if !scheme.eq_ignore_ascii_case("bearer") {
            return None;
        }
        let (mut realm, mut service, mut scope) = (None, None, None);
        while let Some((name, value)) = rest.split_once("=\"") {
            let (value, after) = value.split_once('"')?;
            match name.trim_matches([',', ' ']).to_ascii_lowercase().as_str() {
                "realm" => realm = Some(value.to_owned()),
                "service" => service = Some(value.to_owned()),
                "scope" => scope = Some(value.to_owned()),
                _ => {}
            }
            rest = after;
        }
        Some(Self {
            realm: realm?,
            service,
            scope,
        })
    }
}

/// Escapes a value for a query.
fn escaped(value: &str) -> String {
    let mut escaped = String::new();
    for byte in value.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~:/".contains(&byte) {
            escaped.push(char::from(byte));
        } else {
            escaped.push_str(&format!("%{byte:02X}"));
        }
    }
    escaped
}
