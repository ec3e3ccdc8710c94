//! A bare axum handler with a fixed answer, in a thread of this process: the most that this machine serves to these
//! clients in the same run.

use std::net::SocketAddr;
use std::thread::JoinHandle;

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

use crate::Outcome;
use crate::serve::daemon::Client;

pub(crate) struct BareServer {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    thread: JoinHandle<std::io::Result<()>>,
}

impl BareServer {
    /// Serves `answer` at every path.
    pub(crate) fn start(answer: String) -> Outcome<Self> {
        // As the daemon has it: one thread for connections.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()?;
        let listener = runtime.block_on(TcpListener::bind(("127.0.0.1", 0)))?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let handler = move || async move { ([(CONTENT_TYPE, "application/json")], answer) };
        let router = Router::new().fallback(get(handler));
        let thread = std::thread::spawn(move || {
            let serving = axum::serve(listener, router).with_graceful_shutdown(async {
                let _ = stopped.await;
            });
            runtime.block_on(serving.into_future())
        });
        Ok(Self {
            address,
            stop,
            thread,
        })
    }

    pub(crate) fn client(&self) -> Outcome<Client> {
        Client::connect(&self.address.to_string(), "")
    }

    pub(crate) fn end(self) -> Outcome<()> {
        // A server that ended by itself says why below.
        let _ = self.stop.send(());
        self.thread
            .join()
            .map_err(|_| "the bare server panicked")??;
        Ok(())
    }
}
