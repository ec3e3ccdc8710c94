//! The environment of an agent program: the variables it needs to run and to find its own login, and no others.

use std::collections::BTreeMap;

use camino::{Utf8Path, Utf8PathBuf};

use super::Program;

/// Returns the environment of a program. A key of the user's is included only if `key` says so: otherwise the program
/// would use and bill it instead of its plan.
pub(crate) fn passed_on(
    program: Program,
    environment: &BTreeMap<String, String>,
    key: Option<&str>,
) -> BTreeMap<String, String> {
    let uses = |variable: &str| environment.get(variable).is_some_and(|value| is_on(value));
    let clouds: Vec<&str> = [
        (program == Program::Claude && uses("CLAUDE_CODE_USE_BEDROCK")).then_some("AWS_"),
        (program == Program::Claude && uses("CLAUDE_CODE_USE_VERTEX")).then_some("GOOGLE_"),
        (program == Program::Claude && uses("CLAUDE_CODE_USE_VERTEX")).then_some("VERTEX_"),
        (program == Program::Claude && uses("CLAUDE_CODE_USE_FOUNDRY")).then_some("AZURE_"),
    ]
    .into_iter()
    .flatten()
    .collect();
    let own = own_variables(program);
    let wanted = |name: &str| {
        let whole = |list: &[&str]| list.contains(&name);
        let start = |list: &[&str]| list.iter().any(|start| name.starts_with(start));
        whole(&COMMON) || start(&["LC_"]) || whole(own) || start(&clouds)
    };
    let mut passed: BTreeMap<String, String> = environment
        .iter()
        .filter(|(name, _)| wanted(name))
        .map(|(name, value)| (name.clone(), value.clone()))
        .collect();
    if let Some((variable, value)) =
        key_variable(program).zip(key.and_then(|key| environment.get(key)))
    {
        passed.insert(variable.to_owned(), value.clone());
    }
    // Makes acreta's own hooks exit at once if they run anyway.
    passed.insert("ACRETA_CHILD".to_owned(), "1".to_owned());
    passed
}

/// Searches `PATH` for an executable, as a shell does.
pub(crate) fn found_on_path(
    program: &str,
    environment: &BTreeMap<String, String>,
) -> Option<Utf8PathBuf> {
    let path = environment.get("PATH")?;
    let separator = if cfg!(windows) { ';' } else { ':' };
    path.split(separator)
        .filter(|folder| Utf8Path::new(folder).is_absolute())
        .flat_map(|folder| {
            let names = EXECUTABLE_ENDINGS.map(|ending| format!("{program}{ending}"));
            names.map(|name| Utf8Path::new(folder).join(name))
        })
        .find(|candidate| is_executable(candidate))
}

/// Returns the variable from which a program reads a key.
fn key_variable(program: Program) -> Option<&'static str> {
    match program {
        Program::Claude => Some("ANTHROPIC_API_KEY"),
        Program::Codex => Some("CODEX_API_KEY"),
        Program::Copilot => Some("COPILOT_PROVIDER_API_KEY"),
        Program::Gemini => Some("GEMINI_API_KEY"),
        // Each of its providers has its own variable, named in its config.
        Program::OpenCode => None,
    }
}

fn own_variables(program: Program) -> &'static [&'static str] {
    match program {
        Program::Claude => &CLAUDE,
        Program::Codex => &CODEX,
        Program::OpenCode => &OPENCODE,
        Program::Copilot => &COPILOT,
        Program::Gemini => &GEMINI,
    }
}

fn is_on(value: &str) -> bool {
    !matches!(value.trim(), "" | "0" | "false")
}

#[cfg(unix)]
fn is_executable(path: &Utf8Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Utf8Path) -> bool {
    path.is_file()
}

#[cfg(unix)]
const EXECUTABLE_ENDINGS: [&str; 1] = [""];
#[cfg(not(unix))]
const EXECUTABLE_ENDINGS: [&str; 3] = [".exe", ".cmd", ".bat"];

/// Needed to run at all, to reach the network as configured, and to use the system's key store.
const COMMON: [&str; 38] = [
    "ALL_PROXY",
    "APPDATA",
    "COMSPEC",
    "DBUS_SESSION_BUS_ADDRESS",
    "HOME",
    "HOMEDRIVE",
    "HOMEPATH",
    "HTTPS_PROXY",
    "HTTP_PROXY",
    "LANG",
    "LOCALAPPDATA",
    "LOGNAME",
    "NODE_EXTRA_CA_CERTS",
    "NO_PROXY",
    "PATH",
    "PATHEXT",
    "PROGRAMDATA",
    "PROGRAMFILES",
    "SHELL",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "SYSTEMROOT",
    "TEMP",
    "TMP",
    "TMPDIR",
    "TZ",
    "USER",
    "USERPROFILE",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME",
    "XDG_DATA_HOME",
    "XDG_RUNTIME_DIR",
    "XDG_STATE_HOME",
    "all_proxy",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "windir",
];

const CLAUDE: [&str; 24] = [
    "ANTHROPIC_AUTH_TOKEN",
    "ANTHROPIC_BASE_URL",
    "ANTHROPIC_BEDROCK_BASE_URL",
    "ANTHROPIC_CUSTOM_HEADERS",
    "ANTHROPIC_DEFAULT_HAIKU_MODEL",
    "ANTHROPIC_DEFAULT_OPUS_MODEL",
    "ANTHROPIC_DEFAULT_SONNET_MODEL",
    "ANTHROPIC_FOUNDRY_BASE_URL",
    "ANTHROPIC_FOUNDRY_RESOURCE",
    "ANTHROPIC_SMALL_FAST_MODEL",
    "ANTHROPIC_VERTEX_BASE_URL",
    "ANTHROPIC_VERTEX_PROJECT_ID",
    "CLAUDE_CODE_CLIENT_CERT",
    "CLAUDE_CODE_CLIENT_KEY",
    "CLAUDE_CODE_OAUTH_TOKEN",
    "CLAUDE_CODE_SKIP_BEDROCK_AUTH",
    "CLAUDE_CODE_SKIP_VERTEX_AUTH",
    "CLAUDE_CODE_USE_BEDROCK",
    "CLAUDE_CODE_USE_FOUNDRY",
    "CLAUDE_CODE_USE_VERTEX",
    "CLAUDE_CONFIG_DIR",
    "CLOUD_ML_REGION",
    "DISABLE_ERROR_REPORTING",
    "DISABLE_TELEMETRY",
];

const CODEX: [&str; 3] = ["CODEX_CA_CERTIFICATE", "CODEX_HOME", "OPENAI_BASE_URL"];

const OPENCODE: [&str; 1] = ["OPENCODE_API_KEY"];

const COPILOT: [&str; 15] = [
    "COPILOT_GITHUB_TOKEN",
    "COPILOT_MODEL",
    "COPILOT_OFFLINE",
    "COPILOT_PROVIDER_AZURE_API_VERSION",
    "COPILOT_PROVIDER_BASE_URL",
    "COPILOT_PROVIDER_MAX_OUTPUT_TOKENS",
    "COPILOT_PROVIDER_MAX_PROMPT_TOKENS",
    "COPILOT_PROVIDER_MODEL_ID",
    "COPILOT_PROVIDER_TYPE",
    "COPILOT_PROVIDER_WIRE_API",
    "COPILOT_PROVIDER_WIRE_MODEL",
    "GH_CONFIG_DIR",
    "GH_HOST",
    "GH_TOKEN",
    "GITHUB_TOKEN",
];

const GEMINI: [&str; 13] = [
    "GEMINI_API_KEY",
    "GEMINI_API_KEY_AUTH_MECHANISM",
    "GEMINI_CLI_HOME",
    "GOOGLE_API_KEY",
    "GOOGLE_APPLICATION_CREDENTIALS",
    "GOOGLE_CLOUD_ACCESS_TOKEN",
    "GOOGLE_CLOUD_LOCATION",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_CLOUD_PROJECT_ID",
    "GOOGLE_GEMINI_BASE_URL",
    "GOOGLE_GENAI_USE_GCA",
    "GOOGLE_GENAI_USE_VERTEXAI",
    "GOOGLE_VERTEX_BASE_URL",
];
