//! Live events: log events of the service and states of this server's jobs, in one stream. The service is polled only
//! while somebody listens, once for all listeners. An id names the last event of each source, so that a listener that
//! reconnects misses nothing that is still stored.

use std::convert::Infallible;
use std::sync::Arc;

use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use http::HeaderMap;
use serde_json::Value;
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, mpsc};
use tokio::time::{Instant, sleep};

use acreta_service::learn::runs::EventRow;

use crate::api::{InProject, LiveEvent};
use crate::hub::{Hub, StreamPosition, live};
use crate::input::typed;
use crate::refusal::Refusal;
use crate::server::{CallClass, Server};

/// Polls the service for events while somebody listens.
pub(crate) async fn poll(server: Arc<Server>) {
    let mut ending = server.ending.clone();
    while !*ending.borrow_and_update() {
        if server.hub.with(|hub| hub.listeners) == 0 {
            tokio::select! {
                () = server.hub.somebody_listens.notified() => {}
                _ = ending.changed() => {}
            }
            continue;
        }
        if !poll_once(&server).await {
            tokio::select! {
                () = sleep(server.limits.event_pause) => {}
                _ = ending.changed() => {}
            }
        }
    }
}

/// Polls once; returns whether more events are available at once.
async fn poll_once(server: &Arc<Server>) -> bool {
    let _turn = server.hub.turn.lock().await;
    let after = server.hub.with(|hub| hub.place.log);
    let Ok(events) = log_after(server, after).await else {
        return false;
    };
    let more = events.len() >= PAGE;
    server.hub.logged(events);
    more
}

async fn log_after(server: &Arc<Server>, sequence: u64) -> Result<Vec<EventRow>, Refusal> {
    let asked = Arc::clone(server);
    let ask = move || asked.service.events_after(sequence, PAGE as u64);
    let events = server.blocking(CallClass::Usual, ask).await;
    let events = events.and_then(|events| events.map_err(Refusal::from));
    events.inspect_err(|refusal| {
        tracing::warn!(
            message = refusal.problem.message,
            "events could not be read"
        );
    })
}

/// Adds a listener, new or reconnecting.
pub(crate) async fn stream(
    server: Arc<Server>,
    headers: &HeaderMap,
    input: Value,
) -> Result<Response, Refusal> {
    let project: InProject = typed(input)?;
    let project = project.project_root;
    let heard =
        match headers.get("last-event-id") {
            None => None,
            Some(id) => {
                let place = id.to_str().ok().and_then(StreamPosition::read);
                Some(place.ok_or_else(|| {
                    Refusal::invalid("`Last-Event-ID` is not an id of this server")
                })?)
            }
        };
    let asked = Arc::clone(&server);
    let wanted = project.clone();
    let check = move || asked.check_project(wanted.as_deref());
    server.blocking(CallClass::Usual, check).await??;

    let listener = join(&server).await?;
    let (sender, receiver) = mpsc::channel(64);
    let keep_alive = KeepAlive::new().interval(server.limits.keep_alive);
    tokio::spawn(tell(server, listener, heard, project, sender));
    let events = futures_util::stream::unfold(receiver, async |mut receiver| {
        let event: Event = receiver.recv().await?;
        Some((Ok::<_, Infallible>(event), receiver))
    });
    Ok(Sse::new(events).keep_alive(keep_alive).into_response())
}

/// A listener from a position on. Its slot is freed on drop.
struct Listener {
    hub: Arc<Hub>,
    from: StreamPosition,
    live: broadcast::Receiver<LiveEvent>,
    /// Earlier events of jobs.
    jobs: Vec<(u64, LiveEvent)>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        self.hub.with(|hub| hub.listeners -= 1);
    }
}

async fn join(server: &Arc<Server>) -> Result<Listener, Refusal> {
    let hub = &server.hub;
    let _turn = hub.turn.lock().await;
    let listeners = hub.with(|state| state.listeners);
    if listeners >= server.limits.listeners {
        return Err(Refusal::busy("too many listeners"));
    }
    if listeners == 0 {
        let asked = Arc::clone(server);
        let newest = move || asked.service.newest_event();
        let newest = server.blocking(CallClass::Usual, newest).await??;
        hub.with(|state| state.place.log = state.place.log.max(newest));
    }
    let listener = hub.with(|state| {
        state.listeners += 1;
        Listener {
            hub: Arc::clone(hub),
            from: state.place,
            live: hub.live.subscribe(),
            jobs: state.jobs.iter().cloned().collect(),
        }
    });
    hub.somebody_listens.notify_one();
    Ok(listener)
}

/// Sends missed events, then live ones. Ends with the server, when the listener disconnects, or when it cannot keep up:
/// it then reconnects and gets what it missed.
async fn tell(
    server: Arc<Server>,
    mut listener: Listener,
    heard: Option<StreamPosition>,
    project: Option<String>,
    sender: mpsc::Sender<Event>,
) {
    let mut ending = server.ending.clone();
    let told = async {
        let place = listener.from.to_string();
        let hello = Event::default().comment("acreta").retry(RETRY);
        match heard {
            Some(heard) => {
                sender.send(hello).await.ok()?;
                missed(&server, &listener, heard, project.as_deref(), &sender).await?;
            }
            None => sender.send(hello.id(place)).await.ok()?,
        }
        loop {
            let event = match listener.live.recv().await {
                Ok(event) => event,
                Err(RecvError::Lagged(_) | RecvError::Closed) => return None::<()>,
            };
            if event.concerns(project.as_deref()) {
                sender.send(written(&event)?).await.ok()?;
            }
        }
    };
    tokio::select! {
        _ = told => {}
        () = sender.closed() => {}
        _ = ending.wait_for(|ending| *ending) => {}
    }
}

/// Sends missed events; `None` if the listener has disconnected.
async fn missed(
    server: &Arc<Server>,
    listener: &Listener,
    heard: StreamPosition,
    project: Option<&str>,
    sender: &mpsc::Sender<Event>,
) -> Option<()> {
    let mut place = heard;
    let begun = Instant::now();
    while place.log < listener.from.log && begun.elapsed() < server.limits.long_call_time {
        let events = log_after(server, place.log).await.ok()?;
        let Some(last) = events.last() else {
            break;
        };
        let last = last.seq;
        for event in events {
            if event.seq > listener.from.log {
                break;
            }
            place.log = event.seq;
            let event = live(event, place.to_string());
            if event.concerns(project) {
                sender.send(written(&event)?).await.ok()?;
            }
        }
        place.log = last;
    }
    place.log = listener.from.log;
    for (number, event) in &listener.jobs {
        if *number > heard.job {
            place.job = *number;
            let id = place.to_string();
            let event = LiveEvent {
                id,
                ..event.clone()
            };
            sender.send(written(&event)?).await.ok()?;
        }
    }
    Some(())
}

fn written(event: &LiveEvent) -> Option<Event> {
    let data = serde_json::to_string(event).ok()?;
    Some(Event::default().id(&event.id).data(data))
}

const PAGE: usize = 500;
const RETRY: std::time::Duration = std::time::Duration::from_secs(2);
