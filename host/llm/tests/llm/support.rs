//! A home for models in a temporary folder, with a clock that only moves on request.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use acreta_fs::{Directory, NoFaults};
use acreta_llm::{
    Budget, Clock, CommandSettings, DayLedger, Endpoint, FileLedger, Llm, LlmSession, Message,
    Mode, ModelChoice, OpenAiSettings, OutputLimit, PriceTable, ProviderKind, ProviderSettings,
    Purpose, Request, RoleSettings, Run, Settings, Speaker, Stores, StructuredOutput, Surroundings,
};
use acreta_redact::Redactor;
use camino::{Utf8Path, Utf8PathBuf};
use tempfile::TempDir;

use crate::server::ScriptedServer;

pub(crate) const KEY: &str = "canary-key-0123456789abcdef";

pub(crate) const SCHEMA: &str = r#"{
    "type": "object",
    "properties": { "answer": { "type": "integer", "minimum": 1 } },
    "required": ["answer"],
    "additionalProperties": false
}"#;

pub(crate) struct ModelHome {
    folder: Arc<TempDir>,
    pub(crate) clock: Arc<FakeClock>,
    pub(crate) settings: Settings,
    pub(crate) environment: BTreeMap<String, String>,
    pub(crate) mode: Mode,
    /// Replaces the ledger in a file.
    pub(crate) ledger: Option<Arc<dyn DayLedger>>,
}

/// A session that keeps its home alive.
pub(crate) struct TestSession {
    session: LlmSession,
    _folder: Arc<TempDir>,
}

impl std::ops::Deref for TestSession {
    type Target = LlmSession;

    fn deref(&self) -> &LlmSession {
        &self.session
    }
}

/// Sleeping takes no time but is recorded.
pub(crate) struct FakeClock {
    pub(crate) now_ms: Mutex<u64>,
    elapsed: Mutex<Duration>,
    pub(crate) slept: Mutex<Vec<Duration>>,
}

impl Clock for FakeClock {
    fn now_ms(&self) -> u64 {
        *self.now_ms.lock().unwrap()
    }

    fn elapsed(&self) -> Duration {
        *self.elapsed.lock().unwrap()
    }

    fn sleep(&self, duration: Duration) {
        *self.elapsed.lock().unwrap() += duration;
        self.slept.lock().unwrap().push(duration);
    }

    fn utc_offset_seconds(&self) -> i32 {
        3_600
    }
}

impl FakeClock {
    pub(crate) fn slept(&self) -> Vec<Duration> {
        self.slept.lock().unwrap().clone()
    }

    pub(crate) fn set(&self, now_ms: u64) {
        *self.now_ms.lock().unwrap() = now_ms;
    }
}

impl ModelHome {
    /// Creates a home without providers.
    pub(crate) fn empty() -> Self {
        let environment = [
            ("TEST_KEY".to_owned(), KEY.to_owned()),
            ("PATH".to_owned(), "/usr/bin:/bin".to_owned()),
            ("HOME".to_owned(), "/nowhere".to_owned()),
        ];
        Self {
            folder: Arc::new(tempfile::tempdir().unwrap()),
            clock: Arc::new(FakeClock {
                now_ms: Mutex::new(1_800_000_000_000),
                elapsed: Mutex::new(Duration::ZERO),
                slept: Mutex::new(Vec::new()),
            }),
            settings: Settings {
                prices: PriceTable::empty(),
                ..Settings::default()
            },
            environment: environment.into(),
            mode: Mode::Live,
            ledger: None,
        }
    }

    pub(crate) fn anthropic(server: &ScriptedServer) -> Self {
        Self::with(ProviderKind::Anthropic(endpoint(&server.url())))
    }

    pub(crate) fn openai(server: &ScriptedServer) -> Self {
        Self::with(openai(server))
    }

    pub(crate) fn command(script: &str) -> Self {
        Self::with(ProviderKind::Command(CommandSettings {
            program: "sh".to_owned(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            ..CommandSettings::default()
        }))
    }

    /// Configures one provider `main` with the model `model` for every purpose.
    pub(crate) fn with(kind: ProviderKind) -> Self {
        let mut home = Self::empty();
        let mut provider = ProviderSettings::new(kind);
        provider.timeout = Duration::from_secs(20);
        home.settings.providers.insert("main".to_owned(), provider);
        for purpose in Purpose::ALL {
            let role = RoleSettings {
                main: ModelChoice::new("main", "model"),
                fallback: None,
            };
            home.settings.roles.insert(purpose, role);
        }
        home
    }

    pub(crate) fn budget(mut self, budget: Budget) -> Self {
        self.settings.budget = budget;
        self
    }

    pub(crate) fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    pub(crate) fn provider(&mut self) -> &mut ProviderSettings {
        self.settings.providers.get_mut("main").unwrap()
    }

    /// Adds a second provider that is asked when `main` fails.
    pub(crate) fn fall_back_on(&mut self, kind: ProviderKind) {
        let provider = ProviderSettings::new(kind);
        self.settings
            .providers
            .insert("second".to_owned(), provider);
        for role in self.settings.roles.values_mut() {
            role.fallback = Some(ModelChoice::new("second", "other"));
        }
    }

    pub(crate) fn path(&self) -> &Utf8Path {
        Utf8Path::from_path(self.folder.path()).unwrap()
    }

    pub(crate) fn clock_ms(&self) -> u64 {
        self.clock.now_ms()
    }

    #[cfg(unix)]
    pub(crate) fn ledger_folder(&self) -> Directory {
        Directory::open_or_create(&self.path().join("ledger"), NoFaults::shared()).unwrap()
    }

    pub(crate) fn run_folder(&self) -> Utf8PathBuf {
        let run = self.path().join("run");
        std::fs::create_dir_all(&run).unwrap();
        run
    }

    pub(crate) fn llm(&self) -> Llm {
        let store = |name: &str| {
            Directory::open_or_create(&self.path().join(name), NoFaults::shared()).unwrap()
        };
        let around = Surroundings {
            environment: self.environment.clone(),
            redactor: Arc::new(Redactor::new(&[]).unwrap()),
            stores: Stores {
                cache: store("cache"),
                limits: store("ledger"),
            },
            ledger: self
                .ledger
                .clone()
                .unwrap_or_else(|| Arc::new(FileLedger::new(&store("ledger")))),
            programs: self.path().join("model"),
            clock: Arc::clone(&self.clock) as Arc<dyn Clock>,
            seed: 7,
        };
        Llm::new(self.settings.clone(), around, self.mode.clone()).unwrap()
    }

    pub(crate) fn session(&self) -> TestSession {
        let session = self.llm().session(Run {
            id: "run-1".to_owned(),
            folder: self.run_folder(),
        });
        TestSession {
            session,
            _folder: Arc::clone(&self.folder),
        }
    }

    /// Returns every byte of every file in it.
    pub(crate) fn all_files(&self) -> String {
        fn collect(folder: &Utf8Path, into: &mut String) {
            for entry in folder.read_dir_utf8().unwrap() {
                let path = entry.unwrap().path().to_owned();
                into.push_str(path.as_str());
                if path.is_dir() {
                    collect(&path, into);
                } else {
                    into.push_str(&String::from_utf8_lossy(&std::fs::read(&path).unwrap()));
                }
            }
        }
        let mut all = String::new();
        collect(self.path(), &mut all);
        all
    }
}

pub(crate) fn endpoint(base_url: &str) -> Endpoint {
    Endpoint {
        base_url: base_url.to_owned(),
        key_env: Some("TEST_KEY".to_owned()),
    }
}

pub(crate) fn openai(server: &ScriptedServer) -> ProviderKind {
    ProviderKind::OpenAi(OpenAiSettings {
        endpoint: endpoint(&server.url()),
        structured_output: StructuredOutput::Schema,
        output_limit: OutputLimit::MaxTokens,
    })
}

pub(crate) fn ask(words: &str) -> Request {
    Request {
        purpose: Purpose::Extract,
        messages: vec![
            Message::new(Speaker::System, "You are brief."),
            Message::new(Speaker::User, words),
        ],
        json_schema: None,
        max_output_tokens: 100,
    }
}

pub(crate) fn ask_for_json(words: &str) -> Request {
    Request {
        json_schema: Some(SCHEMA.to_owned()),
        ..ask(words)
    }
}
