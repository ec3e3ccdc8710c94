//! Plugins: lock, grants, manifest, and the look at a component before anything of it runs.

use std::collections::BTreeMap;
use std::sync::Arc;

use acreta_fs::faults::Recorder;
use acreta_plugin_registry::{Grant, Grants, Lock, Manifest, inspect, missing};
use camino::Utf8Path;

use crate::input::{Scratch, first, text_of};

/// A lock that was read is written so that it is read as the same.
pub fn plugin_lock(data: &[u8]) {
    let text = text_of(data);
    if let Ok(lock) = Lock::parse(Utf8Path::new("acreta.lock"), &text) {
        let written = lock.to_text();
        let again = Lock::parse(Utf8Path::new("acreta.lock"), &written);
        let again = again.unwrap_or_else(|error| panic!("{error}: {written}"));
        assert_eq!(again, lock);
        assert_eq!(again.to_text(), written);
    }
}

/// Setting and forgetting a grant leaves all others as they were, in a file that a person wrote by hand.
pub fn grants(data: &[u8]) {
    const PLUGIN: &str = "adapter-mine";
    let scratch = Scratch::new();
    let file = scratch.utf8().join("grants.toml");
    scratch.write("grants.toml", data);
    let load = || Grants::load_with(&file, Arc::new(Recorder::new()));
    let Ok(mut grants) = load() else { return };
    let others = |grants: &Grants| -> BTreeMap<String, Grant> {
        let entries = grants.iter().filter(|(id, _)| *id != PLUGIN);
        entries
            .map(|(id, grant)| (id.to_owned(), grant.clone()))
            .collect()
    };
    let before = others(&grants);
    let given = Grant {
        granted: true,
        roots: [("mine".to_owned(), "/srv/mine".into())].into(),
        ..Grant::default()
    };
    grants
        .set(PLUGIN, given.clone())
        .expect("a file that could be read");
    let again = load().expect("a file that was just written");
    assert_eq!(again.get(PLUGIN), Some(&given), "{:?}", text_of(data));
    assert_eq!(others(&again), before, "{:?}", text_of(data));
    grants.forget(PLUGIN).expect("a file that could be read");
    let again = load().expect("a file that was just written");
    assert_eq!(again.get(PLUGIN), None, "{:?}", text_of(data));
    assert!(!again.is_granted(PLUGIN, false));
    assert_eq!(others(&again), before, "{:?}", text_of(data));
}

/// A component and a manifest are accepted or refused. The first byte picks which of the two the rest is.
pub fn plugin(data: &[u8]) {
    let (pick, data) = first(data);
    if pick % 2 == 0 {
        let _ = inspect(data);
        return;
    }
    let text = text_of(data);
    if let Ok(manifest) = Manifest::parse(Utf8Path::new("plugin.toml"), &text) {
        let scratch = Scratch::new();
        let file = scratch.utf8().join("grants.toml");
        let grants = Grants::load(&file).expect("a file that is missing");
        missing(&manifest, &grants);
    }
}
