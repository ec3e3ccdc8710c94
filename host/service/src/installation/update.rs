//! Replaces a program that an installer put there. In this order, so that a working program is there at every moment:
//!
//! 1. the archive is downloaded beside the program, and its size and digest are compared with the release,
//! 2. it is unpacked there, and the new program must answer `--version` with the version of the release,
//! 3. the old program is kept under a second name, the new one takes its name by one rename,
//! 4. the new one is asked again in its place; if it does not answer, the old one takes its name back.
//!
//! Windows does not replace a program that runs, but renames it: there step 3 is two renames, and the old program stays
//! as `acreta.old.exe` until the next update.

use std::process::{Command, Stdio};

use acreta_config::{Environment, Home};
use acreta_fs::{Directory, NoFaults, scratch, stage_file};
use camino::{Utf8Path, Utf8PathBuf};
use semver::Version;
use serde::Serialize;

use super::release::Source;
use super::{Installation, RECEIPT, Receipt, VERSION, archive_target, find, no_place};
use crate::{Failure, Kind};

/// Name of the earlier program on Windows.
const OLD: &str = "acreta.old.exe";

/// What an update did.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Replaced {
    pub program: Utf8PathBuf,
    pub from: &'static str,
    pub to: String,
    /// False if the newest version was there already.
    pub replaced: bool,
    /// The archive, or the place whose release was compared.
    pub source: String,
    /// Acreta's own folder, in which a daemon may run.
    #[serde(skip)]
    pub home: Utf8PathBuf,
}

/// Replaces the program with the newest release of its place. `older` permits a downgrade.
pub fn update(
    environment: &Environment,
    program: &Utf8Path,
    older: bool,
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Replaced, Failure> {
    let installation = find(environment, program)?;
    if installation.installed_by != "installer" {
        return Err(belongs_to_another(&installation));
    }
    let home = Home::new(environment)?;
    let url = installation.url.as_deref().ok_or_else(no_place)?;
    let source = Source::parse(url)?;
    let release = source.newest()?;
    let newest = &release.version;
    let own = Version::parse(VERSION).map_err(|error| Failure::from_error(&error))?;
    let done = |replaced, source| Replaced {
        program: installation.program.clone(),
        from: VERSION,
        to: newest.to_string(),
        replaced,
        source,
        home: home.folder().to_owned(),
    };
    if *newest == own {
        return Ok(done(false, url.to_owned()));
    }
    if *newest < own && !older {
        let message = format!("the newest version there is {newest}, older than this {VERSION}");
        return Err(Failure::new(Kind::Refused, message).hint(
            "`acreta self update --allow-downgrade` installs it; it refuses a state database that this version has migrated",
        ));
    }
    let archive = archive_target().and_then(|target| release.archives.get(target));
    let archive = archive.ok_or_else(|| {
        let message = format!("acreta {newest} has no archive for {}", installation.target);
        Failure::new(Kind::Missing, message)
    })?;
    let (Some(folder), Some(name)) = (
        installation.program.parent(),
        installation.program.file_name(),
    ) else {
        return Err(Failure::saying(format!(
            "`{}` is no file",
            installation.program
        )));
    };
    let folder = Directory::open(folder, NoFaults::shared())?;
    let work = scratch(&folder, ".acreta-update")?;
    source.get(archive, work.directory(), progress)?;
    unpack(environment, work.path(), &archive.name)?;
    let stem = archive.name.trim_end_matches(".tar.xz");
    let stem = stem.trim_end_matches(".zip");
    let unpacked = Utf8PathBuf::from(stem).join(if cfg!(windows) {
        "acreta.exe"
    } else {
        "acreta"
    });
    let staged = work.path().join(&unpacked);
    answers(&staged, newest).map_err(|failure| failure.hint("nothing was replaced"))?;
    let staged = Utf8Path::new(work.path().file_name().unwrap_or_default()).join(unpacked);
    replace(&folder, &staged, name, &work, newest)?;
    record(&home, &installation, newest, url)?;
    Ok(done(true, source.shown(&archive.name)))
}

fn belongs_to_another(installation: &Installation) -> Failure {
    let message = match installation.installed_by {
        "unknown" => format!("no installer recorded `{}`", installation.program),
        name => format!("`{}` was installed with {name}", installation.program),
    };
    Failure::new(Kind::Refused, message).hint(format!("to update it: {}", installation.update))
}

/// Unpacks with the `tar` that the installers use; that of Windows reads ZIP archives.
fn unpack(environment: &Environment, folder: &Utf8Path, archive: &str) -> Result<(), Failure> {
    let tar = match environment.get("SystemRoot").filter(|_| cfg!(windows)) {
        Some(system) => format!("{system}\\System32\\tar.exe"),
        None => "tar".to_owned(),
    };
    let output = Command::new(&tar)
        .args(["-xf", archive])
        .current_dir(folder)
        .stdin(Stdio::null())
        .output();
    let problem = match output {
        Ok(output) if output.status.success() => return Ok(()),
        Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
        Err(error) => error.to_string(),
    };
    let mut failure = Failure::saying(format!("`{tar}` could not unpack {archive}"))
        .hint("nothing was replaced; are `tar` and `xz` installed?");
    failure.causes.push(problem);
    Err(failure)
}

/// Checks that a program runs here and is of this version.
fn answers(program: &Utf8Path, version: &Version) -> Result<(), Failure> {
    let expected = format!("acreta {version}");
    let output = Command::new(program)
        .arg("--version")
        .stdin(Stdio::null())
        .output();
    let problem = match output {
        Ok(output) if String::from_utf8_lossy(&output.stdout).trim() == expected => return Ok(()),
        Ok(output) => format!(
            "it said `{}`, and ended with {}",
            acreta_text::visible(String::from_utf8_lossy(&output.stdout).trim()),
            output.status
        ),
        Err(error) => error.to_string(),
    };
    let mut failure = Failure::saying(format!("the new program does not answer as {expected}"));
    failure.causes.push(problem);
    Err(failure)
}

/// Puts the staged program in the place of the old one, and takes it back if it does not answer there.
fn replace(
    folder: &Directory,
    staged: &Utf8Path,
    name: &str,
    work: &acreta_fs::Scratch,
    version: &Version,
) -> Result<(), Failure> {
    let old = if cfg!(windows) {
        // Left by the update before; one that still runs stays, and the rename fails.
        if folder.exists(OLD)? {
            folder.remove_file(OLD)?;
        }
        folder.rename(name, OLD)?;
        Utf8PathBuf::from(OLD)
    } else {
        let program = folder.path().join(name);
        stage_file(&program, work.directory(), "old")?;
        Utf8Path::new(work.path().file_name().unwrap_or_default()).join("old")
    };
    let placed = folder
        .rename(staged, name)
        .map_err(Failure::from)
        .and_then(|()| answers(&folder.path().join(name), version));
    if let Err(failure) = placed {
        folder.rename(&old, name)?;
        return Err(failure.hint("the earlier program is in its place again"));
    }
    folder.sync_directory(".")?;
    Ok(())
}

fn record(
    home: &Home,
    installation: &Installation,
    version: &Version,
    url: &str,
) -> Result<(), Failure> {
    let recorded = super::receipt(home.folder());
    let receipt = Receipt {
        program: installation.program.clone(),
        version: version.to_string(),
        // A place that was configured for one update is not recorded.
        url: recorded.map_or_else(|| url.to_owned(), |receipt| receipt.url),
    };
    let text = serde_json::to_vec_pretty(&receipt).map_err(|error| Failure::from_error(&error))?;
    let folder = Directory::open_or_create_private(home.folder(), NoFaults::shared())?;
    folder.replace(RECEIPT, &text)?;
    Ok(())
}
