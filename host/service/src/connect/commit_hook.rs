//! The git hook that names an agent's session in a commit: `init --commits`. Written only where no hook is; `init --undo`
//! removes it.

use acreta_agent_setup::{AddedEntry, FileChange};
use acreta_fs::{Directory, NoFaults};
use acreta_git::{GitRepository, hooks_path};
use camino::{Utf8Path, Utf8PathBuf};

use crate::process::files::{read_text, split};
use crate::{Context, Failure, Kind};

const NAME: &str = "prepare-commit-msg";

/// The second line, by which acreta knows its own hook.
const MARK: &str = "# Written by `acreta init --commits`; `acreta init --undo` removes it.";

/// Maximum bytes of a hook.
const HOOK_BYTES: u64 = 1024 * 1024;

/// Plans the hook of this repository; `None` if it is there.
pub(super) fn plan(program: &Utf8Path, context: &Context) -> Result<Option<FileChange>, Failure> {
    let repository = GitRepository::containing(&context.project).map_err(|_| {
        Failure::new(Kind::Usage, "`--commits` takes a git repository").hint("run it in one")
    })?;
    let own = line(program);
    let foreign = |path: &str| {
        let message = format!("the repository has hooks of its own: `{path}`; nothing was changed");
        Failure::new(Kind::Refused, message).hint(format!("add this line to its {NAME}: {own}"))
    };
    if let Some(folder) = repository.hooks_path().or_else(|| users_hooks(context)) {
        return Err(foreign(&folder));
    }
    let hooks = repository.common_folder().join("hooks");
    // An unpacked folder may have one that leads anywhere.
    if hooks.is_symlink() {
        return Err(foreign(hooks.as_str()));
    }
    let path = hooks.join(NAME);
    let before = match path.symlink_metadata() {
        Ok(found) if found.is_file() => Some(read_text(&path, HOOK_BYTES)?),
        Ok(_) => return Err(foreign(path.as_str())),
        Err(_) => None,
    };
    if before
        .as_ref()
        .is_some_and(|text| text.lines().nth(1) != Some(MARK))
    {
        return Err(foreign(path.as_str()));
    }
    let after = format!("#!/bin/sh\n{MARK}\n{own}\n");
    let change = FileChange {
        target: path.clone(),
        path,
        after,
        what: vec![WHAT],
        agents: Vec::new(),
        entries: vec![AddedEntry::File],
        before,
    };
    Ok((change.before.as_ref() != Some(&change.after)).then_some(change))
}

const WHAT: &str = "git hook that names the session in a commit";

/// Lets git run the hook, if a plan wrote it.
pub(super) fn enable(changes: &[FileChange]) -> Result<(), Failure> {
    for change in changes.iter().filter(|change| change.what.contains(&WHAT)) {
        let (folder, name) = split(&change.target)?;
        Directory::open(&folder, NoFaults::shared())?.make_executable(name)?;
    }
    Ok(())
}

/// A failure of acreta, or its absence, does not keep anybody from committing.
fn line(program: &Utf8Path) -> String {
    let program = program.as_str().replace('\\', "/").replace('\'', r"'\''");
    format!("'{program}' hook commit-message -- \"$@\" || true")
}

/// Returns the hooks of all of the user's repositories.
fn users_hooks(context: &Context) -> Option<String> {
    let home = context.home.user()?;
    let folder = context
        .environment
        .get("XDG_CONFIG_HOME")
        .map(Utf8PathBuf::from);
    let folder = folder.unwrap_or_else(|| home.join(".config"));
    let files = [home.join(".gitconfig"), folder.join("git/config")];
    files.iter().find_map(|file| hooks_path(file))
}
