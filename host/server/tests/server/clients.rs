//! The generated clients, installed as packages of their own languages and used against the server.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use acreta_client::{
    Client, EditMemoryFields, Error, EventsFields, ExploreFields, GetMemoryFields,
    ListMemoriesFields, MaintainFields, MemoryType, OverviewFields, ProblemCode, SearchFields,
    StatusFields, TaskState,
};

use crate::support::{Running, TOKEN, has, root};

/// The change that every client makes to the same memory.
const CONFIRMED: &str = "confirm_memory 01J000000000000000000A0003";

fn checked(name: &str, output: Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let complaint = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{name}: {text}{complaint}");
    text
}

/// Writes the package of a client, as `cargo xtask clients` does.
#[expect(clippy::disallowed_methods, reason = "a test's own scratch files")]
fn package(name: &str, into: &Path) -> PathBuf {
    let to = into.join(name);
    let document = acreta_server::document(env!("CARGO_PKG_VERSION"));
    let put = |path: &str, bytes: &[u8]| {
        let path = to.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    for file in acreta_client_gen::clients(&document) {
        if file.package == name {
            put(file.path, file.text.as_bytes());
        }
    }
    for path in [
        "README.md",
        "build_package.py",
        "src/acreta_client/py.typed",
    ] {
        if let Ok(bytes) = std::fs::read(root().join("sdk").join(name).join(path)) {
            put(path, &bytes);
        }
    }
    to
}

#[test]
fn the_python_client_is_installed_and_works() {
    let version = "import sys; sys.exit(sys.version_info < (3, 11))";
    if !has("python3", &["-c", version]) || !has("python3", &["-m", "pip", "--version"]) {
        acreta_testing::skip(acreta_testing::PYTHON, "no python3 with pip");
        return;
    }
    let running = Running::start();
    let folder = tempfile::tempdir().unwrap();
    let installed = folder.path().join("installed");
    let output = Command::new("python3")
        .args(["-m", "pip", "install", "--quiet", "--no-index", "--target"])
        .arg(&installed)
        .arg(package("client-python", folder.path()))
        .output();
    checked("pip install", output.unwrap());
    assert!(installed.join("acreta_client/py.typed").exists());
    let output = Command::new("python3")
        .arg("-B")
        .arg(root().join("host/server/tests/use_client.py"))
        .arg(&installed)
        .arg(format!("http://{}", running.address))
        .arg(TOKEN)
        .arg(running.world.project(0))
        .output();
    let text = checked("python3", output.unwrap());
    assert!(text.contains("python client: "), "{text}");
    print!("{text}");
    assert!(running.world.calls().contains(&CONFIRMED.to_owned()));
}

/// `npm` installs the packed package; `tsc` checks the types if it is installed. `ACRETA_NODE_MODULES` names a folder
/// with `typescript`.
#[test]
fn the_typescript_client_is_installed_and_works() {
    if !has("npm", &["--version"]) || !has("node", &["--version"]) {
        acreta_testing::skip(acreta_testing::NODE, "no node or no npm");
        return;
    }
    let running = Running::start();
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let npm = |arguments: &[&str], place: &Path| {
        let output = Command::new("npm")
            .args(arguments)
            .current_dir(place)
            .output();
        checked("npm", output.unwrap())
    };
    let client = package("client-typescript", folder);
    let packed = npm(&["pack", "--silent", "--offline"], &client);
    let packed = client.join(packed.trim()).to_string_lossy().into_owned();
    let user = folder.join("user");
    std::fs::create_dir(&user).unwrap();
    std::fs::copy(
        root().join("host/server/tests/user_package.json"),
        user.join("package.json"),
    )
    .unwrap();
    npm(
        &["install", "--offline", "--no-audit", "--no-fund", &packed],
        &user,
    );
    for name in ["use_client.mjs", "use_client.ts"] {
        let from = root().join("host/server/tests").join(name);
        std::fs::copy(from, user.join(name)).unwrap();
    }
    check_types(&user);
    let output = Command::new("node")
        .arg(user.join("use_client.mjs"))
        .arg(format!("http://{}", running.address))
        .arg(TOKEN)
        .arg(running.world.project(0))
        .output();
    let text = checked("node", output.unwrap());
    assert!(text.contains("typescript client: "), "{text}");
    print!("{text}");
    assert!(running.world.calls().contains(&CONFIRMED.to_owned()));
}

fn check_types(user: &Path) {
    let modules = std::env::var_os("ACRETA_NODE_MODULES");
    let compiler = modules.map_or_else(
        || PathBuf::from("tsc"),
        |modules| Path::new(&modules).join(".bin/tsc"),
    );
    if !has(&compiler.to_string_lossy(), &["--version"]) {
        acreta_testing::skip(acreta_testing::TSC, "types are not checked");
        return;
    }
    let output = Command::new(compiler)
        .args(["--noEmit", "--strict", "--exactOptionalPropertyTypes"])
        .args(["--noUncheckedIndexedAccess", "--target", "es2022"])
        .args(["--module", "nodenext", "--moduleResolution", "nodenext"])
        .args(["--lib", "es2022,dom,dom.iterable", "--types", ""])
        .arg("use_client.ts")
        .current_dir(user)
        .output();
    checked("tsc", output.unwrap());
}

#[test]
fn the_rust_client_works() {
    let running = Running::start();
    let url = format!("http://{}/", running.address);
    let client = Client::at(TOKEN, &url);
    let id = "01J000000000000000000A0003";
    assert_eq!(client.health().unwrap().status, "ok");
    let page = client.list_memories(&ListMemoriesFields {
        limit: Some(3),
        stale: Some(false),
        r#type: Some(MemoryType::Learning),
        ..ListMemoriesFields::default()
    });
    assert_eq!(page.unwrap().memories.len(), 3);
    let project = Some(running.world.project(0));
    let memory = client.get_memory(
        id,
        &GetMemoryFields {
            project_root: project,
        },
    );
    let memory = memory.unwrap();
    let evidence = &memory.evidence.as_ref().unwrap().contributions[0].evidence;
    assert!(!evidence[0].quote.is_empty());
    let edit = |digest: &str| EditMemoryFields {
        expected_digest: digest.to_owned(),
        title: Some("Näher & <b>".to_owned()),
        ..EditMemoryFields::default()
    };
    assert!(
        client
            .edit_memory(id, &edit(&memory.digest))
            .unwrap()
            .changed
    );
    assert_eq!(
        client.confirm_memory(id, &Default::default()).unwrap().id,
        id
    );
    let found = client.search(&SearchFields {
        q: "queue & co".to_owned(),
        ..SearchFields::default()
    });
    assert!(!found.unwrap().hits.is_empty());
    let explored = client.explore(&ExploreFields {
        project_root: running.world.project(0),
        budget: Some(500),
        ..ExploreFields::default()
    });
    assert!(explored.unwrap().contains_key("command"));

    let mut events = client
        .events(&EventsFields::default(), Some("0-0"))
        .unwrap();
    let named = client.with_request_id("from-rust-1");
    let accepted = named.maintain(&MaintainFields::default()).unwrap();
    assert_eq!(accepted.request_id, "from-rust-1");
    assert_eq!(accepted.state, TaskState::Accepted);
    let completed = events.find(|event| {
        let event = event.as_ref().unwrap();
        event.kind == "job" && event.name == "completed"
    });
    let completed = completed.unwrap().unwrap();
    assert_eq!(completed.request_id.as_deref(), Some("from-rust-1"));
    let job = client.get_job(&accepted.job_id).unwrap();
    assert_eq!(job.state, TaskState::Completed);

    let wrong = Client::at("wrong", &url);
    let nowhere = OverviewFields {
        project_root: Some("/etc".to_owned()),
    };
    let table = [
        (
            client.edit_memory(id, &edit("old")).err(),
            409,
            ProblemCode::ChangedMeanwhile,
        ),
        (
            client.get_memory("a/b?c#d", &Default::default()).err(),
            404,
            ProblemCode::NotFound,
        ),
        (
            client.overview(&nowhere).err(),
            403,
            ProblemCode::ProjectNotRegistered,
        ),
        (
            wrong.status(&StatusFields::default()).err(),
            401,
            ProblemCode::Unauthorised,
        ),
    ];
    for (error, expected, code) in table {
        let error = error.unwrap();
        assert!(error.request_id().is_some_and(|id| !id.is_empty()));
        let Error::Refused {
            status, problem, ..
        } = error
        else {
            panic!("{error}");
        };
        assert_eq!((status, problem.code), (expected, code));
    }
    let nobody = Client::at(TOKEN, "http://127.0.0.1:9").health();
    assert!(matches!(nobody, Err(Error::Unreachable { .. })));
    assert!(running.world.calls().contains(&CONFIRMED.to_owned()));
}
