//! Power failures and disk errors at every step of installing, updating, granting and removing: folder, lock and grants
//! are all old or all new, never mixed.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use acreta_fs::Faults;
use acreta_fs::faults::{Crash, Errno, Failure, Image, Recorded, Recorder, Times};
use acreta_plugin_registry::{Library, SignaturePolicy};
use camino::Utf8PathBuf;

use crate::support::{NOW, PluginHome, YES, component, fetched, id, judged, manifest};

pub(crate) type Files = BTreeMap<Utf8PathBuf, Vec<u8>>;
type Prepare = fn(&PluginHome);
type Act = fn(&PluginHome, &Library) -> bool;

pub(crate) const MINE: &str = "adapter-mine";

/// Prepares a plugin that is not installed yet.
fn fresh(home: &PluginHome) {
    home.write(
        "own/grants.toml",
        "# a person's own\n\n[adapter-claude]\ngranted = false\n",
    );
    home.tree("tree", &manifest(""), &component("adapter", "1"));
}

/// Prepares an installed plugin, and a newer one that asks for more and is not signed.
pub(crate) fn newer(home: &PluginHome) {
    fresh(home);
    home.write(
        "tree/mine.wasm.minisig",
        crate::signatures::signer().1(&component("adapter", "1")),
    );
    home.install(home.root.join("tree").as_str());
    #[expect(clippy::disallowed_methods, reason = "a test takes a file away")]
    std::fs::remove_file(home.root.join("tree/mine.wasm.minisig")).unwrap();
    let grown = manifest("")
        .replace("1.2.0", "1.3.0")
        .replace("~/.mine/sessions", "~/.mine");
    home.tree("tree", &grown, &component("adapter", "2"));
}

pub(crate) fn install(home: &PluginHome, library: &Library) -> bool {
    let fetched = fetched(home.root.join("tree").as_str()).unwrap();
    let signatures = SignaturePolicy::default();
    let plan = judged(&home.root, &signatures, |rules| {
        library.plan(fetched, rules)
    });
    plan.is_ok_and(|plan| library.install(plan, YES, NOW).is_ok())
}

fn remove(_: &PluginHome, library: &Library) -> bool {
    library.remove(&id(MINE)).is_ok()
}

fn revoke(_: &PluginHome, library: &Library) -> bool {
    library.revoke(&id(MINE)).is_ok()
}

const CASES: [(&str, Prepare, Act); 4] = [
    ("install", fresh, install),
    ("update", newer, install),
    ("remove", newer, remove),
    ("revoke", newer, revoke),
];

/// Returns acreta's state of plugins, without temporary files.
pub(crate) fn state(image: &Image) -> Files {
    let own = image.files().into_iter().filter(|(path, _)| {
        let name = path.file_name().unwrap_or_default();
        path.starts_with("own") && name != ".lock" && !name.ends_with(".tmp")
    });
    own.map(|(path, bytes)| (path.to_owned(), bytes.to_vec()))
        .collect()
}

pub(crate) fn state_of(home: &PluginHome) -> Files {
    state(&Image::read(&home.root).unwrap())
}

/// Opens a disk as the next process finds it.
fn recovered(image: &Image) -> Files {
    let home = PluginHome::new();
    image.write(&home.root).unwrap();
    let library = home.library_with(Arc::new(Recorder::new()));
    let files = state_of(&home);
    // Whatever was left, the library still works.
    let _ = library.remove(&id(MINE));
    assert!(
        state_of(&home)
            .keys()
            .all(|path| !path.as_str().contains(MINE))
    );
    files
}

/// Removes the staged files that a crash during an undecided change leaves.
pub(crate) fn settled(mut files: Files) -> Files {
    files.retain(|path, _| !path.as_str().contains(".commit"));
    files
}

#[test]
fn a_crash_at_any_step_leaves_old_or_new() {
    for (name, prepare, act) in CASES {
        let home = PluginHome::new();
        prepare(&home);
        let before = Image::read(&home.root).unwrap();
        let recorder = Arc::new(Recorder::new());
        let library = home.library_with(Arc::clone(&recorder) as Arc<dyn Faults>);
        assert!(act(&home, &library), "{name}");
        let (old, new) = (state(&before), state_of(&home));
        assert_ne!(old, new, "{name}");
        assert!(
            new.keys().all(|path| !path.as_str().contains(".commit")),
            "{name}"
        );

        let log: Vec<Recorded> = recorder.log();
        let (mut olds, mut news, mut decided) = (0, 0, false);
        let mut seen: HashMap<Image, Files> = HashMap::new();
        for length in 0..=log.len() {
            let mut all_new = true;
            for image in Crash::after(&before, &home.root, &log[..length]).images(2) {
                let files = seen
                    .entry(image)
                    .or_insert_with_key(|image| settled(recovered(image)));
                if *files == new {
                    news += 1;
                } else {
                    assert_eq!(*files, old, "{name}: mixed after {length} operations");
                    olds += 1;
                    all_new = false;
                }
            }
            assert!(
                all_new || !decided,
                "{name}: undone after {length} operations"
            );
            decided = all_new;
        }
        assert!(decided && olds > 0 && news > 0, "{name}");
        println!(
            "{name}: {} crash points, {} disks: {olds} old, {news} new, 0 mixed",
            log.len() + 1,
            olds + news
        );
    }
}

#[test]
fn a_disk_that_fails_at_any_step_leaves_old_or_new() {
    for (name, prepare, act) in CASES {
        let first = PluginHome::new();
        prepare(&first);
        let start = Image::read(&first.root).unwrap();
        let old = state(&start);
        for errno in [Errno::NoSpace, Errno::InputOutput] {
            for times in [Times::Once, Times::Always] {
                let mut failures = 0;
                for nth in 0.. {
                    let home = PluginHome::new();
                    start.write(&home.root).unwrap();
                    let failure = Failure {
                        kind: None,
                        nth,
                        errno,
                        times,
                    };
                    let recorder = Arc::new(Recorder::failing(failure));
                    let done = act(
                        &home,
                        &home.library_with(Arc::clone(&recorder) as Arc<dyn Faults>),
                    );
                    home.library();
                    let files = settled(state_of(&home));
                    if recorder.failed() == 0 {
                        assert!(done && files != old, "{name}");
                        break;
                    }
                    failures += 1;
                    // A failed change may have been decided, and the next process then finishes it.
                    if files != old {
                        assert!(
                            is_new(name, &home, &files),
                            "{name}: mixed at {nth}, {errno:?}"
                        );
                    }
                    assert!(
                        !done || files != old,
                        "{name}: said to be done at {nth}, {errno:?}"
                    );
                }
                assert!(failures > 5, "{name}");
            }
        }
    }
}

/// Returns true if the state is that after the change.
fn is_new(case: &str, home: &PluginHome, files: &Files) -> bool {
    let library = home.library();
    let loaded = library.load(&id(MINE), &SignaturePolicy::default());
    let grant = library.grants().unwrap().get(MINE).cloned();
    let signature = Utf8PathBuf::from("own/plugins/adapter-mine/component.wasm.minisig");
    match case {
        "install" => loaded.is_ok() && grant.is_some_and(|grant| grant.granted),
        "update" => {
            let version = loaded.map(|loaded| loaded.manifest.version.to_string());
            let granted = grant.is_some_and(|grant| grant.given.reads["mine"] == ["~/.mine"]);
            version.is_ok_and(|version| version == "1.3.0")
                && granted
                && !files.contains_key(&signature)
        }
        "remove" => {
            loaded.is_err() && grant.is_none() && library.lock().unwrap().plugins.is_empty()
        }
        _ => {
            let locked = library.lock().unwrap().plugins[&id(MINE)]
                .granted
                .is_empty();
            loaded.is_ok() && locked && grant.is_some_and(|grant| !grant.granted)
        }
    }
}

#[test]
fn grants_that_a_person_edited_meanwhile_are_not_overwritten() {
    let home = PluginHome::new();
    fresh(&home);
    let before = Image::read(&home.root).unwrap();
    let recorder = Arc::new(Recorder::new());
    let library = home.library_with(Arc::clone(&recorder) as Arc<dyn Faults>);
    assert!(install(&home, &library));
    let log = recorder.log();
    // The journal was just renamed.
    let decided = log
        .iter()
        .position(|done| {
            done.to
                .as_ref()
                .is_some_and(|to| to.ends_with("journal.json"))
        })
        .unwrap();
    let mut image = Crash::after(&before, &home.root, &log[..=decided + 1])
        .image(|_| acreta_fs::faults::Kept::Whole);
    let edited = b"# edited by hand\n".to_vec();
    image.nodes.insert(
        "own/grants.toml".into(),
        acreta_fs::faults::Node::File(edited.clone()),
    );

    let next = PluginHome::new();
    image.write(&next.root).unwrap();
    let library = next.library();
    assert_eq!(next.text("own/grants.toml").into_bytes(), edited);
    let manifest = library
        .load(&id(MINE), &SignaturePolicy::default())
        .unwrap()
        .manifest;
    let refused = acreta_plugin_registry::require(&manifest, &library.grants().unwrap());
    assert_eq!(refused.unwrap_err().missing.len(), 1);
}
