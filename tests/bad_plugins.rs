//! Invalid files in the plugin folder, or plugins of another contract: refused with name and reason, before anything is
//! compiled or run.

use crate::support::{Project, files, fixture};

/// Returns a component with this text and nothing else.
fn parsed(text: &str) -> Vec<u8> {
    wat::parse_str(text).unwrap()
}

#[test]
fn what_is_no_plugin_is_refused_by_name() {
    let adapter = r#"(instance $i) (export "acreta:adapter/adapter@0.1.0" (instance $i))"#;
    let cases: Vec<(&str, Vec<u8>, &str, &str)> = vec![
        (
            "text",
            b"hello".to_vec(),
            "is not a WebAssembly file",
            "hint: ",
        ),
        (
            "core module",
            parsed("(module)"),
            "is a core WebAssembly module",
            "wasm32-wasip2",
        ),
        (
            "native code",
            b"\x7fELF\x02\x01\x01".to_vec(),
            "precompiled native code",
            "compiles and caches it itself",
        ),
        (
            "no role",
            parsed("(component)"),
            "exports no role of acreta",
            "acreta:adapter/adapter@0.1.0",
        ),
        (
            "other version",
            parsed(
                r#"(component (instance $i) (export "acreta:adapter/adapter@0.2.0" (instance $i)))"#,
            ),
            "built against version 0.2.0 of the adapter interface, this acreta speaks 0.1.0",
            "update acreta",
        ),
        (
            "http",
            parsed(&format!(
                r#"(component (import "wasi:http/types@0.2.0" (instance)) {adapter})"#
            )),
            "imports `wasi:http/types@0.2.0`, which adapter plugins may not use",
            "an adapter may import",
        ),
        (
            "another role's import",
            parsed(&format!(
                r#"(component (import "acreta:host/llm@0.1.0" (instance)) {adapter})"#
            )),
            "imports `acreta:host/llm@0.1.0`",
            "hint: ",
        ),
        (
            "empty adapter",
            parsed(&format!("(component {adapter})")),
            "does not fit the adapter interface",
            "hint: ",
        ),
    ];
    for (name, bytes, message, hint) in cases {
        let project = Project::new();
        let file = project.write("mine.wasm", &bytes);
        let ran = project
            .acreta(&[
                "run",
                fixture("claude/demo-queue-retries.jsonl").to_str().unwrap(),
                "--plugin",
                file.to_str().unwrap(),
            ])
            .failed(1, message);
        assert!(ran.stderr.contains("mine"), "{name}: {}", ran.stderr);
        assert!(
            ran.stderr
                .contains(&hint.replace("an adapter", "a adapter")),
            "{name}: {}",
            ran.stderr
        );
        assert!(files(&project.root()).is_empty(), "{name} left files");
    }
}

#[test]
fn a_plugin_of_another_role_is_refused() {
    let mut project = Project::new();
    project.configure("[plugins]\nadapters = [\"writer-markdown\"]");
    let trace = fixture("claude/demo-queue-retries.jsonl");
    project
        .acreta(&["run", trace.to_str().unwrap()])
        .failed(1, "is a memory-writer, a adapter is needed");
}

#[test]
fn an_unknown_plugin_is_named_with_those_there_are() {
    let mut project = Project::new();
    project.configure("[plugins]\nextractor = \"extractor-of-dreams\"");
    project
        .acreta(&[
            "run",
            fixture("claude/demo-queue-retries.jsonl").to_str().unwrap(),
        ])
        .failed(1, "no such plugin: `extractor-of-dreams`");
}

/// A damaged compile cache costs a compilation, not the run.
#[test]
fn a_damaged_compile_cache_is_rebuilt() {
    let project = Project::new();
    let trace = fixture("claude/demo-queue-retries.jsonl");
    let cache = project.outside().join("own-cache");
    let run = || {
        let output = project
            .command(&["run", trace.to_str().unwrap()])
            .env("ACRETA_CACHE_DIR", &cache)
            .output()
            .unwrap();
        crate::support::ran(output).succeeded()
    };
    run();
    let compiled: Vec<_> = files(&cache.join("plugins"));
    assert_eq!(compiled.len(), 5);
    for file in &compiled {
        let relative = file
            .strip_prefix(project.outside())
            .unwrap()
            .to_str()
            .unwrap()
            .to_owned();
        project.write(&relative, b"not native code");
    }
    run();
    for file in &compiled {
        assert!(
            std::fs::metadata(file).unwrap().len() > 1000,
            "{} was not rebuilt",
            file.display()
        );
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let folder = std::fs::metadata(compiled[0].parent().unwrap()).unwrap();
        assert_eq!(folder.permissions().mode() & 0o777, 0o700);
    }
}

/// Neither the time nor the memory of a compiler is bounded by the size of its input.
#[cfg(unix)]
#[test]
fn a_stranger_s_component_is_compiled_within_limits() {
    let project = Project::new();
    let component = crate::support::component("hostile-adapter");
    let file = project.write("mine.wasm", &component);
    let compile = |seconds: &str, bytes: &str| {
        let mut command = project.command(&["compile-component", seconds, bytes]);
        command.stdin(std::fs::File::open(&file).unwrap());
        command.output().unwrap()
    };
    let done = compile("120", "4294967296");
    assert!(done.status.success(), "{done:?}");
    assert!(done.stdout.starts_with(b"\x7fELF"));
    // Far less memory than the compiler needs.
    let refused = compile("120", "100000000");
    assert!(!refused.status.success());
    assert!(refused.stdout.is_empty());
    // A plugin from outside goes this way, a built-in one does not.
    let trace = fixture("claude/demo-queue-retries.jsonl");
    let compiled_apart = |arguments: &[&str], cache: &str| {
        let ran = project
            .command(&[&["run", trace.to_str().unwrap()], arguments].concat())
            .env("ACRETA_LOG", "debug")
            .env("ACRETA_CACHE_DIR", project.outside().join(cache))
            .output()
            .unwrap();
        let said = String::from_utf8_lossy(&ran.stderr).into_owned();
        assert!(said.contains("compiled"), "{said}");
        said.matches("compiled by a process of its own").count()
    };
    let own = ["--plugin", file.to_str().unwrap()];
    assert_eq!(compiled_apart(&own, "one"), 1);
    assert_eq!(compiled_apart(&[], "other"), 0);
}
