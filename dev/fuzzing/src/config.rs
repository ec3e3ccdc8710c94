//! Settings: a file of the user's or of a project's, a variable, and editing a file that a person wrote.

use acreta_config::{Config, KEYS, KeyEntry, Origin, SetBy, Sources, set, unset, variable_of};

use crate::input::{Scratch, first, text_of};

/// No file of a project sets what only the user may, and editing one key changes no other.
pub fn config(data: &[u8]) {
    let (pick, data) = first(data);
    let scratch = Scratch::new();
    let entry = &KEYS[pick % KEYS.len()];
    scratch.write("config.toml", data);
    let file = scratch.utf8().join("config.toml");
    for is_trusted in [false, true] {
        let sources = Sources {
            project_file: Some(file.clone()),
            project_trusted: is_trusted,
            ..Sources::default()
        };
        let Ok((config, _)) = Config::load(&sources) else {
            continue;
        };
        let most = if is_trusted {
            SetBy::TrustedProject
        } else {
            SetBy::Project
        };
        for set in config.entries() {
            let by = KeyEntry::of(&set.path).map(|entry| entry.set_by().0);
            let may = by.is_some_and(|by| by <= most);
            assert!(may || set.origin == Origin::Builtin, "{set:?}");
        }
    }
    let text = text_of(data).replace('\0', "");
    let sources = Sources {
        environment: [(variable_of(entry.path), text.clone())]
            .into_iter()
            .collect(),
        flags: vec![(entry.path.to_owned(), text)],
        ..Sources::default()
    };
    Config::load(&sources).expect("neither is a file");

    let user = || {
        let sources = Sources {
            user_file: Some(file.clone()),
            ..Sources::default()
        };
        Config::load(&sources).map(|(config, warnings)| {
            let mut entries = config.entries();
            entries.retain(|set| set.path != entry.path);
            (entries, warnings.len(), config.get(entry.path).cloned())
        })
    };
    let Ok((before, ..)) = user() else { return };
    let Some(value) = user_value(entry) else {
        return;
    };
    let Ok(given) = set(&file, entry.path, value) else {
        return;
    };
    let (after, _, found) = user().expect("a file that was just written");
    assert_eq!(found, Some(given), "{:?}", text_of(data));
    assert_eq!(after, before, "{:?}", text_of(data));
    assert!(unset(&file, entry.path).expect("a file that was just written"));
    let (after, ..) = user().expect("a file that was just written");
    assert_eq!(after, before, "{:?}", text_of(data));
}

/// Returns a text that the setting takes, if a simple one does.
fn user_value(entry: &KeyEntry) -> Option<&'static str> {
    let scratch = Scratch::new();
    let file = scratch.utf8().join("config.toml");
    let values = ["true", "1", "0.5", "text", "10m", "https://a.example"];
    values
        .into_iter()
        .find(|value| set(&file, entry.path, value).is_ok())
}
