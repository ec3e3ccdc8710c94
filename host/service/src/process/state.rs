//! The only place that decides where the state database is: a file in acreta's folder or, with `state.url`, a server
//! that a team shares. A repository's config cannot set it, and a password comes from the environment only.

use acreta_state::StateLocation;

use crate::{Context, Failure, Kind};

/// The setting with the server's address.
pub(crate) const URL: &str = "state.url";

/// The variable with the server's address, which may contain a password. It is not a setting, so that no list of
/// settings shows it.
pub(crate) const URL_VARIABLE: &str = "ACRETA_STATE_URL";

/// Returns the location of the state database.
pub fn location(context: &Context) -> Result<StateLocation, Failure> {
    // A frozen run depends on nothing of the user's own.
    let address = match context.is_frozen() {
        true => None,
        false => address(context),
    };
    match address {
        None => Ok(StateLocation::File(context.home.state_file())),
        Some(address) => server(context, &address),
    }
}

/// An address and where it was set.
#[cfg_attr(
    not(feature = "team"),
    expect(dead_code, reason = "only the feature `team` connects to it")
)]
struct StateAddress<'a> {
    url: &'a str,
    is_variable: bool,
}

fn address(context: &Context) -> Option<StateAddress<'_>> {
    let of = |url: &'_ str| !url.trim().is_empty();
    let variable = context.environment.get(URL_VARIABLE).map(String::as_str);
    if let Some(url) = variable.filter(|url| of(url)) {
        return Some(StateAddress {
            url: url.trim(),
            is_variable: true,
        });
    }
    let url = context.config.text(URL).trim();
    of(url).then_some(StateAddress {
        url,
        is_variable: false,
    })
}

/// Fails for a setting that only a build with the feature `team` can use.
pub(crate) fn check_setting(key: &str, value: &str) -> Result<(), Failure> {
    let needs_team =
        key == URL && !value.trim().is_empty() || key == "archive.url" && value.starts_with("s3:");
    if cfg!(feature = "team") || !needs_team {
        return Ok(());
    }
    let message =
        format!("`{key}` cannot be `{value}`: this acreta was built without the feature `team`");
    Err(Failure::new(Kind::Refused, message)
        .hint("build it with `cargo build --release -p acreta --features team`"))
}

#[cfg(not(feature = "team"))]
fn server(_context: &Context, address: &StateAddress<'_>) -> Result<StateLocation, Failure> {
    let name = if address.is_variable {
        URL_VARIABLE
    } else {
        URL
    };
    let message = format!("`{name}` is set, but this acreta was built without the feature `team`");
    Err(Failure::new(Kind::Failure, message).hint(
        "build it with `cargo build --release -p acreta --features team`, or unset it to use the file",
    ))
}

#[cfg(feature = "team")]
fn server(context: &Context, address: &StateAddress<'_>) -> Result<StateLocation, Failure> {
    use std::sync::Arc;

    use acreta_state::Server;

    let name = if address.is_variable {
        URL_VARIABLE
    } else {
        URL
    };
    let server =
        Server::new(address.url, certificates(context, "PGSSLROOTCERT")?).map_err(|error| {
            Failure::new(Kind::Failure, format!("invalid `{name}`: {error}"))
                .hint("an address looks like `postgres://acreta@db.example/acreta`")
        })?;
    if server.has_password() && !address.is_variable {
        let message = format!("`{name}` contains a password, which does not belong in a file");
        return Err(Failure::new(Kind::Refused, message).hint(format!(
            "remove it there, and set `PGPASSWORD`, or the whole address as `{URL_VARIABLE}`"
        )));
    }
    let server = match context.environment.get("PGPASSWORD") {
        Some(password) => server.or_password(password),
        None => server,
    };
    let machine = match context.process.worker {
        Some(number) => format!("{}-worker-{number}", machine(context)?),
        None => machine(context)?,
    };
    let server = server.for_machine(&machine);
    Ok(StateLocation::Server(Arc::new(server)))
}

/// Name of the file with this machine's id.
#[cfg(feature = "team")]
const MACHINE: &str = "machine";

/// Returns the id of this machine among those that share the state. It is chosen once, at random: host names repeat.
#[cfg(feature = "team")]
fn machine(context: &Context) -> Result<String, Failure> {
    use std::time::Duration;

    use acreta_fs::{Directory, NoFaults};

    use crate::process::clock::seed;

    const MOST_BYTES: u64 = 256;
    const WAIT: Duration = Duration::from_secs(5);
    let home = Directory::open_or_create_private(context.home.folder(), NoFaults::shared())?;
    let known = || match home.read_to_string(MACHINE, MOST_BYTES) {
        Ok(text) => Ok(Some(text.trim().to_owned()).filter(|id| !id.is_empty())),
        Err(error) if error.is_not_found() => Ok(None),
        Err(error) => Err(Failure::from(error)),
    };
    if let Some(id) = known()? {
        return Ok(id);
    }
    let _lock = home.lock("machine.lock", WAIT)?;
    if let Some(id) = known()? {
        return Ok(id);
    }
    let id = format!("{:016x}{:016x}", seed(), seed());
    home.replace(MACHINE, format!("{id}\n").as_bytes())?;
    Ok(id)
}

/// Reads the file of certificates that a variable names.
#[cfg(feature = "team")]
pub(crate) fn certificates(context: &Context, variable: &str) -> Result<Option<Vec<u8>>, Failure> {
    use acreta_fs::{Directory, NoFaults};
    use camino::Utf8Path;

    const MOST_BYTES: u64 = 1024 * 1024;
    let Some(path) = context.environment.get(variable) else {
        return Ok(None);
    };
    let path = Utf8Path::new(path);
    let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else {
        let message = format!("`{variable}` is not a file: `{path}`");
        return Err(Failure::saying(message));
    };
    let folder = if folder.as_str().is_empty() {
        Utf8Path::new(".")
    } else {
        folder
    };
    let bytes = Directory::open(folder, NoFaults::shared())?.read(name, MOST_BYTES)?;
    Ok(Some(bytes))
}
