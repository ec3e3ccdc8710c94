//! Logins at registries, from the files that `docker login`, `podman login` and `oras login` write. This module reads
//! text; who calls it finds the files and runs the helper programs that they name.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

/// A login at one registry. Its `Debug` output shows no secret.
#[derive(Clone, PartialEq, Eq)]
pub enum Login {
    /// Base64 of `user:password`, as the header `authorization` carries it.
    Basic(String),
    /// A token that the registry's token server exchanges for others.
    Identity(String),
}

/// Where a configuration says that a login is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LoginSource {
    /// In the configuration itself.
    Given(Login),
    /// In the program `docker-credential-NAME`, which is asked for this server.
    Helper { name: String, server: String },
}

/// User name that helpers give with an identity token.
const IDENTITY_USER: &str = "<token>";

impl Login {
    /// Builds a login from what a credential helper answers.
    pub fn of_helper(reply: &str) -> Option<Self> {
        #[derive(Deserialize)]
        #[serde(rename_all = "PascalCase")]
        struct Reply {
            username: String,
            secret: String,
        }
        let reply: Reply = serde_json::from_str(reply).ok()?;
        Some(match reply.username == IDENTITY_USER {
            true => Login::Identity(reply.secret),
            false => Login::new(&reply.username, &reply.secret),
        })
    }

    pub fn new(user: &str, password: &str) -> Self {
        Login::Basic(STANDARD.encode(format!("{user}:{password}")))
    }
}

impl fmt::Debug for Login {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Login::Basic(_) => "Basic(…)",
            Login::Identity(_) => "Identity(…)",
        })
    }
}

/// `config.json` of Docker, or `auth.json` of the tools for containers.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Configuration {
    auths: BTreeMap<String, Entry>,
    cred_helpers: BTreeMap<String, String>,
    creds_store: Option<String>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Entry {
    auth: Option<String>,
    identitytoken: Option<String>,
}

/// Returns the places of a login at a registry, in the order in which they are tried: a helper for this registry, the
/// helper for all, the file itself. `None` if the text is not such a configuration.
pub fn login_of(configuration: &str, registry: &str) -> Option<Vec<LoginSource>> {
    let configuration: Configuration = serde_json::from_str(configuration).ok()?;
    let is_same = |server: &str| host_of(server) == host_of(registry);
    let mut found = Vec::new();
    let own = configuration
        .cred_helpers
        .iter()
        .find(|(server, _)| is_same(server));
    let entry = configuration
        .auths
        .iter()
        .find(|(server, _)| is_same(server));
    if let Some((server, name)) = own {
        found.push(helper(name, server));
    } else if let Some(name) = &configuration.creds_store {
        // Docker stores its hub under an address; all others under their names.
        let server = entry.map_or(registry, |(server, _)| server);
        found.push(helper(name, server));
    }
    if let Some((_, entry)) = entry {
        let given = |text: &Option<String>| text.clone().filter(|text| is_header_value(text));
        let identity = given(&entry.identitytoken).map(Login::Identity);
        let login = identity.or_else(|| given(&entry.auth).map(Login::Basic));
        found.extend(login.map(LoginSource::Given));
    }
    found.retain(|source| match source {
        LoginSource::Helper { name, .. } => is_program_name(name),
        LoginSource::Given(_) => true,
    });
    Some(found)
}

fn helper(name: &str, server: &str) -> LoginSource {
    LoginSource::Helper {
        name: name.to_owned(),
        server: server.to_owned(),
    }
}

fn is_program_name(name: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
    !name.is_empty() && name.bytes().all(plain)
}

pub(super) fn is_header_value(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic())
}

/// Returns host and port of a key such as `https://index.docker.io/v1/`. The hub of Docker has three names.
fn host_of(server: &str) -> &str {
    let server = server
        .strip_prefix("https://")
        .or_else(|| server.strip_prefix("http://"))
        .unwrap_or(server);
    match server.split('/').next().unwrap_or_default() {
        "index.docker.io" | "registry-1.docker.io" => "docker.io",
        host => host,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_login_is_found_where_docker_looks_for_it() {
        let basic = |text: &str| LoginSource::Given(Login::Basic(text.to_owned()));
        let helper = |name: &str, server: &str| super::helper(name, server);
        let cases: [(&str, &str, Vec<LoginSource>); 9] = [
            ("{}", "registry.example", vec![]),
            (
                r#"{"auths":{"registry.example":{"auth":"bWU6c2VjcmV0"}}}"#,
                "registry.example",
                vec![basic("bWU6c2VjcmV0")],
            ),
            (
                r#"{"auths":{"registry.example":{"auth":"bWU6c2VjcmV0"}}}"#,
                "registry.example.example.org",
                vec![],
            ),
            (
                r#"{"auths":{"localhost:5000":{"auth":"YQ=="}}}"#,
                "localhost:5001",
                vec![],
            ),
            (
                r#"{"auths":{"https://index.docker.io/v1/":{"auth":"YQ=="}}}"#,
                "docker.io",
                vec![basic("YQ==")],
            ),
            (
                r#"{"auths":{"a.example":{"auth":"YQ==","identitytoken":"it"}}}"#,
                "a.example",
                vec![LoginSource::Given(Login::Identity("it".to_owned()))],
            ),
            (
                r#"{"auths":{"a.example":{}},"credsStore":"secretservice"}"#,
                "a.example",
                vec![helper("secretservice", "a.example")],
            ),
            (
                r#"{"credsStore":"desktop","credHelpers":{"a.example":"gcloud"}}"#,
                "a.example",
                vec![helper("gcloud", "a.example")],
            ),
            (
                r#"{"credsStore":"../../bin/sh","auths":{"a.example":{"auth":"a\nb"}}}"#,
                "a.example",
                vec![],
            ),
        ];
        for (text, registry, expected) in cases {
            assert_eq!(login_of(text, registry), Some(expected), "{text}");
        }
        assert_eq!(login_of("not JSON", "a.example"), None);
        let answered = Login::of_helper(r#"{"ServerURL":"x","Username":"me","Secret":"secret"}"#);
        assert_eq!(answered, Some(Login::new("me", "secret")));
        assert_eq!(
            format!("{:?}", Login::new("me", "secret")),
            "Basic(…)",
            "no secret in logs"
        );
    }
}
