//! The adapter as a component: opens files under the granted root and hands events to the host.

use std::fs::File;

use acreta_sdk::adapter::{Cursor, Description, Failure, Guest, HostSink, Session, export};

use crate::failure;

struct Component;

impl Guest for Component {
    fn describe() -> Description {
        crate::describe()
    }

    fn sessions(path: String) -> Result<Vec<Session>, Failure> {
        crate::sessions(&path, open(&path)?)
    }

    fn read(session: Session, from: Cursor) -> Result<Cursor, Failure> {
        let file = open(&session.path)?;
        crate::read(&session, file, &from, &mut HostSink)
    }
}

fn open(path: &str) -> Result<File, Failure> {
    File::open(path).map_err(|error| failure::io(&error))
}

export!(Component);
