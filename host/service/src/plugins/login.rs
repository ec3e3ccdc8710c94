//! Finds the login at a registry where the user's container tools keep it, and runs the credential helper that is named
//! there. acreta stores no login of its own.

use std::io::Write;
use std::process::{Command, Stdio};

use acreta_fs::{Directory, NoFaults};
use acreta_plugin_registry::{FetchOptions, Login, LoginSource, Source, login_of};
use camino::Utf8PathBuf;

use crate::{Context, Failure, Kind};

/// Maximum size of a configuration.
const FILE_BYTES: u64 = 1024 * 1024;

/// Returns the options to fetch a source with.
pub(crate) fn options(source: &Source, context: &Context) -> Result<FetchOptions, Failure> {
    let login = match source {
        Source::Oci(reference) => login(&reference.registry, context)?,
        _ => None,
    };
    Ok(FetchOptions {
        login,
        ..FetchOptions::default()
    })
}

fn login(registry: &str, context: &Context) -> Result<Option<Login>, Failure> {
    for file in files(context) {
        let folder = file.parent().unwrap_or(&file);
        let text = Directory::open(folder, NoFaults::shared()).and_then(|folder| {
            folder.read_to_string(file.file_name().unwrap_or_default(), FILE_BYTES)
        });
        let text = match text {
            Err(error) if error.is_not_found() => continue,
            other => other?,
        };
        let Some(sources) = login_of(&text, registry) else {
            context.warn_once(&format!(
                "`{file}` is not a configuration of logins; ignored"
            ));
            continue;
        };
        for source in sources {
            let login = match source {
                LoginSource::Given(login) => Some(login),
                LoginSource::Helper { name, server } => asked(&name, &server)?,
            };
            if login.is_some() {
                return Ok(login);
            }
        }
    }
    Ok(None)
}

/// Lists the files in which container tools keep logins, in the order of their precedence.
fn files(context: &Context) -> Vec<Utf8PathBuf> {
    let variable = |name: &str| {
        let value = context.environment.get(name);
        value
            .filter(|value| !value.is_empty())
            .map(Utf8PathBuf::from)
    };
    let home = |path: &str| context.home.user().map(|home| home.join(path));
    let docker = variable("DOCKER_CONFIG").or_else(|| home(".docker"));
    let all = [
        variable("REGISTRY_AUTH_FILE"),
        docker.map(|folder| folder.join("config.json")),
        variable("XDG_RUNTIME_DIR").map(|folder| folder.join("containers/auth.json")),
        home(".config/containers/auth.json"),
    ];
    all.into_iter().flatten().collect()
}

/// Asks a credential helper for the login at a server; `None` if it has none.
fn asked(name: &str, server: &str) -> Result<Option<Login>, Failure> {
    let program = format!("docker-credential-{name}");
    let failed = |error: std::io::Error| {
        Failure::new(
            Kind::Failure,
            format!("`{program}` could not be run: {error}"),
        )
        .hint("your container tools' configuration names it as the helper for logins")
    };
    let mut child = Command::new(&program)
        .arg("get")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .map_err(failed)?;
    if let Some(mut input) = child.stdin.take() {
        // A helper that answers without reading closes the pipe.
        let _ = writeln!(input, "{server}");
    }
    let output = child.wait_with_output().map_err(failed)?;
    let reply = String::from_utf8_lossy(&output.stdout);
    Ok(Login::of_helper(&reply).filter(|_| output.status.success()))
}
