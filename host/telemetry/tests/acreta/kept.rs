//! Rows stored in the state database, as a real process does it.

use std::sync::mpsc::{Sender, channel};

use acreta_state::{
    Catalog, CatalogError, CatalogOptions, EventFilter, EventKind, EventLevel, EventOrder, NewEvent,
};
use acreta_telemetry::{EventSink, Options, Row, SinkError};
use camino::Utf8PathBuf;
use tracing::{info, info_span, warn};

use crate::support::{LogFolder, NOW, options, run};

/// Opens the database with the first rows, so that a process that logs nothing does not touch it.
struct Keeper {
    path: Utf8PathBuf,
    /// Dropped with this sink, which tells the receiver that everything is written.
    _there: Sender<()>,
    catalog: Option<Catalog>,
    since_pruned: usize,
}

/// Number of rows between two deletions of old ones.
const PRUNED_EVERY: usize = 1_000;

impl Keeper {
    fn new(path: Utf8PathBuf, _there: Sender<()>) -> Self {
        Self {
            path,
            _there,
            catalog: None,
            since_pruned: PRUNED_EVERY,
        }
    }

    fn catalog(&mut self) -> Result<&Catalog, CatalogError> {
        let catalog = match self.catalog.take() {
            Some(catalog) => catalog,
            None => Catalog::open(&self.path, CatalogOptions::default())?,
        };
        Ok(self.catalog.insert(catalog))
    }
}

impl EventSink for Keeper {
    fn write(&mut self, rows: &[Row]) -> Result<(), SinkError> {
        let events: Vec<NewEvent> = rows.iter().map(event).collect();
        self.catalog()?.append_events(&events)?;
        self.since_pruned += rows.len();
        if let Some(last) = rows.last().filter(|_| self.since_pruned >= PRUNED_EVERY) {
            self.since_pruned = 0;
            self.catalog()?.prune_events(last.at_ms)?;
        }
        Ok(())
    }
}

fn event(row: &Row) -> NewEvent {
    NewEvent {
        at_ms: row.at_ms,
        level: EventLevel::named(row.level).unwrap_or(EventLevel::Info),
        kind: EventKind::named(row.kind).unwrap_or(EventKind::Event),
        name: row.name.clone(),
        run_id: row.run_id.clone(),
        request_id: row.request_id.clone(),
        project: row.project.as_deref().map(Utf8PathBuf::from),
        fields: row.fields.clone(),
    }
}

/// Logs into a database and waits until all rows are written.
fn keep(path: Utf8PathBuf, work: impl FnOnce()) {
    let (there, is_there) = channel();
    let options = Options {
        events: Some(Box::new(Keeper::new(path, there))),
        ..options()
    };
    run(options, work);
    assert!(is_there.recv().is_err());
}

#[test]
fn rows_of_several_processes_are_kept_in_one_database() {
    let place = LogFolder::new();
    let path = place.path("state.db");
    let old = NewEvent {
        at_ms: 0,
        level: EventLevel::Info,
        kind: EventKind::Event,
        name: "long ago".to_owned(),
        run_id: None,
        request_id: None,
        project: None,
        fields: Default::default(),
    };
    let catalog = Catalog::open(&path, CatalogOptions::default()).unwrap();
    catalog.append_events(&[old]).unwrap();

    std::thread::scope(|scope| {
        for number in 0..3 {
            let path = path.clone();
            scope.spawn(move || {
                keep(path, || {
                    let run = info_span!("run", run_id = format!("sync-{number}"), project = "/p");
                    run.in_scope(|| warn!(count = number, "said"));
                });
            });
        }
    });
    for number in 0..3 {
        let filter = EventFilter {
            run_id: Some(format!("sync-{number}")),
            ..EventFilter::default()
        };
        let events = catalog.events(&filter).unwrap();
        let told: Vec<_> = events
            .iter()
            .map(|one| (one.event.kind, one.event.level, one.event.name.as_str()))
            .collect();
        assert_eq!(
            told,
            [
                (EventKind::Begin, EventLevel::Info, "run"),
                (EventKind::Event, EventLevel::Warn, "log"),
                (EventKind::End, EventLevel::Info, "run"),
            ]
        );
        assert_eq!(events[1].event.fields["count"], number);
        assert_eq!(events[1].event.project.as_deref(), Some("/p".into()));
        assert!(events.iter().all(|one| one.event.at_ms >= NOW));
    }
    let all = catalog.events(&EventFilter::default()).unwrap();
    assert_eq!(all.len(), 9, "what is too old went");
    let newest = EventFilter {
        order: EventOrder::NewestFirst,
        limit: Some(1),
        ..EventFilter::default()
    };
    assert_eq!(catalog.events(&newest).unwrap().first(), all.last());
    assert_eq!(catalog.last_event().unwrap().as_ref(), all.last());
}

#[test]
fn a_database_that_is_not_needed_is_not_made() {
    let place = LogFolder::new();
    keep(place.path("quiet.db"), || {});
    assert!(!place.path("quiet.db").exists());
    keep(place.path("used.db"), || info!("said"));
    assert!(place.path("used.db").exists());
}
