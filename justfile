# Shortcuts. Anything with an `if` in it is in `cargo xtask`.

# List the recipes.
default:
    @just --list

# Format and lints, without tests.
check:
    cargo fmt --all --check
    just lint

# Everything CI runs: format, lints, licences, all tests.
test:
    cargo xtask test

# Format all code.
fmt:
    cargo fmt --all

# Clippy, with warnings as errors.
lint:
    cargo clippy --workspace --all-targets -- --deny warnings

# Measure: `just bench sandbox`.
bench name *arguments:
    cargo xtask bench {{name}} {{arguments}}

# Build everything quickly and learn from two sample sessions.
demo:
    cargo xtask demo

# Build the optimised binary and install it: `just install --root DIR`.
install *arguments:
    cargo xtask install {{arguments}}

# Drive real agent programs against a scripted model: `just agents codex`.
agents *names:
    cargo xtask agents {{names}}

# Release archives for all systems, or for the targets named.
dist *targets:
    cargo xtask dist {{targets}}

# Write docs/wit.md anew from the comments in wit/.
docs:
    cargo xtask docs

# Check the documents' links and build the book in target/book: `just book --check`.
book *arguments:
    cargo xtask book {{arguments}}
