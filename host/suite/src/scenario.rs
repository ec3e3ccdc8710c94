//! One agent from a scratch home to its row: sessions before and after `acreta init`, what the model
//! saw of them, what acreta read of them, and the way back.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use acreta_scripted::Model;
use serde_json::Value;

use crate::cache;
use crate::compare::{self, Expected};
use crate::programs::{Compaction, Program, Turn};
use crate::report::{Row, Verdict};
use crate::scratch::{Files, Scratch};
use crate::script::{Script, Step, Ticket};

/// Stands in a memory that a person added, so that it can be looked for in what the model saw.
const MARKER: &str = "Amounts are kept in integer cents, as note-7731 says";

/// Tries one agent. Whatever cannot be had is a skip, whatever fails is in the row.
pub(crate) fn run(program: &Program, acreta: &Path, is_kept: bool) -> Row {
    let mut row = Row {
        agent: program.name,
        ..Row::default()
    };
    let installed = match cache::find(program.name, program.package, program.binary) {
        Ok(installed) => installed,
        Err(why) => {
            row.skipped = Some(why);
            return row;
        }
    };
    let script = Script::new(program.has_tools, program.subagent);
    let answers = script.clone();
    let model = Model::start(move |request| Ok(answers.answer(request)));
    let started = model
        .map_err(|error| format!("the scripted model cannot listen: {error}"))
        .and_then(|model| Ok((Scratch::new(acreta, installed, model.url())?, model)));
    let (mut scratch, model) = match started {
        Ok(started) => started,
        Err(why) => {
            row.verdicts.insert("turn", Verdict::Failed(why));
            return row;
        }
    };
    scratch.set_variables((program.variables)(&scratch));
    let mut trial = Trial {
        program,
        scratch: &scratch,
        script: &script,
        next: 7000,
        expected: Vec::new(),
        failures: BTreeMap::new(),
        tickets: BTreeMap::new(),
        is_known: false,
        is_read: false,
    };
    if let Err(why) = trial.everything(&mut row) {
        row.verdicts.insert("turn", Verdict::Failed(why));
    }
    if is_kept {
        for (number, request) in model.requests().iter().enumerate() {
            let name = format!("../requests/{number:03}.json");
            let _ = scratch.write(&name, &format!("{:#}", request.body));
        }
        eprintln!("{}: kept in {}", program.name, scratch.keep().display());
    }
    row
}

struct Trial<'a> {
    program: &'a Program,
    scratch: &'a Scratch,
    script: &'a Script,
    next: u32,
    expected: Vec<Expected>,
    /// Failures by check.
    failures: BTreeMap<&'static str, Vec<String>>,
    /// Tickets by check.
    tickets: BTreeMap<u32, &'static str>,
    /// Whether `acreta init` knows the agent, and whether an adapter reads its sessions.
    is_known: bool,
    is_read: bool,
}

/// One prompt of a check.
struct Plan<'a> {
    check: &'static str,
    directory: PathBuf,
    project: &'a str,
    steps: Vec<Step>,
    arguments: fn(&Turn<'_>) -> Vec<String>,
    session: String,
    input_tokens: u64,
}

impl Trial<'_> {
    fn everything(&mut self, row: &mut Row) -> Result<(), String> {
        for (path, text) in (self.program.settings)(self.scratch) {
            self.scratch.write(&path, &text)?;
        }
        let alpha = self.scratch.project("alpha");
        for arguments in (self.program.prepare)(self.scratch) {
            self.scratch.agent(&alpha, &arguments)?;
        }
        self.ask_acreta(&alpha)?;
        let version = self.scratch.agent(&alpha, &["--version".to_owned()])?;
        row.version = version_in(&version.output());
        // The agent writes its own settings before acreta sees them.
        self.turn("turn", "alpha", "alpha", vec![Step::Shell])?;
        self.init()?;
        self.sessions()?;
        self.connected()?;
        self.compare(row)?;
        self.undo()?;
        for check in ["turn", "tools", "worktree", "subfolder"] {
            self.judge(row, check, true);
        }
        let program = self.program;
        self.judge(row, "resume", program.resume.is_some());
        self.judge(row, "elsewhere", program.elsewhere.is_some());
        self.judge(row, "subagent", program.subagent.is_some());
        let compacts = !matches!(program.compaction, Compaction::None);
        self.judge(row, "compaction", compacts);
        let is_known = self.is_known;
        let connects = is_known && program.connected.is_some();
        self.judge(row, "connected", connects);
        self.judge(row, "brief", is_known && program.init.brief);
        for check in ["init", "memory", "undo"] {
            self.judge(row, check, is_known);
        }
        for check in ["sync", "compared"] {
            self.judge(row, check, self.is_read);
        }
        if !program.has_tools {
            row.verdicts.insert("tools", Verdict::NotOffered);
        }
        Ok(())
    }

    fn judge(&self, row: &mut Row, check: &'static str, is_offered: bool) {
        let failures = self.failures.get(check).map_or(&[][..], Vec::as_slice);
        row.verdicts.insert(
            check,
            match is_offered {
                true => Verdict::of(failures),
                false => Verdict::NotOffered,
            },
        );
    }

    fn fail(&mut self, check: &'static str, why: impl Into<String>) {
        self.failures.entry(check).or_default().push(why.into());
    }

    /// Opens a ticket and has the agent work on it.
    fn ask(&mut self, plan: Plan<'_>) -> Result<u32, String> {
        let mut steps = plan.steps;
        if !self.program.has_tools {
            steps.clear();
        }
        self.next += 1;
        let number = self.next;
        let project = self.scratch.project(plan.project);
        for step in &mut steps {
            if let Step::Delegate(helper) = step {
                self.next += 1;
                *helper = self.next;
                let ticket = Ticket {
                    number: self.next,
                    prompt: format!("Work on ticket-{helper} for the one who asked, and report."),
                    steps: vec![Step::Shell],
                    directory: plan.directory.clone(),
                    input_tokens: plan.input_tokens,
                };
                self.open(plan.check, ticket, &project);
            }
        }
        let ticket = Ticket {
            number,
            prompt: format!("Please work on ticket-{number} and tell me when it is finished."),
            steps,
            directory: plan.directory.clone(),
            input_tokens: plan.input_tokens,
        };
        let prompt = ticket.prompt.clone();
        self.open(plan.check, ticket, &project);
        let turn = Turn {
            prompt: &prompt,
            session: &plan.session,
        };
        let ran = self
            .scratch
            .agent(&plan.directory, &(plan.arguments)(&turn))?;
        let seen = self.script.seen(number);
        let is_finished = seen.answers.values().any(|answer| answer.call.is_none());
        if !is_finished {
            let why = format!("ticket-{number} was not finished: {}", ran.last_line());
            self.fail(plan.check, why);
        } else if !ran.succeeded {
            self.fail(plan.check, format!("the agent failed: {}", ran.last_line()));
        }
        Ok(number)
    }

    fn open(&mut self, check: &'static str, ticket: Ticket, project: &Path) {
        self.tickets.insert(ticket.number, check);
        self.expected.push(Expected {
            ticket: ticket.clone(),
            project: project.to_owned(),
        });
        self.script.open(ticket);
    }

    /// One turn in a new session.
    fn turn(
        &mut self,
        check: &'static str,
        folder: &str,
        project: &str,
        steps: Vec<Step>,
    ) -> Result<u32, String> {
        self.ask(Plan {
            check,
            directory: self.scratch.project(folder),
            project,
            steps,
            arguments: self.program.fresh,
            session: String::new(),
            input_tokens: 120,
        })
    }

    /// Asks what acreta does with the agent.
    fn ask_acreta(&mut self, directory: &Path) -> Result<(), String> {
        let name = self.program.name;
        let dry = ["init", "--dry-run", "--agents", name];
        let ran = self.scratch.acreta(directory, &dry)?;
        self.is_known = self.program.init.server && ran.code != Some(2);
        let listed = self
            .scratch
            .acreta(directory, &["connect", "list", "--json"])?;
        let listed: Value = serde_json::from_str(&listed.stdout).unwrap_or_default();
        let agents = listed.as_array().into_iter().flatten();
        self.is_read = agents.into_iter().any(|agent| agent["agent"] == name);
        Ok(())
    }

    /// Connects, takes it back, and connects again; then a person notes something in each project.
    fn init(&mut self) -> Result<(), String> {
        let alpha = self.scratch.project("alpha");
        if self.is_known {
            let before = self.scratch.files();
            let name = self.program.name;
            let init = ["init", "--yes", "--model", "none", "--agents", name];
            let ran = self.scratch.acreta(&alpha, &init)?;
            if !ran.succeeded {
                self.fail("init", ran.last_line());
            }
            if self.scratch.files() == before {
                self.fail("init", "nothing was written");
            }
            let ran = self.scratch.acreta(&alpha, &["init", "--undo"])?;
            if !ran.succeeded {
                self.fail("undo", ran.last_line());
            }
            for path in changed(&before, &self.scratch.files()) {
                self.fail("undo", format!("{} is not as it was", path.display()));
            }
            self.scratch.acreta(&alpha, &init)?;
        }
        for project in ["alpha", "beta"] {
            let folder = self.scratch.project(project);
            for arguments in [&["project", "add"][..], &["memory", "add", MARKER]] {
                let ran = self.scratch.acreta(&folder, arguments)?;
                if !ran.succeeded {
                    return Err(format!("acreta {}: {}", arguments[0], ran.last_line()));
                }
            }
        }
        Ok(())
    }

    /// Every kind of session that the agent can make.
    fn sessions(&mut self) -> Result<(), String> {
        let first = self.turn("tools", "alpha", "alpha", vec![Step::Shell, Step::Write])?;
        self.tools_answered(first);
        self.brief(first);
        if let Some(arguments) = self.program.resume {
            self.follow("resume", "alpha", arguments, 120)?;
        }
        if let Some(arguments) = self.program.elsewhere {
            let session = (self.program.newest)(self.scratch);
            let session = session.ok_or("the id of the newest session cannot be told")?;
            self.ask(Plan {
                check: "elsewhere",
                directory: self.scratch.project("beta"),
                project: "beta",
                steps: vec![Step::Shell],
                arguments,
                session,
                input_tokens: 120,
            })?;
        }
        self.turn("worktree", "alpha-tree", "alpha", vec![Step::Shell])?;
        self.turn("subfolder", "alpha/deep/sub", "alpha", vec![Step::Shell])?;
        if self.is_known {
            let number = self.turn("memory", "beta", "beta", vec![Step::Search, Step::Add])?;
            self.memory(number);
        }
        if self.program.subagent.is_some() {
            let number = self.turn("subagent", "beta", "beta", vec![Step::Delegate(0)])?;
            if self.script.seen(number + 1).answers.is_empty() {
                self.fail("subagent", "the subagent asked nothing");
            }
        }
        self.compaction()
    }

    fn follow(
        &mut self,
        check: &'static str,
        project: &str,
        arguments: fn(&Turn<'_>) -> Vec<String>,
        input_tokens: u64,
    ) -> Result<u32, String> {
        self.ask(Plan {
            check,
            directory: self.scratch.project(project),
            project,
            steps: vec![Step::Shell],
            arguments,
            session: String::new(),
            input_tokens,
        })
    }

    fn compaction(&mut self) -> Result<(), String> {
        let Some(resume) = self.program.resume else {
            return Ok(());
        };
        match self.program.compaction {
            Compaction::None => return Ok(()),
            Compaction::Told(arguments) => {
                self.turn("compaction", "alpha", "alpha", vec![Step::Shell])?;
                let turn = Turn {
                    prompt: "",
                    session: "",
                };
                let alpha = self.scratch.project("alpha");
                self.scratch.agent(&alpha, &arguments(&turn))?;
            }
            Compaction::Tokens(tokens) => {
                self.turn("compaction", "alpha", "alpha", vec![Step::Shell])?;
                self.follow("compaction", "alpha", resume, tokens)?;
            }
        }
        self.follow("compaction", "alpha", resume, 120)?;
        if self.script.compactions() == 0 {
            self.fail("compaction", "the agent asked for no summary");
        }
        Ok(())
    }

    fn tools_answered(&mut self, ticket: u32) {
        let seen = self.script.seen(ticket);
        let calls = seen.answers.values().filter(|answer| answer.call.is_some());
        let calls = calls.count();
        if self.program.has_tools && calls < 2 {
            self.fail("tools", format!("{calls} of 2 tools could be called"));
        }
        let is_back = |text: &String| text.contains(&format!("back-{ticket}-1"));
        if self.program.has_tools && !seen.results.values().any(is_back) {
            self.fail("tools", "the shell's output did not reach the model");
        }
    }

    /// The brief is in the requests of the conversation, and in no other.
    fn brief(&mut self, ticket: u32) {
        let seen = self.script.seen(ticket);
        if !self.is_known || !self.program.init.brief {
            return;
        }
        if !seen.bodies.iter().all(|body| body.contains("note-7731")) {
            self.fail("brief", "did not reach the model");
        }
        if seen.beside.iter().any(|body| body.contains("note-7731")) {
            self.fail("brief", "is in a request beside the conversation");
        }
    }

    fn memory(&mut self, ticket: u32) {
        let seen = self.script.seen(ticket);
        let called: Vec<&str> = seen
            .answers
            .values()
            .filter_map(|answer| Some(answer.call.as_ref()?.name.as_str()))
            .collect();
        for tool in ["memory_search", "memory_add"] {
            if !called.iter().any(|name| name.ends_with(tool)) {
                self.fail("memory", format!("{tool} was not offered"));
            }
        }
        if !seen.results.values().any(|text| text.contains("note-7731")) {
            self.fail("memory", "the search did not find the note");
        }
        let added = format!("exporter of call-{ticket}");
        let beta = self.scratch.project("beta");
        let listed = self.scratch.acreta(&beta, &["memory", "list", "--json"]);
        let listed = listed.map(|ran| ran.stdout).unwrap_or_default();
        if !listed.contains(&added) {
            self.fail("memory", "the added note is not in memory");
        }
    }

    fn connected(&mut self) -> Result<(), String> {
        let Some((arguments, wanted)) = self.program.connected.filter(|_| self.is_known) else {
            return Ok(());
        };
        let arguments: Vec<String> = arguments.iter().map(|word| (*word).to_owned()).collect();
        let ran = self
            .scratch
            .agent(&self.scratch.project("alpha"), &arguments)?;
        let output = ran.output();
        let line = output.lines().find(|line| line.contains("acreta"));
        match line {
            Some(_) if output.contains(wanted) => {}
            Some(line) => self.fail("connected", format!("it says: {}", line.trim())),
            None => self.fail("connected", format!("it says: {}", ran.last_line())),
        }
        Ok(())
    }

    fn compare(&mut self, row: &mut Row) -> Result<(), String> {
        if !self.is_read {
            return Ok(());
        }
        let (alpha, beta) = (self.scratch.project("alpha"), self.scratch.project("beta"));
        let ran = self.scratch.acreta(&alpha, &["sync", "--json"])?;
        let report: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
        if ![Some(0), Some(3)].contains(&ran.code) || !report.is_object() {
            self.fail("sync", ran.last_line());
        }
        for problem in report["problems"].as_array().into_iter().flatten() {
            self.fail("sync", format!("problem: {problem}"));
        }
        if report["failed"].as_u64().unwrap_or(0) > 0 {
            self.fail("sync", "a session failed");
        }
        for (path, unread) in unread(&[&alpha, &beta]) {
            self.fail("sync", format!("{path}: {unread}"));
        }
        let archive = self
            .scratch
            .home()
            .join(".acreta/archive")
            .join(self.program.name);
        let kept = compare::Kept {
            agent: self.program.name,
            projects: &[alpha, beta],
            archive: &archive,
        };
        let compared = compare::compare(&kept, self.script, &self.expected);
        row.sessions = compared.sessions;
        row.events = compared.events;
        for (ticket, differences) in compared.differences {
            let check = self.tickets.get(&ticket).copied().unwrap_or("compared");
            for difference in differences {
                let difference = match ticket {
                    0 => difference,
                    ticket => format!("ticket-{ticket}: {difference}"),
                };
                row.differences.push(format!("{check}: {difference}"));
                self.fail(check, difference);
            }
        }
        if row.sessions == 0 {
            self.fail("compared", "no session was read");
        } else if !row.differences.is_empty() {
            self.fail("compared", format!("{} differences", row.differences.len()));
        }
        Ok(())
    }

    /// After sessions the agent's own settings may differ; acreta's entries are gone all the same.
    fn undo(&mut self) -> Result<(), String> {
        if !self.is_known {
            return Ok(());
        }
        let alpha = self.scratch.project("alpha");
        let connected = self.scratch.files();
        let ran = self.scratch.acreta(&alpha, &["init", "--undo"])?;
        if !ran.succeeded {
            self.fail("undo", ran.last_line());
        }
        let after = self.scratch.files();
        for path in changed(&connected, &after) {
            let text = after.get(&path).map(|bytes| String::from_utf8_lossy(bytes));
            if text
                .is_some_and(|text| text.contains("hook session-") || text.contains("\"acreta\""))
            {
                self.fail("undo", format!("{} still has entries", path.display()));
            }
        }
        Ok(())
    }
}

/// Diagnostics of the runs in these projects: nothing that an agent writes today may be unknown.
fn unread(projects: &[&Path]) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for project in projects {
        let runs = std::fs::read_dir(project.join(".acreta/workspace"));
        for run in runs.into_iter().flatten().flatten() {
            let log = std::fs::read_to_string(run.path().join("session.log"));
            for line in log.unwrap_or_default().lines() {
                let line: Value = serde_json::from_str(line).unwrap_or_default();
                let session = line["session"]["path"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned();
                for diagnostic in line["stats"]["diagnostics"]
                    .as_array()
                    .into_iter()
                    .flatten()
                {
                    let message = diagnostic["message"]
                        .as_str()
                        .unwrap_or_default()
                        .to_owned();
                    found.push((session.clone(), message));
                }
            }
        }
    }
    found.sort_by(|one, other| one.1.cmp(&other.1));
    found.dedup_by(|one, other| one.1 == other.1);
    found
}

/// Paths whose bytes differ.
fn changed(before: &Files, after: &Files) -> Vec<PathBuf> {
    let paths = before
        .keys()
        .chain(after.keys().filter(|path| !before.contains_key(*path)));
    paths
        .filter(|path| before.get(*path) != after.get(*path))
        .cloned()
        .collect()
}

/// The first word that looks like a version.
fn version_in(output: &str) -> String {
    let words = output.split(|letter: char| letter.is_whitespace() || letter == 'v');
    let mut words = words.map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    let is_version = |word: &&str| {
        word.starts_with(|letter: char| letter.is_ascii_digit()) && word.contains('.')
    };
    words.find(is_version).unwrap_or("unknown").to_owned()
}
