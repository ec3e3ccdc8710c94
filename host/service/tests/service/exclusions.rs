//! `connect exclude|include` and `connect add|remove`: what is read, and what is not.

use acreta_service::connect::permissions::{NewConnection, add, exclude, include, remove, roots};
use acreta_service::{Failure, Kind};
use camino::Utf8PathBuf;

use crate::world::{World, assert_fails};

#[test]
fn folders_are_excluded_once_and_included_again() {
    let world = World::new();
    let (one, two) = (world.path("project"), world.path("user"));
    // A folder, excluded or included, and the list of exclusions afterwards.
    let table: [(bool, &Utf8PathBuf, &[&Utf8PathBuf]); 6] = [
        (true, &one, &[&one]),
        (true, &one, &[&one]),
        (true, &two, &[&one, &two]),
        (false, &one, &[&two]),
        (true, &one, &[&two, &one]),
        (false, &two, &[&one]),
    ];
    for (excludes, folder, expected) in table {
        let context = world.context();
        let done = match excludes {
            true => exclude(folder, &context),
            false => include(folder, &context),
        };
        let done = done.unwrap();
        assert_eq!(&done.folder, folder);
        assert_eq!(done.excluded.iter().collect::<Vec<_>>(), expected);
        assert_eq!(done.archived, 0);
    }
    assert_fails(
        include(&two, &world.context()),
        Kind::Missing,
        "is not excluded",
    );
    // A folder that no longer exists is compared as it was written.
    let gone = world.path("nowhere");
    let done = exclude(&gone, &world.context()).unwrap();
    assert_eq!(done.excluded, [one.clone(), gone.clone()]);
    assert_eq!(include(&gone, &world.context()).unwrap().excluded, [one]);
}

#[test]
fn an_agent_is_read_until_it_is_removed() {
    let world = World::new();
    let folder = world.path("user");
    let granted = || -> Vec<bool> {
        let roots = roots(&world.context()).unwrap();
        let of_claude = roots
            .iter()
            .filter(|root| root.asked.adapter == "adapter-claude");
        of_claude.map(|root| root.granted).collect()
    };
    let connect = |agent: &str, root: Option<Utf8PathBuf>| {
        let agent = agent.to_owned();
        add(&NewConnection { agent, root }, &world.context())
    };
    let first = granted();
    assert!(!first.is_empty(), "the adapter asks for something");
    type Step<'a> = (&'a dyn Fn() -> Result<(), Failure>, bool);
    let steps: [Step<'_>; 3] = [
        (&|| remove(&world.context(), "claude"), false),
        (&|| connect("claude", None), true),
        (&|| remove(&world.context(), "claude"), false),
    ];
    for (step, expected) in steps {
        step().unwrap();
        assert!(granted().iter().all(|granted| *granted == expected));
    }
    let nowhere = connect("claude", Some(folder.join("nowhere")));
    assert_fails(nowhere, Kind::Usage, "nowhere");
    assert!(connect("nobody", None).is_err());
    assert!(remove(&world.context(), "nobody").is_err());
}
