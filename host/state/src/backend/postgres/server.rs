//! Address and credentials of the PostgreSQL server that holds the catalog. A password is never shown. Over a network
//! the connection is encrypted and the server's certificate checked, unless the address says `sslmode=disable`.

use ::postgres::Config;
use ::postgres::config::{Host, SslMode};

use crate::backend::DatabaseError;

/// Address of a server, and the certificates to trust.
#[derive(Clone)]
pub struct Server {
    config: Config,
    root_certificates: Option<Vec<u8>>,
    machine: String,
}

impl Server {
    /// Parses an address such as `postgres://user@host:5432/name`. `root_certificates` are PEM, for a server whose
    /// certificate is not signed by a public authority.
    pub fn new(address: &str, root_certificates: Option<Vec<u8>>) -> Result<Self, DatabaseError> {
        // The text of the error may quote the address, and the address may hold a password.
        let mut config: Config = address.parse().map_err(|_| {
            let expected = "expected `postgres://user@host:port/name`";
            DatabaseError::Settings(format!(
                "the address of the state database cannot be read ({expected})"
            ))
        })?;
        if config.get_hosts().is_empty() {
            let message = "the address of the state database names no host";
            return Err(DatabaseError::Settings(message.to_owned()));
        }
        let hosts = config.get_hosts();
        if hosts.iter().any(is_remote) && config.get_ssl_mode() == SslMode::Prefer {
            config.ssl_mode(SslMode::Require);
        } else if hosts.iter().all(|host| !matches!(host, Host::Tcp(_))) {
            // A local socket has no host name that a certificate could match.
            config.ssl_mode(SslMode::Disable);
        }
        Ok(Self {
            config,
            root_certificates,
            machine: String::new(),
        })
    }

    /// Sets the password to use if the address has none.
    pub fn or_password(mut self, password: &str) -> Self {
        if self.config.get_password().is_none() {
            self.config.password(password);
        }
        self
    }

    /// Sets the name of this machine among those that share the server. Files and checkouts are a machine's own.
    pub fn for_machine(mut self, machine: &str) -> Self {
        machine.clone_into(&mut self.machine);
        self
    }

    pub(super) fn machine(&self) -> &str {
        &self.machine
    }

    pub fn has_password(&self) -> bool {
        self.config.get_password().is_some()
    }

    /// Returns the address without its password.
    pub fn label(&self) -> String {
        let host = match self.config.get_hosts().first() {
            Some(Host::Tcp(name)) => name.clone(),
            #[cfg(unix)]
            Some(Host::Unix(path)) => path.to_string_lossy().into_owned(),
            None => String::new(),
        };
        let port = self.config.get_ports().first().copied().unwrap_or(5432);
        let user = self.config.get_user().unwrap_or_default();
        let name = self.config.get_dbname().unwrap_or(user);
        format!("postgres://{user}@{host}:{port}/{name}")
    }

    pub(super) fn config(&self) -> &Config {
        &self.config
    }

    pub(super) fn root_certificates(&self) -> Option<&[u8]> {
        self.root_certificates.as_deref()
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.label())
    }
}

fn is_remote(host: &Host) -> bool {
    match host {
        Host::Tcp(name) => {
            let address: Option<std::net::IpAddr> = name.parse().ok();
            name != "localhost" && !address.is_some_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_encrypted_over_a_network_and_never_shows_its_password() {
        let cases = [
            ("postgres://u:secret@db.example/acreta", SslMode::Require),
            (
                "postgres://u:secret@10.0.0.1/acreta?sslmode=prefer",
                SslMode::Require,
            ),
            (
                "postgres://u:secret@db.example/acreta?sslmode=disable",
                SslMode::Disable,
            ),
            ("postgres://u:secret@127.0.0.1/acreta", SslMode::Prefer),
            ("postgres://u:secret@localhost:6000/acreta", SslMode::Prefer),
            #[cfg(unix)]
            ("postgres://u:secret@%2Frun%2Fdb/acreta", SslMode::Disable),
        ];
        for (address, mode) in cases {
            let server = Server::new(address, None).unwrap();
            assert_eq!(server.config.get_ssl_mode(), mode, "{address}");
            assert!(server.has_password());
            assert!(!format!("{server:?}").contains("secret"), "{server:?}");
        }
        for bad in [
            "postgres://u:secret@db:x:y/",
            "nonsense secret",
            "postgres://",
        ] {
            let error = Server::new(bad, None).unwrap_err();
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }
}
