//! The project's tasks: `cargo xtask demo`, `cargo xtask install`, `cargo xtask test`, `cargo xtask agents`, `cargo xtask
//! bench NAME`, `cargo xtask book`, `cargo xtask dist`, `cargo xtask package`, `cargo xtask drive TARGET`. Sets up everything itself, so that a
//! machine with rustup and a C compiler needs nothing else.

#![expect(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a chore talks to the person who started it"
)]

mod archive;
mod book;
mod clients;
mod demo;
mod dist;
mod drive;
mod files;
mod package;
mod process;
mod quick;
mod release;
mod sdk;

use std::process::ExitCode;

use process::{TaskError, cargo, found, run};

const HELP: &str = "\
Usage: cargo xtask <COMMAND>

  setup        Add the wasm32-wasip2 target
  demo         Build everything quickly and learn from two sample sessions in a scratch project
  install [--root DIR]
               Build the optimised binary and install it to $CARGO_HOME/bin, or to DIR/bin
  test         Check format and lints, then run all tests (what CI runs)
  plugins      Build the built-in plugins and say where they are
  docs         Write docs/wit.md anew from the comments in wit/
  book [--check] [--binary FILE]
               Check the links of the documents, generate the reference chapters from the built program
               (or from FILE), and build the book in target/book with mdbook, if that is installed;
               --check stops after the links
  clients [DIR]
               Write the packages of the HTTP clients (Python, TypeScript, Rust) to DIR (target/clients)
  dist [--check] [--profile NAME] [TARGET…]
               Build release archives for Linux, macOS and Windows (without a target: all five, and
               then all packages); --check runs clippy for them instead
  package [--from DIR] [--binary FILE] [--url URL] [--metadata FILE]
               Make all packages from the archives in DIR (target/dist): installers, npm, wheels, .deb, .rpm,
               agents' plugins, … ; --binary puts this program into archives of all targets first, to try it;
               --url is where the archives will be found, --metadata what `cargo metadata` printed
  sdk [--to DIR] [--try ACRETA]
               Pack acreta-sdk and acreta-client for Cargo, npm and PyPI; --try builds a plugin in each
               language outside of this repository from them, and checks it with this program
  release VERSION --date YYYY-MM-DD [--sign] [--dry-run]
               Set the version everywhere, turn *Unreleased* of the changelog into it, commit and tag
  drive TARGET [--binary FILE]
               Run a built binary in a scratch home, under Wine or qemu where it is for another system,
               and print a table of what held; `native` is this system
  agents [NAME…]
               Drive real agent programs against a scripted model, with acreta around them, and print a
               table of what held, also in docs/agents.json and docs/agents.md; --keep keeps the scratch homes, --list
               names the agents
  bench NAME   Measure; NAME is one of: sandbox, sync, languages SESSION FILE.wasm…,
               retrieval FILE [--model DIR],
               ranking [--turns FILE] [--long FILE] [--memories FILE] [--code FILE --repos DIR]
               [--model DIR],
               search [--model DIR], context TREE, history REPO, localise FILE --repos DIR, pilot REPO…,
               extract LABELS SESSIONS [--verbose] [--ablate], cost LABELS SESSIONS,
               agreement LABELS LABELS,
               sample SESSIONS, recall [--memories N], replay [FOLDER], serve, sessions [COUNT],
               soak [--seconds N], ask FILE [--verbose],
               hub [JOBS] (starts a PostgreSQL of its own),
               relate FILE [--verbose]
               relate FILE --requests FOLDER | --replies FOLDER";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match words.as_slice() {
        ["setup"] => setup(),
        ["demo"] => setup().and_then(|()| demo::demo()),
        ["install", rest @ ..] => setup().and_then(|()| install(rest)),
        ["test"] => setup().and_then(|()| test()),
        ["plugins"] => setup().and_then(|()| plugins()),
        ["docs"] => docs(),
        ["book", "--check"] => book::book(&["--check"]),
        ["book", rest @ ..] => setup().and_then(|()| book::book(rest)),
        ["clients"] => clients::write("target/clients".as_ref()),
        ["clients", folder] => clients::write(folder.as_ref()),
        ["dist", rest @ ..] => setup().and_then(|()| dist::dist(rest)),
        ["package", rest @ ..] => package::package(rest),
        ["sdk", rest @ ..] => sdk::sdk(rest),
        ["release", rest @ ..] => release::release(rest),
        ["drive", rest @ ..] => drive::drive(rest),
        ["agents", rest @ ..] => setup().and_then(|()| agents(rest)),
        ["bench", "relate", rest @ ..] => bench_relate(rest),
        ["bench", "hub", rest @ ..] => bench_hub(rest),
        ["bench", "ranking" | "retrieval", ..] => bench_ranking(&words[1..]),
        ["bench", rest @ ..] => setup().and_then(|()| bench(rest)),
        _ => {
            eprintln!("{HELP}");
            return ExitCode::from(2);
        }
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(TaskError(message)) => {
            eprintln!("\nxtask: {message}");
            ExitCode::FAILURE
        }
    }
}

fn setup() -> Result<(), TaskError> {
    acreta_plugin_build::ensure_target().map_err(|error| TaskError(error.to_string()))
}

/// Runs everything that CI runs.
fn test() -> Result<(), TaskError> {
    run(cargo().args(["fmt", "--all", "--check"]))?;
    run(cargo().args([
        "clippy",
        "--workspace",
        "--features",
        "acreta/team",
        "--all-targets",
        "--",
        "--deny",
        "warnings",
    ]))?;
    if found("cargo-deny") {
        run(cargo().args([
            "deny",
            "--config",
            ".cargo/deny.toml",
            "check",
            "bans",
            "licenses",
            "sources",
        ]))?;
    } else {
        println!("skipped: cargo-deny is not installed (licences, bans, sources)");
    }
    let team = ["--workspace", "--features", "acreta/team"];
    if !found("cargo-nextest") {
        run(cargo().args(["test", "--workspace", "--no-fail-fast"]))?;
        return run(cargo()
            .args(["test", "--no-fail-fast", "--tests"])
            .args(team));
    }
    run(cargo().args(["nextest", "run", "--workspace", "--no-fail-fast"]))?;
    run(cargo().args(["test", "--workspace", "--doc", "--quiet"]))?;
    // With the catalog on a server, archives in object storage and workers: the tests that differ. Their output is
    // shown: a missing PostgreSQL must be seen.
    run(cargo()
        .args(["nextest", "run", "--no-fail-fast", "--success-output"])
        .arg("immediate")
        .args(team)
        .args(["--test", "catalog", "--test", "objects"])
        .args(["--test", "integration", "--filterset"])
        .arg("binary(objects) + test(/^(postgres|machines|team|worker)::/)"))
}

/// Installs with cargo, which takes `--root`, `--features` and so on, and removes the binary again with `cargo uninstall`.
fn install(arguments: &[&str]) -> Result<(), TaskError> {
    run(cargo()
        .args(["install", "--locked", "--path", "host/cli"])
        .args(arguments))
}

fn docs() -> Result<(), TaskError> {
    let example = ["--package", "acreta-plugin-dev", "--example", "wit-docs"];
    run(cargo().args(["run", "--quiet"]).args(example))
}

fn plugins() -> Result<(), TaskError> {
    let folder = dist::guests()?;
    for (id, _) in acreta_plugin_build::BUILTIN {
        println!("{id}  {}", folder.join(format!("{id}.wasm")).display());
    }
    Ok(())
}

/// Runs the suite of real agents with the debug build that the tests use.
fn agents(arguments: &[&str]) -> Result<(), TaskError> {
    let bins = [
        "--workspace",
        "--bin",
        "acreta",
        "--bin",
        "acreta-agent-e2e",
    ];
    run(cargo().arg("build").args(bins))?;
    let program = |name: &str| {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        process::target_dir().join("debug").join(name)
    };
    run(std::process::Command::new(program("acreta-agent-e2e"))
        .arg("--binary")
        .arg(program("acreta"))
        .arg("--documents")
        .arg(acreta_plugin_build::workspace_root().join("docs"))
        .args(arguments))
}

/// Scores labelled pairs of statements with an example of the crate that judges them, which builds in seconds.
fn bench_relate(arguments: &[&str]) -> Result<(), TaskError> {
    let asks = |argument: &&str| ["--requests", "--replies"].contains(argument);
    let (package, example) = match arguments.iter().any(asks) {
        true => ("explorer-llm", "judge"),
        false => ("acreta-compare", "score"),
    };
    let example = ["--release", "--package", package, "--example", example];
    run(cargo()
        .args(["run", "--quiet"])
        .args(example)
        .arg("--")
        .args(arguments))
}

/// Measures the queue on PostgreSQL with an example of the crate that has it.
fn bench_hub(arguments: &[&str]) -> Result<(), TaskError> {
    let example = [
        "--package",
        "acreta-state",
        "--features",
        "postgres",
        "--example",
        "hub",
    ];
    run(cargo()
        .args(["run", "--quiet", "--release"])
        .args(example)
        .arg("--")
        .args(arguments))
}

/// Scores the ranking of several kinds of texts with an example of the search crate.
fn bench_ranking(arguments: &[&str]) -> Result<(), TaskError> {
    let example = ["--package", "acreta-search", "--example", "ranking"];
    run(cargo()
        .args(["run", "--quiet", "--release"])
        .args(example)
        .arg("--")
        .args(arguments))
}

/// Benches are in a separate crate, so that this one builds in seconds.
fn bench(arguments: &[&str]) -> Result<(), TaskError> {
    /// Benches that start `acreta` by its path.
    const DRIVERS: [&str; 9] = [
        "agreement",
        "ask",
        "cost",
        "extract",
        "recall",
        "sample",
        "search",
        "serve",
        "soak",
    ];
    run(cargo().args([
        "build",
        "--release",
        "--package",
        "acreta",
        "--package",
        "acreta-bench",
    ]))?;
    let program = |name: &str| {
        let name = format!("{name}{}", std::env::consts::EXE_SUFFIX);
        process::target_dir().join("release").join(name)
    };
    let mut bench = std::process::Command::new(program("acreta-bench"));
    bench.args(arguments);
    if arguments.first().is_some_and(|name| DRIVERS.contains(name)) {
        bench.arg("--binary").arg(program("acreta"));
    }
    if arguments.first() == Some(&"serve") {
        let example = ["--package", "acreta-server", "--example", "bare"];
        run(cargo().args(["build", "--release"]).args(example))?;
        bench.arg("--bare").arg(program("examples/bare"));
    }
    run(&mut bench)
}
