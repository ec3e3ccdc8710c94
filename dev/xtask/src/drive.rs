//! Drives a built binary as its users would, on a scratch machine, and prints a table of results. A release check: it
//! needs Wine or qemu for other systems, and minutes.

mod machine;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use machine::{DrivenOutput, DrivenPath, Machine};

use crate::dist::ReleaseTarget;
use crate::files::{make, put};
use crate::package::absolute;
use crate::process::{TaskError, found, target_dir};

/// Written for the demo: a session of Claude Code in `/home/dev/ledger`.
const SESSION: &str = "tests/fixtures/claude/demo-queue-retries.jsonl";
const SESSION_ID: &str = "3e9d6b70-51c8-4a2f-8d14-c7f0a9b2e635";
const SESSION_FOLDER: &str = "/home/dev/ledger";

type Held = Result<String, String>;

struct Drive {
    machine: Machine,
    project: DrivenPath,
}

/// `cargo xtask drive TARGET [--binary FILE]`.
pub(crate) fn drive(arguments: &[&str]) -> Result<(), TaskError> {
    let (name, binary) = match arguments {
        [name] => (*name, None),
        [name, "--binary", file] => (*name, Some(PathBuf::from(file))),
        _ => {
            return Err(TaskError(
                "usage: cargo xtask drive TARGET [--binary FILE]".to_owned(),
            ));
        }
    };
    let scratch = target_dir().join("drive").join(name);
    if scratch.exists() {
        #[expect(
            clippy::disallowed_methods,
            reason = "the chore's own folder, made anew each time"
        )]
        fs::remove_dir_all(&scratch)
            .map_err(|error| TaskError(format!("`{}`: {error}", scratch.display())))?;
    }
    make(&scratch)?;
    let machine = match name {
        "native" => {
            let built = format!("release/acreta{}", std::env::consts::EXE_SUFFIX);
            let binary = binary.unwrap_or_else(|| target_dir().join(built));
            // Commands run in folders of their own.
            let binary = absolute(&binary.to_string_lossy())?;
            match cfg!(windows) {
                true => Machine::windows(&binary, &scratch)?,
                false => Machine::unix(&binary, &scratch, None)?,
            }
        }
        triple => {
            let target = ReleaseTarget::named(triple)?;
            let binary = binary.unwrap_or_else(|| target.binary("dist"));
            match triple {
                _ if target.is_windows() => Machine::wine(&binary, &scratch)?,
                "x86_64-unknown-linux-musl" => Machine::unix(&binary, &scratch, None)?,
                "aarch64-unknown-linux-musl" => {
                    let names = ["qemu-aarch64-static", "qemu-aarch64"];
                    let emulator = names.into_iter().find(|name| found(name));
                    let emulator = emulator.unwrap_or(names[0]);
                    Machine::unix(&binary, &scratch, Some(emulator))?
                }
                _ => {
                    return Err(TaskError(format!(
                        "this machine cannot run binaries of {triple}"
                    )));
                }
            }
        }
    };
    let drive = Drive {
        project: machine.base.join("ledger"),
        machine,
    };
    make(&drive.machine.home.here)?;
    make(&drive.machine.base.here)?;
    make(&drive.project.here.join(".git"))?;
    let source = "pub fn retry_budget() -> u32 {\n    3\n}\n";
    put(&drive.project.here.join("src/queue.rs"), source.as_bytes())?;
    drive.all()
}

impl Drive {
    fn all(&self) -> Result<(), TaskError> {
        let steps: [(&str, &dyn Fn() -> Held); 18] = [
            ("version", &|| self.version()),
            ("run", &|| self.run()),
            ("paths in memory have slashes", &|| self.slashes()),
            ("the same run changes nothing", &|| self.again()),
            ("compiled plugins are reused", &|| self.cached()),
            ("memory list", &|| self.says(&["memory", "list"], "retr")),
            ("memory search", &|| {
                self.says(&["memory", "search", "retry budget"], "retr")
            }),
            ("memory with a device's name", &|| {
                self.says(&["memory", "add", "con"], "")
            }),
            ("line ends stay", &|| self.line_ends()),
            ("sync", &|| self.sync()),
            ("init and its undo", &|| self.init()),
            ("hooks", &|| self.hooks()),
            ("mcp", &|| self.mcp()),
            ("context", &|| {
                self.says(
                    &["context", "explore", "--query", "retry budget"],
                    "src/queue.rs",
                )
            }),
            ("frozen run, twice the same bytes", &|| self.frozen()),
            ("kill and recover", &|| self.killed()),
            ("daemon up and down", &|| self.daemon()),
            ("doctor", &|| self.doctor()),
        ];
        let mut failures = 0;
        for (name, step) in steps {
            let begun = Instant::now();
            let (word, told) = match step() {
                Ok(told) => ("held", told),
                Err(told) => {
                    failures += 1;
                    ("FAILED", told)
                }
            };
            let seconds = begun.elapsed().as_secs_f64();
            println!("{word:<6}  {seconds:>6.1} s  {name:<34}  {told}");
        }
        match failures {
            0 => Ok(()),
            _ => Err(TaskError(format!(
                "{failures} of {} steps failed",
                steps.len()
            ))),
        }
    }

    fn acreta(&self, arguments: &[&str]) -> Result<DrivenOutput, String> {
        self.machine.ran(&self.project, arguments)?.succeeded()
    }

    fn says(&self, arguments: &[&str], expected: &str) -> Held {
        let ran = self.acreta(arguments)?;
        match ran.stdout.to_lowercase().contains(expected) {
            true => Ok(first_line(&ran.stdout)),
            false => Err(format!(
                "`{expected}` is not in: {}",
                first_line(&ran.stdout)
            )),
        }
    }

    fn version(&self) -> Held {
        self.says(&["--version"], "acreta")
    }

    fn run(&self) -> Held {
        let session = self.session("given.jsonl", 0, &self.project)?;
        self.acreta(&["run", &session.there])?;
        let memories = self.tree(&self.project, ".acreta/memory")?.len();
        match memories {
            0 => Err("no memory was written".to_owned()),
            _ => Ok(format!("{memories} memory files")),
        }
    }

    /// Checks that no committed file has a path with backslashes.
    fn slashes(&self) -> Held {
        let files = self.tree(&self.project, ".acreta")?;
        let mut looked = 0;
        for (name, bytes) in &files {
            let is_text = [".md", ".json", ".log", ".jsonl"]
                .iter()
                .any(|end| name.ends_with(end));
            if !is_text {
                continue;
            }
            looked += 1;
            let text = String::from_utf8_lossy(bytes);
            if text.contains(r"\\?\") || text.contains(r"\\\\?\\") {
                return Err(format!("`{name}` has a path with `\\\\?\\`"));
            }
            for key in ["raw_trace_path", "\"path\""] {
                let line = text
                    .lines()
                    .find(|line| line.contains(key) && line.contains('\\'));
                if let Some(line) = line.filter(|_| !name.contains("workspace")) {
                    return Err(format!("`{name}`: {}", line.trim()));
                }
            }
        }
        Ok(format!("{looked} files"))
    }

    fn again(&self) -> Held {
        let before = self.tree(&self.project, ".acreta/memory")?;
        let session = self.machine.base.join("given.jsonl");
        self.acreta(&["run", &session.there])?;
        match self.tree(&self.project, ".acreta/memory")? == before {
            true => Ok(String::new()),
            false => Err("memory changed".to_owned()),
        }
    }

    fn cached(&self) -> Held {
        let session = self.machine.base.join("given.jsonl");
        let begun = Instant::now();
        let ran = self.acreta(&["run", &session.there, "--dry-run"])?;
        match ran.stderr.contains("compiled plugin") {
            true => Err(first_line(&ran.stderr)),
            false => Ok(format!("{:.1} s", begun.elapsed().as_secs_f64())),
        }
    }

    /// A person on Windows saves a memory with CRLF; reading and confirming it must not change its bytes.
    fn line_ends(&self) -> Held {
        let name = self.acreta(&["memory", "add", "Files have their own line ends"])?;
        let files = self.tree(&self.project, ".acreta/memory")?;
        let found = files.iter().find(|(name, _)| name.contains("line-ends"));
        let (path, bytes) = found.ok_or_else(|| first_line(&name.stdout))?;
        let text = String::from_utf8_lossy(bytes).replace('\n', "\r\n");
        let file = self.project.here.join(".acreta/memory").join(path);
        put(&file, text.as_bytes()).map_err(|TaskError(message)| message)?;
        let id = text.lines().find_map(|line| line.strip_prefix("id: "));
        let id = id.ok_or("the memory has no id")?.trim().trim_matches('"');
        self.says(&["memory", "show", id], "line ends")?;
        self.acreta(&["memory", "confirm", id])?;
        self.acreta(&["maintain"])?;
        match fs::read_to_string(&file) {
            Ok(kept) if kept == text => Ok("CRLF kept".to_owned()),
            Ok(_) => Err("the file was written anew".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }

    /// Finds a session in the profile, assigns it to its project, learns from it, and then has nothing to do.
    fn sync(&self) -> Held {
        let project = self.repository("found")?;
        self.session(&self.claude("found"), 1, &project)?;
        self.acreta(&["project", "add", &project.there])?;
        let first = self.acreta(&["sync", "--json"])?.stdout;
        let again = self.acreta(&["sync", "--json"])?.stdout;
        let memories = self.tree(&project, ".acreta/memory")?.len();
        match (count(&first, "ran"), count(&again, "ran"), memories) {
            (Some(1), Some(0), 1..) => Ok(format!("{memories} memory files")),
            other => Err(format!("ran, ran again, memories: {other:?}")),
        }
    }

    fn init(&self) -> Held {
        let settings = self.machine.home.join(".claude/settings.json");
        let before = "{\r\n  \"model\": \"opus\"\r\n}\r\n";
        put(&settings.here, before.as_bytes()).map_err(|TaskError(message)| message)?;
        self.acreta(&["init", "--yes", "--agents", "claude", "--model", "none"])?;
        let text = |_| fs::read_to_string(&settings.here).unwrap_or_default();
        if !text(()).contains("hook session-start") {
            return Err(format!("no hook in {}", settings.there));
        }
        self.acreta(&["init", "--undo"])?;
        match text(()) == before {
            true => Ok("settings are as they were".to_owned()),
            false => Err("undo left other settings".to_owned()),
        }
    }

    fn hooks(&self) -> Held {
        let said = |event: &str, more: &str| {
            format!(
                "{{\"session_id\":\"1\",\"cwd\":\"{}\",\"hook_event_name\":\"{event}\"{more}}}",
                self.project.json()
            )
        };
        let hook = |name: &str, input: &str| {
            let arguments = ["hook", name, "--agent", "claude"];
            self.machine
                .told(&self.project, &arguments, input)?
                .succeeded()
        };
        let brief = hook("session-start", &said("SessionStart", ""))?.stdout;
        if brief.trim().is_empty() {
            return Err("session-start printed nothing".to_owned());
        }
        hook(
            "prompt",
            &said(
                "UserPromptSubmit",
                ",\"prompt\":\"How often do we retry webhooks?\"",
            ),
        )?;
        let file = self.project.join("src/queue.rs");
        let edit = format!(",\"tool_input\":{{\"file_path\":\"{}\"}}", file.json());
        hook("edit", &said("PreToolUse", &edit))?;
        // It starts a sync in the background, and the agent must not wait for that.
        let begun = Instant::now();
        hook("session-end", &said("SessionEnd", ""))?;
        Ok(format!(
            "{}; session-end in {:.1} s",
            first_line(&brief),
            begun.elapsed().as_secs_f64()
        ))
    }

    fn mcp(&self) -> Held {
        let input = concat!(
            r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"drive","version":"1"}}}"#,
            "\n",
            r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
            "\n",
            r#"{"jsonrpc":"2.0","id":2,"method":"tools/list","params":{}}"#,
            "\n"
        );
        let ran = self.machine.told(&self.project, &["mcp"], input)?;
        match ran.stdout.contains("\"tools\"") {
            true => Ok(format!(
                "{} tools",
                ran.stdout.matches("inputSchema").count()
            )),
            false => Err(first_line(&format!("{}{}", ran.stderr, ran.stdout))),
        }
    }

    fn frozen(&self) -> Held {
        let project = self.repository("frozen")?;
        let session = self.session("frozen.jsonl", 0, &project)?;
        let root = acreta_plugin_build::workspace_root();
        let build = acreta_plugin_build::GuestBuild::new(&root, target_dir().join("guests"));
        let built = build.build("extractor-rules");
        let built = built.map_err(|error| error.to_string())?;
        let policy = self.machine.base.join("policy.wasm");
        fs::copy(built, &policy.here).map_err(|error| error.to_string())?;
        let acreta = |words: &[&str]| self.machine.ran(&project, words)?.succeeded();
        acreta(&["plugin", "lock", &policy.there])?;
        let mut trees = Vec::new();
        for name in ["first", "second"] {
            let place = |part: &str| self.machine.base.join(&format!("{name}-{part}")).there;
            let (memory, workspace, cache) = (place("memory"), place("workspace"), place("cache"));
            acreta(&[
                "run",
                &session.there,
                "--frozen",
                "--no-llm",
                "--plugin",
                &policy.there,
                "--memory-root",
                &memory,
                "--workspace-root",
                &workspace,
                "--cache-dir",
                &cache,
            ])?;
            let mut tree = self.tree(&self.machine.base, &format!("{name}-memory"))?;
            // Records only the last holder.
            tree.remove("meta/lock");
            trees.push(tree);
        }
        match trees.as_slice() {
            [first, second] if first == second && !first.is_empty() => Ok(format!(
                "{} files, digest {:016x}",
                first.len(),
                digest(first)
            )),
            _ => Err("the two runs differ".to_owned()),
        }
    }

    /// Kills a sync in the middle of its work. The next one finishes it, and nothing is done twice.
    fn killed(&self) -> Held {
        const SESSIONS: usize = 4;
        let project = self.repository("killed")?;
        for number in 0..SESSIONS {
            self.session(
                &self.claude(&format!("killed-{number}")),
                2 + number,
                &project,
            )?;
        }
        self.acreta(&["project", "add", &project.there])?;
        let summaries = || {
            let files = self.tree(&project, ".acreta/memory/summaries");
            files.map_or(0, |files| files.len())
        };
        let mut sync = self.machine.start(&project, &["sync", "--json"])?;
        let begun = Instant::now();
        while summaries() == 0 && begun.elapsed() < Duration::from_secs(300) {
            if let Ok(Some(status)) = sync.try_wait() {
                return Err(format!("it ended before it was killed: {status}"));
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        sync.kill().map_err(|error| error.to_string())?;
        let _ = sync.wait();
        let left = summaries();
        self.acreta(&["sync", "--json"])?;
        let again = self.acreta(&["sync", "--json"])?.stdout;
        match (summaries(), count(&again, "ran")) {
            (SESSIONS, Some(0)) => Ok(format!("killed after {left} of {SESSIONS} sessions")),
            other => Err(format!("summaries, ran again: {other:?}")),
        }
    }

    fn daemon(&self) -> Held {
        let up = self.acreta(&["up"])?;
        let status = self.acreta(&["status"]);
        let down = self.acreta(&["down"]);
        status?;
        down?;
        Ok(first_line(&up.stdout))
    }

    fn doctor(&self) -> Held {
        let ran = self.machine.ran(&self.project, &["doctor"])?;
        match ran.code {
            Some(0 | 3) if ran.stdout.contains(r"\\?\") => Err("it shows `\\\\?\\`".to_owned()),
            Some(0) => Ok(String::new()),
            Some(3) => {
                let warnings = ran.stdout.lines().filter(|line| line.contains("warn"));
                Ok(warnings.map(str::trim).collect::<Vec<_>>().join(" | "))
            }
            _ => ran.succeeded().map(|_| String::new()),
        }
    }

    /// Writes a session of Claude Code, in `folder` at that time, with its own id.
    fn session(
        &self,
        relative: &str,
        number: usize,
        folder: &DrivenPath,
    ) -> Result<DrivenPath, String> {
        let source = acreta_plugin_build::workspace_root().join(SESSION);
        let text = fs::read_to_string(&source).map_err(|error| error.to_string())?;
        let id = format!("{}{number:02}", &SESSION_ID[..SESSION_ID.len() - 2]);
        let text = text
            .replace(SESSION_ID, &id)
            .replace(SESSION_FOLDER, &folder.json());
        let place = match relative.starts_with(".claude") {
            true => self.machine.home.join(relative),
            false => self.machine.base.join(relative),
        };
        put(&place.here, text.as_bytes()).map_err(|TaskError(message)| message)?;
        Ok(place)
    }

    fn claude(&self, name: &str) -> String {
        format!(".claude/projects/drive/{name}.jsonl")
    }

    fn repository(&self, name: &str) -> Result<DrivenPath, String> {
        let place = self.machine.base.join(name);
        make(&place.here.join(".git")).map_err(|TaskError(message)| message)?;
        Ok(place)
    }

    /// Returns every file below a folder, by its relative path.
    fn tree(
        &self,
        place: &DrivenPath,
        relative: &str,
    ) -> Result<BTreeMap<String, Vec<u8>>, String> {
        let top = place.here.join(relative);
        let mut found = BTreeMap::new();
        let mut waiting = vec![top.clone()];
        while let Some(folder) = waiting.pop() {
            let entries = match fs::read_dir(&folder) {
                Ok(entries) => entries,
                Err(error) => return Err(format!("`{}`: {error}", folder.display())),
            };
            for path in entries.flatten().map(|entry| entry.path()) {
                match path.is_dir() {
                    true => waiting.push(path),
                    false => {
                        found.insert(below(&path, &top), fs::read(&path).unwrap_or_default());
                    }
                }
            }
        }
        Ok(found)
    }
}

fn below(path: &Path, top: &Path) -> String {
    path.strip_prefix(top)
        .unwrap_or(path)
        .to_string_lossy()
        .into_owned()
}

/// Computes a digest that compares the results of two systems (FNV-1a).
fn digest(files: &BTreeMap<String, Vec<u8>>) -> u64 {
    let bytes = files
        .iter()
        .flat_map(|(name, bytes)| name.bytes().chain(bytes.iter().copied()));
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Returns a number in a JSON text, by its key.
fn count(json: &str, key: &str) -> Option<u64> {
    let (_, rest) = json.split_once(&format!("\"{key}\":"))?;
    let digits: String = rest
        .trim_start()
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    digits.parse().ok()
}

fn first_line(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty());
    line.unwrap_or_default().trim().chars().take(90).collect()
}
