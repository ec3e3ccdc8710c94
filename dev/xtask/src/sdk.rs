//! Packs what authors of plugins and callers of the API use: `acreta-sdk` and `acreta-client` for Cargo, npm and PyPI, as
//! a registry takes them. `--try` builds a plugin in each language outside of this repository, from the packed SDKs alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::archive::VERSION;
use crate::clients;
use crate::files::{make, put, remove};
use crate::package::absolute;
use crate::process::{TaskError, cargo, found, run, target_dir};

/// The roles of plugins; each has a folder in `wit/`.
const ROLES: [&str; 4] = ["adapter", "explorer", "extractor", "memory-writer"];

/// The packages that every role's package uses.
const SHARED: [&str; 2] = ["types", "host"];

/// `cargo xtask sdk [--to DIR] [--try ACRETA]`
pub(crate) fn sdk(arguments: &[&str]) -> Result<(), TaskError> {
    let mut to = target_dir().join("dist/sdk");
    let mut acreta = None;
    let mut words = arguments.iter();
    while let Some(word) = words.next() {
        let value = words.next().copied();
        let value = value.ok_or_else(|| TaskError(format!("{word} needs a value")))?;
        match *word {
            "--to" => to = absolute(value)?,
            "--try" => acreta = Some(absolute(value)?),
            _ => return Err(TaskError(format!("unknown argument `{word}`"))),
        }
    }
    remove(&to)?;
    let packs = SdkPackages { folder: to };
    packs.pack()?;
    println!("packed in {}", packs.folder.display());
    match acreta {
        Some(acreta) => packs.try_out(&acreta),
        None => Ok(()),
    }
}

struct SdkPackages {
    folder: PathBuf,
}

impl SdkPackages {
    fn crate_file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}-{VERSION}.crate"))
    }

    fn npm_file(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}-{VERSION}.tgz"))
    }

    fn wheel(&self, name: &str) -> PathBuf {
        let name = name.replace('-', "_");
        self.folder
            .join(format!("{name}-{VERSION}-py3-none-any.whl"))
    }

    fn pack(&self) -> Result<(), TaskError> {
        make(&self.folder)?;
        let root = acreta_plugin_build::workspace_root();
        let stage = self.folder.join("stage");
        let clients = stage.join("clients");
        clients::write(&clients)?;
        self.pack_crate("acreta-sdk", &root.join("sdk/rust/Cargo.toml"))?;
        // Generated, so it is no member of this workspace.
        let manifest = clients.join("client-rust/Cargo.toml");
        let text =
            fs::read_to_string(&manifest).map_err(|error| TaskError::at(&manifest, &error))?;
        put(&manifest, format!("{text}\n[workspace]\n").as_bytes())?;
        self.pack_crate("acreta-client", &manifest)?;
        if is_there("npm", "no packages for npm") {
            let package = stage.join("js");
            for name in ["package.json", "README.md", "src", "types"] {
                copy(&root.join("sdk/js").join(name), &package.join(name))?;
            }
            for role in ROLES {
                stage_js_wit(&root, role, &package.join("wit").join(role))?;
            }
            self.pack_npm(&package)?;
            self.pack_npm(&clients.join("client-typescript"))?;
        }
        if is_there("python3", "no packages for PyPI") {
            let package = stage.join("python");
            for name in ["pyproject.toml", "README.md", "src"] {
                copy(&root.join("sdk/python").join(name), &package.join(name))?;
            }
            let backend = clients.join("client-python/build_package.py");
            copy(&backend, &package.join("build_package.py"))?;
            for role in ROLES {
                stage_python_role(&root, role, &package.join("src/acreta_sdk"))?;
            }
            self.pack_python(&package)?;
            self.pack_python(&clients.join("client-python"))?;
        }
        remove(&stage)
    }

    /// Packs as `cargo publish` does, without building: `--try` builds.
    fn pack_crate(&self, name: &str, manifest: &Path) -> Result<(), TaskError> {
        let target = self.folder.join("stage/target");
        run(cargo()
            .args(["package", "--quiet", "--no-verify", "--allow-dirty"])
            .arg("--manifest-path")
            .arg(manifest)
            .arg("--target-dir")
            .arg(&target))?;
        let to = self.crate_file(name);
        let from = target.join("package");
        copy(&from.join(to.file_name().unwrap_or_default()), &to)
    }

    fn pack_npm(&self, package: &Path) -> Result<(), TaskError> {
        run(Command::new("npm")
            .args(["pack", "--silent", "--pack-destination"])
            .arg(&self.folder)
            .current_dir(package))
    }

    fn pack_python(&self, package: &Path) -> Result<(), TaskError> {
        const BUILD: &str = "import build_package, sys; print(build_package.build_wheel(sys.argv[1])); \
                             print(build_package.build_sdist(sys.argv[1]))";
        run(Command::new("python3")
            .args(["-B", "-c", BUILD])
            .arg(&self.folder)
            .env("PYTHONPATH", package))
    }

    /// Builds and checks a new plugin in each language, in a folder that has nothing of this repository.
    fn try_out(&self, acreta: &Path) -> Result<(), TaskError> {
        let scratch = std::env::temp_dir().join(format!("acreta-sdk-{}", std::process::id()));
        remove(&scratch)?;
        make(&scratch)?;
        let bench = TrialBench {
            packs: self,
            acreta,
            scratch: &scratch,
        };
        bench.rust()?;
        if is_there("npm", "no plugin in JavaScript") {
            bench.js()?;
        }
        if is_there("python3", "no plugin in Python") {
            bench.python()?;
        }
        remove(&scratch)
    }
}

struct TrialBench<'a> {
    packs: &'a SdkPackages,
    acreta: &'a Path,
    scratch: &'a Path,
}

impl TrialBench<'_> {
    fn rust(&self) -> Result<(), TaskError> {
        let project = self.project("rust", &["vendor", "wit"])?;
        run(Command::new("tar")
            .arg("-xzf")
            .arg(self.packs.crate_file("acreta-sdk"))
            .current_dir(self.scratch))?;
        let unpacked = format!("../acreta-sdk-{VERSION}");
        edit(
            &project.join("Cargo.toml"),
            &[("vendor/acreta-sdk", &unpacked)],
        )?;
        let target = self.scratch.join("target");
        run(Command::new("sh")
            .arg("build.sh")
            .env("CARGO_TARGET_DIR", target)
            .current_dir(&project))?;
        self.check(&project)
    }

    fn js(&self) -> Result<(), TaskError> {
        let project = self.project("js", &["vendor", "wit"])?;
        let installed = "./node_modules/acreta-sdk/src/";
        edit(
            &project.join("plugin.js"),
            &[("./vendor/acreta-sdk/", installed)],
        )?;
        let wit = "witPath: 'node_modules/acreta-sdk/wit/extractor'";
        edit(&project.join("build.mjs"), &[("witPath: 'wit'", wit)])?;
        run(Command::new("npm")
            .args(["install", "--silent", "--no-audit", "--no-fund"])
            .arg(self.packs.npm_file("acreta-sdk"))
            .current_dir(&project))?;
        run(Command::new("npm")
            .args(["run", "--silent", "build"])
            .current_dir(&project))?;
        self.check(&project)
    }

    fn python(&self) -> Result<(), TaskError> {
        let project = self.project("python", &["vendor", "wit", "stubs"])?;
        run(Command::new("python3")
            .args(["-m", "venv", ".venv"])
            .current_dir(&project))?;
        let python = project.join(".venv/bin/python");
        run(Command::new(&python)
            .args([
                "-m",
                "pip",
                "install",
                "--quiet",
                "--disable-pip-version-check",
            ])
            .args(["-r", "requirements.txt"])
            .arg(self.packs.wheel("acreta-sdk"))
            .current_dir(&project))?;
        let changes = [
            (
                "\"-d\", \"wit\"",
                "\"-d\", SDK + \"/acreta_sdk/wit/extractor\"",
            ),
            ("\"-p\", \"vendor\"", "\"-p\", SDK"),
            (
                "COMPONENT = ",
                "SDK = next(path for path in sys.path if path.endswith(\"site-packages\"))\nCOMPONENT = ",
            ),
        ];
        edit(&project.join("build.py"), &changes)?;
        run(Command::new(&python).arg("build.py").current_dir(&project))?;
        self.check(&project)
    }

    /// Makes a new extractor, without the parts of the SDK that `plugin new` puts into it.
    fn project(&self, language: &str, parts: &[&str]) -> Result<PathBuf, TaskError> {
        let name = format!("packed-{language}");
        println!("\n{language}: an extractor from the packed SDK");
        run(self
            .acreta(&["plugin", "new", "extractor", &name, "--lang", language])
            .current_dir(self.scratch))?;
        let project = self.scratch.join(name);
        for part in parts {
            remove(&project.join(part))?;
        }
        Ok(project)
    }

    fn check(&self, project: &Path) -> Result<(), TaskError> {
        run(self.acreta(&["plugin", "check", "."]).current_dir(project))?;
        run(self.acreta(&["plugin", "test", "."]).current_dir(project))
    }

    fn acreta(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(self.acreta);
        command
            .args(arguments)
            .env("ACRETA_HOME", self.scratch.join("home"))
            .env("ACRETA_CACHE_DIR", self.scratch.join("cache"));
        command
    }
}

/// The world of a role is a package of its own for JavaScript, and the role's package one of its dependencies.
fn stage_js_wit(root: &Path, role: &str, to: &Path) -> Result<(), TaskError> {
    copy(&root.join("sdk/js/wit").join(role), to)?;
    let deps = to.join("deps");
    for package in SHARED.into_iter().chain([role]) {
        copy(&root.join("wit").join(package), &deps.join(package))?;
    }
    if ["adapter", "memory-writer"].contains(&role) {
        copy(&root.join("sdk/js/wit/wasi"), &deps)?;
    }
    Ok(())
}

/// Stubs and contract of a role, as data of the package.
fn stage_python_role(root: &Path, role: &str, module: &Path) -> Result<(), TaskError> {
    let stubs = root.join("sdk/python/stubs").join(role);
    copy(&stubs, &module.join("stubs").join(role))?;
    let wit = module.join("wit").join(role);
    copy(&root.join("wit").join(role), &wit)?;
    for shared in SHARED {
        copy(
            &root.join("wit").join(shared),
            &wit.join("deps").join(shared),
        )?;
    }
    Ok(())
}

fn is_there(program: &str, else_missing: &str) -> bool {
    let is_found = found(program);
    if !is_found {
        println!("skipped: {program} is not installed; {else_missing}");
    }
    is_found
}

/// Copies a file or a folder, without what Python left in it.
fn copy(from: &Path, to: &Path) -> Result<(), TaskError> {
    let failed = |error: std::io::Error| TaskError::at(from, &error);
    if !from.is_dir() {
        return put(to, &fs::read(from).map_err(failed)?);
    }
    for entry in fs::read_dir(from).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let name = path.file_name().unwrap_or_default();
        if name != "__pycache__" {
            copy(&path, &to.join(name))?;
        }
    }
    Ok(())
}

/// Replaces texts of a file; each must be there.
fn edit(path: &Path, changes: &[(&str, &str)]) -> Result<(), TaskError> {
    let mut text = fs::read_to_string(path).map_err(|error| TaskError::at(path, &error))?;
    for (from, to) in changes {
        if !text.contains(from) {
            return Err(TaskError::at(path, &format!("`{from}` is not in it")));
        }
        text = text.replace(from, to);
    }
    put(path, text.as_bytes())
}
