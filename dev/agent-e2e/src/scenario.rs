//! Tests one agent in a scratch home: sessions before and after `acreta init`, what the model saw of them, what acreta
//! read of them, and undoing the connection.

mod acreta;
mod failure;
mod note;
mod recall;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use acreta_agent_e2e::report::{AgentRow, Verdict};
use acreta_agent_e2e::scripted::Model;

use crate::cache;
use crate::compare::ExpectedTicket;
use crate::programs::{AgentTurn, Compaction, Program};
use crate::scratch::Scratch;
use crate::script::{Script, Ticket, TicketStep};

/// Tests one agent. A missing requirement is a skip, a failure is in the row.
pub(crate) fn run(program: &Program, acreta: &Path, is_kept: bool) -> AgentRow {
    let mut row = AgentRow {
        agent: program.name.to_owned(),
        date: jiff::Timestamp::now().strftime("%F").to_string(),
        ..AgentRow::default()
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
            row.set("turn", Verdict::Failed(why));
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
        row.set("turn", Verdict::Failed(why));
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
    expected: Vec<ExpectedTicket>,
    /// Failures by check.
    failures: BTreeMap<&'static str, Vec<String>>,
    /// Tickets by check.
    tickets: BTreeMap<u32, &'static str>,
    /// Whether `acreta init` knows the agent, and whether an adapter reads its sessions.
    is_known: bool,
    is_read: bool,
}

/// One prompt of a check.
struct PromptPlan<'a> {
    check: &'static str,
    directory: PathBuf,
    project: &'a str,
    steps: Vec<TicketStep>,
    arguments: fn(&AgentTurn<'_>) -> Vec<String>,
    session: String,
    input_tokens: u64,
    /// Further text of the prompt.
    about: &'a str,
}

impl Trial<'_> {
    fn everything(&mut self, row: &mut AgentRow) -> Result<(), String> {
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
        self.turn("turn", "alpha", "alpha", vec![TicketStep::Shell])?;
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
        self.judge(row, "prompt", is_known && program.init.prompt);
        self.judge(row, "failure", is_known && program.init.failure);
        self.judge(row, "edit", is_known && program.init.edit);
        self.judge(row, "memory", self.has_server());
        for check in ["init", "undo"] {
            self.judge(row, check, is_known);
        }
        self.judge(row, "note", self.notes());
        self.judge(row, "cures", program.has_tools && self.is_read);
        for check in ["sync", "compared"] {
            self.judge(row, check, self.is_read);
        }
        if !program.has_tools {
            row.set("tools", Verdict::NotOffered);
        }
        Ok(())
    }

    /// Reports whether `acreta init` gives the agent acreta's tools.
    fn has_server(&self) -> bool {
        self.is_known && self.program.init.server
    }

    fn judge(&self, row: &mut AgentRow, check: &'static str, is_offered: bool) {
        let failures = self.failures.get(check).map_or(&[][..], Vec::as_slice);
        row.set(
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

    /// Opens a ticket and lets the agent work on it.
    fn ask(&mut self, plan: PromptPlan<'_>) -> Result<u32, String> {
        let mut steps = plan.steps;
        if !self.program.has_tools {
            steps.clear();
        }
        self.next += 1;
        let number = self.next;
        let project = self.scratch.project(plan.project);
        for step in &mut steps {
            if let TicketStep::Delegate(helper) = step {
                self.next += 1;
                *helper = self.next;
                let ticket = Ticket {
                    number: self.next,
                    prompt: format!("Work on ticket-{helper} for the one who asked, and report."),
                    steps: vec![TicketStep::Shell],
                    directory: plan.directory.clone(),
                    input_tokens: plan.input_tokens,
                };
                self.open(plan.check, ticket, &project);
            }
        }
        let ticket = Ticket {
            number,
            prompt: format!(
                "Please work on ticket-{number} and tell me when it is finished.{}",
                plan.about
            ),
            steps,
            directory: plan.directory.clone(),
            input_tokens: plan.input_tokens,
        };
        let prompt = ticket.prompt.clone();
        self.open(plan.check, ticket, &project);
        let turn = AgentTurn {
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
        self.expected.push(ExpectedTicket {
            ticket: ticket.clone(),
            project: project.to_owned(),
        });
        self.script.open(ticket);
    }

    /// Runs one turn in a new session.
    fn turn(
        &mut self,
        check: &'static str,
        folder: &str,
        project: &str,
        steps: Vec<TicketStep>,
    ) -> Result<u32, String> {
        self.ask(PromptPlan {
            check,
            directory: self.scratch.project(folder),
            project,
            steps,
            arguments: self.program.fresh,
            session: String::new(),
            input_tokens: 120,
            about: "",
        })
    }

    /// Runs every kind of session that the agent supports.
    fn sessions(&mut self) -> Result<(), String> {
        let first = self.turn(
            "tools",
            "alpha",
            "alpha",
            vec![TicketStep::Shell, TicketStep::Write],
        )?;
        self.tools_answered(first);
        self.brief(first);
        if let Some(arguments) = self.program.resume {
            self.follow("resume", "alpha", arguments, 120)?;
        }
        self.note()?;
        if let Some(arguments) = self.program.elsewhere {
            let session = (self.program.newest)(self.scratch);
            let session = session.ok_or("the id of the newest session is unknown")?;
            let number = self.ask(PromptPlan {
                check: "elsewhere",
                directory: self.scratch.project("beta"),
                project: "beta",
                steps: vec![TicketStep::Shell],
                arguments,
                session,
                input_tokens: 120,
                about: "",
            })?;
            // Some agents return to the session's first directory; the shell reports the current one.
            let seen = self.script.seen(number);
            let is_in_beta = |text: &String| text.contains("/work/beta");
            if !seen.results.values().any(is_in_beta)
                && let Some(last) = self.expected.last_mut()
            {
                last.project = self.scratch.project("alpha");
            }
        }
        self.notes_read()?;
        self.turn("worktree", "alpha-tree", "alpha", vec![TicketStep::Shell])?;
        let number = self.turn(
            "subfolder",
            "alpha/deep/sub",
            "alpha",
            vec![TicketStep::Shell],
        )?;
        self.note_told(number);
        if self.has_server() {
            let number = self.turn(
                "memory",
                "beta",
                "beta",
                vec![TicketStep::Search, TicketStep::Add],
            )?;
            self.memory(number);
        }
        if self.is_known {
            self.recall()?;
        }
        self.failure()?;
        if self.program.subagent.is_some() {
            let number = self.turn(
                "subagent",
                "beta",
                "beta",
                vec![TicketStep::Delegate(0), TicketStep::Wait],
            )?;
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
        arguments: fn(&AgentTurn<'_>) -> Vec<String>,
        input_tokens: u64,
    ) -> Result<u32, String> {
        self.ask(PromptPlan {
            check,
            directory: self.scratch.project(project),
            project,
            steps: vec![TicketStep::Shell],
            arguments,
            session: (self.program.newest)(self.scratch).unwrap_or_default(),
            input_tokens,
            about: "",
        })
    }

    fn compaction(&mut self) -> Result<(), String> {
        let Some(resume) = self.program.resume else {
            return Ok(());
        };
        match self.program.compaction {
            Compaction::None => return Ok(()),
            Compaction::Told(arguments) => {
                self.turn("compaction", "alpha", "alpha", vec![TicketStep::Shell])?;
                let turn = AgentTurn {
                    prompt: "",
                    session: "",
                };
                let alpha = self.scratch.project("alpha");
                self.scratch.agent(&alpha, &arguments(&turn))?;
            }
            Compaction::Tokens(tokens) => {
                self.turn("compaction", "alpha", "alpha", vec![TicketStep::Shell])?;
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
}

/// Returns the first word that looks like a version.
fn version_in(output: &str) -> String {
    let words = output.split(|letter: char| letter.is_whitespace() || letter == 'v');
    let mut words = words.map(|word| word.trim_matches(|letter: char| !letter.is_alphanumeric()));
    let is_version = |word: &&str| {
        word.starts_with(|letter: char| letter.is_ascii_digit()) && word.contains('.')
    };
    words.find(is_version).unwrap_or("unknown").to_owned()
}
