//! Hostile guests, one row each, through the real binary. After every attack the tree outside and memory are unchanged
//! byte for byte, and the host survives and names the plugin and the limit.

use std::path::PathBuf;

use serde_json::Value;

use crate::support::{Project, Ran, Tree, component, fixture, json_file, tree};

const DEMO: &str = "claude/demo-queue-retries.jsonl";

/// A project with some memory, a victim outside it, and one hostile plugin in place of a good one.
struct Attacked {
    project: Project,
    plugin: &'static str,
    component: Vec<u8>,
    trace: PathBuf,
    victim: PathBuf,
}

struct Outcome {
    ran: Ran,
    denied: u64,
    /// The guest's own report, one line per attempt.
    report: Vec<String>,
}

impl Attacked {
    fn new(plugin: &'static str) -> Self {
        let project = Project::new();
        project.run(&fixture(DEMO));
        project.run(&fixture("claude/demo-release-pitfall.jsonl"));
        let victim = project.write("outside/victim.txt", b"nobody may read or change this");
        let trace = match plugin {
            "hostile-adapter" => project.write("trace/attack.jsonl", b"{\"hostile\": true}\n"),
            _ => fixture("claude/demo-release-pitfall.jsonl"),
        };
        Self {
            project,
            plugin,
            component: component(plugin),
            trace,
            victim,
        }
    }

    /// Returns the files that must not change, whatever the guest does.
    fn untouchable(&self) -> Tree {
        let mut own = vec![
            "home",
            "project/.acreta/workspace",
            "project/.acreta/meta/lock",
            "project/.acreta/meta/traces",
        ];
        if self.run_goes_on() {
            // The run writes its summary and that summary's sidecar.
            own.extend([
                "project/.acreta/memory/summaries",
                "project/.acreta/meta/summaries",
            ]);
        }
        tree(self.project.outside(), &own)
    }

    /// Returns whether the run continues: a bad explorer loses its findings, but does not fail the run.
    fn run_goes_on(&self) -> bool {
        self.plugin == "hostile-explorer"
    }

    fn attack(&self, attack: &str, more: &str, limits: &str) -> Outcome {
        let role = match self.plugin {
            "hostile-adapter" => "adapters = [\"hostile-adapter\"]",
            "hostile-extractor" => "extractor = \"hostile-extractor\"",
            "hostile-explorer" => "explorers = [\"hostile-explorer\"]",
            _ => "writer = \"hostile-writer\"",
        };
        let config = format!(
            "[plugins]\n{role}\n[plugin.{0}]\n{limits}\n[plugin.{0}.settings]\nattack = \"{attack}\"\nvictim = \"{1}\"\n{more}\n",
            self.plugin,
            self.victim.display()
        );
        self.project.write("home/config.toml", config.as_bytes());
        self.project.install(self.plugin, &self.component);
        let before = self.untouchable();
        let ran = self.project.acreta(&["run", self.trace.to_str().unwrap()]);
        assert_eq!(
            self.untouchable(),
            before,
            "{} {attack} changed something: {}",
            self.plugin,
            ran.stderr
        );
        assert!(
            !ran.stderr.contains("thread 'main'"),
            "{attack}: {}",
            ran.stderr
        );
        let actions = json_file(&self.project.last_run().join("memory_actions.json"));
        let note = actions["note"].as_str().unwrap_or_default();
        // The guest's lines are one line in the host.
        let report = note.replace(" noted ", "\nnoted ");
        let report: Vec<String> = report.lines().map(str::to_owned).collect();
        assert!(
            !report.iter().any(|line| line.contains("escaped ")),
            "{} {attack} got out:\n{note}",
            self.plugin
        );
        Outcome {
            denied: actions["metrics"]["denied"].as_u64().unwrap(),
            ran,
            report,
        }
    }

    /// Runs a table of attacks and reports all unexpected results at once.
    fn table(&self, rows: &[AttackRow]) {
        let wrong: Vec<String> = rows
            .iter()
            .filter_map(|row| {
                self.row(row)
                    .err()
                    .map(|problem| format!("{} {}: {problem}", self.plugin, row.attack))
            })
            .collect();
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }

    fn row(&self, row: &AttackRow) -> Result<(), String> {
        let outcome = self.attack(row.attack, &row.settings, row.limits);
        let stderr = &outcome.ran.stderr;
        let named = stderr.contains(&format!("plugin `{}`", self.plugin));
        let report = outcome.report.join("\n");
        let expected = match row.ends {
            Ends::Reported(denied) | Ends::Well(denied) if !denied.allows(outcome.denied) => {
                return Err(format!(
                    "{} operations denied, expected {denied:?}\n{report}",
                    outcome.denied
                ));
            }
            Ends::Reported(_) => named && report.contains("failed with `report`"),
            Ends::Limit(limit) => {
                named && stderr.contains(&format!("exceeded its limit `{limit}`"))
            }
            Ends::Trap => named && stderr.contains("trapped"),
            Ends::Draft(message) => {
                stderr.contains("the memory-writer's draft is refused") && stderr.contains(message)
            }
            Ends::Well(_) if outcome.ran.code == 0 => return Ok(()),
            Ends::Well(_) => false,
        };
        if expected && outcome.ran.code == 1 {
            Ok(())
        } else {
            Err(format!("exit {}: {stderr}", outcome.ran.code))
        }
    }
}

struct AttackRow {
    attack: &'static str,
    settings: String,
    limits: &'static str,
    ends: Ends,
}

enum Ends {
    /// The guest's own report lists what was refused.
    Reported(Denied),
    Limit(&'static str),
    Trap,
    /// The draft is refused for this reason.
    Draft(&'static str),
    /// The run continues.
    Well(Denied),
}

/// Number of operations that the sandbox refuses and counts. Path tables are longer for a deeper victim, so some rows
/// have only a lower bound.
#[derive(Debug, Clone, Copy)]
enum Denied {
    Exactly(u64),
    AtLeast(u64),
}

impl Denied {
    fn allows(self, denied: u64) -> bool {
        match self {
            Denied::Exactly(expected) => denied == expected,
            Denied::AtLeast(expected) => denied >= expected,
        }
    }
}

fn row(attack: &'static str, ends: Ends) -> AttackRow {
    AttackRow {
        attack,
        settings: String::new(),
        limits: "",
        ends,
    }
}

impl AttackRow {
    fn limits(mut self, limits: &'static str) -> Self {
        self.limits = limits;
        self
    }

    /// Sets the variant of an attack.
    fn variant(mut self, variant: &str) -> Self {
        self.settings = format!("variant = {}", Value::from(variant));
        self
    }
}

use Denied::{AtLeast, Exactly};
use Ends::{Draft, Limit, Reported, Trap, Well};

/// Returns the attacks on the machine that a guest of any role can try.
fn against_the_machine() -> Vec<AttackRow> {
    vec![
        row("environment", Reported(Exactly(0))),
        row("sockets", Reported(Exactly(14))),
        row("clock-random", Reported(Exactly(0))),
        row("loop", Limit("wall_ms")).limits("limits.wall_ms = 300"),
        row("recursion", Limit("stack_bytes")),
        row("memory", Limit("memory_bytes")).limits("limits.memory_bytes = 67108864"),
        row("handles", Limit("handles")),
        row("huge-value", Limit("value_bytes")),
        row("random-flood", Trap),
        row("log-flood", Reported(Exactly(0))),
        row("trap", Trap),
        row("exit", Trap),
    ]
}

/// Adapters see one read-only folder with the staged session.
#[test]
fn adapters() {
    let attacked = Attacked::new("hostile-adapter");
    attacked.table(&[
        row("dotdot", Reported(AtLeast(100))),
        row("absolute", Reported(AtLeast(100))),
        row("symlink-slash", Reported(Exactly(0))),
        row("hardlink-across", Reported(Exactly(28))),
        row("rename-across", Reported(Exactly(16))),
        row("truncate-readonly", Reported(Exactly(13))),
        row("open-flags", Reported(AtLeast(1000))),
        row("read-any", Reported(AtLeast(1))),
        row("set-times", Reported(Exactly(22))),
        row("huge-read", Reported(Exactly(0))),
    ]);
    attacked.table(&against_the_machine());
}

/// Extractors have no files at all.
#[test]
fn extractors() {
    let attacked = Attacked::new("hostile-extractor");
    attacked.table(&[
        row("read-any", Reported(AtLeast(1))),
        row("dotdot", Reported(AtLeast(1))),
        row("absolute", Reported(AtLeast(1))),
        row("finds", Limit("wall_ms")).limits("limits.wall_ms = 1000"),
    ]);
    attacked.table(&against_the_machine());
}

/// Explorers see memory, read-only. A failure costs their findings, not the run.
#[test]
fn explorers() {
    let attacked = Attacked::new("hostile-explorer");
    let fifo = attacked.project.memory().join("decisions/20260101-pipe.md");
    let made = std::process::Command::new("mkfifo")
        .arg(&fifo)
        .status()
        .unwrap();
    assert!(made.success());
    let link = attacked.project.memory().join("link.md");
    std::os::unix::fs::symlink("../../../outside/victim.txt", link).unwrap();
    attacked.table(&[
        row("write-memory", Well(AtLeast(50))),
        row("open-fifo", Well(AtLeast(5))),
        row("truncate-readonly", Well(AtLeast(50))),
        row("open-flags", Well(AtLeast(1000))),
        row("symlink-slash", Well(AtLeast(1))),
        row("read-any", Well(AtLeast(1))),
        row("junk", Well(Exactly(0))),
        row("loop", Well(Exactly(0))).limits("limits.wall_ms = 300"),
        row("trap", Well(Exactly(0))),
    ]);
    let log = std::fs::read_to_string(attacked.project.last_run().join("agent.log")).unwrap();
    assert!(
        log.contains("explorer left out: plugin `hostile-explorer` (explorer) trapped"),
        "{log}"
    );
}

/// Writers have an empty draft folder. Its contents are checked.
#[test]
fn writers() {
    let attacked = Attacked::new("hostile-writer");
    attacked.table(&[
        row("dotdot", Reported(AtLeast(100))),
        row("absolute", Reported(AtLeast(100))),
        row("symlink-slash", Reported(AtLeast(100))),
        row("hardlink-across", Reported(Exactly(14))),
        row("rename-across", Reported(Exactly(9))),
        row("read-any", Reported(AtLeast(1))),
        row("draft-symlink", Draft("which is a symbolic link")),
        row("draft-symlink-folder", Draft("which no action requested")),
        row("draft-fifo", Reported(Exactly(0))),
        row("draft-hardlink", Draft("which no action requested")),
        row("draft-dotdot", Draft("..")),
        row("draft-other-folder", Draft("is refused")),
        row("draft-too-many", Limit("draft_files")),
        row("draft-too-large", Limit("draft_bytes")),
        row("draft-extra", Draft("which no action requested")),
        row("draft-missing", Draft("lacks")),
        row("draft-unreported", Draft("reports no file")),
        row("draft-wrong-id", Draft("has the id")),
        row("draft-overwrite", Draft("is refused")),
        row("junk", Draft("")),
    ]);
    let names: Vec<AttackRow> = hostile_writer::ODD_NAMES
        .iter()
        .map(|name| row("draft-odd-names", Draft("is refused")).variant(name))
        .collect();
    attacked.table(&names);
    let front_matter: Vec<AttackRow> = hostile_writer::BAD_FRONT_MATTER
        .iter()
        .map(|name| row("draft-bad-front-matter", Draft("")).variant(name))
        .collect();
    attacked.table(&front_matter);
    attacked.table(&against_the_machine());
}

/// Invalid candidates of an extractor are dropped one by one, each with a reason; none becomes memory.
#[test]
fn junk_candidates_are_dropped_with_a_reason() {
    let attacked = Attacked::new("hostile-extractor");
    let statements = attacked.project.statements();
    attacked
        .project
        .install("hostile-extractor", &attacked.component);
    attacked.project.write(
        "home/config.toml",
        b"[plugins]\nextractor = \"hostile-extractor\"\n[plugin.hostile-extractor.settings]\nattack = \"junk\"\n",
    );
    let session = std::fs::read_to_string(fixture("claude/glued.jsonl")).unwrap();
    let session = session.replace("\"first\"", "\"Keep the port of the proxy at 8080\"");
    let fresh = attacked
        .project
        .write("new/other.jsonl", session.as_bytes());
    let report = attacked.project.run(&fresh);
    assert!(
        report["metrics"]["candidates"].as_u64().unwrap() > 5,
        "{report}"
    );
    let extract = json_file(&attacked.project.last_run().join("extract.json"));
    let candidates = extract["candidates"].as_array().unwrap();
    let kept: Vec<&str> = candidates
        .iter()
        .filter(|candidate| candidate["kept"] == true)
        .map(|candidate| candidate["title"].as_str().unwrap())
        .collect();
    assert_eq!(
        kept,
        ["Do as the user said"],
        "the one good candidate among the junk"
    );
    for candidate in candidates {
        assert!(
            candidate["reason"]
                .as_str()
                .is_some_and(|reason| !reason.is_empty()),
            "{candidate}"
        );
    }
    assert_eq!(attacked.project.statements().len(), statements.len() + 1);
}

/// Invalid events of an adapter become a readable trace with diagnostics, never a broken archive.
#[test]
fn junk_events_are_tidied() {
    let attacked = Attacked::new("hostile-adapter");
    attacked
        .project
        .install("hostile-adapter", &attacked.component);
    attacked.project.write(
        "home/config.toml",
        b"[plugins]\nadapters = [\"hostile-adapter\"]\n[plugin.hostile-adapter.settings]\nattack = \"junk\"\nstage = \"read\"\n",
    );
    let report = attacked.project.run(&attacked.trace);
    assert!(
        report["session"]["diagnostics"].as_u64().unwrap() > 0,
        "{report}"
    );
    assert!(
        report["session"]["events"].as_u64().unwrap() > 0,
        "{report}"
    );
}

/// The clock and randomness that a guest sees belong to the run: nothing of the machine leaks in.
#[test]
fn a_guest_sees_the_runs_clock_and_fixed_chance() {
    let attacked = Attacked::new("hostile-extractor");
    let look = || {
        let outcome = attacked.attack("clock-random", "", "");
        let (clock, random): (Vec<String>, Vec<String>) = outcome
            .report
            .into_iter()
            .partition(|line| line.contains("noted clock"));
        (clock, random)
    };
    let (_, first) = look();
    let (_, second) = look();
    assert!(
        first.iter().any(|line| line.contains("random bytes")),
        "{first:?}"
    );
    assert_eq!(first, second);
}
