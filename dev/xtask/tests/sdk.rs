//! The packages for authors of plugins, as registries take them: what is in them, under which version.

#![cfg(target_os = "linux")]

use std::fs;
use std::path::Path;
use std::process::Command;

use acreta_testing::{NODE, PYTHON, skip};

const VERSION: &str = env!("CARGO_PKG_VERSION");

#[test]
fn each_package_has_the_sdk_and_the_contract_and_nothing_else() {
    let scratch = tempfile::tempdir().unwrap();
    let to = scratch.path().join("sdk");
    let packed = Command::new(env!("CARGO_BIN_EXE_xtask"))
        .args(["sdk", "--to"])
        .arg(&to)
        .output()
        .unwrap();
    let said =
        [packed.stdout, packed.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    let said = said.concat();
    assert!(packed.status.success(), "{said}");
    for (missing, need) in [("npm is not", NODE), ("python3 is not", PYTHON)] {
        if said.contains(missing) {
            skip(need, missing);
        }
    }
    // The file, the folder in it, files that it has, and the most that it may have.
    let rows: [(String, String, &[&str], usize); 6] = [
        (
            format!("acreta-sdk-{VERSION}.crate"),
            format!("acreta-sdk-{VERSION}/"),
            &[
                "Cargo.toml",
                "README.md",
                "src/lib.rs",
                "src/extractor/bindings.rs",
            ],
            60,
        ),
        (
            format!("acreta-client-{VERSION}.crate"),
            format!("acreta-client-{VERSION}/"),
            &["Cargo.toml", "README.md", "src/api.rs"],
            12,
        ),
        (
            format!("acreta-sdk-{VERSION}.tgz"),
            "package/".to_owned(),
            &[
                "package.json",
                "src/extractor.js",
                "types/acreta-types-types.d.ts",
                "wit/extractor/world.wit",
                "wit/extractor/deps/extractor/extractor.wit",
                "wit/adapter/deps/filesystem/filesystem.wit",
            ],
            70,
        ),
        (
            format!("acreta-client-{VERSION}.tgz"),
            "package/".to_owned(),
            &["package.json", "README.md", "index.js", "index.d.ts"],
            4,
        ),
        (
            format!("acreta_sdk-{VERSION}-py3-none-any.whl"),
            String::new(),
            &[
                "acreta_sdk/extractor.py",
                "acreta_sdk/wit/extractor/extractor.wit",
                "acreta_sdk/wit/extractor/deps/types/types.wit",
                "acreta_sdk/stubs/extractor/wit_world/__init__.py",
            ],
            110,
        ),
        (
            format!("acreta_sdk-{VERSION}.tar.gz"),
            format!("acreta_sdk-{VERSION}/"),
            &[
                "PKG-INFO",
                "pyproject.toml",
                "build_package.py",
                "src/acreta_sdk/extractor.py",
            ],
            110,
        ),
    ];
    for (file, folder, expected, most) in rows {
        let path = to.join(&file);
        let is_skipped = match file.ends_with(".tgz") {
            true => said.contains("npm is not"),
            false => !file.ends_with(".crate") && said.contains("python3 is not"),
        };
        if is_skipped {
            continue;
        }
        let names = names(&path);
        for name in expected {
            let name = format!("{folder}{name}");
            assert!(names.contains(&name), "{file}: no {name} in {names:#?}");
        }
        assert!(
            names.len() <= most,
            "{file}: {} files: {names:#?}",
            names.len()
        );
        let is_ours = |name: &&String| {
            !name.contains("__pycache__")
                && !name.contains("/tests/")
                && !name.contains("/template/")
        };
        assert!(
            names.iter().all(|name| is_ours(&name)),
            "{file}: {names:#?}"
        );
    }
    assert!(!to.join("stage").exists());
    assert!(fs::read_dir(&to).unwrap().count() >= 2);
}

fn names(archive: &Path) -> Vec<String> {
    let is_zip = archive.extension().is_some_and(|ending| ending == "whl");
    let mut command = match is_zip {
        true => {
            let mut python = Command::new("python3");
            python.args(["-m", "zipfile", "--list"]);
            python
        }
        false => {
            let mut tar = Command::new("tar");
            tar.arg("-tzf");
            tar
        }
    };
    let listed = command.arg(archive).output().expect("the file can be read");
    assert!(listed.status.success(), "{}", archive.display());
    let text = String::from_utf8(listed.stdout).expect("the file can be read");
    let names = text.lines().skip(usize::from(is_zip));
    let first = |line: &str| line.split(' ').next().unwrap_or_default().to_owned();
    names
        .map(first)
        .filter(|name| !name.ends_with('/'))
        .collect()
}
