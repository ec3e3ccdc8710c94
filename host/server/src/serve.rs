//! The process around the server: binds, accepts, and shuts down gracefully.

use std::convert::Infallible;
use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use http_body_util::BodyExt;
use hyper::server::conn::http1;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

use crate::api::JobKind;
use crate::auth::Authenticator;
use crate::connection::Connection;
use crate::dispatch::router;
use crate::events;
use crate::hub::Hub;
use crate::jobs::Jobs;
use crate::login::Logins;
use crate::openapi;
use crate::options::{Assets, Control, Options};
use crate::schedule;
use crate::server::{CallSlots, Server};
use crate::service::Service;
use crate::slots::Slots;
use crate::work;

/// Serves until [`Control::shut_down`]; blocks. Creates its own runtime.
pub fn serve(
    options: Options,
    service: Arc<dyn Service>,
    assets: Assets,
    control: &Control,
) -> Result<Ended, ServeError> {
    if options.token.len() < SHORTEST_TOKEN {
        return Err(ServeError::Token);
    }
    let listener = bind(&options.host, options.port)?;
    let address = listener.local_addr().map_err(ServeError::Runtime)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(WORKERS)
        // Abandoned jobs and calls keep their threads in addition to the running ones.
        .max_blocking_threads(2 * (options.limits.calls + options.limits.long_calls) + WORKERS)
        .thread_name("acreta-server")
        .enable_all()
        .build()
        .map_err(ServeError::Runtime)?;
    let ended = runtime.block_on(run(options, listener, address, service, assets, control));
    // Threads that still block are abandoned: the process is about to end.
    runtime.shutdown_background();
    ended
}

/// Result of a shutdown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ended {
    /// Number of connections that were cut at the time limit.
    pub connections_cut: usize,
    /// Number of jobs that did not react to their cancellation in time.
    pub jobs_cut: usize,
}

/// Reason why the server did not start.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    #[error("could not listen on `{address}`")]
    Bind {
        address: String,
        #[source]
        cause: io::Error,
    },
    #[error("could not start the runtime of the server")]
    Runtime(#[source] io::Error),
    #[error("the token has fewer than {SHORTEST_TOKEN} characters")]
    Token,
}

impl ServeError {
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::Bind { cause, .. } => match cause.kind() {
                io::ErrorKind::AddrInUse => Some(
                    "another program has the port: stop it, or choose another with `acreta config set serve.port N`"
                        .to_owned(),
                ),
                io::ErrorKind::PermissionDenied => {
                    Some("choose a port above 1023 with `--port`".to_owned())
                }
                io::ErrorKind::AddrNotAvailable => {
                    Some("`--host` must be an address of this machine".to_owned())
                }
                _ => None,
            },
            Self::Token => Some("remove the token's file; a new one is created".to_owned()),
            Self::Runtime(_) => None,
        }
    }
}

const SHORTEST_TOKEN: usize = 32;
const WORKERS: usize = 2;
const HEAD_BYTES: usize = 64 * 1024;
const HEADERS: usize = 64;

pub(crate) fn bind(host: &str, port: u16) -> Result<TcpListener, ServeError> {
    let failed = |cause| ServeError::Bind {
        address: format!("{host}:{port}"),
        cause,
    };
    let listener = TcpListener::bind((host.trim_matches(['[', ']']), port)).map_err(failed)?;
    listener.set_nonblocking(true).map_err(failed)?;
    Ok(listener)
}

async fn run(
    options: Options,
    listener: TcpListener,
    address: SocketAddr,
    service: Arc<dyn Service>,
    assets: Assets,
    control: &Control,
) -> Result<Ended, ServeError> {
    let listener = tokio::net::TcpListener::from_std(listener).map_err(ServeError::Runtime)?;
    let ready = options.ready;
    let started_ms = (options.surroundings.now_ms)();
    let hub = Arc::new(Hub::new(started_ms));
    let server = Arc::new(Server {
        service,
        assets,
        version: options.version.clone(),
        started_ms,
        own_name: own_name(address),
        authenticator: Authenticator::new(&options.host, address.port(), options.token),
        logins: Logins::default(),
        jobs: Arc::new(Jobs::new(Arc::clone(&hub), options.surroundings.clone())),
        hub,
        schedule: options.schedule,
        next_sync_ms: AtomicU64::new(0),
        next_maintain_ms: AtomicU64::new(0),
        limits: options.limits,
        turns: CallSlots {
            usual: Arc::new(Semaphore::new(options.limits.calls)),
            long: Arc::new(Semaphore::new(options.limits.long_calls)),
        },
        surroundings: options.surroundings,
        document: openapi::document(&options.version),
        ending: control.ending.subscribe(),
        requests: AtomicU64::new(1),
    });
    let mut tasks = JoinSet::new();
    tasks.spawn(work::work(Arc::clone(&server), JobKind::Sync));
    tasks.spawn(work::work(Arc::clone(&server), JobKind::Maintain));
    tasks.spawn(schedule::syncs(
        Arc::clone(&server),
        Arc::clone(&control.wake),
    ));
    tasks.spawn(schedule::maintenance(Arc::clone(&server)));
    tasks.spawn(events::poll(Arc::clone(&server)));
    ready(address);
    let connections = accept(&server, listener).await;
    Ok(end(&server, connections, tasks).await)
}

/// Accepts connections until the server is to end.
async fn accept(server: &Arc<Server>, listener: tokio::net::TcpListener) -> GracefulShutdown {
    let connections = GracefulShutdown::new();
    let slots = Slots::new(server.limits.connections);
    let service = TowerToHyperService::new(router(Arc::clone(server)));
    let mut ending = server.ending.clone();
    let mut builder = http1::Builder::new();
    builder
        .timer(TokioTimer::new())
        .header_read_timeout(server.limits.head_time)
        .max_buf_size(HEAD_BYTES)
        .max_headers(HEADERS);
    loop {
        let next = async {
            let accepted = listener.accept().await;
            (accepted, slots.take().await)
        };
        let (accepted, slot) = tokio::select! {
            next = next => next,
            _ = ending.wait_for(|ending| *ending) => return connections,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            Err(error) => {
                // Usually too many open files: others will end.
                tracing::warn!(%error, "a connection could not be accepted");
                sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let io = TokioIo::new(Connection::new(stream, server.limits.write_time));
        let (service, answering) = (service.clone(), slot.marker());
        let answer = service_fn(move |request| {
            let answering = answering();
            let answer = service.call(request);
            async move {
                let keep = move |frame| {
                    let _until_the_last_frame = &answering;
                    frame
                };
                Ok::<_, Infallible>(answer.await?.map(|body| body.map_frame(keep)))
            }
        });
        let connection = connections.watch(builder.serve_connection(io, answer));
        tokio::spawn(async move {
            tokio::select! {
                ended = connection => {
                    if let Err(error) = ended {
                        tracing::debug!(%error, "a connection was lost");
                    }
                }
                () = slot.evicted() => tracing::debug!("an idle connection made way for another"),
            }
        });
    }
}

async fn end(server: &Server, connections: GracefulShutdown, mut tasks: JoinSet<()>) -> Ended {
    let deadline = Instant::now() + server.limits.last_time;
    server.jobs.cancel_all();
    let open = connections.count();
    let closed = timeout_at(deadline, connections.shutdown()).await;
    let worked = timeout_at(deadline, async {
        while tasks.join_next().await.is_some() {}
    })
    .await;
    Ended {
        connections_cut: if closed.is_ok() { 0 } else { open },
        jobs_cut: if worked.is_ok() {
            0
        } else {
            server.jobs.running()
        },
    }
}

/// Returns an address that a browser on this machine can reach.
fn own_name(address: SocketAddr) -> String {
    let mut address = address;
    if address.ip().is_unspecified() {
        address.set_ip(std::net::Ipv4Addr::LOCALHOST.into());
    }
    address.to_string()
}
