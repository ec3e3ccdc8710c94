//! Fetches from an OCI registry: one manifest and the layers it names, each checked against its digest.
//!
//! Two kinds of artifacts are plugins: a Wasm OCI artifact, whose one layer is a component with its manifest inside, and
//! an artifact with a second layer titled `plugin.toml`. A signature is an annotation of the image, or a third layer.
//!
//! A registry answers a first request with 401 and a challenge: `Basic`, which the login itself answers, or `Bearer`,
//! which names a token server. That server gets the login, the registry only the token.

use std::collections::BTreeMap;

use serde::Deserialize;
use ureq::http::Method;

use super::http::{FetchClient, FetchReply, FetchRequest};
use super::login::{Login, is_header_value};
use super::{
    COMPONENT_BYTES, FetchError, FetchOptions, Fetched, FetchedKind, FetchedManifest,
    SIGNATURE_BYTES, assembled,
};
use crate::identity::Digest;
use crate::manifest::MANIFEST;
use crate::manifest::MANIFEST_BYTES;
use crate::source::{Address, OciReference, OciVersion, Source};

pub(crate) fn fetch(
    reference: &OciReference,
    options: &FetchOptions,
) -> Result<Fetched, FetchError> {
    let mut registry = Registry::new(reference, options, "pull");
    let (resolved, image) = registry.image()?;
    let parts = parts(reference, &image)?;
    let component = registry.blob(parts.component, "the component", COMPONENT_BYTES)?;
    let place = format!("{reference}/{MANIFEST}");
    let text = |bytes| {
        let not_text = |_| FetchError::NotText { url: place.clone() };
        String::from_utf8(bytes).map_err(not_text)
    };
    let beside = match parts.manifest {
        None => None,
        Some(layer) => Some(FetchedManifest {
            text: text(registry.blob(layer, "the manifest", MANIFEST_BYTES)?)?,
            place: place.clone().into(),
        }),
    };
    let signature = match (parts.signature, image.signature()) {
        (Some(layer), _) => Some(text(registry.blob(
            layer,
            "the signature",
            SIGNATURE_BYTES,
        )?)?),
        (None, annotation) => annotation.map(str::to_owned),
    };
    let source = Source::Oci(reference.clone());
    let kind = FetchedKind::Registry;
    let fetched = assembled(source, component, beside, signature, kind);
    let fetched = fetched.map_err(|error| match error {
        FetchError::NoManifest { .. } => FetchError::NotPlugin {
            reference: reference.to_string(),
            problem:
                "it has no manifest, neither in its component nor in a layer titled `plugin.toml`"
                    .to_owned(),
        },
        other => other,
    })?;
    Ok(Fetched {
        resolved: Some(resolved),
        ..fetched
    })
}

/// Returns the digest of the artifact that a reference names now.
pub fn resolve(reference: &OciReference, options: &FetchOptions) -> Result<Digest, FetchError> {
    let (digest, _) = Registry::new(reference, options, "pull").image()?;
    Ok(digest)
}

/// Lists the tags of a repository.
pub fn tags(reference: &OciReference, options: &FetchOptions) -> Result<Vec<String>, FetchError> {
    #[derive(Deserialize)]
    struct Page {
        #[serde(default)]
        tags: Option<Vec<String>>,
    }
    let mut registry = Registry::new(reference, options, "pull");
    let mut next = Some(format!("/v2/{}/tags/list?n=1000", reference.name));
    let mut tags = Vec::new();
    for _ in 0..TAG_PAGES {
        let Some(path) = next else { break };
        let reply = registry.get(&registry.at(&path)?, None, TAG_BYTES)?;
        let page: Page =
            serde_json::from_slice(&reply.body).map_err(|error| FetchError::NotPlugin {
                reference: reference.to_string(),
                problem: format!("its list of tags cannot be read ({error})"),
            })?;
        tags.extend(page.tags.unwrap_or_default());
        let link = reply.header("link").unwrap_or_default();
        let link = link
            .split_once('<')
            .and_then(|(_, link)| link.split_once('>'));
        next = link
            .filter(|(_, rest)| rest.contains("next"))
            .map(|(link, _)| link.to_owned());
    }
    Ok(tags)
}

/// The relevant fields of an image manifest.
#[derive(Debug, Deserialize)]
pub(super) struct OciImage {
    #[serde(default)]
    layers: Vec<OciLayer>,
    /// Entries of an index: images for several platforms.
    #[serde(default)]
    manifests: Vec<serde::de::IgnoredAny>,
    #[serde(default)]
    annotations: Option<BTreeMap<String, String>>,
}

impl OciImage {
    fn signature(&self) -> Option<&str> {
        let text = self.annotations.as_ref()?.get(SIGNATURE_ANNOTATION)?;
        Some(text)
            .filter(|text| text.len() as u64 <= SIGNATURE_BYTES)
            .map(String::as_str)
    }
}

/// Annotation of an image with the signature of its component, of minisign or cosign: a Wasm OCI artifact has one layer only.
pub(super) const SIGNATURE_ANNOTATION: &str = "acreta.minisig";

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
    manifest: Option<&'a OciLayer>,
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
        manifest,
        signature: only(
            &|layer| layer.title().ends_with(".minisig"),
            "it has several signatures",
        )?,
    })
}

/// Sends a request with this value of the header `authorization`.
type SendRequest<'a> = dyn Fn(&FetchClient, Option<&str>) -> Result<FetchReply, FetchError> + 'a;

/// One repository in a registry.
pub(super) struct Registry<'a> {
    pub(super) http: FetchClient,
    pub(super) reference: &'a OciReference,
    login: Option<&'a Login>,
    /// What a token is asked for: `pull` or `pull,push`.
    actions: &'static str,
    /// Value of the header `authorization`.
    authorization: Option<String>,
}

impl<'a> Registry<'a> {
    pub(super) fn new(
        reference: &'a OciReference,
        options: &'a FetchOptions,
        actions: &'static str,
    ) -> Self {
        Self {
            http: FetchClient::new(options),
            reference,
            login: options.login.as_ref(),
            actions,
            authorization: None,
        }
    }

    /// Returns the address of a path on this registry.
    pub(super) fn at(&self, path: &str) -> Result<Address, FetchError> {
        Ok(Address::parse(&self.reference.base())?.redirected(path)?)
    }

    /// Fetches the image manifest and its digest.
    fn image(&mut self) -> Result<(Digest, OciImage), FetchError> {
        match &self.reference.version {
            OciVersion::Tag(tag) => self.image_of(tag),
            OciVersion::Digest(digest) => self.image_of(&digest.to_string()),
        }
    }

    /// Fetches the image manifest of a tag or digest.
    pub(super) fn image_of(&mut self, version: &str) -> Result<(Digest, OciImage), FetchError> {
        let address = self.own(&format!("manifests/{version}"))?;
        let reply = self.get(&address, Some(IMAGE_TYPES), IMAGE_BYTES)?;
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
        let address = self.own(&format!("blobs/{expected}"))?;
        let reply = self.get(&address, None, layer.size)?;
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

    /// Returns the address of a path in this repository.
    pub(super) fn own(&self, path: &str) -> Result<Address, FetchError> {
        self.at(&format!("/v2/{}/{path}", self.reference.name))
    }

    /// Requests an address of this registry, with a login if one is required.
    fn get(
        &mut self,
        address: &Address,
        accept: Option<&str>,
        most: u64,
    ) -> Result<FetchReply, FetchError> {
        let reply = self.authorized(address, &|http, authorization| {
            let ask = FetchRequest {
                accept,
                authorization,
                from: 0,
            };
            http.get(address, ask, most)
        })?;
        match reply.status {
            200 => Ok(reply),
            status => Err(FetchError::Status {
                url: address.as_str().to_owned(),
                status,
            }),
        }
    }

    /// Sends a request to an address, and sends it again with a new authorization if the registry wants one. An address
    /// elsewhere, which a registry may name for an upload, gets no authorization.
    pub(super) fn authorized(
        &mut self,
        address: &Address,
        send: &SendRequest<'_>,
    ) -> Result<FetchReply, FetchError> {
        let is_own = address.place() == Address::parse(&self.reference.base())?.place();
        let authorization = self.authorization.as_deref();
        let mut reply = send(&self.http, authorization.filter(|_| is_own))?;
        if reply.status == 401 && is_own {
            let authorization = self.authorize(&reply)?;
            reply = send(&self.http, Some(&authorization))?;
            self.authorization = Some(authorization);
        }
        match reply.status {
            401 | 403 => Err(self.denied(match self.login {
                None => "it requires a login",
                Some(_) => "the login has no permission for it",
            })),
            _ => Ok(reply),
        }
    }

    /// Answers a challenge.
    fn authorize(&self, reply: &FetchReply) -> Result<String, FetchError> {
        let challenge = reply.header("www-authenticate").unwrap_or_default();
        if let Some(challenge) = Challenge::parse(challenge) {
            return Ok(format!("Bearer {}", self.new_token(challenge)?));
        }
        let scheme = challenge.split(' ').next().unwrap_or_default();
        match self.login {
            _ if !scheme.eq_ignore_ascii_case("basic") => {
                Err(self.denied("it requires an unsupported kind of login"))
            }
            Some(Login::Basic(basic)) => Ok(format!("Basic {basic}")),
            Some(Login::Identity(_)) | None => Err(self.denied("it requires a login")),
        }
    }

    /// Requests a token from the address that the registry names: with the login if there is one.
    fn new_token(&self, challenge: Challenge) -> Result<String, FetchError> {
        let own = format!("repository:{}:{}", self.reference.name, self.actions);
        let mut pairs = String::new();
        let scope = challenge.scope.unwrap_or(own);
        for (name, value) in [("service", challenge.service), ("scope", Some(scope))] {
            if let Some(value) = value {
                pairs.push_str(&format!("&{name}={}", escaped(&value)));
            }
        }
        let from = Address::parse(&self.reference.base())?;
        // The token is a credential, and so is the login: the address must be encrypted or local.
        let realm = challenge.realm;
        let reply = match self.login {
            Some(Login::Identity(token)) => {
                let form = format!(
                    "grant_type=refresh_token&client_id=acreta&refresh_token={}{pairs}",
                    escaped(token)
                );
                let content = ("application/x-www-form-urlencoded", form.as_bytes());
                let address = from.redirected(&realm)?;
                self.http
                    .send(Method::POST, &address, None, Some(content))?
            }
            login => {
                let join = if realm.contains('?') { '&' } else { '?' };
                let url = format!("{realm}{join}{}", pairs.trim_start_matches('&'));
                let basic = match login {
                    Some(Login::Basic(basic)) => Some(format!("Basic {basic}")),
                    _ => None,
                };
                let ask = FetchRequest {
                    authorization: basic.as_deref(),
                    ..FetchRequest::default()
                };
                self.http.get(&from.redirected(&url)?, ask, TOKEN_BYTES)?
            }
        };
        if reply.status != 200 {
            return Err(self.denied(match self.login {
                None => "it issues no token without a login",
                Some(_) => "it issues no token for this login",
            }));
        }
        let token: Option<Token> = serde_json::from_slice(&reply.body).ok();
        let token = token.and_then(|token| token.token.or(token.access_token));
        token
            .filter(|token| is_header_value(token))
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

pub(super) const IMAGE_TYPE: &str = "application/vnd.oci.image.manifest.v1+json";
const IMAGE_TYPES: &str = "application/vnd.oci.image.manifest.v1+json, \
     application/vnd.docker.distribution.manifest.v2+json";
const IMAGE_BYTES: u64 = 4 * 1024 * 1024;
const TOKEN_BYTES: u64 = 1024 * 1024;
const TAG_BYTES: u64 = 4 * 1024 * 1024;
const TAG_PAGES: usize = 20;

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
