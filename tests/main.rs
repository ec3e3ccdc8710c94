//! All integration tests, in one binary: through the real `acreta` and real components.

#![expect(clippy::print_stdout, reason = "a test prints what it counted")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

mod support;

mod acceptance;
mod agent_memories;
mod agents;
mod bad_input;
mod bad_plugins;
mod book;
mod circles;
mod command_line;
mod connecting;
mod context;
mod contract;
mod cures;
mod daemon;
mod damaged_state;
mod doors;
mod edges;
mod embedding;
mod exported_page;
mod forged;
mod frozen;
#[cfg(unix)]
mod git_programs;
mod hooks;
#[cfg(unix)]
mod hostile;
mod injection;
#[cfg(unix)]
mod installation;
#[cfg(unix)]
mod links;
#[cfg(target_os = "linux")]
mod looping;
mod mcp;
mod meanwhile;
mod memory;
mod memory_files;
mod model_programs;
mod models;
mod notes;
mod observability;
mod other_homes;
mod outputs;
#[cfg(unix)]
mod permissions;
mod plugin_dev;
mod plugin_examples;
mod plugin_life;
mod plugin_projects;
#[cfg(unix)]
mod plugin_registries;
mod plugin_signatures;
#[cfg(unix)]
mod plugin_toolchains;
#[cfg(unix)]
mod plugin_updates;
mod plugins;
mod purge;
mod readings;
mod recall;
mod reliability;
mod reminders;
mod reruns;
mod resumed;
mod review;
mod round_trip;
mod scopes;
mod secrets;
mod session_index;
mod sessions;
mod shared_traces;
mod sharing;
mod summaries;
mod sync;
#[cfg(unix)]
mod sync_faults;
mod team;
mod transcripts;
mod trust;
mod tutorial;
mod upgrade;
mod usage;
#[cfg(unix)]
mod who_reads;
mod worker;

/// Checks that every file is listed, because an unlisted one never runs.
#[test]
fn every_file_is_listed() {
    let folder = acreta_plugin_build::workspace_root().join("tests");
    let listed = std::fs::read_to_string(folder.join("main.rs")).unwrap();
    for entry in std::fs::read_dir(&folder).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        if let Some(module) = name.strip_suffix(".rs").filter(|module| *module != "main") {
            assert!(
                listed.contains(&format!("mod {module};")),
                "tests/{name} is not listed in tests/main.rs"
            );
        }
    }
}
