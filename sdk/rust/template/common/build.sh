#!/bin/sh
# Builds example-plugin.wasm, the component that plugin.toml names.
set -eu
cd "$(dirname "$0")"
cargo build --release --target wasm32-wasip2
cp "${CARGO_TARGET_DIR:-target}/wasm32-wasip2/release/example_plugin.wasm" example-plugin.wasm
