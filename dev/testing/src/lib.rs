//! What the tests of all crates share: skips that can be turned into failures, and counts that can be raised.

#![expect(
    clippy::print_stdout,
    clippy::disallowed_methods,
    reason = "a skipped test says so, and whoever runs the tests asks for more by variables"
)]

/// Names the needs that this machine must meet: `all`, or a list such as `postgresql,strace`.
pub const REQUIRE: &str = "ACRETA_TEST_REQUIRE";

/// A program or a place that some tests need and that not every machine has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Need {
    /// Name in [`REQUIRE`].
    pub name: &'static str,
    /// Where it comes from.
    pub from: &'static str,
}

macro_rules! needs {
    ($($constant:ident, $name:literal, $from:literal;)*) => {
        $(pub const $constant: Need = Need { name: $name, from: $from };)*
        /// Every need. `docs/reliability.md` lists them.
        pub const NEEDS: &[Need] = &[$($constant),*];
    };
}

needs! {
    AGENTS, "agents", "agent programs in the folder that ACRETA_AGENT_PROGRAMS names";
    BROWSER, "browser", "node, chromium, and playwright-core from npm or in ACRETA_PLAYWRIGHT";
    C_TOOLCHAIN, "c", "`wit-bindgen`, `wasm-tools` and `zig` in the path";
    CHECKOUT, "checkout", "a checkout that ACRETA_CONTEXT_CHECKOUT names";
    COMPONENTIZE_JS, "componentize-js", "a node_modules folder that ACRETA_COMPONENTIZE_JS names";
    COMPONENTIZE_PY, "componentize-py", "a program that ACRETA_COMPONENTIZE_PY names";
    CURL, "curl", "`apt-get install curl`";
    DOCKER_REGISTRY, "docker-registry", "`apt-get install docker-registry`";
    DPKG, "dpkg", "`dpkg-deb`, which Debian has";
    GIT, "git", "`apt-get install git`";
    GO_TOOLCHAIN, "go", "`wit-bindgen`, `wasm-tools` and `go` in the path, and wasmtime's adapter in the file that ACRETA_WASI_ADAPTER names";
    MCP, "mcp", "`pip install mcp`, for python3 or the one in ACRETA_PYTHON";
    MODEL, "model", "a sentence model in the folder that ACRETA_MODEL names";
    MOTO, "moto", "`pip install 'moto[server]'`";
    NAMESPACES, "namespaces", "`unshare` of util-linux, and a system that allows it";
    NODE, "node", "node 20 or later, with npm";
    POSTGRESQL, "postgresql", "`apt-get install postgresql`";
    PYTHON, "python", "python 3.11 or later, with pip";
    QUOTATION, "quotation", "labelled cases in the file that ACRETA_QUOTATION names";
    RPM, "rpm", "`apt-get install rpm`";
    SCHEMATHESIS, "schemathesis", "`pip install schemathesis`, or a path in ACRETA_SCHEMATHESIS";
    SCRIPT, "script", "`script` of util-linux (`apt-get install bsdutils`)";
    STRACE, "strace", "`apt-get install strace`";
    TRACES, "traces", "recorded sessions in `../shared`, which are not published";
    TSC, "tsc", "typescript in the path, or in ACRETA_NODE_MODULES";
    WKG, "wkg", "`wkg` in the path (`cargo install wkg`)";
    UNPRIVILEGED, "unprivileged", "a user other than root";
}

/// Says that a test, or a part of it, cannot run here. Fails if [`REQUIRE`] names the need.
#[track_caller]
pub fn skip(need: Need, why: &str) {
    let required = std::env::var(REQUIRE).unwrap_or_default();
    let is_required = required
        .split(',')
        .any(|name| name == "all" || name == need.name);
    assert!(
        !is_required,
        "skipped, and {REQUIRE} forbids it: {why} (needs {}: {})",
        need.name, need.from
    );
    println!("skipped: {why} (needs {}: {})", need.name, need.from);
}

/// Returns how often a test repeats something: the number in a variable, or the usual one.
pub fn count(variable: &str, usual: usize) -> usize {
    std::env::var(variable).map_or(usual, |number| {
        number
            .parse()
            .unwrap_or_else(|_| panic!("{variable} is not a number: `{number}`"))
    })
}
