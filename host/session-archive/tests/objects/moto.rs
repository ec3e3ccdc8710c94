//! moto, an implementation of S3 for tests, on this machine. It ends with the test.

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

pub(crate) struct Moto {
    pub(crate) url: String,
    address: String,
    process: Child,
}

impl Moto {
    /// Starts moto with the bucket `archives`, or says why that is not possible.
    pub(crate) fn start() -> Option<Self> {
        // Freed before moto takes it; another process is unlikely to get it meanwhile.
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        drop(listener);
        let port = address.port().to_string();
        let started = Command::new("moto_server")
            .args(["-H", "127.0.0.1", "-p", &port])
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn();
        let Ok(process) = started else {
            acreta_testing::skip(acreta_testing::MOTO, "moto is not installed");
            return None;
        };
        let mut moto = Self {
            url: format!("http://{address}"),
            address: address.to_string(),
            process,
        };
        let until = Instant::now() + Duration::from_secs(60);
        while TcpStream::connect(&moto.address).is_err() {
            if let Ok(Some(status)) = moto.process.try_wait() {
                acreta_testing::skip(
                    acreta_testing::MOTO,
                    &format!("moto does not start: {status}"),
                );
                return None;
            }
            assert!(Instant::now() < until, "moto does not answer");
            std::thread::sleep(Duration::from_millis(100));
        }
        moto.create_bucket("archives");
        Some(moto)
    }

    fn create_bucket(&self, name: &str) {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let host = &self.address;
        write!(
            stream,
            "PUT /{name} HTTP/1.1\r\nhost: {host}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n"
        )
        .unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        assert!(answer.contains(" 200 "), "{answer}");
    }
}

impl Drop for Moto {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
