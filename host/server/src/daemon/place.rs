//! The daemon's files in acreta's folder: its token, a lock held while it runs, and its address. Only the owner can
//! read them.

use std::time::Duration;

use acreta_fs::{Directory, Lock, LockError, NoFaults};
use acreta_service::installation::is_older;
use acreta_service::{Failure, Kind};
use camino::Utf8Path;
use serde::{Deserialize, Serialize};

const TOKEN: &str = "token";
const LOCK: &str = "daemon.lock";
const ADDRESS: &str = "daemon.json";

const MOST_BYTES: u64 = 64 * 1024;

/// Lock timeout: a process that checks for a daemon holds the lock for a moment, a daemon holds it until it ends.
const LOOKING: Duration = Duration::from_secs(2);

/// The address of a daemon.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DaemonAddress {
    pub process_id: u32,
    /// `http://127.0.0.1:8765`.
    pub url: String,
    pub started_ms: u64,
    pub version: String,
}

/// The daemon's lock, held while it runs.
pub struct Post {
    directory: Directory,
    _lock: Lock,
}

/// Returns the secret that every caller needs; creates it at the first call.
pub fn token(folder: &Utf8Path) -> Result<String, Failure> {
    Ok(open(folder)?.secret(TOKEN)?)
}

/// Returns the running daemon's address, or `None` if none is running, even if an address file exists.
pub fn running(folder: &Utf8Path) -> Result<Option<DaemonAddress>, Failure> {
    let directory = open(folder)?;
    match directory.lock(LOCK, Duration::ZERO) {
        Ok(_) => Ok(None),
        Err(LockError::Busy { .. }) => Ok(written(&directory)),
        Err(error) => Err(error.into()),
    }
}

/// Returns the running daemon's address if it is of an older version. Creates nothing.
pub fn running_old(folder: &Utf8Path) -> Option<DaemonAddress> {
    if !folder.join(ADDRESS).is_file() {
        return None;
    }
    let address = running(folder).ok().flatten();
    address.filter(|address| is_older(&address.version))
}

impl Post {
    /// Takes the daemon's lock, if it is free.
    pub fn take(folder: &Utf8Path) -> Result<Self, Failure> {
        let directory = open(folder)?;
        match directory.lock(LOCK, LOOKING) {
            Ok(lock) => Ok(Self {
                directory,
                _lock: lock,
            }),
            Err(LockError::Busy { .. }) => {
                let message = match written(&directory) {
                    Some(other) => format!(
                        "a daemon is running already: process {} at {}",
                        other.process_id, other.url
                    ),
                    None => "a daemon is starting already".to_owned(),
                };
                Err(Failure::new(Kind::Busy, message).hint("`acreta down` stops it"))
            }
            Err(error) => Err(error.into()),
        }
    }

    /// Writes the address file.
    pub fn announce(&self, address: &DaemonAddress) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(address).unwrap_or_default();
        self.directory.replace(ADDRESS, text.as_bytes())?;
        Ok(())
    }
}

impl Drop for Post {
    fn drop(&mut self) {
        // The file has no effect without the lock.
        let _ = self.directory.remove_file(ADDRESS);
    }
}

fn open(folder: &Utf8Path) -> Result<Directory, Failure> {
    Ok(Directory::open_or_create_private(
        folder,
        NoFaults::shared(),
    )?)
}

fn written(directory: &Directory) -> Option<DaemonAddress> {
    let text = directory.read(ADDRESS, MOST_BYTES).ok()?;
    serde_json::from_slice(&text).ok()
}

#[cfg(test)]
mod tests {
    use camino::Utf8PathBuf;

    use super::*;

    #[test]
    fn one_daemon_at_a_time_and_its_address_dies_with_it() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8PathBuf::from_path_buf(folder.path().join("acreta")).unwrap();
        assert_eq!(running(&folder).unwrap(), None);
        let post = Post::take(&folder).unwrap();
        let address = DaemonAddress {
            process_id: 7,
            url: "http://127.0.0.1:1".to_owned(),
            started_ms: 1,
            version: "0.1.0".to_owned(),
        };
        post.announce(&address).unwrap();
        assert_eq!(running(&folder).unwrap(), Some(address));
        let second = Post::take(&folder).err().unwrap();
        assert_eq!(second.kind, Kind::Busy);
        assert!(second.message.contains("process 7"), "{second}");
        drop(post);
        assert_eq!(running(&folder).unwrap(), None);
        assert!(!folder.join(ADDRESS).exists());
    }

    #[test]
    fn a_token_is_made_once_and_is_its_owners_alone() {
        let folder = tempfile::tempdir().unwrap();
        let folder = Utf8PathBuf::from_path_buf(folder.path().join("acreta")).unwrap();
        let first = token(&folder).unwrap();
        assert_eq!(first.len(), 64);
        assert_eq!(token(&folder).unwrap(), first);
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = folder.join(TOKEN).metadata().unwrap().permissions().mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
