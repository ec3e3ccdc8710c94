//! The thread that reads one database. An SQLite statement can neither leave its thread nor outlive its connection, but
//! the owner of a result may do both with it: so connection and statements stay here, dropped in the right order, and
//! requests and answers are sent. A result is read row by row as pages are requested, so that a large table costs one
//! page of memory; the thread ends, and is joined, when the last handle on the database is dropped.

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, SyncSender, channel, sync_channel};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use rusqlite::{Connection, Error, ErrorCode, InterruptHandle, PrepFlags};

use crate::gate::QueryGate;
use crate::limits::{Allowance, DatabaseLimits, SQL_BYTES};
use crate::page::{OpenResult, PageError, PageSize, RowPage};
use crate::snapshot::{DatabaseSnapshot, LinkWatch};
use crate::{DatabaseError, Value, connection};

/// A handle on the thread and its snapshot.
pub(crate) struct DatabaseWorker {
    requests: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
    interrupt: InterruptHandle,
    source: Utf8PathBuf,
    call_time: Duration,
    is_stopped: fn() -> bool,
    /// Dropped last, when nothing reads from it any more.
    snapshot: DatabaseSnapshot,
}

/// A started query.
#[derive(Debug)]
pub(crate) struct Started {
    pub(crate) result: u64,
    pub(crate) columns: Vec<String>,
}

type AnswerSender<T> = SyncSender<Result<T, DatabaseError>>;

enum Request {
    Query {
        sql: String,
        parameters: Vec<Value>,
        answer: AnswerSender<Started>,
    },
    Page {
        result: u64,
        size: PageSize,
        answer: AnswerSender<RowPage>,
    },
    Close {
        result: u64,
    },
}

impl DatabaseWorker {
    /// Opens the snapshot and reads its schema.
    pub(crate) fn start(
        source: &Utf8Path,
        snapshot: DatabaseSnapshot,
        limits: DatabaseLimits,
    ) -> Result<Self, DatabaseError> {
        let gate = QueryGate::new(limits.steps);
        let connection = connection::open(&snapshot.path(), &limits, &gate)
            .map_err(|cause| DatabaseError::from_sqlite(source, &limits, cause))?;
        let interrupt = connection.get_interrupt_handle();
        let (call_time, is_stopped) = (limits.call_time, limits.is_stopped);
        let reading = ReaderThread {
            source: source.to_owned(),
            gate,
            watch: snapshot.watch(),
            left: Allowance {
                rows: limits.rows,
                bytes: limits.bytes,
            },
            limits,
        };
        let (requests, received) = channel();
        let (ready, is_ready) = sync_channel(1);
        let thread = std::thread::Builder::new()
            .name("database".to_owned())
            .spawn(move || reading.serve(&connection, &ready, &received))
            .map_err(|cause| DatabaseError::Thread {
                path: source.to_owned(),
                cause,
            })?;
        let worker = Self {
            requests: Some(requests),
            thread: Some(thread),
            interrupt,
            source: source.to_owned(),
            call_time,
            is_stopped,
            snapshot,
        };
        worker.wait(&is_ready)?;
        Ok(worker)
    }

    pub(crate) fn source(&self) -> &Utf8Path {
        &self.source
    }

    pub(crate) fn snapshot(&self) -> &DatabaseSnapshot {
        &self.snapshot
    }

    pub(crate) fn query(&self, sql: &str, parameters: &[Value]) -> Result<Started, DatabaseError> {
        let (answer, answered) = sync_channel(1);
        self.send(Request::Query {
            sql: sql.to_owned(),
            parameters: parameters.to_vec(),
            answer,
        });
        self.wait(&answered)
    }

    pub(crate) fn page(&self, result: u64, size: PageSize) -> Result<RowPage, DatabaseError> {
        let (answer, answered) = sync_channel(1);
        self.send(Request::Page {
            result,
            size,
            answer,
        });
        self.wait(&answered)
    }

    pub(crate) fn close(&self, result: u64) {
        self.send(Request::Close { result });
    }

    /// Sends a request. If the thread is gone, waiting for the answer reports it.
    fn send(&self, request: Request) {
        if let Some(requests) = &self.requests {
            let _ = requests.send(request);
        }
    }

    /// Waits for an answer, and interrupts the statement when the time of the call is over, or the call is to end.
    fn wait<T>(&self, answered: &Receiver<Result<T, DatabaseError>>) -> Result<T, DatabaseError> {
        let started = Instant::now();
        loop {
            match answered.recv_timeout(POLL) {
                Ok(answer) => return answer,
                Err(RecvTimeoutError::Timeout) => {
                    if started.elapsed() >= self.call_time || (self.is_stopped)() {
                        // Repeated, because an interrupt between two statements has no effect.
                        self.interrupt.interrupt();
                    }
                }
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(DatabaseError::Stopped {
                        path: self.source.clone(),
                    });
                }
            }
        }
    }
}

impl Drop for DatabaseWorker {
    fn drop(&mut self) {
        // The thread ends when its request channel closes.
        self.requests = None;
        if let Some(thread) = self.thread.take() {
            // A panic was already reported to whoever waited for the answer.
            let _ = thread.join();
        }
    }
}

const POLL: Duration = Duration::from_millis(10);

/// The state of the thread itself.
struct ReaderThread {
    source: Utf8PathBuf,
    limits: DatabaseLimits,
    gate: QueryGate,
    watch: Option<LinkWatch>,
    left: Allowance,
}

impl ReaderThread {
    fn serve(
        mut self,
        connection: &Connection,
        ready: &AnswerSender<()>,
        requests: &Receiver<Request>,
    ) {
        let mut open: HashMap<u64, OpenResult<'_>> = HashMap::new();
        let schema = connection::read_schema(connection).map_err(|cause| self.failed(cause));
        // The receiver may be gone; then there will be no request either.
        let _ = ready.send(self.settle(schema, &mut open));

        let mut next = 0;
        for request in requests {
            self.gate.begin();
            match request {
                Request::Query {
                    sql,
                    parameters,
                    answer,
                } => {
                    let started = self.query(connection, &mut open, next, &sql, &parameters);
                    next += 1;
                    let _ = answer.send(self.settle(started, &mut open));
                }
                Request::Page {
                    result,
                    size,
                    answer,
                } => {
                    let page = self.page(&mut open, result, size);
                    let _ = answer.send(self.settle(page, &mut open));
                }
                Request::Close { result } => {
                    open.remove(&result);
                }
            }
        }
    }

    fn query<'connection>(
        &self,
        connection: &'connection Connection,
        open: &mut HashMap<u64, OpenResult<'connection>>,
        result: u64,
        sql: &str,
        parameters: &[Value],
    ) -> Result<Started, DatabaseError> {
        // SQLite's own limit would also apply to the schema.
        if sql.len() > SQL_BYTES {
            return Err(self.over("bytes of SQL", SQL_BYTES as u64));
        }
        if open.len() >= self.limits.open_results {
            return Err(self.over("open results", self.limits.open_results as u64));
        }
        // A virtual table is code that the schema controls.
        let mut statement = connection
            .prepare_with_flags(sql, PrepFlags::SQLITE_PREPARE_NO_VTAB)
            .map_err(|cause| self.failed(cause))?;
        let refusal = if statement.column_count() == 0 || !statement.readonly() {
            Some("anything but SELECT")
        } else if statement.is_explain() > 0 {
            Some("EXPLAIN")
        } else {
            None
        };
        if let Some(what) = refusal {
            return Err(self.refused(what.to_owned()));
        }
        if statement.parameter_count() != parameters.len() {
            let cause = Error::InvalidParameterCount(parameters.len(), statement.parameter_count());
            return Err(self.failed(cause));
        }
        for (index, parameter) in parameters.iter().enumerate() {
            statement
                .raw_bind_parameter(index + 1, parameter)
                .map_err(|cause| self.failed(cause))?;
        }
        let columns = statement.column_names().map(str::to_owned).collect();
        open.insert(result, OpenResult::new(statement));
        Ok(Started { result, columns })
    }

    fn page(
        &mut self,
        open: &mut HashMap<u64, OpenResult<'_>>,
        result: u64,
        size: PageSize,
    ) -> Result<RowPage, DatabaseError> {
        let Some(found) = open.get_mut(&result) else {
            return Err(DatabaseError::Ended {
                path: self.source.clone(),
            });
        };
        let page = found.page(size, &self.limits, &mut self.left);
        if !matches!(page, Ok(RowPage { is_last: false, .. })) {
            open.remove(&result);
        }
        page.map_err(|error| match error {
            PageError::Limit { limit, allowed } => self.over(limit, allowed),
            PageError::Sqlite(cause) => self.failed(cause),
        })
    }

    /// Returns the answer if the database has not changed since the request.
    fn settle<T>(
        &self,
        answer: Result<T, DatabaseError>,
        open: &mut HashMap<u64, OpenResult<'_>>,
    ) -> Result<T, DatabaseError> {
        if matches!(answer, Err(DatabaseError::OverTime { .. })) {
            // An interrupt applies to all started statements until none is left.
            open.clear();
        }
        if let Some(watch) = &self.watch {
            watch.check()?;
        }
        answer
    }

    fn failed(&self, cause: Error) -> DatabaseError {
        if matches!(cause, Error::MultipleStatement) {
            return self.refused("more than one statement".to_owned());
        }
        if let Some(what) = self.gate.take_refusal() {
            return self.refused(what);
        }
        let is_interrupted = cause.sqlite_error_code() == Some(ErrorCode::OperationInterrupted);
        if is_interrupted && self.gate.is_out_of_steps() {
            return self.over("steps in one call", self.limits.steps);
        }
        DatabaseError::from_sqlite(&self.source, &self.limits, cause)
    }

    fn refused(&self, what: String) -> DatabaseError {
        DatabaseError::Refused {
            path: self.source.clone(),
            what,
        }
    }

    fn over(&self, limit: &'static str, allowed: u64) -> DatabaseError {
        DatabaseError::OverLimit {
            path: self.source.clone(),
            limit,
            allowed,
        }
    }
}
