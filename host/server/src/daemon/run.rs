//! Runs the daemon until it is told to stop.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use crate::serve::bind;
use crate::{Asset, Control, Limits, Options, Schedule, ServeError, Surroundings, serve};
use acreta_config::Config;
use acreta_service::process::clock::now_ms;
use acreta_service::{Context, Failure};
use camino::Utf8Path;

use crate::daemon::Daemon;
use crate::daemon::place::{DaemonAddress, Post, token};
use crate::daemon::watch::SessionWatch;

/// The address to listen on; missing parts are taken from the configuration.
#[derive(Debug, Clone, Default)]
pub struct Listen {
    pub host: Option<String>,
    pub port: Option<u16>,
}

/// Serves until `control` is told to shut down. `ready` receives the address.
pub fn run(
    context: &Context,
    program: &Utf8Path,
    listen: &Listen,
    control: &Control,
    ready: impl FnOnce(&str) + Send + 'static,
) -> Result<(), Failure> {
    let config = &context.config;
    let folder = context.home.folder();
    let post = Arc::new(Post::take(folder)?);
    let daemon = Daemon::new(context.process.clone(), &context.project, program);
    let watch = Arc::new(Mutex::new(None));
    if config.boolean("serve.watch") {
        // Runs in the background: it asks every adapter, which are all compiled the first time.
        let (watch, wake) = (Arc::clone(&watch), control.clone());
        let context = Context::open(&context.process, &context.project)?;
        std::thread::spawn(
            move || match SessionWatch::start(&context, move || wake.wake_sync()) {
                Ok(started) => *watch.lock().unwrap_or_else(PoisonError::into_inner) = started,
                Err(error) => tracing::warn!(%error, "file events are not available"),
            },
        );
    }
    let own = Arc::clone(&post);
    let announce = move |address: std::net::SocketAddr| {
        let url = format!("http://{address}");
        let written = own.announce(&DaemonAddress {
            process_id: std::process::id(),
            url: url.clone(),
            started_ms: now_ms(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
        });
        if let Err(error) = written {
            tracing::warn!(%error, "the address of the daemon could not be written");
        }
        let process_id = std::process::id();
        tracing::info!(name: "daemon.started", url, process_id);
        ready(&url);
    };
    let host = listen.host.as_deref();
    let options = Options {
        host: host.unwrap_or(config.text("serve.host")).to_owned(),
        port: listen.port.unwrap_or_else(|| port(config)),
        version: env!("CARGO_PKG_VERSION").to_owned(),
        token: token(folder)?,
        schedule: Schedule {
            sync: minutes(config.integer("serve.sync_minutes")),
            maintain: minutes(config.integer("serve.maintain_minutes")),
            ..Schedule::default()
        },
        limits: Limits::default(),
        surroundings: Surroundings {
            now_ms: Arc::new(now_ms),
            random: Arc::new(|bytes| getrandom::fill(bytes).map_err(std::io::Error::from)),
        },
        ready: Box::new(announce),
    };
    let served = serve(options, Arc::new(daemon), asset, control);
    drop(watch.lock().unwrap_or_else(PoisonError::into_inner).take());
    drop(post);
    match served {
        Ok(ended) => {
            tracing::info!(name: "daemon.ended", jobs_cut = ended.jobs_cut);
            if ended.jobs_cut > 0 {
                tracing::warn!(jobs = ended.jobs_cut, "did not stop in time");
            }
            Ok(())
        }
        Err(error) => Err(failure(&error)),
    }
}

/// Fails as a daemon would that cannot listen on the configured address.
pub(crate) fn check_address(config: &Config) -> Result<(), Failure> {
    match bind(config.text("serve.host"), port(config)) {
        Ok(_) => Ok(()),
        Err(error) => Err(failure(&error)),
    }
}

fn port(config: &Config) -> u16 {
    u16::try_from(config.integer("serve.port")).unwrap_or(0)
}

fn failure(error: &ServeError) -> Failure {
    let mut failure = Failure::from_error(error);
    failure.hints.extend(error.hint());
    failure
}

/// Converts minutes; zero or less means never (`None`).
fn minutes(minutes: i64) -> Option<Duration> {
    let minutes = u64::try_from(minutes).ok().filter(|minutes| *minutes > 0)?;
    Some(Duration::from_secs(60 * minutes))
}

fn asset(path: &str) -> Option<Asset> {
    let asset = crate::dashboard::asset(path)?;
    Some(Asset {
        bytes: asset.bytes.into(),
        content_type: asset.content_type.into(),
        etag: Some(asset.etag.into()),
    })
}
