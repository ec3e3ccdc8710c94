//! Tests of the dashboard's files: all are served, none needs what the content security policy forbids, and colours
//! have enough contrast.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use acreta_server::dashboard::asset;
use acreta_types::MEMORY_TYPES;

const ASSETS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/assets");

fn on_disk(folder: &Path, found: &mut BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            on_disk(&path, found);
        } else {
            let name = path.strip_prefix(ASSETS).unwrap();
            found.insert(name.to_str().unwrap().replace('\\', "/"));
        }
    }
}

/// Returns the names of all files. No other file can be served, because the table is generated from them at compile
/// time.
fn names() -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    on_disk(Path::new(ASSETS), &mut found);
    found
}

fn text(name: &str) -> String {
    let bytes = asset(name).unwrap().bytes;
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn every_setting_has_a_group_on_its_page() {
    let page = text("js/pages/settings.js");
    for entry in acreta_config::KEYS {
        let first = entry.path.split('.').next().unwrap();
        assert!(page.contains(&format!("\n  {first}: \"")), "{}", entry.path);
    }
}

#[test]
fn every_file_is_given_and_nothing_else() {
    for name in names() {
        let bytes = std::fs::read(Path::new(ASSETS).join(&name)).unwrap();
        assert_eq!(
            asset(&name).map(|asset| asset.bytes),
            Some(&bytes[..]),
            "{name}"
        );
    }

    let page = asset("/").unwrap();
    assert_eq!(page, asset("index.html").unwrap());
    assert_eq!(page.content_type, "text/html; charset=utf-8");
    let types = [
        ("/style.css", "text/css; charset=utf-8"),
        ("/js/main.js", "text/javascript; charset=utf-8"),
        ("/icon.svg", "image/svg+xml"),
    ];
    for (path, content_type) in types {
        assert_eq!(asset(path).unwrap().content_type, content_type, "{path}");
    }
    for path in [
        "/../Cargo.toml",
        "//",
        "/js",
        "/js/",
        "/JS/main.js",
        "/js/main.js/",
        "/js/%6dain.js",
        "/index.html\0",
    ] {
        assert_eq!(asset(path), None, "{path}");
    }
}

#[test]
fn an_etag_stands_for_the_bytes() {
    let tags: BTreeSet<String> = names()
        .iter()
        .map(|name| asset(name).unwrap().etag)
        .collect();
    assert_eq!(tags.len(), names().len());
    for tag in tags {
        assert!(
            tag.len() == 18 && tag.starts_with('"') && tag.ends_with('"'),
            "{tag}"
        );
    }
}

#[test]
fn nothing_runs_inline_or_comes_from_elsewhere() {
    let forbidden = [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "srcdoc",
        "cssText",
        "setAttribute(\"style\"",
        "@import",
        "javascript:",
    ];
    for name in names() {
        let text = text(&name);
        for word in forbidden {
            assert!(!text.contains(word), "{name} has {word}");
        }
        let elsewhere = text.replace("http://www.w3.org/2000/svg", "");
        assert!(!elsewhere.contains("://"), "{name} names another place");
    }
    let page = text("index.html");
    assert!(
        !page.contains(" style=") && !page.contains("<style") && !page.contains(" on"),
        "{page}"
    );
    for script in page.split("<script").skip(1) {
        let (opening, rest) = script.split_once('>').unwrap();
        assert!(opening.contains("src=\"/js/"), "{opening}");
        assert!(rest.starts_with("</script>"), "{rest}");
    }
}

/// Modules import only files that exist.
#[test]
fn imports_lead_to_files() {
    for name in names().iter().filter(|name| name.ends_with(".js")) {
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let source = text(name);
        let imported = source
            .split("from \"")
            .skip(1)
            .chain(source.split("import(\"").skip(1));
        for import in imported.map(|rest| rest.split('"').next().unwrap()) {
            let mut parts: Vec<&str> = folder.split('/').collect();
            for part in import.split('/') {
                match part {
                    "." => {}
                    ".." => drop(parts.pop()),
                    part => parts.push(part),
                }
            }
            assert!(asset(&parts.join("/")).is_some(), "{name} imports {import}");
        }
    }
}

/// The registry defines types and kinds; the list in the browser must match it.
#[test]
fn types_and_kinds_are_those_of_the_registry() {
    let source = text("js/types.js");
    let listed = |name: &str| -> Vec<String> {
        let (_, rest) = source.split_once(&format!("const {name} = [")).unwrap();
        let (list, _) = rest.split_once(']').unwrap();
        let words = list.split(',').map(|word| word.trim().trim_matches('"'));
        words.map(str::to_owned).collect()
    };
    let types: Vec<&str> = MEMORY_TYPES.iter().map(|entry| entry.name).collect();
    let kinds: Vec<&str> = MEMORY_TYPES
        .iter()
        .flat_map(|entry| entry.kinds)
        .copied()
        .collect();
    assert_eq!(listed("TYPES"), types);
    assert_eq!(listed("KINDS"), kinds);
}

/// Text has a contrast of at least 4.5 to 1 on every background it is used on, graphics at least 3 to 1 on a panel.
#[test]
fn colours_can_be_read_in_light_and_dark() {
    let colours = palette(&text("style.css"));
    let grounds = ["ground", "surface", "raised", "sunken"];
    let mut pairs: Vec<(&str, &str, f64)> = Vec::new();
    for ground in grounds {
        pairs.extend(
            ["text", "muted", "accent", "bad", "warn", "good"].map(|ink| (ink, ground, 4.5)),
        );
    }
    for own in ["accent", "good", "warn", "bad"] {
        let ground: &'static str = match own {
            "accent" => "accent-ground",
            "good" => "good-ground",
            "warn" => "warn-ground",
            _ => "bad-ground",
        };
        pairs.extend([(own, ground, 4.5), ("text", ground, 4.5)]);
    }
    pairs.extend([
        ("muted", "accent-ground", 4.5),
        ("on-accent", "accent", 4.5),
        ("text", "mark", 4.5),
    ]);
    pairs.extend(
        ["tone-1", "tone-2", "tone-3", "tone-4", "tone-5", "tone-6"]
            .map(|tone| (tone, "surface", 3.0)),
    );
    for theme in [0, 1] {
        for (ink, ground, least) in &pairs {
            let contrast = contrast(colours[*ink][theme], colours[*ground][theme]);
            let name = ["light", "dark"][theme];
            assert!(
                contrast >= *least,
                "{ink} on {ground}, {name}: {contrast:.2}"
            );
        }
    }
}

/// Parses `--name: light-dark(#rrggbb, #rrggbb);` by name.
fn palette(style: &str) -> BTreeMap<String, [[u8; 3]; 2]> {
    let line = |line: &str| {
        let (name, rest) = line
            .trim()
            .strip_prefix("--")?
            .split_once(": light-dark(#")?;
        let (light, dark) = rest.split_once(", #")?;
        Some((name.to_owned(), [channels(light)?, channels(dark)?]))
    };
    style.lines().filter_map(line).collect()
}

fn channels(hex: &str) -> Option<[u8; 3]> {
    let channel = |at: usize| u8::from_str_radix(hex.get(at..at + 2)?, 16).ok();
    Some([channel(0)?, channel(2)?, channel(4)?])
}

/// Computed as in WCAG 2.
fn contrast(left: [u8; 3], right: [u8; 3]) -> f64 {
    let luminance = |colour: [u8; 3]| {
        let linear = colour.map(|channel| {
            let share = f64::from(channel) / 255.0;
            if share <= 0.04045 {
                share / 12.92
            } else {
                ((share + 0.055) / 1.055).powf(2.4)
            }
        });
        0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
    };
    let (left, right) = (luminance(left), luminance(right));
    (left.max(right) + 0.05) / (left.min(right) + 0.05)
}
