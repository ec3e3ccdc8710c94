//! Plugins through a real registry, with and without a login: pushed by acreta and pulled as `wkg oci pull` does, and the
//! other way round; by `wkg` itself where it is installed, which also builds, publishes and fetches the WIT packages.

use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Command;

use crate::plugin_life::{ID, built};
use crate::support::registry::{PASSWORD, Registry, USER};
use crate::support::{Project, Ran, ran};

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

/// Calls `wkg` with the logins, the cache and the settings of a project's home, in its folder.
fn real_wkg(project: &Project, registry: &str, arguments: &[&str]) -> Ran {
    let output = Command::new("wkg")
        .args(arguments)
        .current_dir(project.outside())
        .env("HOME", project.outside())
        .env("DOCKER_CONFIG", project.outside().join(".docker"))
        .env("WKG_OCI_INSECURE", registry)
        .env("WKG_CONFIG_FILE", project.outside().join("wkg-config.toml"))
        .env("WKG_CACHE_DIR", project.outside().join("wkg-cache"))
        .output()
        .unwrap();
    ran(output)
}

fn has_wkg() -> bool {
    let answer = Command::new("wkg").arg("--version").output();
    let is_there = answer.is_ok_and(|answer| answer.status.success());
    if !is_there {
        acreta_testing::skip(acreta_testing::WKG, "no wkg to push and pull with");
    }
    is_there
}

#[test]
fn wkg_itself_pushes_and_pulls() {
    if !has_wkg() {
        return;
    }
    for has_login in [false, true] {
        let Some(registry) = Registry::start(has_login) else {
            return;
        };
        let project = Project::new();
        let place = registry.place.as_str();
        project.write("wkg-config.toml", b"");
        let first = project.write("first.wasm", &built("0.1.0", ""));
        let second = project.write("second.wasm", &built("0.2.0", ""));
        let theirs = format!("{place}/team/theirs:1");
        let push = ["oci", "push", &theirs, text(&second)];
        if has_login {
            assert_ne!(real_wkg(&project, place, &push).code, 0);
            let login = base64(&format!("{USER}:{PASSWORD}"));
            let auths = format!("{{\"auths\":{{\"{place}\":{{\"auth\":\"{login}\"}}}}}}");
            project.write(".docker/config.json", auths.as_bytes());
        }

        // Ours, by tag and by digest.
        let ours = registry.reference("team/mine");
        let pushed = project.acreta(&["plugin", "push", text(&first), &ours]);
        let pinned = pushed.succeeded().stdout;
        let pinned = pinned.trim().strip_prefix("oci://").unwrap();
        for reference in [pinned, &format!("{place}/team/mine:0.1.0")] {
            let pull = ["oci", "pull", reference, "--output", "pulled.wasm"];
            real_wkg(&project, place, &pull).succeeded();
            let pulled = std::fs::read(project.outside().join("pulled.wasm")).unwrap();
            assert_eq!(pulled, std::fs::read(&first).unwrap(), "{reference}");
        }

        // Theirs, by tag and by the digest that it prints.
        let pushed = real_wkg(&project, place, &push).succeeded().stdout;
        let digest = pushed
            .lines()
            .find_map(|line| line.strip_prefix("digest: "));
        let pinned = format!("{place}/team/theirs@{}", digest.unwrap());
        for reference in [&theirs, &pinned] {
            let source = format!("oci://{reference}");
            let install = ["plugin", "install", &source, "--yes", "--confirm"];
            let said = project.acreta(&install).succeeded().stdout;
            assert!(said.contains("mine 0.2.0 sha256:"), "{said}");
        }
    }
}

/// A registry of `wkg` that is a folder.
const LOCAL_REGISTRY: &str = "packages.test";

#[test]
fn wkg_builds_publishes_and_fetches_the_wit_packages() {
    if !has_wkg() {
        return;
    }
    let project = Project::new();
    let wit = acreta_plugin_build::workspace_root().join("wit");
    let packages = [
        "types",
        "host",
        "adapter",
        "extractor",
        "explorer",
        "memory-writer",
    ];
    for name in packages {
        let file = format!("{name}/{name}.wit");
        project.write(&file, &std::fs::read(wit.join(&file)).unwrap());
    }
    project.write("wkg.toml", &std::fs::read(wit.join("wkg.toml")).unwrap());
    let store = project.outside().join("packages");
    std::fs::create_dir_all(&store).unwrap();
    let config = format!(
        "[namespace_registries]\nacreta = \"{LOCAL_REGISTRY}\"\n\n[registry.\"{LOCAL_REGISTRY}\".local]\nroot = \"{}\"\n",
        store.display()
    );
    project.write("wkg-config.toml", config.as_bytes());
    let wkg = |arguments: &[&str]| real_wkg(&project, "", arguments).succeeded();
    let published = wkg(&["publish", "--workspace"]).stderr;
    for name in packages {
        let said = format!("Published acreta:{name}@0.1.0");
        assert!(published.contains(&said), "{name}: {published}");
    }

    // Somebody else's world, with nothing of ours beside it.
    let world = "package else:where@1.0.0;\n\nworld plugin {\n  include acreta:extractor/extractor-plugin@0.1.0;\n}\n";
    project.write("wit/world.wit", world.as_bytes());
    #[expect(clippy::disallowed_methods, reason = "a test's own scratch file")]
    std::fs::remove_file(project.outside().join("wkg.toml")).unwrap();
    wkg(&["wit", "fetch"]);
    let fetched = crate::support::files(&project.outside().join("wit/deps"));
    for name in ["types", "host", "extractor"] {
        let is_there = |file: &&std::path::PathBuf| file.to_string_lossy().contains(name);
        assert!(
            fetched.iter().any(|file| is_there(&file)),
            "{name}: {fetched:?}"
        );
    }
    wkg(&["wit", "build", "--output", "where.wasm"]);
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
