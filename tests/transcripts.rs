//! Complete output of commands: transcripts of a newcomer's session and of the main errors. `ACRETA_UPDATE=1` rewrites
//! them; read the difference before it is committed. Outputs in the documents are compared in `book.rs`.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use crate::plugin_life::{MORE, built};
use crate::support::{Project, Ran, fixture, lay_out};

/// Compares a text with the file it was recorded in.
pub(crate) fn check(file: &Path, text: &str) {
    if std::env::var_os("ACRETA_UPDATE").is_some() {
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a person asked for it")]
        std::fs::write(file, text).unwrap();
        return;
    }
    let recorded = std::fs::read_to_string(file).unwrap_or_default();
    if recorded == text {
        return;
    }
    let lines = recorded.lines().zip(text.lines());
    let first = lines.take_while(|(left, right)| left == right).count();
    panic!(
        "{} differs from line {}:\n- {}\n+ {}\n`ACRETA_UPDATE=1` writes it anew",
        file.display(),
        first + 1,
        recorded.lines().nth(first).unwrap_or("(its end)"),
        text.lines().nth(first).unwrap_or("(its end)"),
    );
}

fn recorded(name: &str) -> PathBuf {
    acreta_plugin_build::workspace_root().join(format!("tests/transcripts/{name}.txt"))
}

/// Commands and their output, without anything that differs from one run to the next.
struct Transcript<'a> {
    project: &'a Project,
    text: String,
}

impl<'a> Transcript<'a> {
    fn new(project: &'a Project) -> Self {
        Self {
            project,
            text: String::new(),
        }
    }

    fn run(&mut self, arguments: &[&str]) -> Ran {
        let ran = self.project.acreta(arguments);
        let shown: Vec<String> = arguments
            .iter()
            .map(|word| match word.contains(' ') || word.is_empty() {
                true => format!("'{word}'"),
                false => (*word).to_owned(),
            })
            .collect();
        let _ = writeln!(self.text, "$ acreta {}", self.steady(&shown.join(" ")));
        let _ = write!(self.text, "{}", self.steady(&ran.stdout));
        // Whether a plugin has to be compiled depends on the tests before this one.
        let is_steady = |line: &&str| !line.starts_with("preparing ");
        for line in self.steady(&ran.stderr).lines().filter(is_steady) {
            let _ = writeln!(self.text, "! {line}");
        }
        if ran.code != 0 {
            let _ = writeln!(self.text, "(exit code {})", ran.code);
        }
        self.text.push('\n');
        ran
    }

    fn check(self, name: &str) {
        check(&recorded(name), &self.text);
    }

    fn steady(&self, text: &str) -> String {
        let folder = self.project.outside().to_string_lossy().into_owned();
        let source = acreta_plugin_build::workspace_root();
        let text = text
            .replace(&folder, "[FOLDER]")
            .replace(&*source.to_string_lossy(), "[SOURCE]");
        steady(&text)
    }
}

/// Masks what differs from one run to the next.
pub(crate) fn steady(text: &str) -> String {
    let text = stamps(text);
    let mut steady = String::new();
    let mut word = String::new();
    for character in text.chars() {
        match character.is_ascii_alphanumeric() {
            true => word.push(character),
            false => {
                steady.push_str(&mask(&word));
                word.clear();
                steady.push(character);
            }
        }
    }
    steady.push_str(&mask(&word));
    columns(&runs(&times(&steady)))
}

/// Masks times such as `2026-11-16T06:30:44Z`.
fn stamps(text: &str) -> String {
    const FORM: &str = "9999-99-99T99:99:99Z";
    let fits = |text: &str| {
        let form = |one: char| if one.is_ascii_digit() { '9' } else { one };
        text.chars().take(FORM.len()).map(form).eq(FORM.chars())
    };
    let mut steady = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let length = match fits(rest) {
            true => {
                steady.push_str("[TIME]");
                FORM.len()
            }
            false => {
                steady.push(first);
                first.len_utf8()
            }
        };
        rest = &rest[length..];
    }
    steady
}

/// Masks ids and digests.
fn mask(word: &str) -> String {
    let is_hex = word.chars().all(|one| one.is_ascii_hexdigit());
    let has_digit = word.chars().any(|one| one.is_ascii_digit());
    let is_ulid = word.len() == 26
        && has_digit
        && word
            .chars()
            .all(|one| one.is_ascii_digit() || one.is_ascii_uppercase());
    // The short form of an id: eight characters of its random part.
    let is_short_id = word.len() == 8
        && !(word.starts_with("20") && word.parse::<u32>().is_ok())
        && word
            .chars()
            .all(|one| "0123456789ABCDEFGHJKMNPQRSTVWXYZ".contains(one));
    match () {
        () if is_ulid || is_short_id => "[ID]".to_owned(),
        () if word.len() == 13 && word.parse::<u64>().is_ok() => "[MS]".to_owned(),
        () if word.len() >= 16 && is_hex && has_digit => "[HEX]".to_owned(),
        () if word.len() == 8 && word.starts_with("20") && word.parse::<u32>().is_ok() => {
            "[DAY]".to_owned()
        }
        () => word.to_owned(),
    }
}

/// Masks durations, days and sizes of components, which differ between runs or builds.
fn times(text: &str) -> String {
    let mut steady = String::new();
    for line in text.split_inclusive('\n') {
        let words: Vec<&str> = line.split(' ').collect();
        let mut shown: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        for place in 0..words.len() {
            let unit = words.get(place + 1).copied().unwrap_or_default();
            let unit = unit.trim_end_matches(['\n', ',', ';', ')']);
            let is_number = !words[place].is_empty()
                && words[place]
                    .chars()
                    .all(|one| one.is_ascii_digit() || one == '.');
            if is_number && ["ms", "kB", "MB", "bytes"].contains(&unit) {
                shown[place] = "[N]".to_owned();
            }
            let is_day = words[place].len() >= 10
                && words[place].as_bytes()[4] == b'-'
                && words[place].as_bytes()[7] == b'-'
                && words[place][..4].parse::<u32>().is_ok();
            if is_day {
                shown[place] = format!("[DATE]{}", &words[place][10..]);
            }
            if words[place].len() == 5
                && words[place].as_bytes()[2] == b':'
                && place > 0
                && shown[place - 1] == "[DATE]"
            {
                shown[place] = "[TIME]".to_owned();
            }
        }
        steady.push_str(&shown.join(" "));
    }
    steady
}

/// Masks names of runs: kind and day, a time, and a random part.
fn runs(text: &str) -> String {
    let mut steady = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("-[DAY]-") {
        let name: String = after
            .chars()
            .take_while(|one| one.is_ascii_alphanumeric() || *one == '-')
            .collect();
        let (time, chance) = name.split_once('-').unwrap_or_default();
        let is_run = time.len() == 6 && chance.len() == 6 && time.parse::<u32>().is_ok();
        steady.push_str(before);
        match is_run {
            true => {
                steady.push_str("-[RUN]");
                rest = &after[name.len()..];
            }
            false => {
                steady.push_str("-[DAY]-");
                rest = after;
            }
        }
    }
    steady.push_str(rest);
    steady
}

/// Normalises columns, whose width depends on paths.
fn columns(text: &str) -> String {
    let mut steady = String::new();
    for line in text.split_inclusive('\n') {
        let indent = line.len() - line.trim_start_matches(' ').len();
        steady.push_str(&line[..indent]);
        let mut spaces = 0;
        for character in line[indent..].chars() {
            spaces = if character == ' ' { spaces + 1 } else { 0 };
            if spaces < 3 {
                steady.push(character);
            }
        }
    }
    steady
}

#[test]
fn a_newcomers_first_session() {
    let project = Project::new();
    let sample = fixture("claude/demo-release-pitfall.jsonl");
    let mut transcript = Transcript::new(&project);
    transcript.run(&["memory", "list"]);
    transcript.run(&["run", &sample.to_string_lossy()]);
    transcript.run(&["run", &sample.to_string_lossy(), "--explain"]);
    transcript.run(&["memory", "list"]);
    transcript.run(&["memory", "search", "release"]);
    transcript.run(&["ask", "how are releases made?"]);
    transcript.run(&["runs", "list"]);
    transcript.run(&["project", "list"]);
    transcript.check("first-session");
}

#[test]
fn memory_by_hand() {
    let project = Project::new();
    let mut transcript = Transcript::new(&project);
    let added = transcript.run(&[
        "memory",
        "add",
        "Builds need LANG=C",
        "--body",
        "The build breaks in other locales.",
        "--kind",
        "pitfall",
        "--tag",
        "build",
    ]);
    let id = added.stdout.split(' ').next().unwrap().to_owned();
    transcript.run(&["memory", "add", "Builds need LANG=C", "--kind", "poem"]);
    transcript.run(&["memory", "add", ""]);
    transcript.run(&["memory", "list"]);
    transcript.run(&["memory", "show", &id]);
    transcript.run(&["memory", "edit", &id, "--title", "Builds need LANG=C.UTF-8"]);
    transcript.run(&["memory", "edit", &id]);
    transcript.run(&["memory", "related", &id]);
    transcript.run(&["memory", "archive", &id]);
    transcript.run(&["memory", "list", "--archived"]);
    transcript.run(&["memory", "restore", &id]);
    transcript.run(&["memory", "confirm", &id]);
    transcript.run(&["memory", "reject", &id]);
    transcript.run(&["memory", "show", "nothing"]);
    transcript.run(&["memory", "list", "--type", "poem"]);
    transcript.run(&["memory", "list", "--scope", "everything"]);
    transcript.run(&["memory", "pending"]);
    transcript.run(&["review"]);
    transcript.run(&["review", "show", "nothing"]);
    transcript.run(&["review", "accept", "nothing", "--yes"]);
    transcript.run(&["review", "undo"]);
    transcript.run(&["memory", "export", "--archived"]);
    transcript.run(&["memory", "import", "missing.md"]);
    transcript.run(&["memory", "purge"]);
    transcript.run(&["memory", "purge", "--agent", "person"]);
    transcript.run(&["maintain"]);
    transcript.run(&["maintain", "--undo", "maintain-none"]);
    transcript.check("memory");
}

#[test]
fn sync_queue_and_doctor() {
    let project = Project::new();
    let mut transcript = Transcript::new(&project);
    transcript.run(&["status"]);
    transcript.run(&["sync"]);
    lay_out(&project, &|bytes| bytes);
    transcript.run(&["sync", "--agent", "nobody"]);
    transcript.run(&["sync", "--since", "yesterday-ish"]);
    transcript.run(&["queue", "list"]);
    transcript.run(&["queue", "list", "--state", "asleep"]);
    transcript.run(&["queue", "show", "nothing"]);
    transcript.run(&["runs", "list"]);
    transcript.run(&["runs", "show", "nothing"]);
    transcript.run(&["connect", "add", "nobody"]);
    transcript.run(&["project", "remove", "nowhere"]);
    transcript.check("sync");
}

#[test]
fn plugins_settings_and_models() {
    let project = Project::new();
    let mut transcript = Transcript::new(&project);
    transcript.run(&["plugin", "inspect", "nothing"]);
    transcript.run(&["plugin", "check", "nothing.wasm"]);
    transcript.run(&["plugin", "test", "."]);
    transcript.run(&["plugin", "install", "ftp://example.org/a.wasm"]);
    transcript.run(&["plugin", "grant", "nothing", "--yes"]);
    transcript.run(&["plugin", "remove", "nothing", "--yes"]);
    transcript.run(&["plugin", "new", "poet", "verses"]);
    transcript.run(&["config", "get", "runs.keep"]);
    transcript.run(&["config", "get", "runs.kept"]);
    transcript.run(&["config", "set", "runs.keep", "many"]);
    transcript.run(&["config", "set", "runs.keep", "20"]);
    transcript.run(&["config", "set", "runs.keep", "5", "--in-project"]);
    transcript.run(&["model", "use", "nobody"]);
    transcript.run(&["model", "test"]);
    transcript.run(&["model", "off"]);
    transcript.run(&["project", "trust"]);
    transcript.run(&["project", "trust", "--undo"]);
    transcript.run(&["run", "missing.jsonl"]);
    transcript.run(&["run", "missing.jsonl", "--frozen"]);
    transcript.run(&["context", "explore", "/nonexistent"]);
    transcript.run(&["down"]);
    transcript.check("plugins-settings-models");
}

#[test]
fn the_life_of_a_plugin() {
    let project = Project::new();
    let release = |version: &str, more: &str| {
        project.write("mine.wasm", &built(version, more));
    };
    release("0.1.0", "");
    let file = project.outside().join("mine.wasm");
    let file = file.to_str().unwrap();
    let mut transcript = Transcript::new(&project);
    transcript.run(&["plugin", "check", file]);
    transcript.run(&["plugin", "install", file, "--yes", "--grant"]);
    transcript.run(&["plugin", "outdated"]);
    release("0.2.0", MORE);
    transcript.run(&["plugin", "outdated"]);
    transcript.run(&["plugin", "update", "mine", "--yes"]);
    transcript.run(&["plugin", "update", "mine", "--confirm"]);
    transcript.run(&["plugin", "rollback", "mine", "--yes"]);
    release("0.0.9", "");
    transcript.run(&["plugin", "update", "mine", "--confirm"]);
    release("0.1.0", "homepage = \"https://example.org\"");
    transcript.run(&["plugin", "update", "mine", "--yes"]);
    transcript.run(&["plugin", "revoke", "mine", "--reason", "it loses memories"]);
    transcript.run(&["plugin", "revoke", "--list"]);
    transcript.run(&["plugin", "outdated"]);
    transcript.run(&["status"]);
    transcript.run(&["plugin", "revoke", "mine", "--undo"]);
    transcript.run(&["plugin", "search", "mine"]);
    transcript.run(&["plugin", "verify"]);
    transcript.run(&["plugin", "push", file, "oci://registry.example.org/Mine"]);
    transcript.check("plugin-life");
}
