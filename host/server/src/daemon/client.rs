//! Client of a running daemon: how a browser gets in.
//!
//! Arguments of a process can be read by every user of the machine, so the code that lets a browser in is never one. The
//! browser is given the path of a page instead, which only its owner can read and which leads on to the dashboard; it is
//! removed as soon as the code was used.

use std::time::Duration;

use acreta_config::Home;
use acreta_fs::{Directory, NoFaults, random_secret};
use acreta_service::Failure;
use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use crate::daemon::place::DaemonAddress;

/// A running daemon and the token for it.
pub struct Client {
    pub address: DaemonAddress,
    pub token: String,
}

/// A page that logs a browser in. It is removed on drop.
pub struct LoginPage {
    folder: Directory,
    name: String,
}

impl Client {
    /// Requests a URL for a browser: it works once, within half a minute.
    pub fn login_url(&self, project: Option<&Utf8Path>) -> Result<String, Failure> {
        let post = agent().post(self.url("/api/login/code"));
        let answer = self.answer(
            post.header("authorization", self.bearer())
                .content_type("application/json")
                .send("{}"),
        )?;
        match answer["url"].as_str() {
            Some(url) => Ok(match project {
                Some(project) => {
                    let bytes = project.as_str().as_bytes();
                    let path: String = form_urlencoded::byte_serialize(bytes).collect();
                    format!("{url}&project={path}")
                }
                None => url.to_owned(),
            }),
            None => Err(Failure::saying(format!(
                "the daemon at {} returned no login URL",
                self.address.url
            ))),
        }
    }

    /// Reports whether a login URL was neither used nor expired.
    pub fn is_login_waiting(&self) -> Result<bool, Failure> {
        let get = agent().get(self.url("/api/login/codes"));
        let answer = self.answer(get.header("authorization", self.bearer()).call())?;
        Ok(answer["waiting"]
            .as_u64()
            .is_some_and(|waiting| waiting > 0))
    }

    fn url(&self, path: &str) -> String {
        format!("{}{path}", self.address.url)
    }

    fn bearer(&self) -> String {
        format!("Bearer {}", self.token)
    }

    fn answer(
        &self,
        answer: Result<http::Response<ureq::Body>, ureq::Error>,
    ) -> Result<Value, Failure> {
        let text = answer
            .and_then(|mut answer| answer.body_mut().read_to_string())
            .map_err(|error| {
                let address = &self.address.url;
                Failure::saying(format!("the daemon at {address} does not answer: {error}"))
                    .hint("restart it with `acreta down` and `acreta up`")
            })?;
        Ok(serde_json::from_str(&text).unwrap_or_default())
    }
}

fn agent() -> ureq::Agent {
    ureq::Agent::config_builder()
        .timeout_global(Some(Duration::from_secs(10)))
        .proxy(None)
        .build()
        .into()
}

impl LoginPage {
    /// Writes a page that leads to the URL.
    pub fn write(home: &Home, url: &str) -> Result<Self, Failure> {
        // Browsers that were installed as snaps cannot read hidden folders.
        let of_snaps = home.user().filter(|user| user.join("snap").is_dir());
        let folder = of_snaps.unwrap_or(home.folder());
        let folder = Directory::open_or_create_private(folder, NoFaults::shared())?;
        let secret = random_secret()
            .map_err(|error| Failure::saying(format!("no random bytes: {error}")))?;
        let name = format!("acreta-login-{}.html", &secret[..16]);
        let url = url.replace('&', "&amp;");
        let page = format!(
            "<!doctype html>\n<meta charset=\"utf-8\">\n<meta name=\"referrer\" content=\"no-referrer\">\n\
             <meta http-equiv=\"refresh\" content=\"0; url={url}\">\n<title>acreta</title>\n\
             <a href=\"{url}\">Open the dashboard</a>\n"
        );
        folder.write_synced_new(&name, page.as_bytes())?;
        Ok(Self { folder, name })
    }

    pub fn path(&self) -> Utf8PathBuf {
        self.folder.path().join(&self.name)
    }
}

impl Drop for LoginPage {
    fn drop(&mut self) {
        if let Err(error) = self.folder.remove_file(&self.name) {
            tracing::warn!(%error, "the login page could not be removed; its code no longer works");
        }
    }
}
