//! Agent programs as models, replaced by fake programs: their input, their outcomes, and that no files remain.

mod ends;
mod given;
mod limits;

use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use acreta_llm::{
    AgentSettings, LlmError, ModelChoice, Program, ProviderKind, ProviderSettings, RoleSettings,
};
use camino::Utf8PathBuf;

use crate::support::{ModelHome, ask_for_json};

/// A home with one fake program, which records how it was started and then follows its script.
struct FakeProgram {
    home: ModelHome,
    program: Program,
}

impl FakeProgram {
    fn new(program: Program, behaviour: &str) -> Self {
        let mut home = ModelHome::with(ProviderKind::Agent(AgentSettings::new(program)));
        *home.provider() = ProviderSettings::agent(program);
        home.provider().timeout = Duration::from_secs(20);
        for role in home.settings.roles.values_mut() {
            *role = RoleSettings {
                main: ModelChoice::new("main", program.default_model()),
                fallback: None,
            };
        }
        let fake = Self { home, program };
        let (bin, seen) = (fake.home.path().join("bin"), fake.seen(""));
        let script = format!(
            "#!/bin/sh\nif [ \"$1\" = debug ]; then cat {seen}/../models 2>/dev/null; exit; fi\n\
             cd_is=$(pwd)\necho x >> {seen}/starts\nprintf '%s\\n' \"$@\" > {seen}/arguments\n\
             env | sort > {seen}/environment\necho $cd_is > {seen}/folder\nls -A > {seen}/listing\n\
             nice > {seen}/nice\ncat > {seen}/stdin\nSEEN={seen}\n{behaviour}\n"
        );
        fake.write(&format!("bin/{}", program.name()), &script);
        let path = bin.join(program.name());
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).unwrap();
        fake.write("seen/starts", "");
        fake.write("user/.local/share/opencode/auth.json", "{}");
        let variables = [
            ("PATH", format!("{bin}:/usr/bin:/bin")),
            ("HOME", fake.home.path().join("user").into_string()),
            ("ANTHROPIC_API_KEY", "sk-ant-canary-0123456789".to_owned()),
            ("OPENAI_API_KEY", "sk-canary-0123456789".to_owned()),
            ("AWS_SECRET_ACCESS_KEY", "aws-canary-0123456789".to_owned()),
            ("CLAUDECODE", "1".to_owned()),
            ("HTTPS_PROXY", "http://proxy.example:3128".to_owned()),
        ];
        let mut fake = fake;
        for (name, value) in variables {
            fake.home.environment.insert(name.to_owned(), value);
        }
        fake
    }

    /// Creates a program that answers with this text on stdout.
    fn saying(program: Program, stdout: &str) -> Self {
        let fake = Self::new(program, "cat \"$SEEN/../answer\"");
        fake.write("answer", stdout);
        fake
    }

    fn write(&self, relative: &str, text: &str) {
        let path = self.home.path().join(relative);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
        std::fs::write(path, text).unwrap();
    }

    fn seen(&self, name: &str) -> Utf8PathBuf {
        match name {
            "" => self.home.path().join("seen"),
            name => self.home.path().join("seen").join(name),
        }
    }

    fn read(&self, name: &str) -> String {
        std::fs::read_to_string(self.seen(name)).unwrap_or_default()
    }

    fn starts(&self) -> usize {
        self.read("starts").lines().count()
    }

    fn agent(&mut self) -> &mut AgentSettings {
        match &mut self.home.provider().kind {
            ProviderKind::Agent(agent) => agent,
            _ => panic!("it is an agent program"),
        }
    }

    fn fails(&self) -> LlmError {
        let session = self.home.session();
        session.complete(&ask_for_json("How many?")).unwrap_err()
    }

    /// Returns all files below the folder in which programs run.
    fn left(&self) -> Vec<String> {
        let folder = self.home.path().join("model").join(self.program.name());
        let entries = folder.read_dir_utf8().unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().to_owned())
            .collect();
        names.sort();
        names
    }
}

/// A program, its output, the tokens in it, and the price it reports.
type WellSaid = (Program, &'static str, Option<(u64, u64)>, f64);

/// Output of each program on success.
const ANSWERS: [WellSaid; 5] = [
    (
        Program::Claude,
        r#"{"type":"result","subtype":"success","is_error":false,"result":"x","structured_output":{"answer":7},"total_cost_usd":0.25,"usage":{"input_tokens":10,"cache_read_input_tokens":3,"cache_creation_input_tokens":2,"output_tokens":4}}"#,
        Some((15, 4)),
        0.25,
    ),
    (
        Program::Codex,
        concat!(
            r#"{"type":"thread.started","thread_id":"t"}"#,
            "\n",
            r#"{"type":"item.completed","item":{"type":"error","message":"a warning"}}"#,
            "\n",
            r#"{"type":"item.completed","item":{"type":"agent_message","text":"{\"answer\":7}"}}"#,
            "\n",
            r#"{"type":"turn.completed","usage":{"input_tokens":15,"cached_input_tokens":3,"output_tokens":4}}"#,
        ),
        Some((15, 4)),
        0.0,
    ),
    (
        Program::OpenCode,
        concat!(
            r#"{"type":"step_start","part":{}}"#,
            "\n",
            r#"{"type":"text","part":{"text":"{\"answer\":7}"}}"#,
            "\n",
            r#"{"type":"step_finish","part":{"tokens":{"input":10,"output":3,"reasoning":1,"cache":{"read":3,"write":2}},"cost":0.5}}"#,
        ),
        Some((15, 4)),
        0.5,
    ),
    (
        Program::Copilot,
        concat!(
            r#"{"type":"user.message","data":{"content":"How many?"}}"#,
            "\n",
            r#"{"type":"assistant.message","data":{"content":"{\"answer\":7}"}}"#,
            "\n",
            r#"{"type":"result","exitCode":0,"usage":{"premiumRequests":1}}"#,
        ),
        None,
        0.0,
    ),
    (
        Program::Gemini,
        r#"{"response":"{\"answer\":7}","stats":{"models":{"m":{"tokens":{"input":12,"prompt":15,"candidates":3,"thoughts":1,"cached":3}}}}}"#,
        Some((15, 4)),
        0.0,
    ),
];
