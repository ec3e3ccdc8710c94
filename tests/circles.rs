//! Files of one crate must not import each other in a cycle, so that each can be read with only the modules below it. A
//! module may use its parent, and everything may use what the crate's root re-exports.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::support::imports::{Mention, Mentions};

/// The parts of a module's path; empty for the crate's root.
type Module = Vec<String>;

/// The mentions of each file of a crate.
type Crate = BTreeMap<Module, Vec<Mention>>;

/// The names by which one file depends on another.
type Ties = BTreeMap<(Module, Module), BTreeSet<String>>;

/// A name, files with their texts, and whether they form a cycle.
type Case<'a> = (&'a str, &'a [(&'a str, &'a str)], bool);

#[test]
fn files_of_a_crate_do_not_import_each_other_in_a_circle() {
    let root = acreta_plugin_build::workspace_root();
    let mut crates: Vec<PathBuf> = vec!["sdk/rust".into()];
    for folder in ["dev", "host", "plugins"] {
        for entry in fs::read_dir(root.join(folder)).unwrap() {
            let path = entry.unwrap().path();
            crates.push(path.strip_prefix(&root).unwrap().to_owned());
        }
    }
    crates.retain(|path| root.join(path).join("src").is_dir());
    crates.sort();
    assert!(crates.len() > 40, "{crates:?}");

    let mut problems = String::new();
    for path in crates {
        let name = path.to_str().unwrap().replace('\\', "/");
        let circles = circles(&read(&root.join(&path).join("src")));
        for circle in circles {
            problems.push_str(&format!("{name}:\n{circle}"));
        }
    }
    assert!(problems.is_empty(), "\n{problems}");
}

#[test]
fn circles_are_found_by_every_way_to_name_a_file() {
    let circle: &[(&str, &str)] = &[("a", "use crate::b::B;")];
    let cases: &[Case<'_>] = &[
        ("imported", &[("b", "use crate::a::A;")], true),
        (
            "in a group",
            &[("b", "use crate::{c, a::{self, A as Other}};")],
            true,
        ),
        ("by the parent", &[("b", "use super::a::A;")], true),
        ("named inline", &[("b", "fn b() { crate::a::a() }")], true),
        (
            "by the root",
            &[("", "pub use a::A;"), ("b", "use crate::A;")],
            true,
        ),
        (
            "by a name of the root",
            &[("", "pub use a::A as C;"), ("b", "use crate::C;")],
            true,
        ),
        (
            "over a third",
            &[("b", "use crate::c::C;"), ("c", "use crate::a::A;")],
            true,
        ),
        (
            "of an inline module",
            &[("b", "mod d { use super::super::a::A; }")],
            true,
        ),
        (
            "by the parent's own import",
            &[
                ("a", "use crate::b::c::C;"),
                ("b", "mod c; use crate::a::A;"),
                ("b/c", "use super::A;"),
            ],
            true,
        ),
        ("one way", &[("b", "use std::fmt;")], false),
        (
            "in a comment",
            &[("b", "// use crate::a::A;\n/* use crate::a::A; */")],
            false,
        ),
        (
            "in a text",
            &[(
                "b",
                r##"const B: &str = "crate::a::A"; const C: &str = r#"crate::a::A"#;"##,
            )],
            false,
        ),
        (
            "in tests",
            &[("b", "#[cfg(test)]\nmod tests { use crate::a::A; }")],
            false,
        ),
        (
            "in a file of tests",
            &[("b", "#[cfg(test)]\nmod d;"), ("b/d", "use crate::a::A;")],
            false,
        ),
        (
            "what the parent has",
            &[("b", "mod c; use c::C;"), ("b/c", "use super::B;")],
            false,
        ),
    ];
    for (case, files, expected) in cases {
        let files = circle.iter().chain(*files);
        let found = circles(&parsed(files.map(|(path, text)| {
            let words = path.split('/').filter(|word| !word.is_empty());
            (words.map(str::to_owned).collect(), (*text).to_owned())
        })));
        assert_eq!(!found.is_empty(), *expected, "{case}: {found:?}");
    }
}

/// Reads the sources below a folder.
fn read(source: &Path) -> Crate {
    let mut texts: BTreeMap<Module, String> = BTreeMap::new();
    let mut folders = vec![source.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let relative = path.strip_prefix(source).unwrap().with_extension("");
            let words = relative
                .iter()
                .map(|word| word.to_str().unwrap().to_owned());
            let mut module: Module = words.collect();
            let is_root = module.len() == 1 && ["lib", "main"].contains(&module[0].as_str());
            if is_root || module.last().is_some_and(|last| last == "mod") {
                module.pop();
            }
            let text = fs::read_to_string(&path).unwrap();
            texts.entry(module).or_default().push_str(&text);
        }
    }
    parsed(texts.into_iter())
}

fn parsed(texts: impl Iterator<Item = (Module, String)>) -> Crate {
    let mut files = Crate::new();
    let mut of_tests: Vec<Module> = Vec::new();
    for (module, text) in texts {
        let mentions = Mentions::of(&text);
        let below = mentions.test_modules.into_iter();
        of_tests.extend(below.map(|name| [module.as_slice(), &[name]].concat()));
        files.insert(module, mentions.all);
    }
    files.retain(|module, _| !of_tests.iter().any(|test| module.starts_with(test)));
    files
}

/// Returns every cycle, with the names that cause it.
fn circles(files: &Crate) -> Vec<String> {
    let ties = ties(files);
    let mut next: BTreeMap<&Module, Vec<&Module>> = BTreeMap::new();
    for (from, to) in ties.keys() {
        next.entry(from).or_default().push(to);
    }
    let mut reached: BTreeMap<&Module, BTreeSet<&Module>> = BTreeMap::new();
    for module in files.keys() {
        let seen = reached.entry(module).or_default();
        let mut waiting = vec![module];
        while let Some(from) = waiting.pop() {
            let next = next.get(from).into_iter().flatten();
            waiting.extend(next.filter(|to| seen.insert(**to)));
        }
    }
    let mut circles = BTreeSet::new();
    for (module, seen) in &reached {
        if seen.contains(module) {
            let back = |other: &&&Module| reached[**other].contains(module);
            circles.insert(seen.iter().filter(back).copied().collect::<Vec<_>>());
        }
    }
    let shown = circles.iter().map(|circle| {
        let within = |(from, to): &(Module, Module)| circle.contains(&from) && circle.contains(&to);
        let ties = ties.iter().filter(|(pair, _)| within(pair));
        ties.map(|((from, to), names)| {
            let names: Vec<&str> = names.iter().map(String::as_str).collect();
            let (from, to, names) = (from.join("/"), to.join("/"), names.join(", "));
            format!("    {from} -> {to}: {names}\n")
        })
        .collect()
    });
    shown.collect()
}

fn ties(files: &Crate) -> Ties {
    let mut imported: BTreeMap<(&Module, &str), Module> = BTreeMap::new();
    for (module, mentions) in files {
        for mention in mentions {
            if let (Some(name), Some((target, _))) =
                (&mention.known_as, meant(files, module, mention))
                && target != *module
            {
                imported.insert((module, name), target);
            }
        }
    }
    let mut ties = Ties::new();
    for (module, mentions) in files {
        for mention in mentions {
            let Some((mut target, name)) = meant(files, module, mention) else {
                continue;
            };
            let mut seen = BTreeSet::new();
            while let Some(further) = imported.get(&(&target, name.as_str()))
                && seen.insert(target.clone())
            {
                target = further.clone();
            }
            if !module.starts_with(&target) {
                ties.entry((module.clone(), target))
                    .or_default()
                    .insert(name);
            }
        }
    }
    ties
}

/// Returns the file that a path leads to, and the name that is used there.
fn meant(files: &Crate, module: &Module, mention: &Mention) -> Option<(Module, String)> {
    let mut place = [module.as_slice(), &mention.inside].concat();
    let mut words = mention.path.as_slice();
    match words.first()?.as_str() {
        "crate" => {
            place.clear();
            words = &words[1..];
        }
        "self" => words = &words[1..],
        "super" => {
            while words.first().is_some_and(|word| word == "super") {
                place.pop();
                words = &words[1..];
            }
        }
        child => {
            place.push(child.to_owned());
            if !files.contains_key(&place) {
                return None;
            }
            words = &words[1..];
        }
    }
    place.extend_from_slice(words);
    let length = (0..=place.len())
        .rev()
        .find(|length| files.contains_key(&place[..*length]))?;
    let name = place
        .get(length)
        .cloned()
        .unwrap_or_else(|| "the module".to_owned());
    place.truncate(length);
    Some((place, name))
}
