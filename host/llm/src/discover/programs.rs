//! Agent programs: installation, version and login state.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use camino::{Utf8Path, Utf8PathBuf};
use serde_json::Value;

use super::{ModelAccess, ModelOption, Readiness, Whereabouts};
use crate::Program;
use crate::process::{self, Completed, Invocation};
use crate::programs::{found_on_path, passed_on};

/// Probes one program; returns `None` if it is not installed.
pub(super) fn look(program: Program, whereabouts: &Whereabouts<'_>) -> Option<ModelOption> {
    let path = found_on_path(program.name(), whereabouts.environment)?;
    let probe = ProgramProbe {
        program,
        path,
        whereabouts,
        deadline: Instant::now() + LONGEST,
    };
    // Each starts the program anew, which takes seconds.
    let (login, version) = std::thread::scope(|scope| {
        let version = scope.spawn(|| probe.version());
        (probe.login(), version.join().ok().flatten())
    });
    let model = program.default_model();
    Some(ModelOption {
        provider: program.name().to_owned(),
        models: (!model.is_empty())
            .then(|| model.to_owned())
            .into_iter()
            .collect(),
        label: login.label,
        access: login.access,
        readiness: login.readiness,
        destination: format!(
            "to {}, through your own {} program",
            receiver(program, whereabouts.environment),
            program.name()
        ),
        version,
        remedy: (login.readiness != Readiness::Ready)
            .then(|| format!("log in with `{}`", program.login_command())),
    })
}

/// Returns the host that a variable points the program at, or its company.
fn receiver(program: Program, environment: &BTreeMap<String, String>) -> String {
    let variable = match program {
        Program::Claude => "ANTHROPIC_BASE_URL",
        Program::Codex => "OPENAI_BASE_URL",
        Program::Copilot => "COPILOT_PROVIDER_BASE_URL",
        Program::Gemini => "GOOGLE_GEMINI_BASE_URL",
        Program::OpenCode => "",
    };
    let url = environment.get(variable).map_or("", |url| url.trim());
    let address = url.split_once("://").map_or(url, |(_, address)| address);
    let host = address.split(['/', '?', '#']).next().unwrap_or_default();
    // Without a user's name and password.
    match host.rsplit('@').next().filter(|host| !host.is_empty()) {
        Some(host) => acreta_text::visible(host),
        None => program.company().to_owned(),
    }
}

/// Timeout for all probes of one program together.
const LONGEST: Duration = Duration::from_secs(5);

struct ProgramProbe<'a> {
    program: Program,
    path: Utf8PathBuf,
    whereabouts: &'a Whereabouts<'a>,
    deadline: Instant,
}

/// Login state of a program, as far as it can be determined.
struct Login {
    label: String,
    access: ModelAccess,
    readiness: Readiness,
}

impl ProgramProbe<'_> {
    fn login(&self) -> Login {
        match self.program {
            Program::Claude => claude(self.run(&["auth", "status"])),
            Program::Codex => codex(self.run(&["login", "status"])),
            Program::OpenCode => self.opencode(),
            Program::Copilot => self.copilot(),
            Program::Gemini => self.gemini(),
        }
    }

    fn version(&self) -> Option<String> {
        let completed = self.run(&["--version"])?;
        let text = completed.stdout_text();
        let mut words = text
            .split_whitespace()
            .map(|word| word.trim_end_matches('.'));
        let version = words.find(|word| word.starts_with(|first: char| first.is_ascii_digit()))?;
        Some(acreta_text::visible(acreta_text::head(version, 40)))
    }

    /// Runs the program within the remaining time.
    fn run(&self, arguments: &[&str]) -> Option<Completed> {
        let timeout = self.deadline.checked_duration_since(Instant::now())?;
        let invocation = Invocation {
            program: self.path.as_str(),
            arguments: arguments.iter().map(|word| (*word).to_owned()).collect(),
            environment: passed_on(self.program, self.whereabouts.environment, None),
            folder: self.whereabouts.folder,
            stdin: String::new(),
            timeout,
            contained: true,
            gives_up: None,
        };
        process::run(invocation, &|| false).ok()
    }

    fn opencode(&self) -> Login {
        let exists = self.under("XDG_DATA_HOME", ".local/share", "opencode/auth.json");
        Login {
            label: "your OpenCode login".to_owned(),
            access: ModelAccess::Plan,
            // Without a login it may still have its own providers, for example on this machine.
            readiness: ready_or(exists, Readiness::Unknown),
        }
    }

    fn copilot(&self) -> Login {
        let token = ["COPILOT_GITHUB_TOKEN", "GH_TOKEN", "GITHUB_TOKEN"];
        let token = token.iter().any(|name| is_set(self.environment(), name));
        let github = self.under("XDG_CONFIG_HOME", ".config", "gh/hosts.yml");
        let own = self.in_home(".copilot/config.json");
        let otherwise = match own {
            true => Readiness::Unknown,
            false => Readiness::LoggedOut,
        };
        Login {
            label: "your Copilot plan".to_owned(),
            access: ModelAccess::Plan,
            readiness: ready_or(token || github, otherwise),
        }
    }

    fn gemini(&self) -> Login {
        let key = ["GEMINI_API_KEY", "GOOGLE_API_KEY"];
        let key = key.iter().any(|name| is_set(self.environment(), name));
        if key || self.in_home(".gemini/.env") {
            return Login {
                label: "your Gemini program with its API key".to_owned(),
                access: ModelAccess::ApiKey,
                readiness: ready_or(key, Readiness::Unknown),
            };
        }
        let login = self.in_home(".gemini/oauth_creds.json");
        Login {
            label: "your Gemini licence".to_owned(),
            access: ModelAccess::Plan,
            readiness: match login {
                // The service still answers only company accounts.
                true => Readiness::Unknown,
                false => Readiness::LoggedOut,
            },
        }
    }

    fn environment(&self) -> &BTreeMap<String, String> {
        self.whereabouts.environment
    }

    fn in_home(&self, relative: &str) -> bool {
        let home = self.environment().get("HOME");
        home.is_some_and(|home| Utf8Path::new(home).join(relative).exists())
    }

    /// Returns true if a file exists below a folder that a variable may have moved.
    fn under(&self, variable: &str, usual: &str, relative: &str) -> bool {
        match self.environment().get(variable) {
            Some(folder) if !folder.is_empty() => Utf8Path::new(folder).join(relative).exists(),
            _ => self.in_home(&format!("{usual}/{relative}")),
        }
    }
}

/// Reads the JSON output of `claude auth status`.
fn claude(completed: Option<Completed>) -> Login {
    let status: Option<Value> =
        completed.and_then(|completed| serde_json::from_slice(&completed.stdout).ok());
    let text = |name: &str| status.as_ref()?.get(name)?.as_str();
    let logged_in = status
        .as_ref()
        .and_then(|status| status.get("loggedIn")?.as_bool());
    let by_plan = text("authMethod").is_none_or(|method| method != "api_key");
    let plan = text("subscriptionType").or_else(|| text("planTier"));
    let label = match (by_plan, plan) {
        (false, _) => "your Claude program with its API key".to_owned(),
        (true, Some(plan)) => {
            let plan = acreta_text::visible(acreta_text::head(plan, 40));
            format!("your Claude plan ({plan})")
        }
        (true, None) => "your Claude plan".to_owned(),
    };
    Login {
        label,
        access: match by_plan {
            true => ModelAccess::Plan,
            false => ModelAccess::ApiKey,
        },
        readiness: match logged_in {
            Some(true) => Readiness::Ready,
            Some(false) => Readiness::LoggedOut,
            None => Readiness::Unknown,
        },
    }
}

/// Reads `codex login status`: one line, on either stream.
fn codex(completed: Option<Completed>) -> Login {
    let said = completed.as_ref().map(|completed| {
        let said = completed.stdout_text() + &completed.stderr_text();
        said.to_lowercase()
    });
    let says = |words: &str| said.as_ref().is_some_and(|said| said.contains(words));
    let by_key = says("api key");
    Login {
        label: match by_key {
            true => "your Codex program with its API key".to_owned(),
            false => "your Codex plan".to_owned(),
        },
        access: match by_key {
            true => ModelAccess::ApiKey,
            false => ModelAccess::Plan,
        },
        readiness: match completed {
            Some(completed) if completed.succeeded() => Readiness::Ready,
            Some(_) if says("not logged in") => Readiness::LoggedOut,
            _ => Readiness::Unknown,
        },
    }
}

fn ready_or(is_ready: bool, otherwise: Readiness) -> Readiness {
    match is_ready {
        true => Readiness::Ready,
        false => otherwise,
    }
}

fn is_set(environment: &BTreeMap<String, String>, name: &str) -> bool {
    environment
        .get(name)
        .is_some_and(|value| !value.trim().is_empty())
}
