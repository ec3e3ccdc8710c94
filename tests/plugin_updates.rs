//! Hostile updates in one table: what the source of an installed plugin may turn into, and what becomes of it.

use std::path::Path;

use crate::plugin_life::{ID, MORE, built, manifest};
use crate::support::Project;
use crate::support::registry::Registry;

/// What the source of an installed plugin has now, and what an update makes of it.
struct HostileUpdate {
    name: &'static str,
    place: UpdatePlace,
    component: Vec<u8>,
    /// The reason why it is not installed unseen.
    says: &'static str,
    /// What a person has to type to get it nevertheless.
    accepted_by: &'static [&'static str],
}

enum UpdatePlace {
    File,
    /// A folder, with this manifest beside the component.
    Folder(String),
    /// A tag in a registry, which is moved.
    Tag,
}

/// Puts the source of a case in place; `is_first` is the version that a person installs. Returns its name, or `None` if
/// this machine has no registry.
fn publish(
    project: &Project,
    registry: Option<&Registry>,
    case: &HostileUpdate,
    is_first: bool,
) -> Option<String> {
    let first = built("0.2.0", "");
    let component = if is_first { &first } else { &case.component };
    let file = project.write("mine/mine.wasm", component);
    let path = |path: &Path| path.to_str().unwrap().to_owned();
    match &case.place {
        UpdatePlace::File => Some(path(&file)),
        UpdatePlace::Folder(beside) => {
            let manifest = if is_first {
                manifest("0.2.0", "")
            } else {
                beside.clone()
            };
            project.write("mine/plugin.toml", manifest.as_bytes());
            Some(path(file.parent().unwrap()))
        }
        UpdatePlace::Tag => {
            let tag = registry?.reference("mine:0.2.0");
            let push = ["plugin", "push", &path(&file), &tag, "--replace"];
            project.acreta(&push).succeeded();
            Some(tag)
        }
    }
}

/// Each is refused to a script, by name; a person is asked, or cannot have it at all. Nothing is ever granted by it.
#[test]
fn hostile_updates_are_refused_or_asked() {
    let file = |name, component, says, accepted_by| HostileUpdate {
        name,
        place: UpdatePlace::File,
        component,
        says,
        accepted_by,
    };
    let homepage = "homepage = \"https://example.org\"";
    let mut relicensed = built("0.3.0", "");
    let licenses = relicensed
        .windows(11)
        .position(|window| window == b"licensesMIT");
    relicensed[licenses.unwrap() + 8..][..3].copy_from_slice(b"BSD");
    let cases = [
        file(
            "more rights",
            built("0.3.0", MORE),
            "asks to use",
            &["--confirm"],
        ),
        file(
            "another digest",
            built("0.2.0", homepage),
            "both under version 0.2.0",
            &["--confirm"],
        ),
        file(
            "an older version",
            built("0.1.0", ""),
            "has an older version",
            &["--confirm", "--older"],
        ),
        file(
            "metadata that its manifest contradicts",
            relicensed,
            "differ in licenses",
            &[],
        ),
        file(
            "another plugin",
            renamed(&built("0.3.0", "")),
            "is the plugin `evil` now",
            &[],
        ),
        HostileUpdate {
            name: "a manifest that its section contradicts",
            place: UpdatePlace::Folder(manifest("0.3.0", homepage)),
            component: built("0.3.0", ""),
            says: "differ in homepage",
            accepted_by: &[],
        },
        HostileUpdate {
            name: "a replaced tag",
            place: UpdatePlace::Tag,
            component: built("0.2.0", homepage),
            says: "the tag was moved",
            accepted_by: &["--confirm"],
        },
    ];
    let registry = Registry::start(false);
    for case in cases {
        let (name, project) = (case.name, Project::new());
        let Some(source) = publish(&project, registry.as_ref(), &case, true) else {
            continue;
        };
        let install = ["plugin", "install", &source, "--yes", "--grant"];
        project.acreta(&install).succeeded();
        let installed = || {
            ["acreta.lock", "grants.toml", "plugins/mine/component.wasm"]
                .map(|file| std::fs::read(project.home().join(file)).ok())
        };
        let before = installed();
        assert_eq!(
            before[2].as_deref(),
            Some(&built("0.2.0", "")[..]),
            "{name}"
        );
        publish(&project, registry.as_ref(), &case, false);
        let update = ["plugin", "update", ID];
        let unasked = [&update[..], &["--yes"]].concat();
        project.acreta(&unasked).failed(1, case.says);
        assert_eq!(installed(), before, "{name}");
        // Whoever only agrees to what is usual does not get an older version, either.
        if case.accepted_by != ["--confirm"] {
            let confirmed = [&update[..], &["--confirm"]].concat();
            project.acreta(&confirmed).failed(1, case.says);
            assert_eq!(installed(), before, "{name}");
        }
        if !case.accepted_by.is_empty() {
            let accepted = [&update[..], case.accepted_by].concat();
            project.acreta(&accepted).succeeded();
            let after = installed();
            assert_ne!(after[2], before[2], "{name}");
            assert_eq!(after[1], before[1], "{name}: nothing is granted");
        }
    }
}

/// Gives a component another id of the same length.
fn renamed(component: &[u8]) -> Vec<u8> {
    let mut renamed = component.to_vec();
    let id = b"id = \"mine\"";
    let place = renamed.windows(id.len()).position(|window| window == id);
    renamed[place.unwrap()..][..id.len()].copy_from_slice(b"id = \"evil\"");
    renamed
}
