//! Address and key of a provider. A key is sent only over an encrypted connection or to this machine.

use std::collections::BTreeMap;

use ureq::http::Uri;

use crate::scrub::Secret;
use crate::settings::Endpoint;
use crate::{Code, LlmError};

/// A validated address and its key.
#[derive(Debug)]
pub(crate) struct EndpointAddress {
    pub(crate) url: String,
    pub(crate) key: Option<Secret>,
}

impl Endpoint {
    /// Returns the address for `path`, with its key.
    pub(crate) fn address(
        &self,
        path: &str,
        environment: &BTreeMap<String, String>,
    ) -> Result<EndpointAddress, LlmError> {
        let uri = self.uri()?;
        let key = match &self.key_env {
            None => None,
            Some(name) => Some(key(name, environment)?),
        };
        if key.is_some() && uri.scheme_str() != Some("https") && !is_this_machine(&uri) {
            return Err(LlmError::new(
                Code::Provider,
                "its key would be sent over an unencrypted connection",
            )
            .hint("use an address that starts with https, or set no `key_env`"));
        }
        Ok(EndpointAddress {
            url: format!("{}{path}", self.base_url.trim_end_matches('/')),
            key,
        })
    }

    fn uri(&self) -> Result<Uri, LlmError> {
        let uri: Option<Uri> = self.base_url.parse().ok();
        uri.filter(|uri| {
            matches!(uri.scheme_str(), Some("http" | "https"))
                && uri.host().is_some_and(|host| !host.is_empty())
                && uri.query().is_none()
                // Text before an `@` would be a password, which is not allowed here.
                && uri.authority().is_some_and(|place| !place.as_str().contains('@'))
        })
        .ok_or_else(|| {
            LlmError::new(Code::Provider, "its `base_url` is not a valid address").hint(
                "write it as `https://host/path`; a key belongs in the variable named by `key_env`",
            )
        })
    }
}

fn key(name: &str, environment: &BTreeMap<String, String>) -> Result<Secret, LlmError> {
    let key = environment.get(name).and_then(|value| Secret::new(value));
    let Some(key) = key else {
        return Err(
            LlmError::new(Code::NoKey, format!("its key `{name}` is not set"))
                .hint(format!("set the environment variable `{name}`")),
        );
    };
    if key.reveal().bytes().any(|byte| !byte.is_ascii_graphic()) {
        return Err(LlmError::new(
            Code::NoKey,
            format!("the value of `{name}` is not a valid key"),
        )
        .hint(format!(
            "set the environment variable `{name}` to the key alone"
        )));
    }
    Ok(key)
}

fn is_this_machine(uri: &Uri) -> bool {
    let host = uri.host().unwrap_or_default();
    let bare = host.trim_start_matches('[').trim_end_matches(']');
    let address: Option<std::net::IpAddr> = bare.parse().ok();
    host == "localhost" || address.is_some_and(|address| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_goes_to_encrypted_or_own_addresses_only() {
        let environment =
            BTreeMap::from([("KEY".to_owned(), " canary-key-0123456789 \n".to_owned())]);
        let with_key = [
            ("https://models.example/v1", None),
            ("https://models.example:8443/v1/", None),
            ("http://localhost:8080/v1", None),
            ("http://127.0.0.1:8080", None),
            ("http://[::1]:8080", None),
            ("http://models.example/v1", Some(Code::Provider)),
            ("http://localhost.models.example", Some(Code::Provider)),
            ("https://me:pass@models.example", Some(Code::Provider)),
            ("https://models.example/v1?key=1", Some(Code::Provider)),
            ("ftp://models.example", Some(Code::Provider)),
            ("models.example", Some(Code::Provider)),
            ("", Some(Code::Provider)),
        ];
        for (base_url, code) in with_key {
            let endpoint = Endpoint {
                base_url: base_url.to_owned(),
                key_env: Some("KEY".to_owned()),
            };
            let address = endpoint.address("/x", &environment);
            assert_eq!(
                address.as_ref().err().map(LlmError::code),
                code,
                "{base_url}"
            );
            if let Ok(address) = address {
                assert!(address.url.ends_with("/x") && !address.url.ends_with("//x"));
                assert_eq!(address.key.unwrap().reveal(), "canary-key-0123456789");
            }
        }
    }

    #[test]
    fn a_key_that_is_none_is_told_by_its_name() {
        let environment = BTreeMap::from([
            ("EMPTY".to_owned(), "  ".to_owned()),
            ("BROKEN".to_owned(), "canary key\nwith lines".to_owned()),
        ]);
        for name in ["MISSING", "EMPTY", "BROKEN"] {
            let endpoint = Endpoint {
                base_url: "https://models.example".to_owned(),
                key_env: Some(name.to_owned()),
            };
            let error = endpoint.address("", &environment).unwrap_err();
            assert_eq!(error.code(), Code::NoKey);
            assert!(error.to_string().contains(name));
            assert!(!format!("{error:?}").contains("canary"));
        }
    }
}
