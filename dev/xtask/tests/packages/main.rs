//! Packages a small script in place of the binary, and looks into every form: names, modes, versions, checksums. What needs a
//! package manager is installed from the local files and run.

#![cfg(target_os = "linux")]
#![expect(clippy::unwrap_used, reason = "a check of a test fails by it")]

mod archives;

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use acreta_testing::{CURL, DPKG, NODE, Need, PYTHON, RPM, skip};
use archives::entries;
use serde_json::{Value, json};
use sha2::{Digest as _, Sha256};

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Says what it was called with; the word `fail` makes it fail.
const PROGRAM: &str = "#!/bin/sh\necho \"acreta stand-in $*\"\n[ \"$1\" != fail ] || exit 7\n";

/// Packages once, and hands the folder to every check.
#[test]
fn every_form_has_the_program_and_says_what_is_there() {
    let scratch = tempfile::tempdir().unwrap();
    let packages = scratch.path().join("dist");
    let program = scratch.path().join("program");
    write(&program, PROGRAM);
    let made = package(scratch.path(), &["--binary", program.to_str().unwrap()]);
    assert!(made.status.success(), "{}", said(&made));
    let checks: [fn(&Path); 9] = [
        every_archive_has_its_files_with_their_modes,
        a_debian_package_is_a_version_a_control_file_and_a_tree,
        sums_and_manifests_name_what_is_there,
        the_bill_and_the_licences_have_the_linked_libraries_alone,
        wheels_record_the_digests_of_their_files,
        the_installer_installs_refuses_a_wrong_sum_and_uninstalls,
        the_npm_package_starts_the_program_of_its_platform,
        the_wheel_is_installed_by_pip,
        package_managers_read_the_linux_packages,
    ];
    for check in checks {
        check(&packages);
    }
}

#[test]
fn without_the_archives_nothing_is_packaged() {
    let scratch = tempfile::tempdir().unwrap();
    let made = package(scratch.path(), &[]);
    assert!(!made.status.success());
    assert!(
        said(&made).contains("run `cargo xtask dist`"),
        "{}",
        said(&made)
    );
    assert!(!scratch.path().join("dist").exists());
}

/// Packages into the folder `dist`, with libraries of our own.
fn package(scratch: &Path, arguments: &[&str]) -> Output {
    write(&scratch.join("metadata.json"), &metadata(scratch));
    Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["package", "--url", "http://127.0.0.1:9/files/", "--from"])
        .arg(scratch.join("dist"))
        .arg("--metadata")
        .arg(scratch.join("metadata.json"))
        .args(arguments)
        .output()
        .unwrap()
}

/// What `cargo metadata` says of a workspace with the binary, a plugin, and five libraries.
fn metadata(root: &Path) -> String {
    let registry = "registry+https://example.invalid/index";
    let license = "You may use this library.\r\n";
    let package = |name: &str, source: Value, license: &str| {
        let folder = root.join("crates").join(name);
        json!({
            "id": name, "name": name, "version": "1.2.3", "source": source, "license": license,
            "description": "A description", "authors": ["Somebody"],
            "manifest_path": folder.join("Cargo.toml"),
        })
    };
    let needs = |name: &str, kind: Value| json!({"pkg": name, "dep_kinds": [{"kind": kind}]});
    for name in ["first", "second", "built", "tested"] {
        write(&root.join("crates").join(name).join("LICENSE-MIT"), license);
    }
    write(&root.join("crates/bare/Cargo.toml"), "");
    write(
        &root.join("Cargo.lock"),
        "[[package]]\nname = \"first\"\nversion = \"1.2.3\"\nchecksum = \"0f0f\"\n",
    );
    let plain = Value::Null;
    json!({
        "workspace_root": root,
        "packages": [
            package("acreta", plain.clone(), "Apache-2.0 OR MIT"),
            package("adapter-claude", plain.clone(), "Apache-2.0 OR MIT"),
            package("first", registry.into(), "MIT/Apache-2.0"),
            package("second", registry.into(), "MIT"),
            package("bare", registry.into(), "ISC"),
            package("built", registry.into(), "MIT"),
            package("tested", registry.into(), "MIT"),
        ],
        "resolve": {"nodes": [
            {"id": "acreta", "deps": [
                needs("first", plain.clone()), needs("built", "build".into()), needs("tested", "dev".into()),
            ]},
            {"id": "adapter-claude", "deps": [needs("bare", plain.clone())]},
            {"id": "first", "deps": [needs("second", plain)]},
            {"id": "second", "deps": []}, {"id": "bare", "deps": []},
            {"id": "built", "deps": []}, {"id": "tested", "deps": []},
        ]},
    })
    .to_string()
}

fn every_archive_has_its_files_with_their_modes(packages: &Path) {
    let beside = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"];
    let licenses = ["LICENSE-APACHE", "LICENSE-MIT", "THIRD-PARTY-LICENSES.txt"];
    let in_folder = |folder: &str, names: &[&str]| -> Vec<String> {
        names.iter().map(|name| format!("{folder}{name}")).collect()
    };
    // The package, the program in it, and its other files.
    let mut cases: Vec<(String, String, Vec<String>)> = Vec::new();
    let targets = [
        ("x86_64-unknown-linux-musl", "linux-x64", "acreta"),
        ("aarch64-unknown-linux-musl", "linux-arm64", "acreta"),
        ("aarch64-apple-darwin", "darwin-arm64", "acreta"),
        ("x86_64-apple-darwin", "darwin-x64", "acreta"),
        ("x86_64-pc-windows-gnu", "win32-x64", "acreta.exe"),
    ];
    for (triple, platform, program) in targets {
        let name = format!("acreta-{VERSION}-{triple}");
        let mut files = in_folder(&format!("{name}/"), &beside);
        files.push(format!("{name}/THIRD-PARTY-LICENSES.txt"));
        let endings: &[&str] = match program {
            "acreta" => &["tar.xz"],
            _ => &["tar.xz", "zip"],
        };
        for ending in endings {
            let program = format!("{name}/{program}");
            cases.push((format!("{name}.{ending}"), program, files.clone()));
        }
        let mut files = in_folder("package/", &licenses);
        files.push("package/package.json".to_owned());
        let package = format!("npm/acreta-{platform}-{VERSION}.tgz");
        cases.push((package, format!("package/bin/{program}"), files));
        let mut files = in_folder("", &licenses);
        files.push("manifest.json".to_owned());
        let bundle = format!("acreta-{VERSION}-{platform}.mcpb");
        cases.push((bundle, format!("server/{program}"), files));
    }
    let wheels = [
        ("manylinux_2_17_x86_64.musllinux_1_1_x86_64", "acreta"),
        ("manylinux_2_17_aarch64.musllinux_1_1_aarch64", "acreta"),
        ("macosx_15_0_arm64", "acreta"),
        ("macosx_15_0_x86_64", "acreta"),
        ("win_amd64", "acreta.exe"),
    ];
    for (tag, program) in wheels {
        let info = format!("acreta-{VERSION}.dist-info/");
        let mut files = in_folder(&info, &["METADATA", "WHEEL", "RECORD"]);
        files.extend(in_folder(&format!("{info}licenses/"), &licenses));
        let wheel = format!("python/acreta-{VERSION}-py3-none-{tag}.whl");
        let program = format!("acreta-{VERSION}.data/scripts/{program}");
        cases.push((wheel, program, files));
    }
    for (package, program, mut files) in cases {
        let found = entries(&packages.join(&package));
        assert_eq!(found[&program].0, 0o755, "{package}");
        assert_eq!(found[&program].1, PROGRAM.as_bytes(), "{package}");
        files.push(program.clone());
        files.sort();
        let names: Vec<&String> = found.keys().collect();
        assert_eq!(names, files.iter().collect::<Vec<_>>(), "{package}");
        let mut others = found.iter().filter(|(name, _)| **name != program);
        assert!(others.all(|(_, (mode, _))| *mode == 0o644), "{package}");
    }
    let main = entries(&packages.join(format!("npm/acreta-{VERSION}.tgz")));
    assert_eq!(main["package/acreta.js"].0, 0o755);
}

fn a_debian_package_is_a_version_a_control_file_and_a_tree(packages: &Path) {
    for arch in ["amd64", "arm64"] {
        let package = fs::read(packages.join(format!("acreta_{VERSION}_{arch}.deb"))).unwrap();
        let mut rest = package.strip_prefix(b"!<arch>\n").unwrap();
        let mut parts = BTreeMap::new();
        let scratch = tempfile::tempdir().unwrap();
        while !rest.is_empty() {
            let head = std::str::from_utf8(&rest[..60]).unwrap();
            assert!(head.ends_with("`\n"), "{head}");
            let size: usize = head[48..58].trim().parse().unwrap();
            let part = scratch.path().join(head[..16].trim());
            fs::File::create(&part)
                .unwrap()
                .write_all(&rest[60..60 + size])
                .unwrap();
            parts.insert(head[..16].trim().to_owned(), part);
            rest = &rest[60 + size + size % 2..];
        }
        assert_eq!(fs::read(&parts["debian-binary"]).unwrap(), b"2.0\n");
        let control = &entries(&parts["control.tar.xz"])["./control"].1;
        let control = String::from_utf8_lossy(control).into_owned();
        for line in [
            format!("Version: {VERSION}"),
            format!("Architecture: {arch}"),
        ] {
            assert!(control.lines().any(|own| own == line), "{control}");
        }
        let tree = entries(&parts["data.tar.xz"]);
        assert_eq!(tree["./usr/bin/acreta"].0, 0o755);
        assert!(tree.contains_key("./usr/share/doc/acreta/THIRD-PARTY-LICENSES.txt"));
        assert_eq!(tree["./usr/share/acreta/installed-by"].1, b"deb\n");
    }
}

fn sums_and_manifests_name_what_is_there(packages: &Path) {
    let sums = text(packages.join("SHA256SUMS"));
    let mut files = Vec::new();
    list(packages, &mut files);
    files.retain(|file| !file.ends_with("SHA256SUMS"));
    assert_eq!(sums.lines().count(), files.len());
    for file in &files {
        let name = file.strip_prefix(packages).unwrap();
        let row = format!("{}  {}", digest(&fs::read(file).unwrap()), name.display());
        assert!(sums.lines().any(|own| own == row), "{row}");
    }
    let of_archive = |name: &str| {
        let file = packages.join(format!("acreta-{VERSION}-{name}"));
        digest(&fs::read(file).unwrap())
    };
    let archives = [
        "x86_64-unknown-linux-musl.tar.xz",
        "aarch64-unknown-linux-musl.tar.xz",
        "aarch64-apple-darwin.tar.xz",
        "x86_64-apple-darwin.tar.xz",
    ];
    let bundles = [
        "linux-x64.mcpb",
        "linux-arm64.mcpb",
        "darwin-arm64.mcpb",
        "darwin-x64.mcpb",
        "win32-x64.mcpb",
    ];
    let windows = ["x86_64-pc-windows-gnu.zip"];
    let cases: [(&str, &[&str]); 8] = [
        ("install/install.sh", &archives),
        ("action/install.sh", &archives),
        ("homebrew/acreta.rb", &archives),
        ("nix/flake.nix", &archives),
        ("install/install.ps1", &windows),
        ("scoop/acreta.json", &windows),
        ("winget/Acreta.Acreta.installer.yaml", &windows),
        ("registry/server.json", &bundles),
    ];
    for (file, named) in cases {
        for name in named {
            assert!(
                text(packages.join(file)).contains(&of_archive(name)),
                "{file}: {name}"
            );
        }
    }
    let release: Value = serde_json::from_str(&text(packages.join("release.json"))).unwrap();
    assert_eq!(release["version"], VERSION);
    let listed = release["archives"].as_object().unwrap();
    assert_eq!(listed.len(), 5);
    for (target, archive) in listed {
        let name = archive["name"].as_str().unwrap();
        let content = fs::read(packages.join(name)).unwrap();
        assert!(name.contains(target.as_str()), "{target}: {name}");
        assert_eq!(archive["bytes"], content.len(), "{name}");
        assert_eq!(archive["sha256"], digest(&content), "{name}");
    }
    for file in &files {
        let Ok(content) = fs::read_to_string(file) else {
            continue;
        };
        let open = content
            .match_indices("{{")
            .filter(|(place, _)| !content[..*place].ends_with('$'));
        assert_eq!(open.count(), 0, "{} has an open place", file.display());
        if file.extension().is_some_and(|ending| ending == "json") {
            let value: Result<Value, _> = serde_json::from_str(&content);
            assert!(value.is_ok(), "{}", file.display());
        }
    }
    let versions = [
        (
            "claude/.claude-plugin/marketplace.json",
            "/plugins/0/version",
        ),
        (
            "claude/plugins/acreta/.claude-plugin/plugin.json",
            "/version",
        ),
        ("codex/plugins/acreta/.codex-plugin/plugin.json", "/version"),
        ("gemini/gemini-extension.json", "/version"),
        ("registry/server.json", "/packages/0/version"),
        ("scoop/acreta.json", "/version"),
    ];
    for (file, pointer) in versions {
        let value: Value = serde_json::from_str(&text(packages.join(file))).unwrap();
        assert_eq!(value.pointer(pointer).unwrap(), VERSION, "{file}");
    }
}

fn the_bill_and_the_licences_have_the_linked_libraries_alone(packages: &Path) {
    let bom: Value = serde_json::from_str(&text(packages.join("acreta.cdx.json"))).unwrap();
    assert_eq!(bom["bomFormat"], "CycloneDX");
    assert_eq!(bom["specVersion"], "1.6");
    let names: Vec<&str> = bom["components"]
        .as_array()
        .unwrap()
        .iter()
        .map(|component| component["name"].as_str().unwrap())
        .collect();
    assert_eq!(names, ["bare", "first", "second"]);
    let first = &bom["components"][1];
    assert_eq!(first["purl"], "pkg:cargo/first@1.2.3");
    assert_eq!(first["licenses"][0]["expression"], "MIT OR Apache-2.0");
    assert_eq!(first["hashes"][0]["content"], "0f0f");
    let depends = &bom["dependencies"];
    assert_eq!(
        depends[0]["dependsOn"],
        json!(["pkg:cargo/bare@1.2.3", "pkg:cargo/first@1.2.3"])
    );
    assert_eq!(depends[2]["dependsOn"], json!(["pkg:cargo/second@1.2.3"]));
    let licenses = text(packages.join("THIRD-PARTY-LICENSES.txt"));
    assert!(
        licenses.contains("bare 1.2.3: ISC (no file; by Somebody)\n"),
        "{licenses}"
    );
    assert!(
        licenses.contains("first 1.2.3, second 1.2.3\n\nYou may use this library.\n"),
        "{licenses}"
    );
    assert!(
        !licenses.contains("built") && !licenses.contains("tested"),
        "{licenses}"
    );
}

fn wheels_record_the_digests_of_their_files(packages: &Path) {
    let wheel = format!("python/acreta-{VERSION}-py3-none-win_amd64.whl");
    let files = entries(&packages.join(wheel));
    let info = format!("acreta-{VERSION}.dist-info");
    let record = &files[&format!("{info}/RECORD")].1;
    let record = String::from_utf8_lossy(record);
    assert_eq!(record.lines().count(), files.len());
    for (name, (_, content)) in &files {
        let row = record
            .lines()
            .find(|row| row.starts_with(&format!("{name},")))
            .unwrap();
        let size = if name.ends_with("RECORD") {
            String::new()
        } else {
            content.len().to_string()
        };
        assert!(row.ends_with(&format!(",{size}")), "{row}");
    }
    let wheel = String::from_utf8_lossy(&files[&format!("{info}/WHEEL")].1);
    assert!(
        wheel.lines().any(|line| line == "Tag: py3-none-win_amd64"),
        "{wheel}"
    );
}

fn the_installer_installs_refuses_a_wrong_sum_and_uninstalls(packages: &Path) {
    if !is_there(CURL, "curl") || std::env::consts::ARCH != "x86_64" {
        return;
    }
    let home = tempfile::tempdir().unwrap();
    let bad = home.path().join("bad");
    let name = format!("acreta-{VERSION}-x86_64-unknown-linux-musl.tar.xz");
    write(&bad.join(&name), "something else");
    let install = |served: &Path, arguments: &[&str]| {
        let mut command = Command::new("sh");
        command.arg(packages.join("install/install.sh"));
        command.args(arguments).env("HOME", home.path());
        for variable in [
            "ACRETA_INSTALL_DIR",
            "ACRETA_HOME",
            "XDG_BIN_HOME",
            "http_proxy",
            "HTTP_PROXY",
            "ALL_PROXY",
        ] {
            command.env_remove(variable);
        }
        command
            .env("ACRETA_DOWNLOAD_URL", serve(served))
            .output()
            .unwrap()
    };
    let program = home.path().join(".local/bin/acreta");
    let refused = install(&bad, &[]);
    assert_eq!(refused.status.code(), Some(1));
    assert!(
        said(&refused).contains("the checksum of"),
        "{}",
        said(&refused)
    );
    assert_eq!(fs::read_dir(program.parent().unwrap()).unwrap().count(), 0);

    let installed = install(packages, &[]);
    assert!(installed.status.success(), "{}", said(&installed));
    let shown = format!("installed acreta {VERSION}: {}", program.display());
    assert!(said(&installed).contains(&shown), "{}", said(&installed));
    assert!(
        said(&installed).contains("is not on your path"),
        "{}",
        said(&installed)
    );
    assert_eq!(run(&program, &["--version"]), "acreta stand-in --version\n");
    let receipt = home.path().join(".acreta/install.json");
    let recorded: Value = serde_json::from_str(&text(receipt.clone())).unwrap();
    assert_eq!(recorded["program"], program.to_str().unwrap());
    assert_eq!(recorded["version"], VERSION);
    let url = recorded["url"].as_str().unwrap();
    assert!(url.starts_with("http://127.0.0.1:"), "{url}");
    assert_eq!(install(&bad, &[]).status.code(), Some(1));
    assert_eq!(fs::read(&program).unwrap(), PROGRAM.as_bytes());

    let removed = install(packages, &["--uninstall"]);
    assert!(removed.status.success(), "{}", said(&removed));
    assert!(
        said(&removed).contains("acreta stand-in init --undo"),
        "{}",
        said(&removed)
    );
    assert!(!program.exists() && !receipt.exists());
    assert_eq!(install(packages, &["--uninstall"]).status.code(), Some(1));
}

fn the_npm_package_starts_the_program_of_its_platform(packages: &Path) {
    let cpu = match std::env::consts::ARCH {
        "x86_64" => "x64",
        "aarch64" => "arm64",
        _ => return,
    };
    if !is_there(NODE, "node") {
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    let unpack = |name: &str| {
        let to = scratch.path().join("node_modules").join(name);
        fs::create_dir_all(&to).unwrap();
        let package = packages.join(format!("npm/{name}-{VERSION}.tgz"));
        let tar = Command::new("tar")
            .args(["--extract", "--strip-components=1", "--file"])
            .arg(package)
            .arg("--directory")
            .arg(to)
            .status();
        assert!(tar.unwrap().success());
    };
    unpack("acreta");
    let start = |word: &str| {
        let script = scratch.path().join("node_modules/acreta/acreta.js");
        Command::new("node").arg(script).arg(word).output().unwrap()
    };
    let alone = start("status");
    assert_eq!(alone.status.code(), Some(1));
    assert!(
        said(&alone).contains("is not installed"),
        "{}",
        said(&alone)
    );
    unpack(&format!("acreta-linux-{cpu}"));
    assert_eq!(said(&start("status")), "acreta stand-in status\n");
    assert_eq!(start("fail").status.code(), Some(7));
}

fn the_wheel_is_installed_by_pip(packages: &Path) {
    let arch = std::env::consts::ARCH;
    if !is_there(PYTHON, "python3") || !["x86_64", "aarch64"].contains(&arch) {
        return;
    }
    let scratch = tempfile::tempdir().unwrap();
    let tags = format!("manylinux_2_17_{arch}.musllinux_1_1_{arch}");
    let wheel = packages.join(format!("python/acreta-{VERSION}-py3-none-{tags}.whl"));
    let pip = Command::new("python3")
        .args([
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-index",
            "--disable-pip-version-check",
            "--target",
        ])
        .arg(scratch.path())
        .arg(wheel)
        .output()
        .unwrap();
    assert!(pip.status.success(), "{}", said(&pip));
    assert_eq!(
        run(&scratch.path().join("bin/acreta"), &["x"]),
        "acreta stand-in x\n"
    );
}

fn package_managers_read_the_linux_packages(packages: &Path) {
    let scratch = tempfile::tempdir().unwrap();
    if is_there(DPKG, "dpkg-deb") {
        let unpacked = Command::new("dpkg-deb")
            .arg("--extract")
            .arg(packages.join(format!("acreta_{VERSION}_amd64.deb")))
            .arg(scratch.path())
            .output()
            .unwrap();
        assert!(unpacked.status.success(), "{}", said(&unpacked));
        let program = scratch.path().join("usr/bin/acreta");
        assert_eq!(run(&program, &["x"]), "acreta stand-in x\n");
    }
    if is_there(RPM, "rpmbuild") {
        for arch in ["x86_64", "aarch64"] {
            let package = packages.join(format!("acreta-{VERSION}-1.{arch}.rpm"));
            let query = [
                "-qp",
                "--queryformat",
                "%{VERSION} %{ARCH}\n[%{FILEMODES:perms} %{FILENAMES} %{FILEMTIMES}\n]",
            ];
            let listed = Command::new("rpm")
                .args(query)
                .arg(package)
                .output()
                .unwrap();
            let listed = said(&listed);
            assert!(
                listed.starts_with(&format!("{VERSION} {arch}\n")),
                "{listed}"
            );
            assert!(
                listed.contains("-rwxr-xr-x /usr/bin/acreta 0\n"),
                "{listed}"
            );
            assert!(
                listed.contains("/usr/share/acreta/installed-by 0\n"),
                "{listed}"
            );
        }
    }
}

/// Serves one request with a file of a folder, and returns the address.
fn serve(folder: &Path) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let folder = folder.to_owned();
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut request = [0; 4096];
        let read = stream.read(&mut request).unwrap();
        let request = String::from_utf8_lossy(&request[..read]).into_owned();
        let name = request.split(' ').nth(1).unwrap_or_default();
        let body = fs::read(folder.join(name.trim_start_matches('/'))).unwrap();
        let head = format!("HTTP/1.0 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&body).unwrap();
    });
    address
}

fn is_there(need: Need, program: &str) -> bool {
    let found = Command::new(program).arg("--version").output();
    let found = found.is_ok_and(|output| output.status.success());
    if !found {
        skip(need, &format!("{program} is not installed"));
    }
    found
}

fn run(program: &Path, arguments: &[&str]) -> String {
    said(&Command::new(program).args(arguments).output().unwrap())
}

fn said(output: &Output) -> String {
    let streams = [&output.stdout, &output.stderr];
    streams
        .map(|stream| String::from_utf8_lossy(stream))
        .concat()
}

fn text(file: PathBuf) -> String {
    fs::read_to_string(file).unwrap()
}

fn digest(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn list(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => list(&path, files),
            false => files.push(path),
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "files of a test")]
fn write(path: &Path, content: &str) {
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}
