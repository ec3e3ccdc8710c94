//! The stream of events, in order of occurrence, until the server ends or the stream is dropped.

use std::io::{BufRead, BufReader};

use ureq::http::Response;
use ureq::{Body, BodyReader};

use crate::{Error, LiveEvent};

/// An iterator over events. Blocks until the next one.
pub struct Events {
    lines: BufReader<BodyReader<'static>>,
    url: String,
}

impl Events {
    pub(crate) fn new(response: Response<Body>, url: String) -> Self {
        Self {
            lines: BufReader::new(response.into_body().into_reader()),
            url,
        }
    }
}

impl std::fmt::Debug for Events {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Events").field(&self.url).finish()
    }
}

impl Iterator for Events {
    type Item = Result<LiveEvent, Error>;

    fn next(&mut self) -> Option<Self::Item> {
        let mut line = String::new();
        loop {
            line.clear();
            match self.lines.read_line(&mut line) {
                Ok(0) => return None,
                Ok(_) => {}
                Err(cause) => {
                    let url = self.url.clone();
                    return Some(Err(Error::Interrupted { url, cause }));
                }
            }
            // Other lines name the event, or keep the connection alive.
            if let Some(data) = line.strip_prefix("data:") {
                let event = serde_json::from_str(data).map_err(|cause| Error::Unexpected {
                    url: self.url.clone(),
                    status: 200,
                    cause,
                });
                return Some(event);
            }
        }
    }
}
