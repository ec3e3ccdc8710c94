//! The generated clients, compiled by their own languages and used against the server.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::{Running, TOKEN, has, root};

fn checked(name: &str, output: Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {text}{complaint}");
    text
}

#[test]
fn the_python_client_works() {
    let version = "import sys; sys.exit(sys.version_info < (3, 11))";
    if !has("python3", &["-c", version]) {
        println!("skipped: there is no python3 of 3.11 or later");
        return;
    }
    let running = Running::start();
    let output = Command::new("python3")
        .arg("-B")
        .arg(root().join("host/server/tests/use_client.py"))
        .arg(root().join("sdk/client-python"))
        .arg(format!("http://{}", running.address))
        .arg(TOKEN)
        .output();
    let text = checked("python3", output.unwrap());
    assert!(text.contains("python client: "), "{text}");
    print!("{text}");
    assert!(
        running
            .fake
            .calls()
            .contains(&"Confirm 01J000000000000000000A0003".to_owned())
    );
}

/// `tsc` checks the types and takes them away; `node` runs what is left. `ACRETA_NODE_MODULES` names
/// a folder with `typescript` and `@types/node`.
#[test]
fn the_typescript_client_works() {
    let modules = std::env::var_os("ACRETA_NODE_MODULES");
    let compiler = modules
        .as_ref()
        .map(|modules| Path::new(modules).join(".bin/tsc"));
    let compiler = compiler.map_or_else(
        || "tsc".to_owned(),
        |path| path.to_string_lossy().into_owned(),
    );
    if !has(&compiler, &["--version"]) || !has("node", &["--version"]) {
        println!("skipped: there is no tsc or no node");
        return;
    }
    let running = Running::start();
    let folder = tempfile::tempdir().unwrap();
    let client = root().join("sdk/client-typescript/acreta-client.ts");
    let compile = |more: &[&str]| {
        let mut command = Command::new(&compiler);
        command.args([
            "--strict",
            "--exactOptionalPropertyTypes",
            "--noUncheckedIndexedAccess",
        ]);
        command.args([
            "--target",
            "es2022",
            "--module",
            "esnext",
            "--lib",
            "es2022,dom,dom.iterable",
            "--types",
            "",
        ]);
        command.args(more).arg(&client).output().unwrap()
    };
    checked(
        "tsc --noEmit",
        compile(&["--noEmit", "--erasableSyntaxOnly"]),
    );
    let out = folder.path().to_string_lossy().into_owned();
    checked("tsc", compile(&["--outDir", &out]));
    // As it is written, node takes it only with this ending.
    let (from, to) = (
        folder.path().join("acreta-client.js"),
        folder.path().join("acreta-client.mjs"),
    );
    std::fs::copy(from, &to).unwrap();
    let output = Command::new("node")
        .arg(root().join("host/server/tests/use_client.mjs"))
        .arg(&to)
        .arg(format!("http://{}", running.address))
        .arg(TOKEN)
        .output();
    let text = checked("node", output.unwrap());
    assert!(text.contains("typescript client: "), "{text}");
    print!("{text}");
    assert!(
        running
            .fake
            .calls()
            .contains(&"Confirm 01J000000000000000000A0003".to_owned())
    );
}
