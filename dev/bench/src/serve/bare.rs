//! The bare axum handler of `host/server/examples/bare.rs`, as a process: the ceiling for requests per second in the
//! same run.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::Outcome;
use crate::serve::daemon::Client;

pub(crate) struct BareServer {
    process: Child,
    address: String,
}

impl BareServer {
    /// Starts the program, which serves `answer` at every path.
    pub(crate) fn start(program: &Path, answer: &str) -> Outcome<Self> {
        let mut process = Command::new(program)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = process.stdin.take().ok_or("no stdin")?;
        let output = process.stdout.take().ok_or("no stdout")?;
        let mut server = Self {
            process,
            address: String::new(),
        };
        // Dropped here, which ends the answer.
        { input }.write_all(answer.as_bytes())?;
        BufReader::new(output).read_line(&mut server.address)?;
        server.address.truncate(server.address.trim_end().len());
        Ok(server)
    }

    pub(crate) fn client(&self) -> Outcome<Client> {
        Client::connect(&self.address, "")
    }
}

impl Drop for BareServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
