//! Addresses of remotes: which ones git may be given, and how they are shown. An address is data from a repository or
//! a config, so everything that git would take for an option or for a program is refused here.

use camino::Utf8Path;
use sha2::{Digest, Sha256};

use crate::ClonesError;

/// A remote that git may be given.
#[derive(Debug, Clone)]
pub(crate) struct Remote {
    address: String,
    shown: String,
    /// User name and password in the address, with the `@`.
    credentials: Option<String>,
    transport: Transport,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Transport {
    Https,
    Http,
    Ssh,
    Folder,
}

impl Remote {
    /// Checks an address. `folders` says whether a path on this machine is accepted.
    pub(crate) fn parse(address: &str, folders: bool) -> Result<Self, ClonesError> {
        let (transport, credentials) = match parts(address) {
            Ok((Transport::Folder, _)) if !folders => Err("it is a folder of this machine"),
            other => other,
        }
        .map_err(|reason| ClonesError::Remote {
            remote: shown(address, None),
            reason,
        })?;
        let credentials = credentials.map(ToOwned::to_owned);
        Ok(Self {
            shown: shown(address, credentials.as_deref()),
            address: address.to_owned(),
            credentials,
            transport,
        })
    }

    /// Returns the address for git, with whatever password it has.
    pub(crate) fn address(&self) -> &str {
        &self.address
    }

    /// Returns the address without user name and password, for messages and file names.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    pub(crate) fn is_folder(&self) -> bool {
        self.transport == Transport::Folder
    }

    /// Returns the transports that git may use for it (`GIT_ALLOW_PROTOCOL`). A user's `insteadOf` may turn https
    /// into ssh; nothing turns an address into a local folder or a program.
    pub(crate) fn protocols(&self) -> &'static str {
        match self.transport {
            Transport::Https | Transport::Ssh => "https:ssh",
            Transport::Http => "http:https:ssh",
            Transport::Folder => "file",
        }
    }

    /// Returns the name of its clone's folder. The password is no part of it.
    pub(crate) fn folder_name(&self) -> String {
        let mut name = acreta_text::hex(&Sha256::digest(&self.shown));
        name.truncate(32);
        name
    }

    /// Removes the credentials from a text that git printed.
    pub(crate) fn without_credentials(&self, text: &str) -> String {
        let text = text.replace(&self.address, &self.shown);
        let Some(credentials) = &self.credentials else {
            return text;
        };
        let text = text.replace(credentials.as_str(), "");
        match credentials.trim_end_matches('@').split_once(':') {
            Some((_, password)) if !password.is_empty() => text.replace(password, "***"),
            _ => text,
        }
    }
}

const MOST_BYTES: usize = 4096;

/// Returns the transport and the credentials of an address, or why it is refused.
fn parts(address: &str) -> Result<(Transport, Option<&str>), &'static str> {
    if address.is_empty() || address.len() > MOST_BYTES {
        return Err("it is empty or too long");
    }
    if address.chars().any(char::is_control) {
        return Err("it contains control characters");
    }
    if address.starts_with('-') {
        return Err("git would read it as an option");
    }
    if names_a_helper(address) {
        return Err("it names a program that git would run");
    }
    if let Some((scheme, rest)) = address.split_once("://") {
        let transport = match scheme.to_ascii_lowercase().as_str() {
            "https" => Transport::Https,
            "http" => Transport::Http,
            "ssh" => Transport::Ssh,
            "file" if rest.starts_with('/') => return Ok((Transport::Folder, None)),
            _ => return Err("its transport is not supported"),
        };
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        let credentials = authority.rfind('@').map(|at| &authority[..=at]);
        return host(authority).map(|()| (transport, credentials));
    }
    if Utf8Path::new(address).is_absolute() {
        return Ok((Transport::Folder, None));
    }
    match address.split_once(':') {
        Some((place, path)) if !place.contains('/') && !path.is_empty() => {
            if path.starts_with('-') {
                return Err("git would read it as an option");
            }
            host(place).map(|()| (Transport::Ssh, None))
        }
        _ => Err("it is no address and no absolute path"),
    }
}

/// Recognises `name::rest`, which makes git run `git-remote-name`.
fn names_a_helper(address: &str) -> bool {
    let name = |text: &str| {
        !text.is_empty()
            && text
                .chars()
                .all(|letter| letter.is_ascii_alphanumeric() || "+.-_".contains(letter))
    };
    address
        .split_once("::")
        .is_some_and(|(helper, _)| name(helper))
}

/// Refuses an empty host, and users and hosts that ssh would read as options.
fn host(authority: &str) -> Result<(), &'static str> {
    let (user, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    if host.is_empty() {
        return Err("it has no host");
    }
    if host.starts_with('-') || user.starts_with('-') {
        return Err("ssh would read its host as an option");
    }
    Ok(())
}

fn shown(address: &str, credentials: Option<&str>) -> String {
    let without = match credentials {
        Some(credentials) => address.replacen(credentials, "", 1),
        None => match address.split_once("://") {
            // Also for addresses that are refused: their password is shown nowhere.
            Some((scheme, rest)) => {
                let end = rest.find('/').unwrap_or(rest.len());
                let start = rest[..end].rfind('@').map_or(0, |at| at + 1);
                format!("{scheme}://{}", &rest[start..])
            }
            None => address.to_owned(),
        },
    };
    let without = without.split(['?', '#']).next().unwrap_or_default();
    acreta_text::visible(without)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_accepted_or_refused() {
        let cases: &[(&str, Option<Transport>)] = &[
            ("https://host/team/memory.git", Some(Transport::Https)),
            ("https://me:secret@host/memory", Some(Transport::Https)),
            ("http://localhost:3000/memory.git", Some(Transport::Http)),
            ("ssh://git@host:22/memory.git", Some(Transport::Ssh)),
            ("git@host:team/memory.git", Some(Transport::Ssh)),
            ("host:memory.git", Some(Transport::Ssh)),
            ("file:///srv/memory.git", Some(Transport::Folder)),
            ("/srv/memory.git", Some(Transport::Folder)),
            ("/srv/a::b.git", Some(Transport::Folder)),
            ("", None),
            ("-u/tmp/evil", None),
            ("--upload-pack=evil", None),
            ("ext::sh -c evil", None),
            ("evil::anything", None),
            ("fd::17", None),
            ("ext::https://host/x", None),
            ("git://host/memory.git", None),
            ("ftp://host/memory.git", None),
            ("file://host/memory.git", None),
            ("ssh://-oProxyCommand=evil/x", None),
            ("ssh://me@-oProxyCommand=evil/x", None),
            ("-oProxyCommand=evil:x", None),
            ("me@-oProxyCommand=evil:x", None),
            ("host:-oEvil", None),
            ("https:///memory", None),
            ("../memory.git", None),
            ("memory.git", None),
            ("https://host/a\nb", None),
            ("https://host/a\0b", None),
        ];
        for (address, expected) in cases {
            let remote = Remote::parse(address, true).ok();
            let found = remote.map(|remote| remote.transport);
            assert_eq!(found, *expected, "{address:?}");
        }
    }

    #[test]
    fn folders_have_to_be_allowed() {
        for address in ["/srv/memory.git", "file:///srv/memory.git"] {
            assert!(Remote::parse(address, true).is_ok());
            assert!(Remote::parse(address, false).is_err());
        }
        assert!(Remote::parse("https://host/x", false).is_ok());
    }

    #[test]
    fn passwords_are_not_shown() {
        let cases = [
            ("https://me:s3cret@host/x.git?t=1", "https://host/x.git"),
            ("https://s3cret@host/x.git", "https://host/x.git"),
            ("ssh://git:s3cret@host/x.git", "ssh://host/x.git"),
        ];
        for (address, shown) in cases {
            let remote = Remote::parse(address, false).unwrap();
            assert_eq!(remote.shown(), shown);
            let said = format!("fatal: unable to access '{address}/': 403 for s3cret@host");
            let said = remote.without_credentials(&said);
            assert!(!said.contains("s3cret"), "{said}");
            let refused = Remote::parse(&format!("evil::{address}"), false).unwrap_err();
            assert!(!refused.to_string().contains("s3cret"), "{refused}");
        }
        let scp = Remote::parse("git@host:x.git", false).unwrap();
        assert_eq!(scp.shown(), "git@host:x.git");
        let refused = Remote::parse("ftp://me:s3cret@host/x", false).unwrap_err();
        assert!(!refused.to_string().contains("s3cret"), "{refused}");
    }

    #[test]
    fn a_new_password_is_the_same_clone() {
        let name = |address| Remote::parse(address, false).unwrap().folder_name();
        assert_eq!(name("https://a:1@host/x"), name("https://b:2@host/x"));
        assert_ne!(name("https://host/x"), name("https://host/y"));
    }
}
