//! `acreta serve|up|down|logs|dashboard`: the daemon in the foreground or background, its log and its pages.

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use acreta_server::Control;
use acreta_server::daemon::background::{self, Supervisor};
use acreta_server::daemon::client::{Client, LoginPage};
use acreta_server::daemon::place::{DaemonAddress, token};
use acreta_server::daemon::{Listen, place};
use acreta_service::{Failure, process::logs, projects::scopes};
use camino::{Utf8Path, Utf8PathBuf};

use crate::args::{DashboardArguments, LogsArguments, ServeArguments};
use crate::context::Context;
use crate::output::{json, line, talk, warn};
use crate::watch;

pub(crate) fn serve(arguments: &ServeArguments, context: &Context) -> Result<(), Failure> {
    let is_told = acreta_server::daemon::keep_little();
    tracing::debug!(is_told, "freed memory goes back to the system");
    context.process.kept.keep_up_to_date();
    let listen = Listen {
        host: arguments.host.clone(),
        port: arguments.port,
    };
    let control = Control::default();
    let ends = control.clone();
    watch::on_interrupt(move || ends.shut_down());
    acreta_server::daemon::run(context, &program()?, &listen, &control, |url| {
        talk(&format!("listening on {url}; `acreta dashboard` opens it"));
    })
}

pub(crate) fn up(context: &Context) -> Result<(), Failure> {
    let keeper = Supervisor::here(&context.environment);
    replace_old(context, keeper)?;
    let was = place::running(context.home.folder())?;
    let address = background::up(context, &program()?, keeper)?;
    if context.json {
        json(&address);
        return Ok(());
    }
    let how = match keeper {
        Supervisor::Itself => String::new(),
        keeper => format!(", kept by {}", keeper.name()),
    };
    let what = match was {
        Some(_) => "the daemon is running already",
        None => "the daemon is running",
    };
    talk(&format!(
        "{what} at {} (process {}{how})",
        address.url, address.process_id
    ));
    Ok(())
}

/// Stops a daemon of an older version, which goes on with that version's program and may not read newer state.
fn replace_old(context: &Context, keeper: Supervisor) -> Result<(), Failure> {
    if let Some(old) = place::running_old(context.home.folder()) {
        talk(&format!("stopping the daemon of acreta {}", old.version));
        background::down(context, keeper)?;
    }
    Ok(())
}

/// Says that an older daemon runs.
pub(crate) fn warn_of_old(context: &Context) {
    if let Some(old) = place::running_old(context.home.folder()) {
        warn(&format!(
            "the daemon is still acreta {}: `acreta up` starts it anew",
            old.version
        ));
    }
}

/// Starts the daemon anew with a program that was replaced; does nothing if none runs.
pub(crate) fn restart(program: &Utf8Path, home: &Utf8Path) -> Result<(), Failure> {
    if place::running(home)?.is_none() {
        return Ok(());
    }
    for word in ["down", "up"] {
        let ended = Command::new(program)
            .arg(word)
            .stdin(Stdio::null())
            .status();
        if !ended.is_ok_and(|status| status.success()) {
            return Err(Failure::saying(format!("`{program} {word}` failed")));
        }
    }
    Ok(())
}

pub(crate) fn down(context: &Context) -> Result<(), Failure> {
    let ended = background::down(context, Supervisor::here(&context.environment))?;
    if context.json {
        json(&serde_json::json!({ "ended": ended }));
    } else {
        talk(match ended {
            true => "the daemon stopped",
            false => "no daemon is running",
        });
    }
    Ok(())
}

pub(crate) fn dashboard(arguments: &DashboardArguments, context: &Context) -> Result<(), Failure> {
    replace_old(context, Supervisor::here(&context.environment))?;
    let address: DaemonAddress = match place::running(context.home.folder())? {
        Some(address) => address,
        None => {
            talk("starting the daemon; `acreta down` stops it");
            background::up(context, &program()?, Supervisor::here(&context.environment))?
        }
    };
    let client = Client {
        token: token(context.home.folder())?,
        address,
    };
    let registered = scopes::registered_projects(context)?;
    let own = registered.iter().find(|root| **root == context.project);
    let url = client.login_url(own.map(Utf8PathBuf::as_path))?;
    if arguments.print || !opened(&client, &LoginPage::write(&context.home, &url)?)? {
        line(&url);
    } else {
        talk(&format!("opened {}", client.address.url));
    }
    Ok(())
}

pub(crate) fn logs(arguments: &LogsArguments, context: &Context) -> Result<(), Failure> {
    if let Some(about) = arguments.about() {
        let events = logs::about(&about, context)?;
        match context.json {
            true => json(&events),
            false => events.iter().for_each(|event| line(&logs::line(event))),
        }
        return Ok(());
    }
    let path = match arguments.daemon {
        true => background::log(context),
        false => logs::path(context),
    };
    let (lines, mut place) = logs::tail(&path, arguments.lines)?;
    if context.json {
        json(&lines);
        return Ok(());
    }
    lines.iter().for_each(|text| line(text));
    if !arguments.follow {
        return Ok(());
    }
    watch::catch_interrupts();
    while !watch::is_interrupted() {
        let (lines, end) = logs::lines_after(&path, place)?;
        place = end;
        lines.iter().for_each(|text| line(text));
        let _ = std::io::stdout().flush();
        std::thread::sleep(Duration::from_millis(200));
    }
    Ok(())
}

pub(crate) fn program() -> Result<Utf8PathBuf, Failure> {
    let program = std::env::current_exe().map_err(|error| {
        Failure::saying(format!(
            "the path of the acreta program is unknown: {error}"
        ))
    })?;
    Utf8PathBuf::from_path_buf(program).map_err(|path| {
        let message = format!("the path of acreta `{}` is not UTF-8", path.display());
        Failure::saying(message)
    })
}

/// Opens the page in a browser and waits until it was read; returns whether a browser could be started.
fn opened(client: &Client, page: &LoginPage) -> Result<bool, Failure> {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    let started = Command::new(program)
        .arg(page.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn();
    let Ok(mut browser) = started else {
        return Ok(false);
    };
    while client.is_login_waiting()? {
        // Windows' explorer returns 1 although it worked.
        let ended = browser.try_wait().ok().flatten();
        if ended.is_some_and(|status| !status.success() && !cfg!(windows)) {
            return Ok(false);
        }
        std::thread::sleep(Duration::from_millis(100));
    }
    Ok(true)
}
