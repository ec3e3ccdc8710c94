//! Several versions of a crate cost everybody who builds. `.cargo/deny.toml` names those that cannot be helped, each
//! with who brings it; a further one fails here, and so does an entry that is no longer needed, or a crate that is banned.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;

#[test]
fn a_crate_has_one_version_unless_the_list_says_why() {
    let root = acreta_plugin_build::workspace_root();
    let lock = fs::read_to_string(root.join("Cargo.lock")).unwrap();
    let deny = fs::read_to_string(root.join(".cargo/deny.toml")).unwrap();
    let problems = problems(&lock, &deny);
    assert!(
        problems.is_empty(),
        "{}\nhint: `cargo tree --invert CRATE@VERSION --target all` says who brings a version; unify it with `cargo update \
         --precise`, or add it to `skip` in .cargo/deny.toml",
        problems.join("\n")
    );
}

#[test]
fn new_versions_and_old_entries_are_found() {
    let lock = "
        name = \"one\"
        version = \"1.0.0\"
        name = \"two\"
        version = \"1.0.0\"
        name = \"two\"
        version = \"2.0.0\"";
    let skip = |entry: &str| {
        format!(
            "multiple-versions = \"deny\"\nskip = [\n  {entry}\n]\ndeny = [\n  {{ crate = \"two@<1.0.0\" }},\n  {{ crate = \"gone\" }},\n]"
        )
    };
    let table = [
        ("{ crate = \"two@1.0.0\", reason = \"three\" },", vec![]),
        ("", vec!["two has several versions: 1.0.0, 2.0.0"]),
        (
            "{ crate = \"two@1.0.0\", reason = \"\" },",
            vec!["two@1.0.0 is skipped without a reason"],
        ),
        (
            "{ crate = \"two@1.0.0\", reason = \"three\" },\n{ crate = \"one@1.0.0\", reason = \"four\" },",
            vec!["one@1.0.0 is skipped and has one version"],
        ),
    ];
    for (entry, expected) in table {
        assert_eq!(problems(lock, &skip(entry)), expected, "{entry}");
    }
    let banned = skip("{ crate = \"two@1.0.0\", reason = \"three\" },").replace("gone", "one");
    assert_eq!(problems(lock, &banned), ["one is banned"]);
    let warned = skip("{ crate = \"two@1.0.0\", reason = \"three\" },").replace("deny\"", "warn\"");
    assert_eq!(problems(lock, &warned), ["multiple-versions is not `deny`"]);
}

fn problems(lock: &str, deny: &str) -> Vec<String> {
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut name = "";
    for line in lock.lines() {
        if let Some(value) = quoted(line, "name = ") {
            name = value;
        } else if let Some(version) = quoted(line, "version = ") {
            versions.entry(name).or_default().push(version);
        }
    }

    let mut problems = Vec::new();
    for line in list(deny, "deny") {
        if let Some(name) = quoted(line, "crate = ").filter(|name| versions.contains_key(name)) {
            problems.push(format!("{name} is banned"));
        }
    }
    versions.retain(|_, versions| versions.len() > 1);
    if !deny.contains("multiple-versions = \"deny\"") {
        problems.push("multiple-versions is not `deny`".to_owned());
    }
    let mut skipped = BTreeSet::new();
    for line in list(deny, "skip") {
        let Some(entry) = quoted(line, "crate = ") else {
            continue;
        };
        if quoted(line, "reason = ").is_none_or(str::is_empty) {
            problems.push(format!("{entry} is skipped without a reason"));
        }
        let (name, version) = entry.split_once('@').unwrap_or((entry, ""));
        let known = versions
            .get(name)
            .is_some_and(|known| known.contains(&version));
        if !known {
            problems.push(format!("{entry} is skipped and has one version"));
        }
        skipped.insert((name, version));
    }
    for (name, versions) in versions {
        let is_counted = |version: &&&str| !skipped.contains(&(name, **version));
        if versions.iter().filter(is_counted).count() > 1 {
            problems.push(format!(
                "{name} has several versions: {}",
                versions.join(", ")
            ));
        }
    }
    problems
}

/// Returns the lines of a list with one entry per line.
fn list<'a>(deny: &'a str, key: &str) -> impl Iterator<Item = &'a str> {
    let list = deny.split_once(&format!("\n{key} = [\n"));
    let list = list.map_or("", |(_, list)| list);
    list.lines().take_while(|line| !line.starts_with(']'))
}

/// Returns the string that follows a key in a line.
fn quoted<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (_, value) = line.split_once(key)?;
    value.strip_prefix('"')?.split('"').next()
}
