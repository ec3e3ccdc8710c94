//! Writes the seeds of every target to `fuzz/corpus`, where cargo-fuzz looks for them:
//! `cargo run --package acreta-fuzzing --example corpus`.

#![expect(clippy::disallowed_methods, reason = "writes what git ignores")]

use std::io;
use std::path::Path;

fn main() -> io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let names = acreta_fuzzing::TARGETS.iter().map(|target| target.name);
    for name in names {
        let folder = root.join("fuzz/corpus").join(name);
        std::fs::create_dir_all(&folder)?;
        for (number, seed) in acreta_fuzzing::seeds(&root, name).iter().enumerate() {
            std::fs::write(folder.join(format!("seed-{number:04}")), seed)?;
        }
    }
    Ok(())
}
