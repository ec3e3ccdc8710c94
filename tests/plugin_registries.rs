//! Plugins through a real registry, with and without a login: pushed by acreta and pulled as `wkg oci pull` does, and the
//! other way round.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::plugin_life::{ID, built};
use crate::support::registry::{PASSWORD, Registry, USER};
use crate::support::{Project, ran};

fn wkg(arguments: &[&str]) {
    let script = acreta_plugin_build::workspace_root().join("tests/support/wkg_oci.py");
    let output = Command::new("python3")
        .arg(script)
        .args(arguments)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}

#[test]
fn a_plugin_goes_through_a_registry_in_both_directions() {
    let Some(registry) = Registry::start(false) else {
        return;
    };
    let project = Project::new();
    let first = project.write("first.wasm", &built("0.1.0", ""));
    let pushed = project.acreta(&[
        "plugin",
        "push",
        text(&first),
        &registry.reference("team/mine"),
    ]);
    let pushed = pushed.succeeded();
    assert!(
        pushed.stderr.contains("team/mine:0.1.0"),
        "{}",
        pushed.stderr
    );
    let pinned = pushed.stdout.trim().to_owned();
    assert!(pinned.contains("/team/mine@sha256:"), "{pinned}");

    // What other tools pull is the same file.
    let pulled = project.outside().join("pulled.wasm");
    wkg(&["pull", &registry.place, "team/mine", "0.1.0", text(&pulled)]);
    assert_eq!(
        std::fs::read(&pulled).unwrap(),
        std::fs::read(&first).unwrap()
    );

    // By tag and by digest, and what others pushed.
    let tag = registry.reference("team/mine:0.1.0");
    for source in [&pinned, &tag] {
        project
            .acreta(&["plugin", "install", source, "--yes", "--confirm"])
            .succeeded();
    }
    let second = project.write("second.wasm", &built("0.2.0", ""));
    wkg(&["push", &registry.place, "team/mine", "0.2.0", text(&second)]);
    let outdated = project
        .acreta(&["plugin", "outdated", "--json"])
        .succeeded();
    let outdated = &outdated.json()["plugins"][0];
    assert_eq!(outdated["state"], "newer", "{outdated}");
    assert_eq!(outdated["available"], "0.2.0", "{outdated}");
    project
        .acreta(&["plugin", "update", ID, "--yes"])
        .succeeded();
    let listed = project.acreta(&["plugin", "outdated"]).succeeded().stdout;
    assert!(
        listed.contains("0.2.0") && !listed.contains("newer"),
        "{listed}"
    );

    // The same again changes nothing; another under the same tag needs a word, and those who have it are asked.
    let again = project.acreta(&["plugin", "push", text(&first), &tag]);
    assert!(again.succeeded().stderr.contains("has it already"));
    let other = project.write(
        "other.wasm",
        &built("0.2.0", "homepage = \"https://example.org\""),
    );
    let tag = registry.reference("team/mine:0.2.0");
    project
        .acreta(&["plugin", "push", text(&other), &tag])
        .failed(1, "exists and names");
    project
        .acreta(&["plugin", "push", text(&other), &tag, "--replace"])
        .succeeded();
    let outdated = project
        .acreta(&["plugin", "outdated", "--json"])
        .succeeded();
    assert_eq!(outdated.json()["plugins"][0]["state"], "changed");
    project
        .acreta(&["plugin", "update", ID, "--yes"])
        .failed(1, "the tag was moved");
    // A lock verifies what the tag named then, which is still there under its digest.
    let lock = project.home().join("acreta.lock");
    let verified = project.acreta(&["plugin", "verify", "--lock", text(&lock)]);
    assert!(verified.succeeded().stdout.starts_with("ok"));
    project
        .acreta(&["plugin", "update", ID, "--yes", "--confirm"])
        .succeeded();
}

#[test]
fn a_login_is_found_where_container_tools_keep_it() {
    let Some(registry) = Registry::start(true) else {
        return;
    };
    let project = Project::new();
    let file = project.write("mine.wasm", &built("0.1.0", ""));
    let source = registry.reference("mine:0.1.0");
    let push = ["plugin", "push", text(&file), &source];
    let refused = project.acreta(&push).failed(1, "it requires a login");
    assert!(
        refused.stderr.contains("docker login"),
        "{}",
        refused.stderr
    );

    // In the file itself.
    let login = base64(&format!("{USER}:{PASSWORD}"));
    let auths = |auth: &str| {
        format!(
            "{{\"auths\":{{\"{}\":{{\"auth\":\"{auth}\"}}}}}}",
            registry.place
        )
    };
    project.write(".docker/config.json", auths(&base64("me:wrong")).as_bytes());
    project
        .acreta(&push)
        .failed(1, "the login has no permission");
    project.write(".docker/config.json", auths(&login).as_bytes());
    project.acreta(&push).succeeded();
    project
        .acreta(&["plugin", "install", &source, "--yes"])
        .succeeded();
    let newer = project.write("newer.wasm", &built("0.2.0", ""));
    let newer = [text(&newer), &registry.reference("mine:0.2.0")];
    project
        .acreta(&[&["plugin", "push"], &newer[..]].concat())
        .succeeded();
    // Without the login nothing is known of it, and nothing changes.
    let update = ["plugin", "update", ID, "--yes"];
    project.write(".docker/config.json", b"{}");
    let outdated = project.acreta(&["plugin", "outdated"]).succeeded().stdout;
    assert!(outdated.contains("it requires a login"), "{outdated}");
    project.acreta(&update).failed(1, "it requires a login");
    project.write(".docker/config.json", auths(&login).as_bytes());
    let updated = project.acreta(&update).succeeded().stdout;
    assert!(updated.contains("mine 0.2.0 sha256:"), "{updated}");
    project
        .acreta(&["plugin", "remove", ID, "--yes"])
        .succeeded();
    let pulled = project.outside().join("pulled.wasm");
    let user = format!("{USER}:{PASSWORD}");
    wkg(&[
        "pull",
        &registry.place,
        "mine",
        "0.1.0",
        text(&pulled),
        &user,
    ]);
    wkg(&["push", &registry.place, "theirs", "1", text(&pulled), &user]);

    // In a folder that a variable names, through a helper.
    let helper = project.write(
        "bin/docker-credential-test",
        format!(
            "#!/bin/sh\nread server\necho \"$1 $server\" >> {}/asked\nprintf '{{\"ServerURL\":\"%s\",\"Username\":\"{USER}\",\"Secret\":\"{PASSWORD}\"}}' \"$server\"\n",
            project.outside().display()
        )
        .as_bytes(),
    );
    std::fs::set_permissions(&helper, std::fs::Permissions::from_mode(0o755)).unwrap();
    project.write(".docker/config.json", b"{}");
    project.write("elsewhere/config.json", br#"{"credsStore":"test"}"#);
    let theirs = registry.reference("theirs:1");
    let installed = project
        .command(&["plugin", "install", &theirs, "--yes"])
        .env("DOCKER_CONFIG", project.outside().join("elsewhere"))
        .env(
            "PATH",
            format!("{}:/usr/bin:/bin", helper.parent().unwrap().display()),
        )
        .output()
        .unwrap();
    let installed = ran(installed).succeeded();
    assert!(!installed.stdout.contains(PASSWORD));
    let asked = std::fs::read_to_string(project.outside().join("asked")).unwrap();
    assert_eq!(asked, format!("get {}\n", registry.place));
    // No login is written down.
    let lock = std::fs::read_to_string(project.home().join("acreta.lock")).unwrap();
    assert!(!lock.contains(PASSWORD) && !lock.contains(&login), "{lock}");
}

fn base64(text: &str) -> String {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut encoded = String::new();
    for three in text.as_bytes().chunks(3) {
        let bits = three
            .iter()
            .fold(0u32, |bits, byte| bits << 8 | u32::from(*byte));
        let bits = bits << (8 * (3 - three.len()));
        for place in 0..4 {
            let letter = LETTERS[(bits >> (18 - 6 * place) & 63) as usize];
            encoded.push(if place <= three.len() {
                letter.into()
            } else {
                '='
            });
        }
    }
    encoded
}
