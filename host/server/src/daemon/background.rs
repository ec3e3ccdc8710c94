//! The daemon in the background: under systemd or launchd if the user's session has one, and otherwise as a detached
//! process. On Windows a scheduled task starts that process again at each login.

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use acreta_config::Environment;
use acreta_fs::{Directory, NoFaults};
use acreta_service::process::logs::LOGS;
use acreta_service::{Context, Failure, Kind, process::logs};
use camino::{Utf8Path, Utf8PathBuf};

use crate::daemon::place::{DaemonAddress, running};
use crate::daemon::run::check_address;

const UNIT: &str = "acreta.service";
const AGENT: &str = "dev.acreta.daemon";
const TASK: &str = "acreta";
/// The task as its scheduler reads it, in the folder of acreta.
const TASK_FILE: &str = "login-task.xml";

/// Number of polls while a daemon starts or stops.
const LOOKS: u32 = 300;
const LOOK: Duration = Duration::from_millis(50);

/// The supervisor of the daemon.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Supervisor {
    Systemd,
    Launchd,
    /// Starts it at login, and leaves it alone then.
    TaskScheduler,
    /// None: it runs until it ends or the machine stops.
    Itself,
}

impl Supervisor {
    /// Returns the supervisor of this machine.
    pub fn here(environment: &Environment) -> Self {
        if cfg!(target_os = "macos") {
            return Supervisor::Launchd;
        }
        if cfg!(windows) {
            return Supervisor::TaskScheduler;
        }
        let has_session = environment.contains_key("XDG_RUNTIME_DIR");
        let answers = || {
            quiet(Command::new("systemctl").args(["--user", "show-environment"]))
                .is_ok_and(|status| status.success())
        };
        match has_session && answers() {
            true => Supervisor::Systemd,
            false => Supervisor::Itself,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Supervisor::Systemd => "systemd",
            Supervisor::Launchd => "launchd",
            Supervisor::TaskScheduler => "the task scheduler",
            Supervisor::Itself => "nobody",
        }
    }
}

/// Starts the daemon unless it is running, and waits until it listens.
pub fn up(
    context: &Context,
    program: &Utf8Path,
    keeper: Supervisor,
) -> Result<DaemonAddress, Failure> {
    let folder = context.home.folder();
    if let Some(address) = running(folder)? {
        return Ok(address);
    }
    // A supervisor would start it again and again, and nobody would read why.
    check_address(&context.config)?;
    // There is no log before the first start.
    let log_end = logs::tail(&log(context), 0).map_or(0, |(_, end)| end);
    let mut started = None;
    match keeper {
        Supervisor::Systemd => {
            let units = units(context)?;
            units.replace(UNIT, unit(program).as_bytes())?;
            control("systemctl", &["--user", "daemon-reload"])?;
            control("systemctl", &["--user", "enable", "--now", UNIT])?;
        }
        Supervisor::Launchd => {
            let (agents, file) = agents(context)?;
            let log = log(context).to_string();
            agents.replace(&file, agent(program, &log).as_bytes())?;
            let path = agents.path().join(&file);
            control("launchctl", &["load", "-w", path.as_str()])?;
        }
        Supervisor::TaskScheduler => {
            started = Some(start(context, program)?);
            start_at_login(context, program)?;
        }
        Supervisor::Itself => started = Some(start(context, program)?),
    }
    for _ in 0..LOOKS {
        if let Some(address) = running(folder)? {
            return Ok(address);
        }
        let ended = started.as_mut().map(Child::try_wait);
        if matches!(ended, Some(Ok(Some(_)))) {
            break;
        }
        std::thread::sleep(LOOK);
    }
    let mut failure = Failure::saying("the daemon did not start")
        .hint("`acreta serve` runs it in the foreground; `acreta logs --daemon` shows its log");
    let said = logs::lines_after(&log(context), log_end).unwrap_or_default();
    failure.causes = said.0;
    Err(failure)
}

/// Stops the daemon and waits until it has ended; returns whether one was running.
pub fn down(context: &Context, keeper: Supervisor) -> Result<bool, Failure> {
    let folder = context.home.folder();
    let address = running(folder)?;
    match keeper {
        Supervisor::Systemd if units(context)?.exists(UNIT)? => {
            control("systemctl", &["--user", "disable", "--now", UNIT])?;
            units(context)?.remove_file(UNIT)?;
        }
        Supervisor::Launchd if agents(context)?.0.exists(agents(context)?.1)? => {
            let (agents, file) = agents(context)?;
            let path = agents.path().join(&file);
            control("launchctl", &["unload", "-w", path.as_str()])?;
            agents.remove_file(&file)?;
        }
        keeper => {
            if keeper == Supervisor::TaskScheduler {
                forget_login(context)?;
            }
            if let Some(address) = &address {
                stop(address)?;
            }
        }
    }
    for _ in 0..LOOKS {
        if running(folder)?.is_none() {
            return Ok(address.is_some());
        }
        std::thread::sleep(LOOK);
    }
    Err(Failure::new(Kind::Busy, "the daemon did not stop").hint("it may be finishing a run"))
}

/// Returns the path of its log.
pub fn log(context: &Context) -> Utf8PathBuf {
    context.home.folder().join(LOGS).join("daemon.log")
}

fn start(context: &Context, program: &Utf8Path) -> Result<Child, Failure> {
    let path = log(context);
    let folder = path.parent().unwrap_or(Utf8Path::new("."));
    let directory = Directory::open_or_create_private(folder, NoFaults::shared())?;
    // Created by the private directory, so that only the user may read it.
    directory.append(path.file_name().unwrap_or("daemon.log"), b"")?;
    let file = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(&path)
        .map_err(|error| Failure::saying(format!("`{path}` cannot be written: {error}")))?;
    let again = file
        .try_clone()
        .map_err(|error| Failure::saying(format!("`{path}` cannot be written: {error}")))?;
    let mut command = Command::new(program);
    command
        .arg("serve")
        .current_dir(&context.project)
        .stdin(Stdio::null())
        .stdout(file)
        .stderr(again);
    acreta_fs::detach(&mut command);
    command
        .spawn()
        .map_err(|error| Failure::saying(format!("`{program}` cannot be started: {error}")))
}

/// Registers the task that starts the daemon when this user logs in.
fn start_at_login(context: &Context, program: &Utf8Path) -> Result<(), Failure> {
    let variable = |name| context.environment.get(name).map(String::as_str);
    let user = match (variable("USERDOMAIN"), variable("USERNAME")) {
        (Some(domain), Some(user)) => format!("{domain}\\{user}"),
        (None, Some(user)) => user.to_owned(),
        _ => return Err(Failure::saying("the user's name is unknown").hint("set `USERNAME`")),
    };
    let text = task(program, home(context)?, &user);
    let bytes: Vec<u8> = ["\u{feff}", &text]
        .iter()
        .flat_map(|text| text.encode_utf16())
        .flat_map(u16::to_le_bytes)
        .collect();
    let folder = acreta_folder(context)?;
    folder.replace(TASK_FILE, &bytes)?;
    let path = folder.path().join(TASK_FILE);
    let create = ["/Create", "/F", "/TN", TASK, "/XML", path.as_str()];
    control("schtasks", &create).map_err(|failure| {
        failure.hint("the daemon runs, and ends when you log out; `acreta up` starts it again")
    })
}

/// Removes the task of `start_at_login`, if there is one.
fn forget_login(context: &Context) -> Result<(), Failure> {
    let folder = acreta_folder(context)?;
    if folder.exists(TASK_FILE)? {
        control("schtasks", &["/Delete", "/F", "/TN", TASK])?;
        folder.remove_file(TASK_FILE)?;
    }
    Ok(())
}

fn acreta_folder(context: &Context) -> Result<Directory, Failure> {
    let folder = context.home.folder();
    Ok(Directory::open_or_create_private(
        folder,
        NoFaults::shared(),
    )?)
}

#[cfg(unix)]
fn stop(address: &DaemonAddress) -> Result<(), Failure> {
    let id = i32::try_from(address.process_id).ok();
    let id = id.and_then(rustix::process::Pid::from_raw);
    let told = id.map(|id| rustix::process::kill_process(id, rustix::process::Signal::TERM));
    match told {
        Some(Ok(())) => Ok(()),
        _ => Err(Failure::saying(format!(
            "process {} could not be signalled",
            address.process_id
        ))),
    }
}

/// Ends the process at once, because a program without a window cannot be asked to. State is always consistent, and
/// jobs stop when their daemon has ended.
#[cfg(windows)]
fn stop(address: &DaemonAddress) -> Result<(), Failure> {
    let id = address.process_id.to_string();
    control("taskkill", &["/F", "/PID", &id])
}

fn units(context: &Context) -> Result<Directory, Failure> {
    let folder = match context.environment.get("XDG_CONFIG_HOME") {
        Some(folder) if Utf8Path::new(folder).is_absolute() => Utf8PathBuf::from(folder),
        _ => home(context)?.join(".config"),
    };
    Ok(Directory::open_or_create(
        &folder.join("systemd/user"),
        NoFaults::shared(),
    )?)
}

fn agents(context: &Context) -> Result<(Directory, String), Failure> {
    let folder = home(context)?.join("Library/LaunchAgents");
    let directory = Directory::open_or_create(&folder, NoFaults::shared())?;
    Ok((directory, format!("{AGENT}.plist")))
}

fn home(context: &Context) -> Result<&Utf8Path, Failure> {
    let home = context.home.user();
    home.ok_or_else(|| Failure::saying("the home folder is unknown").hint("set `HOME`"))
}

fn control(program: &str, arguments: &[&str]) -> Result<(), Failure> {
    let words = || format!("{program} {}", arguments.join(" "));
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::null());
    if cfg!(windows) {
        // A service that the program starts may inherit its output, which would then never end.
        command.stdout(Stdio::null()).stderr(Stdio::null());
    }
    let output = command
        .output()
        .map_err(|error| Failure::saying(format!("`{}` cannot be started: {error}", words())))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let said = match said.trim() {
        "" => output.status.to_string(),
        said => said.to_owned(),
    };
    Err(Failure::saying(format!("`{}` failed: {said}", words())))
}

fn quiet(command: &mut Command) -> std::io::Result<std::process::ExitStatus> {
    command
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
}

/// Returns the unit for the user's systemd.
fn unit(program: &Utf8Path) -> String {
    // A percent sign starts a specifier, a quote or a backslash ends the word.
    let program = program.as_str().replace('%', "%%");
    let program = program.replace('\\', "\\\\").replace('"', "\\\"");
    format!(
        "[Unit]\nDescription=acreta: memory for coding agents\n\n\
         [Service]\nExecStart=\"{program}\" serve\nRestart=on-failure\nRestartSec=10\n\n\
         [Install]\nWantedBy=default.target\n"
    )
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}

/// Returns the task for the scheduler of Windows. It runs `up`, whose daemon has no window.
fn task(program: &Utf8Path, home: &Utf8Path, user: &str) -> String {
    let (program, home) = (escaped(program.as_str()), escaped(home.as_str()));
    let user = escaped(user);
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\r\n\
         <Task version=\"1.2\" xmlns=\"http://schemas.microsoft.com/windows/2004/02/mit/task\">\r\n\
         <RegistrationInfo><Description>acreta: memory for coding agents</Description></RegistrationInfo>\r\n\
         <Triggers><LogonTrigger><Enabled>true</Enabled><UserId>{user}</UserId></LogonTrigger></Triggers>\r\n\
         <Principals><Principal id=\"Author\"><UserId>{user}</UserId>\
         <LogonType>InteractiveToken</LogonType><RunLevel>LeastPrivilege</RunLevel></Principal></Principals>\r\n\
         <Settings><MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>\
         <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>\
         <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries><Enabled>true</Enabled></Settings>\r\n\
         <Actions Context=\"Author\"><Exec><Command>{program}</Command><Arguments>up</Arguments>\
         <WorkingDirectory>{home}</WorkingDirectory></Exec></Actions>\r\n</Task>\r\n"
    )
}

/// Returns the agent for the user's launchd.
fn agent(program: &Utf8Path, log: &str) -> String {
    let (program, log) = (escaped(program.as_str()), escaped(log));
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n\
         <!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/DTDs/PropertyList-1.0.dtd\">\n\
         <plist version=\"1.0\">\n<dict>\n\
         <key>Label</key><string>{AGENT}</string>\n\
         <key>ProgramArguments</key><array><string>{program}</string><string>serve</string></array>\n\
         <key>RunAtLoad</key><true/>\n\
         <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>\n\
         <key>StandardOutPath</key><string>{log}</string>\n\
         <key>StandardErrorPath</key><string>{log}</string>\n\
         </dict>\n</plist>\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_as_each_keeper_reads_them() {
        let odd = Utf8Path::new("/opt/a \"b\" 100%/acreta");
        assert!(unit(odd).contains(r#"ExecStart="/opt/a \"b\" 100%%/acreta" serve"#));
        let odd = Utf8Path::new("/opt/<a> & b/acreta");
        let text = agent(odd, "/log");
        assert!(
            text.contains("<string>/opt/&lt;a&gt; &amp; b/acreta</string><string>serve</string>")
        );
        let odd = Utf8Path::new(r"C:\R & D\acreta.exe");
        let text = task(odd, Utf8Path::new(r"C:\Users\Åsa"), r"DESK\Åsa");
        assert!(
            text.contains(r"<Command>C:\R &amp; D\acreta.exe</Command><Arguments>up</Arguments>")
        );
        assert!(text.contains(r"<WorkingDirectory>C:\Users\Åsa</WorkingDirectory>"));
    }
}
