//! A scratch machine on which a binary runs: a home folder, a project, and the program that starts binaries of its
//! system: none for this system, qemu for another processor, Wine for Windows.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use crate::files::{make, put};
use crate::process::{TaskError, found, read, run};

/// Path of Wine's loader on Debian, which is not on the search path.
const DEBIAN_WINE: &str = "/usr/lib/wine/wine64";

/// Rust programs get random numbers from `bcryptprimitives.dll`; Wine has it since version 9.
const CHANCE: &str = "\
#include <windows.h>
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE buffer, SIZE_T length) {
    return SystemFunction036(buffer, (ULONG)length);
}
";

const UNIX_PATH: &str = "/usr/local/bin:/usr/bin:/bin";

pub(crate) struct Machine {
    launcher: Vec<PathBuf>,
    /// The home folder, as named by this system and by the driven one.
    pub(crate) home: DrivenPath,
    /// A folder for everything else.
    pub(crate) base: DrivenPath,
    environment: Vec<(&'static str, String)>,
    /// Folders of other programs.
    path: String,
}

#[derive(Clone)]
pub(crate) struct DrivenPath {
    pub(crate) here: PathBuf,
    pub(crate) there: String,
    separator: char,
}

/// Output of a program.
pub(crate) struct DrivenOutput {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl DrivenPath {
    fn new(here: PathBuf, there: &str, separator: char) -> Self {
        Self {
            here,
            there: there.to_owned(),
            separator,
        }
    }

    pub(crate) fn join(&self, relative: &str) -> Self {
        let there = relative.replace('/', &self.separator.to_string());
        Self {
            here: self.here.join(relative),
            there: format!("{}{}{there}", self.there, self.separator),
            separator: self.separator,
        }
    }

    /// Returns the path as in a JSON string.
    pub(crate) fn json(&self) -> String {
        self.there.replace('\\', "\\\\")
    }
}

impl DrivenOutput {
    pub(crate) fn succeeded(self) -> Result<Self, String> {
        match self.code {
            Some(0) => Ok(self),
            code => {
                let said = self.stderr.lines().chain(self.stdout.lines());
                let said: Vec<&str> = said
                    .filter(|line| !line.trim().is_empty())
                    .take(3)
                    .collect();
                Err(format!("exit code {code:?}: {}", said.join(" | ")))
            }
        }
    }
}

impl Machine {
    /// The system that this runs on, or another processor if `emulator` names a program that runs its code.
    pub(crate) fn unix(
        binary: &Path,
        scratch: &Path,
        emulator: Option<&str>,
    ) -> Result<Self, TaskError> {
        let place = |name: &str| {
            let here = scratch.join(name);
            let there = here.to_string_lossy().into_owned();
            DrivenPath::new(here, &there, '/')
        };
        let mut launcher: Vec<PathBuf> = Vec::new();
        if let Some(emulator) = emulator {
            if !found(emulator) {
                return Err(TaskError(format!(
                    "`{emulator}` is not on the path (Debian: qemu-user-static)"
                )));
            }
            launcher.push(emulator.into());
        }
        launcher.push(binary.to_owned());
        let home = place("home");
        let environment = vec![("HOME", home.there.clone())];
        Ok(Self {
            launcher,
            home,
            base: place("base"),
            environment,
            path: UNIX_PATH.to_owned(),
        })
    }

    /// Windows, as emulated by Wine: drive `C:` is in the scratch folder.
    pub(crate) fn wine(binary: &Path, scratch: &Path) -> Result<Self, TaskError> {
        let wine = match (found("wine64"), Path::new(DEBIAN_WINE).exists()) {
            (true, _) => PathBuf::from("wine64"),
            (false, true) => PathBuf::from(DEBIAN_WINE),
            (false, false) => {
                return Err(TaskError(
                    "Wine is not installed (Debian: wine64)".to_owned(),
                ));
            }
        };
        let prefix = scratch.join("wine");
        let programs = prefix.join("drive_c/acreta");
        make(&programs)?;
        let installed = programs.join("acreta.exe");
        fs::copy(binary, &installed).map_err(|error| TaskError::at(binary, &error))?;
        let source = programs.join("chance.c");
        put(&source, CHANCE.as_bytes())?;
        run(Command::new("x86_64-w64-mingw32-gcc")
            .args(["-shared", "-O1", "-o"])
            .arg(programs.join("bcryptprimitives.dll"))
            .arg(&source)
            .arg("-ladvapi32"))?;
        let environment = vec![
            ("HOME", scratch.to_string_lossy().into_owned()),
            ("WINEPREFIX", prefix.to_string_lossy().into_owned()),
            ("WINEDEBUG", "-all".to_owned()),
            ("WINEDLLOVERRIDES", "mscoree,mshtml=".to_owned()),
        ];
        let ask = |words: &[&str]| {
            let mut command = Command::new(&wine);
            command.args(words).envs(environment.clone());
            read(&mut command)
        };
        ask(&["wineboot", "--init"])?;
        let profile = ask(&["cmd", "/c", "echo %USERPROFILE%"])?;
        let profile = profile.trim();
        let inside = profile.get(3..).unwrap_or_default().replace('\\', "/");
        Ok(Self {
            launcher: vec![wine, installed],
            home: DrivenPath::new(prefix.join("drive_c").join(inside), profile, '\\'),
            base: DrivenPath::new(prefix.join("drive_c/base"), r"C:\base", '\\'),
            environment,
            path: UNIX_PATH.to_owned(),
        })
    }

    /// Windows itself.
    pub(crate) fn windows(binary: &Path, scratch: &Path) -> Result<Self, TaskError> {
        let known = |name: &str| {
            let value = std::env::var_os(name).and_then(|value| value.into_string().ok());
            value.ok_or_else(|| TaskError(format!("`{name}` is not set")))
        };
        let place = |name: &str| {
            let here = scratch.join(name);
            let there = here.to_string_lossy().replace('/', "\\");
            DrivenPath::new(here, &there, '\\')
        };
        let home = place("home");
        let system = known("SystemRoot")?;
        let environment = vec![
            ("USERPROFILE", home.there.clone()),
            ("APPDATA", home.join("AppData/Roaming").there),
            ("LOCALAPPDATA", home.join("AppData/Local").there),
            ("TEMP", known("TEMP")?),
            ("USERNAME", known("USERNAME")?),
            ("USERDOMAIN", known("USERDOMAIN")?),
            ("SystemRoot", system.clone()),
        ];
        Ok(Self {
            launcher: vec![binary.to_owned()],
            home,
            base: place("base"),
            environment,
            path: format!("{system}\\System32;{system}"),
        })
    }

    pub(crate) fn command(&self, folder: &DrivenPath, arguments: &[&str]) -> Command {
        let mut words = self.launcher.iter();
        let mut command = Command::new(words.next().map(PathBuf::as_path).unwrap_or(Path::new("")));
        command
            .args(words)
            .args(arguments)
            .current_dir(&folder.here)
            .env_clear()
            .envs(self.environment.iter().map(|(name, value)| (name, value)))
            .env("PATH", &self.path)
            .env("ACRETA_HOOK_WAIT_MS", "120000")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        command
    }

    pub(crate) fn start(&self, folder: &DrivenPath, arguments: &[&str]) -> Result<Child, String> {
        let child = self.command(folder, arguments).spawn();
        child.map_err(|error| format!("cannot be started: {error}"))
    }

    pub(crate) fn ran(
        &self,
        folder: &DrivenPath,
        arguments: &[&str],
    ) -> Result<DrivenOutput, String> {
        self.told(folder, arguments, "")
    }

    /// Runs to the end with a text on standard input. Returns when no process has its standard output open any more, as
    /// an agent waits for a hook. Standard error goes to a file: under Wine every leftover process holds it open.
    pub(crate) fn told(
        &self,
        folder: &DrivenPath,
        arguments: &[&str],
        input: &str,
    ) -> Result<DrivenOutput, String> {
        let errors = self.base.here.join("stderr.txt");
        let file = fs::File::create(&errors).map_err(|error| error.to_string())?;
        let mut command = self.command(folder, arguments);
        let mut child = command
            .stdin(Stdio::piped())
            .stderr(file)
            .spawn()
            .map_err(|error| format!("cannot be started: {error}"))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A program that does not read all of it may still succeed.
            let _ = stdin.write_all(input.as_bytes());
        }
        let output = child.wait_with_output();
        let output = output.map_err(|error| error.to_string())?;
        let stderr = fs::read(&errors).map_err(|error| error.to_string())?;
        Ok(DrivenOutput {
            code: output.status.code(),
            stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
            stderr: String::from_utf8_lossy(&stderr).into_owned(),
        })
    }
}
