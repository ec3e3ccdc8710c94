//! A bare axum handler with a fixed answer, on a runtime like the daemon's: the most that this machine serves to the
//! clients of `cargo xtask bench serve`. Reads the answer from standard input and prints its address; runs until killed.

#![allow(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a bench that cannot go on has failed, and talks to the program that started it"
)]

use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::routing::get;
use tokio::net::TcpListener;

fn main() {
    let answer = std::io::read_to_string(std::io::stdin()).unwrap();
    let handler = move || async move { ([(CONTENT_TYPE, "application/json")], answer) };
    let router = Router::new().fallback(get(handler));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .unwrap();
    runtime.block_on(async {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        println!("{}", listener.local_addr().unwrap());
        axum::serve(listener, router).await.unwrap();
    });
}
